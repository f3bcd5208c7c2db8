"""Content and metadata as one score: of two texts, and of every listed pair of a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from ..metadata.score import TERMS, Score, metadata_similarity
from ..model import NO_DISTANCE
from ..result import CheckResult


@dataclass(frozen=True, slots=True)
class PairScore:
    """What one pair scores; `metadata` is nan where neither side has any."""

    score: float
    content: float
    metadata: float
    above: bool  # the threshold of the rule


@dataclass(frozen=True, slots=True)
class Combined:
    """The scores of the listed pairs of a check, by row of its pair table.

    A pair without a distance (a text too short for a fingerprint) has none.
    """

    rule: Score
    pairs: Mapping[int, PairScore]


def pair_score(distance: int, a: Set[str], b: Set[str], *, rule: Score) -> PairScore:
    """Score two texts by their distance and their metadata items."""
    score = rule.of(distance, a, b)
    return PairScore(
        score=score,
        content=TERMS[rule.term](distance, rule.bits),
        metadata=metadata_similarity(a, b, how=rule.similarity),
        above=rule.alike(score),
    )


def combined(result: CheckResult, items: Sequence[Set[str]], *, rule: Score) -> Combined:
    """Score the pairs that a check lists.

    Parameters
    ----------
    result : CheckResult
    items : sequence of sets    metadata items of each document, row by row
    rule : Score                its `bits` are those of the check
    """
    table = result.table
    shown = table.listed(result.threshold, result.batch_threshold)
    rows = np.flatnonzero(shown & (table.pairs.distance != NO_DISTANCE)).tolist()
    return Combined(
        rule,
        {
            row: pair_score(
                int(table.pairs.distance[row]),
                items[int(table.pairs.left[row])],
                items[int(table.pairs.right[row])],
                rule=rule,
            )
            for row in rows
        },
    )
