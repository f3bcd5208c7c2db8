"""Weights from counts in the document and document frequencies in the collection."""

from __future__ import annotations

import numpy as np

from ..model import F64, CorpusStats, Features
from ..settings import Settings
from .registry import weighting


def inverse_document_frequency(features: Features, stats: CorpusStats) -> F64:
    """Return max(0, ln(N / df)) of each vocabulary token, F64 (v,).

    A token the statistics do not know counts as seen once: ln N. The clamp matters where `stats`
    come from elsewhere: a negative weight would turn votes round.
    """
    df = np.fromiter(
        (stats.df.get(token, 1) for token in features.vocabulary),
        dtype=np.float64,
        count=len(features.vocabulary),
    )
    return np.maximum(0.0, np.log(max(stats.n, 1) / np.maximum(df, 1.0)))


@weighting("tf")
def tf(features: Features, stats: CorpusStats, settings: Settings) -> F64:
    """Return w = n(t, d), F64 (nnz,).

    Notes
    -----
    The textbook form n / |d| gives the same signature, because multiplying all weights of a
    document by one number changes no sign; the bare count is exact in integers.
    """
    return features.count.astype(np.float64)


@weighting("tfidf")
def tfidf(features: Features, stats: CorpusStats, settings: Settings) -> F64:
    """Return w = n(t, d) * ln(N / df(t)), F64 (nnz,); IDF un-smoothed and clamped at 0."""
    idf = inverse_document_frequency(features, stats)
    return features.count * idf[features.token]


@weighting("logtfidf")
def logtfidf(features: Features, stats: CorpusStats, settings: Settings) -> F64:
    """Return w = (1 + ln n(t, d)) * ln(N / df(t)), F64 (nnz,): repetition counts, but damped."""
    idf = inverse_document_frequency(features, stats)
    return (1.0 + np.log(features.count)) * idf[features.token]
