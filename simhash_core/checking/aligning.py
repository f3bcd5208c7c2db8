"""Many pairs aligned in tasks: in worker processes with limits, or here where that is little."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from ..errors import Unreadable
from ..model import (
    I32,
    I64,
    Bools,
    DocumentFrequencies,
    Passages,
    Progress,
    Stretches,
)
from ..passages import coverage
from ..passages.align import align_many, align_sides, readable_seconds
from ..passages.coverage import PairNumbers
from ..passages.options import AlignOptions
from ..passages.pair import TWINS
from ..passages.screening import worth_aligning
from ..passages.side import side_of
from ..passages.tokenized import TokenizedText, languages_of
from ..passages.words import features_of
from ..settings import Settings
from ..workers import WorkerPool

CHUNK_TOKENS = 200_000  # of both sides of all pairs in one task
READABLE_CHUNK_TOKENS = 20_000  # the same where nothing is compiled: a fifth of a second
INLINE_TOKENS = 50_000  # of all texts; fewer are aligned without a worker
ALIGN_SECONDS = 120.0  # for one task; two books of a million characters take a tenth of it
LANGUAGES = ("zh", "en")  # of the presets

Whole = TypeVar("Whole", I64, I32)
Answer = TypeVar("Answer")
Task = tuple[list[TokenizedText], I64, DocumentFrequencies | None, Settings]


class Measured(NamedTuple):
    """Passages of some pairs, what they amount to, and the stretches that they share."""

    passages: Passages
    numbers: PairNumbers
    stretches: Stretches


def align_pairs(
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    *,
    listed: Bools,
    settings: Settings,
    pool: WorkerPool,
    step: Progress,
) -> tuple[Measured, int]:
    """Align all candidates; `pair` of the result and the numbers are by row of `pairs`.

    The second is how many pairs cost more than a worker may spend. Of pairs that are not `listed`
    weak passages are returned only beside others.
    """
    numbers, lost, before = PairNumbers.zeros(len(pairs)), 0, 0
    passages, stretches = [], []

    def overall(stage: str, done: int, total: int) -> None:
        """Report on all pairs together."""
        ours = stage == "align"
        step(stage, before + done if ours else done, len(pairs) if ours else total)

    for function, chosen in ((screened_task, ~listed), (measured_task, listed)):
        rows = np.flatnonzero(chosen)
        for first, last, part in in_tasks(
            function, tokenized, pairs[rows], df, settings=settings, pool=pool, step=overall
        ):
            if isinstance(part, Unreadable):
                lost += last - first
                continue
            passages.append(part.passages.of_pairs(rows[part.passages.pair + first]))
            stretches.append(part.stretches.of_pairs(rows[part.stretches.pair + first]))
            numbers.put(rows[first:last], part.numbers)
        before += len(rows)
    return Measured(Passages.join(passages), numbers, Stretches.join(stretches)), lost


def in_tasks(
    function: Callable[[Task], Answer],
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    *,
    settings: Settings,
    pool: WorkerPool,
    step: Progress,
) -> Iterator[tuple[int, int, Answer | Unreadable]]:
    """Yield first row, last row and answer of `function`, a function of a module, for every task.

    The pairs of a task that fails are tried again one by one.
    """
    TWINS.settle(readable_seconds(tokenized, pairs) / pool.workers, step)
    step("align", 0, len(pairs))
    bounds = _bounds(tokenized, pairs, CHUNK_TOKENS if TWINS.compiled else READABLE_CHUNK_TOKENS)
    tasks = [task_of(tokenized, pairs[low:high], df, settings) for low, high in bounds]
    small = not tasks[1:] and sum(len(text) for text in tokenized) < INLINE_TOKENS
    answers: Iterator[Answer | Unreadable] = map(function, tasks)
    if not small:
        answers = pool.map(function, tasks, seconds=ALIGN_SECONDS)
    for (low, high), answer in zip(bounds, answers, strict=True):
        if isinstance(answer, Unreadable) and high - low > 1:
            alone = [task_of(tokenized, pairs[i : i + 1], df, settings) for i in range(low, high)]
            single = pool.map(function, alone, seconds=ALIGN_SECONDS)
            yield from ((low + i, low + i + 1, one) for i, one in enumerate(single))
        else:
            yield low, high, answer
        step("align", high, len(pairs))


def _bounds(tokenized: Sequence[TokenizedText], pairs: I64, tokens: int) -> list[tuple[int, int]]:
    """Cut the pairs into tasks of about `tokens` tokens."""
    size = np.array([len(text) for text in tokenized], np.int64)
    cost = np.cumsum(size[pairs].sum(axis=1))
    cuts = np.flatnonzero(np.diff(cost // tokens)) + 1
    return list(pairwise([0, *cuts.tolist(), len(pairs)])) if len(pairs) else []


def task_of(
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    settings: Settings,
) -> Task:
    """Pack a task with just the texts and the frequencies that it needs."""
    rows, local = np.unique(pairs, return_inverse=True)
    texts = [tokenized[row] for row in rows]
    if df is not None:
        in_task = distinct(np.concatenate([features_of(one) for one in texts]))
        needed = np.isin(df.feature, in_task, assume_unique=True)
        df = DocumentFrequencies(df.n, df.feature[needed], df.count[needed])
    return texts, local.reshape(pairs.shape), df, settings


def distinct(values: Whole) -> Whole:
    """Return the sorted distinct values; `np.unique` hashes them, which takes ten times as long."""
    ordered: Whole = np.sort(values)
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]
    values = ordered[first]
    return values


def align_task(task: Task) -> Passages:
    """Align the pairs of one task, each with the preset of its language; runs in a worker."""
    tokenized, pairs, df, settings = task
    parts = []
    for rows, options in by_language(tokenized, pairs, df, settings):
        part = align_many(tokenized, pairs[rows], df=df, options=options)
        parts.append(part.of_pairs(rows[part.pair]))
    return Passages.join(parts)


def measured_task(task: Task) -> Measured:
    """Align the pairs of one task and sum up what each shares; runs in a worker."""
    passages = align_task(task)
    return _measured(task, passages)


def screened_task(task: Task) -> Measured:
    """Do what `measured_task` does for the pairs that may hold a passage that counts."""
    tokenized, pairs, df, settings = task
    TWINS.settle(readable_seconds(tokenized, pairs))
    if not TWINS.compiled:  # readable loops would take as long as the alignment
        return measured_task(task)
    sides = [side_of(text, df) for text in tokenized]
    parts = []
    for rows, options in by_language(tokenized, pairs, df, settings):
        hopeful = rows[worth_aligning(sides, pairs[rows], options)]
        part = align_sides(sides, pairs[hopeful], options=options)
        parts.append(part.of_pairs(hopeful[part.pair]))
    return _measured(task, Passages.join(parts))


def _measured(task: Task, passages: Passages) -> Measured:
    tokenized, pairs, _, settings = task
    return Measured(
        passages, *coverage.of_pairs(tokenized, pairs, passages, min_run=settings.min_run)
    )


def by_language(
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies | None,
    settings: Settings,
) -> Iterator[tuple[I64, AlignOptions]]:
    """Yield the rows of the pairs of each language, and its preset."""
    languages = languages_of(tokenized, pairs)
    for language in LANGUAGES:
        rows = np.flatnonzero(languages == language)
        if len(rows):
            yield (
                rows,
                AlignOptions.for_language(
                    language,
                    frequencies=df is not None,
                    strength=settings.strength,
                    min_run=settings.min_run,
                ),
            )
