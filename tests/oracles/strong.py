"""Which rectangles are passages: long, close and strong enough, and where they begin and end.

Each border of a passage moves to the best place near it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from oracles.exact import run_cover
from oracles.growth import shared_weights, tally
from oracles.places import (
    BONUS,
    CHAIN_CHARS,
    CLOSENESS,
    LEAST_CHARS,
    LEAST_DICE,
    LEAST_EXACT_CHARS,
    LEAST_WEIGHT,
    SNAP,
    STRENGTH,
    THETA,
    VERBATIM_CHARS,
    VERBATIM_DICE,
)

from simhash_core.model import F64, I32, I64
from simhash_core.passages.align import EXACT_DENSE, lies_in, one_to_one, overlap
from simhash_core.passages.options import Numbered

MAINLY_EXACT = 0.8  # of the tokens in exact runs: such a passage may be shorter


SAME_CHAIN = 0.8  # of a passage that a chain covers: its borders are those of the chain


def measured(both: Numbered, rects: I64, numbers: F64) -> F64:
    """Return shared weight C, dice, score S and strength z of rectangles, float64 (r, 4).

    z = ln D + closeness * dice, with D = C of distinct features: what both sides repeat, such
    as the names of the bodies in the heading of a statute, is not new evidence each time.
    """
    measures = shared_weights(both.local_a, both.local_b, both.weight, rects)
    for r in range(len(rects)):
        shared, sides, distinct = measures[r, 0], measures[r, 1] + measures[r, 2], measures[r, 3]
        dice = 2.0 * shared / sides if sides > 0.0 else 0.0
        measures[r, 1] = dice
        measures[r, 2] = 2.0 * shared - numbers[THETA] * sides
        measures[r, 3] = math.log(max(distinct, 1e-9)) + numbers[CLOSENESS] * dice
    return measures


def strong_ones(both: Numbered, runs: I64, rects: I64, numbers: F64) -> I64:
    """Keep rectangles that are long, close and strong enough; best score first (m, 4)."""
    measures = measured(both, rects, numbers)
    chosen = [
        r
        for r, (shared, dice, _, strength) in enumerate(measures)
        if shared >= numbers[LEAST_WEIGHT]
        and dice >= numbers[LEAST_DICE]
        and strength >= numbers[STRENGTH]
        and is_long(both, runs, rects[r], numbers)
    ]
    return rects[sorted(chosen, key=lambda r: -measures[r, 2])]


def is_long(both: Numbered, runs: I64, rect: I64, numbers: F64) -> bool:
    """Whether both sides are long enough for a passage: what is mainly exact may be shorter."""
    chars = min(
        both.end_a[rect[1] - 1] - both.start_a[rect[0]],
        both.end_b[rect[3] - 1] - both.start_b[rect[2]],
    )
    if chars >= numbers[LEAST_CHARS]:
        return True
    if chars < numbers[LEAST_EXACT_CHARS]:
        return False
    in_a = exact_share(runs, 0, rect[0], rect[1])
    return min(in_a, exact_share(runs, 1, rect[2], rect[3])) >= MAINLY_EXACT


def exact_share(runs: I64, side: int, low: int, high: int) -> float:
    """Return the share of the tokens [low, high) of one side that lie in exact runs."""
    covered = run_cover(runs, side, max([high, *(runs[:, side] + runs[:, 2])]))
    share: float = (covered[high] - covered[low]) / (high - low)
    return share


def exact_chains(both: Numbered, chains: I64, numbers: F64) -> I64:
    """Keep the chains that are mainly matched and long enough to be a passage (c, 4)."""
    exact = [
        (a0, a1, b0, b1)
        for a0, a1, b0, b1, matched in chains
        if both.end_a[a1 - 1] - both.start_a[a0] >= numbers[CHAIN_CHARS]
        and matched >= EXACT_DENSE * max(a1 - a0, b1 - b0)
    ]
    return np.array(exact, np.int64).reshape(-1, 4)


def has_verbatim_copy(both: Numbered, exact: I64, numbers: F64) -> bool:
    """Whether a verbatim copy is long enough to explain the pair."""
    least = numbers[VERBATIM_CHARS]
    return any(0.0 < least <= both.end_a[a1 - 1] - both.start_a[a0] for a0, a1, _, _ in exact)


def verbatim_rule(
    both: Numbered, runs: I64, exact: I64, rects: I64, numbers: F64
) -> tuple[I64, I64]:
    """Split off the loose rectangles beside a long verbatim copy: they are mostly chance.

    Where one holds verbatim copies itself, as in a patchwork of paragraphs, they take its place.
    """
    if not has_verbatim_copy(both, exact, numbers) or not len(rects):
        return rects, np.empty((0, 4), np.int64)
    close = measured(both, rects, numbers)[:, 1] >= numbers[VERBATIM_DICE]
    copies = strong_ones(both, runs, exact, numbers)
    alike, loose = list(rects[close]), []  # the close ones come first
    for rect in rects[~close]:
        inside = [copy for copy in copies if lies_in(copy, rect)]
        alike += inside
        if not inside:
            loose.append(rect)
    one, other = (np.array(rows, np.int64).reshape(-1, 4) for rows in (alike, loose))
    return one_to_one(one), other


def border_bonus(numbers: F64, mean: float) -> F64:
    """Return what a border of each class is worth, in score."""
    return np.asarray(numbers[BONUS:] * mean)


def placed(both: Numbered, rect: I64, exact: I64, numbers: F64) -> I64:
    """Give a rectangle its final borders: those of an exact chain, or the best places nearby."""
    a0, a1, b0, b1 = rect[0], rect[1], rect[2], rect[3]
    for chain in exact:
        in_a, in_b = overlap(rect, chain, 0), overlap(rect, chain, 1)
        most = in_a >= SAME_CHAIN * (a1 - a0) and in_b >= SAME_CHAIN * (b1 - b0)
        # farther away the rectangle holds matches that the chain does not
        if most and np.abs(rect - chain).max() <= numbers[SNAP]:
            same: I64 = chain
            return same
    bonus, theta, radius = border_bonus(numbers, both.mean), numbers[THETA], int(numbers[SNAP])
    given, on_a, on_b = (both.weight, theta, radius, bonus), (a0, a1), (b0, b1)
    of_a = snap(both.local_a, both.local_b, *given, both.border_a, on_a, on_b)
    of_b = snap(both.local_b, both.local_a, *given, both.border_b, on_b, on_a)
    return np.array([*of_a, *of_b])


def snap_border(
    local: I32,
    limit: I64,
    used: I64,
    weight: F64,
    theta: float,
    radius: int,
    bonus: F64,
    border: NDArray[np.uint8],
    span: tuple[int, int],
    step: int,
) -> int:
    """Move the end of a span (`step` 1) or its start (-1) to the best place within `radius` tokens.

    A place is worth the score gained by moving there (a matched token pays w (1 - theta), an
    unmatched one costs theta w) and `bonus` by the class of the border.
    """
    low, high = span
    tally(local, low, high, used, 1)
    first = high if step > 0 else low
    best, at, total, i = bonus[border[first]], first, 0.0, first
    for _ in range(min(radius, high - low - 1)):  # into the span
        t = local[i - 1 if step > 0 else i]
        total -= weight[t] * (1.0 - theta) if used[t] <= limit[t] else -theta * weight[t]
        used[t] -= 1
        i -= step
        if total + bonus[border[i]] > best:
            best, at = total + bonus[border[i]], i
    tally(local, min(i, first), max(i, first), used, 1)
    total, i = 0.0, first
    for _ in range(min(radius, len(local) - first if step > 0 else first)):  # out of it
        t = local[i if step > 0 else i - 1]
        total += weight[t] * (1.0 - theta) if used[t] < limit[t] else -theta * weight[t]
        used[t] += 1
        i += step
        if total + bonus[border[i]] > best:
            best, at = total + bonus[border[i]], i
    for j in range(min(low, i), max(high, i)):
        used[local[j]] = 0
    return at


def snap(
    local: I32,
    other: I32,
    weight: F64,
    theta: float,
    radius: int,
    bonus: F64,
    border: NDArray[np.uint8],
    span: tuple[int, int],
    against: tuple[int, int],
) -> tuple[int, int]:
    """Return the span of `local` with both borders moved; `against` of `other` stays fixed."""
    limit, used = np.zeros(len(weight), np.int64), np.zeros(len(weight), np.int64)
    tally(other, against[0], against[1], limit, 1)
    end = snap_border(local, limit, used, weight, theta, radius, bonus, border, span, 1)
    shorter = (span[0], end)
    start = snap_border(local, limit, used, weight, theta, radius, bonus, border, shorter, -1)
    return start, end
