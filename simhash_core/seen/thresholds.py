"""A result at another threshold, and what that does to its clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..clustering import clusters, links, membership
from ..errors import BadInput
from ..model import F64, I64, NO_DISTANCE, U16
from ..result import CheckResult, ThresholdView
from ..settings import Settings
from ..simhash.false_alarms import prior_share, unrelated_curve
from ..simhash.fingerprint import hamming


@dataclass(frozen=True, slots=True)
class SourceShare:
    """How much of one document is found in another."""

    row: int  # of the other document
    table_row: int
    share: float  # of the document's characters
    back: float  # share of the other's characters found in the document
    longest: int
    passages: int
    distance: int
    chance: float  # as in `PairTable`


def view_at_threshold(result: CheckResult, k: int) -> ThresholdView:
    """See the result at background threshold `k`; the batch signature moves to the same risk.

    Raises
    ------
    BadInput
        `beyond_reach`: the table is complete up to `result.complete_up_to` bits and no farther.
    """
    if not 0 <= k <= result.complete_up_to:
        raise BadInput("beyond_reach", k=k, reach=result.complete_up_to)
    batch_k = result.limits.batch_at(k)
    joined, by_passages = links(result.table, k, batch_k)
    groups = clusters(
        joined, len(result.documents), result.fingerprints.words, by_passages=by_passages
    )
    return ThresholdView(
        threshold=k,
        batch_threshold=batch_k,
        within=result.table.within(k, batch_k),
        listed=result.table.listed(k, batch_k),
        expected_false_pairs=result.limits.expected(k),
        clusters=tuple(groups),
        cluster_of=membership(groups, len(result.documents)),
    )


def expected_false(result: CheckResult, k: int) -> float:
    """Return how many unrelated pairs to expect in this batch within `k` bits."""
    return result.limits.expected(k)


def expected_before(documents: int, settings: Settings) -> float:
    """Return the expected false pairs of a batch that has not been read yet.

    The share comes from texts on one subject, the hardest case that was measured.
    """
    pairs = documents * (documents - 1) / 2
    if settings.threshold is None:
        return min(settings.expected_false, pairs)
    return float(prior_share(settings.bits)[min(settings.threshold, settings.bits)] * pairs)


def expected_curve(result: CheckResult) -> F64:
    """Return how many unrelated pairs to expect at each distance, float64 (bits + 1,)."""
    return unrelated_curve(result.distances)


def distance_matrix(result: CheckResult, rows: Sequence[int]) -> U16:
    """Return uint16 (r, r): distances between documents, 65535 where one has no fingerprint."""
    fingerprints = result.fingerprints
    words, valid = fingerprints.words[list(rows)], fingerprints.valid[list(rows)]
    distance = hamming(words[:, None, :], words[None, :, :]).astype(np.uint16)
    distance[~(valid[:, None] & valid[None, :])] = NO_DISTANCE
    return distance


def source_shares(result: CheckResult, row: int) -> list[SourceShare]:
    """Return what of one document is found where, largest share first."""
    table = result.table
    touching = (table.pairs.left == row) | (table.pairs.right == row)
    shares = []
    for index in np.flatnonzero(touching & (table.passages > 0)):
        first = table.pairs.left[index] == row
        mine, theirs = table.coverage_a[index], table.coverage_b[index]
        shares.append(
            SourceShare(
                row=int(table.pairs.right[index] if first else table.pairs.left[index]),
                table_row=int(index),
                share=float(mine if first else theirs),
                back=float(theirs if first else mine),
                longest=int(table.longest[index]),
                passages=int(table.passages[index]),
                distance=int(table.pairs.distance[index]),
                chance=float(table.chance[index]),
            )
        )
    return sorted(shares, key=lambda s: (-s.share, s.row))


# --------------------------------------------------------------------------- clusters


def entry_of(result: CheckResult) -> I64:
    """Return the smallest threshold that lets each row of the table in, int64 (m,)."""
    table, limit = result.table, result.complete_up_to
    entry = np.minimum(table.pairs.distance.astype(np.int64), limit + 1)
    if result.batch_distances is None:
        return np.where(table.comparable, entry, limit + 1)
    allowed = np.array([result.limits.batch_at(k) for k in range(limit + 1)])
    by_batch = np.searchsorted(np.maximum.accumulate(allowed), table.batch_distance, side="left")
    return np.where(table.comparable, np.minimum(entry, by_batch), limit + 1)
