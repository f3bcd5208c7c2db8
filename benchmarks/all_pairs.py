"""How long do all pairs within k bits take, from a thousand fingerprints of 64 bits upwards?

Beside the search of this project stand what it cannot beat, `np.sort` of four arrays of that size
(four sorted tables) and every pair compared at the rate of the processor, and peers that give the
same pairs: DuckDB and Polars joining each 16-bit block with itself, the multi-hash of faiss, and
the index of PyPI's simhash. Each size is a process of its own; warm runs, medians.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks._shared import machine, needs
from benchmarks._shared.clock import LONG_RUN, alone, median, once
from benchmarks._shared.report import Chart, Report, Table
from simhash_core.model import U64
from simhash_core.simhash.search import all_pairs

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUICK = {"sizes": [100_000], "k": [3], "runs": 3}
LONG = {"sizes": [*SIZES, 10_000_000]}
#: rows up to which a peer is asked: beyond, it takes minutes or all memory
PEER_ROWS = {"DuckDB": 1_000_000, "Polars": 1_000_000, "faiss": 1_000_000, "simhash": 10_000}
MODULES = {"DuckDB": "duckdb", "Polars": "polars", "faiss": "faiss", "simhash": "simhash"}


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


KINDS = {"uniform": uniform, "skewed": skewed}


def distinct(words: U64) -> U64:
    """Return each word once; `np.unique` takes twenty times as long."""
    ordered = np.sort(words)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])]


def duckdb_pairs(words: U64, k: int) -> int:
    """Return the number of close pairs of distinct words, by DuckDB."""
    import duckdb

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


def polars_pairs(words: U64, k: int) -> int:
    """Return the number of close pairs of distinct words, by Polars."""
    import polars as pl

    frame = pl.DataFrame({"w": distinct(words)}).lazy()
    near = []
    for block in range(4):
        keyed = frame.with_columns(((pl.col("w") // 2 ** (16 * block)) % 65536).alias("b"))
        joined = keyed.join(keyed, on="b").filter(pl.col("w") < pl.col("w_right"))
        close = joined.filter((pl.col("w") ^ pl.col("w_right")).bitwise_count_ones() <= k)
        near.append(close.select("w", "w_right"))
    return int(pl.concat(near).unique().select(pl.len()).collect().item())


def faiss_pairs(words: U64, k: int) -> int:
    """Return the number of close pairs of distinct words, by the multi-hash of faiss."""
    import faiss

    stored = distinct(words)
    rows = stored.view(np.uint8).reshape(-1, 8)
    index = faiss.IndexBinaryMultiHash(64, 4, 16)
    index.add(rows)
    limits, _, _ = index.range_search(rows, k + 1)  # its radius is exclusive
    return int(limits[-1] - len(stored)) // 2


def simhash_pairs(words: U64, k: int) -> int:
    """Return the number of close pairs of distinct words, by the index of PyPI's simhash."""
    import logging

    import simhash

    logging.disable(logging.WARNING)
    stored = [(str(row), simhash.Simhash(int(word))) for row, word in enumerate(distinct(words))]
    index = simhash.SimhashIndex(stored, k=k)
    return sum(len(set(index.get_near_dups(value))) - 1 for _, value in stored) // 2


WAYS: dict[str, Callable[[U64, int], int]] = {
    "DuckDB": duckdb_pairs,
    "Polars": polars_pairs,
    "faiss": faiss_pairs,
    "simhash": simhash_pairs,
}


def ours(kind: str, rows: int, k: int, runs: int) -> dict[str, Any]:
    """Search one collection; return its figures."""
    words = KINDS[kind](rows, np.random.default_rng(1))[:, None]
    began = time.perf_counter()
    result = all_pairs(words, bits=64, k=k)
    first = time.perf_counter() - began
    runs = 1 if first > LONG_RUN else runs
    seconds = median(lambda: all_pairs(words, bits=64, k=k), runs, warm_up=False)
    return {
        "wall": seconds.wall, "cpu": seconds.cpu, "pairs": len(result.pairs), "words_mb":
        words.nbytes / 2**20, "plan": result.plan.name,
    }  # fmt: skip


def theirs(name: str, kind: str, rows: int, k: int) -> dict[str, Any]:
    """Search the same collection with a peer; return its figures."""
    words = KINDS[kind](rows, np.random.default_rng(1))
    WAYS[name](words[:1000], k)
    pairs, seconds = once(lambda: WAYS[name](words, k))
    return {"wall": seconds.wall, "cpu": seconds.cpu, "pairs": pairs}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--k", type=int, nargs="+", default=[3, 8, 10])
    parser.add_argument("--runs", type=int, default=5)


