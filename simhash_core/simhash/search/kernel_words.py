"""Comparisons of fingerprints, and pairs brought in order, compiled: the room of all these loops.

The same functions as in `readable`. The counting loops are small functions with unsigned bounds (a
signed index would have to be tested for wrapping around) and unsigned `k`, so that LLVM emits
vector population counts.
"""

# numba compiles these functions; their types are those of `readable`
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from ...machine.kernels import I64, I64_2, INT, U16, U64, U64_2, WORD, Kernels, popcount
from .readable import PARTS as GROUPS

ROOM = Kernels("search")

ONE = np.uint64(1)
TWO, THREE, FOUR, SIGN = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(63)

MIX = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio: spreads words over slots
STRIP = np.uint64(2048)  # words that stay in the nearest cache
PARTS = np.uint64(GROUPS)


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


@ROOM.inner((U64_2, INT, I64_2))
def key_of(queries, i, parts):
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
        key = key_of(columns, column[place], parts)
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
                place = packed[at] & places
                order[size] = column[place] if len(column) else np.int64(place)
                size += 1
        first = after
    starts[buckets] = size
    return order[:size].copy(), starts[: buckets + 1].copy()


@ROOM.entry((U64_2, I64_2))
def _turned(columns, parts):
    n = np.uint64(columns.shape[1])
    turned = np.zeros(n, np.uint64)
    for begin in range(np.uint64(0), n, STRIP):
        end, below = min(begin + STRIP, n), np.uint64(0)
        for back in range(len(parts)):
            _, shift, wide = parts[len(parts) - 1 - back]
            low = (ONE << np.uint64(wide)) - ONE if wide < 64 else ~np.uint64(0)
            for i in range(begin, end):
                turned[i] |= ((columns[0, i] >> np.uint64(shift)) & low) << below
            below += np.uint64(wide)
    return turned


@ROOM.entry((U64, WORD))
def _edges(ordered, shift):
    n = len(ordered)
    bounds = np.empty(n + 1, np.int64)
    size = 0
    for at in range(n):
        if at == 0 or (ordered[at] ^ ordered[at - 1]) >> shift != 0:
            bounds[size] = at
            size += 1
    bounds[size] = n
    return bounds[: size + 1].copy()


@ROOM.entry((U64, U64, WORD))
def _first_rows(words, wanted, slot_bits):
    shift, last = np.uint64(64) - slot_bits, (ONE << slot_bits) - ONE
    slots = np.zeros(ONE << slot_bits, np.int32)
    first, group = np.empty(len(wanted), np.int64), np.empty(len(words), np.int64)
    for at in range(len(wanted)):
        first[at] = -1
        slot = (wanted[at] * MIX) >> shift
        while slots[slot] > 0:
            slot = (slot + ONE) & last
        slots[slot] = at + 1
    for row in range(len(words)):
        group[row] = row
        slot = (words[row] * MIX) >> shift
        while slots[slot] > 0:
            at = slots[slot] - 1
            if wanted[at] == words[row]:
                if first[at] < 0:
                    first[at] = row
                group[row] = first[at]
                break
            slot = (slot + ONE) & last
    return first, group


@ROOM.entry((I64, I64, U16, I64, WORD))
def _packed(left, right, distance, names, place_bits):
    packed = np.empty(len(left), np.uint64)
    shift = place_bits + np.uint64(9)
    for at in range(len(left)):
        a, b = np.uint64(names[left[at]]), np.uint64(names[right[at]])
        packed[at] = (min(a, b) << shift) | (max(a, b) << np.uint64(9)) | np.uint64(distance[at])
    return packed


@ROOM.entry((U64, WORD))
def _spread(packed, shift):
    bounds, after = np.zeros(PARTS + ONE, np.int64), np.zeros(PARTS, np.int64)
    for at in range(len(packed)):
        bounds[(packed[at] >> shift) + ONE] += 1
    for part in range(PARTS):
        bounds[part + ONE] += bounds[part]
        after[part] = bounds[part]
    spread = np.empty(len(packed), np.uint64)
    for at in range(len(packed)):
        part = packed[at] >> shift
        spread[after[part]] = packed[at]
        after[part] += 1
    return spread, bounds


@ROOM.entry((U64, WORD, I64, I64, U16))
def _unpack(packed, place_bits, left, right, distance):
    last, shift = (ONE << place_bits) - ONE, place_bits + np.uint64(9)
    for at in range(len(packed)):
        left[at] = packed[at] >> shift
        right[at] = (packed[at] >> np.uint64(9)) & last
        distance[at] = packed[at] & np.uint64(511)


def pack(columns, column, run, parts, place_bits):
    """Put run, key and position of each row into one word, so that a bare sort brings buckets."""
    run_shift = int(parts[:, 2].sum()) + place_bits
    return _pack(columns, column, run, parts, np.uint64(place_bits), np.uint64(run_shift))


def buckets(packed, column, place_bits):
    """Return the rows of the sorted words in buckets of at least two, and where these start."""
    return _buckets(packed, column, np.uint64(place_bits))


def turned(columns, parts):
    """Return the words of one column with their bits in another order."""
    return _turned(columns, parts)


def edges(ordered, shift):
    """Return the bounds of runs of sorted words that are equal but for the last `shift` bits."""
    return _edges(ordered, np.uint64(shift))


def first_rows(words, wanted):
    """Return the first row of each wanted word, and for each row the first that equals it."""
    return _first_rows(words, wanted, np.uint64(max(4, len(wanted).bit_length() + 1)))


def packed(left, right, distance, names, place_bits):
    """Put the rows of each pair, the smaller first, and the distance into one word."""
    return _packed(left, right, distance, names, np.uint64(place_bits))


def spread(words, shift):
    """Return words grouped by their bits from `shift` on, and the bounds of the groups."""
    return _spread(words, np.uint64(shift))


def unpack(words, place_bits, left, right, distance):
    """Write what `packed` put into words to arrays of the same length."""
    _unpack(words, np.uint64(place_bits), left, right, distance)
