"""The published table designs, and the tables whose overloaded buckets are hashed a second time.

4, 10, 16 and 20 sorted copies for 64 bits and 3 errors. More tables have longer keys: memory and
probes buy fewer candidates. All find the same pairs.

A bucket of 16 equal bits that holds too many fingerprints is split by four keys of 12 bits from
the other 48. Nothing is lost: within the bucket all (at most 3) differing bits are among those
48, so one of four parts is equal. Where every bucket is split it is the design of 16 tables.

References
----------
Manku, Jain, Das Sarma, Detecting near-duplicates for web crawling, WWW 2007, section 3;
王诚, 王宇成, 计算机技术与发展 2019(2) (overloaded buckets).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ....model import I64, U64, Bools, Pairs
from ....simhash.search import loops
from ....simhash.search.blocks import (
    Route,
    Scheme,
    divide,
    keys,
    masks,
    pieces,
    remaining,
    scheme_routes,
    shorten,
)
from ....simhash.search.loops import Hits
from ....simhash.search.words import checked, group_equal, in_order, to_columns, valid_rows

# ------------------------------------------------------------------------- what a structure returns


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The pairs of one structure.

    Attributes
    ----------
    group : int64 (n,)   first row with the same fingerprint
    pairs : Pairs        between such first rows, distance at least 1
    compared : int       candidates whose distance was computed
    probes : int         look-ups of a key
    memory : int         bytes that the tables take beside the fingerprints
    largest : int        rows in the largest bucket
    split : int          buckets that were hashed a second time
    """

    group: I64
    pairs: Pairs
    compared: int
    probes: int
    memory: int
    largest: int = 0
    split: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """Distinct fingerprints as columns, and the way back to rows."""

    columns: U64  # (W, m)
    rows: I64  # (m,) first row of each
    group: I64  # (n,)

    @classmethod
    def of(cls, words: U64, bits: int, valid: Bools | None = None) -> Distinct:
        """Group equal words first: no key can tell them apart."""
        words = checked(words, bits)
        held = valid_rows(len(words), valid)
        columns = to_columns(words[held])
        equal = group_equal(columns)
        group = np.arange(len(words))
        group[held] = held[equal]
        first = np.flatnonzero(equal == np.arange(len(equal)))
        return cls(np.ascontiguousarray(columns[:, first]), held[first], group)

    def __len__(self) -> int:
        return len(self.rows)

    def pairs(self, hits: Iterable[Hits]) -> Pairs:
        """Return disjoint hits between columns as pairs of rows."""
        none = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint16))
        left, right, distance = zip(none, *hits, strict=True)
        a, b = self.rows[np.concatenate(left)], self.rows[np.concatenate(right)]
        n = len(self.group)
        return in_order(np.minimum(a, b), np.maximum(a, b), np.concatenate(distance), n)


# --------------------------------------------------------------------------- sorted tables


DESIGNS = (4, 10, 16, 20)
BITS, K = 64, 3
ROW_BYTES = 16  # key and row number of one entry
_SCHEMES = {4: Scheme(4, 1), 10: Scheme(5, 2), 20: Scheme(6, 3)}


def design(tables: int, *, bits: int = BITS) -> tuple[Route, ...]:
    """Return the keys of a design as routes.

    Parameters
    ----------
    tables
        4: one of 4 blocks. 10: two of 5. 20: three of 6. 16: one of 4 blocks, and one of the 4
        parts of what is left, which is what hashing every bucket twice comes to.

    Raises
    ------
    ValueError
        A design that was not published.
    """
    if tables not in DESIGNS:
        raise ValueError(f"no design with {tables} tables")
    if tables in _SCHEMES:
        return scheme_routes(bits, _SCHEMES[tables])
    return tuple(
        (*outer, *inner)
        for outer in scheme_routes(bits, _SCHEMES[4])
        for inner in divide(remaining(outer, bits), K + 1)
    )


