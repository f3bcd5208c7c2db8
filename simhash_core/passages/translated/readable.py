"""The same names as `kernels`, not compiled: what runs where numba cannot be installed."""

from __future__ import annotations

from types import FunctionType
from typing import Any, cast

from .. import reworded
from .growth import *
from .growth import better_span
from .weights import *


def _here(function: Any, **callees: Any) -> Any:
    """Return a function of `reworded` that calls these functions by the names that it knows."""
    source = cast(FunctionType, function)
    return FunctionType(source.__code__, {**source.__globals__, **callees}, source.__name__)


holds_centre, is_repeated = reworded.holds_centre, reworded.is_repeated
grow_one = _here(reworded.grow_one, better_span=better_span)
grow: Any = _here(reworded.grow, grow_one=grow_one)
