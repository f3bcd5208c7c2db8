"""Facts of the machine that a figure depends on, and what it can do at most."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from simhash_core.machine.memory import machine_memory
from simhash_core.simhash.search import all_pairs, linear_plan

from .clock import median

PACKAGES = ("numpy", "scipy", "rjieba", "streamlit", "plotly")
PEERS = ("jieba", "simhash", "duckdb", "polars", "faiss-cpu", "datasketch", "rensa", "rapidfuzz",
         "winnowing", "copydetect")  # fmt: skip


def facts() -> dict[str, str]:
    """Return what the page says about the machine and the versions."""
    versions = {name: _version(name) for name in (*PACKAGES, *PEERS)}
    return {
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "processor": _processor(),
        "processors": str(os.cpu_count()),
        "memory": f"{machine_memory() / 1e9:.0f} GB",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        **{name: version for name, version in versions.items() if version},
    }


def load() -> float:
    """Return how many processes wanted a processor, on average of the last fifteen minutes."""
    return round(os.getloadavg()[2], 1)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def sort_floor(rows: int, *, runs: int = 5) -> tuple[float, float]:
    """Return wall and CPU seconds to sort four arrays of random words on two threads.

    Four sorted tables are what a search of 64 bits within 3 needs at least.
    """
    random = np.random.default_rng(0)
    arrays = [random.integers(0, 2**64, rows, dtype=np.uint64) for _ in range(4)]
    seconds = median(lambda: threaded(np.sort, arrays), runs)
    return seconds.wall, seconds.cpu


@cache
def read_bandwidth() -> float:
    """Return gigabytes that a processor reads from memory a second, far beyond any cache."""
    words = np.ones(32_000_000, np.uint64)
    return float(words.nbytes / median(lambda: np.bitwise_xor.reduce(words), 5).cpu / 1e9)


@cache
def popcount_rate() -> float:
    """Return pairs of 64-bit words that a processor compares a second, in billions."""
    rows = 60_000
    words = np.random.default_rng(0).integers(0, 2**64, (rows, 1), dtype=np.uint64)
    plan = linear_plan(64, 3)
    cpu = median(lambda: all_pairs(words, bits=64, k=3, plan=plan), 3).cpu
    return rows * (rows - 1) / 2 / cpu / 1e9


def threaded(work: Callable[[Any], Any], parts: Any) -> list[Any]:
    """Do the same to some parts on two threads."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, parts))
