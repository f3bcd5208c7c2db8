"""What kinds of characters a text holds, looked up in one table: the test before slower tests.

Each module marks the characters that it asks for.
"""

from __future__ import annotations

import re

import numpy as np

from ..model import U16
from .characters import HAN as HAN_CHARACTERS

#: a plain letter, a digit or sign that stands for one, white space, a character beyond ASCII
LETTER, SIGN, BLANK, BEYOND = 1, 2, 4, 8
#: a combining mark, an accented letter, a small capital, a hairline space, a private character, a
#: styled letter
MARK, ACCENTED, SMALL, HAIR, PRIVATE, STYLED = 16, 32, 64, 128, 256, 512
#: a character that `findings` looks at, Han, another script than Latin
SUSPECT, HAN, FOREIGN = 1024, 2048, 4096
#: Han that every text is full of
USUAL_HAN = 8192

_CLASSES = np.zeros(0x110000, np.uint16)
_CLASSES[0x80:] = BEYOND


def mark(bits: int, *characters: str) -> None:
    """Add bits to single characters and ranges, as a class of a regular expression lists them."""
    for first, last in re.findall("(?s)(.)(?:-(.))?", "".join(characters)):
        _CLASSES[ord(first) : ord(last or first) + 1] |= np.uint16(bits)


def classes_of(text: str) -> U16:
    """Return the class of each character, uint16 (n,)."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return np.asarray(_CLASSES[points])


def held(classes: U16) -> int:
    """Return the classes of all characters together."""
    return int(np.bitwise_or.reduce(classes)) if len(classes) else 0


def number_of(classes: U16, bits: int) -> int:
    """Count the characters that have one of some bits."""
    return int(np.count_nonzero(classes & np.uint16(bits)))


mark(LETTER, "A-Za-z")
mark(HAN, HAN_CHARACTERS)
mark(BLANK, *filter(str.isspace, map(chr, range(0x3001))))
