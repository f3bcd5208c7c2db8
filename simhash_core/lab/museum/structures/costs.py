"""What every search structure costs as the collection grows: probes, candidates, memory.

For fingerprints spread evenly; skewed ones cost more (the benchmark of the structures shows how
much). Beside it stands what two sources print, their arithmetic corrected: 2^30 is a billion
(1.07e9); 2^33 is 8.59e9 and 2^34 is 17.2e9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....errors import InvalidSettings
from ....simhash.search.blocks import Scheme, scheme_routes, width
from ... import Code, Table
from .expansion import ENTRY_BYTES, count
from .tables import BITS, DESIGNS, ROW_BYTES, K, design

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


# --------------------------------------------------------------------------- tables


SIZES = (10**6, 10**7, 10**8, 10**9, 10**10)
MOST = 10**15  # fingerprints; beyond, nothing here has a meaning
DEEPEST = 31  # bits: half the width, where every two texts are near
BILLION = 10**9
COLUMNS = ("documents", "structure", "tables", "key_bits", "probes", "candidates", "memory_gb")
PRINTED_COLUMNS = ("source", "item", "printed", "ours")


def cost_tables(sizes: Sequence[int] = SIZES, k: int = K) -> list[Table]:
    """Return the cost of every exact structure at each size, and the sources' own figures.

    Parameters
    ----------
    sizes
        Stored fingerprints of 64 bits.
    k
        Largest distance in bits.

    Raises
    ------
    InvalidSettings
        A size or k out of range.
    """
    wrong: list[tuple[str, object, str]] = [
        ("n", size, f"1 to {MOST}") for size in sizes if not 1 <= size <= MOST
    ]
    if not 0 <= k <= DEEPEST:
        wrong.append(("k", k, f"0 to {DEEPEST} bits"))
    if wrong:
        raise InvalidSettings(wrong)
    rows = [row for size in sizes for row in _rows(size, k)]
    return [Table("costs", COLUMNS, rows), Table("costs_printed", PRINTED_COLUMNS, printed())]


def printed() -> list[tuple[object, ...]]:
    """Return source, what it counts, what it prints and what comes out.

    Notes
    -----
    S0 takes 2^34 and S2 takes 2^33 for a billion texts (10 yi): they are 17.2 and 8.59 billion, so
    their buckets are 17 and 9 times those of a billion.
    """
    rows: list[tuple[object, ...]] = []
    for source, power in (("S0", 34), ("S2", 33)):
        bucket, query = bucket_sizes(2**power)
        real_bucket, real_query = bucket_sizes(BILLION)
        rows += [
            (source, Code("cost_size"), f"2^{power} = {BILLION:,}", f"2^{power} = {2**power:,}"),
            (source, Code("cost_bucket"), f"{bucket:,.0f}", f"{real_bucket:,.0f}"),
            (source, Code("cost_query"), f"{query:,.0f}", f"{real_query:,.0f}"),
        ]
    rows.insert(1, ("S0", Code("cost_power"), "216", f"2^{34 - 16} = {2 ** (34 - 16):,}"))
    return rows


def _rows(size: int, k: int) -> list[tuple[object, ...]]:
    return [
        (
            size,
            Code(f"structure_{cost.structure}") if cost.structure in _NAMED else cost.structure,
            cost.tables,
            _span(*cost.key_bits),
            cost.probes,
            cost.candidates,
            cost.memory / 1e9,
        )
        for cost in costs(size, k, bits=BITS)
    ]


_NAMED = ("linear", "expansion", "pre_generated", "tables_4", "tables_10", "tables_16", "tables_20")


def _span(low: int, high: int) -> str:
    return "–" if not high else str(low) if low == high else f"{low}–{high}"
