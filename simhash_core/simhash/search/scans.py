"""The loops over candidate pairs, in numpy: the readable twins of `kernels`.

A *tile* (a0, a1, b0, b1) stands for the pairs (i, j) with a0 <= i < a1, b0 <= j < b1 and i < j:
a bucket is the tile (s, e, s, e), a linear scan is a chequerboard of tiles. `columns` is
uint64 (W, n) with W in 1, 2, 4. `earlier` is uint64 (t, W): a pair whose xor misses all bits of one
of these masks has already been reported by that route.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...model import I64, U16, U64
from .blocks import keys as route_keys

CHUNK = 1 << 20  # candidates held at a time: some 50 MB of temporaries

Hits = tuple[I64, I64, U16]


def pack(columns: U64, column: I64, run: U64, parts: I64, place_bits: int) -> U64:
    """Put run, key and position of each row into one word, so that a bare sort brings buckets.

    Parameters
    ----------
    columns : uint64 (W, n)
    column : int64 (m,)
        The columns that take part.
    run : uint64 (m,)
        Bucket of each of them in the hashes so far.
    parts : int64 (p, 3)
        Pieces of the route.
    place_bits : int
        Bits of a position in `column`.
    """
    packed = route_keys(columns[:, column], parts)
    packed |= run << np.uint64(parts[:, 2].sum())
    packed <<= np.uint64(place_bits)
    packed |= np.arange(len(packed), dtype=np.uint64)
    return packed


def buckets(packed: U64, column: I64, place_bits: int) -> tuple[I64, I64]:
    """Return the rows of the sorted words in buckets of at least two, and where these start.

    Returns
    -------
    order : int64 (r,)
        Columns, bucket after bucket.
    starts : int64 (b + 1,)
        Bounds of the buckets in `order`.
    """
    key = packed >> np.uint64(place_bits)
    same = key[1:] == key[:-1]
    follows = np.concatenate([[False], same])
    member = follows.copy()
    member[:-1] |= same
    place = (packed[member] & np.uint64((1 << place_bits) - 1)).astype(np.int64)
    return column[place], np.append(np.flatnonzero(~follows[member]), len(place))


def scan(columns: U64, tiles: I64, k: int, earlier: U64) -> Hits:
    """Return the pairs of the tiles within `k` bits that no earlier route has reported.

    Returns
    -------
    left, right : int64 (m,)
        Columns, `left < right`.
    distance : uint16 (m,)
    """
    hits = []
    for left, right in _candidates(tiles):
        differing = columns[:, left] ^ columns[:, right]
        distance = np.bitwise_count(differing).sum(axis=0, dtype=np.uint16)
        near = np.flatnonzero(distance <= k)
        near = near[_unreported(differing[:, near], earlier)]
        hits.append((left[near], right[near], distance[near]))
    return _joined(hits)


def histogram(columns: U64, tiles: I64, bits: int) -> I64:
    """Return int64 (bits + 1,): how many pairs of the tiles stand at each distance."""
    counts = np.zeros(bits + 1, np.int64)
    for left, right in _candidates(tiles):
        differing = columns[:, left] ^ columns[:, right]
        distance = np.bitwise_count(differing).sum(axis=0, dtype=np.uint16)
        counts += np.bincount(distance, minlength=bits + 1)
    return counts


def probe(
    queries: U64, columns: U64, keys: U64, order: I64, parts: I64, masks: U64, k: int
) -> tuple[I64, I64, U16, int]:
    """Look up every query in every table of a `BlockIndex`.

    Parameters
    ----------
    queries : uint64 (W, q)
    columns : uint64 (W, n)
        Stored words by row.
    keys : uint64 (t, n)
        Sorted keys of each table.
    order : int64 (t, n)
        Row of each key.
    parts : int64 (t, p, 3)
        Pieces of each route, padded with width 0.
    masks : uint64 (t, W)

    Returns
    -------
    query, row : int64 (m,)
    distance : uint16 (m,)
    candidates : int
        Words compared.
    """
    hits, compared = [], 0
    for table in range(len(keys)):
        wanted = route_keys(queries, parts[table])
        low = np.searchsorted(keys[table], wanted, "left")
        high = np.searchsorted(keys[table], wanted, "right")
        compared += int((high - low).sum())
        for query, place in _expanded(np.arange(len(wanted)), low, high):
            row = order[table, place]
            differing = queries[:, query] ^ columns[:, row]
            distance = np.bitwise_count(differing).sum(axis=0, dtype=np.uint16)
            near = np.flatnonzero(distance <= k)
            near = near[_unreported(differing[:, near], masks[:table])]
            hits.append((query[near], row[near], distance[near]))
    return *_joined(hits), compared


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
