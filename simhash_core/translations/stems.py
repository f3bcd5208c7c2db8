"""Chinese and English texts as stems of English words: what a text says, in either language.

A Chinese word is all the stems that a dictionary gives for it, a word that it does not have its
longest parts or, as a name, its spelling. Numbers and months are their value, so that 三百万, 300万
and 3 million are one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..model import ASCII, DOUBTFUL, F64, I32, LATIN, Normalized, StemmedText
from ..text.dictionary import (
    FUNCTION_WORDS,
    FUNCTION_WORDS_CHINESE,
    LEAST_RATE,
    Dictionary,
    stem_of,
)
from ..text.segment import Segmenter

#: rates of numbers: days, months and years; others. docs/calibration.md, "Translations"
COMMON_NUMBER, OTHER_NUMBER = 3e-3, 2e-4
_LAST_DAY, _FIRST_YEAR, _LAST_YEAR = 31, 1950, 2035

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_LATIN_WORD = r"[^\W\d_\u2e80-\U0003ffff]+(?:'[^\W\d_\u2e80-\U0003ffff]+)*"
_ENGLISH = re.compile(
    rf"({_NUMBER})(?:[\s-]?(thousand|million|billion|trillion|bn)\b)?|({_LATIN_WORD})"
)
_CHINESE = re.compile(
    rf"({_NUMBER})([百千万]亿|[百千]万|[百千万亿]?)"
    r"|([零〇一二三四五六七八九十百千万亿两]{2,}|[一二三四五六七八九十两](?=[月日年个名位岁所家次人]))"
    rf"|({_LATIN_WORD})|([\u3400-\u9fff]+)"
)
#: where sentences and lines end, with the marks that close them
_CHINESE_ENDS = re.compile(r"[。！？!?；;…]+[”’」』\"）)]*|\n+")
_ENGLISH_ENDS = re.compile(r"[.!?;]+[\"”’)]*(?=\s)|\n+")
_SCALE = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12}
_SCALE |= {"百": 1e2, "千": 1e3, "万": 1e4, "亿": 1e8, "百万": 1e6, "千万": 1e7}
_SCALE |= {"百亿": 1e10, "千亿": 1e11, "万亿": 1e12}
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
#: English words that are numbers; "one" is mostly none
_NUMBER_WORDS = {word: value for value, word in enumerate(_ONES.split()) if word != "one"}
_NUMBER_WORDS |= {
    word: value for value, word in zip(range(20, 100, 10), _TENS.split(), strict=True)
}
_NUMBER_WORDS["hundred"] = 100
_MONTHS = """
january february march april may june july august september october november december
"""
_MONTH = {word: value for value, word in enumerate(_MONTHS.split(), 1)}
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10_000, "亿": 100_000_000}

#: first and last character of a word in the compared text, its stems, its kind
Word = tuple[int, int, tuple[str, ...], int]


@dataclass(slots=True)
class StemVocabulary:
    """Numbers the stems of a batch, and says how often any text of a language has each.

    Parameters
    ----------
    dictionary
    english : mapping of str to float
        Share of the words of English text, for each stem.
    """

    dictionary: Dictionary
    english: Mapping[str, float]
    _ids: dict[str, int] = field(default_factory=dict)
    _words: dict[str, tuple[tuple[int, int, tuple[str, ...], int], ...]] = field(
        default_factory=dict
    )

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems by their number."""
        return tuple(self._ids)

    def rates(self) -> tuple[F64, F64]:
        """Return how often text offers each stem: Chinese, English; float64 (v,), twice."""
        least = min(self.english.values(), default=LEAST_RATE) / 3
        chinese = [_number_rate(s) or self.dictionary.rates.get(s, LEAST_RATE) for s in self._ids]
        english = [_number_rate(s) or self.english.get(s, least) for s in self._ids]
        return np.array(chinese, np.float64), np.array(english, np.float64)

    def chinese_text(self, normalized: Normalized, raw: str, segment: Segmenter) -> StemmedText:
        """Return a Chinese text, Latin words in it as what they are."""
        words = self._chinese_words(normalized.text, segment)
        return self._numbered(words, normalized, _ends(_CHINESE_ENDS, raw))

    def english_text(self, normalized: Normalized, raw: str) -> StemmedText:
        """Return an English text; `raw` is `Document.text`, where months have capitals."""
        words = self._english_words(normalized, raw)
        return self._numbered(words, normalized, _ends(_ENGLISH_ENDS, raw))

    def _numbered(self, words: Iterator[Word], normalized: Normalized, ends: I32) -> StemmedText:
        """Give every stem its number, and every word its place in the text as it was read."""
        first, last, stems, kind = [], [], [], []
        sizes = [0]
        for low, high, of_word, of_kind in words:
            first.append(low)
            last.append(high - 1)
            kind.append(of_kind)
            stems += [self._ids.setdefault(stem, len(self._ids)) for stem in of_word]
            sizes.append(len(stems))
        return StemmedText(
            np.array(sizes, np.int64),
            np.array(stems, np.int32),
            np.ascontiguousarray(normalized.start[np.array(first, np.int64)], np.int32),
            np.ascontiguousarray(normalized.end[np.array(last, np.int64)], np.int32),
            np.array(kind, np.uint8),
            ends,
        )

    def _chinese_words(self, text: str, segment: Segmenter) -> Iterator[Word]:
        for match in _CHINESE.finditer(text):
            if match[1] or match[3]:
                value = _value(match[1], match[2]) if match[1] else _chinese_number(match[3])
                if value is not None:
                    yield match.start(), match.end(), (_name(value),), ASCII if match[1] else 0
            elif match[4]:
                yield from _latin(match[4], match.start(), self._is_listed)
            else:
                start = match.start()
                for word in segment(match[5]):
                    for low, high, stems, kind in self._parts(word):
                        yield start + low, start + high, stems, kind
                    start += len(word)

    def _english_words(self, normalized: Normalized, raw: str) -> Iterator[Word]:
        for match in _ENGLISH.finditer(normalized.text):
            low, high, word = match.start(), match.end(), match[3]
            if not word:
                yield low, high, (_name(_value(match[1], match[2] or "")),), ASCII
            elif word in _NUMBER_WORDS:
                yield low, high, (_name(_NUMBER_WORDS[word]),), ASCII
            elif word in _MONTH and raw[normalized.start[low]].isupper():
                yield low, high, (_name(_MONTH[word]),), ASCII
            else:
                yield from _latin(word, low, self._is_listed)

    def _parts(self, word: str) -> tuple[Word, ...]:
        """Return what a Chinese word stands for; one that nothing is known of stands for none."""
        parts = self._words.get(word)
        if parts is None:
            parts = ()
            if word not in FUNCTION_WORDS_CHINESE:
                parts = tuple(
                    (i, j, self._rarest_first(s), 0) for i, j, s in self.dictionary.parts(word)
                )
                if not parts:
                    spelled = self.dictionary.spellings(word) if len(word) > 1 else ()
                    parts = ((0, len(word), spelled, DOUBTFUL),)
            self._words[word] = parts
        return parts

    def _rarest_first(self, stems: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(stems, key=lambda stem: self.english.get(stem, 0.0)))

    def _is_listed(self, stem: str) -> bool:
        return stem in self.dictionary.rates


