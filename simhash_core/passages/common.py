"""Counting common prints of many pairs.

The functions on arrays here are the readable form; `kernels` holds the same ones compiled.
"""

from __future__ import annotations

import numpy as np

from ..model import I64, U64, Bools
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


def meet(
    place: I64,
    indptr: I64,
    post: I64,
    post_indptr: I64,
    counted: Bools,
    rare: Bools,
    sizes: I64,
    size_of: I64,
    least: int,
    share: float,
    within: bool,
) -> tuple[I64, I64]:
    """Return pairs (m, 2) of rows that share prints, and (m, 2) how many: rare ones, all.

    Row i holds the prints `place[indptr[i]:indptr[i + 1]]` (-1: unknown to the collection);
    print p occurs in the documents `post[post_indptr[p]:post_indptr[p + 1]]`. Kept are pairs
    with at least `least` rare prints, or sharing `share` of the smaller set, `sizes` of the
    rows and `size_of` of the collection. `within`: rows and collection are the same; left < right.
    """
    all_of, rare_of = np.zeros(len(size_of), np.int64), np.zeros(len(size_of), np.int64)
    pairs, counts = np.empty((64, 2), np.int64), np.empty((64, 2), np.int64)
    found = 0
    for i in range(len(indptr) - 1):
        prints = place[indptr[i] : indptr[i + 1]]
        least_row = i + 1 if within else 0
        for j in touch(prints, post, post_indptr, counted, rare, least_row, all_of, rare_of):
            if rare_of[j] >= least or all_of[j] >= share * min(sizes[i], size_of[j]):
                pairs, counts = with_room(pairs, found), with_room(counts, found)
                pairs[found, 0], pairs[found, 1] = i, j
                counts[found, 0], counts[found, 1] = rare_of[j], all_of[j]
                found += 1
            all_of[j], rare_of[j] = 0, 0
    return pairs[:found], counts[:found]


def touch(
    prints: I64,
    post: I64,
    post_indptr: I64,
    counted: Bools,
    rare: Bools,
    least_row: int,
    all_of: I64,
    rare_of: I64,
) -> I64:
    """Count into `all_of` and `rare_of` who shares these prints; return them, sorted."""
    met, touched = np.empty(len(all_of), np.int64), 0
    for p in prints:
        if p < 0 or not counted[p]:
            continue
        for q in range(post_indptr[p], post_indptr[p + 1]):
            j = post[q]
            if j < least_row:
                continue
            if all_of[j] == 0:
                met[touched] = j
                touched += 1
            all_of[j] += 1
            if rare[p]:
                rare_of[j] += 1
    return np.sort(met[:touched])
