"""Exact self-join by blocks with radii: each bucket against those whose key is close to its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...model import I32, I64, U64, Bools, Progress
from .blocks import Reach, masks, pieces
from .engine import loops
from .join import Join, JoinResult
from .plan import Plan, head_bits
from .threads import in_threads

FLIPS = 8  # of a key, in one piece of work
FAMILY_BITS = 32  # of a number that names bucket and family


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns in the order of their keys; bucket h is `ordered[:, heads[h] : heads[h + 1]]`.

    `shared` are the families in the buckets, bucket << `FAMILY_BITS` | family, ascending, and
    `members` how many columns each has there: their pairs are left out.
    """

    ordered: U64
    order: I64
    heads: I64
    family: I32
    shared: I64
    members: I64
    radius: int
    number: int


def reach_tables(join: Join, plan: Plan, progress: Progress | None) -> list[JoinResult]:
    """Return the close pairs of columns, each from the first block on which it is within reach."""
    reach = plan.scheme
    assert isinstance(reach, Reach)
    n = join.columns.shape[1]
    routes = [((start, head_bits(n, wide)),) for start, wide in plan.spans]
    hidden = masks(routes, plan.bits, len(join.columns))
    numbers = range(reach.blocks)
    tables = [*in_threads(lambda at: _table(join, routes[at][0], reach.radii[at], at), numbers)]
    work = [(table, flips) for table in tables for flips in _flips(table)]

    def compare(piece: tuple[Table, list[int]]) -> JoinResult:
        return _compared(join, *piece, hidden, reach)

    return [*in_threads(compare, work, progress=progress)]


def _table(join: Join, span: tuple[int, int], radius: int, number: int) -> Table:
    columns = join.columns
    n, bits = columns.shape[1], span[1]
    place_bits = max(1, (n - 1).bit_length())
    nothing = np.zeros(n, np.uint64)
    packed = loops.pack(columns, np.arange(n), nothing, pieces((span,), join.bits), place_bits)
    packed.sort()
    order = (packed & np.uint64((1 << place_bits) - 1)).astype(np.int64)
    starts = np.arange((1 << bits) + 1, dtype=np.uint64) << np.uint64(place_bits)
    family = join.family[order] if len(join.family) else join.family
    heads = np.searchsorted(packed, starts)
    bucket = np.repeat(np.arange(1 << bits), np.diff(heads))
    held = np.flatnonzero(family >= 0)
    named = (bucket[held] << FAMILY_BITS) | family[held].astype(np.int64)
    shared, members = np.unique(named, return_counts=True)
    ordered = columns.take(order, axis=1)
    return Table(ordered, order, heads, family, shared, members, radius, number)


def _flips(table: Table) -> Iterator[list[int]]:
    """Yield the differences of keys within the radius, some at a time."""
    bits = (len(table.heads) - 1).bit_length() - 1
    every = [
        sum(1 << bit for bit in chosen)
        for changed in range(min(table.radius, bits) + 1)
        for chosen in combinations(range(bits), changed)
    ]
    for at in range(0, len(every), FLIPS):
        yield every[at : at + FLIPS]


def _compared(join: Join, table: Table, flips: list[int], hidden: U64, reach: Reach) -> JoinResult:
    """Compare each bucket with those at some differences of its key."""
    size = np.diff(table.heads)
    head = np.arange(len(size))
    parts, candidates = [], 0
    for flip in flips:
        if flip == 0:
            light = np.ones(len(size), np.bool_)
            none = np.zeros((0, len(join.columns)), np.uint64)
            table_of = (table.ordered, table.heads, light, table.family)
            parts.append(loops.join(*table_of, join.k, none))
            candidates += _within(size) - _within(table.members)
            continue
        other = head ^ flip
        met = (other > head) & (size > 0) & (size[other] > 0)
        low, high = table.heads[:-1], table.heads[1:]
        tiles = np.stack([low[met], high[met], low[other[met]], high[other[met]]], axis=1)
        parts.append(loops.across(table.ordered, tiles, table.family, join.k))
        candidates += int((size[met] * size[other[met]]).sum()) - _left_out(table, flip)
    left, right, distance = (np.concatenate(column) for column in zip(*parts, strict=True))
    fresh = _first_reached(table, left, right, hidden, reach)
    left, right = table.order[left[fresh]], table.order[right[fresh]]
    low, high = np.minimum(left, right), np.maximum(left, right)
    return JoinResult(low, high, distance[fresh], candidates, int(size.max()), 0)


def _within(size: I64) -> int:
    """Return how many pairs groups of these sizes have."""
    return int((size * (size - 1) // 2).sum())


def _left_out(table: Table, flip: int) -> int:
    """Return how many pairs of one family lie in buckets whose keys differ by `flip`."""
    other = table.shared ^ (flip << FAMILY_BITS)
    place = np.minimum(np.searchsorted(table.shared, other), max(len(other) - 1, 0))
    both = (table.shared[place] == other) & (other > table.shared)
    return int((table.members * table.members[place])[both].sum())


def _first_reached(table: Table, left: I64, right: I64, hidden: U64, reach: Reach) -> Bools:
    """Return which pairs no earlier block has within its radius."""
    differing = table.ordered[:, left] ^ table.ordered[:, right]
    fresh = np.ones(len(left), np.bool_)
    for mask, radius in zip(hidden[: table.number], reach.radii, strict=False):
        apart = np.bitwise_count(differing & mask[:, None]).sum(axis=0, dtype=np.int64)
        fresh &= apart > radius
    return fresh
