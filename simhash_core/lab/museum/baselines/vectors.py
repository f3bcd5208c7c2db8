"""Word vectors compared as they are: exact, and quadratic in texts times words."""

from __future__ import annotations

import numpy as np

from ....model import F64, I64, Features


def dot_products(features: Features, weights: F64) -> F64:
    """Return the dot products of all weight vectors, F64 (n, n).

    Notes
    -----
    One scatter of a row and one gather of all entries a text: O(n nnz), no n by v matrix.
    """
    n = len(features)
    row = np.repeat(np.arange(n), np.diff(features.indptr))
    products = np.empty((n, n))
    dense = np.zeros(len(features.vocabulary))
    for place in range(n):
        span = slice(int(features.indptr[place]), int(features.indptr[place + 1]))
        dense[features.token[span]] = weights[span]
        products[place] = np.bincount(row, weights * dense[features.token], minlength=n)
        dense[features.token[span]] = 0.0
    return products


def cosines(features: Features, weights: F64) -> F64:
    """Return the cosines of all weight vectors, F64 (n, n); 0 where a text has no weight."""
    products = dot_products(features, weights)
    norms = np.sqrt(np.outer(np.diag(products), np.diag(products)))
    return np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)


def euclidean(features: Features, weights: F64) -> F64:
    """Return the Euclidean distances of all weight vectors, F64 (n, n)."""
    products = dot_products(features, weights)
    squares = np.diag(products)
    apart = squares[:, None] + squares[None, :] - 2 * products
    return np.asarray(np.sqrt(np.maximum(apart, 0.0)))


def word_hamming(features: Features) -> I64:
    """Return how many words are in one text and not the other, int64 (n, n)."""
    shared = dot_products(features, np.ones(len(features.token))).astype(np.int64)
    place = np.diff(features.indptr)
    return np.asarray(place[:, None] + place[None, :] - 2 * shared)
