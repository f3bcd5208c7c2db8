"""A store that finds the neighbours of new fingerprints, exactly, at any distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...model import I64, U64, Bools, Pairs
from .blocks import Route, Scheme, keys, masks, pieces, scheme_routes, shorten
from .engine import loops, settle_probe
from .linear import scan_between
from .order import in_order
from .plan import COMPARE_WORD, SORT_ROW
from .words import checked, to_columns, valid_rows

PROBE = 2.0e-7  # seconds to look one query up in one table: a binary search out of cache
FETCH_WORD = 1.3e-9  # seconds to fetch and compare one stored word out of order


@dataclass(frozen=True, slots=True, eq=False)
class BlockIndex:
    """Stored fingerprints, ready for exact queries; it never changes, so threads may share it.

    Each table holds its sorted keys and their rows: 16 bytes a row and table beside the words.
    """

    columns: U64  # (W, n)
    rows: I64  # (n,) row numbers of the caller
    bits: int
    exact_to: int  # up to this many bits the tables find everything; beyond it all is scanned
    keys: U64  # (t, n) sorted
    order: I64  # (t, n) column of each key
    parts: I64  # (t, p, 3) pieces of each route
    masks: U64  # (t, W)
    expected: float  # candidates that one query meets in all tables

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
        if scheme and scheme.exact_to < k:
            raise ValueError(f"{scheme.name} is exact to {scheme.exact_to} bits, not {k}")
        n = columns.shape[1]
        scheme = scheme or _worthwhile(n, bits, k)
        routes: tuple[Route, ...] = ()
        if scheme and scheme.blocks <= bits:
            routes = tuple(shorten(route, 64) for route in scheme_routes(bits, scheme))
        tables = [_table(columns, route, bits) for route in routes]
        return cls(
            columns,
            rows,
            bits,
            scheme.exact_to if scheme and routes else -1,
            np.array([table[0] for table in tables], np.uint64).reshape(len(tables), n),
            np.array([table[1] for table in tables], np.int64).reshape(len(tables), n),
            _padded([pieces(route, bits) for route in routes]),
            masks(routes, bits, len(columns)),
            sum(_met(table[0]) for table in tables),
        )

    def __len__(self) -> int:
        return len(self.rows)

    def search(self, words: U64, k: int, *, valid: Bools | None = None) -> Pairs:
        """Find the stored rows within `k` bits of each query row.

        Parameters
        ----------
        words : uint64 (q, W)
        k : int
            Any: beyond `exact_to`, or where it is estimated to be cheaper, all rows are compared.

        Returns
        -------
        Pairs
            `left` is the query row and `right` the stored row (so `left < right` does not hold);
            sorted by (left, right), equal words included at distance 0.
        """
        asked = valid_rows(len(words), valid)
        queries = to_columns(checked(words, self.bits)[asked])
        fetching = self.expected * FETCH_WORD * len(self.columns)
        probing = len(self.keys) * PROBE + fetching
        if k <= self.exact_to and probing < _scanning(len(self.rows), self.bits):
            settle_probe(len(queries), queries.shape[1], len(self.keys), self.expected)
            left, right, distance, _ = loops.probe(
                queries, self.columns, self.keys, self.order, self.parts, self.masks, k
            )
        else:
            left, right, distance = scan_between(queries, self.columns, k)
        stored = int(self.rows[-1]) + 1 if len(self.rows) else 0
        return in_order(asked[left], self.rows[right], distance, max(len(words), stored))


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
    scanning = len(rows_a) * _scanning(len(rows_b), bits)
    if (k + 1) * len(rows_b) * SORT_ROW < scanning and _worthwhile(len(rows_b), bits, k):
        return BlockIndex.build(b, bits=bits, k=k, valid=valid_b).search(a, k, valid=valid_a)
    columns_a = to_columns(checked(a, bits)[rows_a])
    columns_b = to_columns(checked(b, bits)[rows_b])
    left, right, distance = scan_between(columns_a, columns_b, k)
    return in_order(rows_a[left], rows_b[right], distance, max(len(a), len(b)))


def _scanning(n: int, bits: int) -> float:
    """Return the estimated seconds to compare one query with n stored rows."""
    return n * COMPARE_WORD * max(1, bits // 64)


def _worthwhile(n: int, bits: int, k: int) -> Scheme | None:
    """Return C(k+1,1) where its look-ups, in uniform buckets, cost less than a scan."""
    if k + 1 > bits:
        return None
    candidates = n * 2.0 ** -(bits // (k + 1))
    probing = (k + 1) * (PROBE + candidates * FETCH_WORD * max(1, bits // 64))
    return Scheme(k + 1, 1) if probing < _scanning(n, bits) else None


def _met(key: U64) -> float:
    """Return how many rows share the key of a stored row, on average, from sorted keys."""
    starts = np.flatnonzero(np.r_[len(key) > 0, key[1:] != key[:-1]])
    sizes = np.diff(np.r_[starts, len(key)]).astype(np.float64)
    return float((sizes * sizes).sum() / max(1, len(key)))


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
