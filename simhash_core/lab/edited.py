"""Edited copies of a text, and where the development corpora lie."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..text.characters import HAN
from ..text.segment import segmenter

_STRETCH, _TRIES = 60, 5  # characters looked at for a replacement, and how often
_WORD = re.compile(f"[{HAN}]+|[A-Za-z0-9]+(?:['_-][A-Za-z0-9]+)*")
_SEGMENT = segmenter()


def corpora() -> Path | None:
    """Return the folder of `LEITONG_CORPORA`, or the one beside the checkout, if there."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("LEITONG_CORPORA") or beside)
    return folder if folder.is_dir() else None


def edit_words(text: str, rate: float, pool: Sequence[str], draw: random.Random) -> str:
    """Replace a share of the words by words from random places of other texts."""
    parts = list(_parts(text))
    places = [place for place, part in enumerate(parts) if _WORD.fullmatch(part)]
    for place in draw.sample(places, round(rate * len(places))):
        parts[place] = _draw_other(parts[place], pool, draw)
    return "".join(parts)


def _draw_other(word: str, pool: Sequence[str], draw: random.Random) -> str:
    """Draw a word from a random place of a random text, of the same script where one is near."""
    for _ in range(_TRIES):
        text = draw.choice(pool)
        start = draw.randrange(max(1, len(text) - _STRETCH))
        words = [part for part in _parts(text[start : start + _STRETCH]) if _WORD.fullmatch(part)]
        fitting = [other for other in words if other.isascii() == word.isascii() and other != word]
        if fitting:
            return draw.choice(fitting)
    return draw.choice(words) if words else word


def _parts(text: str) -> Iterator[str]:
    """Cut a text into words and what stands between them; joined they are the text."""
    at = 0
    for match in _WORD.finditer(text):
        if match.start() > at:
            yield text[at : match.start()]
        yield from [match[0]] if match[0].isascii() else _SEGMENT(match[0])
        at = match.end()
    if at < len(text):
        yield text[at:]
