"""The loops of this room in C, under the names of `readable`; what each does is said there."""

from __future__ import annotations

import numpy as np

from ..machine.native import (
    BOOLS,
    BYTES,
    F64,
    FLOAT,
    I32,
    I64,
    INT,
    Record,
    Table,
    fresh_table,
    function,
    record,
)
from ..model import F64 as Floats
from ..model import I32 as Ints
from ..model import I64 as Whole
from ..model import U8, Bools
from .growth import Side

_Side = record(
    indptr=I64,
    stem=I32,
    values=F64,
    words=INT,
)
_Sides = record(
    indptr_a=I64,
    stem_a=I32,
    kind_a=BYTES,
    stem_b=I32,
    kind_b=BYTES,
    rate_a=F64,
    rate_b=F64,
    words_a=INT,
    stems_a=INT,
    words_b=INT,
    stems=INT,
    prior=FLOAT,
    share=FLOAT,
    run=INT,
    start=I64,
    local_a=I32,
    values_a=F64,
    local_b=I32,
    values_b=F64,
)
_Growth = record(
    share=FLOAT,
    drop=FLOAT,
    widen=INT,
    ahead=INT,
    most=INT,
    exact=INT,
)
_two_sides = function("translated_two_sides", _Sides)
_grow = function("translated_grow", _Side, _Side, INT, I64, INT, _Growth, I64)
_evidence = function("translated_evidence", _Side, _Side, INT, BOOLS, FLOAT, I64, INT, F64)
_lone_stems = function("translated_lone_stems", _Side, _Side, INT, I64, I64)
_window_seeds = function(
    "translated_window_seeds", _Side, _Side, INT, INT, INT, FLOAT, FLOAT, INT, Table
)


def _side(side: Side) -> Record:
    return _Side(*side, len(side[0]) - 1)


def two_sides(
    indptr_a: Whole,
    stem_a: Ints,
    kind_a: U8,
    stem_b: Ints,
    kind_b: U8,
    rate_a: Floats,
    rate_b: Floats,
    numbers: Floats,
) -> tuple[Side, Side, int]:
    """See `growth.two_sides`."""
    size, size_b = len(indptr_a) - 1, len(stem_b)
    start, local_a = np.empty(size + 1, np.int64), np.empty(len(stem_a), np.int32)
    local_b = np.empty(size_b, np.int32)
    values_a, values_b = np.empty((size, 3)), np.empty((size_b, 3))
    prior, share, run = numbers.tolist()
    given = (indptr_a, stem_a, kind_a, stem_b, kind_b, rate_a, rate_b)
    sizes = (size, len(stem_a), size_b, len(rate_a), prior, share, int(run))
    distinct = _two_sides(_Sides(*given, *sizes, start, local_a, values_a, local_b, values_b))
    local_a = local_a[: start[-1]].copy()
    return (start, local_a, values_a), (np.arange(size_b + 1), local_b, values_b), distinct


def grow(
    a: Side,
    b: Side,
    sizes: tuple[int, int],
    weight: Floats,
    seeds: Whole,
    exact: int,
    theta: float,
    drop: float,
    widen: int,
    ahead: int,
    most: int,
) -> Whole:
    """See `rectangles.grow`; `sizes` are those of the sides."""
    rects = np.empty((most + 1, 4), np.int64)
    growth = _Growth(theta, drop, widen, ahead, most, exact)
    return rects[: _grow(_side(a), _side(b), len(weight), seeds, len(seeds), growth, rects)]


def evidence(a: Side, b: Side, distinct: int, counted: Bools, share: float, rects: Whole) -> Floats:
    """See `growth.evidence`."""
    ratios = np.empty((len(rects), 2))
    _evidence(_side(a), _side(b), distinct, counted, share, rects, len(rects), ratios)
    return ratios


def lone_stems(a: Side, b: Side, distinct: int, rect: Whole) -> Whole:
    """See `growth.lone_stems`."""
    places = np.empty((max(0, int(rect[1] - rect[0])), 2), np.int64)
    return places[: _lone_stems(_side(a), _side(b), distinct, rect, places)]


def window_seeds(
    a: Side, b: Side, distinct: int, width: int, step: int, top: float, floor: float, most: int
) -> Floats:
    """See `growth.window_seeds`."""
    table, seeds = fresh_table(np.float64, 3)
    _window_seeds(_side(a), _side(b), distinct, width, step, top, floor, most, seeds)
    return table.taken()
