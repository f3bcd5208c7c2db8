"""Cases set for reading: the open one, and while it is read those that a key opens next.

laid(held, key, compute)      a case as it is drawn, set now where it was not set ahead
prepare(held, key, compute)   set a case in the background

A case takes tenths of a second of plain Python. One thread serves all sessions; it touches nothing
of a page.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import streamlit as st

HELD = 8  # cases of a desk that are held; one can be half a megabyte

Value = TypeVar("Value")
Held = dict[Hashable, Future[Value]]


def laid(held: Held[Value], key: Hashable, compute: Callable[[], Value]) -> Value:
    """Return a case from those held; wait only for one that is being set."""
    future = held.pop(key, None)
    if future is None or future.cancel():  # cancelled: it had not begun
        future = Future()
        future.set_result(compute())
    _hold(held, key, future)
    return future.result()


def prepare(held: Held[Value], key: Hashable, compute: Callable[[], Value]) -> None:
    """Set a case in the background where it is not held yet."""
    if key not in held:
        _hold(held, key, _thread().submit(compute))


def _hold(held: Held[Value], key: Hashable, future: Future[Value]) -> None:
    held[key] = future
    while len(held) > HELD:
        held.pop(next(iter(held))).cancel()


@st.cache_resource(show_spinner=False)
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="desk")
