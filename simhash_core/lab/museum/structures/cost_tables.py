"""What finding a near text costs as a collection grows, beside what two sources print."""

from __future__ import annotations

from collections.abc import Sequence

from ....errors import InvalidSettings
from ...tables import Code, Table
from .costs import BITS, bucket_sizes, costs
from .tables import K

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
