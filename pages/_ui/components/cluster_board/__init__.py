"""The board of the Clusters page: all clusters, one as a graph or a matrix, its members.

Choosing a node, changing to the matrix and stepping through members happen in the browser; only
another cluster, a pair or a text to open come back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import streamlit as st

from .. import register
from ..matrix import SCRIPTS

_mount = register(
    "cluster_board",
    '<div class="wrap"><div class="board"></div></div>',
    styles_of=("shared", "matrix"),
    scripts=SCRIPTS,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One cluster of the list."""

    texts: int
    weakest: str
    label: str


@dataclass(frozen=True, slots=True)
class Member:
    """One text of the open cluster; its number is its place in the list."""

    name: str
    whole: str
    distance: str
    overlap: str
    facts: str
    centre: bool


@dataclass(frozen=True, slots=True)
class Link:
    """A drawn line between two members, by their places."""

    a: int
    b: int
    label: str
    closeness: float  # 0..1
    dashed: bool
    weakest: str = ""  # what stands on the line of the weakest link


@dataclass(frozen=True, slots=True)
class Graph:
    """Where the first members stand and what joins them."""

    places: Sequence[tuple[float, float]]
    width: float
    height: float
    links: Sequence[Link]


@dataclass(frozen=True, slots=True)
class Opened:
    """What the reader wants to see: a pair of members, or one text."""

    kind: Literal["pair", "text"]
    places: tuple[int, ...]


def cluster_board(
    *,
    key: str,
    entries: Sequence[Entry],
    selected: int,
    members: Sequence[Member],
    graph: Graph | None,
    matrix: Mapping[str, Any] | None,
    matrix_first: bool,
    words: Mapping[str, str],
) -> Opened | None:
    """Draw the board; without a graph, or with neither, `words` says what there is instead."""
    answer = _mount(
        key=key,
        data={
            "entries": [asdict(entry) for entry in entries],
            "selected": selected,
            "members": [asdict(member) for member in members],
            "graph": asdict(graph) if graph else None,
            "matrix": matrix,
            "matrixFirst": matrix_first,
            "words": dict(words),
        },
        default={"cluster": selected},
        on_cluster_change=lambda: None,
        on_open_change=lambda: None,
    )
    if not answer.open:
        return None
    return Opened(answer.open["kind"], tuple(int(place) for place in answer.open["places"]))


def chosen(key: str, entries: int) -> int:
    """Return which cluster the reader has opened on a board, at first the largest."""
    state = st.session_state.get(key) or {}
    at = state.get("cluster", 0)
    return int(at) if isinstance(at, int) and 0 <= at < entries else 0
