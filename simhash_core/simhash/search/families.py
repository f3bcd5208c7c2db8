"""Families of near-duplicates: set apart before a search, so that their pairs are met once.

The members of a family agree on most blocks, so that tables meet each of their pairs again and
again. Any division of the columns is exact, however it was made: pairs of one family are compared
with each other once, and the tables leave them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...model import I32, I64, U64, Progress
from .blocks import Route
from .engine import loops
from .join import Join, JoinResult, all_rows
from .linear import pairs_of, triangle
from .threads import in_threads

KEYS = 4  # tables that families are looked for in
BUCKET_ROWS = 16  # of a bucket of these, where words are uniform
SMALL = 2048  # columns: the pairs of a smaller family cost less than the tables they stay out of
DENSE = 16  # one of so many pairs of a larger family must be close
DRAWN = 512  # pairs of a larger family that are looked at for that
WORTHWHILE = 50  # one of so many columns must be in a family
TABLES = 8  # of a search: fewer meet a pair too rarely
SHARES = 64  # pieces of work that families are compared in


@dataclass(frozen=True, slots=True, eq=False)
class Families:
    """Columns in the order of their families.

    Attributes
    ----------
    columns : uint64 (W, n)
        The singles first, then family after family.
    order : int64 (n,)
        Where each stood before.
    family : int32 (n,)
        Number from 0 on, -1 for singles.
    """

    columns: U64
    order: I64
    family: I32

    @classmethod
    def of(cls, columns: U64, *, bits: int, k: int) -> Families | None:
        """Look for families; None where there are too few to matter."""
        tree = np.arange(columns.shape[1])
        join = Join(columns, bits, k)
        for route in _routes(columns.shape[1], bits):
            cut = join.buckets(all_rows(len(tree)), route)
            assert cut.order is not None
            loops.link(cut.ordered, cut.order, cut.bounds, k, tree)
        return cls._of_trees(columns, tree, k)

    @classmethod
    def _of_trees(cls, columns: U64, tree: I64, k: int) -> Families | None:
        while not np.array_equal(tree, above := tree[tree]):
            tree = above
        size = np.bincount(tree, minlength=len(tree))[tree]
        single = size == 1
        if WORTHWHILE * np.count_nonzero(~single) < len(tree):
            return None
        root = np.where(single, -1, tree)
        order = np.argsort(root, kind="stable")
        new = np.diff(root[order], prepend=-1) != 0
        made = cls(columns.take(order, axis=1), order, (np.cumsum(new) - 1).astype(np.int32))
        return made._without_loose(k)

    def _without_loose(self, k: int) -> Families:
        """Make singles of the members of large families of which few are close to each other."""
        bounds = self.bounds
        family = self.family.copy()
        random = np.random.default_rng(len(family))
        for number in np.flatnonzero(np.diff(bounds) > SMALL).tolist():
            pairs = random.integers(bounds[number], bounds[number + 1], (2, DRAWN))
            differing = self.columns[:, pairs[0]] ^ self.columns[:, pairs[1]]
            near = np.bitwise_count(differing).sum(axis=0, dtype=np.int64) <= k
            if DENSE * np.count_nonzero(near & (pairs[0] != pairs[1])) < DRAWN:
                family[bounds[number] : bounds[number + 1]] = -1
        if np.array_equal(family, self.family):
            return self
        order = np.argsort(family, kind="stable")  # singles first again: the loops rely on it
        return Families(self.columns.take(order, axis=1), self.order[order], family[order])

    @property
    def bounds(self) -> I64:
        """Where the families begin and end, int64 (f + 1,)."""
        begins = np.flatnonzero(np.diff(self.family, prepend=-1) != 0)
        return np.append(begins, len(self.family))

    def inside(self, k: int, progress: Progress | None = None) -> list[JoinResult]:
        """Return the close pairs of all families."""
        bounds = self.bounds
        tiles = [
            triangle(high - low) + low
            for low, high in pairwise(bounds.tolist())
            if self.family[low] >= 0
        ]
        every = np.concatenate([np.zeros((0, 4), np.int64), *tiles])
        compared = pairs_of(every)
        work = np.cumsum(compared)
        cuts = np.searchsorted(work, np.linspace(0, work[-1] if len(work) else 0, SHARES + 1)[1:-1])
        none = np.zeros((0, len(self.columns)), np.uint64)
        spans = [part for part in np.split(every, cuts) if len(part)]
        hits = in_threads(
            lambda part: loops.scan(self.columns, part, k, none), spans, progress=progress
        )
        counts = [int(part.sum()) for part in np.split(compared, cuts) if len(part)]
        return [JoinResult(*one, n, 0, 0) for one, n in zip(hits, counts, strict=True)]


def _routes(n: int, bits: int) -> tuple[Route, ...]:
    """Return keys spread over the word, so wide that uniform words make small buckets."""
    quarter = bits // KEYS
    wide = max(1, min(quarter, (n // BUCKET_ROWS).bit_length()))
    return tuple(((number * quarter, wide),) for number in range(KEYS))
