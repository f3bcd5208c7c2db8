"""Which rows the matrix shows, in which order: array work over the result, no drawing."""

from __future__ import annotations

from simhash_core import CheckResult, ThresholdView

FEW = 4  # texts: below, a histogram says less than the pairs themselves


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
