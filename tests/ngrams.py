"""A second encoder of sentences, by the words they share: small, exact, and quick."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xxhash

from simhash_core.meaning.vectors import I16, rounded, unit


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
