"""Rectangles of two texts against each other: one a place, neighbours joined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..model import F64, I64
from .pair import Pair, loops

JOIN_PRICE, JOIN_GAIN = 0.5, 1.05
COVERED = 0.8  # of a passage, by others inside it that replace it
OWN_OVERLAP = 0.3  # of a passage inside a stronger one: dropped


def overlap(first: I64, second: I64, side: int) -> int:
    """Return how many tokens two rectangles share on one side; negative for a gap."""
    low, high = 2 * side, 2 * side + 1
    return int(min(first[high], second[high]) - max(first[low], second[low]))


def one_to_one(rects: Iterable[I64]) -> list[I64]:
    """Accept best first; drop what overlaps an accepted one too much on either side."""
    accepted: list[I64] = []
    for rect in rects:
        long_a, long_b = OWN_OVERLAP * (rect[1] - rect[0]), OWN_OVERLAP * (rect[3] - rect[2])
        if all(overlap(rect, o, 0) <= long_a and overlap(rect, o, 1) <= long_b for o in accepted):
            accepted.append(rect)
    return accepted


def giving_way(rect: I64, others: list[I64]) -> list[int] | None:
    """Return which of the others lie in a longer rectangle and go; None where it goes itself.

    It goes where they cover most of it already, or where one overlaps it without lying in it.
    """
    inside = [row for row, other in enumerate(others) if lies_in(other, rect)]
    for side in (0, 1):
        length = rect[2 * side + 1] - rect[2 * side]
        if sum(overlap(others[row], rect, side) for row in inside) > COVERED * length:
            return None
        for row, other in enumerate(others):
            if row not in inside and overlap(other, rect, side) > OWN_OVERLAP * length:
                return None
    return inside


def covered_share(rect: I64, others: list[I64]) -> float:
    """Return which share of a rectangle others inside it cover, of the side with more."""
    shares = [0.0]
    for side in (0, 1):
        length = rect[2 * side + 1] - rect[2 * side]
        shares.append(float(sum(overlap(other, rect, side) for other in others) / length))
    return max(shares)


def beside(rect: I64, inside: list[I64]) -> I64:
    """Return what of a rectangle lies before and behind all those inside it, int64 (r, 4)."""
    a0, a1, b0, b1 = rect.tolist()
    low, high = np.min(inside, axis=0), np.max(inside, axis=0)
    parts = np.array([(a0, low[0], b0, low[2]), (high[1], a1, high[3], b1)], np.int64)
    return parts[(parts[:, 1] > parts[:, 0]) & (parts[:, 3] > parts[:, 2])]


def joined(pair: Pair, rects: list[I64]) -> list[I64]:
    """Join pieces whose hull is worth more than they are: a text whose parts changed places.

    Tokens without a match cost more here than while growing, since common words alone make
    unrelated texts nearly as similar as `theta`.
    """
    rects = sorted(rects, key=_place)
    while len(rects) > 1:
        hull = _better_hull(pair, rects)
        if hull is None:
            break
        rects = sorted([*(r for r in rects if not lies_in(r, hull)), hull], key=_place)
    return rects


def _better_hull(pair: Pair, rects: list[I64]) -> I64 | None:
    """Return the hull of all rectangles, or of two neighbours, that is worth more than they."""
    for size in sorted({len(rects), 2}, reverse=True):
        for i in range(len(rects) - size + 1):
            hull = hull_of_all(rects[i : i + size])
            inside = [rect for rect in rects if lies_in(rect, hull)]
            worth = _worth(pair, np.stack([hull, *inside]))
            if worth[0] > JOIN_GAIN * worth[1:].sum():
                return hull
    return None


def _place(rect: I64) -> int:
    return int(rect[0])


def lies_in(rect: I64, hull: I64) -> bool:
    """Whether most of a rectangle lies in another on both sides."""
    return all(
        2 * overlap(rect, hull, side) > rect[2 * side + 1] - rect[2 * side] for side in (0, 1)
    )


def _worth(pair: Pair, rects: I64) -> F64:
    shared, in_a, in_b, _ = loops.shared_weights(pair.local_a, pair.local_b, pair.weight, rects).T
    return np.asarray(2 * shared - JOIN_PRICE * (in_a + in_b))


def merged(pair: Pair, rects: list[I64]) -> list[I64]:
    """Join rectangles that are neighbours on both sides, in any order."""
    gap = pair.options.merge_gap
    rects = list(rects)
    changed = True
    while changed:
        changed = False
        for i in range(len(rects)):
            for j in range(i + 1, len(rects)):
                if all(-gap <= overlap(rects[i], rects[j], side) <= gap for side in (0, 1)):
                    rects[i] = hull_of_all([rects[i], rects.pop(j)])
                    changed = True
                    break
            if changed:
                break
    return rects


def hull_of_all(rects: Sequence[I64]) -> I64:
    """Return the smallest rectangle that holds some others."""
    together = np.stack(rects)
    return np.array(
        [
            together[:, 0].min(),
            together[:, 1].max(),
            together[:, 2].min(),
            together[:, 3].max(),
        ],
        np.int64,
    )
