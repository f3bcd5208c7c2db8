"""How many findings chance gives: expected by the sample of a check, and observed.

Held out: the tail is fitted on some random pairs, and the findings of others are counted. In a
check: what it lists among texts that have nothing to do with each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..checking.chance import aligned_sample, unrelated_pairs
from ..checking.pipeline import check
from ..checking.tokenizing import TokenizedBatch, tokenize_batch
from ..limits import tail_of
from ..machine.workers import shared_pool
from ..model import I64, Bools, Document
from ..passages.options import AlignOptions
from ..passages.tokenized import document_frequencies, languages_of
from ..policy import BATCH_FROM, CHANCE_MARKED, SAMPLED_PAIRS
from ..result import CheckResult, could_be_formula
from ..settings import Settings
from .tables import Table

LEVELS = (50.0, 5.0, 0.5)  # expected findings at which the others are counted
OBSERVED = 8_500  # random pairs beside those of the fit
MOST_CHECKED = 150  # texts of one check: 11,175 pairs
HELD_OUT_COLUMNS = (
    *("collection", "documents", "fitted", "anchor", "pairs"),
    *(f"observed_{level:g}" for level in LEVELS),
)
CHECK_COLUMNS = (
    *("collection", "documents", "unrelated", "expected", "observed"),
    *("expected_1000", "observed_1000", "within_5", "within_05", "marked", "unmarked_1000"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """A collection: documents, and which pairs have nothing to do with each other, (n, n)."""

    name: str
    documents: Sequence[Document]
    unrelated: Bools

    def chosen(self, rows: I64) -> Texts:
        """Return some of the texts."""
        documents = [self.documents[row] for row in rows.tolist()]
        return Texts(self.name, documents, self.unrelated[np.ix_(rows, rows)])


def held_out(texts: Texts, *, settings: Settings) -> tuple[object, ...]:
    """Return one row: the anchor of the fitted pairs, and findings of the others at each level.

    A finding of the others is counted at a level where no more than that many are expected to be
    as strong. nan where the fitted pairs have no tail.
    """
    batch = _tokenized(texts.documents, settings)
    pairs = unrelated_pairs(
        batch.texts,
        batch.winnowed,
        queries=len(batch.texts),
        most=SAMPLED_PAIRS + OBSERVED,
        tokens=np.inf,
    )
    pairs = pairs[_main_language(batch, pairs)]
    sample = aligned_sample(
        batch.texts,
        pairs,
        document_frequencies(batch.texts),
        settings=settings,
        pool=shared_pool(),
        step=lambda *_: None,
    )
    fitted = min(SAMPLED_PAIRS, len(pairs) // 2)
    others = sample[0, fitted:].astype(np.float64)
    tail = tail_of(sample[0, :fitted], sample[1, :fitted], pairs=len(others))
    if tail is None or not tail.estimated:
        counts: tuple[float, ...] = tuple(np.nan for _ in LEVELS)
    else:
        expected = tail.expected(others)
        counts = tuple(float((expected <= level).sum()) for level in LEVELS)
    anchor = tail.anchor if tail else np.nan
    return (texts.name, len(texts.documents), fitted, anchor, len(others), *counts)


def in_check(texts: Texts, *, settings: Settings) -> tuple[object, ...]:
    """Return one row: pairs with findings among the unrelated ones of one check."""
    rows = np.random.default_rng(1).permutation(len(texts.documents))[:MOST_CHECKED]
    batch = texts.chosen(np.sort(rows))
    return (texts.name, len(batch.documents), *unrelated_findings(check(batch.documents), batch))


def unrelated_findings(result: CheckResult, batch: Texts) -> tuple[object, ...]:
    """Count the findings of a check among unrelated pairs, beside what it expects."""
    table = result.table
    unrelated = batch.unrelated | batch.unrelated.T
    n = int(np.triu(unrelated, 1).sum())
    rows = (table.passages > 0) & unrelated[table.pairs.left, table.pairs.right]
    marked = could_be_formula(result) & rows
    expected = _expected(result) * n / max(len(batch.documents) * (len(batch.documents) - 1) / 2, 1)
    findings = int(rows.sum())
    return (
        n,
        expected,
        findings,
        1000 * expected / max(n, 1),
        1000 * findings / max(n, 1),
        int((rows & (table.chance <= CHANCE_MARKED)).sum()),
        int((rows & (table.chance <= LEVELS[-1])).sum()),
        int(marked.sum()),
        1000 * (findings - int(marked.sum())) / max(n, 1),
    )


def chance_tables(
    collections: Sequence[Texts],
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
) -> list[Table]:
    """Measure both on every collection of at least as many texts as a check needs."""
    large = [one for one in collections if len(one.documents) >= BATCH_FROM]
    return [
        Table("chance_held_out", HELD_OUT_COLUMNS, [held_out(c, settings=settings) for c in large]),
        Table("chance_in_check", CHECK_COLUMNS, [in_check(c, settings=settings) for c in large]),
    ]


def _expected(result: CheckResult) -> float:
    """Return how many findings of the least strength that counts chance gives; nan if unknown."""
    tails = result.significance.tails
    least = {name: AlignOptions.for_language(name, frequencies=True).strength for name in tails}
    expected = [float(one.expected(np.array([least[name]]))[0]) for name, one in tails.items()]
    return float(np.nansum(expected)) if result.significance.state == "estimated" else np.nan


def _tokenized(documents: Sequence[Document], settings: Settings) -> TokenizedBatch:
    return tokenize_batch(
        documents, settings=settings, pool=shared_pool(), step=lambda *_: None, places=True
    )


def _main_language(batch: TokenizedBatch, pairs: I64) -> Bools:
    """Return which pairs are of the language of most: each has a tail of its own."""
    languages = languages_of(batch.texts, pairs)
    names, counts = np.unique(languages, return_counts=True)
    return np.asarray(languages == names[counts.argmax()])
