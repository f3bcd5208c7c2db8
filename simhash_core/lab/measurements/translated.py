"""Translated passages planted in other texts: what the search for translations makes of them.

The texts of two folders that have one name are translations of each other. Their paragraphs are
aligned, by length and by the dictionary that the search uses too; passages of aligned paragraphs
are planted in texts of another subject and in other texts of the same folder, and looked for where
their source is one of thousands of texts of a library.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...checking.pipeline import gather, read, samples
from ...errors import BadInput
from ...library.translated import archive_translations
from ...machine.workers import WorkerPool, shared_pool
from ...meaning.align import FEWEST, Vectors, align
from ...meaning.units import Units, units_of
from ...meaning.vectors import UNIVERSAL, meaning_installed
from ...model import Document, Progress, silent
from ...policy import MEANING_SCORE, TRANSLATED_SCORE, TRANSLATED_STRICT
from ...seen.meanings import SENTENCES, WORDS
from ...settings import Settings
from ...storage.library import Library, NewText
from ...text.language import guess_language
from ...translations.search import Aligned, Passage, Stemmed, align_rows, stems_of
from .. import Code, Table
from .bilingual import (
    CHAPTER,
    Bead,
    Case,
    Texts,
    beads_of,
    hosts_of,
    plant,
    recall_at_one,
    texts_of,
)
from .pan import Stretch, score

MEANING_STRICT = 8.5  # score that no pair of a book or of statutes reached (docs/calibration.md)
LENGTHS = ((80, 120), (180, 220), (360, 440), (700, 900))  # Han of a planted passage
#: scores of a finding and of a strict one: by the words of a dictionary, by vectors of sentences
LEVELS = {
    WORDS: (TRANSLATED_SCORE, TRANSLATED_STRICT),
    SENTENCES: (MEANING_SCORE, MEANING_STRICT),
}
PLANTED_COLUMNS = (
    *("direction", "host", "length", "means", "cases"),
    *(
        "found_planted",
        "found_strict",
        "plagdet",
        "plagdet_strict",
        "recall",
        "precision",
        "granularity",
    ),
)
FALSE_COLUMNS = (
    "pairs_of",
    "means",
    "pairs",
    "with_finding",
    "per_1000",
    "strict",
    "per_1000_strict",
    "most",
)
RETRIEVAL_COLUMNS = ("direction", "texts", "by_passages", "by_words", "by_numbers", "by_length")


Say = Callable[[Progress, int], None]


def evaluate_translated(
    chinese: Path,
    english: Path,
    *,
    hosts: tuple[Path | None, Path | None] = (None, None),
    year: str = "",
    part: str = "all",
    keep_latin: bool = False,
    count: int = 120,
    pairs: int = 1_000,
    library: int = 0,
    seed: int = 1,
    progress: Progress | None = None,
) -> list[Table]:
    """Find texts and planted passages again, and count findings between unrelated texts.

    Parameters
    ----------
    chinese, english
        Folders of texts; those that have one name but for what stands around `__` are one text.
    hosts
        Folders of texts of another subject, Chinese and English; without one there are no such
        rows.
    year
        Only names that contain it.
    part
        `odd` or `even`: chapters with such a number.
    keep_latin
        Leave Latin words in Chinese texts; code is always taken out.
    count, pairs
        Planted passages of each row, and pairs of unrelated texts of each.
    library
        Texts of a library in which a third of the passages planted in texts of another subject is
        looked for; 0 for none.

    Returns
    -------
    list of Table
        Texts found again by the strongest passage, by words, by numbers and Latin words alone, by
        length; planted passages; findings between unrelated texts, sample essays among them;
        planted passages found in a library. Planted passages and findings by the words of a
        dictionary, and by vectors of sentences where these are installed.
    """
    texts = texts_of(chinese, english, year=year, part=part, keep_latin=keep_latin)
    if len(texts) < 3:
        raise BadInput("no_corpora", path=str(chinese))
    other = [hosts_of(folder, latin=row == 1 or keep_latin) for row, folder in enumerate(hosts)]
    run = _Run(progress or silent, shared_pool(), random.Random(seed))
    beads = [beads_of(one) for one in texts]
    tables = [
        Table("translated_texts", RETRIEVAL_COLUMNS, list(_retrieval(texts, run))),
        Table(
            "translated_planted", PLANTED_COLUMNS, list(_planted(texts, beads, other, count, run))
        ),
        Table("translated_false", FALSE_COLUMNS, list(_false(texts, other, pairs, run))),
    ]
    if library:
        rows = library_rows(run.planted, texts, other, size=library, draw=run.draw, step=run.step)
        tables.append(Table("translated_library", LIBRARY_COLUMNS, list(rows)))
    return tables


class _Run:
    """Aligns pairs of texts, and draws; `planted` are the passages in texts of another subject."""

    def __init__(self, step: Progress, pool: WorkerPool, draw: random.Random) -> None:
        self.step, self.pool, self.draw = step, pool, draw
        self.planted: list[Planted] = []
        self._texts: dict[str, tuple[Units, Vectors]] = {}

    @property
    def means(self) -> tuple[str, ...]:
        """By what passages are looked for."""
        return (WORDS, SENTENCES) if meaning_installed() else (WORDS,)

    def passages(
        self,
        chinese: Sequence[str],
        english: Sequence[str],
        pairs: Sequence[tuple[int, int]],
        means: str,
    ) -> Aligned:
        """Align some pairs (row of chinese, row of english) by words or by sentences."""
        if means == WORDS:
            return self.align(chinese, english, pairs)[0]
        rows, best = [], np.zeros(len(pairs), np.float32)
        for row, (i, j) in enumerate(pairs):
            self.step("meaning", row, len(pairs))
            (a, of_a), (b, of_b) = self._read(chinese[i]), self._read(english[j])
            aligned = align(of_a, of_b) if min(len(a), len(b)) >= FEWEST else None
            best[row] = aligned.best if aligned else 0.0
            for one in aligned.passages if aligned else ():
                a0, a1, b0, b1 = one.rect
                places = a.start[a0], a.end[a1 - 1], b.start[b0], b.end[b1 - 1]
                x0, x1, y0, y1 = map(int, places)
                rows.append(Passage(row, (x0, x1, y0, y1), one.score))
        return Aligned(rows, best)

    def _read(self, text: str) -> tuple[Units, Vectors]:
        """Return the units of a text and their vectors, which no batch makes less of."""
        if text not in self._texts:
            units = units_of(text)
            rows = UNIVERSAL.embed(units.sentences)
            self._texts[text] = units, Vectors(rows, units.script, np.zeros(len(units)))
        return self._texts[text]

    def align(
        self, chinese: Sequence[str], english: Sequence[str], pairs: Sequence[tuple[int, int]]
    ) -> tuple[Aligned, Stemmed]:
        """Align some pairs (row of chinese, row of english)."""
        documents = [Document.from_text(text, name="") for text in (*chinese, *english)]
        rows_a = range(len(chinese))
        rows_b = range(len(chinese), len(documents))
        stemmed = stems_of(documents, rows_a, rows_b, self.step)
        rows = np.array(pairs, np.int64).reshape(-1, 2) + np.array([0, len(chinese)], np.int64)
        return align_rows(rows, stemmed, pool=self.pool, step=self.step), stemmed


# --------------------------------------------------------------------------- whole texts


def _retrieval(texts: Sequence[Texts], run: _Run) -> Iterator[tuple[object, ...]]:
    """Yield a row for each direction."""
    n = len(texts)
    pairs = [(i, j) for i in range(n) for j in range(n)]
    aligned, stemmed = run.align([t.chinese for t in texts], [t.english for t in texts], pairs)
    strongest = aligned.best.reshape(n, n)
    likeness = recall_at_one(stemmed, [(len(t.chinese), len(t.english)) for t in texts])
    for direction, turn in (("zh_en", False), ("en_zh", True)):
        table = strongest.T if turn else strongest
        right = float((table.argmax(axis=1) == np.arange(n)).mean())
        yield Code(direction), n, round(right, 3), *(round(both[turn], 3) for both in likeness)


# --------------------------------------------------------------------------- planted passages


def _planted(
    texts: Sequence[Texts],
    beads: Sequence[Sequence[Bead]],
    other: Sequence[Sequence[str]],
    count: int,
    run: _Run,
) -> Iterator[tuple[object, ...]]:
    """Yield a row for each direction, host and length."""
    for direction, suspicious in (("zh_en", 0), ("en_zh", 1)):
        for host in ("subject", "same"):
            if host == "subject" and not other[suspicious]:
                continue
            for length in LENGTHS:
                cases = [
                    case
                    for _ in range(count)
                    if (
                        case := plant(
                            texts, beads, other[suspicious], host, length, suspicious, run.draw
                        )
                    )
                ]
                if cases:
                    name = f"{length[0]}–{length[1]}"
                    if host == "subject":
                        run.planted.append(Planted(suspicious, name, cases))
                    for means in run.means:
                        yield (
                            Code(direction),
                            Code(f"host_{host}"),
                            name,
                            Code(f"means_{means}"),
                            *_scored(cases, suspicious, run, means),
                        )


def _scored(cases: Sequence[Case], suspicious: int, run: _Run, means: str) -> tuple[object, ...]:
    hosts, sources = [case.host for case in cases], [case.source for case in cases]
    unique = list(dict.fromkeys(sources))
    at = [unique.index(source) for source in sources]
    rows = [(i, j) if suspicious == 0 else (j, i) for i, j in enumerate(at)]
    chinese, english = (hosts, unique) if suspicious == 0 else (unique, hosts)
    aligned = run.passages(chinese, english, rows, means)
    wanted = [
        Stretch(str(i), *case.in_host, str(i), *case.in_source) for i, case in enumerate(cases)
    ]
    found_at, marks = [], []
    for level in LEVELS[means]:
        detections = [
            Stretch(str(one.pair), *host, str(one.pair), *source)
            for one in aligned.passages
            if one.score >= level
            for host, source in [_turned(one.places, suspicious)]
        ]
        hit = {one.document for one in detections if _meets(one, wanted[int(one.document)])}
        found_at.append(round(len(hit) / len(cases), 3))
        marks.append(score(wanted, detections))
    first = marks[0]
    numbers = (*(mark.plagdet for mark in marks), first.recall, first.precision, first.granularity)
    return len(cases), *found_at, *(round(number, 3) for number in numbers)


def _turned(
    places: tuple[int, int, int, int], suspicious: int
) -> tuple[tuple[int, int], tuple[int, int]]:
    sides = places[:2], places[2:]
    return (sides[0], sides[1]) if suspicious == 0 else (sides[1], sides[0])


def _meets(one: Stretch, case: Stretch) -> bool:
    return (
        one.start < case.end
        and case.start < one.end
        and one.source_start < case.source_end
        and case.source_start < one.source_end
    )


# --------------------------------------------------------------------------- unrelated texts


def _false(
    texts: Sequence[Texts], other: Sequence[Sequence[str]], pairs: int, run: _Run
) -> Iterator[tuple[object, ...]]:
    """Yield a row for each kind of unrelated pairs."""
    chinese, english = [one.chinese for one in texts], [one.english for one in texts]
    kinds: list[tuple[str, Sequence[str], Sequence[str], bool]] = [
        ("host_texts", other[0], english, False),
        ("texts_host", chinese, other[1], False),
        ("same_subject", chinese, english, True),
    ]
    for name, left, right, same in kinds:
        possible = [
            (i, j)
            for i in range(len(left))
            for j in range(len(right))
            if not same or _apart(texts[i].name, texts[j].name)
        ]
        if possible:
            chosen = run.draw.sample(possible, min(pairs, len(possible)))
            for means in run.means:
                yield Code(name), Code(f"means_{means}"), *_counted(left, right, chosen, run, means)
    essays, _ = read(gather(samples()["essays"])[0])
    left = [essay.text for essay in essays if guess_language(essay.text).kind == "zh"]
    right = [essay.text for essay in essays if guess_language(essay.text).kind == "en"]
    both = [(i, j) for i in range(len(left)) for j in range(len(right))]
    for means in run.means:
        yield Code("essays"), Code(f"means_{means}"), *_counted(left, right, both, run, means)


def _apart(one: str, other: str) -> bool:
    """Whether two texts are of different chapters, or different at all where there are none."""
    chapters = [CHAPTER.search(name) for name in (one, other)]
    if chapters[0] and chapters[1]:
        return chapters[0][1] != chapters[1][1]
    return one != other


def _counted(
    left: Sequence[str],
    right: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    run: _Run,
    means: str,
) -> tuple[object, ...]:
    aligned = run.passages(left, right, pairs, means)
    cells: list[object] = [len(pairs)]
    for level in LEVELS[means]:
        over = int((aligned.best >= level).sum())
        cells += [over, round(1000 * over / max(len(pairs), 1), 1)]
    return (*cells, round(float(aligned.best.max(initial=0.0)), 1))


# ------------------------------------------------------------------ a library of thousands of texts


LIBRARY_COLUMNS = (
    "direction",
    "length",
    "cases",
    "library_texts",
    "found_told",
    "found_in_library",
)
PIECE = (1_000, 2_500)  # characters of a text of the library, Chinese and English
OF_CASES = 3  # one in so many planted passages is looked for in the library


class Planted(NamedTuple):
    """Passages of one length: planted in Chinese texts (0) or in English ones (1)."""

    side: int
    length: str
    cases: Sequence[Case]


def library_rows(
    groups: Sequence[Planted],
    texts: Sequence[Texts],
    other: Sequence[Sequence[str]],
    *,
    size: int,
    draw: random.Random,
    step: Progress,
) -> Iterator[tuple[object, ...]]:
    """Yield how many passages are found, by direction and length.

    The library holds the sources and pieces of texts of another subject, `size` texts in all.
    `found_told` are those found where the source is named.
    """
    for side, direction in enumerate(("zh_en", "en_zh")):
        mine = [
            Planted(side, one.length, one.cases[: max(1, len(one.cases) // OF_CASES)])
            for one in groups
            if one.side == side
        ]
        if not mine or not other[1 - side]:
            continue
        sources = [text.english if side == 0 else text.chinese for text in texts]
        pieces = _pieces(other[1 - side], PIECE[1 - side])
        pieces = draw.sample(pieces, min(len(pieces), max(size - len(sources), 0)))
        cases = [case for one in mine for case in one.cases]
        seen = _seen_in_library(cases, [*sources, *pieces], step)
        named = _seen_when_named(cases, side, step)
        first = 0
        for one in mine:
            rows = range(first, first + len(one.cases))
            first = rows.stop
            shares = (sum(row in hits for row in rows) / len(rows) for hits in (named, seen))
            counts = len(rows), len(sources) + len(pieces)
            yield Code(direction), one.length, *counts, *(round(share, 3) for share in shares)


def _pieces(texts: Sequence[str], length: int) -> list[str]:
    """Return texts cut into pieces of one length, the rest left out."""
    return [
        text[low : low + length]
        for text in texts
        for low in range(0, len(text) - length + 1, length)
    ]


def _seen_in_library(cases: Sequence[Case], held: Sequence[str], step: Progress) -> set[int]:
    """Return the cases whose passage is found in a library of these texts."""
    with Library.in_memory() as library:
        library.add("texts", [NewText(Document.from_text(text)) for text in held])
        documents = [Document.from_text(case.host) for case in cases]
        translations = archive_translations(
            documents,
            library,
            collections=None,
            settings=Settings(translated=True),
            by_author=False,
            step=step,
        )
        keys = [library.keys_of(Document.from_text(case.source).id) for case in cases]
    return {
        row
        for row, key, *places, _ in translations.rows
        if key in keys[row] and _touches(cases[row], places)
    }


def _seen_when_named(cases: Sequence[Case], side: int, step: Progress) -> set[int]:
    """Return the cases whose passage is found between host and source alone."""
    documents = [Document.from_text(text) for case in cases for text in (case.host, case.source)]
    hosts, sources = range(0, len(documents), 2), range(1, len(documents), 2)
    chinese, english = (hosts, sources) if side == 0 else (sources, hosts)
    stemmed = stems_of(documents, chinese, english, step)
    pairs = np.stack([np.array(chinese), np.array(english)], axis=1).astype(np.int64)
    aligned = align_rows(pairs, stemmed, pool=shared_pool(), step=step)
    return {
        one.pair
        for one in aligned.passages
        if _touches(cases[one.pair], one.places if side == 0 else one.places[2:] + one.places[:2])
    }


def _touches(case: Case, places: Sequence[int]) -> bool:
    """Whether places of a host and a source touch what was planted."""
    a0, a1, b0, b1 = places
    in_host = a0 < case.in_host[1] and case.in_host[0] < a1
    return in_host and b0 < case.in_source[1] and case.in_source[0] < b1
