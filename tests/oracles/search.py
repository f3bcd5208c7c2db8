"""The loops over candidate pairs, in numpy: the judges of the loops in C.

A *tile* (a0, a1, b0, b1) stands for the pairs (i, j) with a0 <= i < a1, b0 <= j < b1 and i < j:
a bucket is the tile (s, e, s, e), a linear scan is a chequerboard of tiles. `columns` is
uint64 (W, n) with W in 1, 2, 4. `earlier` is uint64 (t, W): a pair whose xor misses all bits of one
of these masks has already been reported by that route.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from simhash_core.model import I32, I64, U16, U64, Bools
from simhash_core.simhash.search.blocks import keys as route_keys

CHUNK = 1 << 20  # candidates held at a time: some 50 MB of temporaries


PARTS = 512  # of pairs to sort, by their first row


LEADERS = 128  # columns of a bucket that each further one is compared with


Hits = tuple[I64, I64, U16]


def pack(columns: U64, column: I64, run: U64, parts: I64, place_bits: int) -> U64:
    """Put run, key and position of each row into one word, so that a bare sort brings buckets.

    Arrays and errors as in `simhash.search.loops.pack`.
    """
    packed = route_keys(columns[:, column], parts)
    packed |= run << np.uint64(parts[:, 2].sum())
    packed <<= np.uint64(place_bits)
    packed |= np.arange(len(packed), dtype=np.uint64)
    return packed


def buckets(packed: U64, column: I64, place_bits: int) -> tuple[I64, I64]:
    """Return the rows of the sorted words in buckets of at least two, and where these start.

    Arrays and errors as in `simhash.search.loops.buckets`.
    """
    key = packed >> np.uint64(place_bits)
    same = key[1:] == key[:-1]
    follows = np.concatenate([[False], same])
    member = follows.copy()
    member[:-1] |= same
    place = (packed[member] & np.uint64((1 << place_bits) - 1)).astype(np.int64)
    members = column[place] if len(column) else place
    return members, np.append(np.flatnonzero(~follows[member]), len(place))


def scan(columns: U64, tiles: I64, k: int, earlier: U64) -> Hits:
    """Return the pairs of the tiles within `k` bits that no earlier route has reported.

    Arrays and errors as in `simhash.search.loops.scan`.
    """
    hits = []
    for left, right in _candidates(tiles):
        differing = columns[:, left] ^ columns[:, right]
        distance = np.bitwise_count(differing).sum(axis=0, dtype=np.uint16)
        near = np.flatnonzero(distance <= k)
        near = near[_unreported(differing[:, near], earlier)]
        hits.append((left[near], right[near], distance[near]))
    return _joined(hits)


def join(columns: U64, bounds: I64, light: Bools, family: I32, k: int, earlier: U64) -> Hits:
    """Return the pairs of light buckets within `k` bits that nothing else has reported.

    Arrays and errors as in `simhash.search.loops.join`.
    """
    starts, ends = bounds[:-1][light], bounds[1:][light]
    return _of_two(family, scan(columns, np.stack([starts, ends, starts, ends], 1), k, earlier))


def across(columns: U64, tiles: I64, family: I32, k: int) -> Hits:
    """Return the pairs of the tiles within `k` bits that are not of one family.

    Arrays and errors as in `simhash.search.loops.across`.
    """
    return _of_two(family, scan(columns, tiles, k, np.zeros((0, len(columns)), np.uint64)))


def _of_two(family: I32, hits: Hits) -> Hits:
    """Leave out the pairs of one family."""
    left, right, distance = hits
    if not len(family):
        return hits
    apart = (family[left] < 0) | (family[left] != family[right])
    return left[apart], right[apart], distance[apart]


def turned(columns: U64, parts: I64) -> U64:
    """Return the words of one column with their bits in another order.

    Arrays and errors as in `simhash.search.loops.turned`.
    """
    return route_keys(columns, parts)


def edges(ordered: U64, shift: int) -> I64:
    """Return the bounds of runs of sorted words that are equal but for the last `shift` bits."""
    key = ordered >> np.uint64(shift)
    inner = np.flatnonzero(key[1:] != key[:-1]) + 1
    return np.concatenate([[0][: len(key)], inner, [len(key)]])


def first_rows(words: U64, wanted: U64) -> tuple[I64, I64]:
    """Return the first row of each wanted word, and for each row the first that equals it.

    Arrays and errors as in `simhash.search.loops.first_rows`.
    """
    group = np.arange(len(words))
    if not len(wanted):
        return np.zeros(0, np.int64), group
    at = np.minimum(np.searchsorted(wanted, words), len(wanted) - 1)
    there = wanted[at] == words
    first = np.full(len(wanted), len(words))
    np.minimum.at(first, at[there], group[there])
    group[there] = first[at[there]]
    return first, group


def link(columns: U64, order: I64, bounds: I64, k: int, parent: I64) -> None:
    """Join the trees of columns of one bucket that are within `k` bits.

    Arrays and errors as in `simhash.search.loops.link`.
    """
    for low, high in pairwise(bounds.tolist()):
        held, seen = list[int](), 0
        for i in range(low, high):
            differing = columns[:, held] ^ columns[:, i : i + 1]
            near = np.flatnonzero(np.bitwise_count(differing).sum(axis=0, dtype=np.int64) <= k)
            if not len(near):
                held[seen % LEADERS : seen % LEADERS + 1] = [i]
                seen += 1
                continue
            nodes = (order[held[near[0]]], order[i])
            one, other = sorted(_root(parent, int(node)) for node in nodes)
            parent[other] = one


def packed(left: I64, right: I64, distance: U16, names: I64, place_bits: int) -> U64:
    """Put the rows of each pair, the smaller first, and the distance into one word.

    Arrays and errors as in `simhash.search.loops.packed`.
    """
    a, b = names[left], names[right]
    words = (np.minimum(a, b) << (place_bits + 9)) | (np.maximum(a, b) << 9) | distance
    return words.astype(np.uint64)


def spread(words: U64, shift: int) -> tuple[U64, I64]:
    """Return words grouped by their bits from `shift` on, and the bounds of the groups.

    Arrays and errors as in `simhash.search.loops.spread`.
    """
    part = words >> np.uint64(shift)
    size = np.bincount(part.astype(np.int64), minlength=PARTS)
    order = np.argsort(part, kind="stable")
    return words[order], np.concatenate([[0], np.cumsum(size)])


def unpack(words: U64, place_bits: int, left: I64, right: I64, distance: U16) -> None:
    """Write what `packed` put into words to arrays of the same length."""
    left[:] = words >> np.uint64(place_bits + 9)
    right[:] = (words >> np.uint64(9)) & np.uint64((1 << place_bits) - 1)
    distance[:] = words & np.uint64(511)


def histogram(columns: U64, tiles: I64, bits: int) -> I64:
    """Return int64 (bits + 1,): how many pairs of the tiles stand at each distance."""
    counts = np.zeros(bits + 1, np.int64)
    for left, right in _candidates(tiles):
        differing = columns[:, left] ^ columns[:, right]
        distance = np.bitwise_count(differing).sum(axis=0, dtype=np.uint16)
        counts += np.bincount(distance, minlength=bits + 1)
    return counts


def probe(
    queries: U64,
    columns: U64,
    words: U64,
    order: I64,
    heads: I32,
    shifts: I64,
    parts: I64,
    masks: U64,
    k: int,
) -> Hits:
    """Look up every query in every table of a `BlockIndex`.

    Arrays and errors as in `simhash.search.loops.probe`.
    """
    hits = []
    for table in range(len(order)):
        head = route_keys(queries, parts[table]) >> np.uint64(shifts[table])
        low, high = heads[table, head], heads[table, head + np.uint64(1)]
        for query, place in _expanded(np.arange(len(head)), low, high):
            near = np.bitwise_count(queries[0, query] ^ words[table, place]) <= k
            query, row = query[near], order[table, place[near]]
            differing = queries[:, query] ^ columns[:, row]
            distance = np.bitwise_count(differing).sum(axis=0, dtype=np.uint16)
            first = ~_unreported(differing, masks[table : table + 1])
            first &= _unreported(differing, masks[:table]) & (distance <= k)
            hits.append((query[first], row[first], distance[first]))
    return _joined(hits)


def _root(parent: I64, node: int) -> int:
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = int(parent[node])
    return node


def _candidates(tiles: I64) -> Iterator[tuple[I64, I64]]:
    """Yield the pairs of the tiles in chunks."""
    heights = tiles[:, 1] - tiles[:, 0]
    ends = np.cumsum(heights)
    tile = np.repeat(np.arange(len(tiles)), heights)
    anchor = np.arange(len(tile)) - (ends - heights)[tile] + tiles[tile, 0]
    low = np.maximum(tiles[tile, 2], anchor + 1)
    yield from _expanded(anchor, low, np.maximum(tiles[tile, 3], low))


def _expanded(anchor: I64, low: I64, high: I64) -> Iterator[tuple[I64, I64]]:
    """Yield (anchor, j) for every j in [low, high) of each anchor, some `CHUNK` at a time."""
    sizes = high - low
    total = np.cumsum(sizes)
    at = 0
    while at < len(anchor):
        done = total[at - 1] if at else 0
        to = max(at + 1, int(np.searchsorted(total, done + CHUNK)))
        size = sizes[at:to]
        first = np.cumsum(size) - size
        inside = np.arange(int(size.sum())) - np.repeat(first, size)
        yield np.repeat(anchor[at:to], size), np.repeat(low[at:to], size) + inside
        at = to


def _unreported(differing: U64, earlier: U64) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which pairs (columns of xor words) meet on none of the earlier routes."""
    unreported = np.ones(differing.shape[1], bool)
    for mask in earlier:
        unreported &= ((differing & mask[:, None]) != 0).any(axis=0)
    return unreported


def _joined(hits: list[Hits]) -> Hits:
    """Concatenate hits."""
    empty = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint16))
    left, right, distance = zip(empty, *hits, strict=True)
    return np.concatenate(left), np.concatenate(right), np.concatenate(distance)
