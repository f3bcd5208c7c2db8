"""Which language a text is in, by its script."""

from __future__ import annotations

import re

from .characters import HAN

_HAN = re.compile(f"[{HAN}]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]+")
_KANA_HANGUL = re.compile("[\u3040-\u30ff\uac00-\ud7a3]")
_OTHER = re.compile("[\u0370-\u058f\u0590-\u1cff]+")  # Greek to the scripts of South Asia
_SAMPLE = 20_000  # characters looked at

_MAINLY = 0.75
_FOREIGN = 0.3


def language_of(text: str) -> str:
    """Return zh, en, mixed or other.

    Notes
    -----
    A Han character weighs as much as a Latin word times 0.6, which is about what either says:
    translations of one text have 1.6 Han characters for an English word. Latin script is taken
    for English; the fingerprints treat it alike.
    """
    sample = text[:_SAMPLE]
    han = 0.6 * len(_HAN.findall(sample))
    latin = float(len(_LATIN.findall(sample)))
    foreign = 0.6 * len(_KANA_HANGUL.findall(sample)) + len(_OTHER.findall(sample))
    total = han + latin + foreign
    if total == 0 or foreign > _FOREIGN * total:
        return "other"
    if han >= _MAINLY * total:
        return "zh"
    return "en" if latin >= _MAINLY * total else "mixed"


def words_in(text: str, enough: int) -> int:
    """Count Han characters and words of other scripts, up to about `enough`."""
    count = 0
    for count, _ in enumerate(_COUNTED.finditer(text), 1):  # noqa: B007
        if count >= enough:
            break
    return count


_COUNTED = re.compile(rf"[{HAN}]|(?:(?![{HAN}])[^\W_])+")
