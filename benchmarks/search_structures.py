"""Which search structure costs what, on even and on skewed fingerprints?

    python -m benchmarks search_structures [--n 200000] [--k 3] [--queries 500]

Every structure is checked against brute force (the linear scan, itself checked in the tests). The
naive ones would take an hour or 100 GB for all pairs: query expansion asks for `--queries` rows
among all, and the pre-generated table holds no more rows than that (0.5 MB each).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np

from simhash_core.lab.museum.structures.expansion import expansion_pairs, pretable_pairs
from simhash_core.lab.museum.structures.tables import (
    DESIGNS,
    RehashRule,
    Run,
    rehash_pairs,
    table_pairs,
)
from simhash_core.model import U64, Pairs
from simhash_core.simhash.search import all_pairs, linear_plan


def even(n: int) -> U64:
    """Random fingerprints, one in a hundred a copy with up to 3 bits changed."""
    draw = np.random.default_rng(1)
    words = draw.integers(0, 2**64, (n, 1), dtype=np.uint64)
    return _copied(words, draw.choice(n, n // 100, replace=False), draw)


def skewed(n: int) -> U64:
    """The same, a tenth with one 16-bit block in common, and one family of 1.5 % within 2 bits."""
    draw = np.random.default_rng(2)
    words = even(n)
    words[: n // 10] = words[: n // 10] & np.uint64(0x0000FFFFFFFFFFFF) | np.uint64(0xABCD << 48)
    family = np.arange(n - n * 3 // 200, n)
    words[family] = words[-1]
    for _ in range(2):
        words[family, 0] ^= np.uint64(1) << draw.integers(0, 64, len(family), dtype=np.uint64)
    return words


def _copied(words: U64, rows: np.ndarray, draw: np.random.Generator) -> U64:
    words[rows] = words[draw.integers(0, len(words), len(rows))]
    for _ in range(3):
        some = rows[draw.random(len(rows)) < 0.5]
        words[some, 0] ^= np.uint64(1) << draw.integers(0, 64, len(some), dtype=np.uint64)
    return words


def same(a: Pairs, b: Pairs) -> bool:
    return all(np.array_equal(getattr(a, c), getattr(b, c)) for c in ("left", "right", "distance"))


def measure(
    name: str, truth: Pairs, search: Callable[..., Run], words: U64, **options: object
) -> Run:
    """Run one structure, check it, and print its row."""
    start = time.perf_counter()
    run = search(words, **options)
    seconds = time.perf_counter() - start
    right = same(run.pairs, truth)
    show(name, seconds, run.compared, len(run.pairs), memory=run.memory, largest=run.largest,
         split=run.split, verdict="=" if right else "DIFFERS")  # fmt: skip
    if not right:
        raise SystemExit(1)
    return run


def show(
    name: str,
    seconds: float,
    compared: int,
    pairs: int,
    *,
    memory: int = 0,
    largest: int = 0,
    split: int = 0,
    verdict: str = "",
) -> None:
    """Print one row of the table."""
    print(
        f"{name:28} {seconds:8.2f} s {memory / 1e6:8.1f} MB {compared:15,} compared "
        f"{largest:7,} largest {split:5,} split {pairs:8,} pairs {verdict}"
    )


def touching(pairs: Pairs, rows: np.ndarray) -> Pairs:
    """Return the pairs with at least one of some rows."""
    chosen = np.isin(pairs.left, rows) | np.isin(pairs.right, rows)
    return Pairs(pairs.left[chosen], pairs.right[chosen], pairs.distance[chosen])


def table(words: U64, k: int, queries: int) -> None:
    """Run every structure on one set of fingerprints."""
    start = time.perf_counter()
    brute = all_pairs(words, bits=64, k=k, plan=linear_plan(64, k))
    truth = brute.pairs
    show("brute force", time.perf_counter() - start, brute.candidates, len(truth))
    designs = {
        tables: measure(f"{tables} tables", truth, table_pairs, words, tables=tables, k=k)
        for tables in DESIGNS
    }
    split = measure("re-hash", truth, rehash_pairs, words, k=k)
    printed = RehashRule(literal=True)
    measure("re-hash, as printed", truth, rehash_pairs, words, k=k, rule=printed)
    start = time.perf_counter()
    ours = all_pairs(words, bits=64, k=k)
    seconds = time.perf_counter() - start
    show(f"product ({ours.plan.name})", seconds, ours.candidates, len(ours.pairs),
         largest=ours.largest_bucket, split=ours.split_buckets,
         verdict="=" if same(ours.pairs, truth) else "DIFFERS")  # fmt: skip
    rows = np.random.default_rng(3).choice(len(words), queries, replace=False)
    asked = touching(truth, brute.group[rows])
    measure(f"expansion, {queries} rows ask", asked, expansion_pairs, words, k=k, rows=rows)
    few = words[-queries:]
    small = all_pairs(few, bits=64, k=k, plan=linear_plan(64, k)).pairs
    measure(f"pre-generated, {queries} rows", small, pretable_pairs, few, k=k)
    fewer = designs[4].compared / max(1, split.compared)
    print(f"re-hash compares {fewer:.1f} times fewer than 4 tables")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one table a kind of fingerprints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=200_000)
    parser.add_argument("--k", type=int, default=3)
    parser.add_argument("--queries", type=int, default=500)
    options = parser.parse_args(arguments)
    warm = even(1000)  # compile outside the clock
    all_pairs(warm, bits=64, k=options.k, plan=linear_plan(64, options.k))
    table_pairs(warm)
    for make in (even, skewed):
        print(f"\n{options.n:,} fingerprints, {make.__name__}, k = {options.k}")
        table(make(options.n), options.k, options.queries)


if __name__ == "__main__":
    main()
