"""The loops of `translations` by the names and arguments of `growth`, which judges them."""

from __future__ import annotations

from typing import Any

import numpy as np

from simhash_core.machine.compiled import Table
from simhash_core.model import F64, I32, I64, U8, Bools
from simhash_core.translations.align import LOOPS, Side


def _side(side: Side) -> Any:
    return LOOPS.Side(*side, len(side[0]) - 1)


def two_sides(
    indptr_a: I64,
    stem_a: I32,
    kind_a: U8,
    stem_b: I32,
    kind_b: U8,
    rate_a: F64,
    rate_b: F64,
    numbers: F64,
) -> tuple[Side, Side, int]:
    size, size_b = len(indptr_a) - 1, len(stem_b)
    start, local_a = np.empty(size + 1, np.int64), np.empty(len(stem_a), np.int32)
    local_b = np.empty(size_b, np.int32)
    values_a, values_b = np.empty((size, 3)), np.empty((size_b, 3))
    prior, share, run = numbers.tolist()
    given = (indptr_a, stem_a, kind_a, stem_b, kind_b, rate_a, rate_b)
    sizes = (size, len(stem_a), size_b, len(rate_a), prior, share, int(run))
    distinct = LOOPS.two_sides(
        LOOPS.Sides(*given, *sizes, start, local_a, values_a, local_b, values_b)
    )
    local_a = local_a[: start[-1]].copy()
    return (start, local_a, values_a), (np.arange(size_b + 1), local_b, values_b), distinct


def grow(
    a: Side,
    b: Side,
    sizes: tuple[int, int],
    weight: F64,
    seeds: I64,
    exact: int,
    theta: float,
    drop: float,
    widen: int,
    ahead: int,
    most: int,
) -> I64:
    rects = np.empty((most + 1, 4), np.int64)
    sides, growth = (_side(a), _side(b)), (theta, drop, widen, ahead, most, exact)
    return rects[: LOOPS.grow(*sides, len(weight), seeds, len(seeds), *growth, rects)]


def evidence(a: Side, b: Side, distinct: int, counted: Bools, share: float, rects: I64) -> F64:
    ratios = np.empty((len(rects), 2))
    LOOPS.evidence(_side(a), _side(b), distinct, counted, share, rects, len(rects), ratios)
    return ratios


def lone_stems(a: Side, b: Side, distinct: int, rect: I64) -> I64:
    places = np.empty((max(0, int(rect[1] - rect[0])), 2), np.int64)
    return places[: LOOPS.lone_stems(_side(a), _side(b), distinct, rect, places)]


def window_seeds(
    a: Side, b: Side, distinct: int, width: int, step: int, top: float, floor: float, most: int
) -> F64:
    seeds = Table(np.float64, 3)
    LOOPS.window_seeds(_side(a), _side(b), distinct, width, step, top, floor, most, seeds)
    return seeds.taken()
