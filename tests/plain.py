"""A small normaliser for tests of the passage room, which must not import the text room."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import numpy as np
import opencc
from oracles.tokenizing import tokenize

from simhash_core.model import Normalized
from simhash_core.passages.tokenized import TokenizedText

_IGNORED = {0x00AD, 0xFEFF, 0x200B, 0x200C, 0x200D, 0x2060, *range(0xFE00, 0xFE10)}


@lru_cache(maxsize=1)
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


@lru_cache(maxsize=1 << 17)
def fold(character: str) -> str:
    """Return the compared form of one character."""
    if ord(character) in _IGNORED:
        return ""
    folded = unicodedata.normalize("NFKC", character).casefold()
    return str(_converter().convert(folded)) if ord(character) >= 0x2E80 else folded


def plain(text: str) -> Normalized:
    """Normalise character by character, with the map."""
    parts = [fold(character) for character in text]
    start = np.repeat(np.arange(len(parts)), [len(part) for part in parts]).astype(np.int32)
    return Normalized("".join(parts), start, start + 1)


def view_of(text: str) -> TokenizedText:
    """Return a raw text as the passage engine reads it, without normalising it."""
    return tokenize(plain(text), text)
