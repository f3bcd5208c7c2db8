"""A second encoder of sentences, by the words they share, and sentences for it to read."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xxhash

from simhash_core.meaning.vectors import rounded, unit
from simhash_core.model import I16


@dataclass(frozen=True)
class NgramEncoder:
    """Hashed words and pairs of Han characters: the more two sentences share, the nearer."""

    width: int = 256
    name: str = "hashed n-grams"
    recipe: str = "ngrams-1"

    def embed(self, units: Sequence[str]) -> I16:
        rows = np.zeros((len(units), self.width), np.float64)
        for row, sentence in enumerate(units):
            folded = sentence.lower()
            grams = re.findall(r"[a-z]{4,}", folded) or [
                folded[at : at + 2] for at in range(len(folded) - 1)
            ]
            for gram in grams:
                code = xxhash.xxh64_intdigest(gram.encode())
                rows[row, code % self.width] += 1 if code >> 63 else -1
        return rounded(unit(rows))


#: words of four letters and more that the encoder of the tests knows sentences by
WORDS = [a + b + c for a in ("bra", "cle", "dri", "flo", "gru") for b in "bdfgklmnprst"
         for c in ("an", "em", "ik", "on", "ur")]  # fmt: skip


def sentences(seed: int, n: int) -> list[list[str]]:
    draw = random.Random(seed)
    return [draw.sample(WORDS, 11) for _ in range(n)]


def written(rows: list[list[str]]) -> str:
    return " ".join(" ".join(row).capitalize() + "." for row in rows)


def reworded(rows: list[list[str]], seed: int, kept: int = 8) -> list[list[str]]:
    """Return the same words, some of them others, in another order."""
    draw = random.Random(seed)
    return [draw.sample([*draw.sample(row, kept), *draw.sample(WORDS, 11 - kept)], 11)
            for row in rows]  # fmt: skip
