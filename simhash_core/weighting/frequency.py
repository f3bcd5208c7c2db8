"""Weights from counts in the document and document frequencies in the collection, or from none."""

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
    df = np.maximum(_df(features, stats), 1.0)
    return np.maximum(0.0, np.log(max(stats.n, 1) / df))


@weighting("uniform")
def uniform(features: Features, stats: CorpusStats, settings: Settings) -> F64:
    """Return w = 1 for every entry, F64 (nnz,)."""
    return np.ones(len(features.token))


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


# ------------------------------------------- other readings, as the sources use or imply them


@weighting("tf_squared")
def tf_squared(features: Features, stats: CorpusStats, settings: Settings) -> F64:
    """Return w = n(t, d)^2, F64 (nnz,).

    Notes
    -----
    What a vote once an occurrence with the frequency as weight comes to (profile `lyq`). One
    function word decides the signature: 91 % of unrelated Chinese texts were within 3 of 64 bits.
    """
    return features.count.astype(np.float64) ** 2


@weighting("tfidf_plus_one")
def tfidf_plus_one(features: Features, stats: CorpusStats, settings: Settings) -> F64:
    """Return w = n(t, d) * max(0, ln(N / (1 + df(t)))), F64 (nnz,).

    Notes
    -----
    Without the clamp a word of every text has a negative weight and turns votes round.
    """
    idf = np.log(max(stats.n, 1) / (1.0 + _df(features, stats)))
    return np.asarray(features.count * np.maximum(0.0, idf)[features.token])


@weighting("tfidf_smooth")
def tfidf_smooth(features: Features, stats: CorpusStats, settings: Settings) -> F64:
    """Return w = n(t, d) * (ln((1 + N) / (1 + df(t))) + 1), F64 (nnz,); never 0."""
    idf = np.log((1.0 + stats.n) / (1.0 + _df(features, stats))) + 1.0
    return np.asarray(features.count * np.maximum(0.0, idf)[features.token])


def _df(features: Features, stats: CorpusStats) -> F64:
    """Return the document frequency of each vocabulary token, F64 (v,); unknown counts as 1."""
    counts = (stats.df.get(token, 1) for token in features.vocabulary)
    return np.fromiter(counts, np.float64, len(features.vocabulary))
