"""The loops over candidate pairs, in C: contracts, and what they are given and give.

A *tile* (a0, a1, b0, b1) stands for the pairs (i, j) with a0 <= i < a1, b0 <= j < b1 and i < j:
a bucket is the tile (s, e, s, e), a linear scan is a chequerboard of tiles. `columns` is
uint64 (W, n) with W in 1, 2, 4. `earlier` is uint64 (t, W): a pair whose xor misses all bits of one
of these masks has already been reported by that route.

Pieces of one search run side by side; the loops let go of the interpreter lock.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from ...machine.compiled import Record, loops_of
from ...model import I32, I64, U16, U64, Bools, Progress

LOOPS = loops_of("simhash/search/loops.c")

PARTS = 512  # of pairs to sort, by their first row

Hits = tuple[I64, I64, U16]
Item = TypeVar("Item")
Result = TypeVar("Result")

MOST = 8  # every thread holds one table: 8 of them at 10 million words are 2 GB


def in_threads(
    function: Callable[[Item], Result], items: Sequence[Item], *, progress: Progress | None = None
) -> Iterator[Result]:
    """Yield function(item) in order, computed on all processors.

    `progress` is called as ("pairs", done, total) from the calling thread; an exception from it
    drops what has not started.
    """
    threads = min(MOST, os.cpu_count() or 1, len(items))
    if threads <= 1:
        for done, item in enumerate(items, 1):
            yield function(item)
            if progress:
                progress("pairs", done, len(items))
        return
    pool = ThreadPoolExecutor(threads)
    try:
        for done, result in enumerate(pool.map(function, items), 1):
            yield result
            if progress:
                progress("pairs", done, len(items))
    finally:
        pool.shutdown(cancel_futures=True)


_NO_LONG, _NO_BOOLS, _NO_INTS = np.empty(0, np.int64), np.empty(0, np.bool_), np.empty(0, np.int32)


def _columns(columns: U64) -> Record:
    record: Record = LOOPS.Columns(np.ascontiguousarray(columns), *columns.shape)
    return record


def _call(columns: U64, k: int, **given: Any) -> Record:
    """Return the arguments of a loop; arrays that it does not need are empty."""
    earlier = given.get("earlier", np.empty((0, len(columns)), np.uint64))
    empty = {"light": _NO_BOOLS, "family": _NO_INTS}
    tiles, bounds, order, light, family = (
        given.get(name, empty.get(name, _NO_LONG))
        for name in ("tiles", "bounds", "order", "light", "family")
    )
    sizes = (len(tiles), max(0, len(bounds) - 1), len(family), given.get("bits", 0), k)
    masks = LOOPS.Masks(np.ascontiguousarray(earlier), len(earlier))
    written = (given.get("parent", _NO_LONG), given.get("counts", _NO_LONG))
    hits = ctypes.addressof(given["hits"]) if "hits" in given else None
    arrays = (_columns(columns), np.ascontiguousarray(tiles), bounds, order, light, family)
    record: Record = LOOPS.Call(*arrays, *sizes, masks, *written, hits)
    return record


def _take_hits(hits: Record) -> Hits:
    """Return the hits as arrays, and free what held them."""
    left, right = np.empty(hits.count, np.int64), np.empty(hits.count, np.int64)
    distance = np.empty(hits.count, np.uint16)
    for array, address in ((left, hits.left), (right, hits.right), (distance, hits.distance)):
        if hits.count:
            ctypes.memmove(array.ctypes.data, address, array.nbytes)
    LOOPS.release(ctypes.byref(hits))
    return left, right, distance


def scan(columns: U64, tiles: I64, k: int, earlier: U64) -> Hits:
    """Return the pairs of the tiles within `k` bits that no earlier route has reported.

    Returns
    -------
    left, right : int64 (m,)
        Columns, `left < right`.
    distance : uint16 (m,)
    """
    hits = LOOPS.Hits(None, None, None, 0, 0)
    LOOPS.scan(_call(columns, k, tiles=tiles, earlier=earlier, hits=hits))
    return _take_hits(hits)


def join(columns: U64, bounds: I64, light: Bools, family: I32, k: int, earlier: U64) -> Hits:
    """Return the pairs of light buckets within `k` bits that nothing else has reported.

    Parameters
    ----------
    columns : uint64 (W, m)
        In bucket order.
    bounds : int64 (b + 1,)
        Of the buckets.
    light : bool (b,)
        Buckets to compare.
    family : int32 (m,) or (0,)
        Columns next to each other with the same number from 0 on are not compared.
    earlier : uint64 (t, W)

    Returns
    -------
    left, right : int64 (h,)
        Places in bucket order, `left < right`.
    distance : uint16 (h,)
    """
    hits = LOOPS.Hits(None, None, None, 0, 0)
    given = {"bounds": bounds, "light": light, "family": family, "earlier": earlier}
    LOOPS.join(_call(columns, k, **given, hits=hits))
    return _take_hits(hits)


def across(columns: U64, tiles: I64, family: I32, k: int) -> Hits:
    """Return the pairs of the tiles within `k` bits that are not of one family.

    Parameters
    ----------
    columns : uint64 (W, m)
    tiles : int64 (t, 4)
        Two buckets each, the second after the first.
    family : int32 (m,) or (0,)
        As in `join`, ascending in each bucket.
    """
    hits = LOOPS.Hits(None, None, None, 0, 0)
    LOOPS.across(_call(columns, k, tiles=tiles, family=family, hits=hits))
    return _take_hits(hits)


def histogram(columns: U64, tiles: I64, bits: int) -> I64:
    """Return int64 (bits + 1,): how many pairs of the tiles stand at each distance."""
    counts = np.empty(bits + 1, np.int64)
    LOOPS.histogram(_call(columns, 0, tiles=tiles, bits=bits, counts=counts))
    return counts


def link(columns: U64, order: I64, bounds: I64, k: int, parent: I64) -> None:
    """Join the trees of columns of one bucket that are within `k` bits.

    Each is compared with the last `LEADERS` columns of its bucket that were close to none before
    them, and joined with one: that finds families in linear time, and may miss members.

    Parameters
    ----------
    columns : uint64 (W, m)
        In bucket order.
    order : int64 (m,)
        Node of each.
    bounds : int64 (b + 1,)
        Of the buckets.
    parent : int64 (n,)
        Of each node in its tree; changed in place.
    """
    LOOPS.link(_call(columns, k, order=order, bounds=bounds, parent=parent))


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

    Parameters
    ----------
    queries : uint64 (W, q)
    columns : uint64 (W, n)
        Stored words by row.
    words, order, heads, shifts, parts, masks
        As in `BlockIndex`; pieces of width 0 add nothing to a key.

    Returns
    -------
    query, row : int64 (m,)
    distance : uint16 (m,)
    """
    hits = LOOPS.Hits(None, None, None, 0, 0)
    tables = (words, order, heads, shifts, parts, masks)
    sizes = (len(order), order.shape[1], heads.shape[1], parts.shape[1], k)
    record = LOOPS.Probe(
        _columns(queries), _columns(columns), *tables, *sizes, ctypes.addressof(hits)
    )
    LOOPS.probe(record)
    return _take_hits(hits)


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
    packed, run_shift = np.empty(len(column), np.uint64), int(parts[:, 2].sum()) + place_bits
    rows = (column, len(column), run, parts, len(parts))
    LOOPS.pack(_columns(columns), *rows, place_bits, run_shift, packed)
    return packed


