"""Possible translations for a reader: which pairs, their paragraphs, and the words that answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..model import I64, Document, StemmedText, report_nothing
from ..result import Meanings
from .align import answers, pair_of
from .search import stems_of

_EMPTY_LINE, _LINE = re.compile(r"\n\s*\n"), re.compile(r"\n")

Span = tuple[int, int]


class WordAnswer(NamedTuple):
    """A word of each text, and what both stand for by the dictionary."""

    a: Span
    b: Span
    stem: str


class ParagraphRow(NamedTuple):
    """Paragraphs that stand beside each other; a span is empty where nothing does."""

    a: Span
    b: Span


@dataclass(frozen=True, slots=True)
class TranslatedPassage:
    """A passage in two languages: both spans, its paragraphs and its words, and its chance."""

    a: Span
    b: Span
    rows: tuple[ParagraphRow, ...]
    words: tuple[WordAnswer, ...]
    chance: float


def translated_passages(
    a: Document, b: Document, meanings: Meanings, rows: Sequence[int], *, turned: bool = False
) -> list[TranslatedPassage]:
    """Return passages of a Chinese and an English text with the words that answer each other.

    Parameters
    ----------
    rows
        Of `meanings`, where the left text is a; b where `turned`.
    """
    read = _Reader(a, b)
    passages = []
    for row in rows:
        spans = (
            (int(meanings.a_start[row]), int(meanings.a_end[row])),
            (int(meanings.b_start[row]), int(meanings.b_end[row])),
        )
        span_a, span_b = spans[::-1] if turned else spans
        words = read.answers(span_a, span_b)
        beside = tuple(_beside(a.text, b.text, span_a, span_b, words))
        chance = float(meanings.chance[row])
        passages.append(TranslatedPassage(span_a, span_b, beside, tuple(words), chance))
    return sorted(passages, key=lambda one: one.a)


class _Reader:
    """The stems of both texts, each read as Chinese and as English where it may be either."""

    def __init__(self, a: Document, b: Document) -> None:
        self._documents = (a, b)

    def answers(self, a: Span, b: Span) -> list[WordAnswer]:
        """Return the words of two spans that answer each other, whichever is Chinese."""
        first = self._one_way(0, a, b)
        second = self._one_way(1, b, a)
        if len(second) > len(first):
            return [WordAnswer(one.b, one.a, one.stem) for one in second]
        return first

    def _one_way(self, chinese: int, a: Span, b: Span) -> list[WordAnswer]:
        """Return the same where the Chinese text is the first or the second document."""
        stemmed = stems_of(self._documents, [chinese], [1 - chinese], report_nothing)
        left, right = stemmed.chinese[chinese], stemmed.english[1 - chinese]
        rect = np.array([*_words_in(left, a), *_words_in(right, b)], np.int64)
        if rect[1] <= rect[0] or rect[3] <= rect[2]:
            return []
        pair = pair_of(left, right, stemmed.rates)
        return [
            WordAnswer(
                (int(left.start[one.a]), int(left.end[one.a])),
                (int(right.start[one.b]), int(right.end[one.b])),
                stemmed.stems[one.stem].removeprefix("#"),
            )
            for one in answers(pair, rect)
        ]


def _words_in(text: StemmedText, span: Span) -> tuple[int, int]:
    """Return the words that lie in a range of code points."""
    low = int(np.searchsorted(text.start, span[0]))
    return low, max(low, int(np.searchsorted(text.end, span[1], side="right")))


def _beside(
    text_a: str, text_b: str, a: Span, b: Span, words: Sequence[WordAnswer]
) -> list[ParagraphRow]:
    """Set paragraphs beside each other, in order, so that most words answer within a row.

    Each paragraph of b goes to one of a, none before the one of its predecessor: the best such
    way by the number of answers. A paragraph of a that is left joins the neighbour whose
    counterpart answers it, and stands alone where neither does.
    """
    parts_a, parts_b = _paragraphs(text_a, a), _paragraphs(text_b, b)
    links = np.zeros((len(parts_b), len(parts_a)), np.int64)
    starts_a, starts_b = ([part[0] for part in parts] for parts in (parts_a, parts_b))
    for one in words:
        row = int(np.searchsorted(starts_b, one.b[0], side="right")) - 1
        column = int(np.searchsorted(starts_a, one.a[0], side="right")) - 1
        links[max(row, 0), max(column, 0)] += 1
    rows: list[ParagraphRow] = []
    for columns, answering in _grouped(links):
        beside = (parts_b[answering[0]][0], parts_b[answering[-1]][1]) if answering else (0, 0)
        rows.append(ParagraphRow((parts_a[columns[0]][0], parts_a[columns[-1]][1]), beside))
    return rows


def _grouped(links: I64) -> list[tuple[list[int], list[int]]]:
    """Return which columns and which rows of the links stand beside each other, in order."""
    chosen = _monotone(links)
    groups: list[tuple[list[int], list[int]]] = []
    for column in range(links.shape[1]):
        answering = [row for row, at in enumerate(chosen) if at == column]
        before = groups[-1][1] if groups else []
        if not answering and before and links[before, column].any():
            groups[-1][0].append(column)
        elif answering and groups and not before and links[answering][:, groups[-1][0]].any():
            groups[-1] = ([*groups[-1][0], column], answering)
        else:
            groups.append(([column], answering))
    return groups


def _monotone(links: I64) -> list[int]:
    """Return a column for each row, never falling, with the greatest sum."""
    total = np.zeros(links.shape, np.int64)
    for row in range(len(links)):
        before = np.maximum.accumulate(total[row - 1]) if row else 0
        total[row] = links[row] + before
    chosen, limit = [0] * len(links), links.shape[1]
    for row in range(len(links) - 1, -1, -1):
        chosen[row] = int(np.argmax(total[row, :limit]))
        limit = chosen[row] + 1
    return chosen


def _paragraphs(text: str, span: Span) -> list[Span]:
    """Return the paragraphs of a range: what empty lines part, or lines in a text without any."""
    apart = _EMPTY_LINE if _EMPTY_LINE.search(text) else _LINE
    places = [span[0], *(match.end() for match in apart.finditer(text, *span)), span[1]]
    parts = [(low, text[low:high]) for low, high in pairwise(places)]
    return [
        (low + len(part) - len(part.lstrip()), low + len(part.rstrip()))
        for low, part in parts
        if part.strip()
    ]
