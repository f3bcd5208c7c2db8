"""Exact self-join by blocks: sort on each route, compare within buckets, split the overloaded.

Or, with radii, each bucket against those whose key is close to its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from ...model import I32, I64, U16, U64, Bools, Progress
from . import loops
from .blocks import (
    Reach,
    Route,
    divide,
    find_remaining,
    keys,
    masks,
    pieces,
    shorten,
    width,
    words_of,
)
from .loops import Hits, in_threads
from .plan import Plan, head_bits, overload

LEVELS = 3  # hashes on top of each other; a family closer than k cannot be split by any

FLIPS = 8  # of a key, in one piece of work
FAMILY_BITS = 32  # of a number that names bucket and family


@dataclass(frozen=True, slots=True, eq=False)
class JoinResult:
    """Pairs of columns (left < right, unordered) and what finding them took."""

    left: I64
    right: I64
    distance: U16
    candidates: int  # pairs compared
    largest: int  # rows in the largest bucket of the first hash
    split: int  # buckets hashed again

    @property
    def pairs(self) -> Hits:
        """Return left, right and distance."""
        return self.left, self.right, self.distance

    @staticmethod
    def merged(parts: Iterable[JoinResult]) -> JoinResult:
        """Return the union of disjoint findings."""
        every = [*parts] or [NOTHING]
        return JoinResult(
            np.concatenate([part.left for part in every]),
            np.concatenate([part.right for part in every]),
            np.concatenate([part.distance for part in every]),
            sum(part.candidates for part in every),
            max(part.largest for part in every),
            sum(part.split for part in every),
        )


NOTHING = JoinResult(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint16), 0, 0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Columns that may still meet: `column[i]` belongs to bucket `run[i]` of the hashes so far."""

    column: I64
    run: U64
    runs: int
    level: int = 0  # hashes so far

    @property
    def key_bits(self) -> int:
        """Return how many bits of key fit into 64 beside the run and the position."""
        return 64 - (len(self.column) - 1).bit_length() - (self.runs - 1).bit_length()


