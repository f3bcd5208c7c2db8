"""What kinds of characters a text holds, and how many: counted once, asked before slower tests.

The classes of characters are looked up in one table. Each module marks the characters that it asks
for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..machine.compiled import loops_of
from ..model import I32, I64, U16
from .characters import HAN

LOOPS = loops_of("text/loops.c")

#: a plain letter, a digit or sign that stands for one, white space, a character beyond ASCII
LETTER, SIGN, BLANK, BEYOND = 1, 2, 4, 8
#: a combining mark, an accented letter, a small capital, a hairline space, a private character, a
#: styled letter
MARK, ACCENTED, SMALL, HAIR, PRIVATE, STYLED = 16, 32, 64, 128, 256, 512
#: a character that `reading` looks at, Han, another script than Latin
SUSPECT, IS_HAN, FOREIGN = 1024, 2048, 4096
#: Han that every text is full of, what a word of `BACKWARDS` begins with
USUAL_HAN, TURNED = 8192, 16384

LOOKED_AT = 20_000  # characters from the beginning: a disguise covers the whole text
WORDS_LOOKED_AT = 4_000  # characters: some 700 words tell how a whole text is written

#: what stands in every text, written from right to left; none of it is a word of any language, as
#: " si " and " ni " are of Spanish, French and Italian; those that begin with a space come first
_OF_HAN = (
    "们我 们他 己自 么什 为因 以所 果如 候时 道知 经已 得觉 师老 业作 文作 间时 友朋 题问 且而 "
    "后然 们咱 方地 器机 麼什 們我 們他"
)
BACKWARDS = (
    *(" eht ", " taht ", " htiw ", " siht ", " hcihw ", " erew ", " evah ", " yeht ", " dluow "),
    *_OF_HAN.split(),
)

_CLASSES = np.zeros(0x110000, np.uint16)
_CLASSES[0x80:] = BEYOND
_NUMBERS = 17  # before the letters in what `count_characters` writes


class Characters(NamedTuple):
    """The characters of a text: the class of each, and how many there are of some kinds.

    Attributes
    ----------
    classes : uint16 (n,)
        The class of each character.
    held
        All classes together.
    accented, private
        Accented letters of the whole text; private characters of the first `LOOKED_AT`.
    spaced
        1 where two neighbouring words are single letters, else 0.
    letters, han, accented_head, usual_han, beyond, blanks, signs
        Characters of these classes among the first `WORDS_LOOKED_AT`, as all below.
    signs_after, beside
        Signs that follow a letter; pairs of a letter and a digit or sign, 0 without such signs.
    words, in_long
        Runs of letters; the letters in runs of `LONG_RUN` and more.
    doubled
        Words that begin with a letter twice: tthe ccat.
    backwards
        Words of `BACKWARDS`, those of Latin letters in either case.
    of_letter : int64 (26,)
        How often each letter from a to z stands there, in either case.
    """

    classes: U16
    held: int
    accented: int
    private: int
    spaced: int
    letters: int
    han: int
    accented_head: int
    usual_han: int
    beyond: int
    blanks: int
    signs: int
    signs_after: int
    beside: int
    words: int
    in_long: int
    doubled: int
    backwards: int
    of_letter: I64


def mark(bits: int, *characters: str) -> None:
    """Add bits to single characters and ranges, as a class of a regular expression lists them."""
    for first, last in re.findall("(?s)(.)(?:-(.))?", "".join(characters)):
        _CLASSES[ord(first) : ord(last or first) + 1] |= np.uint16(bits)


def points_of(text: str) -> I32:
    """Return the code points of a text, int32 (n,)."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)


def characters_of(text: str) -> Characters:
    """Count the characters of a text."""
    return characters_of_all([text])[0]


def characters_of_all(texts: Sequence[str]) -> list[Characters]:
    """Count the characters of some texts in one call, each for itself."""
    points, bounds = points_of("".join(texts)), np.cumsum([0, *map(len, texts)])
    classes = np.empty(len(points), np.uint16)
    counts = np.zeros((len(texts), _NUMBERS + 26), np.int64)
    words = (_NEEDLES, _ENDS, len(_ENDS), np.zeros(len(_ENDS), np.int64))
    LOOPS.count_characters(points, _CLASSES, bounds, len(texts), *words, classes, counts)
    ends = bounds.tolist()
    return [
        Characters._make([classes[low:high], *numbers, of_letter])
        for low, high, numbers, of_letter in zip(
            ends, ends[1:], counts[:, :_NUMBERS].tolist(), counts[:, _NUMBERS:], strict=False
        )
    ]


def classes_of(text: str) -> U16:
    """Return the class of each character, uint16 (n,)."""
    return np.asarray(_CLASSES[points_of(text)])


def number_of(classes: U16, bits: int) -> int:
    """Count the characters that have one of some bits."""
    return int(np.count_nonzero(classes & np.uint16(bits)))


mark(LETTER, "A-Za-z")
mark(IS_HAN, HAN)
mark(BLANK, *filter(str.isspace, map(chr, range(0x3001))))
mark(TURNED, *(word[0] for word in BACKWARDS))
_NEEDLES = points_of("".join(BACKWARDS))
_ENDS = np.cumsum([len(word) for word in BACKWARDS])
