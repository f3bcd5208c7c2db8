"""Which pairs a table shows, in which order: array work over the result, no drawing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simhash_core import CheckResult, ThresholdView

from ..shared.ranking import matching

Rows = NDArray[np.int64]

PAIR_ORDERS = ("overlap", "longest", "distance")
FEW = 4  # texts: below, a histogram says less than the pairs themselves


def listed_pairs(
    result: CheckResult, view: ThresholdView, *, names: Sequence[str], query: str, order: str
) -> Rows:
    """Return rows of the pair table that match the query, in order.

    Rows with evidence; of fewer than `FEW` texts all rows, so that nothing remains unsaid.
    """
    table = result.table
    keep = view.listed | (len(result.documents) < FEW)
    if query.strip():
        hit = matching(names, query)
        keep &= hit[table.pairs.left] | hit[table.pairs.right]
    rows = np.flatnonzero(keep)
    overlap = -np.fmax(table.coverage_a[rows], table.coverage_b[rows])
    distance = table.pairs.distance[rows].astype(np.int64)
    longest = -table.longest[rows].astype(np.int64)
    keys = {
        "overlap": (distance, longest, overlap),
        "longest": (distance, overlap, longest),
        "distance": (longest, overlap, distance),
    }[order]
    ranked: Rows = rows[np.lexsort((rows, *keys))]
    return ranked


def matrix_rows(
    result: CheckResult, view: ThresholdView, most: int
) -> tuple[list[int], list[tuple[int, int]], bool]:
    """Return the rows of the matrix in cluster order, the blocks, and whether rows are left out.

    All texts up to `most`; above it only the first of those in clusters, largest first.
    """
    rows: list[int] = []
    blocks: list[tuple[int, int]] = []
    for cluster in view.clusters:
        members = cluster.members[: most - len(rows)]
        if len(members) < 2:
            break
        blocks.append((len(rows), len(rows) + len(members)))
        rows.extend(members)
    n = len(result.documents)
    if n > most:
        return rows, blocks, True
    inside = set(rows)
    return rows + [row for row in range(n) if row not in inside], blocks, False
