"""Pairs of texts that share rare words or hashes, cut into tiles of two chunks of rows.

A tile is joined by the loops of the local search, with the weights and floors of the whole
collection: what it says of a pair depends on these and on the two texts alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ..model import I32, I64
from ..passages.blocks import RULES, BlockPostings
from ..passages.rare_words import join_blocks
from ..passages.tokenized import TokenizedText
from ..passages.winnow import HeldHashes, HolderLimits, Winnowed, mark_witnesses, pairs_sharing
from .batches import Batches, array, batch_of, join_batches, records_in

BLOCKS = "unit string, tile bigint, row bigint, blocks int, weight binary, feature binary, "
BLOCKS += "block binary"
SCORES = "left bigint, right bigint, above bigint"
HASHES = "value bigint, row bigint, hashes int"
HELD = f"{HASHES}, held bigint, witness boolean"
HASH_TILES = f"tile bigint, {HELD}"
ALIKE = "left bigint, right bigint"

CHUNK_TEXTS = 10_000  # of a tile: two chunks of texts with their tokens take some 600 MB
LEAST_CHUNKS = 4  # ten tiles, so that a few machines have something to do

#: feature, ascending, and weight of what counts in a unit of the block join
Weighed = tuple[I32, I32]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows cut into chunks of consecutive ones, and the tiles of every two chunks."""

    rows: int  # of a chunk
    chunks: int

    @classmethod
    def of(cls, n: int, most: int) -> Grid:
        """Return how n rows are cut: at most `most` a chunk, and at least `LEAST_CHUNKS` chunks."""
        rows = max(min(most, math.ceil(n / LEAST_CHUNKS)), 1)
        return cls(rows, max(math.ceil(n / rows), 1))

    def chunk(self, row: I64) -> I64:
        """Return the chunk of each row."""
        return row // self.rows

    def tiles(self, chunk: I64) -> Iterator[I64]:
        """Yield for each chunk, one after the other, the tiles that it is part of."""
        for other in range(self.chunks):
            yield np.minimum(chunk, other) * self.chunks + np.maximum(chunk, other)

    def sides(self, tile: int, row: I64) -> tuple[I64, I64]:
        """Return which of the rows of a tile are on its left and right: all where it is one."""
        chunk = self.chunk(row)
        return (
            np.flatnonzero(chunk == tile // self.chunks),
            np.flatnonzero(chunk == tile % self.chunks),
        )


# --------------------------------------------------------------------------- rare words


def scatter_blocks(
    batches: Batches, *, weights: Mapping[str, Weighed], grid: Grid
) -> Iterator[pa.RecordBatch]:
    """Send the weighed features of each text, block by block, to the tiles of its chunk."""
    for batch in batches:
        row, held = array(batch, "row"), {unit: ([], []) for unit in weights}  # type: ignore[var-annotated]
        for at, text in enumerate(records_in(batch, TokenizedText)):
            held[text.language][0].append(at)
            held[text.language][1].append(text)
        for unit, (places, texts) in held.items():
            if texts:
                rows = row[np.array(places)]
                columns = _weigh_blocks(texts, RULES[unit].width, weights[unit])
                for tile in grid.tiles(grid.chunk(rows)):
                    named = pa.array([unit] * len(rows), pa.string())
                    yield batch_of({"unit": named, "tile": tile, "row": rows, **columns})


def _weigh_blocks(
    texts: list[TokenizedText], width: int, weighed: Weighed
) -> dict[str, I32 | pa.Array]:
    """Return for each text how many blocks it has, and its entries: weight, feature, block."""
    postings = BlockPostings.of(texts, width)
    feature, weight = weighed
    at = np.minimum(np.searchsorted(feature, postings.feature), max(len(feature) - 1, 0))
    counts = feature[at] == postings.feature if len(feature) else np.zeros(len(at), np.bool_)
    entries = np.repeat(counts, np.diff(postings.indptr))
    which = np.repeat(np.arange(len(counts)), np.diff(postings.indptr))[entries]
    block = postings.block[entries]
    order = np.argsort(block, kind="stable")
    which, block = which[order], block[order]
    document = postings.documents[block]
    inside = (block - postings.first_block[document]).astype(np.int32)
    cuts = np.searchsorted(document, np.arange(len(texts) + 1))
    columns = {
        "weight": weight[at[which]] if len(feature) else np.zeros(0, np.int32),
        "feature": postings.feature[which],
        "block": inside,
    }
    return {
        "blocks": np.diff(postings.first_block).astype(np.int32),
        **{name: _cut(held, cuts) for name, held in columns.items()},
    }


def _cut(values: I32, cuts: I64) -> pa.Array:
    """Return the parts of an array as binary values."""
    data, size = np.ascontiguousarray(values), values.dtype.itemsize
    offsets = pa.array((cuts * size).astype(np.int32))
    return pa.Array.from_buffers(
        pa.binary(), len(cuts) - 1, [None, offsets.buffers()[1], pa.py_buffer(data)]
    )


def join_tiles(
    batches: Batches, *, floors: Mapping[str, int], everything: bool, grid: Grid
) -> Iterator[pa.RecordBatch]:
    """Score the pairs of each tile; yield those that reach the floor, or all with a score."""
    table = join_batches(batches)
    if table is None:
        return
    units, tiles = np.array(table.column("unit").to_pylist()), array(table, "tile")
    rows = array(table, "row")
    for unit, tile in sorted({*zip(units.tolist(), tiles.tolist(), strict=True)}):
        chosen = np.flatnonzero((units == unit) & (tiles == tile))
        part = table.take(pa.array(chosen[np.argsort(rows[chosen])]))
        scored = _scores(part, tile, grid, 1 if everything else floors[unit])
        columns = {"left": scored[:, 0], "right": scored[:, 1]}
        yield batch_of({**columns, "above": scored[:, 2] - floors[unit]})


def _scores(part: pa.Table, tile: int, grid: Grid, floor: int) -> I64:
    """Return left, right, score of the pairs of one tile."""
    row, blocks = array(part, "row"), array(part, "blocks").astype(np.int64)
    left, right = grid.sides(tile, row)
    if not len(left) or not len(right):
        return np.zeros((0, 3), np.int64)
    feature, weight, block, document = _entries(part)
    of_right = np.isin(document, right)
    distinct, first = np.unique(feature[of_right], return_index=True)
    first_left, first_right = _starts(blocks[left]), _starts(blocks[right])
    # the right side as postings, the left side as the features of each block
    number = np.searchsorted(distinct, feature[of_right])
    at = block[of_right] + first_right[np.searchsorted(right, document[of_right])]
    order = np.lexsort((at, number))
    ends = np.cumsum(np.bincount(number, minlength=len(distinct)))
    shared = np.isin(document, left) & np.isin(feature, distinct)
    query = block[shared] + first_left[np.searchsorted(left, document[shared])]
    of_block = np.argsort(query, kind="stable")
    scored = join_blocks(
        np.searchsorted(query[of_block], np.arange(first_left[-1] + 1)),
        np.searchsorted(distinct, feature[shared])[of_block].astype(np.int32),
        weight[of_right][first],
        ends,
        at[order].astype(np.int32),
        np.repeat(np.arange(len(right)), blocks[right]).astype(np.int32),
        first_left,
        first_left[1:] if left[0] == right[0] else np.zeros(len(left), np.int64),
        (0, len(left)),
        floor,
        np.concatenate([[0], ends[:-1]]).astype(np.int64),
    )
    pairs = np.stack([row[left[scored[:, 0]]], row[right[scored[:, 1]]], scored[:, 2]], axis=1)
    return np.asarray(pairs, np.int64)


def _entries(part: pa.Table) -> tuple[I32, I32, I64, I64]:
    """Return feature, weight, block within the text and place of the text of all entries."""
    columns = [
        [np.frombuffer(held.as_buffer(), np.int32) for held in part.column(name)]
        for name in ("feature", "weight", "block")
    ]
    size = [len(held) for held in columns[0]]
    feature, weight, block = (np.concatenate(held) for held in columns)
    return feature, weight, block.astype(np.int64), np.repeat(np.arange(len(size)), size)


def _starts(sizes: I64) -> I64:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])


