"""The same names as `kernels`, not compiled: what runs where numba cannot be installed."""

from __future__ import annotations

from types import FunctionType
from typing import Any, cast

from .. import reworded
from ..reworded import holds_centre, is_repeated
from .growth import (
    better_span,
    evidence,
    extend_border,
    give_back,
    lone_stems,
    max_sum_segment,
    surprise_of,
    take_word,
    tally,
    window_postings,
    window_seeds,
)
from .weights import mask_runs, set_values, two_sides, worth


def _here(function: Any, **callees: Any) -> Any:
    """Return a function of `reworded` that calls these functions by the names that it knows."""
    source = cast(FunctionType, function)
    return FunctionType(source.__code__, {**source.__globals__, **callees}, source.__name__)


grow_one = _here(reworded.grow_one, better_span=better_span)
grow = _here(reworded.grow, grow_one=grow_one)

__all__ = [
    "better_span",
    "evidence",
    "extend_border",
    "give_back",
    "grow",
    "grow_one",
    "holds_centre",
    "is_repeated",
    "lone_stems",
    "mask_runs",
    "max_sum_segment",
    "set_values",
    "surprise_of",
    "take_word",
    "tally",
    "two_sides",
    "window_postings",
    "window_seeds",
    "worth",
]
