"""What kinds of characters a text holds, and how many: counted once, asked before slower tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from simhash_core.model import I32, I64, U16
from simhash_core.text.classes import (
    ACCENTED,
    BEYOND,
    BLANK,
    IS_HAN,
    LETTER,
    LOOKED_AT,
    PRIVATE,
    SIGN,
    USUAL_HAN,
    WORDS_LOOKED_AT,
    number_of,
)

LONG_RUN = 30  # letters: longer than any word that is written


_BESIDE = re.compile("[A-Za-z][0-9@$]|[0-9@$][A-Za-z]")


def count_characters(
    points: I32, table: U16, bounds: I64, needles: I32, ends: I64, classes: U16, counts: I64
) -> None:
    """Write the class of each character, and of each text the numbers of `Characters`."""
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
