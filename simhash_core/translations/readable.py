"""The loops of this room as they are read: what runs where none of C are built."""

from __future__ import annotations

from types import FunctionType
from typing import Any, cast

from ..passages import rectangles
from .growth import *
from .growth import better_span


def _here(function: Any, **callees: Any) -> Any:
    """Return a function of `rectangles` that calls these functions by the names that it knows."""
    source = cast(FunctionType, function)
    return FunctionType(source.__code__, {**source.__globals__, **callees}, source.__name__)


holds_centre, is_repeated = rectangles.holds_centre, rectangles.is_repeated
grow_one = _here(rectangles.grow_one, better_span=better_span)
grow: Any = _here(rectangles.grow, grow_one=grow_one)
