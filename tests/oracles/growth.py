"""Rectangles of two texts whose bags of words agree: grown, one a place, neighbours joined.

A rectangle is a row a0, a1, b0, b1 of tokens: a span of a times a span of b. It is scored
S = 2 C - theta (Wa + Wb), where C is the weight both spans hold and W the weight of each: S > 0
exactly when the Dice coefficient exceeds theta. With one span fixed, the best other one is a
maximum-sum segment, so spans are improved in turn. Order of words never matters and gaps are
bridged by score.
`used` and `limit` are work arrays over the local vocabulary, all zero before and after each call.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from simhash_core.model import F64, I32, I64
from simhash_core.passages.align import lies_in, overlap, widen_to

JOIN_PRICE, JOIN_GAIN = 0.5, 1.05


def joined(local_a: I32, local_b: I32, weight: F64, rects: I64) -> I64:
    """Join pieces whose hull is worth more than they are: a text whose parts changed places.

    Tokens without a match cost more here than while growing, since common words alone make
    unrelated texts nearly as similar as `theta`. Sorted by place in a.
    """
    ordered = in_order(rects)
    while len(ordered) > 1:
        hull = better_hull(local_a, local_b, weight, ordered)
        if hull is None:
            break
        left = [rect for rect in ordered if not lies_in(rect, hull)]
        ordered = in_order(np.array([*left, hull]))
    return ordered


def in_order(rects: I64) -> I64:
    """Sort rectangles by their place in a."""
    return rects[np.argsort(rects[:, 0], kind="stable")]


def better_hull(local_a: I32, local_b: I32, weight: F64, rects: I64) -> I64 | None:
    """Return the hull of all rectangles, or of two neighbours, that is worth more than they."""
    n = len(rects)
    for size in (n, 2):
        for i in range(n - size + 1):
            hull = rects[i].copy()
            for rect in rects[i + 1 : i + size]:
                widen_to(hull, rect)
            parts = [rect for rect in rects if lies_in(rect, hull)]
            of_hull, *of_parts = shared_weights(local_a, local_b, weight, np.array([hull, *parts]))
            inside = 0.0
            for measures in of_parts:
                inside += worth(measures)
            if worth(of_hull) > JOIN_GAIN * inside:
                return hull
    return None


def worth(measures: F64) -> float:
    """Return the score of a rectangle at the price of joining, given C, Wa and Wb."""
    score: float = 2.0 * measures[0] - JOIN_PRICE * (measures[1] + measures[2])
    return score


def merged(rects: I64, gap: int) -> I64:
    """Join rectangles that are neighbours on both sides, in any order."""
    left, i = [rect.copy() for rect in rects], 0
    while i < len(left):
        later = range(i + 1, len(left))
        near = next((j for j in later if are_neighbours(left[i], left[j], gap)), None)
        if near is None:
            i += 1
        else:
            widen_to(left[i], left.pop(near))
            i = 0
    return np.array(left, np.int64).reshape(-1, 4)


def are_neighbours(first: I64, second: I64, gap: int) -> bool:
    """Whether two rectangles lie, or overlap, at most `gap` tokens on both sides."""
    in_a, in_b = overlap(first, second, 0), overlap(first, second, 1)
    return -gap <= in_a <= gap and -gap <= in_b <= gap


def number_features(feature_a: I32, feature_b: I32) -> tuple[I32, I32, int]:
    """Number the features of two texts 0, 1, ... by first occurrence."""
    numbers: dict[int, int] = {}
    local_a, local_b = (
        np.array([numbers.setdefault(one, len(numbers)) for one in feature.tolist()], np.int32)
        for feature in (feature_a, feature_b)
    )
    return local_a, local_b, len(numbers)


def weigh(local_a: I32, local_b: I32, distinct: int, top: float) -> F64:
    """Weigh features by how rare they are in the two texts together, float64 (distinct,).

    w = min(top, -ln(1 - exp(-20 c / N))): inverse frequency over blocks of 20 tokens, computed
    for c occurrences among N tokens as if they fell at random.
    """
    total = len(local_a) + len(local_b)
    count = np.bincount(np.concatenate([local_a, local_b]), minlength=distinct)
    return np.array(
        [min(top, -math.log(1.0 - math.exp(-20.0 * c / total))) for c in count.tolist()], np.float64
    )


def tally(local: I32, low: int, high: int, limit: I64, change: int) -> None:
    """Add `change` to `limit` for every token of [low, high)."""
    for i in range(max(low, 0), min(high, len(local))):
        limit[local[i]] += change


def max_sum_segment(
    local: I32, limit: I64, used: I64, weight: F64, theta: float, low: int, high: int
) -> tuple[int, int]:
    """Return the maximum-sum segment of [low, high); leaves `used` counting that segment."""
    best, total, first, start, stop = 0.0, 0.0, low, low, low
    for i in range(low, high):
        t = local[i]
        gain = weight[t] * (1.0 - theta) if used[t] < limit[t] else -theta * weight[t]
        used[t] += 1
        if total <= 0.0:
            total, first = 0.0, i
        total += gain
        if total > best:
            best, start, stop = total, first, i + 1
    for i in range(low, high):
        used[local[i]] = 0
    for i in range(start, stop):
        used[local[i]] += 1
    return start, stop


def extend_border(
    local: I32,
    limit: I64,
    used: I64,
    weight: F64,
    theta: float,
    drop: float,
    border: int,
    step: int,
) -> int:
    """Return the best place for a border on its way right (`step` 1) or left (-1)."""
    best, total, at, i = 0.0, 0.0, border, border
    last = len(local) if step > 0 else 0
    while i != last and best - total <= drop:
        t = local[i] if step > 0 else local[i - 1]
        total += weight[t] * (1.0 - theta) if used[t] < limit[t] else -theta * weight[t]
        used[t] += 1
        i += step
        if total > best:
            best, at = total, i
    for j in range(min(at, i), max(at, i)):
        used[local[j]] -= 1
    return at


def extend(
    local: I32, limit: I64, used: I64, weight: F64, theta: float, drop: float, low: int, high: int
) -> tuple[int, int]:
    """Return the best span around [low, high) when the other span holds `limit` of each feature.

    A token is worth w (1 - theta) while the other span has an unused one, else -theta w. The
    maximum-sum segment of [low, high) is extended to the right, then to the left, until the sum
    falls `drop` below its best.
    """
    start, stop = max_sum_segment(local, limit, used, weight, theta, low, high)
    stop = extend_border(local, limit, used, weight, theta, drop, stop, 1)
    start = extend_border(local, limit, used, weight, theta, drop, start, -1)
    for i in range(start, stop):
        used[local[i]] = 0
    return start, stop


def better_span(
    local: I32,
    other: I32,
    limit: I64,
    used: I64,
    weight: F64,
    theta: float,
    drop: float,
    span: tuple[int, int],
    against: tuple[int, int],
) -> tuple[int, int]:
    """Return the best span of `local` around `span` given the span `against` of `other`."""
    tally(other, against[0], against[1], limit, 1)
    low, high = extend(local, limit, used, weight, theta, drop, span[0], span[1])
    tally(other, against[0], against[1], limit, -1)
    return low, high


def grow_one(
    local_a: I32,
    local_b: I32,
    weight: F64,
    limit: I64,
    used: I64,
    theta: float,
    drop: float,
    ahead: int,
    seed: tuple[int, int, int, int],
    better: Callable[..., tuple[int, int]],
) -> tuple[int, int, int, int]:
    """Grow one seed to a rectangle a0, a1, b0, b1; empty spans where nothing holds it.

    First both sides only grow, each seeing `ahead` tokens beyond the other's span: otherwise
    neither could grow past a token that the other's span does not hold yet. Then both may shrink.
    """
    a0, a1, b0, b1 = seed
    for _ in range(60):
        low, high = better(
            local_a, local_b, limit, used, weight, theta, drop, (a0, a1), (b0 - ahead, b1 + ahead)
        )
        c0, c1 = (min(a0, low), max(a1, high)) if high > low else (a0, a1)
        low, high = better(
            local_b, local_a, limit, used, weight, theta, drop, (b0, b1), (c0 - ahead, c1 + ahead)
        )
        d0, d1 = (min(b0, low), max(b1, high)) if high > low else (b0, b1)
        if c0 == a0 and c1 == a1 and d0 == b0 and d1 == b1:
            break
        a0, a1, b0, b1 = c0, c1, d0, d1
    for _ in range(8):
        c0, c1 = better(local_a, local_b, limit, used, weight, theta, drop, (a0, a1), (b0, b1))
        d0, d1 = better(local_b, local_a, limit, used, weight, theta, drop, (b0, b1), (c0, c1))
        if c0 == a0 and c1 == a1 and d0 == b0 and d1 == b1:
            break
        a0, a1, b0, b1 = c0, c1, d0, d1
    return a0, a1, b0, b1


def grow(
    local_a: I32,
    local_b: I32,
    sizes: tuple[int, int],
    weight: F64,
    seeds: I64,
    exact: int,
    theta: float,
    drop: float,
    widen: int,
    ahead: int,
    most: int,
    better: Callable[..., tuple[int, int]] = better_span,
) -> I64:
    """Grow seeds (m, 4) in texts of `sizes` tokens, best first, to rectangles, int64 (r, 4).

    The first `exact` seeds are taken as they are, the others enlarged by `widen`. A seed whose
    centre lies in an earlier rectangle is skipped; at most `most` are tried.
    """
    rects: list[tuple[int, int, int, int]] = []
    limit, used = np.zeros(len(weight), np.int64), np.zeros(len(weight), np.int64)
    tried = 0
    for s, (a0, a1, b0, b1) in enumerate(seeds.tolist()):
        if tried == most:
            break
        if any(
            2 * rect[0] <= a0 + a1 < 2 * rect[1] and 2 * rect[2] <= b0 + b1 < 2 * rect[3]
            for rect in rects
        ):
            continue
        tried += 1
        if s >= exact:
            a0, a1 = max(0, a0 - widen), min(sizes[0], a1 + widen)
            b0, b1 = max(0, b0 - widen), min(sizes[1], b1 + widen)
        rect = grow_one(
            local_a, local_b, weight, limit, used, theta, drop, ahead, (a0, a1, b0, b1), better
        )
        if rect[1] > rect[0] and rect[3] > rect[2] and rect not in rects:
            rects.append(rect)
    return np.array(rects, np.int64).reshape(-1, 4)


def shared_weights(local_a: I32, local_b: I32, weight: F64, rects: I64) -> F64:
    """Return C, Wa, Wb and C of distinct features of each rectangle, float64 (r, 4).

    The last counts a feature once however often both sides repeat it.
    """
    measures = np.zeros((len(rects), 4), np.float64)
    limit, counted = np.zeros(len(weight), np.int64), np.zeros(len(weight), np.bool_)
    for r in range(len(rects)):
        tally(local_b, rects[r, 2], rects[r, 3], limit, 1)
        for i in range(rects[r, 0], rects[r, 1]):
            t = local_a[i]
            measures[r, 1] += weight[t]
            if limit[t] > 0:
                measures[r, 0] += weight[t]
                if not counted[t]:
                    measures[r, 3] += weight[t]
                    counted[t] = True
            limit[t] -= 1
        for i in range(rects[r, 2], rects[r, 3]):
            measures[r, 2] += weight[local_b[i]]
            limit[local_b[i]] = 0
        for i in range(rects[r, 0], rects[r, 1]):
            limit[local_a[i]] = 0
            counted[local_a[i]] = False
    return measures
