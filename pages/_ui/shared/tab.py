"""What one browser tab remembers from run to run, beside what its widgets hold.

Each module declares its facts beside its code, with their types, in a class `Tab` of its own; its
instance `tab` reads and writes them: `tab.pair_order = rows`. A fact is kept in the session of
Streamlit under `lt.<name>`, so a reload of the same session finds it again; None, and `del`, remove
it. What is to outlive the session is stored with the check (`open_checks.remember`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import streamlit as st

Value = TypeVar("Value")
#: a default that no tab can write into
EMPTY: Mapping[Any, Any] = MappingProxyType({})


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


#: keys of the facts that belong to the files of one check
_OF_FILES: set[str] = set()


def forget_files() -> None:
    """Forget what belongs to the files that were put in for a check which this tab leaves."""
    for key in _OF_FILES:
        st.session_state.pop(key, None)
