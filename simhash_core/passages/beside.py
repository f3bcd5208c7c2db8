"""Passages that words show beside those that characters show: which of the two stand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..model import I64
from .rectangles import OWN_OVERLAP, lies_in, overlap

COVERED = 0.8  # of a passage, by others inside it that replace it


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


def covered_share(rect: I64, others: Sequence[I64]) -> float:
    """Return which share of a rectangle others inside it cover, of the side with more."""
    shares = [0.0]
    for side in (0, 1):
        length = rect[2 * side + 1] - rect[2 * side]
        shares.append(float(sum(overlap(other, rect, side) for other in others) / length))
    return max(shares)


def around(rect: I64, inside: Sequence[I64]) -> I64:
    """Return what of a rectangle lies before and behind all those inside it, int64 (r, 4)."""
    a0, a1, b0, b1 = rect.tolist()
    low, high = np.min(inside, axis=0), np.max(inside, axis=0)
    parts = np.array([(a0, low[0], b0, low[2]), (high[1], a1, high[3], b1)], np.int64)
    return parts[(parts[:, 1] > parts[:, 0]) & (parts[:, 3] > parts[:, 2])]
