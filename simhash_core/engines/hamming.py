"""All pairs of fingerprints within k bits, cut into tasks: what one machine of a cluster does.

Rows are sent to buckets of equal key, one for each route of `simhash.search.blocks`, and every
bucket is joined by the kernel of the local search. A bucket with too many rows for one task is cut
by a second hash before it is sent, by the argument that the local join uses within a bucket. A
pair is reported on the first route on which its fingerprints meet, so that no step removes
duplicates. Where the blocks would be too narrow, tiles of two chunks of rows are compared instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa

from ..model import I64, U64
from ..simhash.search import block_plan, loops
from ..simhash.search.blocks import (
    Route,
    divide,
    find_remaining,
    keys,
    masks,
    pieces,
    shorten,
    width,
)
from ..simhash.search.join import Join, Rows, all_rows
from ..simhash.search.linear import rectangle, triangle
from ..simhash.search.words import to_columns
from .batches import Batches, array, batch_of, join_batches, word_columns, words_in

KEY_BITS, REST_BITS = 32, 16  # of a key: the same in every task, whatever its number of rows
LEAST_BLOCK = 8  # bits: narrower blocks send almost every row to every other
HOT_ROWS = 100_000  # of a bucket: more are cut by a second hash before they are sent
SINGLE = -1  # `part` of a bucket that one hash made

PAIRS = "left bigint, right bigint, distance int"
KEY_COUNTS = "route int, key bigint, rows bigint"
#: of rows in buckets and in tiles; then the words of their fingerprints
BUCKETS = "route int, part int, key bigint, rest bigint, row bigint"
TILES = "tile bigint, chunk int, row bigint"


def routes_of(bits: int, k: int) -> tuple[Route, ...]:
    """Return the keys of a search, none where tiles are cheaper."""
    if k == 0 or bits // (k + 1) < LEAST_BLOCK:
        return ()
    return tuple(shorten(route, KEY_BITS) for route in block_plan(bits, k).routes)


def second_routes(route: Route, bits: int, k: int) -> tuple[Route, ...]:
    """Return the keys that cut the buckets of one route; none where too few bits are left."""
    rest = find_remaining(route, bits)
    if width(rest) <= k:
        return ()
    return tuple(shorten(part, REST_BITS) for part in divide(rest, k + 1))


def count_keys(batches: Batches, *, bits: int, k: int) -> Iterator[pa.RecordBatch]:
    """Count the rows of each bucket, batch by batch."""
    for batch in batches:
        columns = to_columns(words_in(batch))
        for at, route in enumerate(routes_of(bits, k)):
            key, rows = np.unique(keys(columns, pieces(route, bits)), return_counts=True)
            routed = np.full(len(key), at, np.int32)
            yield batch_of({"route": routed, "key": key, "rows": rows})


def scatter(
    batches: Batches, *, bits: int, k: int, hot: Mapping[int, I64]
) -> Iterator[pa.RecordBatch]:
    """Send each row to its bucket on every route; rows of a `hot` key to the parts of it."""
    routes = routes_of(bits, k)
    for batch in batches:
        row, words = array(batch, "row"), words_in(batch)
        columns = to_columns(words)
        for at, route in enumerate(routes):
            key = keys(columns, pieces(route, bits)).view(np.int64)
            heavy = np.isin(key, hot.get(at, np.zeros(0, np.int64)))
            light = np.flatnonzero(~heavy)
            yield _bucketed(at, SINGLE, key[light], np.zeros_like(key[light]), row, words, light)
            many = np.flatnonzero(heavy)
            if len(many):
                for part, second in enumerate(second_routes(route, bits, k)):
                    rest = keys(columns[:, many], pieces(second, bits)).view(np.int64)
                    yield _bucketed(at, part, key[many], rest, row, words, many)


def _bucketed(
    route: int, part: int, key: I64, rest: I64, row: I64, words: U64, chosen: I64
) -> pa.RecordBatch:
    marks = {name: np.full(len(chosen), at, np.int32) for name, at in
             (("route", route), ("part", part))}  # fmt: skip
    columns = {"key": key, "rest": rest, "row": row[chosen], **word_columns(words[chosen])}
    return batch_of({**marks, **columns})


def join_buckets(batches: Batches, *, bits: int, k: int) -> Iterator[pa.RecordBatch]:
    """Compare the rows of whole buckets; yield the pairs that no earlier route reports."""
    table = join_batches(batches)
    if table is None:
        return
    routes, (route, part) = routes_of(bits, k), (array(table, name) for name in ("route", "part"))
    key, row, words = array(table, "key"), array(table, "row"), words_in(table)
    for at, second in sorted({*zip(route.tolist(), part.tolist(), strict=True)}):
        rows = np.flatnonzero((route == at) & (part == second))
        columns = to_columns(words[rows])
        join, unseen = Join(columns, bits, k), np.zeros((0, len(columns)), np.uint64)
        if second == SINGLE:
            held = join.table(all_rows(len(rows)), routes, at, (), unseen)
        else:
            distinct, run = np.unique(key[rows], return_inverse=True)
            runs = Rows(np.arange(len(rows)), run.astype(np.uint64), len(distinct), 1)
            if runs.key_bits < REST_BITS:
                raise ValueError("too many rows in one task")
            seen = masks(routes[:at], bits, len(columns))
            parts = second_routes(routes[at], bits, k)
            held = join.table(runs, parts, second, routes[at], seen)
        yield _pairs(row[rows], held.left, held.right, held.distance)


def scatter_to_tiles(batches: Batches, *, chunks: int) -> Iterator[pa.RecordBatch]:
    """Send each row to every tile of its chunk and another one."""
    for batch in batches:
        row, words = array(batch, "row"), words_in(batch)
        chunk = row % chunks
        for other in range(chunks):
            tile = np.minimum(chunk, other) * chunks + np.maximum(chunk, other)
            held = {"tile": tile, "chunk": chunk.astype(np.int32), "row": row}
            yield batch_of({**held, **word_columns(words)})


def scan_tiles(batches: Batches, *, k: int, chunks: int) -> Iterator[pa.RecordBatch]:
    """Compare every row of one chunk of each tile with every row of the other."""
    table = join_batches(batches)
    if table is None:
        return
    tile, chunk, row = (array(table, name) for name in ("tile", "chunk", "row"))
    words = words_in(table)
    for one in np.unique(tile).tolist():
        rows = np.flatnonzero(tile == one)
        rows = rows[np.argsort(chunk[rows], kind="stable")]
        columns, first = to_columns(words[rows]), int((chunk[rows] == one // chunks).sum())
        same = one // chunks == one % chunks
        tiles = triangle(first) if same else rectangle(first, len(rows))
        none = np.zeros((0, len(columns)), np.uint64)
        yield _pairs(row[rows], *loops.scan(columns, tiles, k, none))


def _pairs(row: I64, left: I64, right: I64, distance: object) -> pa.RecordBatch:
    a, b = row[left], row[right]
    apart = np.asarray(distance).astype(np.int32)
    return batch_of({"left": np.minimum(a, b), "right": np.maximum(a, b), "distance": apart})
