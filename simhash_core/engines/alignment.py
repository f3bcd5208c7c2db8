"""Candidates aligned in groups: each group gets its texts once, and is aligned as one task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..checking.aligning import Measured, Task, measure_task
from ..model import F32, I32, I64, U8, Bools, DocumentFrequencies, Passages, Stretches
from ..passages import coverage
from ..passages.align import side_of
from ..passages.coverage import PairNumbers
from ..passages.tokenized import TokenizedText
from ..passages.winnow import Winnowed, containment_of_pairs
from ..settings import Settings
from .batches import Batches, array, batch_of, records_in, records_to_columns, table_of
from .tiles import Grid

GROUP_COST = 50_000_000  # tokens of both sides of all pairs of a task: some ten seconds
CHUNK_PAIRS = 512  # aligned at once: bounds the memory beside the texts

NUMBERS = tuple(spec.name for spec in fields(PairNumbers))[:-1]  # without `parts`
PARTS = tuple(f"part_{side}_{name}" for side in "ab" for name in coverage.PARTS)
PASSAGE = tuple(spec.name for spec in fields(Passages))[1:]  # without `pair`
STRETCH = ("side", "start", "end", "kind")
ALIGNED = ", ".join(
    (
        "left bigint, right bigint, listed boolean",
        *(f"{name} float" for name in NUMBERS[:3]),
        *(f"{name} int" for name in (*NUMBERS[3:], *PARTS)),
        *(f"{name} binary" for name in PASSAGE),
        *(f"stretch_{name} binary" for name in STRETCH),
    )
)
SHARES = "left bigint, right bigint, containment float"
OVERLAPS = "row bigint, total float, identical float"
NO_OVERLAP = {"row": np.zeros(0, np.int64), "total": np.zeros(0, np.float32),
              "identical": np.zeros(0, np.float32)}  # fmt: skip


# --------------------------------------------------------------------------- on the driver


def groups_of(pairs: I64, cost: I64, grid: Grid, *, most: int = GROUP_COST) -> I64:
    """Return int64 (m,): the task of each pair, so that those of one tile share their texts."""
    left, right = grid.chunk(pairs[:, 0]), grid.chunk(pairs[:, 1])
    order = np.lexsort((pairs[:, 1], pairs[:, 0], right, left))
    tile = (left * grid.chunks + right)[order]
    spent = np.cumsum(cost[order])
    first = np.concatenate([[True], tile[1:] != tile[:-1]])[: len(tile)]
    before = np.maximum.accumulate(np.where(first, spent - cost[order], 0))
    part = (spent - before) // most
    new = first | np.concatenate([[True], part[1:] != part[:-1]])[: len(tile)]
    groups = np.empty(len(pairs), np.int64)
    groups[order] = np.cumsum(new) - 1
    return groups


def partners(pairs: I64, listed: Bools, groups: I64) -> pa.Table:
    """Return group, row, right (int64), listed (bool): what each text is compared with."""
    order = np.lexsort((pairs[:, 1], pairs[:, 0], groups))
    ends = np.stack([groups[order], pairs[order, 0]], axis=1)
    new = np.concatenate([[True], (ends[1:] != ends[:-1]).any(axis=1)])[: len(ends)]
    first = np.flatnonzero(new)
    cuts = np.append(first, len(ends))
    alone = np.unique(np.stack([groups, pairs[:, 1]], axis=1), axis=0)
    have = ends[first]
    width = int(pairs.max(initial=0)) + 1
    alone = alone[~np.isin(alone @ [width, 1], have @ [width, 1])]
    right, marks = pairs[order, 1], listed[order]
    spans = list(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))
    none = [b""] * len(alone)
    return table_of(
        {
            "group": np.concatenate([have[:, 0], alone[:, 0]]),
            "row": np.concatenate([have[:, 1], alone[:, 1]]),
            "right": pa.array([right[a:b].tobytes() for a, b in spans] + none, pa.binary()),
            "listed": pa.array([marks[a:b].tobytes() for a, b in spans] + none, pa.binary()),
        }
    )


def read_measured(table: pa.Table) -> tuple[I64, Bools, Measured]:
    """Return pairs (m, 2), which are listed, and what was measured of them."""
    ends = np.stack([array(table, "left"), array(table, "right")], axis=1)
    units = np.stack([array(table, name) for name in PARTS], axis=1)
    units = units.reshape(-1, 2, len(coverage.PARTS)).astype(np.int32)
    numbers = PairNumbers(**{name: array(table, name) for name in NUMBERS}, parts=units)
    parts = records_in(table, Passages, skip="pair")
    shared = records_in(table, Stretches, skip="pair", prefix="stretch_")
    passages = Passages.join(
        replace(one, pair=np.full(len(one.kind), at)) for at, one in enumerate(parts)
    )
    stretches = Stretches.join(
        replace(one, pair=np.full(len(one.side), at)) for at, one in enumerate(shared)
    )
    return ends.reshape(-1, 2), array(table, "listed"), Measured(passages, numbers, stretches)


# --------------------------------------------------------------------------- in a task


def split_by_group(batches: Batches) -> Iterator[pa.Table]:
    """Yield the rows of each group; they arrive sorted by group."""
    held: list[pa.RecordBatch] = []
    for batch in batches:
        group = array(batch, "group")
        cuts = [0, *(np.flatnonzero(np.diff(group)) + 1).tolist(), len(group)]
        for low, high in pairwise(cuts):
            if low == high:
                continue
            if held and held[0].column("group")[0].as_py() != int(group[low]):
                yield pa.Table.from_batches(held)
                held = []
            held.append(batch.slice(low, high - low))
    if held:
        yield pa.Table.from_batches(held)


def _pairs_in(table: pa.Table) -> tuple[I64, I64, Bools]:
    """Return the rows of a group, ascending places of its pairs (m, 2), and which are listed."""
    row = array(table, "row")
    order = np.argsort(row)
    right = [np.frombuffer(held.as_buffer(), np.int64) for held in table.column("right")]
    marks = [np.frombuffer(held.as_buffer(), np.bool_) for held in table.column("listed")]
    left = np.repeat(np.arange(len(row)), [len(held) for held in right])
    others = np.concatenate(right) if right else np.zeros(0, np.int64)
    place = order[np.searchsorted(row[order], others)]
    return row, np.stack([left, place], axis=1), np.concatenate(marks)


def align_groups(
    batches: Batches, *, settings: Settings, df: DocumentFrequencies | None
) -> Iterator[pa.RecordBatch]:
    """Align the pairs of each group; yield those that share a passage."""
    for table in split_by_group(batches):
        row, pairs, listed = _pairs_in(table)
        sides = [side_of(text, df) for text in records_in(table, TokenizedText)]
        for low in range(0, len(pairs), CHUNK_PAIRS):
            part, of_part = pairs[low : low + CHUNK_PAIRS], listed[low : low + CHUNK_PAIRS]
            needed, places = np.unique(part, return_inverse=True)
            task = Task([sides[at] for at in needed], places.reshape(-1, 2), settings, of_part)
            yield align_batch(row[part], of_part, measure_task(task))


def align_batch(pairs: I64, listed: Bools, measured: Measured) -> pa.RecordBatch:
    """Return the pairs with a passage, and what was measured of them."""
    passages, numbers, stretches = measured
    rows = np.unique(passages.pair)
    taken = numbers.take(rows)
    parts = [passages.take(passages.pair == at) for at in rows]
    shared = [stretches.take(stretches.pair == at) for at in rows]
    return batch_of(
        {
            "left": pairs[rows, 0],
            "right": pairs[rows, 1],
            "listed": listed[rows],
            **{name: getattr(taken, name) for name in NUMBERS},
            **dict(zip(PARTS, taken.parts.reshape(-1, len(PARTS)).T, strict=True)),
            **records_to_columns(parts, Passages, skip="pair"),
            **records_to_columns(shared, Stretches, skip="pair", prefix="stretch_"),
        }
    )


def contain_groups(batches: Batches) -> Iterator[pa.RecordBatch]:
    """Yield the containment of the winnowed hashes of the pairs of each group."""
    for table in split_by_group(batches):
        row, pairs, _ = _pairs_in(table)
        hashes = records_in(table, Winnowed)
        shares = containment_of_pairs(hashes, pairs[:, 0], pairs[:, 1])
        ends = row[pairs]
        yield batch_of({"left": ends[:, 0], "right": ends[:, 1], "containment": shares})


def overlap_rows(batches: Batches) -> Iterator[pa.RecordBatch]:
    """Yield the share of each text that others hold; its stretches stand beside it."""
    for batch in batches:
        if not batch.num_rows:
            continue
        texts = records_in(batch, TokenizedText)
        spans = [
            [np.frombuffer(held.as_buffer(), kind) for held in batch.column(name)]
            for name, kind in (("from", np.int32), ("until", np.int32), ("kind", np.uint8))
        ]
        parts = np.array([_parts(*one) for one in zip(texts, *spans, strict=True)], np.int32)
        counted = np.array([text.counted for text in texts], np.int64)
        total = coverage.shares_of(parts, counted)
        identical = coverage.shares_of(parts[:, :1], counted)
        yield batch_of({"row": batch.column("row"), "total": total, "identical": identical})


def _parts(text: TokenizedText, start: I32, end: I32, kind: U8) -> tuple[int, int, int]:
    pair, side = np.zeros(len(start), np.int64), np.zeros(len(start), np.uint8)
    return coverage.parts_of_text(text, Stretches(pair, side, start, end, kind))


def spans_by_row(pairs: I64, stretches: Stretches) -> dict[str, Any]:
    """Return row, from, until, kind: the stretches of each text that others hold."""
    row = pairs[stretches.pair, stretches.side] if len(stretches) else np.zeros(0, np.int64)
    order = np.argsort(row, kind="stable")
    rows, first = np.unique(row[order], return_index=True)
    columns: dict[str, NDArray[Any]] = {
        "from": stretches.start,
        "until": stretches.end,
        "kind": stretches.kind,
    }
    parts = {name: np.split(held[order], first)[1:] for name, held in columns.items()}
    cut = {name: pa.array([part.tobytes() for part in held], pa.binary())
           for name, held in parts.items()}  # fmt: skip
    return {"row": rows, **cut}


def shares_in(table: pa.Table) -> Callable[[I64, I64], F32]:
    """Return the containment of pairs by a table of it, sorted by pair."""
    left, right, share = (array(table, name) for name in ("left", "right", "containment"))
    width = int(right.max(initial=0)) + 1

    def contained(a: I64, b: I64) -> F32:
        return np.asarray(share[np.searchsorted(left * width + right, a * width + b)], np.float32)

    return contained
