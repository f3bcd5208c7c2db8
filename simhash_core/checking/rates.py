"""What earlier checks took on this machine, against what was expected of them."""

from __future__ import annotations

import contextlib
import json
import math
import os
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ..folders import cache_folder
from ..memory import resident
from ..workers import shared_pool

FILE = "rates.json"
MOST_RUNS = 60  # older ones ran on other versions
LEAST_SECONDS = 0.2  # of a run that says something
WIDEST = 20.0  # times more or less than expected: what is beyond it says nothing
TRUST = 0.25  # weight of the expectation itself, beside runs of weight 1 for the same batch
FADING = 0.8  # weight of a run for each later one: the machine, or the program, may have changed
TICK = 0.1  # seconds between two looks at the memory


@dataclass(frozen=True, slots=True)
class Run:
    """A check: what it was, and how many times what was expected it took."""

    passages: bool
    characters: int
    han: float  # share of the characters
    seconds: float
    memory: float

    def weight(self, other: Run) -> float:
        """Return how much another run says about this one, up to 1: less, the less alike."""
        if self.passages != other.passages:
            return 0.0
        sizes = abs(math.log(max(1, self.characters) / max(1, other.characters)))
        return math.exp(-sizes - 3 * abs(self.han - other.han))


def factors(wanted: Run, runs: Sequence[Run]) -> tuple[float, float]:
    """Return by what the expected seconds and bytes of a run are multiplied.

    The geometric mean of what earlier runs took, weighed by how alike they are and how recent;
    of runs that say the same the latest five count for most of it.
    """
    ratios = []
    for name in ("seconds", "memory"):
        total, weights, fresh = 0.0, TRUST, 1.0
        for run in reversed(runs):
            ratio = getattr(run, name)
            if math.isfinite(ratio) and ratio > 0:
                weight = fresh * wanted.weight(run)
                total += weight * math.log(min(max(ratio, 1 / WIDEST), WIDEST))
                weights += weight
                fresh *= 1 - (1 - FADING) * wanted.weight(run)
        ratios.append(math.exp(total / weights))
    return ratios[0], ratios[1]


def earlier_runs() -> list[Run]:
    """Return what is remembered, the oldest first; nothing where it cannot be read."""
    with contextlib.suppress(OSError, ValueError, TypeError):
        runs = [Run(**row) for row in json.loads(_file().read_text("utf-8"))]
        return [run for run in runs if all(map(math.isfinite, asdict(run).values()))]
    return []


def remember(run: Run) -> None:
    """Add a run to what is remembered; a cache that cannot be written stays as it is."""
    with _remembering, contextlib.suppress(OSError):
        rows = [asdict(one) for one in [*earlier_runs(), run][-MOST_RUNS:]]
        fresh = _file().with_name(f"{FILE}.{os.getpid()}")
        fresh.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps(rows), "utf-8")
        fresh.replace(_file())


@dataclass(slots=True)
class Watch:
    """Seconds and peak of what runs in a `watched` block, filled in at its end."""

    seconds: float = 0.0
    peak: int = 0  # bytes


@contextlib.contextmanager
def watched() -> Iterator[Watch]:
    """Watch the clock, and the memory of this process and of its workers."""
    watch, ended, start = Watch(), threading.Event(), time.perf_counter()

    def look() -> None:
        while True:
            watch.peak = max(watch.peak, resident([os.getpid(), *shared_pool().processes]))
            if ended.wait(TICK):
                return

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        ended.set()
        thread.join()
        watch.seconds = time.perf_counter() - start


_remembering = threading.Lock()


def _file() -> Path:
    return cache_folder() / FILE
