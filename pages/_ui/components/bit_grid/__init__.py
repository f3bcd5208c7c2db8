"""Two fingerprints bit by bit, their difference, and the blocks of the index."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from simhash_core import Comparison

from ...shared.bits import first_bit, square_sizes
from ...shared.session import language, t
from .. import register

_WORDS = (
    *("letter_a", "letter_b", "xor", "one_firm", "one_weak", "zero_firm", "zero_weak", "differ"),
    *("firm", "weak", "bit_label", "bit_differs", "xor_differs", "xor_agrees"),
    *("blocks", "block_differs", "block_equal"),
)

_mount = register("bit_grid", '<div class="bits"></div>')


def bit_grid(compared: Comparison, names: tuple[str, str], *, key: str, blocks_note: str) -> int:
    """Draw the grids and return the bit that is selected.

    At first the differing bit on which both texts are firmest, else the firmest bit.
    """
    a, b = compared.explain_a, compared.explain_b
    if a is None or b is None:
        raise ValueError("a text without words has no bits")
    bits = len(a.bits)
    differing = int(np.sum(a.bits != b.bits))
    headings = (*names, t("compare.bits.counts", n=differing, agree=bits - differing))
    top = max(float(a.margin.max()), float(b.margin.max()))
    first = first_bit(a.bits, b.bits, a.margin, b.margin)
    words = {name: _template(name) for name in _WORDS}
    identity = (compared.a.id, compared.b.id, headings, language(), blocks_note)
    state = _mount(
        key=key,
        data={
            "digest": hashlib.sha256(repr(identity).encode()).hexdigest()[:16],
            "a": a.bits.astype(int).tolist(),
            "b": b.bits.astype(int).tolist(),
            "size_a": square_sizes(a.margin, top),
            "size_b": square_sizes(b.margin, top),
            "columns": _columns(bits),
            "names": list(headings),
            "blocks": [[block.start, block.width, block.differing] for block in compared.blocks],
            "selected": _selected(key, first, bits),
            "words": {**words, "blocks_note": blocks_note},
        },
        default={"bit": first},
        on_bit_change=lambda: None,
    )
    return _within(state.get("bit"), first, bits)


def _selected(key: str, first: int, bits: int) -> int:
    state: Any = st.session_state.get(key, {})
    return _within(state.get("bit"), first, bits)


def _within(bit: Any, first: int, bits: int) -> int:
    return bit if isinstance(bit, int) and 0 <= bit < bits else first


def _columns(bits: int) -> int:
    """Return the columns of a grid: 64 = 8 x 8, 128 = 8 x 16, 256 = 16 x 16."""
    return 16 if bits >= 128 else 8


def _template(name: str) -> str:
    """Return a sentence of the catalogue whose placeholders the component fills."""
    places: Sequence[str] = ("bit", "a", "b", "value", "firm", "first", "last", "n")
    return t(f"compare.bits.{name}", **{place: "{" + place + "}" for place in places})
