"""Winnowed hashes, and how many sets share, as they are read."""

from __future__ import annotations

import numpy as np
from oracles.exact import with_room

from simhash_core.model import I32, I64, U64, Bools

BASE = np.uint64(0xD1342543DE82EF95)


def gram_hashes(token: U64, single: Bools, weight: int) -> tuple[U64, I32]:
    """Hash the gram that begins at each token; return hashes and ends where one fits."""
    n = len(token)
    if n == 0:
        return np.empty(0, np.uint64), np.empty(0, np.int32)
    total = np.concatenate([[0], np.cumsum(np.where(single, 1, 2))])
    last = np.searchsorted(total, total[:-1] + weight)
    fits = int(np.searchsorted(last, n, side="right"))
    last = last[:fits].astype(np.int32)
    value = np.zeros(fits, np.uint64)
    place = np.arange(fits)
    for shift in range(weight):
        inside = place + shift < last
        grown = value * BASE + token[np.minimum(place + shift, n - 1)]
        value = np.where(inside, grown, value)
    value ^= value >> np.uint64(29)
    value *= np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(value ^ (value >> np.uint64(32))), np.asarray(last, np.int32)


def smallest(value: U64, last: I32, window: int) -> tuple[U64, I32, I32]:
    """Return the distinct grams that are the smallest of a window: hash, first and last token."""
    if not len(value):
        none = np.empty(0, np.int32)
        return value, none, none
    least = value.copy()
    for shift in range(1, min(window, len(value))):
        least = np.minimum(least[:-1], value[shift:])
    chosen, place = np.unique(value, return_index=True)
    is_smallest = np.isin(chosen, least)
    first = place[is_smallest].astype(np.int32)
    return chosen[is_smallest], first, last[first]


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
