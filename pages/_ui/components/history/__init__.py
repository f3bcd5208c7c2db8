"""Versions of a text along time, each linked to its likely source; one of them can be chosen.

history(key, ...) -> the place of the chosen version
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import streamlit as st

from .. import register

_mount = register(
    "history", '<div class="hi"></div>', styles_of=("shared",), scripts=("shared/dom.js",)
)


@dataclass(frozen=True, slots=True)
class Node:
    """One version: `at` is its place in time and `size` its length, both 0 to 1."""

    name: str
    when: str
    tag: str
    at: float
    size: float
    source: int  # place of its likely source, -1 for none
    share: str  # of it that the source has
    certain: bool
    depth: int  # steps to the first version
    label: str  # the same in one sentence


def chosen(key: str) -> int:
    """Return the place of the version that is chosen before the picture is drawn, -1 for none."""
    value = st.session_state.get(key, {}).get("place")
    return int(value) if value is not None else -1


def history(
    key: str, nodes: Sequence[Node], *, ticks: Sequence[tuple[float, str]], label: str, place: int
) -> None:
    """Draw the versions; `place` is chosen."""
    _mount(
        key=key,
        data={
            "nodes": [asdict(node) for node in nodes],
            "ticks": [list(tick) for tick in ticks],
            "label": label,
            "place": place,
        },
        default={"place": None},
        on_place_change=lambda: None,
    )
