"""How strong the findings between unrelated texts are, from a random sample of pairs.

The functions take arrays; which pairs are drawn, and that they are aligned by options that let
weaker findings through, is decided in `checking/chance.py`.
"""

from __future__ import annotations

import numpy as np

from ..limits import Tail
from ..model import F32, I64, PASSAGE_KINDS, Passages
from ..policy import CHANCE_DECADE, CHANCE_SHARE, SAMPLED_LEAST

SUMMARY = PASSAGE_KINDS.index("summary")
_SEED = 20_261_121


def drawn_pairs(n: int, *, queries: int, most: int) -> I64:
    """Return pairs (m, 2), left < right and left < `queries`, in random order.

    All pairs where there are no more than `most`; the same for the same numbers.
    """
    later = n - 1 - np.arange(queries, dtype=np.int64)
    before = np.concatenate([[0], np.cumsum(later)])
    rng = np.random.default_rng(_SEED)
    number = rng.choice(int(before[-1]), size=min(most, int(before[-1])), replace=False)
    left = np.searchsorted(before, number, side="right") - 1
    return np.stack([left, number - before[left] + left + 1], axis=1)


def strengths(passages: Passages, pairs: int) -> tuple[F32, F32]:
    """Return for each pair the greatest strength of its counted passages, float32 (pairs,), twice.

    First of all but summaries, then of summaries, whose strength has another scale; 0 where there
    are none.
    """
    of_pair = np.zeros((2, pairs), np.float32)
    summary = (passages.kind == SUMMARY).astype(np.int64)
    counted = ~passages.weak
    np.maximum.at(of_pair, (summary[counted], passages.pair[counted]), passages.score[counted])
    return of_pair[0], of_pair[1]


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
        anchor=reached_by(strength, CHANCE_SHARE),
        share=CHANCE_SHARE,
        per_decade=per_decade,
        summaries=float((summary > 0).mean()),
    )


def reached_by(strength: F32, share: float) -> float:
    """Return the strength that a share of the values reach, 0 where fewer are above 0."""
    rank = max(int(np.ceil(share * len(strength) - 1e-9)), 1)
    return float(np.partition(strength, len(strength) - rank)[len(strength) - rank])
