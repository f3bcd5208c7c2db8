"""The loops over candidate pairs, compiled: the same functions as in `readable`.

A stretch of columns is counted first, and looked at again only where the count says it has hits.
"""

# numba compiles these functions; their types are those of `readable`
# mypy: ignore-errors

from __future__ import annotations

import numpy as np

from ...machine.kernels import (
    BOOLS,
    I32,
    I32_2,
    I64,
    I64_2,
    I64_3,
    INT,
    U16,
    U64,
    U64_2,
    WORD,
    popcount,
    wide_vectors,
)
from .kernel_words import (
    FOUR,
    ONE,
    ROOM,
    TWO,
    any_of_four,
    buckets,
    count,
    distance_of,
    distances,
    edges,
    first_rows,
    key_of,
    near_next,
    pack,
    packed,
    reported,
    spread,
    turned,
    unpack,
)
from .readable import LEADERS

__all__ = [
    "ROOM", "across", "buckets", "edges", "first_rows", "histogram", "join", "link", "pack",
    "packed", "probe", "scan", "spread", "turned", "unpack",
]  # fmt: skip

# histograms filled in turn, so that equal neighbours do not wait for each other
LANES = np.uint64(4)


@ROOM.inner((I64, INT), (U16, INT))
def _grown(array, size):
    wider = np.empty(max(2 * len(array), size), array.dtype)
    for place in range(len(array)):  # a slice would be compiled in a second
        wider[place] = array[place]
    return wider


@ROOM.inner((I64, I64, U16, INT))
def _fitting(left, right, distance, size):
    """Return the columns of pairs with room for so many and one more."""
    if size < len(left):
        return left, right, distance
    return _grown(left, size + 1), _grown(right, size + 1), _grown(distance, size + 1)


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
    distances(columns, i, low, high, apart)
    listed = np.uint64(size)
    for j in range(high - low):
        right[listed], distance[listed] = low + j, apart[j]
        listed += np.uint64(apart[j] <= k)
    if len(earlier) == 0:
        return np.int64(listed)
    filled = size
    for at in range(size, np.int64(listed)):
        right[filled], distance[filled] = right[at], distance[at]
        filled += not reported(columns, i, columns, right[filled], earlier, len(earlier))
    return filled


@ROOM.entry((U64_2, I64_2, WORD, U64_2))
def _scan(columns, tiles, k, earlier):
    wide_vectors()
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
            hits = count(columns, i, low, high, k)
            if hits == 0:
                continue
            left, right, distance = _fitting(left, right, distance, size + hits)
            filled = _list(columns, i, low, high, k, earlier, apart, right, distance, size)
            left[size:filled] = i
            size = filled
    return left[:size].copy(), right[:size].copy(), distance[:size].copy()


@ROOM.inner((BOOLS, WORD, WORD))
def _marked(near, low, high):
    some = False
    for i in range(low, high):
        some |= near[i]
    return some


@ROOM.inner((I32, WORD, WORD, U64))
def _run_ends(family, begin, high, after):
    """Write where the family of each column of [begin, high) ends."""
    end = high
    for back in range(high - begin):
        i = high - ONE - back
        if back == 0 or family[i] < 0 or family[i] != family[i + ONE]:
            end = i + ONE
        after[i - begin] = end


@ROOM.inner((I64, BOOLS))
def _widest_bucket(bounds, light):
    widest = 0
    for bucket in range(len(light)):
        if light[bucket]:
            widest = max(widest, bounds[bucket + 1] - bounds[bucket])
    return widest


@ROOM.entry((U64_2, I64, BOOLS, I32, WORD, U64_2))
def _join(columns, bounds, light, family, k, earlier):
    wide_vectors()
    left, right = np.empty(256, np.int64), np.empty(256, np.int64)
    distance = np.empty(256, np.uint16)
    widest, size = _widest_bucket(bounds, light), 0
    apart = np.empty(widest, np.uint16)
    after = np.empty(widest if len(family) > 0 else 0, np.uint64)
    near = near_next(columns, k)
    for bucket in range(len(light)):
        begin, high = np.uint64(bounds[bucket]), np.uint64(bounds[bucket + 1])
        if not light[bucket] or high - begin < TWO:
            continue
        if len(family) > 0:
            _run_ends(family, begin, high, after)
        for first in range(begin, high, FOUR):
            last = min(first + FOUR, high)
            far = last
            if len(family) > 0:
                for i in range(first, last):
                    far = max(far, after[i - begin])
            if far < high and any_of_four(columns, first, far, high, k) > 0:
                far = high
            elif far == last and not _marked(near, first, last):
                continue
            for i in range(first, last):
                low = after[i - begin] if len(after) > 0 else i + ONE
                hits = count(columns, i, low, far, k) if low < far else 0
                if hits == 0:
                    continue
                left, right, distance = _fitting(left, right, distance, size + hits)
                filled = _list(columns, i, low, far, k, earlier, apart, right, distance, size)
                left[size:filled] = i
                size = filled
    return left[:size].copy(), right[:size].copy(), distance[:size].copy()


@ROOM.inner((I32, WORD, WORD, INT))
def _family_start(family, low, high, number):
    """Return the first place of [low, high) of that family or one after it."""
    while low < high:
        middle = (low + high) // TWO
        if family[middle] < number:
            low = middle + ONE
        else:
            high = middle
    return low


