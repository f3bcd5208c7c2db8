"""Search structures that were rejected or are only compared; all find the same exact pairs.

Query expansion looks up every word within k bits of the query: 43,745 probes. The pre-generated
table holds every stored word with all its variants: one probe, 43,745 times the memory. The
published designs are 4, 10, 16 and 20 sorted copies for 64 bits and 3 errors: more tables have
longer keys, so memory and probes buy fewer candidates.

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
from itertools import combinations
from math import comb

import numpy as np

from ...model import I64, U64, Pairs
from ...simhash.search import loops
from ...simhash.search.blocks import (
    Route,
    Scheme,
    divide,
    find_remaining,
    keys,
    masks,
    pieces,
    scheme_routes,
    shorten,
    width,
)
from ...simhash.search.loops import Hits
from ...simhash.search.words import check_words, group_equal, sort_pairs, to_columns

BITS, K = 64, 3
BLOCKS = 4
CAP = 2000  # fingerprints of a bucket
DESIGNS = (4, 10, 16, 20)
ROW_BYTES = 16  # key and row number of one entry of a sorted table
ENTRY_BYTES = 12  # variant and owner of one entry of the pre-generated table
MOST_BYTES = 1 << 30
_QUERIES = 16  # expanded at a time: 0.7 million probes
_SCHEMES = {4: Scheme(BLOCKS, 1), 10: Scheme(5, 2), 20: Scheme(6, 3)}


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The pairs of one structure.

    Attributes
    ----------
    group : int64 (n,)   first row with the same fingerprint
    pairs : Pairs        between such first rows, distance at least 1
    compared : int       candidates whose distance was computed
    memory : int         bytes that the tables take beside the fingerprints
    split : int          buckets that were hashed a second time
    """

    group: I64
    pairs: Pairs
    compared: int
    memory: int
    split: int = 0


class _Distinct:
    """Distinct fingerprints as columns uint64 (1, m), and the way back to rows."""

    def __init__(self, words: U64) -> None:
        columns = to_columns(check_words(words, BITS))
        self.group = group_equal(columns)  # no key can tell equal words apart
        self.rows = np.flatnonzero(self.group == np.arange(len(self.group)))
        self.columns = np.ascontiguousarray(columns[:, self.rows])

    def pairs(self, hits: Iterable[Hits]) -> Pairs:
        """Return disjoint hits between columns as pairs of rows."""
        none = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint16))
        left, right, distance = zip(none, *hits, strict=True)
        a, b = self.rows[np.concatenate(left)], self.rows[np.concatenate(right)]
        n = len(self.group)
        return sort_pairs(np.minimum(a, b), np.maximum(a, b), np.concatenate(distance), n)


# --------------------------------------------------------------------------- words expanded


def variants(k: int = K) -> U64:
    """Return every mask of at most `k` of 64 bits, uint64 (count(k),), fewest bits first."""
    one = np.uint64(1) << np.arange(BITS, dtype=np.uint64)
    parts = [np.zeros(1, np.uint64)]
    for several in range(1, k + 1):
        chosen = np.array(list(combinations(range(BITS), several)), np.int64)
        parts.append(np.bitwise_or.reduce(one[chosen], axis=1))
    return np.concatenate(parts)


def count(k: int = K) -> int:
    """Return how many words lie within `k` bits of one: 1 + 64 + 2,016 + 41,664 within 3."""
    return sum(comb(BITS, several) for several in range(k + 1))


def expansion_pairs(words: U64, *, k: int = K) -> Run:
    """Find pairs by 43,745 probes a query into one sorted table, words uint64 (n, 1).

    Notes
    -----
    O(n 64^k log n / k!) probes: 4 ms a query in numpy, so 200,000 take a quarter hour.
    """
    distinct = _Distinct(words)
    stored = distinct.columns[0]
    order = np.argsort(stored, kind="stable")
    ordered, masked = stored[order], variants(k)[1:]  # equal words are groups
    hits = []
    for at in range(0, len(stored), _QUERIES):
        wanted = stored[at : at + _QUERIES, None] ^ masked[None, :]
        place = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
        query, variant = np.nonzero(ordered[place] == wanted)
        left, right = at + query, order[place[query, variant]]
        once = left < right  # both sides ask for a pair
        distance = np.bitwise_count(masked[variant]).astype(np.uint16)
        hits.append((left[once], right[once], distance[once]))
    compared = sum(len(left) for left, _, _ in hits)
    return Run(distinct.group, distinct.pairs(hits), compared, len(stored) * 16)


