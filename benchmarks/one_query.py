"""How long does one question take against stored fingerprints of 64 bits?

Asked alone, as an application does, and in a batch; within 3 bits through the public index, and
within 20 bits, where all rows are compared. Beside it PyPI's simhash, faiss (its multi-hash and
its flat index) and a scan by NumPy. Half of the questions have an answer. Times are CPU times.
"""

from __future__ import annotations

import argparse
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks._shared import machine, needs
from benchmarks._shared.report import Report, Table
from benchmarks.all_pairs import KINDS
from simhash_core.model import U64
from simhash_core.simhash.search import BlockIndex

SIZES = (100_000, 1_000_000)
QUICK = {"sizes": [100_000], "questions": 500}
LONG = {"sizes": [*SIZES, 10_000_000]}
SIMHASH_ROWS = 100_000  # its index of a million takes a gigabyte
WIDE, NEAR = 20, 3  # bits
MOST_SECONDS = 20.0  # for one way
Ask = Callable[[U64], object]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--questions", type=int, default=2_000)


def measure(options: argparse.Namespace) -> Report:
    """Ask every index."""
    tables, ratios = [], {}
    for rows in options.sizes:
        for kind in KINDS:
            table, ours = asked(kind, rows, options.questions)
            tables.append(table)
            ratios |= ours
    note = (
        "A question of its own goes through all checks and conversions of the public call; the "
        f"flat scan reads {machine.read_bandwidth():.0f} GB/s at most on this machine, which is "
        "its floor."
    )
    return Report(tables, [note], ratios=ratios)


def asked(kind: str, rows: int, questions: int) -> tuple[Table, dict[str, float]]:
    """Ask one collection; return a table, and ratios to the peers."""
    random = np.random.default_rng(2)
    words = KINDS[kind](rows, random)
    queries = words[random.integers(0, rows, questions)]
    queries[::2] = random.integers(0, 2**64, len(queries[::2]), dtype=np.uint64)
    began = time.perf_counter()
    index = BlockIndex.build(words[:, None], bits=64, k=NEAR)
    built = time.perf_counter() - began
    ways: dict[str, Ask] = {
        f"ours, within {NEAR}": lambda some: index.search(some[:, None], NEAR),
        f"ours, within {WIDE}": lambda some: index.search(some[:, None], WIDE),
        "NumPy scan": lambda some: [
            np.flatnonzero(np.bitwise_count(words ^ q) <= NEAR) for q in some
        ],
        **peers(words, kind),
    }
    lines = [_line(name, ask, queries) for name, ask in ways.items()]
    title = f"{rows:,} stored, {kind} (index built in {built:.2f} s, first compilation included)"
    ratios = {
        f"{rows:,} {kind}: {line[0]}": line[1] / lines[0][1]  # of the medians
        for line in lines[2:]
    }
    heads = ["", "median, µs", "99th percentile, µs", "in a batch, µs a question"]
    return Table(heads, lines, title), ratios


def peers(words: U64, kind: str) -> dict[str, Ask]:
    """Return the other indexes that are installed, filled."""
    ways: dict[str, Ask] = {}
    if needs.is_here("faiss"):
        import faiss

        faiss.omp_set_num_threads(1)
        rows = words.view(np.uint8).reshape(-1, 8)
        hashed, flat = faiss.IndexBinaryMultiHash(64, 4, 16), faiss.IndexBinaryFlat(64)
        hashed.add(rows)
        flat.add(rows)
        for name, index in (("faiss multi-hash", hashed), ("faiss flat", flat)):
            ways[name] = lambda some, index=index: index.range_search(
                some.view(np.uint8).reshape(-1, 8), NEAR + 1
            )
    if needs.is_here("simhash") and len(words) <= SIMHASH_ROWS and kind == "uniform":
        import simhash

        logging.disable(logging.WARNING)
        pairs = [(str(row), simhash.Simhash(int(word))) for row, word in enumerate(words)]
        peer_index = simhash.SimhashIndex(pairs, k=NEAR)
        ways["PyPI simhash"] = lambda some: [
            peer_index.get_near_dups(simhash.Simhash(int(word))) for word in some
        ]
    return ways


def _line(name: str, ask: Ask, queries: U64) -> Sequence[Any]:
    """Return median and 99th percentile of questions alone, and the mean of a batch."""
    for query in queries[:20]:
        ask(np.array([query]))
    alone = []
    until = time.perf_counter() + MOST_SECONDS
    for query in queries:
        one = np.array([query])
        began = time.process_time()
        ask(one)
        alone.append(time.process_time() - began)
        if time.perf_counter() > until:
            break  # a slow way is judged by the questions that it has answered
    part = queries[: len(alone)]
    began = time.process_time()
    ask(part)
    batch = (time.process_time() - began) / len(part)
    middle, worst = np.percentile(alone, [50, 99])
    return [name, 1e6 * float(middle), 1e6 * float(worst), 1e6 * batch]