def measure(options: argparse.Namespace) -> Report:
    """Search every size, and the largest up to a million at every k."""
    peers = [name for name in WAYS if needs.is_here(MODULES[name])]
    first, largest = options.k[0], max(size for size in options.sizes if size <= 1_000_000)
    by_size = [_row(rows, first, options.runs, peers) for rows in options.sizes]
    heads = ["fingerprints", "kind", "ours, s", "CPU, s", "sort floors", "peak, MB", "pairs",
             *(f"{name}, times ours" for name in WAYS)]  # fmt: skip
    wide = [
        (kind, k, ours_alone(kind, largest, k, options.runs))
        for kind in KINDS
        for k in options.k[1:]
    ]
    tables = [Table(heads, [row for rows in by_size for row in rows], f"k = {first}")]
    if wide:
        scan = largest * (largest - 1) / 2 / machine.popcount_rate() / 1e9
        tables.append(
            Table(
                ["kind", "k", "ours, s", "CPU, s", "pairs", "plan", "all compared, times ours"],
                [
                    [kind, k, row["wall"], row["cpu"], row["pairs"], row["plan"],
                     scan / row["cpu"]]
                    for kind, k, row in wide
                ],
                f"{largest:,} fingerprints at larger k",
            )
        )  # fmt: skip
    notes = [
        "A sort floor is what sorting four arrays of that many 64-bit words costs; peers are asked "
        "up to the size that they answer in a minute. Comparing all pairs is computed from the "
        "rate of the scan on this machine, "
        f"{machine.popcount_rate():.1f} billion pairs a second and processor."
    ]
    return Report(tables, notes, _chart(by_size), _ratios(by_size))


def ours_alone(kind: str, rows: int, k: int, runs: int) -> dict[str, Any]:
    """Search one collection in a process of its own."""
    return alone(ours, kind, rows, k, runs)


def _row(rows: int, k: int, runs: int, peers: Sequence[str]) -> list[list[Any]]:
    _, floor = machine.sort_floor(rows, runs=max(runs, 3))
    lines = []
    for kind in KINDS:
        mine = ours_alone(kind, rows, k, runs)
        line = [f"{rows:,}", kind, mine["wall"], mine["cpu"], mine["cpu"] / floor,
                mine["peak_mb"], mine["pairs"]]  # fmt: skip
        for name in WAYS:
            # joins of clustered words grow with the square of a cluster, in time and in memory
            most = PEER_ROWS[name] if kind == "uniform" else PEER_ROWS[name] // 10
            if name not in peers or rows > most:
                line.append(None)
                continue
            peer = alone(theirs, name, kind, rows, k)
            if name != "simhash" and kind == "uniform" and peer["pairs"] != mine["pairs"]:
                raise SystemExit(f"{name} finds {peer['pairs']:,} pairs, not {mine['pairs']:,}")
            line.append(peer["cpu"] / mine["cpu"])
        lines.append(line)
    return lines


def _chart(by_size: Sequence[Sequence[Sequence[Any]]]) -> list[Chart]:
    """Draw seconds against the number of fingerprints."""
    if len(by_size) < 2:
        return []
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in (row for rows in by_size for row in rows):
        size, kind, cpu, floors = int(row[0].replace(",", "")), row[1], row[3], row[4]
        lines.setdefault(f"ours, {kind}", []).append((size, cpu))
        if kind == "uniform":
            lines.setdefault("sort floor", []).append((size, cpu / floors))
            for name, times in zip(WAYS, row[7:], strict=True):
                if times is not None:
                    lines.setdefault(name, []).append((size, cpu * times))
    shown = {name: points for name, points in lines.items() if len(points) > 1}
    return [
        Chart("all_pairs", "All pairs within 3 of 64 bits", "fingerprints", "CPU seconds", shown)
    ]


def _ratios(by_size: Sequence[Sequence[Sequence[Any]]]) -> dict[str, float]:
    """Return ratios to the peers and the floor at the largest size that has them."""
    ratios: dict[str, float] = {}
    for row in (row for rows in by_size for row in rows):
        ratios[f"{row[1]}: sort floors a search"] = 1 / row[4]
        for name, times in zip(WAYS, row[7:], strict=True):
            if times is not None:
                ratios[f"{row[1]}: {name}"] = times
    return ratios
