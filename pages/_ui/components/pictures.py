"""Pictures that answer to a click: bits, distances, clusters, versions; with their records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from simhash_core.model import NO_DISTANCE
from simhash_core.palette import Palette

from ..shared.session import t
from . import draw

# --------------------------------------------------------------------------- bits

_BIT_WORDS = (
    *("xor", "one_firm", "one_weak", "zero_firm", "zero_weak", "differ", "firm", "weak"),
    *("bit_label", "bit_differs", "xor_differs", "xor_agrees", "block_differs", "block_equal"),
)
_BOX_WORDS = ("box", "flip_this")
_BIT_PLACES = ("bit", "a", "b", "value", "firm", "first", "last", "n")


@dataclass(frozen=True, slots=True)
class Bits:
    """One text: its bits, the side of their squares in percent, and those that flipped last."""

    letter: str
    name: str
    bits: Sequence[int]
    sizes: Sequence[int]
    flipped: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class BitBoard:
    """One grid, or two with their difference; `blocks` are (start, width, differing bits).

    With `boxes`, a sentence on them, only the blocks are drawn, bit by bit, each above the box that
    its differing bits fall into, and `pigeon` begins the sentence below.
    """

    grids: tuple[Bits, ...]
    difference: str  # heading of the third grid
    first: int  # the bit that is selected at first
    blocks: Sequence[tuple[int, int, int]] = ()
    blocks_title: str = ""
    blocks_note: str = ""
    boxes: str = ""
    pigeon: str = ""
    opened: str = ""  # the example that it shows: the page goes to its top when another opens


def square_sizes(margin: NDArray[np.float64], top: float) -> list[int]:
    """Return the side of each bit's square in percent of its cell: 18 + 62 sqrt(margin / top)."""
    if top <= 0:
        return [18] * len(margin)
    sizes: list[int] = np.rint(18 + 62 * np.sqrt(margin / top)).astype(int).tolist()
    return sizes


def first_bit(
    a: NDArray[np.bool_],
    b: NDArray[np.bool_],
    margin_a: NDArray[np.float64],
    margin_b: NDArray[np.float64],
) -> int:
    """Return the differing bit on which both sides are firmest, else the firmest of all."""
    firm = np.minimum(margin_a, margin_b)
    differing = a != b
    return int(np.argmax(np.where(differing, firm, -1.0) if differing.any() else firm))


def bit_columns(bits: int) -> int:
    """Return the columns of a grid: 64 = 8 x 8, 128 = 8 x 16, 256 = 16 x 16."""
    return 16 if bits >= 128 else 8


def bit_board(board: BitBoard, *, key: str) -> tuple[int, int | None]:
    """Draw the bits of one text or of two; return the selected bit and one to flip, if any."""
    bits = len(board.grids[0].bits)
    words = {name: _template(f"compare.bits.{name}") for name in _BIT_WORDS}
    marks: dict[str, Any] = {
        "flipped": t("lab.board.flipped"),
        "boxes": board.boxes,
        "pigeon": board.pigeon,
    }
    if board.boxes:
        marks |= {name: _template(f"lab.board.{name}") for name in _BOX_WORDS}
        marks["told"] = [
            t("lab.board.box_differs" if n else "lab.board.box_empty", n=n or width)
            for _, width, n in board.blocks
        ]
    shown: dict[str, Any] = {
        "grids": board.grids,
        "difference": board.difference,
        "columns": bit_columns(bits),
        "opened": board.opened,
        "blocks": [list(block) for block in board.blocks],
        "words": {**words, **marks, "blocks": board.blocks_title, "blocks_note": board.blocks_note},
    }
    selected = selected_bit(key, board.first, bits)
    state = draw("bits", {**shown, "selected": selected}, key=key, default={"bit": board.first})
    return _within(state.get("bit"), board.first, bits), state.get("flip")


def selected_bit(key: str, first: int, bits: int) -> int:
    """Return the bit that is selected before the board is drawn."""
    state: Mapping[str, Any] = st.session_state.get(key, {})
    return _within(state.get("bit"), first, bits)


def _within(bit: Any, first: int, bits: int) -> int:
    return bit if isinstance(bit, int) and 0 <= bit < bits else first


