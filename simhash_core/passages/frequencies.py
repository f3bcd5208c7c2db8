"""In how many documents of a batch each feature occurs: formulas occur in many, copies in few."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..model import F64, DocumentFrequencies
from .tokenized import TokenizedText
from .words import features_of


def weight_factors(df: DocumentFrequencies, text: TokenizedText) -> F64:
    """Return by what each token's weight is multiplied, float64 (tokens,).

    Notes
    -----
    clip(ln(n / df) / ln 3, 0, 1): features of more than a third of the documents lose weight;
    features that no document of the batch holds do not.
    """
    if not len(df.feature):
        return np.ones(len(text))
    features, place = np.unique(text.feature, return_inverse=True)
    at = np.minimum(np.searchsorted(df.feature, features), len(df.feature) - 1)
    count = np.where(df.feature[at] == features, df.count[at], 1)
    return np.asarray(np.clip(np.log(df.n / count) / np.log(3.0), 0.0, 1.0)[place])


def document_frequencies(tokenized: Iterable[TokenizedText]) -> DocumentFrequencies:
    """Count features over a batch. Cost: one sort of all distinct features of all documents."""
    distinct = [np.unique(features_of(text)) for text in tokenized]
    if not distinct:
        return DocumentFrequencies(0, np.empty(0, np.int32), np.empty(0, np.int64))
    feature, count = np.unique(np.concatenate(distinct), return_counts=True)
    return DocumentFrequencies(len(distinct), feature, count.astype(np.int64))
