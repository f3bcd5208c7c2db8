"""Texts in two languages: read from folders, their paragraphs aligned, passages of them planted.

They are read as prose: without code, addresses and Latin words.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...model import ASCII, F64, Document, StemmedText
from ...text.language import guess_language
from ...translations.search import Stemmed, stems_of

# --------------------------------------------------------------------------- folders of texts


HOST = (1_000, 6_000)  # characters of a Chinese host, four times as many of an English one
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`|<[^>\n]*>|\{\{[^}]*\}\}", re.M | re.S)
_LINK = re.compile(r"\]\([^)]*\)|\]\[[^\]]*\]|^\[[^\]]*\]:.*$", re.M)
_LATIN = re.compile(r"[A-Za-z][\w'’.:/+-]*")
CHAPTER = re.compile(r"ch(\d+)")


class Texts(NamedTuple):
    """A text in both languages."""

    name: str
    chinese: str
    english: str


@dataclass(frozen=True, slots=True)
class Case:
    """One planted passage: a host text, the whole source text, and where both hold it."""

    host: str
    source: str
    in_host: tuple[int, int]
    in_source: tuple[int, int]


def texts_of(
    chinese: Path, english: Path, *, year: str, part: str, keep_latin: bool
) -> list[Texts]:
    """Return the texts that both folders hold, without code."""
    read: list[dict[str, str]] = []
    for folder in (chinese, english):
        held: dict[str, str] = {}
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".md", ".txt") and year in path.name and _in_part(path.name, part):
                held.setdefault(_key(path), path.read_text("utf-8", errors="replace"))
        read.append(held)
    return [
        Texts(name, prose(read[0][name], latin=keep_latin), prose(read[1][name], latin=True))
        for name in sorted(read[0].keys() & read[1].keys())
        if len(prose(read[0][name], latin=keep_latin)) >= HOST[0] // 2
    ]


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


def _key(path: Path) -> str:
    """Return what a text is called in both languages: `kaisery__ch01__2022` is `ch01`."""
    parts = path.stem.split("__")
    name = parts[1] if len(parts) > 2 else parts[0]
    return name.rpartition("src_")[2]


def _in_part(name: str, part: str) -> bool:
    if part == "all":
        return True
    chapter = CHAPTER.search(name)
    return chapter is not None and int(chapter[1]) % 2 == (part == "odd")


# ----------------------------------------------------------------------- a text and its translation


RATIO = 0.30  # Han characters for a character of English
SURE = 0.22  # share of matched words from which paragraphs are one
_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_MOVES = ((1, 1), (1, 2), (2, 1), (1, 0), (0, 1))


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


def recall_at_one(
    stemmed: Stemmed, lengths: Sequence[tuple[int, int]]
) -> list[tuple[float, float]]:
    """Return how often a text's own translation is the most alike: from Chinese, from English.

    By words (cosine of tf-idf), by numbers and Latin words alone, by length. Ties with the right
    one count as missed.
    """
    chinese, english = list(stemmed.chinese.values()), list(stemmed.english.values())
    stems = len(stemmed.rates.chinese)
    tables = []
    for kinds in (0, ASCII):
        a = np.stack([_counts(text, stems, kinds) for text in chinese])
        b = np.stack([_counts(text, stems, kinds) for text in english])
        held = ((a > 0).sum(axis=0) + (b > 0).sum(axis=0)).astype(np.float64)
        weight = np.log(1 + 2 * len(a) / np.maximum(held, 1))
        tables.append(_cosines(np.log1p(a) * weight, np.log1p(b) * weight))
    sizes = np.array(lengths, np.float64)
    usual = np.median(np.log(sizes[:, 0] / sizes[:, 1]))
    ratio = np.log(sizes[:, 0])[:, None] - np.log(sizes[:, 1])[None, :]
    tables.append(-np.abs(ratio - usual))
    return [(_right(table), _right(table.T)) for table in tables]


def _counts(text: StemmedText, stems: int, kinds: int) -> F64:
    """Return how often a text offers each stem; with `kinds`, only words of these kinds."""
    weight = np.repeat((text.kind & kinds > 0) | (kinds == 0), np.diff(text.indptr))
    counts = np.bincount(text.stem, weights=weight.astype(np.float64), minlength=stems)
    return counts.astype(np.float64)


def _cosines(a: F64, b: F64) -> F64:
    lengths = [np.maximum(np.linalg.norm(x, axis=1), 1e-12) for x in (a, b)]
    return np.asarray((a @ b.T) / lengths[0][:, None] / lengths[1][None, :])


def _right(table: NDArray[np.float64]) -> float:
    right = np.diag(table).copy()
    others = table.copy()
    np.fill_diagonal(others, -np.inf)
    return float((right > others.max(axis=1)).mean())


# --------------------------------------------------------------------------- planted passages


def beads_of(texts: Texts) -> list[Bead]:
    """Return the aligned paragraphs of a text in both languages."""
    return aligned_paragraphs(paragraphs(texts.chinese), paragraphs(texts.english))


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
