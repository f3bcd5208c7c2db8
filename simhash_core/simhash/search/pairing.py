"""All pairs of rows within k bits, exactly, by whichever search is cheapest.

Families of near-duplicates are set apart before a search, so that their pairs are met once: their
members agree on most blocks, so that tables meet each of their pairs again and again. Any division
of the columns is exact, however it was made: pairs of one family are compared with each other once,
and the tables leave them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ...errors import BadInput
from ...model import I32, I64, U64, Bools, Pairs, Progress
from ...result import Guarantee
from . import loops
from .blocks import Reach, Route
from .join import Join, JoinResult, all_rows, reach_tables
from .linear import pairs_of, scan_tiles, triangle
from .loops import in_threads
from .plan import Plan, choose_plan
from .words import check_words, group_equal, sort_named, sort_words, to_columns, valid_rows

KEYS = 4  # tables that families are looked for in
BUCKET_ROWS = 16  # of a bucket of these, where words are uniform
SMALL = 2048  # columns: the pairs of a smaller family cost less than the tables they stay out of
DENSE = 16  # one of so many pairs of a larger family must be close
DRAWN = 512  # pairs of a larger family that are looked at for that
WORTHWHILE = 50  # one of so many columns must be in a family
TABLES = 8  # of a search: fewer meet a pair too rarely
SHARES = 64  # pieces of work that families are compared in


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """Every pair within `plan.k` bits, with what it took and why it is certain to be all.

    `group[r]` is the first row with the same fingerprint as row r (r itself where it has none).
    `pairs` join such first rows; distance >= 1. `candidates` pairs of distinct words were
    compared. `largest_bucket` is the largest bucket of the first hash and `split_buckets` counts
    those hashed again (0 for a scan).

    `guarantees` holds `complete_` and the plan's kind (params k, bits, pairs = pairs of rows
    covered, scheme = the plan's name, candidates) and, where rows took no part,
    `without_fingerprint` (params n).
    """

    group: I64
    pairs: Pairs
    plan: Plan
    candidates: int
    largest_bucket: int
    split_buckets: int
    guarantees: tuple[Guarantee, ...]


def all_pairs(
    words: U64,
    *,
    bits: int,
    k: int,
    valid: Bools | None = None,
    plan: Plan | None = None,
    progress: Progress | None = None,
) -> SearchResult:
    """Find every pair of rows that differ in at most `k` bits.

    Parameters
    ----------
    words : uint64 (n, W)
    bits : int
        1..64, 128, 192 or 256.
    k : int
        0..bits.
    valid : bool (n,), optional
        Rows where it is False match nothing.
    plan : Plan, optional
        For the same `bits` and `k`; chosen by estimated cost where it is not given.

    Raises
    ------
    BadInput
        Code `bad_distance`, params k and bits: k is not within 0..bits.
    ValueError
        For words that do not fit `bits`, or a plan for something else.

    Notes
    -----
    Exact for every plan. Memory is linear in n, in the number of pairs found and in the threads.
    Equal fingerprints are groups, never quadratic pairs.
    """
    words = check_words(words, bits)
    if not 0 <= k <= bits:
        raise BadInput("bad_distance", k=k, bits=bits)
    rows = valid_rows(len(words), valid)
    columns = to_columns(words if len(rows) == len(words) else words[rows])
    distinct = Distinct.of(columns)
    chosen = plan or choose_plan(distinct.columns, bits=bits, k=k)
    if (chosen.bits, chosen.k) != (bits, k):
        raise ValueError(f"the plan is for {chosen.k} of {chosen.bits} bits")
    matches = _search(distinct, chosen, progress)
    first, equal = distinct.named(columns, matches)
    group = np.arange(len(words))
    group[rows] = rows[equal]
    names = first if len(rows) == len(words) else rows[first]
    if matches.families is not None:
        names = names[matches.families.order]
    every = [*matches.tables, *matches.inside]
    return SearchResult(
        group,
        sort_named([part.pairs for part in every], names, len(words)),
        chosen,
        candidates := sum(part.candidates for part in every),
        max((part.largest for part in every), default=0),
        sum(part.split for part in every),
        _guarantees(len(words), len(rows), chosen, candidates),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Close pairs of columns, those of `inside` within families; columns are in their order."""

    tables: Sequence[JoinResult]
    inside: Sequence[JoinResult] = ()
    families: Families | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """Different fingerprints.

    Attributes
    ----------
    columns : uint64 (W, d)
        Of one word: in ascending order. That is faster, and the rows are looked up afterwards.
    repeated : bool (d,)
        Of one word: which stand in several rows.
    first : int64 (d,)
        Of several words: the first row of each.
    equal : int64 (n,)
        Of several words: the first row that equals each row.
    """

    columns: U64
    repeated: Bools | None = None
    first: I64 = field(default_factory=lambda: np.zeros(0, np.int64))
    equal: I64 = field(default_factory=lambda: np.zeros(0, np.int64))

    @classmethod
    def of(cls, columns: U64) -> Distinct:
        """Leave out what is repeated."""
        if len(columns) == 1:
            words, repeated = sort_words(columns[0])
            return cls(words[None, :], repeated)
        equal = group_equal(columns)
        first = np.flatnonzero(equal == np.arange(len(equal)))
        different = columns if len(first) == len(equal) else columns.take(first, axis=1)
        return cls(different, None, first, equal)

    def named(self, columns: U64, matches: Matches) -> tuple[I64, I64]:
        """Return the first row of each column that pairs name, and the first equal of each row."""
        if self.repeated is None:
            return self.first, self.equal
        named, families = self.repeated.copy(), matches.families
        for part in matches.tables:
            for side in (part.left, part.right):
                named[side if families is None else families.order[side]] = True
        if families is not None:
            named[families.order[families.family >= 0]] = True
        wanted = np.flatnonzero(named)
        first = np.zeros(len(named), np.int64)
        first[wanted], equal = loops.first_rows(columns[0], self.columns[0, wanted])
        return first, equal