def pretable_pairs(words: U64, *, k: int = K) -> Run:
    """Find all pairs by one probe a word into a table of all words within `k` bits of the stored.

    Raises
    ------
    ValueError
        The table would take more than a gigabyte: 64 bits and k = 3 need 0.5 MB a word.
    """
    distinct = _Distinct(words)
    stored = distinct.columns[0]
    memory = len(stored) * count(k) * ENTRY_BYTES
    if memory > MOST_BYTES:
        raise ValueError(f"the table would take {memory} bytes")
    entries = (stored[:, None] ^ variants(k)[None, :]).reshape(-1)
    order = np.argsort(entries, kind="stable")
    ordered = entries[order]
    low = np.searchsorted(ordered, stored, "left")
    sizes = np.searchsorted(ordered, stored, "right") - low
    query = np.repeat(np.arange(len(stored)), sizes)
    inside = np.arange(len(query)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    owner = order[np.repeat(low, sizes) + inside] // count(k)
    left, right = query[query < owner], owner[query < owner]
    distance = np.bitwise_count(stored[left] ^ stored[right]).astype(np.uint16)
    return Run(distinct.group, distinct.pairs([(left, right, distance)]), len(query), memory)


# --------------------------------------------------------------------------- sorted tables


def design(tables: int) -> tuple[Route, ...]:
    """Return the keys of a published design as routes.

    Parameters
    ----------
    tables
        4: one of 4 blocks. 10: two of 5. 20: three of 6. 16: one of 4 blocks, and one of the 4
        parts of what is left, which is what hashing every bucket twice comes to.
    """
    if tables in _SCHEMES:
        return scheme_routes(BITS, _SCHEMES[tables])
    return tuple(
        (*outer, *inner)
        for outer in scheme_routes(BITS, _SCHEMES[4])
        for inner in divide(find_remaining(outer, BITS), BLOCKS)
    )


def table_pairs(words: U64, *, tables: int = 4, k: int = K) -> Run:
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
    routes, distinct = design(tables), _Distinct(words)
    earlier = masks(routes, BITS, 1)
    hits, compared = [], 0
    for at, route in enumerate(routes):
        order, starts, ends = _buckets(distinct.columns, route)
        hits.append(_within(distinct.columns, order, starts, ends, k, earlier[:at]))
        compared += _work(ends - starts)
    memory = tables * len(distinct.rows) * ROW_BYTES
    return Run(distinct.group, distinct.pairs(hits), compared, memory)


def _buckets(columns: U64, route: Route) -> tuple[I64, I64, I64]:
    """Return columns in key order, and start and end of every bucket of at least two."""
    key = keys(columns, pieces(shorten(route, 64), BITS))
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


def _work(sizes: I64) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


# --------------------------------------------------------------------------- overloaded buckets


@dataclass(frozen=True, slots=True, kw_only=True)
class RehashRule:
    """When a bucket is overloaded.

    Printed (`literal`): more than three times the average over all 65,536 buckets. That average
    is below 1 for fewer than 65,536 fingerprints, so nearly every bucket counts as overloaded; and
    where all buckets are large none is above average. Repaired: the average over the buckets
    that hold anything, at least `floor`, at most `cap`.
    """

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
            return 3 * n / 2**16
        mean = float(sizes.mean()) if len(sizes) else 0.0
        return min(self.cap, max(self.floor, 3 * mean))


def rehash_pairs(words: U64, *, k: int = K, rule: RehashRule = RehashRule()) -> Run:
    """Find all pairs within `k` <= 3 bits by 4 blocks of 16 bits, overloaded buckets split."""
    if k > K:
        raise ValueError(f"four blocks are exact to {K} bits, not {k}")
    distinct, outer = _Distinct(words), design(4)
    columns, n = distinct.columns, len(distinct.rows)
    hits: list[Hits] = []
    compared = split = members = 0
    for at, route in enumerate(outer):
        seen = masks(outer[:at], BITS, 1)
        order, starts, ends = _buckets(columns, route)
        sizes = ends - starts
        alone = np.ones(n - int(sizes.sum()), np.int64)
        heavy = sizes > rule.limit(np.r_[sizes, alone], n)
        hits.append(_within(columns, order, starts[~heavy], ends[~heavy], k, seen))
        compared += _work(sizes[~heavy])
        split, members = split + int(heavy.sum()), members + int(sizes[heavy].sum())
        for start, end in zip(starts[heavy].tolist(), ends[heavy].tolist(), strict=True):
            found, more = _split_bucket(columns, order[start:end], route, k, seen)
            hits += found
            compared += more
    memory = (n + members) * BLOCKS * ROW_BYTES
    return Run(distinct.group, distinct.pairs(hits), compared, memory, split)


def _split_bucket(
    columns: U64, rows: I64, route: Route, k: int, seen: U64
) -> tuple[list[Hits], int]:
    """Compare the rows of one bucket by four keys over its other 48 bits."""
    inside = np.ascontiguousarray(columns[:, rows])
    parts, hits, compared = divide(find_remaining(route, BITS), BLOCKS), [], 0
    for turn, part in enumerate(parts):
        earlier = np.concatenate([seen, masks(parts[:turn], BITS, 1)])
        order, low, high = _buckets(inside, part)
        left, right, distance = _within(inside, order, low, high, k, earlier)
        hits.append((rows[left], rows[right], distance))
        compared += _work(high - low)
    return hits, compared


# --------------------------------------------------------------------------- what each costs


@dataclass(frozen=True, slots=True)
class Cost:
    """One structure at one size."""

    structure: str
    tables: int
    key_bits: tuple[int, int]  # shortest and longest key
    probes: int  # look-ups a query
    candidates: float  # words compared a query, expected
    memory: int  # bytes, fingerprints included


def costs(n: int) -> list[Cost]:
    """Return what each structure costs for `n` stored fingerprints of 64 bits and k = 3.

    Notes
    -----
    For fingerprints spread evenly; skewed ones cost more. A key of b bits meets n / 2^b words a
    table.
    """
    words, expanded = 8 * n, count()
    compared, stored = n * expanded / 2.0**BITS, n * expanded * ENTRY_BYTES
    rows = [
        Cost("linear", 0, (0, 0), 0, float(n), words),
        Cost("expansion", 1, (BITS, BITS), expanded, compared, words),
        Cost("pre_generated", 1, (BITS, BITS), 1, compared, words + stored),
    ]
    for tables in DESIGNS:
        lengths = [width(route) for route in design(tables)]
        met = sum(n / 2.0**length for length in lengths)
        memory = words + tables * n * ROW_BYTES
        span = (min(lengths), max(lengths))
        rows.append(Cost(f"tables_{tables}", tables, span, tables, met, memory))
    return rows


def bucket_sizes(n: int) -> tuple[float, float]:
    """Return the words in one bucket of a 16-bit key, and in the four that a query meets."""
    return n / 2**16, 4 * n / 2**16
