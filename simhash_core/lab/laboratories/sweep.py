"""One result seen at every threshold at once: what it lets in, and what an index would cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...graphs import spanning_forest
from ...model import I64
from ...policy import PASSAGE_LINK
from ...result import CheckResult, PairTable
from ...seen.thresholds import entry_of
from ...simhash.search.blocks import Scheme, keys, pieces, scheme_routes, shorten

MOST_TABLES = 400  # more routes than this are counted, not measured
CURVE_POINTS = 10  # thresholds at which the cost of an index is measured


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """What every threshold 0..limit finds, `limit` being `complete_up_to`.

    Attributes
    ----------
    entry : int64 (m,)       smallest threshold at which a row of the pair table is found by
                             fingerprint, by either signature; limit + 1 where none is
    order : int64 (m,)       rows of the table by entry
    pairs, documents : int64 (limit + 1,)   pairs within, and documents in at least one of them
    clusters : int64 (limit + 1,)           groups, links by shared passages included
    """

    entry: I64
    order: I64
    pairs: I64
    documents: I64
    clusters: I64

    @property
    def complete_up_to(self) -> int:
        """Largest threshold for which every pair is known."""
        return len(self.pairs) - 1


@dataclass(frozen=True, slots=True)
class IndexCost:
    """One exact way to find all pairs within `k` bits.

    `candidates` are the pairs that meet in some table and are compared, counted on these very
    fingerprints; nan where there are too many tables to try. `memory` is in bytes.
    """

    k: int
    scheme: str
    blocks: int
    tables: int
    candidates: float
    memory: int


def sweep(result: CheckResult) -> Sweep:
    """See a result at every threshold.

    Notes
    -----
    Agrees with `at_threshold` at each k. Clusters come from one minimum spanning forest over the
    thresholds at which links appear, so all thresholds together cost one sort of the pairs.
    """
    table, limit = result.table, result.complete_up_to
    entry = entry_of(result)
    within = entry <= limit
    pairs = np.cumsum(np.bincount(entry[within], minlength=limit + 1)[: limit + 1])
    first = np.full(len(result.documents), limit + 1, np.int64)
    for side in (table.pairs.left, table.pairs.right):
        np.minimum.at(first, side[within], entry[within])
    documents = np.cumsum(np.bincount(first[first <= limit], minlength=limit + 1))
    order = np.argsort(entry, kind="stable")
    return Sweep(entry, order, pairs, documents, _clusters(table, entry, len(first), limit))


def sweep_csv(result: CheckResult, swept: Sweep, top: int) -> str:
    """Return what each threshold up to `top` finds, and the false pairs to expect, as CSV."""
    expected = [result.limits.expected(k) for k in range(top + 1)]
    rows = zip(
        range(top + 1), swept.pairs.tolist(), swept.documents.tolist(), swept.clusters.tolist(),
        expected, strict=False,
    )  # fmt: skip
    lines = ["threshold,pairs,texts,clusters,expected_false_pairs"]
    lines += [
        f"{k},{pairs},{texts},{groups},{false:.6g}" for k, pairs, texts, groups, false in rows
    ]
    return "\r\n".join(lines) + "\r\n"


def borderline(sweep: Sweep, k: int, *, count: int = 5, skip: int = 0) -> tuple[I64, I64]:
    """Return table rows just inside and just outside a threshold, each nearest last and first.

    Parameters
    ----------
    k : int         bits
    count : int     rows a side
    skip : int      rows nearest to the threshold that are left out, to see the next ones
    """
    order, last = sweep.order, int(sweep.pairs[-1])
    cut = int(sweep.pairs[min(k, sweep.complete_up_to)])
    inside = order[max(cut - skip - count, 0) : max(cut - skip, 0)]
    return inside, order[min(cut + skip, last) : min(cut + skip + count, last)]


def index_cost(result: CheckResult, k: int) -> tuple[IndexCost, ...]:
    """Return what a scan and the two block schemes cost at one threshold, on this batch."""
    columns = np.ascontiguousarray(result.fingerprints.words[result.fingerprints.valid].T)
    n, bits = columns.shape[1], result.fingerprints.bits
    costs = [IndexCost(k, "linear", 0, 0, n * (n - 1) / 2, 8 * columns.size)]
    for choose in (1, 2):
        scheme = Scheme(k + choose, choose)
        if scheme.blocks <= bits and n:
            costs.append(_scheme_cost(columns, scheme, bits, k))
    return tuple(costs)


def index_costs(result: CheckResult) -> tuple[IndexCost, ...]:
    """Return the cost of k + 1 blocks at some ten thresholds up to `complete_up_to`."""
    columns = np.ascontiguousarray(result.fingerprints.words[result.fingerprints.valid].T)
    bits = result.fingerprints.bits
    limit = min(result.complete_up_to, bits - 1)
    steps = np.unique(np.rint(np.linspace(0, limit, CURVE_POINTS)).astype(int)).tolist()
    if not columns.shape[1]:
        return ()
    return tuple(_scheme_cost(columns, Scheme(k + 1, 1), bits, k) for k in steps)


def _scheme_cost(columns: np.ndarray, scheme: Scheme, bits: int, k: int) -> IndexCost:
    n = columns.shape[1]
    tables = math.comb(scheme.blocks, scheme.choose)
    candidates = math.nan
    if tables <= MOST_TABLES:
        candidates = 0.0
        for route in scheme_routes(bits, scheme):
            key = keys(columns, pieces(shorten(route, 64), bits))
            sizes = np.unique(key, return_counts=True)[1].astype(np.float64)
            candidates += float((sizes * (sizes - 1) / 2).sum())
    # a table holds its sorted keys and their rows, 8 bytes each
    return IndexCost(k, scheme.name, scheme.blocks, tables, candidates, 16 * n * tables)


def _clusters(table: PairTable, entry: I64, n: int, limit: int) -> I64:
    """Number of groups of two or more at every threshold."""
    share = np.fmax(table.coverage_a, table.coverage_b)
    at = np.where(share >= PASSAGE_LINK, 0, entry)
    linked = at <= limit
    left, right, at = table.pairs.left[linked], table.pairs.right[linked], at[linked]
    forest = spanning_forest(left, right, at, n)
    forest = forest[np.argsort(at[forest], kind="stable")]
    change = np.zeros(limit + 1, np.int64)
    root, alone = list(range(n)), [True] * n
    for *ends, k in zip(*(x[forest].tolist() for x in (left, right, at)), strict=True):
        a, b = (_root(root, end) for end in ends)
        change[k] += int(alone[a]) + int(alone[b]) - 1
        root[b], alone[a], alone[b] = a, False, False
    return np.cumsum(change)


def _root(root: list[int], node: int) -> int:
    while root[node] != node:
        root[node] = root[root[node]]
        node = root[node]
    return node
