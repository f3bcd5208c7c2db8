"""How many unrelated pairs each threshold lets in, and the thresholds that were chosen on that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class FalseAlarms:
    """F(k) = P(distance <= k) for an unrelated pair, and the number of pairs it applies to.

    Attributes
    ----------
    share : float64 (bits + 1,)   F(k), non-decreasing
    pairs : int                   pairs of the batch
    rule : str                    tail_1e4 | tail_1e3 | spread | prior: how F was obtained
    """

    share: F64
    pairs: int
    rule: str

    def expected(self, k: int) -> float:
        """Return the expected number of unrelated pairs within `k` bits."""
        return float(self.share[min(k, len(self.share) - 1)] * self.pairs) if k >= 0 else 0.0

    def widest(self, expected: float, *, limit: int) -> int:
        """Return the largest k <= `limit` with at most `expected` false pairs; -1 if none."""
        allowed = np.flatnonzero(self.share * self.pairs <= expected)
        return min(int(allowed[-1]), limit) if len(allowed) else -1


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """The false-alarm curves of both signatures of a batch and the threshold chosen on them.

    Estimated once, from all distances of the batch, and carried in the result.
    """

    background: FalseAlarms
    batch: FalseAlarms | None  # None without a batch signature
    threshold: int  # background distance, bits

    @property
    def batch_threshold(self) -> int:
        """The threshold of the batch signature, -1 without one."""
        return self.batch_at(self.threshold)

    def expected(self, k: int) -> float:
        """Return the expected false pairs at background threshold k, both signatures together."""
        beside = self.batch.expected(self.batch_at(k)) if self.batch else 0.0
        return self.background.expected(k) + beside

    def batch_at(self, k: int) -> int:
        """Return the batch threshold with the same risk as background threshold k."""
        if self.batch is None:
            return -1
        limit = len(self.batch.share) - 1
        return self.batch.widest(max(self.background.expected(k), 1e-12), limit=limit)
