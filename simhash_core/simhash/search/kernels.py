"""The loops over candidate pairs, compiled: the same functions as in `scans`.

The counting loops are small functions with unsigned bounds (a signed index would have to be tested
for wrapping around) and unsigned `k`, so that LLVM emits vector population counts; a stretch is
looked at again only where the count says it has hits.
"""

# numba compiles these functions; their types are those of `scans`
# mypy: ignore-errors

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic

from ...kernels import I64, I64_2, I64_3, INT, U16, U64, U64_2, WORD, Kernels

ROOM = Kernels("search")

ONE = np.uint64(1)
LANES = np.uint64(
    4
)  # histograms filled in turn, so that equal neighbours do not wait for each other


@intrinsic
def popcount(_context, _word):
    """Return the number of one bits of a uint64."""

    def generate(_context, builder, _signature, args):
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


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
def _count(columns, i, low, high, k):
    """Count the columns of [low, high) within `k` bits of column `i`."""
    if len(columns) == 1:
        return _count1(columns, i, low, high, k)
    if len(columns) == 2:
        return _count2(columns, i, low, high, k)
    return _count4(columns, i, low, high, k)


@ROOM.inner((U64_2, WORD, WORD, WORD, U16))
def _distances(columns, i, low, high, out):
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
def _reported(a, i, b, j, earlier, until):
    """Return whether one of the first `until` masks has no bit of the xor of two words."""
    for t in range(until):
        apart = np.uint64(0)
        for word in range(len(a)):
            apart |= (a[word, i] ^ b[word, j]) & earlier[t, word]
        if apart == 0:
            return True
    return False


@ROOM.inner((U64_2, INT, U64_2, INT))
def _distance(a, i, b, j):
    total = np.uint64(0)
    for word in range(len(a)):
        total += popcount(a[word, i] ^ b[word, j])
    return total


@ROOM.inner((I64, INT), (U16, INT))
def _grown(array, size):
    wider = np.empty(max(2 * len(array), size), array.dtype)
    for place in range(len(array)):  # a slice would be compiled in a second
        wider[place] = array[place]
    return wider


@ROOM.inner((I64_2,))
def _widest(tiles):
    widest = 0
    for tile in range(len(tiles)):
        widest = max(widest, tiles[tile, 3] - tiles[tile, 2])
    return widest


@ROOM.inner((U64_2, WORD, WORD, WORD, WORD, U64_2, U16, I64, U16, INT))
def _list(columns, i, low, high, k, earlier, apart, right, distance, size):
    """Append the unreported hits of column `i` in [low, high); return the new size.

    Hits are first collected without a branch, which families of near-duplicates would mispredict.
    """
    _distances(columns, i, low, high, apart)
    listed = np.uint64(size)
    for j in range(high - low):
        right[listed], distance[listed] = low + j, apart[j]
        listed += np.uint64(apart[j] <= k)
    filled = size
    for at in range(size, np.int64(listed)):
        right[filled], distance[filled] = right[at], distance[at]
        filled += not _reported(columns, i, columns, right[filled], earlier, len(earlier))
    return filled


@ROOM.entry((U64_2, I64_2, WORD, U64_2))
def _scan(columns, tiles, k, earlier):
    left, right = np.empty(256, np.int64), np.empty(256, np.int64)
    distance = np.empty(256, np.uint16)
    apart = np.empty(_widest(tiles), np.uint16)
    size = 0
    for tile in range(len(tiles)):
        high = np.uint64(tiles[tile, 3])
        for i in range(np.uint64(tiles[tile, 0]), np.uint64(tiles[tile, 1])):
            low = max(np.uint64(tiles[tile, 2]), i + ONE)
            if low >= high:
                continue
            hits = _count(columns, i, low, high, k)
            if hits == 0:
                continue
            if size + hits >= len(left):
                left, right = _grown(left, size + hits + 1), _grown(right, size + hits + 1)
                distance = _grown(distance, size + hits + 1)
            filled = _list(columns, i, low, high, k, earlier, apart, right, distance, size)
            left[size:filled] = i
            size = filled
    return left[:size].copy(), right[:size].copy(), distance[:size].copy()


