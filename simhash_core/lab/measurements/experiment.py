"""Precision and recall of every method on families of edited copies, and time against volume."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...model import I64, Progress
from ...simhash.fingerprint import wilson
from ..tables import Code, Table
from .families import RATES, Families, corpora, families
from .methods import FAR, METHODS, PUBLISHED, Method, Rows

FALSE_PAIRS = 1e-5  # of the unrelated pairs that thresholds are chosen on
VOLUMES = (0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Share:
    """A proportion with its 95 % interval by Wilson's formula; nan where nothing was counted."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, hits: int, trials: int) -> Share:
        """Return hits / trials."""
        return cls(*wilson(hits, trials))


@dataclass(frozen=True, slots=True)
class Cell:
    """One method at one edit rate, on held-out families."""

    method: str
    rate: int  # per cent of words replaced
    recall: Share
    precision: Share

    @property
    def f1(self) -> float:
        """Return 2 p r / (p + r); 0 where nothing is found."""
        product = self.recall.value and self.precision.value
        if not product or math.isnan(product):
            return 0.0
        both = self.recall.value + self.precision.value
        return 2 * self.recall.value * self.precision.value / both


@dataclass(frozen=True, slots=True)
class Outcome:
    """One method: its threshold, what it finds, and how long it takes."""

    method: Method
    threshold: int
    false_pairs: int
    unrelated: int
    cells: tuple[Cell, ...]
    seconds: float

    @property
    def f1(self) -> float:
        """Return the mean over the edit rates."""
        return sum(cell.f1 for cell in self.cells) / len(self.cells)


def measure(collection: Families, method: Method, *, rate: float = FALSE_PAIRS) -> Outcome:
    """Choose the threshold on one half of the families and count on the other.

    Notes
    -----
    Every edit rate is a collection of its own: the pieces, their copies at this rate, and the
    texts of no topic. Its positives are (piece, copy); its negatives are all pairs of different
    families.
    """
    start = time.perf_counter()
    rows = method.prepare(collection.documents)
    chosen, held_out = ~collection.held_out, collection.held_out
    threshold = method.threshold
    if threshold is None:
        counts = _histogram(collection, rows, np.flatnonzero(chosen))
        fitting = np.flatnonzero(np.cumsum(counts) <= rate * counts.sum())
        threshold = int(fitting[-1]) if len(fitting) else -1
    cells, wrong, unrelated = _count(collection, rows, np.flatnonzero(held_out), threshold, method)
    seconds = time.perf_counter() - start
    return Outcome(method, threshold, wrong, unrelated, tuple(cells), seconds)


def _histogram(collection: Families, rows: Rows, subset: I64) -> I64:
    """Count the distances of pairs of different families, int64 (FAR + 1,)."""
    counts = np.zeros(FAR + 1, np.int64)
    for at in subset:
        later = subset[(subset > at) & (collection.family[subset] != collection.family[at])]
        counts += np.bincount(np.minimum(rows(int(at))[later], FAR), minlength=FAR + 1)
    return counts


def _count(
    collection: Families, rows: Rows, subset: I64, threshold: int, method: Method
) -> tuple[list[Cell], int, int]:
    percents = [round(100 * rate) for rate in RATES]
    hits, copies, wrong = dict.fromkeys(percents, 0), dict.fromkeys(percents, 0), dict.fromkeys(
        percents, 0
    )  # fmt: skip
    false_pairs = unrelated = 0
    for at in subset:
        own_rate, family = int(collection.rate[at]), collection.family[at]
        later = subset[subset > at]
        near = rows(int(at))[later] <= threshold
        other, rate = collection.family[later] != family, collection.rate[later]
        false_pairs += int((near & other).sum())
        unrelated += int(other.sum())
        for percent in percents:
            if own_rate in (0, percent):
                wrong[percent] += int((near & other & np.isin(rate, (0, percent))).sum())
            if own_rate == 0:
                copy = ~other & (rate == percent)
                copies[percent] += int(copy.sum())
                hits[percent] += int((near & copy).sum())
    cells = [
        Cell(
            method.name,
            percent,
            Share.of(hits[percent], copies[percent]),
            Share.of(hits[percent], hits[percent] + wrong[percent]),
        )
        for percent in percents
    ]
    return cells, false_pairs, unrelated


def run_times(collection: Families, method: Method) -> list[tuple[int, float, float]]:
    """Return (texts, seconds to prepare, seconds to compare all pairs) at each volume."""
    times = []
    for share in VOLUMES:
        n = max(2, round(share * len(collection)))
        start = time.perf_counter()
        rows = method.prepare(collection.documents[:n])
        ready = time.perf_counter()
        for at in range(n):
            rows(at)
        times.append((n, ready - start, time.perf_counter() - ready))
    return times


def outcomes(
    collection: Families,
    *,
    methods: Sequence[Method] = METHODS,
    rate: float = FALSE_PAIRS,
    step: Progress | None = None,
) -> list[Outcome]:
    """Measure methods on one collection, best mean F1 first."""
    measured = []
    for done, method in enumerate(methods):
        if step:
            step("families", done, len(methods))
        measured.append(measure(collection, method, rate=rate))
    return sorted(measured, key=lambda outcome: -outcome.f1)


def families_tables(
    root: Path | None = None,
    *,
    scale: float = 0.2,
    seed: int = 1,
    rate: float = FALSE_PAIRS,
    step: Progress | None = None,
) -> list[Table]:
    """Run the experiment and return its tables."""
    collection = families(root or corpora(), scale=scale, seed=seed)
    results = outcomes(collection, rate=rate, step=step)
    summary = [
        (
            Code(f"method_{o.method.name}"), o.method.size, o.threshold, o.false_pairs,
            o.unrelated, round(o.f1, 3), *PUBLISHED.get(o.method.name, ("", "")),
        )
        for o in results
    ]  # fmt: skip
    cells = [
        (Code(f"method_{o.method.name}"), cell.rate, *_shown(cell.recall),
         *_shown(cell.precision), round(cell.f1, 3))
        for o in results
        for cell in o.cells
    ]  # fmt: skip
    times = [
        (Code(f"method_{o.method.name}"), n, round(prepare, 2), round(compare, 2))
        for o in results
        for n, prepare, compare in run_times(collection, o.method)
    ]
    sizes = [
        (
            Code(f"topic_{topic or 'none'}") if topic in _KNOWN else topic,
            collection.topic.count(topic),
        )
        for topic in sorted(set(collection.topic))
    ]
    return [
        Table("families", ("topic", "documents"), sizes),
        Table("families_summary", _SUMMARY, summary),
        Table("families_rates", _RATES, cells),
        Table("families_times", ("method", "documents", "prepare", "compare"), times),
    ]


_KNOWN = ("", "education", "housing", "medicine", "finance", "transport")
_SUMMARY = ("method", "bytes", "k", "false_found", "unrelated", "f1", "printed_p", "printed_r")
_RATES = ("method", "rate", "recall", "recall_low", "recall_high",
          "precision", "precision_low", "precision_high", "f1")  # fmt: skip


def _shown(share: Share) -> tuple[float, float, float]:
    return round(share.value, 3), round(share.low, 3), round(share.high, 3)
