"""What a process makes once, however many threads ask for it first."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


class once(Generic[Given, Answer]):
    """Keep what a function returns as `functools.cache` does, and never let two threads make it.

    Of the threads that ask before there is an answer, `functools.cache` lets each make its own: of
    a pool of workers, of a file or of a table that grows there must not be two.
    """

    def __init__(self, function: Callable[Given, Answer]) -> None:
        functools.update_wrapper(self, function)
        self._function, self._lock = function, threading.RLock()
        self._known: dict[object, Answer] = {}

    def __call__(self, *given: Given.args, **named: Given.kwargs) -> Answer:
        """Return what is known, or make it while other threads wait."""
        key = (given, tuple(named.items()))
        with contextlib.suppress(KeyError):
            return self._known[key]
        with self._lock:
            if key not in self._known:
                self._known[key] = self._function(*given, **named)
            return self._known[key]

    def cache_clear(self) -> None:
        """Forget every answer."""
        with self._lock:
            self._known = {}