def _search(distinct: Distinct, plan: Plan, progress: Progress | None) -> Matches:
    """Run a plan on distinct words."""
    columns = distinct.columns
    n = columns.shape[1]
    if plan.kind == "equal" or n < 2:
        return Matches([])
    if plan.kind == "linear":
        hits = scan_tiles(columns, triangle(n), plan.k, progress=progress)
        return Matches([JoinResult(*hits, n * (n - 1) // 2, 0, 0)])
    families = None
    if len(plan.routes) >= TABLES or isinstance(plan.scheme, Reach):
        families = Families.of(columns, bits=plan.bits, k=plan.k)
    if families is None:
        join = Join(columns, plan.bits, plan.k, ascending=distinct.repeated is not None)
        return Matches(_tables(join, plan, progress))
    join = Join(families.columns, plan.bits, plan.k, families.family)
    return Matches(_tables(join, plan, progress), families.inside(plan.k, progress), families)


def _tables(join: Join, plan: Plan, progress: Progress | None) -> list[JoinResult]:
    """Join on every route of a plan."""
    if isinstance(plan.scheme, Reach):
        return reach_tables(join, plan, progress)
    rows, routes = all_rows(join.columns.shape[1]), plan.routes
    unseen = np.zeros((0, len(join.columns)), np.uint64)
    tables = in_threads(
        lambda at: join.table(rows, routes, at, (), unseen), range(len(routes)), progress=progress
    )
    return [*tables]


def _guarantees(n: int, valid: int, plan: Plan, candidates: int) -> tuple[Guarantee, ...]:
    """State what the search guarantees, as codes with numbers."""
    covered = {
        "k": plan.k,
        "bits": plan.bits,
        "pairs": valid * (valid - 1) // 2,
        "scheme": plan.name,
        "candidates": candidates,
    }
    complete = [Guarantee(f"complete_{plan.kind}", covered)] if covered["pairs"] else []
    without = [Guarantee("without_fingerprint", {"n": n - valid})] if valid < n else []
    return (*complete, *without)


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
