"""The threshold of a batch, and the pairs that it joins into clusters."""

from __future__ import annotations

import numpy as np

from ..limits import Limits
from ..model import Bools, Distances, Pairs
from ..policy import PASSAGE_LINK
from ..result import PairTable
from ..settings import Settings
from ..simhash.false_alarms import false_alarms


def limits(
    table: PairTable, distances: Distances, batch_distances: Distances | None, settings: Settings
) -> Limits:
    """Estimate the false-alarm curves of a batch and choose its threshold.

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
    return Limits(background, batch, min(threshold, settings.bits))


def links(table: PairTable, threshold: int, batch_threshold: int) -> tuple[Pairs, Bools]:
    """Pairs that join documents into clusters, and which of them rest on passages alone."""
    near = table.within(threshold, batch_threshold)
    share = np.fmax(table.coverage_a, table.coverage_b)
    joined = near | (share >= PASSAGE_LINK)
    pairs = Pairs(table.pairs.left[joined], table.pairs.right[joined], table.pairs.distance[joined])
    return pairs, ~near[joined]


def _without(distances: Distances, confirmed: np.ndarray) -> Distances:
    """Take the distances of confirmed pairs out of the counts."""
    in_range = confirmed[confirmed <= distances.bits]
    counts = distances.counts - np.bincount(in_range, minlength=distances.bits + 1)
    return Distances(np.maximum(counts, 0), distances.bits, distances.sampled)
