"""Overloaded buckets hashed a second time, by the rule of the source and by a repaired one.

A bucket of 16 equal bits that holds too many fingerprints is split by four keys of 12 bits from
the other 48. Nothing is lost: within the bucket all (at most 3) differing bits are among those
48, so one of four parts is equal. Where every bucket is split it is the design of 16 tables.

References
----------
王诚, 王宇成, 计算机技术与发展 2019(2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....model import I64, U64, Bools
from ....simhash.search.blocks import Route, Scheme, divide, masks, remaining, scheme_routes
from ....simhash.search.readable import Hits
from .runs import Distinct, Run
from .tables import ROW_BYTES, K, buckets, within

BITS = 64
BLOCKS, BLOCK_BITS = 4, 16
FLOOR, CAP = 64, 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class RehashRule:
    """When a bucket is overloaded.

    Printed (`literal`): more than (1 + mu) times the average over all 65,536 buckets. That average
    is below 1 for fewer than 65,536 fingerprints, so nearly every bucket counts as overloaded; and
    where all buckets are large none is above average. Repaired: the average over the buckets
    that hold anything, at least `floor`, at most `cap`.
    """

    mu_bucket: float = 2.0
    floor: int = FLOOR
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
            return float((1 + self.mu_bucket) * n / 2**BLOCK_BITS)
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
    order, starts, ends = buckets(columns, outer[at], BITS)
    sizes = ends - starts
    alone = len(distinct) - int(sizes.sum())
    heavy = sizes > rule.limit(np.r_[sizes, np.ones(alone, np.int64)], len(distinct))
    hits = [within(columns, order, starts[~heavy], ends[~heavy], k, seen)]
    compared, largest = _work(sizes[~heavy])
    parts = divide(remaining(outer[at], BITS), BLOCKS)
    for start, end in zip(starts[heavy].tolist(), ends[heavy].tolist(), strict=True):
        inside_rows = order[start:end]
        inside = np.ascontiguousarray(columns[:, inside_rows])
        for turn, part in enumerate(parts):
            earlier = np.concatenate([seen, masks(parts[:turn], BITS, len(columns))])
            again, low, high = buckets(inside, part, BITS)
            left, right, distance = within(inside, again, low, high, k, earlier)
            hits.append((inside_rows[left], inside_rows[right], distance))
            more, most = _work(high - low)
            compared, largest = compared + more, max(largest, most)
    return _Table(hits, compared, largest, int(heavy.sum()), int(sizes[heavy].sum()))


def _work(sizes: I64) -> tuple[int, int]:
    return int((sizes * (sizes - 1) // 2).sum()), int(sizes.max(initial=1))
