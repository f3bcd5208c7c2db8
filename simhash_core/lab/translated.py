"""Translated passages planted in other texts: what the search for translations makes of them.

The texts of two folders that have one name are translations of each other; they are read as prose:
without code, addresses and Latin words. Their paragraphs are aligned, by length and by the
dictionary that the search uses too; passages of aligned paragraphs are planted in texts of another
subject and in other texts of the same folder.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..checking import check, gather, read, samples
from ..errors import BadInput
from ..machine.workers import shared_pool
from ..meaning.align import FEWEST, Vectors, align
from ..meaning.units import Units, units_of
from ..meaning.vectors import UNIVERSAL, meaning_installed
from ..model import Document, Progress, StemmedText, report_nothing
from ..policy import MEANING_SCORE, TRANSLATED_SCORE
from ..result import meanings_shown
from ..seen.meanings import SENTENCES, WORDS
from ..settings import Settings
from ..text.language import guess_language
from ..translations.search import Aligned, Passage, align_rows, stems_of
from . import Code, Table
from .pan import Stretch, meets, score

LENGTHS = ((80, 120), (180, 220), (360, 440), (700, 900))  # Han of a planted passage
#: score of a finding: by the words of a dictionary, by vectors of sentences
LEVELS = {WORDS: TRANSLATED_SCORE, SENTENCES: MEANING_SCORE}
PLANTED_COLUMNS = (
    *("direction", "host", "length", "means", "cases"),
    *("found_planted", "plagdet", "recall", "precision", "granularity"),
)
FALSE_COLUMNS = ("pairs_of", "means", "pairs", "with_finding", "per_1000", "most")
CHECK_COLUMNS = ("means", "cases", "found_planted", "others")
IN_ONE_CHECK, OF_LENGTH = 60, (200, 320)  # planted passages, and Han of each
HOST = (1_000, 6_000)  # characters of a Chinese host, four times as many of an English one
RATIO = 0.30  # Han characters for a character of English
SURE = 0.22  # share of matched words from which paragraphs are one
CHAPTER = re.compile(r"ch(\d+)")
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`|<[^>\n]*>|\{\{[^}]*\}\}", re.M | re.S)
_LINK = re.compile(r"\]\([^)]*\)|\]\[[^\]]*\]|^\[[^\]]*\]:.*$", re.M)
_LATIN = re.compile(r"[A-Za-z][\w'’.:/+-]*")
_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_MOVES = ((1, 1), (1, 2), (2, 1), (1, 0), (0, 1))


def evaluate_translated(
    chinese: Path,
    english: Path,
    *,
    hosts: Path | None = None,
    hosts_english: Path | None = None,
    year: str = "",
    part: str = "all",
    count: int = 120,
    pairs: int = 1_000,
    seed: int = 1,
    progress: Progress = report_nothing,
) -> list[Table]:
    """Find planted passages again, and count findings between unrelated texts.

    Parameters
    ----------
    chinese, english
        Folders of texts; those that have one name but for what stands around `__` are one text.
    hosts, hosts_english
        Folders of texts of another subject; without one there are no such rows.
    year
        Only names that contain it.
    part
        `odd` or `even`: chapters with such a number.
    count, pairs
        Planted passages of each row, and pairs of unrelated texts of each.

    Returns
    -------
    list of Table
        Planted passages, findings between unrelated texts, sample essays among them, and one check
        of `IN_ONE_CHECK` planted texts and their sources: by the words of a dictionary, and by
        vectors of sentences where these are installed.
    """
    texts = texts_of(chinese, english, year=year, part=part)
    if len(texts) < 3:
        raise BadInput("no_corpora", path=str(chinese))
    other = [hosts_of(hosts, latin=False), hosts_of(hosts_english, latin=True)]
    run, draw = _Aligner(progress), random.Random(seed)
    beads = [aligned_paragraphs(paragraphs(one.chinese), paragraphs(one.english)) for one in texts]
    planted = list(_planted(texts, beads, other, count, run, draw))
    false = list(_false(texts, other, pairs, run, draw))
    checked = list(_in_one_check(texts, beads, other[0], run.means, draw))
    return [
        Table("translated_planted", PLANTED_COLUMNS, planted),
        Table("translated_false", FALSE_COLUMNS, false),
        Table("translated_check", CHECK_COLUMNS, checked),
    ]


# --------------------------------------------------------------------------- folders of texts


class Texts(NamedTuple):
    """A text in both languages."""

    name: str
    chinese: str
    english: str


class Case(NamedTuple):
    """One planted passage: a host text, the whole source text, and where both hold it."""

    host: str
    source: str
    in_host: tuple[int, int]
    in_source: tuple[int, int]


def texts_of(chinese: Path, english: Path, *, year: str, part: str) -> list[Texts]:
    """Return the texts that both folders hold, without code, the Chinese without Latin words."""
    read: list[dict[str, str]] = []
    for folder in (chinese, english):
        held: dict[str, str] = {}
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".md", ".txt") and year in path.name and _in_part(path.name, part):
                parts = path.stem.split("__")  # `kaisery__ch01__2022` is `ch01` in both languages
                name = (parts[1] if len(parts) > 2 else parts[0]).rpartition("src_")[2]
                held.setdefault(name, path.read_text("utf-8", errors="replace"))
        read.append(held)
    both = [
        Texts(name, prose(read[0][name], latin=False), prose(read[1][name], latin=True))
        for name in sorted(read[0].keys() & read[1].keys())
    ]
    return [one for one in both if len(one.chinese) >= HOST[0] // 2]


def hosts_of(folder: Path | None, *, latin: bool) -> list[str]:
    """Return texts of another subject that are about as long as a hand-in."""
    if folder is None:
        return []
    texts = []
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".md", ".txt"):
            text = prose(path.read_text("utf-8", errors="replace"), latin=latin)
            times = 1 if guess_language(text).kind == "zh" else 4
            if len(text) >= times * HOST[0]:
                texts.append(text[: times * HOST[1]])
    return texts


def prose(text: str, *, latin: bool) -> str:
    """Return a text without code and addresses, and without Latin words unless `latin`."""
    bare = _LINK.sub("]", _CODE.sub(" ", text))
    return bare if latin else _LATIN.sub("", bare)


def _in_part(name: str, part: str) -> bool:
    if part == "all":
        return True
    chapter = CHAPTER.search(name)
    return chapter is not None and int(chapter[1]) % 2 == (part == "odd")


# ----------------------------------------------------------------------- a text and its translation


class Paragraph(NamedTuple):
    """One paragraph and where it stands."""

    text: str
    start: int
    end: int


class Bead(NamedTuple):
    """Paragraphs that are one in both languages: their places, numbers and Han characters."""

    chinese: tuple[int, int]
    english: tuple[int, int]
    rows: tuple[int, int, int, int]
    han: int

    def joins(self, other: Bead) -> bool:
        """Whether another bead follows on both sides."""
        return self.rows[1] == other.rows[0] and self.rows[3] == other.rows[2]


def paragraphs(text: str) -> list[Paragraph]:
    """Return the paragraphs of a text: what empty lines part."""
    return [
        Paragraph(match[0].rstrip(), match.start(), match.start() + len(match[0].rstrip()))
        for match in _PARAGRAPH.finditer(text)
    ]


def aligned_paragraphs(a: Sequence[Paragraph], b: Sequence[Paragraph]) -> list[Bead]:
    """Return which paragraphs are one, in order: by matched words, and by length.

    The best path over one to one, one to two, two to one and left out; paragraphs that match too
    little are no bead.
    """
    if not a or not b:
        return []
    documents = [Document.from_text(one.text) for one in (*a, *b)]
    rows_b = range(len(a), len(documents))
    stemmed = stems_of(documents, range(len(a)), rows_b, lambda *_: None)
    chinese = [stemmed.chinese[row] for row in range(len(a))]
    english = [stemmed.english[row] for row in rows_b]
    best, came = np.full((len(a) + 1, len(b) + 1), -math.inf), {}
    best[0, 0] = 0.0
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            for di, dj in _MOVES:
                if i >= di and j >= dj and abs((i / len(a)) - (j / len(b))) < 0.3:
                    gain = _gain(chinese, english, a, b, (i - di, i, j - dj, j))
                    if best[i - di, j - dj] + gain > best[i, j]:
                        best[i, j], came[i, j] = best[i - di, j - dj] + gain, (di, dj)
    beads, i, j = [], len(a), len(b)
    while (i, j) in came:
        di, dj = came[i, j]
        low, high = i - di, j - dj
        if di and dj and _matched(chinese[low:i], english[high:j]) >= SURE:
            span_a, span_b = (a[low].start, a[i - 1].end), (b[high].start, b[j - 1].end)
            han = sum(len(_HAN.findall(one.text)) for one in a[low:i])
            beads.append(Bead(span_a, span_b, (low, i, high, j), han))
        i, j = low, high
    return beads[::-1]


def _gain(
    chinese: Sequence[StemmedText],
    english: Sequence[StemmedText],
    a: Sequence[Paragraph],
    b: Sequence[Paragraph],
    rows: tuple[int, int, int, int],
) -> float:
    """Return what taking some paragraphs for one is worth."""
    i0, i1, j0, j1 = rows
    if i0 == i1 or j0 == j1:
        return -0.5
    words = sum(map(len, chinese[i0:i1])) + sum(map(len, english[j0:j1]))
    longer = sum(len(one.text) for one in a[i0:i1]) + 3
    ratio = math.log(longer / (RATIO * sum(len(one.text) for one in b[j0:j1]) + 3))
    matched = _matched(chinese[i0:i1], english[j0:j1])
    return math.sqrt(words + 1) * (matched - SURE - 0.1 * min(abs(ratio), 2.0)) - 0.3 * (
        i1 - i0 + j1 - j0 - 2
    )


def _matched(chinese: Sequence[StemmedText], english: Sequence[StemmedText]) -> float:
    """Return the share of words of both sides that the other offers."""
    offered = {stem for text in chinese for stem in text.stem.tolist()}
    held = {stem for text in english for stem in text.stem.tolist()}
    words = matched = 0
    for text in chinese:
        words += len(text)
        stems = text.stem.tolist()
        for low, high in zip(text.indptr[:-1].tolist(), text.indptr[1:].tolist(), strict=True):
            matched += any(stem in held for stem in stems[low:high])
    for text in english:
        words += len(text)
        matched += sum(stem in offered for stem in text.stem.tolist())
    return matched / words if words else 0.0


# --------------------------------------------------------------------------- planted passages


def plant(
    texts: Sequence[Texts],
    beads: Sequence[Sequence[Bead]],
    other: Sequence[str],
    host: str,
    length: tuple[int, int],
    suspicious: int,
    draw: random.Random,
) -> Case | None:
    """Plant one passage; None where no text has one of that length.

    Parameters
    ----------
    beads
        Aligned paragraphs of each text.
    other
        Texts of another subject, in the language of those that are planted in.
    host
        `subject`: plant in one of these; else in a text of another chapter.
    length
        Han characters, at least and at most.
    suspicious
        0: plant Chinese in Chinese, 1: English in English.
    """
    for _ in range(200):
        row = draw.randrange(len(texts))
        run = _run_of(beads[row], length, draw)
        if run is None:
            continue
        spans = run[0].chinese[0], run[-1].chinese[1], run[0].english[0], run[-1].english[1]
        sides = (texts[row].chinese, spans[:2]), (texts[row].english, spans[2:])
        whole = draw.choice(other) if host == "subject" else _another(texts, row, suspicious, draw)
        places = [0, *accumulate(len(part) for part in re.split(r"(?<=\n)", whole))]
        at = draw.choice(places)
        planted = sides[suspicious][0][slice(*sides[suspicious][1])]
        text = f"{whole[:at]}\n\n{planted}\n\n{whole[at:]}"
        source, in_source = sides[1 - suspicious]
        return Case(text, source, (at + 2, at + 2 + len(planted)), in_source)
    return None


def _another(texts: Sequence[Texts], row: int, side: int, draw: random.Random) -> str:
    """Return a text of the same folder on another matter: of another chapter where there are."""
    mine = CHAPTER.search(texts[row].name)
    others = [
        text
        for text in texts
        if text.name != texts[row].name
        and (mine is None or mine[0] != getattr(CHAPTER.search(text.name), "group", str)())
    ]
    chosen = draw.choice(others)
    return chosen.english[: 4 * HOST[1]] if side else chosen.chinese[: HOST[1]]


def _run_of(
    beads: Sequence[Bead], length: tuple[int, int], draw: random.Random
) -> list[Bead] | None:
    """Return neighbouring aligned paragraphs with so many Han together, None for none."""
    starts = list(range(len(beads)))
    draw.shuffle(starts)
    for start in starts:
        run: list[Bead] = []
        for bead in beads[start:]:
            if run and not run[-1].joins(bead):
                break
            run.append(bead)
            han = sum(one.han for one in run)
            if length[0] <= han <= length[1]:
                return run
            if han > length[1]:
                break
    return None


class _Aligner:
    """Aligns pairs of texts by words or by sentences; what it read of a text it keeps."""

    def __init__(self, step: Progress) -> None:
        self.step = step
        self.means = (WORDS, SENTENCES) if meaning_installed() else (WORDS,)
        self._texts: dict[str, tuple[Units, Vectors]] = {}

    def passages(
        self,
        chinese: Sequence[str],
        english: Sequence[str],
        pairs: Sequence[tuple[int, int]],
        means: str,
    ) -> Aligned:
        """Align some pairs (row of chinese, row of english)."""
        if means == SENTENCES:
            return self._by_sentences(chinese, english, pairs)
        n = len(chinese)
        documents = [Document.from_text(text, name="") for text in (*chinese, *english)]
        stemmed = stems_of(documents, range(n), range(n, len(documents)), self.step)
        rows = np.array(pairs, np.int64).reshape(-1, 2) + np.array([0, n], np.int64)
        return align_rows(rows, stemmed, pool=shared_pool(), step=self.step)

    def _by_sentences(
        self, chinese: Sequence[str], english: Sequence[str], pairs: Sequence[tuple[int, int]]
    ) -> Aligned:
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


def _planted(
    texts: Sequence[Texts],
    beads: Sequence[Sequence[Bead]],
    other: Sequence[Sequence[str]],
    count: int,
    run: _Aligner,
    draw: random.Random,
) -> Iterator[tuple[object, ...]]:
    """Yield a row for each direction, host and length."""
    for direction, suspicious in (("zh_en", 0), ("en_zh", 1)):
        for host in ("subject", "same"):
            if host == "subject" and not other[suspicious]:
                continue
            for length in LENGTHS:
                made = (
                    plant(texts, beads, other[suspicious], host, length, suspicious, draw)
                    for _ in range(count)
                )
                cases = [case for case in made if case]
                name = f"{length[0]}–{length[1]}"
                for means in run.means if cases else ():
                    codes = Code(direction), Code(f"host_{host}"), name, Code(f"means_{means}")
                    yield *codes, *_scored(cases, suspicious, run, means)


def _scored(
    cases: Sequence[Case], suspicious: int, run: _Aligner, means: str
) -> tuple[object, ...]:
    hosts, sources = [case.host for case in cases], [case.source for case in cases]
    unique = list(dict.fromkeys(sources))
    at = [unique.index(source) for source in sources]
    rows = [(i, j) if suspicious == 0 else (j, i) for i, j in enumerate(at)]
    chinese, english = (hosts, unique) if suspicious == 0 else (unique, hosts)
    aligned = run.passages(chinese, english, rows, means)
    wanted = [
        Stretch(str(i), *case.in_host, str(i), *case.in_source) for i, case in enumerate(cases)
    ]
    detections = []
    for one in aligned.passages:
        sides = one.places[:2], one.places[2:]
        host, source = sides[::-1] if suspicious else sides
        if one.score >= LEVELS[means]:
            detections.append(Stretch(str(one.pair), *host, str(one.pair), *source))
    hit = {one.document for one in detections if meets(one, wanted[int(one.document)])}
    numbers = (len(hit) / len(cases), *score(wanted, detections))
    return len(cases), *(round(number, 3) for number in numbers)


# --------------------------------------------------------------------------- unrelated texts


def _false(
    texts: Sequence[Texts],
    other: Sequence[Sequence[str]],
    pairs: int,
    run: _Aligner,
    draw: random.Random,
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
            chosen = draw.sample(possible, min(pairs, len(possible)))
            for means in run.means:
                yield Code(name), Code(f"means_{means}"), *_tally(left, right, chosen, run, means)
    essays, _ = read(gather(samples()["essays"])[0])
    left = [essay.text for essay in essays if guess_language(essay.text).kind == "zh"]
    right = [essay.text for essay in essays if guess_language(essay.text).kind == "en"]
    both = [(i, j) for i in range(len(left)) for j in range(len(right))]
    for means in run.means:
        yield Code("essays"), Code(f"means_{means}"), *_tally(left, right, both, run, means)


def _apart(one: str, other: str) -> bool:
    """Whether two texts are of different chapters, or different at all where there are none."""
    chapters = [CHAPTER.search(name) for name in (one, other)]
    if chapters[0] and chapters[1]:
        return chapters[0][1] != chapters[1][1]
    return one != other


def _tally(
    left: Sequence[str],
    right: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    run: _Aligner,
    means: str,
) -> tuple[object, ...]:
    aligned = run.passages(left, right, pairs, means)
    over = int((aligned.best >= LEVELS[means]).sum())
    per_1000 = round(1000 * over / max(len(pairs), 1), 1)
    return len(pairs), over, per_1000, round(float(aligned.best.max(initial=0.0)), 1)


# --------------------------------------------------------------------------- in one check


def _in_one_check(
    texts: Sequence[Texts],
    beads: Sequence[Sequence[Bead]],
    hosts: Sequence[str],
    means: Sequence[str],
    draw: random.Random,
) -> Iterator[tuple[object, ...]]:
    """Yield a row for each means: which of the planted texts a check lists with their sources."""
    chosen = draw.sample(hosts, min(len(hosts), IN_ONE_CHECK))
    made = (plant(texts, beads, [host], "subject", OF_LENGTH, 0, draw) for host in chosen)
    cases = [case for case in made if case]
    sources = list(dict.fromkeys(case.source for case in cases))
    every = [*(case.host for case in cases), *sources]
    documents = [Document.from_text(text, name=str(row)) for row, text in enumerate(every)]
    true = {(row, len(cases) + sources.index(case.source)) for row, case in enumerate(cases)}
    for one in means if cases else ():
        settings = Settings(translated=True, meaning="on" if one == SENTENCES else "off")
        meanings = meanings_shown(check(documents, settings=settings))
        assert meanings is not None  # they are asked for
        listed = {pair for pair in meanings.pairs() if pair[0] < len(cases) <= pair[1]}
        yield Code(f"means_{one}"), len(cases), len(true & listed), len(listed - true)