@dataclass(frozen=True, slots=True, eq=False)
class Buckets:
    """Rows in bucket order.

    `ordered` is uint64 (W, m), `bounds` int64 (b + 1,). `parts` is empty, or the bits of the
    words were put into that order, for which `earlier` holds too. `order` int64 (m,) holds the
    column of each place, unless it is to be looked up by its word.
    """

    ordered: U64
    bounds: I64
    earlier: U64
    order: I64 | None = None
    parts: I64 | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Join:
    """What stays the same through all tables of one search.

    Attributes
    ----------
    columns : uint64 (W, n)
        Distinct words.
    family : int32 (n,) or (0,)
        Pairs of columns that stand next to each other with the same number from 0 on are left out:
        they are compared elsewhere.
    ascending : bool
        Whether `columns` is one row of sorted words: then the first hash sorts bare words, without
        the columns they come from.
    """

    columns: U64
    bits: int
    k: int
    family: I32 = field(default_factory=lambda: np.zeros(0, np.int32))
    ascending: bool = False

    def table(
        self, rows: Rows, routes: Sequence[Route], at: int, used: Route, seen: U64
    ) -> JoinResult:
        """Join `rows` on `routes[at]`, leaving out what earlier routes report.

        Parameters
        ----------
        used : Route
            Bits that are equal within a run already.
        seen : uint64 (t, W)
            Masks of the routes before this whole list of routes.
        """
        bare = self.ascending and not rows.level
        key_bits = 64 if bare else rows.key_bits
        short = [shorten(route, key_bits) for route in routes[: at + 1]]
        earlier = np.concatenate([seen, masks(short[:at], self.bits, len(self.columns))])
        cut = self._words(short[at], earlier) if bare else self.buckets(rows, short[at], earlier)
        sizes = np.diff(cut.bounds)
        used = (*used, *short[at])
        left_over = self.bits - width(used) if rows.level + 1 < LEVELS else 0
        compared = sizes * (sizes - 1) // 2 - self._left_out(cut)
        weighty = 2 * compared / np.maximum(sizes, 1) + 1
        limit = overload(weighty[sizes > 1], self.k, len(self.columns), left_over)
        heavy = weighty > limit
        hits = self._hits(cut, ~heavy)
        result = JoinResult(
            *hits, int(compared[~heavy].sum()), int(sizes.max(initial=1)), int(heavy.sum())
        )
        if not heavy.any():
            return result
        again = self._members(cut, heavy, rows.level + 1)
        return JoinResult.merged([result, self._split(again, used, earlier)])

    def buckets(self, rows: Rows, route: Route, earlier: U64 | None = None) -> Buckets:
        """Return the buckets of at least two rows."""
        place_bits = (len(rows.column) - 1).bit_length()
        parts = pieces(route, self.bits)
        packed = loops.pack(self.columns, rows.column, rows.run, parts, place_bits)
        packed.sort()
        every = rows.column[:0] if rows.level == 0 else rows.column
        order, bounds = loops.buckets(packed, every, place_bits)
        unseen = np.zeros((0, len(self.columns)), np.uint64)
        seen = unseen if earlier is None else earlier
        return Buckets(self.columns.take(order, axis=1), bounds, seen, order)

    def _words(self, route: Route, earlier: U64) -> Buckets:
        """Return all buckets of the sorted words, the key on top of each word."""
        rest = self.bits - width(route)
        if route[0] == (0, width(route)):  # sorted by it
            return Buckets(self.columns, loops.edges(self.columns[0], rest), earlier)
        parts = pieces((*route, *find_remaining(route, self.bits)), self.bits)
        turned = loops.turned(self.columns, parts)
        turned.sort()
        masks_too = keys(np.ascontiguousarray(earlier.T), parts)[:, None]
        return Buckets(turned[None, :], loops.edges(turned, rest), masks_too, parts=parts)

    def _left_out(self, cut: Buckets) -> I64:
        """Return how many pairs of each bucket are of one family, int64 (b,)."""
        if not len(self.family) or cut.order is None:
            return np.zeros(len(cut.bounds) - 1, np.int64)
        family = self.family[cut.order]
        first = np.ones(len(family), np.bool_)
        first[1:] = (family[1:] != family[:-1]) | (family[1:] < 0)
        first[cut.bounds[:-1]] = True
        start = np.flatnonzero(first)
        size = np.diff(start, append=len(family))
        pairs = np.concatenate([[0], np.cumsum(size * (size - 1) // 2)])
        return np.diff(pairs[np.searchsorted(start, cut.bounds)])

    def _hits(self, cut: Buckets, light: Bools) -> Hits:
        """Return the close pairs of the light buckets by column."""
        family = self.family
        if len(family) and cut.order is not None:
            family = family[cut.order]
        left, right, distance = loops.join(
            cut.ordered, cut.bounds, light, family, self.k, cut.earlier
        )
        named = np.zeros(cut.ordered.shape[1], np.bool_)
        named[left] = named[right] = True
        place = np.flatnonzero(named)
        column = np.empty(len(named), np.int64)
        column[place] = self._columns(cut, place)
        left, right = column[left], column[right]
        return np.minimum(left, right), np.maximum(left, right), distance

    def _columns(self, cut: Buckets, place: I64) -> I64:
        """Return the columns of some places."""
        if cut.order is not None:
            return cut.order[place]
        if cut.parts is None:
            return place
        return np.searchsorted(self.columns[0], words_of(cut.ordered[0, place], cut.parts))

    def _members(self, cut: Buckets, heavy: Bools, level: int) -> Rows:
        """Return the columns of some buckets, each a run of its own."""
        starts, sizes = cut.bounds[:-1][heavy], np.diff(cut.bounds)[heavy]
        run = np.repeat(np.arange(len(sizes)), sizes)
        inside = np.arange(len(run)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        column = self._columns(cut, starts[run] + inside)
        return Rows(column, run.astype(np.uint64), len(sizes), level)

    def _split(self, rows: Rows, used: Route, earlier: U64) -> JoinResult:
        """Hash buckets again, all at once, on k + 1 parts of the bits not used so far."""
        routes = divide(find_remaining(used, self.bits), self.k + 1)
        tables = (self.table(rows, routes, at, used, earlier) for at in range(len(routes)))
        return JoinResult.merged(tables)


def all_rows(n: int) -> Rows:
    """Return every column, before any hash."""
    return Rows(np.arange(n), np.zeros(n, np.uint64), 1)


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
        filled = (other > head) & (size > 0) & (size[other] > 0)
        low, high = table.heads[:-1], table.heads[1:]
        tiles = np.stack(
            [low[filled], high[filled], low[other[filled]], high[other[filled]]], axis=1
        )
        parts.append(loops.across(table.ordered, tiles, table.family, join.k))
        candidates += int((size[filled] * size[other[filled]]).sum()) - _left_out(table, flip)
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
