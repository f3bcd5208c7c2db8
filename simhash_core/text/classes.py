"""What kinds of characters a text holds, and how many: counted once, asked before slower tests.

The classes of characters are looked up in one table. Each module marks the characters that it asks
for. `count_characters` is the readable twin of a loop of C (`native`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..machine.native import Twins
from ..model import I32, I64, U16
from .characters import HAN

if TYPE_CHECKING:  # the same functions
    from . import readable

    loops = readable
else:
    loops = Twins("text")

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
LONG_RUN = 30  # letters: longer than any word that is written

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

_BESIDE = re.compile("[A-Za-z][0-9@$]|[0-9@$][A-Za-z]")
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
    loops.count_characters(points, _CLASSES, bounds, _NEEDLES, _ENDS, classes, counts)
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


def count_characters(
    points: I32, table: U16, bounds: I64, needles: I32, ends: I64, classes: U16, counts: I64
) -> None:
    """Write the class of each character, and of each text the numbers of `Characters`.

    Parameters
    ----------
    points, bounds
        Texts one after the other, (n,); text i is [bounds[i], bounds[i + 1]).
    table
        The class of every code point.
    needles, ends
        The code points of `BACKWARDS` one after the other, and where each of them ends.
    classes
        Written: (n,).
    counts
        Written: (t, 17 + 26), in the order of `Characters`, then how often each letter stands
        there.
    """
    classes[:] = table[points]
    words = [_text_of(part) for part in np.split(needles, ends[:-1])]
    for row, (low, high) in enumerate(pairwise(bounds.tolist())):
        counts[row] = _counted(points[low:high], classes[low:high], words)


def _counted(points: I32, classes: U16, backwards: Sequence[str]) -> list[int]:
    """Return the numbers of one text."""
    head = classes[:WORDS_LOOKED_AT]
    letter = head & np.uint16(LETTER) != 0
    lower = points[:WORDS_LOOKED_AT] | np.where(letter, 0x20, 0).astype(np.int32)
    edges = np.flatnonzero(np.diff(letter, prepend=False, append=False))
    lengths = edges[1::2] - edges[::2]
    before = np.concatenate([[False], letter])[:-1]
    twice = (letter & ~before)[:-1] & letter[1:] & (lower[:-1] == lower[1:])
    text = _text_of(lower)
    return [
        int(np.bitwise_or.reduce(classes)) if len(classes) else 0,
        number_of(classes, ACCENTED),
        number_of(classes[:LOOKED_AT], PRIVATE),
        _is_spaced(classes),
        *(number_of(head, bit) for bit in (LETTER, IS_HAN, ACCENTED, USUAL_HAN, BEYOND, BLANK)),
        number_of(head, SIGN),
        number_of(head[before], SIGN),
        len(_BESIDE.findall(text)) if number_of(head, SIGN) else 0,
        len(lengths),
        int(lengths[lengths >= LONG_RUN].sum()),
        np.count_nonzero(twice),
        sum(map(text.count, backwards)),
        *np.bincount(lower[letter] - 0x61, minlength=26).tolist(),
    ]


def _text_of(points: I32) -> str:
    return points.tobytes().decode("utf-32-le", "surrogatepass")


def _is_spaced(classes: U16) -> bool:
    """Whether two neighbouring words are single letters, as all of s p a c e d words are."""
    letter, blank = (classes & np.uint16(bit) != 0 for bit in (LETTER, BLANK))
    single = np.flatnonzero(blank[:-2] & letter[1:-1] & blank[2:]) + 1
    # the gap between two of them may be wide
    near = zip(single[:-1].tolist(), single[1:].tolist(), strict=True)
    return any(bool(blank[a + 1 : b].all()) for a, b in near)
