"""A threshold and what it lets in: chosen from the batch, and moved by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..model import Bools, Distances, Pairs, PairTable
from ..policy import PASSAGE_LINK
from ..settings import Settings
from ..simhash.false_alarms import FalseAlarms, false_alarms


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """The false-alarm curves of both signatures and the thresholds chosen on them."""

    background: FalseAlarms
    batch: FalseAlarms | None
    threshold: int
    batch_threshold: int  # -1 without a batch signature

    def expected(self, k: int) -> float:
        """Return the expected false pairs at background threshold k, both signatures together."""
        return self.background.expected(k) + (
            self.batch.expected(self.batch_at(k)) if self.batch else 0.0
        )

    def batch_at(self, k: int) -> int:
        """Return the batch threshold with the same risk as background threshold k."""
        if self.batch is None:
            return -1
        limit = len(self.batch.share) - 1
        return self.batch.widest(max(self.background.expected(k), 1e-12), limit=limit)


def limits(
    table: PairTable, distances: Distances, batch_distances: Distances | None, settings: Settings
) -> Limits:
    """Choose the thresholds of a batch.

    Notes
    -----
    Pairs that the text check confirms are taken out before the curves are estimated. A threshold
    of the settings stands; otherwise it is the largest with at most `expected_false` false pairs,
    shared equally between the two signatures, and never beyond the wide net.
    """
    confirmed = table.containment >= settings.containment
    background = false_alarms(_without(distances, table.pairs.distance[confirmed]))
    batch = None
    if batch_distances is not None:
        batch = false_alarms(_without(batch_distances, table.batch_distance[confirmed]))
    share = settings.expected_false / (2 if batch else 1)
    threshold = settings.threshold
    if threshold is None:
        threshold = max(background.widest(share, limit=settings.wide_net), 0)
    threshold = min(threshold, settings.bits)
    chosen = Limits(background, batch, threshold, -1)
    return Limits(background, batch, threshold, chosen.batch_at(threshold))


def within(table: PairTable, threshold: int, batch_threshold: int) -> Bools:
    """Rows found by fingerprint: by either signature."""
    by_batch = table.batch_distance.astype(np.int64) <= batch_threshold
    return (table.pairs.distance <= threshold) | by_batch


def listed(table: PairTable, threshold: int, batch_threshold: int) -> Bools:
    """Rows with any evidence: within the threshold, or sharing a passage."""
    return within(table, threshold, batch_threshold) | (table.passages > 0)


def links(table: PairTable, threshold: int, batch_threshold: int) -> tuple[Pairs, Bools]:
    """Pairs that join documents into clusters, and which of them rest on passages alone."""
    near = within(table, threshold, batch_threshold)
    share = np.fmax(table.coverage_a, table.coverage_b)
    joined = near | (share >= PASSAGE_LINK)
    pairs = Pairs(table.pairs.left[joined], table.pairs.right[joined], table.pairs.distance[joined])
    return pairs, ~near[joined]


def _without(distances: Distances, confirmed: np.ndarray) -> Distances:
    """Take pairs whose shared text was seen out of the counts."""
    known = confirmed[confirmed <= distances.bits]
    counts = distances.counts - np.bincount(known, minlength=distances.bits + 1)
    return Distances(np.maximum(counts, 0), distances.bits, distances.sampled)
