"""Chinese and English texts of a batch that may be translations of each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from .. import limits
from ..errors import BadInput, Unreadable
from ..limits import Tail
from ..machine.memory import split_by_size
from ..machine.workers import WorkerPool
from ..model import F32, I64, Bools, Document, Progress, StemmedText
from ..policy import (
    SAMPLED_PAIRS,
    TRANSLATED_DECADE,
    TRANSLATED_PAIRS,
    TRANSLATED_SAMPLED,
    TRANSLATED_SCORE,
)
from ..result import Guarantee, Meanings
from ..settings import Settings
from ..text import dictionary
from ..text.language import language_of
from ..text.normalize import normalize
from ..text.segment import Segmenter, segmenter
from ..weighting.background import background_counts
from .align import Rates, places_of, translations
from .likely import likely_pairs, stem_postings
from .stems import StemVocabulary, english_rates

TASK_WORDS = 400_000  # of both sides of all pairs in one task: about a second
ALIGN_SECONDS = 300.0  # for one task
INLINE_WORDS = 100_000  # of both sides of all pairs; fewer are aligned without a worker
STAGE = "translated"
SEED = 20_261_121

#: texts a, texts b, pairs of them, rates
Task = tuple[list[StemmedText], list[StemmedText], I64, Rates]


class Stemmed(NamedTuple):
    """The texts of a batch that are read as Chinese, and as English, by document row."""

    chinese: dict[int, StemmedText]
    english: dict[int, StemmedText]
    rates: Rates
    stems: tuple[str, ...]  # by their number


class Passage(NamedTuple):
    """One finding of a pair: its row, code points of both texts, score."""

    pair: int
    places: tuple[int, int, int, int]
    score: float


class Aligned(NamedTuple):
    """What pairs share: passages, and the best score of each pair, float32 (m,), 0 for none."""

    passages: list[Passage]
    best: F32


def translations_of(
    documents: Sequence[Document],
    *,
    first_reference: int,
    apart: Callable[[I64, I64], Bools],
    archive: ArchiveTranslations | None = None,
    pool: WorkerPool,
    step: Progress,
) -> Meanings:
    """Return the passages that the words of a dictionary find across Chinese and English.

    `archive` are those between the batch and a library, which was searched before: of its pairs
    only the likeliest are aligned, and the others are weaker, so the chance of a finding is that
    among the pairs that were aligned. References are not compared with each other. A batch without
    texts of both languages costs the look at its languages.
    """
    archive = archive or ArchiveTranslations.of([])
    chinese, english = rows_of_languages(documents)
    pairs = _pairs(chinese, english, first_reference, apart)
    possible, of_sample = len(pairs), np.ones(len(pairs), np.bool_)
    if not possible:
        best = archive.best
        return as_result(archive.rows, best, len(best), len(best), archive.possible)
    stemmed = stems_of(documents, chinese, english, step)
    if possible > TRANSLATED_PAIRS:
        pairs, of_sample = _likely(pairs, stemmed)
    aligned = align_rows(pairs, stemmed, pool=pool, step=step)
    rows = [
        (int(pairs[one.pair, 0]), int(pairs[one.pair, 1]), *one.places, one.score)
        for one in aligned.passages
    ]
    return as_result(
        [*rows, *archive.rows],
        np.concatenate([aligned.best[of_sample], archive.best]),
        possible + len(archive.best),
        len(pairs) + len(archive.best),
        possible + archive.possible,
    )


def demand_dictionary(settings: Settings) -> None:
    """Refuse a check that needs a dictionary where there is none.

    Raises
    ------
    BadInput
        `dictionary_translated`.
    """
    if settings.translated and dictionary.data_file() is None:
        raise BadInput("dictionary_translated")


def count_language_pairs(
    documents: Sequence[Document], against: Sequence[Document] = (), *, inside: bool = True
) -> int:
    """Count what a search for translations among texts that have been read compares.

    Parameters
    ----------
    inside
        Whether `documents` are compared with each other too.
    """
    chinese, english = rows_of_languages([*documents, *against])
    pairs = _count_pairs(chinese, english, len(documents), inside=inside)
    return min(pairs, TRANSLATED_PAIRS)


def translation_facts(translations: Meanings | None) -> tuple[Guarantee, ...]:
    """Say which pairs were looked at, and by which dictionary."""
    if translations is None:
        return ()
    if not translations.possible:
        return (Guarantee("translated_no_pairs"),)
    counts = {"n": translations.compared, "of": translations.possible}
    code = (
        "translated_all" if translations.compared == translations.possible else "translated_likely"
    )
    return (Guarantee(code, counts), dictionary_fact(), Guarantee("translated_limits"))


def dictionary_fact() -> Guarantee:
    """Say which dictionary the words come from, and under which licence."""
    loaded = dictionary.load()
    version = loaded.version if loaded else ""
    source = {"name": dictionary.NAME, "licence": dictionary.LICENCE, "version": version}
    return Guarantee("translated_by", source)


def rows_of_languages(documents: Sequence[Document]) -> tuple[list[int], list[int]]:
    """Return the rows that are read as Chinese and as English; texts with both are both."""
    languages = [*map(language_of, documents)]
    chinese = [row for row, language in enumerate(languages) if language in ("zh", "mixed")]
    english = [row for row, language in enumerate(languages) if language in ("en", "mixed")]
    return chinese, english


def stems_of(
    documents: Sequence[Document], chinese: Sequence[int], english: Sequence[int], step: Progress
) -> Stemmed:
    """Return some rows of a batch as stems over one vocabulary."""
    loaded = dictionary.load(step)
    if loaded is None:
        raise BadInput("dictionary_translated")
    vocabulary, segment = StemVocabulary(loaded, _english_rates()), _segmenter()
    read: tuple[dict[int, StemmedText], dict[int, StemmedText]] = ({}, {})
    total = len(chinese) + len(english)
    for done, row in enumerate([*chinese, *english]):
        step("stems", done, total)
        text = documents[row].text
        normalized = normalize(text)  # simplified whatever the settings: so is the dictionary
        if done < len(chinese):
            read[0][row] = vocabulary.chinese_text(normalized, text, segment)
        else:
            read[1][row] = vocabulary.english_text(normalized, text)
    step("stems", total, total)
    return Stemmed(*read, Rates(*vocabulary.rates()), vocabulary.stems)


def _align_task(task: Task) -> Aligned:
    """Align the pairs of one task; runs in a worker."""
    texts_a, texts_b, pairs, rates = task
    passages, best = [], np.zeros(len(pairs), np.float32)
    for row, (left, right) in enumerate(pairs.tolist()):
        a, b = texts_a[left], texts_b[right]
        for one in translations(a, b, rates, least=TRANSLATED_SAMPLED):
            best[row] = max(best[row], one.score)
            if one.score >= TRANSLATED_SCORE:
                passages.append(Passage(row, places_of((a, b), one.rect), one.score))
    return Aligned(passages, best)


def _pairs(
    chinese: Sequence[int],
    english: Sequence[int],
    first_reference: int,
    apart: Callable[[I64, I64], Bools],
) -> I64:
    """Return the pairs of a Chinese and an English row that are looked at, int64 (m, 2)."""
    a, b = (rows.ravel() for rows in np.meshgrid(chinese, english, indexing="ij"))
    looked = (a != b) & (np.minimum(a, b) < first_reference)
    a, b = a[looked].astype(np.int64), b[looked].astype(np.int64)
    pairs = np.stack([a, b], axis=1)
    return pairs[~apart(a, b)]


def _count_pairs(
    chinese: Sequence[int], english: Sequence[int], first_reference: int, *, inside: bool
) -> int:
    """Return how many rows `_pairs` has where no pair is apart, or only pairs of two new texts."""
    new_chinese, new_english = (
        {row for row in rows if row < first_reference} for rows in (chinese, english)
    )
    new, all_pairs = len(new_chinese) * len(new_english), len(chinese) * len(english)
    old = (len(chinese) - len(new_chinese)) * (len(english) - len(new_english))
    left_out = len(new_chinese & new_english) if inside else new  # a row is no pair with itself
    return all_pairs - old - left_out


def _likely(pairs: I64, stemmed: Stemmed) -> tuple[I64, Bools]:
    """Return the likeliest pairs and a random sample, and which are of the sample."""
    rng = np.random.default_rng(SEED)
    sampled = rng.choice(len(pairs), size=SAMPLED_PAIRS, replace=False)
    feature = np.arange(len(stemmed.stems), dtype=np.int32)
    a, b = (stem_postings(list(texts.values()), feature) for texts in stemmed[:2])
    each = max(1, TRANSLATED_PAIRS // len(a))
    likely = likely_pairs(a, [(b, np.ones(len(b), np.bool_))], most=each)
    rows_a, rows_b = (np.array(list(texts)) for texts in stemmed[:2])
    wide = int(pairs.max()) + 1
    wanted = rows_a[likely[:, 0]] * wide + rows_b[likely[:, 1]]
    keys = pairs @ [wide, 1]
    chosen = np.isin(keys, wanted)
    chosen[sampled] = True
    of_sample = np.zeros(len(pairs), np.bool_)
    of_sample[sampled] = True
    return pairs[chosen], of_sample[chosen]


def align_rows(pairs: I64, stemmed: Stemmed, *, pool: WorkerPool, step: Progress) -> Aligned:
    """Align pairs of a Chinese and an English row, in workers where there is enough to do.

    `pair` of the passages is a row of `pairs`.
    """
    size = np.array(
        [len(stemmed.chinese[a]) + len(stemmed.english[b]) for a, b in pairs.tolist()], np.int64
    )
    inline = int(size.sum()) < INLINE_WORDS
    bounds = [(0, len(pairs))] if inline else split_by_size(size, TASK_WORDS)
    tasks = [_task(pairs[low:high], stemmed) for low, high in bounds]
    step(STAGE, 0, len(pairs))
    answers = (
        map(_align_task, tasks) if inline else pool.map(_align_task, tasks, seconds=ALIGN_SECONDS)
    )
    passages, best = [], np.zeros(len(pairs), np.float32)
    for (low, high), answer in zip(bounds, answers, strict=True):
        if isinstance(answer, Unreadable):
            raise answer
        translations, best[low:high] = answer
        passages += [one._replace(pair=one.pair + low) for one in translations]
        step(STAGE, high, len(pairs))
    return Aligned(passages, best)


def _task(pairs: I64, stemmed: Stemmed) -> Task:
    """Return the texts of some pairs, each once."""
    rows_a, local_a = np.unique(pairs[:, 0], return_inverse=True)
    rows_b, local_b = np.unique(pairs[:, 1], return_inverse=True)
    return (
        [stemmed.chinese[row] for row in rows_a.tolist()],
        [stemmed.english[row] for row in rows_b.tolist()],
        np.stack([local_a, local_b], axis=1).astype(np.int64),
        stemmed.rates,
    )


@cache
def _segmenter() -> Segmenter:
    return segmenter()


@cache
def _english_rates() -> dict[str, float]:
    return english_rates(background_counts("en.tsv")[1])


# --------------------------------------------------------------------------- as columns of a result

_TYPES = (*(np.int64,) * 2, *(np.int32,) * 4, np.float32)

#: two rows of a batch or keys of a library, code points of both texts, score
Row = tuple[int, int, int, int, int, int, float]


@dataclass(frozen=True, slots=True, eq=False)
class ArchiveTranslations:
    """Passages of new texts that texts of a library may say in the other language.

    Attributes
    ----------
    rows : tuple of Row
        Row of the new text, key of the other; once the other is a document of the check, its row.
    best : float32 (m,)
        Best score of each pair that was aligned, 0 for none.
    possible : int
        All pairs of a new text and a text of the library in the other language.
    """

    rows: tuple[Row, ...]
    best: F32
    possible: int

    @classmethod
    def of(cls, parts: Sequence[ArchiveTranslations]) -> ArchiveTranslations:
        """Join parts."""
        return cls(
            tuple(row for part in parts for row in part.rows),
            np.concatenate([np.zeros(0, np.float32), *(part.best for part in parts)]),
            sum(part.possible for part in parts),
        )

    @property
    def others(self) -> list[int]:
        """The second of each pair, once each, ascending."""
        return sorted({row[1] for row in self.rows})

    def renamed(self, numbers: Mapping[int, int]) -> ArchiveTranslations:
        """Return the same with other numbers of the second texts, without those that have none."""
        rows = [(row[0], numbers[row[1]], *row[2:]) for row in self.rows if row[1] in numbers]
        return replace(self, rows=tuple(rows))


def as_result(
    rows: Sequence[Row], sample: F32, pairs: int, compared: int, possible: int
) -> Meanings:
    """Return rows as columns, the lower row of each pair on the left.

    Parameters
    ----------
    sample
        Best scores of pairs that say what chance gives, for `pairs` of them.
    """
    ordered = sorted(
        row if row[0] < row[1] else (row[1], row[0], *row[4:6], *row[2:4], row[6]) for row in rows
    )
    columns = list(zip(*ordered, strict=True)) if ordered else [()] * len(_TYPES)
    left, right, a_start, a_end, b_start, b_end, score = (
        np.array(column, kind) for column, kind in zip(columns, _TYPES, strict=True)
    )
    places, n = (a_start, a_end, b_start, b_end), len(score)
    return Meanings(
        *(left, right, *places, score),
        chance=limits.chance_of(score, tail_of(sample, pairs)),
        by_words=np.ones(n, np.bool_),
        first=np.arange(n + 1, dtype=np.int64),
        answers=np.stack(places, axis=1),
        closeness=np.full(n, np.nan, np.float32),
        next_best=np.full(n, np.nan, np.float32),
        unrelated=np.zeros(0, np.float32),
        compared=compared,
        possible=possible,
        by_sentences=False,
    )


def tail_of(best: F32, pairs: int) -> Tail | None:
    """Return how strong the findings of pairs below the threshold are, None for too few pairs.

    What is listed is left out: translations are what is looked for. Where many unrelated pairs
    are listed, those below them are strong as well, and the expected number says so.
    """
    below = best[best < TRANSLATED_SCORE]
    return limits.tail_of(below, np.zeros_like(below), pairs=pairs, per_decade=TRANSLATED_DECADE)
