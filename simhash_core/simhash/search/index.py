"""All pairs within k bits, and a store that finds the neighbours of new fingerprints: exact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import BadInput
from ...model import I64, U16, U64, Bools, Guarantee, Pairs, Progress
from . import engine
from .blocks import Route, Scheme, keys, masks, pieces, scheme_routes, shorten
from .join import Found, Join, all_rows
from .linear import rectangle, scan_tiles, triangle
from .plan import COMPARE_WORD, SORT_ROW, Plan, choose_plan
from .threads import in_threads
from .words import checked, group_equal, to_columns, valid_rows

PROBE = 2.0e-7  # seconds to look one query up in one table: a binary search out of cache


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """Every pair within `plan.k` bits, with what it took and why it is certain to be all.

    `group[r]` is the first row with the same fingerprint as row r (r itself where it has none).
    `pairs` join such first rows; distance >= 1. `candidates` pairs of distinct words were
    compared. `largest_bucket` is the largest bucket of the first hash and `split_buckets` counts
    those hashed again (0 for a scan).

    `guarantees` holds `complete` (params k, bits, pairs = pairs of rows covered, scheme = the
    plan's name, candidates) and, where rows took no part, `without_fingerprint` (params n).
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
    words = checked(words, bits)
    if not 0 <= k <= bits:
        raise BadInput("bad_distance", k=k, bits=bits)
    rows = valid_rows(len(words), valid)
    columns = to_columns(words if len(rows) == len(words) else words[rows])
    equal = group_equal(columns)
    group = np.arange(len(words))
    group[rows] = rows[equal]
    first = np.flatnonzero(equal == np.arange(len(equal)))
    if len(first) < len(rows):
        columns = np.ascontiguousarray(columns[:, first])
    chosen = plan or choose_plan(columns, bits=bits, k=k)
    if (chosen.bits, chosen.k) != (bits, k):
        raise ValueError(f"the plan is for {chosen.k} of {chosen.bits} bits")
    found = _search(columns, chosen, progress)
    names = rows[first]
    return SearchResult(
        group,
        _in_order(names[found.left], names[found.right], found.distance, len(words)),
        chosen,
        found.candidates,
        found.largest,
        found.split,
        _guarantees(len(words), len(rows), chosen, found.candidates),
    )


@dataclass(frozen=True, slots=True, eq=False)
class BlockIndex:
    """Stored fingerprints, ready for exact queries; it never changes, so threads may share it.

    Each table holds its sorted keys and their rows: 16 bytes a row and table beside the words.
    """

    columns: U64  # (W, n)
    rows: I64  # (n,) row numbers of the caller
    bits: int
    reach: int  # up to this many bits the tables find everything; beyond it all is scanned
    keys: U64  # (t, n) sorted
    order: I64  # (t, n) column of each key
    parts: I64  # (t, p, 3) pieces of each route
    masks: U64  # (t, W)

    @classmethod
    def build(
        cls,
        words: U64,
        *,
        bits: int,
        k: int,
        valid: Bools | None = None,
        scheme: Scheme | None = None,
    ) -> BlockIndex:
        """Sort stored fingerprints for queries within `k` bits (C(k+1,1) unless given).

        Parameters
        ----------
        words : uint64 (n, W)
        valid : bool (n,), optional
            Rows where it is False are never found.

        Raises
        ------
        ValueError
            For words that do not fit `bits`, or a scheme that misses pairs at distance k.
        """
        words = checked(words, bits)
        rows = valid_rows(len(words), valid)
        columns = to_columns(words if len(rows) == len(words) else words[rows])
        scheme = scheme or Scheme(k + 1, 1)
        if scheme.reach < k:
            raise ValueError(f"{scheme.name} is exact to {scheme.reach} bits, not {k}")
        routes: tuple[Route, ...] = ()
        if scheme.blocks <= bits:
            routes = tuple(shorten(route, 64) for route in scheme_routes(bits, scheme))
        tables = [_table(columns, route, bits) for route in routes]
        n = columns.shape[1]
        return cls(
            columns,
            rows,
            bits,
            scheme.reach if routes else -1,
            np.array([table[0] for table in tables], np.uint64).reshape(-1, n),
            np.array([table[1] for table in tables], np.int64).reshape(-1, n),
            _padded([pieces(route, bits) for route in routes]),
            masks(routes, bits, len(columns)),
        )

    def __len__(self) -> int:
        return len(self.rows)

    def search(self, words: U64, k: int, *, valid: Bools | None = None) -> Pairs:
        """Find the stored rows within `k` bits of each query row.

        Parameters
        ----------
        words : uint64 (q, W)
        k : int
            Any: beyond `reach`, or where it is estimated to be cheaper, all rows are compared.

        Returns
        -------
        Pairs
            `left` is the query row and `right` the stored row (so `left < right` does not hold);
            sorted by (left, right), equal words included at distance 0.
        """
        asked = valid_rows(len(words), valid)
        queries = to_columns(checked(words, self.bits)[asked])
        if k <= self.reach and self._probing(queries.shape[1]) < self._scanning(queries.shape[1]):
            left, right, distance, _ = engine.probe(
                queries, self.columns, self.keys, self.order, self.parts, self.masks, k
            )
        else:
            left, right, distance = _scan_between(queries, self.columns, k)
        return _in_order(asked[left], self.rows[right], distance, max(len(words), self._bound()))

    def _bound(self) -> int:
        return int(self.rows[-1]) + 1 if len(self.rows) else 0

    def _probing(self, queries: int) -> float:
        """Return the estimated seconds to look the queries up."""
        table, width = len(self.keys), self.parts[:, :, 2].sum(axis=1).astype(float)
        bucket = len(self.rows) * (2.0**-width).sum()
        return queries * (table * PROBE + float(bucket) * 8 * COMPARE_WORD * len(self.columns))

    def _scanning(self, queries: int) -> float:
        """Return the estimated seconds to compare the queries with every stored row."""
        return queries * len(self.rows) * COMPARE_WORD * len(self.columns)


def pairs_between(
    a: U64,
    b: U64,
    *,
    bits: int,
    k: int,
    valid_a: Bools | None = None,
    valid_b: Bools | None = None,
) -> Pairs:
    """Find every row of `b` within `k` bits of each row of `a`, without a standing index.

    Returns
    -------
    Pairs
        `left` is a row of `a`, `right` a row of `b`; sorted, equal words included at distance 0.
    """
    rows_a, rows_b = valid_rows(len(a), valid_a), valid_rows(len(b), valid_b)
    scanning = len(rows_a) * len(rows_b) * COMPARE_WORD * max(1, bits // 64)
    building = (k + 1) * len(rows_b) * SORT_ROW + len(rows_a) * (k + 1) * PROBE
    if k < bits and building < scanning:
        return BlockIndex.build(b, bits=bits, k=k, valid=valid_b).search(a, k, valid=valid_a)
    columns_a = to_columns(checked(a, bits)[rows_a])
    columns_b = to_columns(checked(b, bits)[rows_b])
    left, right, distance = _scan_between(columns_a, columns_b, k)
    return _in_order(rows_a[left], rows_b[right], distance, max(len(a), len(b)))


def _search(columns: U64, plan: Plan, progress: Progress | None) -> Found:
    """Run a plan on distinct words."""
    n = columns.shape[1]
    if plan.kind == "equal" or n < 2:
        empty = np.zeros(0, np.int64)
        return Found(empty, empty, np.zeros(0, np.uint16), 0, 0, 0)
    if plan.kind == "linear":
        hits = scan_tiles(columns, triangle(n), plan.k, progress=progress)
        return Found(*hits, n * (n - 1) // 2, 0, 0)
    join, rows, routes = Join(columns, plan.bits, plan.k), all_rows(n), plan.routes
    unseen = np.zeros((0, len(columns)), np.uint64)
    tables = in_threads(
        lambda at: join.table(rows, routes, at, (), unseen),
        range(len(routes)),
        progress=progress,
    )
    return Found.merged(tables)


def _scan_between(queries: U64, stored: U64, k: int) -> tuple[I64, I64, U16]:
    """Compare every query column with every stored one."""
    asked = queries.shape[1]
    both = np.concatenate([queries, stored], axis=1)
    left, right, distance = scan_tiles(both, rectangle(asked, both.shape[1]), k)
    return left, right - asked, distance


def _table(columns: U64, route: Route, bits: int) -> tuple[U64, I64]:
    """Return the sorted keys of a route and their columns."""
    key = keys(columns, pieces(route, bits))
    order = np.argsort(key, kind="stable")
    return key[order], order


def _padded(parts: list[I64]) -> I64:
    """Stack piece lists of different length; a piece of width 0 adds nothing to a key."""
    longest = max((len(part) for part in parts), default=0)
    stacked = np.zeros((len(parts), longest, 3), np.int64)
    for table, part in enumerate(parts):
        stacked[table, : len(part)] = part
    return stacked


def _in_order(left: I64, right: I64, distance: U16, rows: int) -> Pairs:
    """Return pairs sorted by (left, right): a bare sort where both and the distance fit a word."""
    place = max(1, (rows - 1).bit_length())
    if 2 * place + 9 > 64:
        order = np.lexsort((right, left))
        return Pairs(left[order], right[order], distance[order])
    packed = (left << (place + 9)) | (right << 9) | distance
    packed.sort()
    right = (packed >> 9) & ((1 << place) - 1)
    return Pairs(packed >> (place + 9), right, (packed & 511).astype(np.uint16))


def _guarantees(n: int, valid: int, plan: Plan, candidates: int) -> tuple[Guarantee, ...]:
    """Say what the search is certain of."""
    covered = {
        "k": plan.k,
        "bits": plan.bits,
        "pairs": valid * (valid - 1) // 2,
        "scheme": plan.name,
        "candidates": candidates,
    }
    complete = Guarantee("complete", covered)
    if valid == n:
        return (complete,)
    return complete, Guarantee("without_fingerprint", {"n": n - valid})
