"""Two texts: what they share, by the statistics of their batch where there is one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..errors import Unreadable
from ..model import Division, Document, DocumentFrequencies, Passages, Stretches
from ..numbers import divisions, of_text, with_parts
from ..passages import coverage
from ..passages.align import align_whole, side_of
from ..passages.coverage import PairNumbers
from ..passages.tokenized import TokenizedText, tokenize
from ..passages.winnow import Rule, containment, winnow
from ..policy import MIN_RUN
from ..result import CheckResult
from ..settings import Settings
from ..text.lengths import unit_of
from ..text.normalize import normalize
from ..workers import shared_pool
from .aligning import ALIGN_SECONDS, INLINE_TOKENS, align_task
from .meanings import concepts_for, prepare_dictionary
from .templates import counted, whole_units
from .tokenizing import word_segmenter


@dataclass(frozen=True, slots=True, eq=False)
class PairEvidence:
    """What two texts share: passages, and the containment of their winnowed hashes."""

    containment: float
    passages: Passages
    numbers: PairNumbers  # of this pair alone
    division: tuple[Division, Division]
    chance: float
    stretches: Stretches


def match_pair(
    a: Document, b: Document, *, settings: Settings, result: CheckResult | None
) -> PairEvidence:
    """Find what two texts share.

    With a `result` the passages and the numbers of its table are returned. A pair outside the table
    is aligned by the same statistics, so that common phrases of the batch weigh as little here;
    what it shares is weak evidence, since the batch did not count it.
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
        passages, table, chance = listed
        _, stretches = coverage.of_pairs(tokenized, ends, passages, min_run=settings.min_run)
        divided = _divided((a, b), tokenized, table, settings, result)
        return PairEvidence(contained, passages, table, divided, chance, stretches)
    df = result.frequencies if result else None
    passages = _align_pair(a, b, tokenized, df, settings)
    if result is not None:
        passages = replace(passages, weak=np.ones(len(passages), np.bool_))
    numbers, stretches = coverage.of_pairs(tokenized, ends, passages, min_run=settings.min_run)
    divided = _divided((a, b), tokenized, numbers, settings, result)
    return PairEvidence(contained, passages, numbers, divided, math.nan, stretches)


def _divided(
    documents: tuple[Document, Document],
    tokenized: Sequence[TokenizedText],
    table: PairNumbers,
    settings: Settings,
    result: CheckResult | None,
) -> tuple[Division, Division]:
    """Return both texts divided by what the other shares; what counts is that of the result."""
    rows = [result.row_of(document) if result else -1 for document in documents]
    counts = np.array([text.counted for text in tokenized], np.int64)
    units = divisions(table.parts[0], counts, whole_units(documents, counts, settings=settings))
    both = []
    for side, (row, document) in enumerate(zip(rows, documents, strict=True)):
        alone = Division.of(units[side].tolist(), unit_of(document.text))
        known = of_text(result, row) if result is not None and row >= 0 else alone
        both.append(with_parts(known, table.parts[0, side].tolist()))
    return both[0], both[1]


def stretches_of(result: CheckResult, table_row: int) -> Stretches:
    """Return what one pair of a table shares of its texts; `pair` is 0."""
    pairs, settings = result.table.pairs, result.settings
    ends = int(pairs.left[table_row]), int(pairs.right[table_row])
    texts = [counted(result.documents[row]).text for row in ends]
    tokenized = [
        tokenize(normalize(text, fold_variants=settings.fold_variants), text) for text in texts
    ]
    low, high = np.searchsorted(result.passages.pair, [table_row, table_row + 1])
    passages = result.passages.take(np.arange(low, high))
    passages = passages.of_pairs(np.zeros(len(passages), np.int64))
    return coverage.of_pairs(tokenized, np.array([[0, 1]]), passages, min_run=settings.min_run)[1]


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
) -> tuple[Passages, PairNumbers, float] | None:
    """Return what the table says of a pair, from a to b; None where it is not listed.

    Passages, numbers and chance: those of the table, not of the texts, since after exclusions they
    differ.
    """
    first, second = result.row_of(a), result.row_of(b)
    table = result.table
    low, high = min(first, second), max(first, second)
    rows = np.flatnonzero((table.pairs.left == low) & (table.pairs.right == high))
    if low < 0 or not len(rows):
        return None
    row = rows[:1]
    passages = result.passages.take(result.passages.pair == row[0])
    passages = passages.of_pairs(np.zeros(len(passages), np.int64))
    names = [spec.name for spec in fields(PairNumbers)]
    numbers = PairNumbers(*(getattr(table, name)[row] for name in names))
    if first != low:
        passages, numbers = passages.turned(), numbers.turned()
    return passages, numbers, float(table.chance[row[0]])
