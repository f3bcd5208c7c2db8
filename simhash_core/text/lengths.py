"""How long a text is: characters of scripts written without spaces, words of all others.

The one rule for every length that a person reads. It counts what passages are made of: each Han
character, kana or letter of Thai and its neighbours is one unit and so is each run of other letters
and digits. Case, width, white space and punctuation therefore change no length, and a part is never
longer than its whole.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from ..model import U8
from ..model import Unit as Unit
from .characters import class_of

_SAMPLE = 4000  # characters that decide the unit
_MAINLY = 1 / 3  # share of such characters from which a text is counted in characters
_LONG = 200  # characters from which looking each one up is quicker than a regular expression
#: what a character is for the count; *mixed* are those that normalisation makes several of, and
#: marks, which may be part of the character before them
_OTHER, _LETTER, _ALONE, _APOSTROPHE, _MIXED, _UNKNOWN = range(6)
#: the kind of every code point seen so far: a cache, filled on demand, the same for every text
_KINDS = np.full(0x110000, _UNKNOWN, np.uint8)

#: Thai and Lao, Burmese, Khmer; Han, kana, bopomofo, as `passages.tokenized` has them, which a test
#: compares
_SINGLE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)


#: what nobody sees parts no word: soft hyphens, spaces of no width, marks of direction, joiners
#: between letters that are not joined
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\U000e0000-\U000e007f]|[\u200c\u200d](?<=[\u2e80-\u9fffA-Za-z].)(?=[\u2e80-\u9fffA-Za-z])"
)

_LATIN_WORD = re.compile(r"[A-Za-z]+")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]")
_HAN_A_WORD = 1.6  # characters: translations of one text have so many for one English word


@dataclass(frozen=True, slots=True)
class Length:
    """How many units a text has, and of which kind."""

    n: int
    unit: Unit


def length_of(text: str) -> Length:
    """Return the length of a text, in characters or words by its script."""
    return Length(count_units(text), unit_of(text))


def count_units(text: str) -> int:
    """Count the characters and words of a text or of a part of one."""
    return sum(_count_kinds(text))


def words_about(text: str) -> int:
    """Return about how many words of a text a fingerprint counts: Chinese and Latin script."""
    return len(_LATIN_WORD.findall(text)) + round(len(_HAN.findall(text)) / _HAN_A_WORD)


def unit_of(text: str) -> Unit:
    """Return `characters` where at least a third of the units are single characters."""
    sample = text[:_SAMPLE]
    if sample.isascii():
        return "words"
    singles, words = _count_kinds(sample)
    units = singles + words
    return "characters" if units and singles >= _MAINLY * units else "words"


def _count_kinds(text: str) -> tuple[int, int]:
    """Return how many units of a text are single characters, and how many are words."""
    if len(text) >= _LONG:
        kinds = _kinds_of(text)
        if not (kinds == _MIXED).any():
            return int(np.count_nonzero(kinds == _ALONE)), _words(kinds)
    one, single = _patterns()
    normalized = _normalize(text)
    singles = len(single.findall(normalized))
    return singles, len(one.findall(normalized)) - singles


def _words(kinds: U8) -> int:
    """Count the runs of letters; one apostrophe between two letters is one of them."""
    inside = np.zeros(len(kinds) + 2, np.bool_)
    inside[1:-1] = kinds == _LETTER
    joined = np.flatnonzero(kinds == _APOSTROPHE) + 1
    inside[joined[inside[joined - 1] & inside[joined + 1]]] = True
    return int(np.count_nonzero(inside[1:] & ~inside[:-1]))


class Units:
    """Where the units of one text are, to count those of many ranges without reading it again.

    Attributes
    ----------
    unit
        `unit_of` the text.

    Notes
    -----
    `count` agrees with `count_units` of the slice, but for a slice that is one apostrophe inside a
    word. A text whose characters combine when it is normalised has no map from its code points to
    the normalised ones, and its slices are read each time.
    """

    def __init__(self, text: str) -> None:
        self._text, self.unit = text, unit_of(text)
        pieces = list(map(_normalized_character, text))
        normalized = "".join(pieces)
        self._mapped = normalized == _normalize(text)
        self._place = [0, *accumulate(map(len, pieces))]
        one, _ = _patterns()
        spans = [match.span() for match in one.finditer(normalized)]
        self._starts, self._ends = [start for start, _ in spans], [end for _, end in spans]

    def count(self, start: int, end: int) -> int:
        """Count the units of the text in [start, end), those cut by a border included."""
        if not self._mapped:
            return count_units(self._text[start:end])
        if end <= start:  # an empty range inside a word cuts none
            return 0
        low, high = self._place[start], self._place[end]
        return bisect_left(self._starts, high) - bisect_right(self._ends, low)

    def length(self) -> Length:
        """Return the length of the whole text."""
        return Length(self.count(0, len(self._text)), self.unit)


def _normalize(text: str) -> str:
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))


_normalized_character = functools.cache(_normalize)


@functools.cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what one unit is, and which units are single characters."""
    points = map(chr, range(0x20000))  # above lie only ideographs and what normalisation drops
    marks = (c for c in points if unicodedata.category(c)[0] == "M")
    marks_of_words = class_of("".join(c for c in marks if not re.match(f"[{_SINGLE}]", c)))
    single = rf"(?=[^\W_])[{_SINGLE}]"
    letter = rf"(?:[^\W_{_SINGLE}]|[{marks_of_words}])"
    return re.compile(rf"{single}|{letter}+(?:['’ʼ]{letter}+)*"), re.compile(single)


def _kinds_of(text: str) -> U8:
    """Return what each character is once it is normalised, uint8 (n,)."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    kinds = _KINDS[points]
    if (kinds == _UNKNOWN).any():
        for point in np.unique(points[kinds == _UNKNOWN]).tolist():
            _KINDS[point] = _kind(chr(point))
        kinds = _KINDS[points]
    return np.asarray(kinds)


def _kind(character: str) -> int:
    form = unicodedata.normalize("NFKC", character)
    marks = any(unicodedata.category(one)[0] == "M" for one in (character, *form))
    if marks or character in "\u200c\u200d" or _INVISIBLE.match(character):
        return _MIXED
    if len(form) > 1:
        kinds = set(map(_kind, form))
        return kinds.pop() if kinds in ({_OTHER}, {_LETTER}) else _MIXED
    if form in ("'", "’"):
        return _APOSTROPHE
    one, single = _patterns()
    return _ALONE if single.match(form) else _LETTER if one.match(form) else _OTHER
