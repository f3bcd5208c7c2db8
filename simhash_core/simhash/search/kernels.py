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

from ...kernels import BOOLS, I32, I32_2, I64, I64_2, I64_3, INT, U16, U64, U64_2, WORD, Kernels
from .scans import LEADERS
from .scans import PARTS as GROUPS

ROOM = Kernels("search")

ONE = np.uint64(1)
TWO, THREE, FOUR, SIGN = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(63)
MIX = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio: spreads words over slots
STRIP = np.uint64(2048)  # words that stay in the nearest cache
PARTS = np.uint64(GROUPS)
LANES = np.uint64(
    4
)  # histograms filled in turn, so that equal neighbours do not wait for each other


@intrinsic
def popcount(_context, _word):
    """Return the number of one bits of a uint64."""

    def generate(_context, builder, _signature, args):
        _widen(builder)
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def wide_vectors(_context):
    """Let the function in which this stands, and what is compiled into it, use wide vectors."""

    def generate(context, builder, _signature, _args):
        _widen(builder)
        return context.get_dummy_value()

    return types.void(), generate


def _widen(builder):
    """Ask for vectors of 512 bits: LLVM takes half of that by itself, at 0.6 times the speed.

    An attribute that llvmlite does not know; a processor without such vectors ignores it.
    """
    set.add(builder.function.attributes, '"prefer-vector-width"="512"')


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


@ROOM.inner((U64_2, INT, U64_2, INT), (U64_2, WORD, U64_2, WORD))
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
    if len(earlier) == 0:
        return np.int64(listed)
    filled = size
    for at in range(size, np.int64(listed)):
        right[filled], distance[filled] = right[at], distance[at]
        filled += not _reported(columns, i, columns, right[filled], earlier, len(earlier))
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
def _any(columns, i, low, high, k):
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
def _near_next(columns, k):
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
        one, two = _distance(columns, i, columns, i + ONE), _distance(columns, i, columns, i + TWO)
        near[i] = min(one, two, _distance(columns, i, columns, i + THREE)) <= k
    return near


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
    apart, after = np.empty(widest, np.uint16), np.empty(widest, np.uint64)
    near = _near_next(columns, k)
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
            if far < high and _any(columns, first, far, high, k) > 0:
                far = high
            elif far == last and not _marked(near, first, last):
                continue
            for i in range(first, last):
                low = after[i - begin] if len(family) > 0 else i + ONE
                hits = _count(columns, i, low, far, k) if low < far else 0
                if hits == 0:
                    continue
                if size + hits >= len(left):
                    left, right = _grown(left, size + hits + 1), _grown(right, size + hits + 1)
                    distance = _grown(distance, size + hits + 1)
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
                near = _any(columns, first, begin, skip, k)
                if near == 0 and _any(columns, first, after, high, k) == 0:
                    continue
            for i in range(first, last):
                hits = _count(columns, i, begin, high, k)
                if hits == 0:
                    continue
                if size + hits >= len(left):
                    left, right = _grown(left, size + hits + 1), _grown(right, size + hits + 1)
                    distance = _grown(distance, size + hits + 1)
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
            if _count(leaders, np.uint64(LEADERS), np.uint64(0), np.uint64(held), k) == 0:
                for word in range(len(columns)):
                    leaders[word, seen % LEADERS] = columns[word, i]
                leader[seen % LEADERS] = order[i]
                seen += 1
                continue
            near = 0
            while _distance(leaders, near, leaders, LEADERS) > k:
                near += 1
            one, other = _root(parent, leader[near]), _root(parent, order[i])
            parent[max(one, other)] = min(one, other)


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
            head = _key(queries, i, parts[table]) >> np.uint64(shifts[table])
            low, high = heads[table, head], heads[table, head + ONE]
            near = _near_words(words[table], queries[0, i], low, high, k)
            if near == 0:
                continue
            if size + near > len(query):
                query, row = _grown(query, size + near), _grown(row, size + near)
                distance = _grown(distance, size + near)
            for j in range(low, high):
                if popcount(queries[0, i] ^ words[table, j]) > k:
                    continue
                stored = order[table, j]
                apart = _distance(queries, i, columns, stored)
                if apart > k or _reported(queries, i, columns, stored, masks, table):
                    continue
                if _reported(queries, i, columns, stored, masks[table : table + 1], 1):
                    query[size], row[size], distance[size] = i, stored, apart
                    size += 1
    return query[:size].copy(), row[:size].copy(), distance[:size].copy()


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


def link(columns, order, bounds, k, parent):
    """Join the trees of columns of one bucket that are within `k` bits."""
    _link(columns, order, bounds, np.uint64(k), parent)


def join(columns, bounds, light, family, k, earlier):
    """Return the pairs of light buckets within `k` bits that nothing else has reported."""
    return _join(columns, bounds, light, family, np.uint64(k), earlier)


def packed(left, right, distance, names, place_bits):
    """Put the rows of each pair, the smaller first, and the distance into one word."""
    return _packed(left, right, distance, names, np.uint64(place_bits))


def spread(words, shift):
    """Return words grouped by their bits from `shift` on, and the bounds of the groups."""
    return _spread(words, np.uint64(shift))


def unpack(words, place_bits, left, right, distance):
    """Write what `packed` put into words to arrays of the same length."""
    _unpack(words, np.uint64(place_bits), left, right, distance)


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