@ROOM.entry((U64_2, I64_2, INT))
def _histogram(columns, tiles, bits):
    counts = np.zeros((LANES, bits + 1), np.int64)
    apart = np.empty(_widest(tiles), np.uint16)
    for tile in range(len(tiles)):
        high = np.uint64(tiles[tile, 3])
        for i in range(np.uint64(tiles[tile, 0]), np.uint64(tiles[tile, 1])):
            low = max(np.uint64(tiles[tile, 2]), i + ONE)
            if low >= high:
                continue
            _distances(columns, i, low, high, apart)
            for j in range(high - low):
                counts[j % LANES, apart[j]] += 1
    for lane in range(1, LANES):
        for distance in range(bits + 1):
            counts[0, distance] += counts[lane, distance]
    return counts[0].copy()


@ROOM.inner((U64_2, INT, I64_2))
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


@ROOM.entry((U64_2, I64, U64, I64_2, WORD, WORD))
def _pack(columns, column, run, parts, place_bits, run_shift):
    packed = np.empty(len(column), np.uint64)
    for place in range(len(column)):
        key = _key(columns, column[place], parts)
        packed[place] = (run[place] << run_shift) | (key << place_bits) | np.uint64(place)
    return packed


@ROOM.entry((U64, I64, WORD))
def _buckets(packed, column, place_bits):
    n = len(packed)
    places = (np.uint64(1) << place_bits) - ONE
    order, starts = np.empty(n, np.int64), np.empty(n // 2 + 1, np.int64)
    size, buckets = 0, 0
    first = 0
    while first < n:
        key, after = packed[first] >> place_bits, first + 1
        while after < n and packed[after] >> place_bits == key:
            after += 1
        if after > first + 1:
            starts[buckets] = size
            buckets += 1
            for at in range(first, after):
                order[size] = column[packed[at] & places]
                size += 1
        first = after
    starts[buckets] = size
    return order[:size].copy(), starts[: buckets + 1].copy()


@ROOM.inner((U64, WORD))
def _first(keys, key):
    """Return the first place of sorted keys that is not below `key`."""
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@ROOM.entry((U64_2, U64_2, U64_2, I64_2, I64_3, U64_2, WORD))
def _probe(queries, columns, keys, order, parts, masks, k):
    query, row = np.empty(64, np.int64), np.empty(64, np.int64)
    distance = np.empty(64, np.uint16)
    size, compared = 0, 0
    for table in range(len(keys)):
        for i in range(queries.shape[1]):
            key = _key(queries, i, parts[table])
            place = _first(keys[table], key)
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


def pack(columns, column, run, parts, place_bits):
    """Put run, key and position of each row into one word, so that a bare sort brings buckets."""
    run_shift = int(parts[:, 2].sum()) + place_bits
    return _pack(columns, column, run, parts, np.uint64(place_bits), np.uint64(run_shift))


def buckets(packed, column, place_bits):
    """Return the rows of the sorted words in buckets of at least two, and where these start."""
    return _buckets(packed, column, np.uint64(place_bits))


def scan(columns, tiles, k, earlier):
    """Return the pairs of the tiles within `k` bits that no earlier route has reported."""
    return _scan(columns, tiles, np.uint64(k), earlier)


def histogram(columns, tiles, bits):
    """Return int64 (bits + 1,): how many pairs of the tiles stand at each distance."""
    return _histogram(columns, tiles, bits)


def probe(queries, columns, keys, order, parts, masks, k):
    """Look up every query in every table of a `BlockIndex`."""
    return _probe(queries, columns, keys, order, parts, masks, np.uint64(k))