# --------------------------------------------------------------------------- winnowed hashes


def explode_hashes(batches: Batches) -> Iterator[pa.RecordBatch]:
    """Yield one row for each winnowed hash of each text."""
    for batch in batches:
        if batch.num_rows:
            values = [one.value for one in records_in(batch, Winnowed)]
            size = np.array([len(value) for value in values])
            yield batch_of(
                {
                    "value": np.concatenate(values),
                    "row": np.repeat(array(batch, "row"), size),
                    "hashes": np.repeat(size, size).astype(np.int32),
                }
            )


def hold(batches: Batches) -> Iterator[pa.RecordBatch]:
    """Leave hashes of one text out, and count in how many texts each other one occurs."""
    table = join_batches(batches)
    if table is None:
        return
    table = table.sort_by("row")
    row = array(table, "row")
    _, number, held = np.unique(array(table, "value"), return_inverse=True, return_counts=True)
    witness = mark_witnesses(number, row, references=int(row[-1]) + 1)
    shared = np.flatnonzero(held[number] > 1)
    columns = {name: array(table, name)[shared] for name in ("value", "row", "hashes")}
    counted = {"held": held[number][shared].astype(np.int64), "witness": witness[shared]}
    yield batch_of({**columns, **counted})


def scatter_hashes(batches: Batches, *, grid: Grid) -> Iterator[pa.RecordBatch]:
    """Send each hash of a text to the tiles of its chunk."""
    for batch in batches:
        names = ("value", "row", "hashes", "held", "witness")
        held = {name: batch.column(name) for name in names}
        for tile in grid.tiles(grid.chunk(array(batch, "row"))):
            yield batch_of({"tile": tile, **held})


def share_tiles(
    batches: Batches, *, share: float, limits: HolderLimits, grid: Grid
) -> Iterator[pa.RecordBatch]:
    """Yield the pairs of each tile that are worth aligning by their hashes."""
    table = join_batches(batches)
    if table is None:
        return
    tiles = array(table, "tile")
    for tile in np.unique(tiles).tolist():
        part = table.take(pa.array(np.flatnonzero(tiles == tile)))
        part = part.sort_by([("row", "ascending"), ("value", "ascending")])
        rows, first, place = np.unique(array(part, "row"), return_index=True, return_inverse=True)
        _, number = np.unique(array(part, "value"), return_inverse=True)
        size = array(part, "hashes")[first].astype(np.int64)
        left, right = grid.sides(tile, rows)
        if len(left) and len(right):
            held = HeldHashes(place, number, array(part, "held"), array(part, "witness"))
            among = {"left": len(left), "right": int(right[0]), "references": len(rows)}
            pairs = rows[pairs_sharing(held, size, share, limits, **among)]
            yield batch_of({"left": pairs[:, 0], "right": pairs[:, 1]})
