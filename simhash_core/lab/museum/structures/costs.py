"""What every search structure costs as the collection grows: probes, candidates, memory.

For fingerprints spread evenly; skewed ones cost more (the benchmark of the structures shows how
much). The arithmetic of two sources is corrected: 2^30 is a billion (1.07e9); 2^33 is 8.59e9 and
2^34 is 17.2e9.
"""

from __future__ import annotations

from dataclasses import dataclass

from ....simhash.search.blocks import Scheme, scheme_routes, width
from .expansion import count
from .pretable import ENTRY_BYTES
from .tables import DESIGNS, ROW_BYTES, K, design

BITS = 64
WORD_BYTES = 8


@dataclass(frozen=True, slots=True)
class Cost:
    """One structure at one size."""

    structure: str
    tables: int
    key_bits: tuple[int, int]  # shortest and longest key
    probes: int  # look-ups a query
    candidates: float  # words compared a query, expected
    memory: int  # bytes, fingerprints included


def costs(n: int, k: int = K, *, bits: int = BITS) -> list[Cost]:
    """Return the cost of every structure that is exact for `k` of `bits` bits.

    Parameters
    ----------
    n
        Stored fingerprints.
    k, bits

    Notes
    -----
    A key of b bits meets n / 2^b words a table. The published designs are listed for k up to 3;
    for other k the blocks are C(k+1, 1), C(k+2, 2) and C(k+3, 3).
    """
    words = n * max(WORD_BYTES, bits // 8)
    rows = [Cost("linear", 0, (0, 0), 0, float(n), words)]
    if bits <= BITS:
        whole = (bits, bits)
        compared = n * count(k, bits=bits) / 2.0**bits
        stored = n * count(k, bits=bits) * ENTRY_BYTES
        rows.append(Cost("expansion", 1, whole, count(k, bits=bits), compared, words))
        rows.append(Cost("pre_generated", 1, whole, 1, compared, words + stored))
    for name, keys in _keys(k, bits):
        expected = sum(n / 2.0**key for key in keys)
        memory = words + len(keys) * n * ROW_BYTES
        span = (min(keys), max(keys))
        rows.append(Cost(name, len(keys), span, len(keys), expected, memory))
    return rows


def bucket_sizes(n: int, *, key_bits: int = 16, tables: int = 4) -> tuple[float, float]:
    """Return the words in one bucket and in the buckets of all tables that a query meets."""
    return n / 2**key_bits, tables * n / 2**key_bits


def _keys(k: int, bits: int) -> list[tuple[str, list[int]]]:
    """Return the key lengths of each design."""
    if k <= K and bits == BITS:
        return [(f"tables_{t}", [width(route) for route in design(t)]) for t in DESIGNS]
    schemes = [Scheme(k + choose, choose) for choose in (1, 2, 3) if k + choose <= bits]
    return [
        (scheme.name, [width(route) for route in scheme_routes(bits, scheme)]) for scheme in schemes
    ]