@ROOM.entry((U64_2, I64_2, I32, WORD))
def _across(columns, tiles, family, k):
    wide_vectors()
    left, right = np.empty(256, np.int64), np.empty(256, np.int64)
    distance = np.empty(256, np.uint16)
    apart, none = np.empty(_widest(tiles), np.uint16), np.empty((0, len(columns)), np.uint64)
    size = 0
    for tile in range(len(tiles)):
        end = np.uint64(tiles[tile, 1])
        begin, high = np.uint64(tiles[tile, 2]), np.uint64(tiles[tile, 3])
        for first in range(np.uint64(tiles[tile, 0]), end, FOUR):
            last = min(first + FOUR, end)
            skip, after = high, high  # where the family of all these stands in the other bucket
            if len(family) > 0 and family[first] >= 0 and family[first] == family[last - ONE]:
                skip = _family_start(family, begin, high, family[first])
                after = _family_start(family, skip, high, family[first] + 1)
            if last - first == FOUR:
                near = any_of_four(columns, first, begin, skip, k)
                if near == 0 and any_of_four(columns, first, after, high, k) == 0:
                    continue
            for i in range(first, last):
                hits = count(columns, i, begin, high, k)
                if hits == 0:
                    continue
                left, right, distance = _fitting(left, right, distance, size + hits)
                filled = _list(columns, i, begin, high, k, none, apart, right, distance, size)
                for at in range(size, filled):
                    if len(family) > 0 and family[i] >= 0 and family[right[at]] == family[i]:
                        continue
                    left[size], right[size], distance[size] = i, right[at], distance[at]
                    size += 1
    return left[:size].copy(), right[:size].copy(), distance[:size].copy()


@ROOM.entry((U64_2, I64_2, INT))
def _histogram(columns, tiles, bits):
    wide_vectors()
    counts = np.zeros((LANES, bits + 1), np.int64)
    apart = np.empty(_widest(tiles), np.uint16)
    for tile in range(len(tiles)):
        high = np.uint64(tiles[tile, 3])
        for i in range(np.uint64(tiles[tile, 0]), np.uint64(tiles[tile, 1])):
            low = max(np.uint64(tiles[tile, 2]), i + ONE)
            if low >= high:
                continue
            distances(columns, i, low, high, apart)
            for j in range(high - low):
                counts[j % LANES, apart[j]] += 1
    for lane in range(1, LANES):
        for distance in range(bits + 1):
            counts[0, distance] += counts[lane, distance]
    return counts[0].copy()


@ROOM.inner((I64, INT))
def _root(parent, node):
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node


@ROOM.entry((U64_2, I64, I64, WORD, I64))
def _link(columns, order, bounds, k, parent):
    wide_vectors()
    leaders, leader = np.empty((len(columns), LEADERS + 1), np.uint64), np.empty(LEADERS, np.int64)
    for bucket in range(len(bounds) - 1):
        seen = 0
        for i in range(bounds[bucket], bounds[bucket + 1]):
            for word in range(len(columns)):
                leaders[word, LEADERS] = columns[word, i]
            held = min(seen, LEADERS)
            if count(leaders, np.uint64(LEADERS), np.uint64(0), np.uint64(held), k) == 0:
                for word in range(len(columns)):
                    leaders[word, seen % LEADERS] = columns[word, i]
                leader[seen % LEADERS] = order[i]
                seen += 1
                continue
            near = 0
            while distance_of(leaders, near, leaders, LEADERS) > k:
                near += 1
            one, other = _root(parent, leader[near]), _root(parent, order[i])
            parent[max(one, other)] = min(one, other)


@ROOM.inner((U64, WORD, INT, INT, WORD))
def _near_words(words, word, low, high, k):
    hits = 0
    for j in range(np.uint64(low), np.uint64(high)):
        hits += popcount(word ^ words[j]) <= k
    return hits


@ROOM.entry((U64_2, U64_2, U64_2, I64_2, I32_2, I64, I64_3, U64_2, WORD))
def _probe(queries, columns, words, order, heads, shifts, parts, masks, k):
    query, row = np.empty(64, np.int64), np.empty(64, np.int64)
    distance = np.empty(64, np.uint16)
    size = 0
    for table in range(len(order)):
        for i in range(queries.shape[1]):
            head = key_of(queries, i, parts[table]) >> np.uint64(shifts[table])
            low, high = heads[table, head], heads[table, head + ONE]
            near = _near_words(words[table], queries[0, i], low, high, k)
            if near == 0:
                continue
            query, row, distance = _fitting(query, row, distance, size + near)
            for j in range(low, high):
                if popcount(queries[0, i] ^ words[table, j]) > k:
                    continue
                stored = order[table, j]
                apart = distance_of(queries, i, columns, stored)
                if apart > k or reported(queries, i, columns, stored, masks, table):
                    continue
                if reported(queries, i, columns, stored, masks[table : table + 1], 1):
                    query[size], row[size], distance[size] = i, stored, apart
                    size += 1
    return query[:size].copy(), row[:size].copy(), distance[:size].copy()


def link(columns, order, bounds, k, parent):
    """Join the trees of columns of one bucket that are within `k` bits."""
    _link(columns, order, bounds, np.uint64(k), parent)


def join(columns, bounds, light, family, k, earlier):
    """Return the pairs of light buckets within `k` bits that nothing else has reported."""
    return _join(columns, bounds, light, family, np.uint64(k), earlier)


def scan(columns, tiles, k, earlier):
    """Return the pairs of the tiles within `k` bits that no earlier route has reported."""
    return _scan(columns, tiles, np.uint64(k), earlier)


def across(columns, tiles, family, k):
    """Return the pairs of the tiles within `k` bits that are not of one family."""
    return _across(columns, tiles, family, np.uint64(k))


def histogram(columns, tiles, bits):
    """Return int64 (bits + 1,): how many pairs of the tiles stand at each distance."""
    return _histogram(columns, tiles, bits)


def probe(queries, columns, words, order, heads, shifts, parts, masks, k):
    """Look up every query in every table of a `BlockIndex`."""
    return _probe(queries, columns, words, order, heads, shifts, parts, masks, np.uint64(k))