def buckets(packed: U64, column: I64, place_bits: int) -> tuple[I64, I64]:
    """Return the rows of the sorted words in buckets of at least two, and where these start.

    Parameters
    ----------
    packed : uint64 (m,)
    column : int64 (m,)
        As in `pack`; empty where all columns take part.

    Returns
    -------
    order : int64 (r,)
        Columns, bucket after bucket.
    starts : int64 (b + 1,)
        Bounds of the buckets in `order`.
    """
    n = len(packed)
    order, starts = np.empty(n, np.int64), np.empty(n // 2 + 1, np.int64)
    sizes = np.empty(2, np.int64)
    LOOPS.buckets(packed, n, column, len(column), place_bits, order, starts, sizes)
    return order[: sizes[0]].copy(), starts[: sizes[1] + 1].copy()


def turned(columns: U64, parts: I64) -> U64:
    """Return the words of one column with their bits in another order.

    Parameters
    ----------
    columns : uint64 (1, n)
    parts : int64 (p, 3)
        Pieces of all bits, the first ones on top.
    """
    words = np.empty(columns.shape[1], np.uint64)
    LOOPS.turned(columns, len(words), parts, len(parts), words)
    return words


def edges(ordered: U64, shift: int) -> I64:
    """Return the bounds of runs of sorted words that are equal but for the last `shift` bits."""
    bounds = np.empty(len(ordered) + 1, np.int64)
    return bounds[: LOOPS.edges(ordered, len(ordered), shift, bounds)].copy()


def first_rows(words: U64, wanted: U64) -> tuple[I64, I64]:
    """Return the first row of each wanted word, and for each row the first that equals it.

    Parameters
    ----------
    words : uint64 (n,)
    wanted : uint64 (v,)
        Different words, sorted.

    Returns
    -------
    first : int64 (v,)
    group : int64 (n,)
        The row itself where its word is not wanted.
    """
    first, group = np.empty(len(wanted), np.int64), np.empty(len(words), np.int64)
    slot_bits = max(4, len(wanted).bit_length() + 1)
    LOOPS.first_rows(words, len(words), wanted, len(wanted), slot_bits, first, group)
    return first, group


def packed(left: I64, right: I64, distance: U16, names: I64, place_bits: int) -> U64:
    """Put the rows of each pair, the smaller first, and the distance into one word.

    Parameters
    ----------
    left, right, distance : (m,)
        Pairs of columns.
    names : int64 (n,)
        Row of each column.
    place_bits : int
        Bits of a row.
    """
    words = np.empty(len(left), np.uint64)
    LOOPS.packed(left, right, distance, len(left), names, place_bits, words)
    return words


def spread(words: U64, shift: int) -> tuple[U64, I64]:
    """Return words grouped by their bits from `shift` on, and the bounds of the groups.

    Notes
    -----
    These bits are less than `PARTS`.
    """
    grouped, bounds = np.empty(len(words), np.uint64), np.empty(PARTS + 1, np.int64)
    LOOPS.spread(words, len(words), shift, grouped, bounds)
    return grouped, bounds


def unpack(words: U64, place_bits: int, left: I64, right: I64, distance: U16) -> None:
    """Write what `packed` put into words to arrays of the same length."""
    LOOPS.unpack(words, len(words), place_bits, left, right, distance)
