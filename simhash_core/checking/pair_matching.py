"""Two texts: what they share, by the statistics of their batch where there is one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..errors import Unreadable
from ..model import (
    Document,
    DocumentFrequencies,
    Passages,
    Stretches,
)
from ..passages import coverage
from ..passages.align import align_whole
from ..passages.side import side_of
from ..passages.tokenized import TokenizedText, tokenize
from ..passages.winnow import Rule, containment, winnow
from ..policy import MIN_RUN
from ..result import CheckResult
from ..settings import Settings
from ..text.normalize import normalize
from ..workers import shared_pool
from .aligning import ALIGN_SECONDS, INLINE_TOKENS, align_task
from .meanings import concepts_for, prepare_dictionary
from .templates import counted
from .tokenizing import word_segmenter


@dataclass(frozen=True, slots=True, eq=False)
class PairEvidence:
    """What two texts share: passages, and the containment of their winnowed hashes."""

    containment: float
    passages: Passages
    coverage_a: float
    coverage_b: float
    identical: float
    longest: int
    chance: float
    stretches: Stretches


def match_pair(
    a: Document, b: Document, *, settings: Settings, result: CheckResult | None
) -> PairEvidence:
    """Find what two texts share.

    With a `result` the passages of its table are returned. A pair outside the table is aligned
    by the same statistics, so that common phrases of the batch weigh as little here; what it
    shares is weak evidence, since the batch did not count it.
    """
    texts = [counted(document).text for document in (a, b)]
    prepare_dictionary(texts, settings)
    tokenized = [
        tokenize(
            normalize(text, fold_variants=settings.fold_variants),
            text,
            segment=word_segmenter(settings),
            concepts=concepts_for(settings),
        )
        for text in texts
    ]
    rule = Rule.of(settings.min_run)
    contained = containment(*(winnow(text, rule=rule) for text in tokenized))
    ends = np.array([[0, 1]])
    listed = _listed(a, b, result) if result else None
    if listed is not None:
        passages, shares, longest, chance = listed
        _, stretches = coverage.of_pairs(tokenized, ends, passages, min_run=settings.min_run)
        return PairEvidence(contained, passages, *shares, longest, chance, stretches)
    df = result.frequencies if result else None
    passages = _align_pair(a, b, tokenized, df, settings)
    if result is not None:
        passages = replace(passages, weak=np.ones(len(passages), np.bool_))
    numbers, stretches = coverage.of_pairs(tokenized, ends, passages, min_run=settings.min_run)
    return PairEvidence(
        contained,
        passages,
        float(numbers.coverage_a[0]),
        float(numbers.coverage_b[0]),
        float(numbers.identical[0]),
        int(numbers.longest[0]),
        math.nan,
        stretches,
    )


def shared_winnowed(a: str, b: str, *, min_run: int = MIN_RUN) -> float:
    """Return the containment of winnowed hashes of two raw texts."""
    rule = Rule.of(min_run)
    return containment(*(winnow(tokenize(normalize(text), text), rule=rule) for text in (a, b)))


def _align_pair(
    a: Document,
    b: Document,
    tokenized: list[TokenizedText],
    df: DocumentFrequencies | None,
    settings: Settings,
) -> Passages:
    """Align two texts, long ones in a worker; raises `Unreadable` beyond its limits."""
    if a.id == b.id and len(tokenized[0]):
        return align_whole(*tokenized)
    sides = [side_of(text, df) for text in tokenized]
    task = sides, np.array([[0, 1]]), settings
    if sum(map(len, tokenized)) < INLINE_TOKENS:
        return align_task(task)
    (passages,) = shared_pool().map(align_task, [task], seconds=ALIGN_SECONDS)
    if isinstance(passages, Unreadable):
        raise passages
    return passages


def _listed(
    a: Document, b: Document, result: CheckResult
) -> tuple[Passages, tuple[float, float, float], int, float] | None:
    """Return what the table says of a pair, from a to b; None where it is not listed.

    Passages, both coverages with the identical share, longest run and chance: the numbers of the
    table, not of the texts, since after exclusions they differ.
    """
    first, second = result.row_of(a), result.row_of(b)
    table = result.table
    low, high = min(first, second), max(first, second)
    rows = np.flatnonzero((table.pairs.left == low) & (table.pairs.right == high))
    if low < 0 or not len(rows):
        return None
    row = int(rows[0])
    passages = result.passages.take(result.passages.pair == row)
    passages = passages.of_pairs(np.zeros(len(passages), np.int64))
    in_low, in_high = float(table.coverage_a[row]), float(table.coverage_b[row])
    identical, longest = float(table.identical[row]), int(table.longest[row])
    chance = float(table.chance[row])
    if first == low:
        return passages, (in_low, in_high, identical), longest, chance
    return passages.turned(), (in_high, in_low, identical), longest, chance
