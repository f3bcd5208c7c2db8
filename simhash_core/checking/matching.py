"""From close pairs to shared passages: where text and passages meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

import numpy as np

from ..errors import Unreadable
from ..model import (
    F32,
    I32,
    I64,
    CheckResult,
    Document,
    Guarantee,
    Pairs,
    PairTable,
    Passages,
    Progress,
)
from ..passages import coverage
from ..passages.align import align_many
from ..passages.candidates import SHARE, candidates
from ..passages.frequencies import DocumentFrequencies, document_frequencies
from ..passages.options import AlignOptions
from ..passages.views import View, language_of, view
from ..passages.winnow import Prints, Rule, containment, containment_of_pairs, prints
from ..policy import BATCH_FROM, MIN_RUN
from ..settings import Settings
from ..simhash.neighbours import Neighbours, between
from ..text.normalize import normalize
from ..workers import WorkerPool
from .fingerprinting import TASK_SECONDS, Signed, chunks
from .templates import counted

CHUNK_TOKENS = 200_000  # of both sides of all pairs in one task

Whole = TypeVar("Whole", I64, I32)
Task = tuple[list[View], I64, DocumentFrequencies | None, Settings]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the passage engine adds to the pairs of a batch."""

    table: PairTable
    passages: Passages  # `pair` = row of `table`
    total_overlap: F32
    guarantees: tuple[Guarantee, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PairEvidence:
    """The same for one pair."""

    containment: float
    passages: Passages
    coverage_a: float
    coverage_b: float
    longest: int


def match(
    documents: Sequence[Document],
    signed: Signed,
    near: Neighbours,
    *,
    fresh: int,
    settings: Settings,
    pool: WorkerPool,
    step: Progress,
) -> Evidence:
    """Check close pairs by their text, and find every pair that shares passages.

    Rows from `fresh` on are references: pairs between two of them are left out.

    Notes
    -----
    Two nets, one result: pairs inside the wide Hamming net, and pairs that share prints or rare
    words in one place. The second are aligned; a pair without a passage stays only where its
    distance keeps it.
    """
    if not (settings.passages or settings.text_check):
        return _without_text(documents, near)
    views, texts = _seen(documents, settings=settings, pool=pool, step=step)
    if not settings.passages:
        return _checked(documents, near, texts, settings)
    chosen = candidates(
        views, texts, queries=fresh, share=min(SHARE, settings.containment), step=step
    )
    df = document_frequencies(views) if len(views) >= BATCH_FROM else None
    aligned, lost = _aligned(views, chosen.pairs, df, settings=settings, pool=pool, step=step)
    table, passages = _table(near, signed, chosen.pairs, aligned, texts, views, settings)
    ends = np.stack([table.pairs.left, table.pairs.right], axis=1)
    total = coverage.total_overlap(views, ends, passages)
    guarantees = (
        *chosen.guarantees,
        *([Guarantee("not_aligned", {"n": lost})] if lost else []),
    )
    return Evidence(table, passages, total, guarantees)


def match_pair(
    a: Document, b: Document, *, settings: Settings, result: CheckResult | None
) -> PairEvidence:
    """Find what two texts share.

    With a `result` its own findings stand; what a pair outside its table shares is weak evidence:
    the batch, which knows common phrases, did not count it.
    """
    texts = [counted(document).text for document in (a, b)]
    views = [view(normalize(text, fold_variants=settings.fold_variants), text) for text in texts]
    rule = Rule.of(settings.min_run)
    contained = containment(*(prints(one, rule=rule) for one in views))
    ends = np.array([[0, 1]])
    known = _known(a, b, result) if result else None
    passages = known or _align_task((views, ends, None, settings))
    if known is None and result is not None:
        passages = replace(passages, weak=np.ones(len(passages), np.bool_))
    numbers = coverage.of_pairs(views, ends, passages)
    return PairEvidence(
        contained,
        passages,
        float(numbers.coverage_a[0]),
        float(numbers.coverage_b[0]),
        int(numbers.longest[0]),
    )


def shared_prints(a: str, b: str, *, min_run: int = MIN_RUN) -> float:
    """Return the containment of winnowed prints of two raw texts."""
    rule = Rule.of(min_run)
    return containment(*(prints(view(normalize(text), text), rule=rule) for text in (a, b)))


def _seen(
    documents: Sequence[Document], *, settings: Settings, pool: WorkerPool, step: Progress
) -> tuple[list[View], list[Prints]]:
    """View every document as integers, in workers where there is enough to do."""
    step("candidates", 0, len(documents))
    parts = list(chunks([document.text for document in documents], workers=pool.workers))
    tasks = [(part, settings.fold_variants, settings.min_run) for part in parts]
    views: list[View] = []
    texts: list[Prints] = []
    for done in (
        pool.map(_see_task, tasks, seconds=TASK_SECONDS) if tasks[1:] else map(_see_task, tasks)
    ):
        if isinstance(done, Unreadable):
            raise done
        for one, print_ in done:
            views.append(one)
            texts.append(print_)
        step("candidates", len(views), len(documents))
    return views, texts


def _see_task(task: tuple[list[str], bool, int]) -> list[tuple[View, Prints]]:
    texts, fold_variants, min_run = task
    rule, seen = Rule.of(min_run), []
    for text in texts:
        one = view(normalize(text, fold_variants=fold_variants), text)
        seen.append((one, prints(one, rule=rule)))
    return seen


def _aligned(
    views: Sequence[View],
    pairs: I64,
    df: DocumentFrequencies | None,
    *,
    settings: Settings,
    pool: WorkerPool,
    step: Progress,
) -> tuple[Passages, int]:
    """Align all candidates; `pair` of the result is the row of `pairs`."""
    step("align", 0, len(pairs))
    bounds = _bounds(views, pairs)
    tasks = [_task(views, pairs[low:high], df, settings) for low, high in bounds]
    found: Iterable[Passages | Unreadable] = map(_align_task, tasks)
    if tasks[1:]:
        found = pool.map(_align_task, tasks, seconds=TASK_SECONDS)
    parts, lost = [], 0
    for (low, high), part in zip(bounds, found, strict=True):
        if isinstance(part, Unreadable):
            lost += high - low
        else:
            parts.append(part.of_pairs(part.pair + low))
        step("align", high, len(pairs))
    return Passages.join(parts), lost


def _bounds(views: Sequence[View], pairs: I64) -> list[tuple[int, int]]:
    """Cut the pairs into tasks of about the same number of tokens."""
    size = np.array([len(one) for one in views], np.int64)
    cost = np.cumsum(size[pairs].sum(axis=1))
    cuts = np.flatnonzero(np.diff(cost // CHUNK_TOKENS)) + 1
    return list(pairwise([0, *cuts.tolist(), len(pairs)])) if len(pairs) else []


def _task(
    views: Sequence[View], pairs: I64, df: DocumentFrequencies | None, settings: Settings
) -> Task:
    """Pack a task with just the views and the frequencies that it needs."""
    rows, local = np.unique(pairs, return_inverse=True)
    own = [views[row] for row in rows]
    if df is not None:
        held = _distinct(np.concatenate([one.feat for one in own]))
        kept = np.isin(df.feature, held, assume_unique=True)
        df = DocumentFrequencies(df.n, df.feature[kept], df.count[kept])
    return own, local.reshape(pairs.shape), df, settings


def _distinct(values: Whole) -> Whole:
    """Return the sorted distinct values; `np.unique` hashes them, which takes ten times as long."""
    ordered: Whole = np.sort(values)
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]
    distinct: Whole = ordered[first]
    return distinct


def _align_task(task: Task) -> Passages:
    """Align the pairs of one task, each with the preset of its language; runs in a worker."""
    views, pairs, df, settings = task
    languages = np.array([language_of([views[a], views[b]]) for a, b in pairs.tolist()])
    parts = []
    for language in ("zh", "en"):
        rows = np.flatnonzero(languages == language)
        options = AlignOptions.for_language(
            language,
            frequencies=df is not None,
            strength=settings.strength,
            min_run=settings.min_run,
        )
        part = align_many(views, pairs[rows], df=df, options=options)
        parts.append(part.of_pairs(rows[part.pair] if len(rows) else part.pair))
    return Passages.join(parts)


def _table(
    near: Neighbours,
    signed: Signed,
    found: I64,
    aligned: Passages,
    texts: Sequence[Prints],
    views: Sequence[View],
    settings: Settings,
) -> tuple[PairTable, Passages]:
    """Join close pairs and pairs with passages; passages then point into the table."""
    n = len(texts)
    counted = _distinct(aligned.pair[~aligned.weak])
    close, shared = (
        near.pairs.left * n + near.pairs.right,
        found[counted, 0] * n + found[counted, 1],
    )
    keys = _distinct(np.concatenate([close, shared]))
    left, right = keys // n, keys % n
    own = found[aligned.pair, 0] * n + found[aligned.pair, 1]
    kept = np.isin(own, keys)
    passages = aligned.take(kept).of_pairs(np.searchsorted(keys, own[kept]))
    numbers = coverage.of_pairs(views, np.stack([left, right], axis=1), passages)
    distance = between(signed.background, left, right)
    looked = (distance <= settings.wide_net) | (numbers.passages > 0)
    contained = np.full(len(keys), np.nan, np.float32)
    contained[looked] = containment_of_pairs(texts, left[looked], right[looked])
    table = PairTable(
        Pairs(left, right, distance),
        between(signed.batch, left, right),
        contained,
        numbers.coverage_a,
        numbers.coverage_b,
        numbers.identical,
        numbers.longest,
        numbers.passages,
    )
    return table, passages


def _checked(
    documents: Sequence[Document], near: Neighbours, texts: Sequence[Prints], settings: Settings
) -> Evidence:
    """The text check alone: containment of the pairs in the wide net, no alignment."""
    plain = _without_text(documents, near)
    rows = np.flatnonzero(near.pairs.distance <= settings.wide_net)
    contained = plain.table.containment.copy()
    contained[rows] = containment_of_pairs(texts, near.pairs.left[rows], near.pairs.right[rows])
    return replace(plain, table=replace(plain.table, containment=contained))


def _without_text(documents: Sequence[Document], near: Neighbours) -> Evidence:
    m = len(near.pairs)
    share, count = np.zeros(m, np.float32), np.zeros(m, np.int32)
    unknown = np.full(m, np.nan, np.float32)
    table = PairTable(near.pairs, near.batch_distance, unknown, share, share, share, count, count)
    return Evidence(table, Passages.join([]), np.zeros(len(documents), np.float32), ())


def _known(a: Document, b: Document, result: CheckResult) -> Passages | None:
    """Return what the batch found for this pair, seen from a to b; None where it is not listed."""
    first, second = result.row_of(a), result.row_of(b)
    pairs = result.table.pairs
    low, high = min(first, second), max(first, second)
    row = np.flatnonzero((pairs.left == low) & (pairs.right == high))
    if low < 0 or not len(row):
        return None
    own = result.passages.take(result.passages.pair == row[0])
    own = own.of_pairs(np.zeros(len(own), np.int64))
    return own if first == low else own.turned()
