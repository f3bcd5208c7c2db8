"""What one browser tab remembers from run to run, beside what its widgets hold.

A page declares its facts beside its code, with their types, in a class `Tab` of its own; what the
shared modules remember is here. The instance `tab` reads and writes: `tab.pair_order = rows`.

A fact is kept in the session of Streamlit under `lt.<name>`, so a reload of the same session finds
it again; None, and `del`, remove it. What is to outlive the session is stored with the check
(`open_checks.remember`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

import streamlit as st

from simhash_core import LeitongError
from simhash_core.storage import Project

Value = TypeVar("Value")
Pair = tuple[int, int]
#: a default that no tab can write into
EMPTY: Mapping[Any, Any] = MappingProxyType({})
#: keys of the facts that belong to the files of one check
_OF_FILES: set[str] = set()


class Fact(Generic[Value]):
    """One attribute of the tab; what was never set is the default, which all tabs share.

    Parameters
    ----------
    of_files
        Whether it belongs to the files that were put in for one check, and to no other.
    """

    def __init__(self, default: Value, *, of_files: bool = False) -> None:
        self.default, self.of_files = default, of_files

    def __set_name__(self, owner: type, name: str) -> None:
        self.key = f"lt.{name}"
        if self.of_files:
            _OF_FILES.add(self.key)

    def __get__(self, tab: Any, owner: type) -> Value:
        value: Value = st.session_state.get(self.key, self.default)
        return value

    def __set__(self, tab: Any, value: Value) -> None:
        if value is None:
            st.session_state.pop(self.key, None)
        else:
            st.session_state[self.key] = value

    def __delete__(self, tab: Any) -> None:
        st.session_state.pop(self.key, None)


class Opened(Protocol):
    """An open check, as far as it matters here; `open_checks` makes it."""

    project: Project
    key: str
    jobs: dict[str, Any]


class Tab:
    """What a tab remembers wherever the reader is."""

    # whose it is, and how it reads
    owner: Fact[str | None] = Fact(None)  # whose checks it sees
    language: Fact[str | None] = Fact(None)
    language_chosen = Fact(False)  # by the reader, so that the browser remembers it
    framed = Fact(False)  # whether it was sent through the frame
    end_seen = Fact(False)  # that the server was started again

    # the check that it looks at
    open: Fact[Opened | None] = Fact(None)
    address = Fact("")  # id that the address named last
    lost: Fact[tuple[LeitongError, str | None] | None] = Fact(None)  # why not shown, on which page
    here: Fact[Callable[[], bool] | None] = Fact(None)  # whether this tab is still there
    jobs: Fact[dict[str, Any] | None] = Fact(None)  # by kind, where no check is open
    pair_order: Fact[tuple[Pair, ...]] = Fact(())  # rows as the reader saw them last
    all_weak = Fact(False)  # pairs, not the strongest alone
    shown_view = Fact("cases")  # of the results
    whole_lists: Fact[frozenset[str]] = Fact(frozenset())  # keys of those with all their rows

    # the next check
    keep_nothing = Fact(False)
    next_threshold: Fact[tuple[str, int, int] | None] = Fact(None)  # preset, bits, threshold
    #: checked before: name, latest check
    classes: Fact[Mapping[str, str] | None] = Fact(None, of_files=True)


def forget_files() -> None:
    """Forget what belongs to the files that were put in for a check which this tab leaves."""
    for key in _OF_FILES:
        st.session_state.pop(key, None)


tab = Tab()
