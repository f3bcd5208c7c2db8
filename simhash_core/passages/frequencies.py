"""In how many documents of a batch each feature occurs: what tells a formula from a copy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..model import F64, I32, I64
from .tokenized import TokenizedText


@dataclass(frozen=True, slots=True, eq=False)
class DocumentFrequencies:
    """`count[i]` of `n` documents hold `feature[i]`; features are sorted and unique."""

    n: int
    feature: I32
    count: I64

    def factor(self, text: TokenizedText) -> F64:
        """Return by what each token's weight is multiplied, float64 (tokens,).

        Notes
        -----
        clip(ln(n / df) / ln 3, 0, 1): only what more than a third of the documents share loses
        weight; what no document of the batch holds keeps it.
        """
        if not len(self.feature):
            return np.ones(len(text))
        features, place = np.unique(text.feature, return_inverse=True)
        at = np.minimum(np.searchsorted(self.feature, features), len(self.feature) - 1)
        df = np.where(self.feature[at] == features, self.count[at], 1)
        return np.asarray(np.clip(np.log(self.n / df) / np.log(3.0), 0.0, 1.0)[place])


def document_frequencies(tokenized: Iterable[TokenizedText]) -> DocumentFrequencies:
    """Count features over a batch. Cost: one sort of all distinct features of all documents."""
    distinct = [np.unique(text.feature) for text in tokenized]
    if not distinct:
        return DocumentFrequencies(0, np.empty(0, np.int32), np.empty(0, np.int64))
    feature, count = np.unique(np.concatenate(distinct), return_counts=True)
    return DocumentFrequencies(len(distinct), feature, count.astype(np.int64))
