"""The loops over candidate pairs, compiled: the same functions as in `scans`.

The counting loops run over contiguous slices in small functions, with `k` unsigned, so that LLVM
emits vector population counts; a slice is looked at again only where the count says it has hits.
"""

# numba compiles these functions; their types are those of `scans`
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

LANES = 4  # histograms filled in turn, so that equal neighbours do not wait for each other


@intrinsic
def popcount(_context, _word):
    """Return the number of one bits of a uint64."""

    def generate(_context, builder, _signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@njit(nogil=True, cache=True)
def _count1(x, column, k):
    hits = 0
    for j in range(len(column)):
        hits += popcount(x ^ column[j]) <= k
    return hits


@njit(nogil=True, cache=True)
def _count2(x, y, first, second, k):
    hits = 0
    for j in range(len(first)):
        hits += popcount(x ^ first[j]) + popcount(y ^ second[j]) <= k
    return hits


@njit(nogil=True, cache=True)
def _count4(w, x, y, z, first, second, third, fourth, k):
    hits = 0
    for j in range(len(first)):
        near = popcount(w ^ first[j]) + popcount(x ^ second[j])
        far = popcount(y ^ third[j]) + popcount(z ^ fourth[j])
        hits += near + far <= k
    return hits


@njit(nogil=True, cache=True)
def _count(columns, i, low, high, k):
    """Count the columns of [low, high) within `k` bits of column `i`."""
    first = columns[0, low:high]
    if len(columns) == 1:
        return _count1(columns[0, i], first, k)
    second = columns[1, low:high]
    if len(columns) == 2:
        return _count2(columns[0, i], columns[1, i], first, second, k)
    third, fourth = columns[2, low:high], columns[3, low:high]
    w, x, y, z = columns[0, i], columns[1, i], columns[2, i], columns[3, i]
    return _count4(w, x, y, z, first, second, third, fourth, k)


@njit(nogil=True, cache=True)
def _distances1(x, column, out):
    for j in range(len(column)):
        out[j] = popcount(x ^ column[j])


@njit(nogil=True, cache=True)
def _distances2(x, y, first, second, out):
    for j in range(len(first)):
        out[j] = popcount(x ^ first[j]) + popcount(y ^ second[j])


@njit(nogil=True, cache=True)
def _distances4(w, x, y, z, first, second, third, fourth, out):
    for j in range(len(first)):
        near = popcount(w ^ first[j]) + popcount(x ^ second[j])
        out[j] = near + popcount(y ^ third[j]) + popcount(z ^ fourth[j])


@njit(nogil=True, cache=True)
def _distances(columns, i, low, high, out):
    """Write the distances of column `i` to the columns of [low, high)."""
    first = columns[0, low:high]
    if len(columns) == 1:
        _distances1(columns[0, i], first, out)
        return
    second = columns[1, low:high]
    if len(columns) == 2:
        _distances2(columns[0, i], columns[1, i], first, second, out)
        return
    third, fourth = columns[2, low:high], columns[3, low:high]
    w, x, y, z = columns[0, i], columns[1, i], columns[2, i], columns[3, i]
    _distances4(w, x, y, z, first, second, third, fourth, out)


@njit(nogil=True, cache=True)
def _reported(a, i, b, j, earlier, until):
    """Return whether one of the first `until` masks has no bit of the xor of two words."""
    for t in range(until):
        apart = np.uint64(0)
        for word in range(len(a)):
            apart |= (a[word, i] ^ b[word, j]) & earlier[t, word]
        if apart == 0:
            return True
    return False


@njit(nogil=True, cache=True)
def _distance(a, i, b, j):
    total = np.uint64(0)
    for word in range(len(a)):
        total += popcount(a[word, i] ^ b[word, j])
    return total


@njit(nogil=True, cache=True)
def _grown(array, size):
    wider = np.empty(max(2 * len(array), size), array.dtype)
    wider[: len(array)] = array
    return wider


@njit(nogil=True, cache=True)
def _scan(columns, tiles, k, earlier):
    left, right = np.empty(256, np.int64), np.empty(256, np.int64)
    distance = np.empty(256, np.uint16)
    size = 0
    for tile in range(len(tiles)):
        high = tiles[tile, 3]
        for i in range(tiles[tile, 0], tiles[tile, 1]):
            low = max(tiles[tile, 2], i + 1)
            if low >= high:
                continue
            hits = _count(columns, i, low, high, k)
            if hits == 0:
                continue
            if size + hits > len(left):
                left, right = _grown(left, size + hits), _grown(right, size + hits)
                distance = _grown(distance, size + hits)
            for j in range(low, high):
                apart = _distance(columns, i, columns, j)
                if apart <= k and not _reported(columns, i, columns, j, earlier, len(earlier)):
                    left[size], right[size], distance[size] = i, j, apart
                    size += 1
    return left[:size].copy(), right[:size].copy(), distance[:size].copy()


@njit(nogil=True, cache=True)
def _histogram(columns, tiles, bits):
    counts = np.zeros((LANES, bits + 1), np.int64)
    widest = 0
    for tile in range(len(tiles)):
        widest = max(widest, tiles[tile, 3] - tiles[tile, 2])
    apart = np.empty(widest, np.uint16)
    for tile in range(len(tiles)):
        high = tiles[tile, 3]
        for i in range(tiles[tile, 0], tiles[tile, 1]):
            low = max(tiles[tile, 2], i + 1)
            if low >= high:
                continue
            _distances(columns, i, low, high, apart)
            for j in range(high - low):
                counts[j % LANES, apart[j]] += 1
    return counts.sum(axis=0)


@njit(nogil=True, cache=True)
def _key(queries, i, parts):
    key = np.uint64(0)
    for piece in range(len(parts)):
        word, shift, wide = parts[piece]
        if wide == 64:
            key = queries[word, i]
        elif wide > 0:
            low = (queries[word, i] >> np.uint64(shift)) & np.uint64((1 << wide) - 1)
            key = (key << np.uint64(wide)) | low
    return key


@njit(nogil=True, cache=True)
def _probe(queries, columns, keys, order, parts, masks, k):
    query, row = np.empty(64, np.int64), np.empty(64, np.int64)
    distance = np.empty(64, np.uint16)
    size, compared = 0, 0
    for table in range(len(keys)):
        for i in range(queries.shape[1]):
            key = _key(queries, i, parts[table])
            place = np.searchsorted(keys[table], key)
            while place < keys.shape[1] and keys[table, place] == key:
                stored = order[table, place]
                place += 1
                compared += 1
                apart = _distance(queries, i, columns, stored)
                if apart > k or _reported(queries, i, columns, stored, masks, table):
                    continue
                if size == len(query):
                    query, row = _grown(query, size + 1), _grown(row, size + 1)
                    distance = _grown(distance, size + 1)
                query[size], row[size], distance[size] = i, stored, apart
                size += 1
    return query[:size].copy(), row[:size].copy(), distance[:size].copy(), compared


def scan(columns, tiles, k, earlier):
    """Return the pairs of the tiles within `k` bits that no earlier route has reported."""
    return _scan(columns, tiles, np.uint64(k), earlier)


def histogram(columns, tiles, bits):
    """Return int64 (bits + 1,): how many pairs of the tiles stand at each distance."""
    return _histogram(columns, tiles, bits)


def probe(queries, columns, keys, order, parts, masks, k):
    """Look up every query in every table of a `BlockIndex`."""
    return _probe(queries, columns, keys, order, parts, masks, np.uint64(k))