def table_pairs(
    words: U64, *, tables: int = 4, bits: int = BITS, k: int = K, valid: Bools | None = None
) -> Run:
    """Find all pairs within `k` bits by the sorted tables of a design.

    Raises
    ------
    ValueError
        k above 3, for which these designs miss pairs.

    Notes
    -----
    At most 3 of the blocks are damaged, so one choice of whole blocks is equal. A pair is
    reported by the first table that holds it.
    """
    if k > K:
        raise ValueError(f"these tables are exact to {K} bits, not {k}")
    routes = design(tables, bits=bits)
    distinct = Distinct.of(words, bits, valid)
    earlier = masks(routes, bits, len(distinct.columns))
    hits, compared, largest = [], 0, 0
    for at, route in enumerate(routes):
        order, starts, ends = _buckets(distinct.columns, route, bits)
        hits.append(_within(distinct.columns, order, starts, ends, k, earlier[:at]))
        sizes = ends - starts
        compared += int((sizes * (sizes - 1) // 2).sum())
        largest = max(largest, int(sizes.max(initial=1)))
    n = len(distinct)
    memory = len(routes) * n * ROW_BYTES
    return Run(distinct.group, distinct.pairs(hits), compared, n * tables, memory, largest)


def _buckets(columns: U64, route: Route, bits: int) -> tuple[I64, I64, I64]:
    """Return columns in key order, and start and end of every bucket of at least two."""
    key = keys(columns, pieces(shorten(route, 64), bits))
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    starts = np.flatnonzero(np.r_[len(key) > 0, ordered[1:] != ordered[:-1]])
    ends = np.r_[starts[1:], len(key)] if len(starts) else starts
    several = ends - starts > 1
    return order, starts[several], ends[several]


def _within(columns: U64, order: I64, starts: I64, ends: I64, k: int, earlier: U64) -> Hits:
    """Compare all pairs of some buckets, leaving out what earlier tables report."""
    tiles = np.stack([starts, ends, starts, ends], axis=1).astype(np.int64)
    ordered = np.ascontiguousarray(columns[:, order])
    left, right, distance = loops.scan(ordered, tiles, k, earlier)
    return order[left], order[right], distance


# --------------------------------------------------------------------------- overloaded buckets


BLOCKS, _BLOCK_BITS = 4, 16
CAP = 2000  # fingerprints of a bucket


@dataclass(frozen=True, slots=True, kw_only=True)
class RehashRule:
    """When a bucket is overloaded.

    Printed (`literal`): more than (1 + mu) times the average over all 65,536 buckets. That average
    is below 1 for fewer than 65,536 fingerprints, so nearly every bucket counts as overloaded; and
    where all buckets are large none is above average. Repaired: the average over the buckets
    that hold anything, at least `floor`, at most `cap`.
    """

    mu_bucket: float = 2.0
    floor: int = 64
    cap: int = CAP
    literal: bool = False

    def limit(self, sizes: I64, n: int) -> float:
        """Return the largest size that is not overloaded.

        Parameters
        ----------
        sizes
            Of the buckets that hold anything.
        n
            Fingerprints.
        """
        if self.literal:
            return float((1 + self.mu_bucket) * n / 2**_BLOCK_BITS)
        mean = float(sizes.mean()) if len(sizes) else 0.0
        return float(min(self.cap, max(self.floor, (1 + self.mu_bucket) * mean)))


def rehash_pairs(
    words: U64, *, k: int = K, rule: RehashRule | None = None, valid: Bools | None = None
) -> Run:
    """Find all pairs within `k` bits by 4 blocks of 16 bits, overloaded buckets split.

    Parameters
    ----------
    words : uint64 (n, 1)
    k
        At most 3.
    rule
        Default: the repaired one.
    """
    if k > K:
        raise ValueError(f"four blocks are exact to {K} bits, not {k}")
    rule = rule or RehashRule()
    distinct = Distinct.of(words, BITS, valid)
    outer = scheme_routes(BITS, Scheme(BLOCKS, 1))
    tables = [_table(distinct, outer, at, k, rule) for at in range(BLOCKS)]
    n = len(distinct)
    members = sum(table.members for table in tables)
    return Run(
        distinct.group,
        distinct.pairs([hits for table in tables for hits in table.hits]),
        sum(table.compared for table in tables),
        n * BLOCKS + members * BLOCKS,
        (n * BLOCKS + members * BLOCKS) * ROW_BYTES,
        max(table.largest for table in tables),
        sum(table.split for table in tables),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    hits: list[Hits]
    compared: int
    largest: int  # bucket of either level whose members were compared with each other
    split: int
    members: int  # fingerprints in split buckets


def _table(
    distinct: Distinct, outer: tuple[Route, ...], at: int, k: int, rule: RehashRule
) -> _Table:
    columns = distinct.columns
    seen = masks(outer[:at], BITS, len(columns))
    order, starts, ends = _buckets(columns, outer[at], BITS)
    sizes = ends - starts
    alone = len(distinct) - int(sizes.sum())
    heavy = sizes > rule.limit(np.r_[sizes, np.ones(alone, np.int64)], len(distinct))
    hits = [_within(columns, order, starts[~heavy], ends[~heavy], k, seen)]
    compared, largest = _work(sizes[~heavy])
    parts = divide(remaining(outer[at], BITS), BLOCKS)
    for start, end in zip(starts[heavy].tolist(), ends[heavy].tolist(), strict=True):
        inside_rows = order[start:end]
        inside = np.ascontiguousarray(columns[:, inside_rows])
        for turn, part in enumerate(parts):
            earlier = np.concatenate([seen, masks(parts[:turn], BITS, len(columns))])
            again, low, high = _buckets(inside, part, BITS)
            left, right, distance = _within(inside, again, low, high, k, earlier)
            hits.append((inside_rows[left], inside_rows[right], distance))
            more, most = _work(high - low)
            compared, largest = compared + more, max(largest, most)
    return _Table(hits, compared, largest, int(heavy.sum()), int(sizes[heavy].sum()))


def _work(sizes: I64) -> tuple[int, int]:
    return int((sizes * (sizes - 1) // 2).sum()), int(sizes.max(initial=1))
