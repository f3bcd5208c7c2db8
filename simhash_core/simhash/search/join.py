"""Exact self-join by blocks: sort on each route, compare within buckets, split the overloaded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...model import I64, U16, U64
from .blocks import Route, divide, masks, pieces, remaining, shorten, width
from .engine import loops
from .plan import overload

LEVELS = 3  # hashes on top of each other; a family closer than k cannot be split by any


@dataclass(frozen=True, slots=True, eq=False)
class JoinResult:
    """Pairs of columns (left < right, unordered) and what finding them took."""

    left: I64
    right: I64
    distance: U16
    candidates: int  # pairs compared
    largest: int  # rows in the largest bucket of the first hash
    split: int  # buckets hashed again

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
class Join:
    """What stays the same through all tables of one search."""

    columns: U64  # (W, n) distinct words
    bits: int
    k: int

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
        short = [shorten(route, rows.key_bits) for route in routes[: at + 1]]
        words = len(self.columns)
        earlier = np.concatenate([seen, masks(short[:at], self.bits, words)])
        order, bounds = self._buckets(rows, short[at])
        starts, sizes = bounds[:-1], np.diff(bounds)
        used = (*used, *short[at])
        left_over = self.bits - width(used) if rows.level + 1 < LEVELS else 0
        heavy = sizes > overload(sizes, self.k, words, left_over)
        light = np.stack([starts, bounds[1:], starts, bounds[1:]], axis=1)[~heavy]
        ordered = self.columns.take(order, axis=1)
        left, right, distance = loops.scan(ordered, light, self.k, earlier)
        left, right = order[left], order[right]
        result = JoinResult(
            np.minimum(left, right),
            np.maximum(left, right),
            distance,
            int((sizes * (sizes - 1) // 2)[~heavy].sum()),
            int(sizes.max(initial=1)),
            int(heavy.sum()),
        )
        if not heavy.any():
            return result
        again = _members(order, starts[heavy], sizes[heavy], rows.level + 1)
        return JoinResult.merged([result, self._split(again, used, earlier)])

    def _buckets(self, rows: Rows, route: Route) -> tuple[I64, I64]:
        """Return the columns in bucket order and the bounds of buckets of at least two."""
        place_bits = (len(rows.column) - 1).bit_length()
        parts = pieces(route, self.bits)
        packed = loops.pack(self.columns, rows.column, rows.run, parts, place_bits)
        packed.sort()
        return loops.buckets(packed, rows.column, place_bits)

    def _split(self, rows: Rows, used: Route, earlier: U64) -> JoinResult:
        """Hash buckets again, all at once, on k + 1 parts of the bits not used so far."""
        routes = divide(remaining(used, self.bits), self.k + 1)
        tables = (self.table(rows, routes, at, used, earlier) for at in range(len(routes)))
        return JoinResult.merged(tables)


def _members(order: I64, starts: I64, sizes: I64, level: int) -> Rows:
    """Return the columns of some buckets, each a run of its own."""
    run = np.repeat(np.arange(len(sizes)), sizes)
    inside = np.arange(len(run)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return Rows(order[starts[run] + inside], run.astype(np.uint64), len(sizes), level)


def all_rows(n: int) -> Rows:
    """Return every column, before any hash."""
    return Rows(np.arange(n), np.zeros(n, np.uint64), 1)