def _template(key: str) -> str:
    return t(key, **{place: "{" + place + "}" for place in _BIT_PLACES})


# --------------------------------------------------------------------------- distances

STEPS = (9, 8, 7, 6, 4, 3, 1, 0)  # of the sequence, from distance 0 on: closer is stronger
FAR = 0.47  # share of the bits from which a cell sinks into the page


def matrix(
    distance: NDArray[np.uint16],
    *,
    key: str,
    names: Sequence[str],
    blocks: Sequence[tuple[int, int]],
    bits: int,
    label: str,
    colours: Palette,
) -> tuple[int, int] | None:
    """Draw uint16 (r, r) distances; return the row and column that the reader opens.

    `blocks` are (first, last + 1) rows of each cluster, outlined.
    """
    upper = distance[np.triu_indices(len(distance), 1)].astype(np.int64)
    shown = {
        "n": len(distance),
        "blocks": blocks,
        "distance": np.where(upper == NO_DISTANCE, -1, upper).tolist(),
        "far": round(bits * FAR),
        "names": list(names),
        "label": label,
        "words": {name: t(f"frame.matrix.{name}") for name in ("bits", "none")},
        "colours": {
            "bg": colours.bg,
            "ink": colours.ink,
            "ink2": colours.ink2,
            "steps": [colours.sequence[step] for step in STEPS],
        },
    }
    answer = draw("matrix", shown, key=key)
    return None if answer.open is None else (int(answer.open[0]), int(answer.open[1]))


# --------------------------------------------------------------------------- clusters


@dataclass(frozen=True, slots=True)
class Entry:
    """One cluster of the list."""

    name: str
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
    words: Mapping[str, str],
) -> Opened | None:
    """Draw all clusters, one as a graph, and its members.

    Choosing a node and stepping through members happen in the browser; only another cluster, a pair
    or a text to open come back. Without a graph `words` says what there is instead.
    """
    shown = {
        "entries": entries,
        "selected": selected,
        "members": members,
        "graph": graph,
        "words": dict(words),
    }
    answer = draw("cluster_board", shown, key=key, default={"cluster": selected})
    if not answer.open:
        return None
    return Opened(answer.open["kind"], tuple(int(place) for place in answer.open["places"]))


def chosen_cluster(key: str, entries: int) -> int:
    """Return which cluster the reader has opened on a board, at first the largest."""
    state = st.session_state.get(key) or {}
    at = state.get("cluster", 0)
    return int(at) if isinstance(at, int) and 0 <= at < entries else 0


# --------------------------------------------------------------------------- versions


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
    further: Sequence[tuple[int, str]] = ()  # places of other sources, and the shares of those


def history(
    key: str, nodes: Sequence[Node], *, ticks: Sequence[tuple[float, str]], label: str, place: int
) -> None:
    """Draw versions of a text along time, each linked to its likely source; `place` is chosen."""
    shown = {
        "nodes": nodes,
        "ticks": [list(tick) for tick in ticks],
        "label": label,
        "place": place,
    }
    draw("history", shown, key=key, default={"place": None})


def chosen_version(key: str) -> int:
    """Return the place of the version that is chosen before the picture is drawn, -1 for none."""
    value = st.session_state.get(key, {}).get("place")
    return int(value) if value is not None else -1


@dataclass(frozen=True, slots=True)
class Witnessed:
    """One version by each witness: its place there from 0, -1 where the witness is silent."""

    name: str
    when: str
    dates: int
    words: int
    received: int
    doubt: bool  # its date is to be checked
    crosses: bool  # dates and words put it on two sides of another version
    first_by_dates: bool
    first_by_words: bool


def who_was_first(key: str, nodes: Sequence[Witnessed], *, label: str) -> None:
    """Draw who was first by dates, by the words, and by when the library received the versions."""
    rows = ("dates", "words", "received", "no_dates", "no_telling")
    shown = {
        "nodes": nodes,
        "rows": {name: t(f"reposts.row.{name}") for name in rows},
        "received": any(node.received >= 0 for node in nodes),
        "label": label,
    }
    draw("first", shown, key=key)
