"""Counting common winnowed hashes of many pairs.

The functions on arrays here are the readable form; `kernels` holds the same ones compiled.
"""

from __future__ import annotations

import numpy as np

from ..model import I64, U64
from .exact import with_room


def count_common(values: U64, indptr: I64, left: I64, right: I64) -> I64:
    """Return how many values two sorted rows of a CSR share, int64 (m,)."""
    shared = np.zeros(len(left), np.int64)
    for m in range(len(left)):
        i, i_end = indptr[left[m]], indptr[left[m] + 1]
        j, j_end = indptr[right[m]], indptr[right[m] + 1]
        while i < i_end and j < j_end:
            if values[i] < values[j]:
                i += 1
            elif values[j] < values[i]:
                j += 1
            else:
                shared[m] += 1
                i += 1
                j += 1
    return shared


def pairs_sharing(
    hashes: I64, indptr: I64, post: I64, post_indptr: I64, size: I64, rows: int, share: float
) -> I64:
    """Return pairs (m, 2) left < right of documents that share `share` of the smaller set.

    Row i holds the hashes `hashes[indptr[i]:indptr[i + 1]]`, numbered 0, 1, ...; hash h occurs in
    the documents `post[post_indptr[h]:post_indptr[h + 1]]`, ascending. Only left < `rows`; the
    sets have `size` elements. Left ascends; the pairs of one document are in no order.
    """
    shared = np.zeros(len(size), np.int64)
    pairs, count = np.empty((64, 2), np.int64), 0
    for i in range(rows):
        for j in count_shared(hashes[indptr[i] : indptr[i + 1]], post, post_indptr, i, shared):
            if shared[j] >= share * min(size[i], size[j]):
                pairs = with_room(pairs, count)
                pairs[count, 0], pairs[count, 1] = i, j
                count += 1
            shared[j] = 0
    return pairs[:count]


def count_shared(hashes: I64, post: I64, post_indptr: I64, row: int, shared: I64) -> I64:
    """Count into `shared` how many of these hashes each later document holds; return those."""
    later, count = np.empty(len(shared), np.int64), 0
    for h in hashes:
        for q in range(post_indptr[h + 1] - 1, post_indptr[h] - 1, -1):
            j = post[q]
            if j <= row:
                break
            if shared[j] == 0:
                later[count] = j
                count += 1
            shared[j] += 1
    return later[:count]
