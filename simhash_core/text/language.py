"""Which language a text is in, by its script."""

from __future__ import annotations

import re

from ..model import U16
from .characters import HAN
from .classes import FOREIGN, classes_of, mark, number_of
from .classes import HAN as IS_HAN

_LETTER = re.compile("[A-Za-z]")
_OTHERS = "\u0370-\u1cff\u3040-\u30ff\uac00-\ud7a3"  # Greek to Vedic, kana, Hangul
_SAMPLE = 10_000  # characters looked at

_MAINLY = 0.75
_MUCH = 0.3
_FEW = 0.02  # share of characters beyond ASCII that curly quotes and names explain


mark(FOREIGN, _OTHERS)


def language_of(text: str, classes: U16 | None = None) -> str:
    """Return zh, en, mixed or other; `classes` are those of its characters, where at hand.

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
    seen = classes_of(sample) if classes is None else classes[:_SAMPLE]
    han, foreign = 0.6 * number_of(seen, IS_HAN), 0.6 * number_of(seen, FOREIGN)
    latin = float(len(plain.split()))
    total = han + latin + foreign
    if total == 0 or foreign > _MUCH * total:
        return "other"
    if han >= _MAINLY * total:
        return "zh"
    return "en" if latin >= _MAINLY * total else "mixed"


def words_in(text: str, enough: int) -> int:
    """Count Han characters and words of other scripts, up to about `enough`."""
    count = 0
    for count, _ in enumerate(_COUNTED.finditer(text), 1):
        if count >= enough:
            break
    return count


_COUNTED = re.compile(rf"[{HAN}]|(?:(?![{HAN}])[^\W_])+")
