"""Which language a text is in, by its script."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from .characters import HAN

_LETTER = re.compile("[A-Za-z]")
_FOREIGN = "\u0370-\u1cff\u3040-\u30ff\uac00-\ud7a3"  # Greek to Vedic, kana, Hangul
_SAMPLE = 10_000  # characters looked at

_MAINLY = 0.75
_MUCH = 0.3
_FEW = 0.02  # share of characters beyond ASCII that curly quotes and names explain


def language_of(text: str) -> str:
    """Return zh, en, mixed or other.

    Notes
    -----
    A Han character weighs as much as a Latin word times 0.6, which is about what either says:
    translations of one text have 1.6 Han characters for an English word. Latin script is taken
    for English; the fingerprints treat it alike.
    """
    sample = text[:_SAMPLE]
    plain = sample.encode("ascii", "ignore")
    if len(sample) - len(plain) < _FEW * len(sample):
        return "en" if _LETTER.search(sample) else "other"
    codes = np.frombuffer(sample.encode("utf-32-le", "surrogatepass"), "<u4")
    _, letters, others = np.bincount(_SCRIPTS[codes], minlength=3).tolist()
    latin, han, foreign = float(len(plain.split())), 0.6 * letters, 0.6 * others
    total = han + latin + foreign
    if total == 0 or foreign > _MUCH * total:
        return "other"
    if han >= _MAINLY * total:
        return "zh"
    return "en" if latin >= _MAINLY * total else "mixed"


def _scripts() -> NDArray[np.uint8]:
    """Return, for every code point, 1 for Han, 2 for other scripts than Latin, else 0."""
    table = np.zeros(0x110000, np.uint8)
    for script, ranges in enumerate((HAN, _FOREIGN), 1):
        for first, last in re.findall("(.)(?:-(.))?", ranges):
            table[ord(first) : ord(last or first) + 1] = script
    return table


_SCRIPTS = _scripts()


def words_in(text: str, enough: int) -> int:
    """Count Han characters and words of other scripts, up to about `enough`."""
    count = 0
    for count, _ in enumerate(_COUNTED.finditer(text), 1):
        if count >= enough:
            break
    return count


_COUNTED = re.compile(rf"[{HAN}]|(?:(?![{HAN}])[^\W_])+")
