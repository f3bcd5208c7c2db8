"""The published table designs: 4, 10, 16 and 20 sorted copies for 64 bits and 3 errors.

More tables have longer keys: memory and probes buy fewer candidates. All find the same pairs.

References
----------
Manku, Jain, Das Sarma, Detecting near-duplicates for web crawling, WWW 2007, section 3.
"""

from __future__ import annotations

import numpy as np

from ....model import I64, U64, Bools
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
from ....simhash.search.readable import Hits
from ....simhash.search.twins import loops
from .runs import Distinct, Run

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
        order, starts, ends = buckets(distinct.columns, route, bits)
        hits.append(within(distinct.columns, order, starts, ends, k, earlier[:at]))
        sizes = ends - starts
        compared += int((sizes * (sizes - 1) // 2).sum())
        largest = max(largest, int(sizes.max(initial=1)))
    n = len(distinct)
    memory = len(routes) * n * ROW_BYTES
    return Run(distinct.group, distinct.pairs(hits), compared, n * tables, memory, largest)


def buckets(columns: U64, route: Route, bits: int) -> tuple[I64, I64, I64]:
    """Return columns in key order, and start and end of every bucket of at least two."""
    key = keys(columns, pieces(shorten(route, 64), bits))
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    starts = np.flatnonzero(np.r_[len(key) > 0, ordered[1:] != ordered[:-1]])
    ends = np.r_[starts[1:], len(key)] if len(starts) else starts
    several = ends - starts > 1
    return order, starts[several], ends[several]


def within(columns: U64, order: I64, starts: I64, ends: I64, k: int, earlier: U64) -> Hits:
    """Compare all pairs of some buckets, leaving out what earlier tables report."""
    tiles = np.stack([starts, ends, starts, ends], axis=1).astype(np.int64)
    ordered = np.ascontiguousarray(columns[:, order])
    left, right, distance = loops.scan(ordered, tiles, k, earlier)
    return order[left], order[right], distance
