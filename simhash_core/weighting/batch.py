"""Document frequencies of a batch, and the words its second signature leaves out."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..model import I64, Bools, CorpusStats, Features
from ..policy import SHARED_WORDS, SHARED_WORDS_GUARD

Number = TypeVar("Number", np.int64, np.float64)


def stats_of(features: Features) -> CorpusStats:
    """Return in how many documents each token occurs; statistics of parts add to the whole's."""
    df = np.bincount(features.token, minlength=len(features.vocabulary)).tolist()
    counted = zip(features.vocabulary, df, strict=True)
    return CorpusStats(len(features), {token: count for token, count in counted if count})


def drop_shared(
    features: Features,
    weights: NDArray[Number],
    stats: CorpusStats,
    *,
    share: float = SHARED_WORDS,
    guard: float = SHARED_WORDS_GUARD,
) -> tuple[NDArray[Number], Bools]:
    """Take out what most of the batch shares: the prompt, the cover page, the set phrases.

    Parameters
    ----------
    features, weights
        The batch and its weights (nnz,), not negative, before or after `quantise`.
    stats
        Document frequencies of the batch.
    share
        A token in more than this share of the batch weighs 0.
    guard
        A document that would lose more than this share of its summed weight keeps all of it:
        where most of a class copied one text, the copied words are what the batch shares.

    Returns
    -------
    weights : (nnz,)
        A new array of the same type.
    affected : bool (n,)
        Documents whose weights changed.

    Notes
    -----
    Half of the batch is where the gain was measured; the guard bounds the rule's one known
    failure and costs nothing elsewhere, because such documents still have their background
    signature. Below 20 documents "most" means little: do not call this.
    """
    limit = share * stats.n
    common = np.fromiter(
        (stats.df.get(token, 0) > limit for token in features.vocabulary),
        dtype=np.bool_,
        count=len(features.vocabulary),
    )
    row = np.repeat(np.arange(len(features)), np.diff(features.indptr))
    lost = weights * common[features.token]
    lost_sum, full_sum = _row_sums(lost, features.indptr), _row_sums(weights, features.indptr)
    affected = (lost_sum > 0) & (lost_sum <= guard * full_sum)
    return weights - lost * affected[row], affected


def _row_sums(values: NDArray[Number], indptr: I64) -> NDArray[Number]:
    """Return the sum of each CSR row (n,), exact for integers; an empty row sums to 0."""
    running = np.zeros(len(values) + 1, dtype=values.dtype)
    np.cumsum(values, out=running[1:])
    return running[indptr[1:]] - running[indptr[:-1]]
