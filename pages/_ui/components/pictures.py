"""Pictures that answer to a click: bits, and a text step by step; with their records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

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
