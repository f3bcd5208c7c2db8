"""Which words of a version another has too, wherever they stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..model import I64, Bools
from .reading import Reading


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """What two versions have in common: words in runs that the other has anywhere."""

    shared_a: Bools  # (wa,)
    shared_b: Bools  # (wb,)

    @property
    def only_a(self) -> int:
        """Words of a that b does not have."""
        return int(len(self.shared_a) - self.shared_a.sum())

    @property
    def only_b(self) -> int:
        """Words of b that a does not have."""
        return int(len(self.shared_b) - self.shared_b.sum())

    def turned(self) -> Overlap:
        """Return the overlap as seen from the other version."""
        return Overlap(self.shared_b, self.shared_a)


def overlap_of(a: Reading, b: Reading) -> Overlap:
    """Mark the words of two versions that stand in runs of `k` words that both have.

    Notes
    -----
    Sentences may change places: only what is new or missing counts as a difference. O(w log w).
    """
    return Overlap(_marked(a, b), _marked(b, a))


def _marked(one: Reading, other: Reading) -> Bools:
    if len(one.run) == 0 or len(other.run) == 0:
        return np.isin(one.word, other.word) if len(one) < one.k else np.zeros(len(one), np.bool_)
    marked = np.zeros(len(one), np.bool_)
    first = np.flatnonzero(np.isin(one.run, other.run))
    for shift in range(one.k):
        marked[first + shift] = True
    return marked


def per_sentence(reading: Reading, marked: Bools) -> I64:
    """Return how many marked words each sentence has, int64 (s,)."""
    totals = np.concatenate([[0], np.cumsum(marked)])
    return np.asarray(totals[reading.sentence[1:]] - totals[reading.sentence[:-1]], np.int64)
