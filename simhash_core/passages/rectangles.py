"""Rectangles of two texts against each other: one a place, neighbours joined.

The functions on arrays here are the readable form; `kernels` holds the same ones compiled. A
rectangle is a row a0, a1, b0, b1 of tokens.
"""

from __future__ import annotations

import numpy as np

from ..model import F64, I32, I64
from .reworded import shared_weights

JOIN_PRICE, JOIN_GAIN = 0.5, 1.05
OWN_OVERLAP = 0.3  # of a passage inside a stronger one: dropped


def overlap(first: I64, second: I64, side: int) -> int:
    """Return how many tokens two rectangles share on one side; negative for a gap."""
    low, high = 2 * side, 2 * side + 1
    shared: int = min(first[high], second[high]) - max(first[low], second[low])
    return shared


def lies_in(rect: I64, hull: I64) -> bool:
    """Whether most of a rectangle lies in another on both sides."""
    in_a, in_b = 2 * overlap(rect, hull, 0), 2 * overlap(rect, hull, 1)
    inside: bool = in_a > rect[1] - rect[0] and in_b > rect[3] - rect[2]
    return inside


def put(into: I64, rect: I64) -> None:
    """Write one rectangle over another."""
    for border in range(4):
        into[border] = rect[border]


def one_to_one(rects: I64) -> I64:
    """Accept best first; drop what overlaps an accepted one too much on either side (m, 4)."""
    accepted, count = np.empty((len(rects), 4), np.int64), 0
    for r in range(len(rects)):
        rect, free = rects[r], True
        long_a, long_b = OWN_OVERLAP * (rect[1] - rect[0]), OWN_OVERLAP * (rect[3] - rect[2])
        for other in range(count):
            free = free and overlap(rect, accepted[other], 0) <= long_a
            free = free and overlap(rect, accepted[other], 1) <= long_b
        if free:
            put(accepted[count], rect)
            count += 1
    return accepted[:count]


def widen_to(hull: I64, rect: I64) -> None:
    """Make a rectangle hold another one as well."""
    hull[0], hull[1] = min(hull[0], rect[0]), max(hull[1], rect[1])
    hull[2], hull[3] = min(hull[2], rect[2]), max(hull[3], rect[3])


def placed_in(rects: I64, count: int, rect: I64) -> None:
    """Insert a rectangle into `count` ones sorted by place in a, behind those of its place."""
    at = count
    while at > 0 and rects[at - 1, 0] > rect[0]:
        put(rects[at], rects[at - 1])
        at -= 1
    put(rects[at], rect)


def joined(local_a: I32, local_b: I32, weight: F64, rects: I64) -> I64:
    """Join pieces whose hull is worth more than they are: a text whose parts changed places.

    Tokens without a match cost more here than while growing, since common words alone make
    unrelated texts nearly as similar as `theta`. Sorted by place in a.
    """
    ordered = np.empty((len(rects), 4), np.int64)
    for r in range(len(rects)):
        placed_in(ordered, r, rects[r])
    count = len(rects)
    hull = np.empty(4, np.int64)
    while count > 1 and better_hull(local_a, local_b, weight, ordered[:count], hull):
        left = 0
        for r in range(count):
            if not lies_in(ordered[r], hull):
                put(ordered[left], ordered[r])
                left += 1
        placed_in(ordered, left, hull)
        count = left + 1
    return ordered[:count]


def better_hull(local_a: I32, local_b: I32, weight: F64, rects: I64, hull: I64) -> bool:
    """Write the hull of all rectangles, or of two neighbours, that is worth more than they."""
    n = len(rects)
    compared = np.empty((n + 1, 4), np.int64)
    for size in (n, 2):
        for i in range(n - size + 1):
            put(hull, rects[i])
            for r in range(i + 1, i + size):
                widen_to(hull, rects[r])
            put(compared[0], hull)
            count = 1
            for r in range(n):
                if lies_in(rects[r], hull):
                    put(compared[count], rects[r])
                    count += 1
            measures = shared_weights(local_a, local_b, weight, compared[:count])
            inside = 0.0
            for r in range(1, count):
                inside += worth(measures[r])
            if worth(measures[0]) > JOIN_GAIN * inside:
                return True
    return False


def worth(measures: F64) -> float:
    """Return the score of a rectangle at the price of joining, given C, Wa and Wb."""
    score: float = 2.0 * measures[0] - JOIN_PRICE * (measures[1] + measures[2])
    return score


def merged(rects: I64, gap: int) -> I64:
    """Join rectangles that are neighbours on both sides, in any order."""
    left, count = rects.copy(), len(rects)
    i = 0
    while i < count:
        j = i + 1
        while j < count and not are_neighbours(left[i], left[j], gap):
            j += 1
        if j == count:
            i += 1
            continue
        widen_to(left[i], left[j])
        for r in range(j, count - 1):
            put(left[r], left[r + 1])
        count -= 1
        i = 0
    return left[:count]


def are_neighbours(first: I64, second: I64, gap: int) -> bool:
    """Whether two rectangles lie, or overlap, at most `gap` tokens on both sides."""
    in_a, in_b = overlap(first, second, 0), overlap(first, second, 1)
    return -gap <= in_a <= gap and -gap <= in_b <= gap
