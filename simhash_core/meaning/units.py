"""A text as units of meaning: sentences, long ones cut at clauses, short ones joined."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from ..model import I32, U8
from ..policy import MEANING_UNIT
from ..text.characters import HAN

#: tenths of a word that a Han character says, as in `text.language`
_HAN_TENTHS, _WORD_TENTHS = 6, 10
_LEAST, _MOST = (10 * words for words in MEANING_UNIT)  # tenths of a word
_GOAL = 0.75  # of the longest unit: what a long sentence is cut into
_KEPT = 0.6  # of the shortest unit: what is shorter says too little

_WORD = re.compile(rf"[{HAN}]|(?:(?![{HAN}])[^\W_])+(?:['’][^\W_]+)*")
_END = re.compile(r"[。！？!?；;…]+[”’」』\"）)\]]*|[.]+[\"”’)\]]*(?=\s|$)|\n\s*")
_CLAUSE = re.compile(r"[，,：:、—]+[\"”’」』)]*\s*")
_PARAGRAPH = re.compile(r"\n\s*\n")
#: a line end inside a paragraph that was broken by its width
_WRAP = re.compile(r"(?<=[^\n.!?。！？:：\r])\r?\n(?=[A-Za-z0-9(\"'_`])")
_WRAPPED = (45, 110)  # characters of such a line

LATIN, CHINESE, KANA, OTHER = range(4)  # scripts of a unit
_HAN_SHARE, _KANA_SHARE, _OTHER_SHARE = 0.15, 0.1, 0.3
_HAN = re.compile(f"[{HAN}]")
_KANA, _OTHERS = re.compile("[\u3040-\u30ff]"), re.compile("[\u0370-\u1cff\uac00-\ud7a3]")

Part = tuple[int, int, int]  # start, end, tenths of a word


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """The units of one text.

    Attributes
    ----------
    start, end : int32 (n,)
        Half-open code-point ranges, sorted and disjoint.
    script : uint8 (n,)
        `LATIN`, `CHINESE`, `KANA` or `OTHER`.
    sentences : tuple of str
        What is read of each: line ends are blanks.
    """

    start: I32
    end: I32
    script: U8
    sentences: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.start)


def units_of(text: str) -> Units:
    """Cut a text into units of about 8 to 48 words; a Han character is .6 of a word.

    Notes
    -----
    Line ends of paragraphs that were broken by their width are blanks: else every unit of such a
    text is half a sentence. Text of fewer than five words between two empty lines is no unit.
    """
    flowing = _WRAP.sub(_as_blank, text)
    words = _Words(flowing)
    spans = [
        _trimmed(flowing, low, high)
        for low, high, size in _join_parts(flowing, list(_parts(flowing, words)))
        if size >= _KEPT * _LEAST
    ]
    places = np.array(spans, np.int32).reshape(-1, 2)
    sentences = tuple(" ".join(flowing[low:high].split()) for low, high in spans)
    return Units(places[:, 0].copy(), places[:, 1].copy(), scripts_of(sentences), sentences)


def size_of(text: str) -> float:
    """Return the words of a text, where a Han character is .6 of one."""
    return _Words(text).within(0, len(text)) / _WORD_TENTHS


def scripts_of(sentences: Sequence[str]) -> U8:
    """Return the script of each sentence, uint8 (n,), as `script_of` does."""
    return np.array([script_of(one) for one in sentences], np.uint8)


def script_of(sentence: str) -> int:
    """Return the script that a sentence is written in; Japanese is `KANA`."""
    if sentence.isascii():
        return LATIN
    length = len(sentence)
    if len(_KANA.findall(sentence)) > _KANA_SHARE * length:
        return KANA
    if len(_HAN.findall(sentence)) > _HAN_SHARE * length:
        return CHINESE
    return OTHER if len(_OTHERS.findall(sentence)) > _OTHER_SHARE * length else LATIN


class _Words:
    """How many tenths of a word lie before each place of a text."""

    def __init__(self, text: str) -> None:
        words = [(match.start(), match.end() - match.start()) for match in _WORD.finditer(text)]
        self._starts = [start for start, _ in words]
        tenths = (
            _HAN_TENTHS if length == 1 and text[start] >= "\u3007" else _WORD_TENTHS
            for start, length in words
        )
        self._before = list(accumulate(tenths, initial=0))

    def within(self, low: int, high: int) -> int:
        return (
            self._before[bisect_left(self._starts, high)]
            - (self._before[bisect_left(self._starts, low)])
        )


def _as_blank(match: re.Match[str]) -> str:
    """Return a line end as it is, or as blanks where its line was broken by its width."""
    start = match.start()
    length = start - match.string.rfind("\n", max(0, start - _WRAPPED[1] - 2), start) - 1
    inside = _WRAPPED[0] <= length <= _WRAPPED[1]
    return " " * len(match[0]) if inside else match[0]


def _cut(text: str, low: int, high: int, mark: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a range that end with a mark, and the last one."""
    at = low
    for match in mark.finditer(text, low, high):
        yield at, match.end()
        at = match.end()
    if at < high:
        yield at, high


def _parts(text: str, words: _Words) -> Iterator[Part]:
    """Yield sentences, and the clauses of long ones taken together to units."""
    for low, high in _cut(text, 0, len(text), _END):
        size = words.within(low, high)
        if size > _MOST:
            yield from _clauses(text, low, high, words)
        elif size:
            yield low, high, size


def _clauses(text: str, low: int, high: int, words: _Words) -> Iterator[Part]:
    """Yield a long sentence as parts of about equal size that end with a clause."""
    whole = words.within(low, high)
    goal = whole / math.ceil(whole / (_GOAL * _MOST))
    start, size = low, 0
    for begin, end in _cut(text, low, high, _CLAUSE):
        more = words.within(begin, end)
        if begin > low and size >= _LEAST and size + more / 2 > goal:
            yield start, begin, size
            start, size = begin, 0
        size += more
    yield start, high, size


def _join_parts(text: str, parts: list[Part]) -> list[Part]:
    """Join short parts of one paragraph with their neighbours."""
    breaks = [match.start() for match in _PARAGRAPH.finditer(text)]
    joined: list[Part] = []
    for low, high, size in parts:
        if joined:
            first, _, before = joined[-1]
            short = size < _LEAST or before < _LEAST
            parted = bisect_left(breaks, first) != bisect_left(breaks, _last_sign(text, low, high))
            if short and before + size <= _MOST and not parted:
                joined[-1] = (first, high, before + size)
                continue
        joined.append((low, high, size))
    return joined


def _last_sign(text: str, low: int, high: int) -> int:
    """Return the place of the last character of a stretch that is no blank."""
    return low + len(text[low:high].rstrip()) - 1


def _trimmed(text: str, low: int, high: int) -> tuple[int, int]:
    part = text[low:high]
    return low + len(part) - len(part.lstrip()), low + len(part.rstrip())
