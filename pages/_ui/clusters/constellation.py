"""One cluster as a picture: in which order its members come, where they stand, what joins them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from simhash_core.clustering import communities
from simhash_core.model import NO_DISTANCE
from simhash_core.result import PairTable

DRAWN = 31  # the centre and its 30 nearest; with more the labels overlap
GRAPH_UP_TO = 50  # members; above, the matrix is shown first
STEP = 27.0  # between two neighbours of one community, in units of the picture
MARGIN = 26.0
FILLED = 390.0  # a picture grows to this size, but no further apart than
WIDEST = 1.7

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A direct pair of members. `by_passages`: the fingerprints alone would not join them."""

    left: int  # rows of the check
    right: int
    distance: int  # bits, NO_DISTANCE where one text has no fingerprint
    by_passages: bool


def lines(
    table: PairTable,
    within: NDArray[np.bool_],
    listed: NDArray[np.bool_],
    members: Sequence[int],
) -> list[Line]:
    """Return the direct pairs among some rows, in the order of the pair table."""
    rows = np.flatnonzero(listed)  # the table holds many times as many pairs
    inside = np.isin(table.pairs.left[rows], members) & np.isin(table.pairs.right[rows], members)
    chosen = rows[inside]
    columns = (
        table.pairs.left[chosen].tolist(),
        table.pairs.right[chosen].tolist(),
        table.pairs.distance[chosen].tolist(),
        (~within[chosen]).tolist(),
    )
    return [Line(*row) for row in zip(*columns, strict=True)]


def parts(distances: NDArray[np.uint16], centre: int) -> list[list[int]]:
    """Return the members, by index, in communities: each nearest to the centre first.

    The communities themselves stand in the order of their nearest member; the centre, which
    belongs to none, is left out.
    """
    far = int(distances[distances != NO_DISTANCE].max(initial=1)) + 1
    close = np.where(distances == NO_DISTANCE, far, distances).astype(np.int64)
    rest = [i for i in range(len(distances)) if i != centre]
    labels = communities(close[np.ix_(rest, rest)])
    grouped: dict[int, list[int]] = {}
    for at in sorted(range(len(rest)), key=lambda at: (int(close[centre, rest[at]]), rest[at])):
        grouped.setdefault(int(labels[at]), []).append(rest[at])
    return list(grouped.values())


def places(groups: Sequence[Sequence[int]]) -> tuple[list[Place], float, float]:
    """Place the centre in the middle and each community on a separate circle around it.

    Returns
    -------
    places : one (x, y) a member, the centre first, then the groups one after another
    width, height : of the picture
    """
    if len(groups) <= 1:
        around = _ring(len(groups[0]) if groups else 0)
    else:
        around = _circles([len(group) for group in groups])
    spots = [(0.0, 0.0), *around]
    wide = max(np.ptp([x for x, _ in spots]), np.ptp([y for _, y in spots]))
    wider = min(max(1.0, FILLED / wide), WIDEST) if wide else 1.0
    xs, ys = [wider * x for x, _ in spots], [wider * y for _, y in spots]
    low, high = min(xs) - MARGIN, min(ys) - MARGIN
    moved = [(round(x - low, 1), round(y - high, 1)) for x, y in zip(xs, ys, strict=True)]
    return moved, max(xs) + MARGIN - low, max(ys) + MARGIN - high


def _ring(size: int) -> list[Place]:
    """One community: an even ring, or two staggered ones.

    An odd number of places lets no line between two members run through the centre.
    """
    slots = max(size if size % 2 else size + 1, 3)
    reach = max(120.0, slots * STEP / (2 * math.pi))
    start = math.pi / 6 if size == 2 else -math.pi / 2  # two stand below the centre
    angles = [start + 2 * math.pi * turn / slots for turn in range(size)]
    reaches = [reach * (0.68 if size > 12 and turn % 2 else 1.0) for turn in range(size)]
    return [
        (r * math.cos(angle), r * math.sin(angle)) for angle, r in zip(angles, reaches, strict=True)
    ]


def _circles(sizes: Sequence[int]) -> list[Place]:
    """Several communities: each takes an arc as wide as its circle."""
    radii = [0.0 if size == 1 else max(24.0, size * STEP * 1.25 / (2 * math.pi)) for size in sizes]
    widths = [2 * radius + 2.2 * STEP for radius in radii]
    turns = np.cumsum([0.0, *widths]) / sum(widths) * 2 * math.pi
    middles = [-math.pi * 0.8 + (low + high) / 2 for low, high in pairwise(turns.tolist())]
    reach = max(
        sum(widths) / (2 * math.pi) * 1.12,
        max(radii) + 2 * STEP,
    )
    spots = []
    for size, radius, angle in zip(sizes, radii, middles, strict=True):
        x, y = reach * math.cos(angle), reach * math.sin(angle)
        for turn in range(size):
            # the member nearest to the centre stands nearest to it in the picture too
            at = angle + math.pi + 2 * math.pi * (turn + 0.5) / size
            spots.append((x + radius * math.cos(at), y + radius * math.sin(at)))
    return spots
