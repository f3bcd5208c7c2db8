"""A store that finds the neighbours of new fingerprints, exactly, at any distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...model import I32, I64, U64, Bools, Pairs
from . import loops
from .blocks import Route, Scheme, keys, masks, pieces, scheme_routes, shorten, width
from .linear import scan_between
from .plan import COMPARE_WORD, SORT_ROW
from .words import check_words, sort_pairs, to_columns, valid_rows

PROBE = 2.0e-7  # seconds to look one query up in one table: three fetches out of cache
FETCH_WORD = 4e-10  # seconds to compare one word of a bucket
MOST_HEAD_BITS = 20  # of a key: a directory of 4 MB a table


@dataclass(frozen=True, slots=True, eq=False)
class BlockIndex:
    """Stored fingerprints, ready for exact queries; it never changes, so threads may share it.

    Each table holds the first word of each row and the row itself in key order, 16 bytes a row,
    and where the rows of each key begin: neighbours of a query stand together.
    """

    columns: U64  # (W, n)
    rows: I64  # (n,) row numbers of the caller
    bits: int
    exact_to: int  # up to this many bits the tables find everything; beyond it all is scanned
    words: U64  # (t, n) first words, by key
    order: I64  # (t, n) column of each of them
    heads: I32  # (t, h + 1) where the rows begin whose keys begin with each value
    shifts: I64  # (t,) bits of a key after those that `heads` is read by
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
        words = check_words(words, bits)
        rows = valid_rows(len(words), valid)
        columns = to_columns(words if len(rows) == len(words) else words[rows]).copy()
        if scheme and scheme.exact_to < k:
            raise ValueError(f"{scheme.name} is exact to {scheme.exact_to} bits, not {k}")
        n = columns.shape[1]
        scheme = scheme or _worthwhile(n, bits, k)
        routes: tuple[Route, ...] = ()
        if scheme and scheme.blocks <= bits:
            spare = 64 - max(1, n - 1).bit_length()
            routes = tuple(shorten(route, spare) for route in scheme_routes(bits, scheme))
        widest = max((width(route) for route in routes), default=0)
        head_bits = min(widest, MOST_HEAD_BITS, max(1, n).bit_length())
        order = np.empty((len(routes), n), np.int64)
        heads = np.empty((len(routes), (1 << head_bits) + 1), np.int32)
        for table, route in enumerate(routes):
            order[table], heads[table] = _table(columns, route, bits, head_bits)
        return cls(
            columns,
            rows,
            bits,
            scheme.exact_to if scheme and routes else -1,
            columns[0][order],
            order,
            heads,
            np.array([max(0, width(route) - head_bits) for route in routes], np.int64),
            _padded([pieces(route, bits) for route in routes]),
            masks(routes, bits, len(columns)),
            sum(map(_mean_bucket, heads)),
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
        words, asked = check_words(words, self.bits), valid_rows(len(words), valid)
        queries = to_columns(words if valid is None else words[asked])
        fetching = self.expected * FETCH_WORD * len(self.columns)
        probing = len(self.order) * PROBE + fetching
        if k <= self.exact_to and probing < _scanning(len(self.rows), self.bits):
            table = (self.words, self.order, self.heads, self.shifts, self.parts, self.masks)
            left, right, distance = loops.probe(queries, self.columns, *table, k)
        else:
            left, right, distance = scan_between(queries, self.columns, k)
        stored = int(self.rows[-1]) + 1 if len(self.rows) else 0
        return sort_pairs(asked[left], self.rows[right], distance, max(len(words), stored))


def pairs_between(
    a: U64, b: U64, *, bits: int, k: int, valid_a: Bools | None = None, valid_b: Bools | None = None
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
    columns_a = to_columns(check_words(a, bits)[rows_a])
    columns_b = to_columns(check_words(b, bits)[rows_b])
    left, right, distance = scan_between(columns_a, columns_b, k)
    return sort_pairs(rows_a[left], rows_b[right], distance, max(len(a), len(b)))


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


def _mean_bucket(heads: I32) -> float:
    """Return how many rows share the bucket of a stored row, on average."""
    sizes = np.diff(heads).astype(np.float64)
    return float((sizes * sizes).sum() / max(1, heads[-1]))


def _table(columns: U64, route: Route, bits: int, head_bits: int) -> tuple[I64, I64]:
    """Return the columns in the order of their keys, and where those of each head begin."""
    key = keys(columns, pieces(route, bits))
    n, shift = len(key), max(0, width(route) - head_bits)
    size = np.bincount((key >> np.uint64(shift)).astype(np.int64), minlength=1 << head_bits)
    place_bits = np.uint64(max(1, n - 1).bit_length())
    packed = (key << place_bits) | np.arange(n, dtype=np.uint64)
    packed.sort()
    order = (packed & np.uint64((1 << int(place_bits)) - 1)).astype(np.int64)
    return order, np.concatenate([[0], np.cumsum(size)])


def _padded(parts: list[I64]) -> I64:
    """Stack piece lists of different length; a piece of width 0 adds nothing to a key."""
    longest = max((len(part) for part in parts), default=0)
    stacked = np.zeros((len(parts), longest, 3), np.int64)
    for table, part in enumerate(parts):
        stacked[table, : len(part)] = part
    return stacked
