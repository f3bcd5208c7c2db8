"""Comparisons of fingerprints, compiled: the room of all loops of the search.

The counting loops are small functions with unsigned bounds (a signed index would have to be tested
for wrapping around) and unsigned `k`, so that LLVM emits vector population counts.
"""

# numba compiles these functions; their types are those of `readable`
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from ...kernels import INT, U16, U64_2, WORD, Kernels, popcount

ROOM = Kernels("search")

ONE = np.uint64(1)
TWO, THREE, FOUR, SIGN = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(63)


@ROOM.inner((U64_2, WORD, WORD, WORD, WORD))
def _count1(columns, i, low, high, k):
    hits, x = 0, columns[0, i]
    for j in range(low, high):
        hits += popcount(x ^ columns[0, j]) <= k
    return hits


@ROOM.inner((U64_2, WORD, WORD, WORD, WORD))
def _count2(columns, i, low, high, k):
    hits, x, y = 0, columns[0, i], columns[1, i]
    for j in range(low, high):
        hits += popcount(x ^ columns[0, j]) + popcount(y ^ columns[1, j]) <= k
    return hits


@ROOM.inner((U64_2, WORD, WORD, WORD, WORD))
def _count4(columns, i, low, high, k):
    hits, w, x, y, z = 0, columns[0, i], columns[1, i], columns[2, i], columns[3, i]
    for j in range(low, high):
        near = popcount(w ^ columns[0, j]) + popcount(x ^ columns[1, j])
        far = popcount(y ^ columns[2, j]) + popcount(z ^ columns[3, j])
        hits += near + far <= k
    return hits


@ROOM.inner(inline="always")
def count(columns, i, low, high, k):
    """Count the columns of [low, high) within `k` bits of column `i`."""
    if len(columns) == 1:
        return _count1(columns, i, low, high, k)
    if len(columns) == 2:
        return _count2(columns, i, low, high, k)
    return _count4(columns, i, low, high, k)


@ROOM.inner((U64_2, WORD, WORD, WORD, U16))
def distances(columns, i, low, high, out):
    """Write the distances of column `i` to the columns of [low, high)."""
    if len(columns) == 1:
        for j in range(low, high):
            out[j - low] = popcount(columns[0, i] ^ columns[0, j])
        return
    if len(columns) == 2:
        for j in range(low, high):
            near = popcount(columns[0, i] ^ columns[0, j])
            out[j - low] = near + popcount(columns[1, i] ^ columns[1, j])
        return
    for j in range(low, high):
        near = popcount(columns[0, i] ^ columns[0, j]) + popcount(columns[1, i] ^ columns[1, j])
        far = popcount(columns[2, i] ^ columns[2, j]) + popcount(columns[3, i] ^ columns[3, j])
        out[j - low] = near + far


@ROOM.inner((U64_2, WORD, U64_2, INT, U64_2, INT), (U64_2, INT, U64_2, INT, U64_2, INT))
def reported(a, i, b, j, earlier, until):
    """Return whether one of the first `until` masks has no bit of the xor of two words."""
    for t in range(until):
        apart = np.uint64(0)
        for word in range(len(a)):
            apart |= (a[word, i] ^ b[word, j]) & earlier[t, word]
        if apart == 0:
            return True
    return False


@ROOM.inner((U64_2, INT, U64_2, INT), (U64_2, WORD, U64_2, WORD))
def distance_of(a, i, b, j):
    total = np.uint64(0)
    for word in range(len(a)):
        total += popcount(a[word, i] ^ b[word, j])
    return total


@ROOM.inner((U64_2, WORD, WORD, WORD, WORD))
def _any1(columns, i, low, high, k):
    v, limit = columns[0], k + ONE
    a, b, c, d = v[i], v[i + ONE], v[i + TWO], v[i + THREE]
    near = np.uint64(0)  # its first bit is set by a difference below zero
    for j in range(low, high):
        x = v[j]
        near |= (popcount(a ^ x) - limit) | (popcount(b ^ x) - limit)
        near |= (popcount(c ^ x) - limit) | (popcount(d ^ x) - limit)
    return near >> SIGN


@ROOM.inner((U64_2, WORD, WORD, WORD, WORD))
def _any2(columns, i, low, high, k):
    v, w, limit = columns[0], columns[1], k + ONE
    a, b, c, d = v[i], v[i + ONE], v[i + TWO], v[i + THREE]
    e, f, g, h = w[i], w[i + ONE], w[i + TWO], w[i + THREE]
    near = np.uint64(0)
    for j in range(low, high):
        x, y = v[j], w[j]
        near |= popcount(a ^ x) + popcount(e ^ y) - limit
        near |= popcount(b ^ x) + popcount(f ^ y) - limit
        near |= popcount(c ^ x) + popcount(g ^ y) - limit
        near |= popcount(d ^ x) + popcount(h ^ y) - limit
    return near >> SIGN


@ROOM.inner(inline="always")
def any_of_four(columns, i, low, high, k):
    """Return whether a column of [low, high) is within `k` bits of `i` or the three after it.

    Four at once, so that each word is fetched once, and one test for all: 9 G pairs/s on a core.
    """
    if len(columns) == 1:
        return _any1(columns, i, low, high, k)
    if len(columns) == 2:
        return _any2(columns, i, low, high, k)
    near = np.uint64(0)
    for at in range(i, i + FOUR):
        near += np.uint64(_count4(columns, at, low, high, k))
    return near


@ROOM.inner((U64_2, WORD))
def near_next(columns, k):
    """Return which columns are within `k` bits of one of the three after them."""
    n, limit = np.uint64(columns.shape[1]), k + ONE
    near = np.ones(n, np.bool_)
    if len(columns) == 1:
        v = columns[0]
        for i in range(np.uint64(0), n - min(n, THREE)):
            one, two = popcount(v[i] ^ v[i + ONE]) - limit, popcount(v[i] ^ v[i + TWO]) - limit
            near[i] = (one | two | (popcount(v[i] ^ v[i + THREE]) - limit)) >> SIGN
        return near
    for i in range(np.uint64(0), n - min(n, THREE)):
        one, two = (
            distance_of(columns, i, columns, i + ONE),
            distance_of(columns, i, columns, i + TWO),
        )
        near[i] = min(one, two, distance_of(columns, i, columns, i + THREE)) <= k
    return near
