"""One score of content and metadata: of two texts, and of every listed pair of a check.

sim(A, B) = mu c(A, B) + (1 - mu) m(A, B), with c a term of the Hamming distance and m the Jaccard
similarity of the metadata, exact or by MinHash. The source calls texts similar when the score is
*below* 0.25, but identical texts score 1: the rule is read the right way round, above 0.25.

References
----------
王诚, 王宇成, 计算机技术与发展 2019(2), formula (1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from ..model import NO_DISTANCE
from ..result import CheckResult
from . import minhash

MU_CONTENT = 0.9  # the source's experiment; it allows 0.8 to 0.9
THRESHOLD = 0.25
SIMILARITIES = ("jaccard", "minhash", "literal")


def _s2(distance: int, bits: int) -> float:
    """One added so that distance 0 is not infinite; one bit halves it, whatever the width."""
    return 1.0 / (1.0 + distance)


def _cos(distance: int, bits: int) -> float:
    return max(0.0, math.cos(math.pi * distance / bits))


def _bits(distance: int, bits: int) -> float:
    return 1.0 - distance / bits


TERMS: Mapping[str, Callable[[int, int], float]] = {"s2": _s2, "cos": _cos, "bits": _bits}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How content and metadata are joined.

    `mu_content` mixes; the source uses the same letter for the tolerance of a bucket
    (`RehashRule.mu_bucket`). Metadata items are few, so the exact Jaccard similarity is both
    better and cheaper than MinHash: it is the default.
    """

    mu_content: float = MU_CONTENT
    term: str = "s2"
    similarity: str = "jaccard"
    threshold: float = THRESHOLD
    bits: int = 64

    def of(self, distance: int, a: Set[str], b: Set[str]) -> float:
        """Return the score of one pair.

        Where neither text has metadata there is nothing to compare: the term is dropped (mu = 1),
        not scored 0 or 1.
        """
        content = TERMS[self.term](distance, self.bits)
        if not a and not b:
            return content
        shared = metadata_similarity(a, b, how=self.similarity)
        return self.mu_content * content + (1.0 - self.mu_content) * shared

    def alike(self, score: float) -> bool:
        """Whether a score is above the threshold by more than rounding."""
        return score > self.threshold and not math.isclose(score, self.threshold)


def metadata_similarity(a: Set[str], b: Set[str], *, how: str = "jaccard") -> float:
    """Return the similarity of two sets of items; nan where both are empty.

    Raises
    ------
    ValueError
        Unknown kind.
    """
    if how not in SIMILARITIES:
        raise ValueError(f"no similarity {how!r}")
    if how == "jaccard" or not a or not b:
        return len(a & b) / len(a | b) if a or b else float("nan")
    if how == "literal":
        rows = {item: row for row, item in enumerate(sorted(a | b))}
        first, second = (
            minhash.literal_signature(sorted(rows[item] for item in side)) for side in (a, b)
        )
        return minhash.estimate(first, second)
    hashed = [np.array(sorted(map(minhash.item_hash, side)), np.uint64) for side in (a, b)]
    of_a, of_b = minhash.signatures(hashed, functions=minhash.LITERAL_FUNCTIONS)
    return minhash.estimate(of_a, of_b)


# --------------------------------------------------------------------------- the pairs of a check


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