def english_rates(counts: Mapping[str, int]) -> dict[str, float]:
    """Return the share of the words of English text for each stem, from counts of words."""
    content = {
        word: count
        for word, count in counts.items()
        if word not in FUNCTION_WORDS and len(word) > 1
    }
    total = sum(content.values())
    rates: dict[str, float] = {}
    for word, count in content.items():
        stem = stem_of(word)
        rates[stem] = rates.get(stem, 0.0) + count / total
    return rates


def _ends(pattern: re.Pattern[str], raw: str) -> I32:
    """Return where sentences end, both ends of the text among them."""
    return np.array([0, *(match.end() for match in pattern.finditer(raw)), len(raw)], np.int32)


def _latin(word: str, start: int, is_word: Callable[[str], bool]) -> Iterator[Word]:
    """Yield a word in Latin letters unless it says nothing."""
    bare = word.removesuffix("'s")
    if len(bare) > 1 and bare not in FUNCTION_WORDS:
        stem = stem_of(bare)
        kind = LATIN | ASCII | (0 if is_word(stem) else DOUBTFUL)
        yield start, start + len(bare), (stem,), kind


def _value(digits: str, scale: str) -> float:
    return float(digits.replace(",", "")) * _SCALE.get(scale, 1.0)


def _chinese_number(text: str) -> float | None:
    """Return the value of a numeral, None where it is none: 二〇二一, 二十五, 三百万."""
    if len(text) > 1 and all(character in _DIGITS for character in text):
        return float("".join(str(_DIGITS[character]) for character in text))
    total = section = digit = 0
    for character in text:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character in _UNITS:
            section += (digit or 1) * _UNITS[character]
            digit = 0
        else:
            total = (total + section + digit) * _MYRIADS[character]
            section = digit = 0
    return float(total + section + digit)


def _name(value: float) -> str:
    """Return the stem of a number: no word begins with this sign."""
    return f"#{value:.6g}"


def _number_rate(stem: str) -> float:
    """Return how often text has a number, 0 for a word."""
    if not stem.startswith("#"):
        return 0.0
    value = float(stem[1:])
    common = value <= _LAST_DAY or (_FIRST_YEAR <= value <= _LAST_YEAR and value.is_integer())
    return COMMON_NUMBER if common else OTHER_NUMBER
