"""Two texts: what they share, by the statistics of their batch where there is one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..errors import Unreadable
from ..model import Division, Document, DocumentFrequencies, Features, Passages, Stretches
from ..numbers import divisions, of_text, with_parts
from ..passages import coverage
from ..passages.align import align_whole
from ..passages.coverage import PairNumbers
from ..passages.side import side_of
from ..passages.tokenized import TokenizedText
from ..passages.winnow import Winnowed, containment
from ..result import CheckResult
from ..settings import Settings
from ..text.lengths import unit_of
from ..workers import shared_pool
from .aligning import ALIGN_SECONDS, INLINE_TOKENS, align_task
from .meanings import prepare_dictionary
from .templates import counted, whole_units
from .tokenizing import read_text, tokenize_chunk


@dataclass(frozen=True, slots=True, eq=False)
class PairEvidence:
    """What two texts share: passages, and the containment of their winnowed hashes."""

    containment: float
    passages: Passages
    numbers: PairNumbers  # of this pair alone
    division: tuple[Division, Division]
    chance: float
    stretches: Stretches


@dataclass(frozen=True, slots=True, eq=False)
class PairText:
    """One of two texts as the check reads it, read once."""

    counted: Document  # without what everybody was given
    features: Features  # of this text alone
    tokens: TokenizedText
    winnowed: Winnowed


def read_pair_text(document: Document, settings: Settings) -> PairText:
    """Read one of two texts."""
    what_counts = counted(document)
    prepare_dictionary([what_counts.text], settings)
    features, ((tokens, winnowed),) = tokenize_chunk(([what_counts.text], settings, True))
    return PairText(what_counts, features, tokens, winnowed)


def match_pair(
    a: Document,
    b: Document,
    read: Sequence[PairText],
    *,
    settings: Settings,
    result: CheckResult | None,
) -> PairEvidence:
    """Find what two texts share; `read` are both of them.

    With a `result` the passages and the numbers of its table are returned. A pair outside the table
    is aligned by the same statistics, so that common phrases of the batch weigh as little here;
    what it shares is weak evidence, since the batch did not count it.
    """
    tokenized = [one.tokens for one in read]
    contained = containment(*(one.winnowed for one in read))
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
    both = []
    for side, document in enumerate(documents):
        row, parts = result.row_of(document) if result else -1, table.parts[0, side]
        if result is not None and row >= 0:
            known = of_text(result, row)
        else:
            counts = np.array([tokenized[side].counted], np.int64)
            whole = whole_units([document], counts, settings=settings)
            (units,) = divisions(parts[None], counts, whole).tolist()
            known = Division.of(units, unit_of(document.text))
        both.append(with_parts(known, parts.tolist()))
    return both[0], both[1]


def stretches_of(result: CheckResult, table_row: int) -> Stretches:
    """Return what one pair of a table shares of its texts; `pair` is 0."""
    pairs, settings = result.table.pairs, result.settings
    ends = int(pairs.left[table_row]), int(pairs.right[table_row])
    tokenized = [read_text(counted(result.documents[row]).text, settings) for row in ends]
    low, high = np.searchsorted(result.passages.pair, [table_row, table_row + 1])
    passages = result.passages.take(np.arange(low, high))
    passages = passages.of_pairs(np.zeros(len(passages), np.int64))
    return coverage.of_pairs(tokenized, np.array([[0, 1]]), passages, min_run=settings.min_run)[1]


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
