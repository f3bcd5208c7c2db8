"""A text in two languages: its paragraphs aligned, and whole texts found by simple likeness."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model import ASCII, F64, Document, StemmedText
from ..translations.search import Stemmed, stems_of

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
