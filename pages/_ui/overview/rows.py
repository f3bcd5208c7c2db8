"""Which pairs and texts a table shows, in which order: array work over the result, no drawing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simhash_core import CheckResult, ThresholdView

Rows = NDArray[np.int64]

PAIR_ORDERS = ("overlap", "longest", "distance")
FEW = 4  # texts: below, a histogram says less than the pairs themselves
TEXT_ORDERS = ("overlap", "longest", "name")


def listed_pairs(
    result: CheckResult, view: ThresholdView, *, names: list[str], query: str, order: str
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


def matching(names: list[str], query: str) -> NDArray[np.bool_]:
    """Return which names contain the query, whatever their case."""
    needle = query.strip().casefold()
    return np.array([needle in name.casefold() for name in names], dtype=bool)


@dataclass(frozen=True, slots=True, eq=False)
class TextRows:
    """One row a text: its total overlap, its best partner (-1: none) and what they share."""

    row: Rows
    total: NDArray[np.float32]
    partner: Rows
    share: NDArray[np.float32]
    longest: NDArray[np.int32]


def text_rows(
    result: CheckResult, view: ThresholdView, *, names: list[str], query: str, order: str
) -> TextRows:
    """Return the texts in order, each with the partner that shares most of it."""
    n, table = len(result.documents), result.table
    listed = np.flatnonzero(view.listed)
    left, right = table.pairs.left[listed], table.pairs.right[listed]
    mine = np.concatenate([left, right])
    other = np.concatenate([right, left])
    share = np.concatenate([table.coverage_a[listed], table.coverage_b[listed]])
    closeness = -np.tile(table.pairs.distance[listed].astype(np.int64), 2)
    long = np.tile(table.longest[listed], 2)
    partner = np.full(n, -1, np.int64)
    best = np.zeros(n, np.float32)
    ranked = np.lexsort((closeness, share))  # the last write of a text is its best partner
    partner[mine[ranked]], best[mine[ranked]] = other[ranked], share[ranked]
    longest = np.zeros(n, np.int32)
    np.maximum.at(longest, mine, long)
    keep = np.flatnonzero(matching(names, query)) if query.strip() else np.arange(n)
    by_name = np.argsort(np.argsort(np.array(names, dtype=object)[keep], kind="stable"))
    total = result.total_overlap[keep]
    keys = {
        "overlap": (by_name, -longest[keep], -total),
        "longest": (by_name, -total, -longest[keep]),
        "name": (by_name,),
    }[order]
    keep = keep[np.lexsort(keys)]
    return TextRows(keep, result.total_overlap[keep], partner[keep], best[keep], longest[keep])


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
