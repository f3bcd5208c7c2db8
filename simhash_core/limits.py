"""How many unrelated pairs a distance or a strength lets in, and the thresholds chosen on that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .model import F32, F64
from .policy import CHANCE_DECADE, CHANCE_SHARE, SAMPLED_LEAST


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


@dataclass(frozen=True, slots=True)
class Tail:
    """How strong the strongest findings between unrelated texts of one language are.

    Attributes
    ----------
    pairs : int           pairs of the batch that it applies to
    sampled : int         unrelated pairs that were aligned to estimate it
    anchor : float        strength that `share` of them reach; 0 where fewer have a finding
    share : float
    per_decade : float    strength by which findings become ten times rarer beyond the anchor
    summaries : float     share of them with a summary, whose strength has another scale
    """

    pairs: int
    sampled: int
    anchor: float
    share: float
    per_decade: float
    summaries: float

    @property
    def estimated(self) -> bool:
        """Whether enough unrelated pairs have findings to estimate from."""
        return self.anchor > 0

    def expected(self, strength: F64, *, summary: bool = False) -> F64:
        """Return how many unrelated pairs of the batch have a finding as strong, nan where unknown.

        Parameters
        ----------
        strength
            float64 (m,), 0 where a pair has no such finding.
        summary
            Whether the findings are summaries: then the number of all of them.

        Notes
        -----
        pairs * share * 10 ^ ((anchor - strength) / per_decade), at most all pairs.
        """
        rate = np.full(len(strength), self.summaries if self.summaries > 0 else np.nan)
        if not summary:
            rate = np.full(len(strength), np.nan)
            if self.estimated:
                rate = self.share * 10.0 ** ((self.anchor - strength) / self.per_decade)
        rate[strength <= 0] = np.nan
        return np.asarray(self.pairs * np.minimum(rate, 1.0))


def tail_of(
    strength: F32, summary: F32, *, pairs: int, per_decade: float = CHANCE_DECADE
) -> Tail | None:
    """Describe the strongest findings of a sample of unrelated pairs.

    Parameters
    ----------
    strength, summary
        float32 (s,): the strongest finding of each pair of the sample, of both kinds.
    pairs
        Pairs that the sample stands for.
    per_decade
        What the strength rises by where findings become ten times rarer.

    Returns
    -------
    Tail, or None where the sample is too small to say anything

    Notes
    -----
    The anchor is the strength that 1 % of the sample reach. Beyond it findings become rarer at the
    same pace in every collection that was measured; a pace fitted to so few pairs is no better.
    """
    if len(strength) < SAMPLED_LEAST:
        return None
    return Tail(
        pairs=pairs,
        sampled=len(strength),
        anchor=find_reached(strength, CHANCE_SHARE),
        share=CHANCE_SHARE,
        per_decade=per_decade,
        summaries=float((summary > 0).mean()),
    )


def chance_of(strength: F32, tail: Tail | None) -> F64:
    """Return how many unrelated pairs are expected to be as strong, (f,); nan without a tail."""
    if tail is None:
        return np.full(len(strength), np.nan)
    return tail.expected(strength.astype(np.float64))


def find_reached(strength: F32, share: float) -> float:
    """Return the strength that a share of the values reach, 0 where fewer are above 0."""
    rank = max(int(np.ceil(share * len(strength) - 1e-9)), 1)
    return float(np.partition(strength, len(strength) - rank)[len(strength) - rank])


@dataclass(frozen=True, slots=True)
class Significance:
    """How many findings chance alone would give in a batch, by the language of the alignment."""

    tails: Mapping[str, Tail]  # none for a language with too few pairs to estimate from

    @property
    def sampled(self) -> int:
        """Unrelated pairs that were aligned."""
        return sum(one.sampled for one in self.tails.values())

    @property
    def state(self) -> str:
        """Say what is known: `few` pairs, `none` has findings, `estimated`."""
        if not self.tails:
            return "few"
        return "estimated" if any(one.estimated for one in self.tails.values()) else "none"
