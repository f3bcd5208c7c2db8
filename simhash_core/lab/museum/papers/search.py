"""Rows on search: every structure against brute force on the same fingerprints."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np

from ....model import U64, Pairs
from ....simhash.search import all_pairs, linear_plan
from ..buckets import BlockBuckets, RedisBuckets, Ring, connect
from ..structures import (
    ENTRY_BYTES,
    K,
    RehashRule,
    bucket_sizes,
    costs,
    count,
    expansion_pairs,
    pretable_pairs,
    rehash_pairs,
    table_pairs,
)
from .rows import Answer, row, write_cell

MANY, FEW = 6000, 400


@cache
def _words(n: int) -> U64:
    """Return n fingerprints: half random, half copies with up to 4 bits changed, one block hot."""
    draw = np.random.default_rng(n)
    words = draw.integers(0, 2**64, (n, 1), dtype=np.uint64)
    copies = draw.choice(n, n // 2, replace=False)
    words[copies] = words[draw.integers(0, n, len(copies))]
    for _ in range(4):
        some = copies[draw.random(len(copies)) < 0.5]
        words[some, 0] ^= np.uint64(1) << draw.integers(0, 64, len(some), dtype=np.uint64)
    words[: n // 4] &= np.uint64(0x0000FFFFFFFFFFFF)
    return words


@cache
def _brute(n: int) -> Pairs:
    return all_pairs(_words(n), bits=64, k=K, plan=linear_plan(64, K)).pairs


def _same(pairs: Pairs, n: int) -> str:
    """Return how many pairs there are, and "=" where they are those of brute force."""
    truth = _brute(n)
    columns = ("left", "right", "distance")
    equal = all(np.array_equal(getattr(pairs, c), getattr(truth, c)) for c in columns)
    return f"{len(pairs)} {'=' if equal else 'differ from'} brute force"


def _expected(n: int) -> str:
    return f"{len(_brute(n))} = brute force"


@row(8, "simhash_core.lab.museum.structures")
def expansion() -> Answer:
    """43,745 probes a query."""
    run = expansion_pairs(_words(FEW))
    expected = f"{_expected(FEW)}; 43745 probes"
    return Answer(expected, f"{_same(run.pairs, FEW)}; {count()} probes")


@row(9, "simhash_core.lab.museum.structures")
def pre_generated() -> Answer:
    """43,745 times the entries."""
    run = pretable_pairs(_words(FEW))
    entries = run.memory // ENTRY_BYTES / len(np.unique(_words(FEW)))
    return Answer(f"{_expected(FEW)}; x43745", f"{_same(run.pairs, FEW)}; x{entries:.0f}")


@row(10, "leitong pairs FILE -k 3; tables of 4 x 16 bits")
def blocks() -> Answer:
    """Four blocks, and the product's own search."""
    run = table_pairs(_words(MANY), tables=4)
    ours = all_pairs(_words(MANY), bits=64, k=K).pairs
    return Answer(
        f"{_expected(MANY)}; {_expected(MANY)}", f"{_same(run.pairs, MANY)}; {_same(ours, MANY)}"
    )


@row(11, "simhash_core.lab.museum.structures")
def candidate_counts() -> Answer:
    """Words in a bucket and in four, for 2^34 and 2^33 (17.2 and 8.59 billion) and a billion."""
    got = [round(value) for n in (2**34, 2**33, 10**9) for value in bucket_sizes(n)]
    billions = [round(2**power / 1e9, 2) for power in (30, 33, 34)]
    expected = "262144 1048576 131072 524288 15259 61035; 2^30 2^33 2^34 = 1.07 8.59 17.18 e9"
    return Answer(expected, f"{write_cell(got)}; 2^30 2^33 2^34 = {write_cell(billions)} e9")


@row(16, "simhash_core.lab.museum.buckets (extra redis)")
def shared_buckets() -> Answer:
    """The same keys in memory and, where there is a server, in Redis."""
    memory = BlockBuckets()
    got = f"{_describe_stored(memory, FEW)}; Redis "
    expected = f"{_expected(FEW)}; Redis "
    with _server() as store:
        if store is None:
            return Answer(expected + "-", got + "-")
        return Answer(expected + _expected(FEW), got + _describe_stored(store, FEW))


def _describe_stored(store: BlockBuckets | RedisBuckets, n: int) -> str:
    """Store distinct words, ask for each, and compare with brute force."""
    result = all_pairs(_words(n), bits=64, k=K, plan=linear_plan(64, K))
    rows = np.flatnonzero(result.group == np.arange(n))
    words = _words(n)[rows, 0]
    store.add([str(row) for row in rows], words)
    triples = {
        (int(row), int(near.id), near.distance)
        for row, hits in zip(rows, store.near(words), strict=True)
        for near in hits
        if int(near.id) > row
    }
    columns = np.array(sorted(triples), np.int64).reshape(-1, 3).T
    return _same(Pairs(columns[0], columns[1], columns[2].astype(np.uint16)), n)


@contextmanager
def _server() -> Iterator[RedisBuckets | None]:
    """Start a Redis server of our own on a socket, if there is one on this machine."""
    binary = shutil.which("redis-server")
    if not binary or importlib.util.find_spec("redis") is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder) / "s"
        command = [binary, "--port", "0", "--unixsocket", str(socket), "--dir", folder]
        quiet = ["--save", "", "--appendonly", "no", "--daemonize", "no"]
        with subprocess.Popen([*command, *quiet], stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout or ():
                if "eady to accept connections" in line:
                    break
            try:
                yield connect(f"unix://{socket}", name="seeds")
            finally:
                process.terminate()


@row(17, "simhash_core.lab.museum.structures")
def key_length() -> Answer:
    """Candidates a query at a billion, and bytes a fingerprint: longer keys need more tables."""
    tables = [cost for cost in costs(10**9) if cost.structure.startswith("tables")]
    candidates = [round(cost.candidates) for cost in tables]
    size = [cost.memory // 10**9 for cost in tables]
    return Answer("61035 209 60 5; 72 168 264 328", f"{write_cell(candidates)}; {write_cell(size)}")


@row(25, "simhash_core.lab.museum.structures")
def overloaded() -> Answer:
    """The same pairs, at least five times fewer comparisons, and the printed limit."""
    plain, split = table_pairs(_words(MANY)), rehash_pairs(_words(MANY))
    literal = RehashRule(literal=True).limit(np.ones(1, np.int64), 2**33)
    fewer = plain.compared / max(1, split.compared)
    got = f"{_same(split.pairs, MANY)}; x{fewer:.0f}; limit {literal:.0f}"
    right = _same(split.pairs, MANY) == _expected(MANY) and fewer >= 5 and literal == 393_216
    return Answer(f"{_expected(MANY)}; >= x5; limit 393216", got, right)


@row(33, "simhash_core.lab.museum.buckets")
def consistent_hashing() -> Answer:
    """A fifth machine takes a fifth of the buckets and moves none between the others."""
    keys = [f"b{block}:{value:04x}" for block in range(4) for value in range(0, 1 << 16, 16)]
    before, after = Ring.of("abcd"), Ring.of("abcde")
    moved = [key for key in keys if before.owner(key) != after.owner(key)]
    elsewhere = sum(after.owner(key) != "e" for key in moved)
    share = len(moved) / len(keys)
    right = elsewhere == 0 and abs(share - 0.2) < 0.06
    return Answer(
        "0.20 +- 0.06 moved, 0 elsewhere", f"{share:.2f} moved, {elsewhere} elsewhere", right
    )
