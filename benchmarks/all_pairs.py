"""How long do all pairs within k of a million 64-bit fingerprints take, beside sorting and DuckDB?

Everything runs in one process on the same words: the search of this project, `np.sort` of four
arrays of that size (the floor for four sorted tables), and DuckDB joining each 16-bit block with
itself. Warm runs, medians; the first (compiling) run is shown apart.

    python benchmarks/all_pairs.py                     a million words, k = 3, 8, 10
    python benchmarks/all_pairs.py --rows 100000 --peer-rows 100000
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from simhash_core.model import U64
from simhash_core.simhash.search import SearchResult, all_pairs


def uniform(rows: int, random: np.random.Generator) -> U64:
    """Return random words, 1 % of them copies of others with up to 4 bits flipped."""
    words = random.integers(0, 2**64, rows, dtype=np.uint64)
    copies = random.choice(rows, rows // 100, replace=False)
    words[copies] = words[random.integers(0, rows, len(copies))]
    return _flipped(words, copies, random)


def skewed(rows: int, random: np.random.Generator) -> U64:
    """Return words of biased bits, a fifth in near-duplicate families of Zipf sizes (<= 2000)."""
    bias = random.beta(4, 4, 64)
    drawn = [np.packbits(random.random((part, 64)) < bias, axis=1) for part in _parts(rows)]
    words = np.concatenate(drawn).view(np.uint64)[:, 0].copy()
    members = np.arange(rows - rows // 5, rows)
    sizes = np.minimum(random.zipf(1.7, rows // 5), 2000)
    family = np.repeat(np.arange(len(sizes)), sizes)[: len(members)]
    words[members] = words[family]
    return _flipped(words, members, random)


def _parts(rows: int) -> list[int]:
    return [min(100_000, rows - at) for at in range(0, rows, 100_000)]


def _flipped(words: U64, rows: np.ndarray, random: np.random.Generator) -> U64:
    for _ in range(4):
        chosen = rows[random.random(len(rows)) < 0.5]
        words[chosen] ^= np.uint64(1) << random.integers(0, 64, len(chosen), dtype=np.uint64)
    return words


def median(function: Callable[[], Any], runs: int) -> tuple[float, float]:
    """Return the median seconds of some runs: by the clock, and of all processors together."""
    wall, busy = [], []
    for _ in range(runs):
        began, used = time.perf_counter(), time.process_time()
        function()
        wall.append(time.perf_counter() - began)
        busy.append(time.process_time() - used)
    return statistics.median(wall), statistics.median(busy)


def sort_floor(rows: int, random: np.random.Generator, runs: int) -> tuple[float, float]:
    """Return wall and processor seconds to sort four arrays of random words on two threads."""
    arrays = [random.integers(0, 2**64, rows, dtype=np.uint64) for _ in range(4)]

    def threaded() -> None:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(np.sort, arrays))

    return median(threaded, runs)


def duckdb_pairs(words: U64, k: int) -> int:
    """Return the number of close pairs of distinct words, by DuckDB."""
    try:
        import duckdb
    except ImportError:
        raise SystemExit(
            "the peer needs duckdb: pip install -r benchmarks/requirements.txt, or --peer-rows 0"
        ) from None

    blocks = [f"(w >> {64 - 16 * (block + 1)}) & 65535" for block in range(4)]
    joins = [
        f"select a.w as x, b.w as y from distinct_words a join distinct_words b "
        f"on a.b{block} = b.b{block} and a.w < b.w where bit_count(xor(a.w, b.w)) <= {k}"
        for block in range(4)
    ]
    names = ", ".join(f"{block} as b{i}" for i, block in enumerate(blocks))
    with duckdb.connect(config={"threads": 2}) as database:
        database.register("given", {"w": words})
        database.execute(
            f"create table distinct_words as select w, {names} from (select distinct w from given)"
        )
        row = database.execute(f"select count(*) from ({' union '.join(joins)})").fetchone()
    return int(row[0]) if row else 0


def describe(
    label: str,
    result: SearchResult,
    seconds: tuple[float, float],
    cold: float,
    floor: tuple[float, float],
) -> None:
    """Print one line of figures."""
    wall, busy = seconds
    print(
        f"{label:<16} {wall:8.3f} s = {wall / floor[0]:5.1f} x floor  "
        f"processors {busy:8.3f} s = {busy / floor[1]:5.1f} x floor  first {cold:.2f} s  "
        f"{len(result.pairs):,} pairs  {result.plan.name}  {result.candidates:,} compared  "
        f"largest bucket {result.largest_bucket:,}  split {result.split_buckets:,}"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--k", type=int, nargs="+", default=[3, 8, 10])
    parser.add_argument("--peer-rows", type=int, default=1_000_000, help="0: no peer")
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    floor = sort_floor(options.rows, random, options.runs)
    print(f"{platform.processor() or platform.machine()}, numpy {np.__version__}")
    print(
        f"floor: np.sort of 4 x {options.rows:,} words on two threads {floor[0]:.3f} s, "
        f"processors {floor[1]:.3f} s"
    )
    for name, make in (("uniform", uniform), ("skewed", skewed)):
        words = make(options.rows, random)
        for k in options.k:
            began = time.perf_counter()
            result = all_pairs(words[:, None], bits=64, k=k)
            cold = time.perf_counter() - began
            runs = options.runs if cold < 10 else 1
            seconds = median(lambda w=words, k=k: all_pairs(w[:, None], bits=64, k=k), runs)
            describe(f"{name}, k = {k}", result, seconds, cold, floor)
        if options.peer_rows:
            compare_with_peer(name, words[-options.peer_rows :], options.k[0])


def compare_with_peer(name: str, words: U64, k: int) -> None:
    """Print DuckDB's time on the same words, and whether it found as many pairs."""
    ours = all_pairs(words[:, None], bits=64, k=k)
    seconds, _ = median(lambda: all_pairs(words[:, None], bits=64, k=k), 3)
    began = time.perf_counter()
    count = duckdb_pairs(words, k)
    peer = time.perf_counter() - began
    agree = "same pairs" if count == len(ours.pairs) else f"{count:,} pairs: DIFFERENT"
    print(
        f"{name + ', DuckDB':<22} {peer:8.3f} s  {peer / seconds:6.1f} x this project on "
        f"{len(words):,} rows, {agree}"
    )


if __name__ == "__main__":
    main()
