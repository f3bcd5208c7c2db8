"""Rectangles of tokens: a span of one text times a span of another, int64 a0, a1, b0, b1."""

from __future__ import annotations

import numpy as np

from ..model import I64

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
            accepted[count] = rect
            count += 1
    return accepted[:count]


def widen_to(hull: I64, rect: I64) -> None:
    """Make a rectangle hold another one as well."""
    hull[0], hull[1] = min(hull[0], rect[0]), max(hull[1], rect[1])
    hull[2], hull[3] = min(hull[2], rect[2]), max(hull[3], rect[3])
