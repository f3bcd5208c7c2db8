"""How many findings chance alone would give, and the threshold that follows.

Of passages: unrelated pairs of the batch, aligned as a sample. Of fingerprints: the distances of
the batch without the pairs that their text confirms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..errors import Unreadable
from ..limits import Limits, Significance, Tail, tail_of
from ..machine.memory import sizes_of
from ..machine.workers import WorkerPool
from ..model import F32, F64, I64, PASSAGE_KINDS, Distances, DocumentFrequencies, Passages, Progress
from ..passages.align import align_sides
from ..passages.tokenized import TokenizedText, languages_of
from ..passages.winnow import Winnowed, containment_of_pairs
from ..policy import CANDIDATE_SHARE, SAMPLED_PAIRS, SAMPLED_STRENGTH, SAMPLED_TOKENS
from ..result import PairTable
from ..settings import Settings
from ..simhash.false_alarms import false_alarms
from .aligning import LANGUAGES, Task, part_by_language, run_tasks
from .run import Run, Texts

_SUMMARY = PASSAGE_KINDS.index("summary")
_SEED = 20_261_121


def sampled_significance(texts: Texts, df: DocumentFrequencies | None, run: Run) -> Significance:
    """Estimate how strong chance findings are by unrelated pairs of the batch.

    Below the size from which a batch has statistics of its own nothing is estimated.
    """
    if not run.settings.passages or df is None:
        return Significance({})

    def report(_: str, done: int, total: int) -> None:
        """Report the alignment of the sample as a stage of its own."""
        run.step("chance", done, total)

    tokenized, n, new = texts.tokens.texts, len(texts), texts.new
    pairs = unrelated_pairs(tokenized, texts.tokens.winnowed, queries=new)
    sample = aligned_sample(tokenized, pairs, df, settings=run.settings, pool=run.pool, step=report)
    possible = new * (2 * n - new - 1) // 2
    return Significance(tails_of(tokenized, pairs, sample, possible))


def unrelated_pairs(
    tokenized: Sequence[TokenizedText],
    winnowed: Sequence[Winnowed],
    *,
    queries: int,
    most: int = SAMPLED_PAIRS,
    tokens: float = SAMPLED_TOKENS,
) -> I64:
    """Return random pairs that share no text to speak of, (s, 2); the same at every run.

    Cost: at most `most` pairs whose texts have `tokens` tokens together.
    """
    size = sizes_of(tokenized)
    drawn = drawn_pairs(len(tokenized), queries=queries, most=most)
    drawn = drawn[np.cumsum(size[drawn].sum(axis=1)) <= tokens]
    shared = containment_of_pairs(winnowed, drawn[:, 0], drawn[:, 1])
    return np.asarray(drawn[~(shared >= CANDIDATE_SHARE)])


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
    summary = (passages.kind == _SUMMARY).astype(np.int64)
    counted = ~passages.weak
    np.maximum.at(of_pair, (summary[counted], passages.pair[counted]), passages.score[counted])
    return of_pair[0], of_pair[1]


def aligned_sample(
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    df: DocumentFrequencies,
    *,
    settings: Settings,
    pool: WorkerPool,
    step: Progress,
) -> F32:
    """Return the strongest passage and the strongest summary of each pair, float32 (2, s).

    Pairs that cost more than a worker may spend are nan.
    """
    strongest = np.full((2, len(pairs)), np.nan, np.float32)
    listed = np.zeros(len(pairs), np.bool_)
    answers = run_tasks(
        sample_task, tokenized, pairs, df, listed=listed, settings=settings, pool=pool, step=step
    )
    for first, last, answer in answers:
        if not isinstance(answer, Unreadable):
            strongest[:, first:last] = answer
    return strongest


def sample_task(task: Task) -> F32:
    """Align the pairs of one task by options that let weak findings through; runs in a worker."""
    task = task._replace(settings=replace(task.settings, strength=SAMPLED_STRENGTH))
    strongest = np.zeros((2, len(task.pairs)), np.float32)
    for rows, options in part_by_language(task):
        passages = align_sides(
            task.sides, task.pairs[rows], options=options.lowered(), listed=task.listed[rows]
        )
        strongest[:, rows] = strengths(passages, len(rows))
    return strongest


def tails_of(
    tokenized: Sequence[TokenizedText], pairs: I64, sample: F32, possible: int
) -> dict[str, Tail]:
    """Return the tail of each language with enough pairs; the sample is of `possible` pairs."""
    languages = languages_of(tokenized, pairs)
    tails = {}
    for language in LANGUAGES:
        rows = np.flatnonzero((languages == language) & ~np.isnan(sample[0]))
        stands_for = round(possible * len(rows) / max(len(pairs), 1))
        tail = tail_of(sample[0, rows], sample[1, rows], pairs=stands_for)
        if tail is not None:
            tails[language] = tail
    return tails


def fill_chance(
    table: PairTable,
    passages: Passages,
    tokenized: Sequence[TokenizedText],
    significance: Significance,
) -> PairTable:
    """Fill the columns of strength and of expected numbers, these by summaries where nothing else.

    `passages` are those of the table.
    """
    chance = np.full(len(table), np.nan, np.float32)
    rows = np.flatnonzero(table.passages > 0)
    ends = np.stack([table.pairs.left, table.pairs.right], axis=1)[rows]
    languages = languages_of(tokenized, ends)
    of_passage, of_summary = strengths(passages, len(table))
    for language, tail in significance.tails.items():
        of_language = rows[languages == language]
        chance[of_language] = _expected(tail, of_passage[of_language], of_summary[of_language])
    return replace(table, strength=of_passage, chance=chance)


def _expected(tail: Tail, strength: F32, summary: F32) -> F64:
    expected = tail.expected(strength.astype(np.float64))
    alone = (strength <= 0) & (summary > 0)
    expected[alone] = tail.expected(summary[alone].astype(np.float64), summary=True)
    return expected


# --------------------------------------------------------------------------- the threshold


def limits(
    table: PairTable, distances: Distances, batch_distances: Distances | None, settings: Settings
) -> Limits:
    """Estimate the false-alarm curves of a batch and choose its threshold.

    Notes
    -----
    Pairs that the text check confirms are taken out before the curves are estimated. A threshold
    of the settings stands; otherwise it is the largest with at most `expected_false` false pairs,
    shared equally between the two signatures, and never beyond the wide net.
    """
    confirmed = table.containment >= settings.containment
    background = false_alarms(distances.without(table.pairs.distance[confirmed]))
    batch = None
    if batch_distances is not None:
        batch = false_alarms(batch_distances.without(table.batch_distance[confirmed]))
    share = settings.expected_false / (2 if batch else 1)
    threshold = settings.threshold
    if threshold is None:
        threshold = max(background.widest(share, limit=settings.wide_net), 0)
    return Limits(background, batch, min(threshold, settings.bits))
