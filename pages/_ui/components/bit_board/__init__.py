"""The bits of one text or of two, with what just flipped and what one word pushes.

Board(...) says what is drawn; bit_board(board, key) draws it and returns the selected bit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ...shared.session import t
from .. import register

_WORDS = (
    *("one_firm", "one_weak", "zero_firm", "zero_weak", "differ", "firm", "weak", "bit_label"),
    *("bit_differs", "xor_differs", "xor_agrees", "block_differs", "block_equal"),
)
_PLACES = ("bit", "a", "b", "value", "firm", "first", "last", "n")

_mount = register("bit_board", '<div class="bits"></div>', styles_of=("bit_grid",))


@dataclass(frozen=True, slots=True)
class Grid:
    """One text: its bits, the side of their squares in percent, and marks.

    `flipped` are the bits of the last edit, `push` +1, 0 or -1 a bit for the chosen word, and
    `decisive` the bits that this word alone decides.
    """

    letter: str
    name: str
    bits: Sequence[int]
    sizes: Sequence[int]
    flipped: Sequence[int] = ()
    push: Sequence[int] = ()
    decisive: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """One grid, or two with their difference; `blocks` are (start, width, differing bits)."""

    grids: tuple[Grid, ...]
    difference: str  # heading of the third grid
    first: int  # the bit that is selected at first
    blocks: Sequence[tuple[int, int, int]] = ()
    blocks_title: str = ""
    blocks_note: str = ""


def bit_board(board: Board, *, key: str) -> int:
    """Draw the board and return the bit that is selected."""
    bits = len(board.grids[0].bits)
    words = {name: _template(f"compare.bits.{name}") for name in _WORDS}
    marks = {name: _template(f"lab.board.{name}") for name in ("flipped", "up", "down", "decisive")}
    data: dict[str, Any] = {
        "grids": [_plain(grid) for grid in board.grids],
        "difference": board.difference,
        "columns": 16 if bits >= 128 else 8,
        "blocks": [list(block) for block in board.blocks],
        "words": {**words, **marks, "blocks": board.blocks_title, "blocks_note": board.blocks_note},
    }
    digest = hashlib.sha256(repr(data).encode()).hexdigest()[:16]
    state = _mount(
        key=key,
        data={**data, "digest": digest, "selected": selected(key, board.first, bits)},
        default={"bit": board.first},
        on_bit_change=lambda: None,
    )
    return _within(state.get("bit"), board.first, bits)


def selected(key: str, first: int, bits: int) -> int:
    """Return the bit that is selected before the board is drawn."""
    state: Mapping[str, Any] = st.session_state.get(key, {})
    return _within(state.get("bit"), first, bits)


def _within(bit: Any, first: int, bits: int) -> int:
    return bit if isinstance(bit, int) and 0 <= bit < bits else first


def _plain(grid: Grid) -> dict[str, Any]:
    return {
        "letter": grid.letter,
        "name": grid.name,
        "bits": list(grid.bits),
        "sizes": list(grid.sizes),
        "flipped": list(grid.flipped),
        "push": list(grid.push),
        "decisive": list(grid.decisive),
    }


def _template(key: str) -> str:
    """Return a sentence whose placeholders the component fills."""
    return t(key, **{place: "{" + place + "}" for place in _PLACES})
