"""Rows on experiments: families of edited copies by topic, run time, the use case.

Both papers call every text of a topic similar and print one pair of figures. Texts of a topic are
not near-duplicates, so the figures cannot come out again: what is asked here is that the
experiment runs and that both quantities are measured, at the papers' own setting (64 bits, k = 3).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

from ....checking.pipeline import check, gather, read, samples
from ....result import CheckResult
from ....settings import Settings
from ...measurements.experiment import Outcome, measure, run_times
from ...measurements.families import Families, corpora, families
from ...measurements.methods import METHODS, PUBLISHED
from .row import Answer, listed, row

SCALE = 0.03  # a quick one; `leitong evaluate families` is the full experiment
K = 3
_BY_NAME = {method.name: method for method in METHODS}


@cache
def _collection() -> Families:
    return families(corpora(), scale=SCALE)


@cache
def _outcome(name: str) -> Outcome:
    return measure(_collection(), replace(_BY_NAME[name], threshold=K))


def _experiment(name: str) -> Answer:
    printed = "P {:.3f} R {:.3f}".format(*PUBLISHED[name])
    outcome = _outcome(name)
    cells = [f"{cell.rate}%:{cell.recall.value:.2f}" for cell in outcome.cells]
    precision = min(cell.precision.value for cell in outcome.cells if cell.recall.value)
    topics = len(set(_collection().topic) - {""})
    got = (
        f"{len(_collection())} texts, {topics} topics, k=3: false pairs {outcome.false_pairs} of "
        f"{outcome.unrelated}; P {precision:.2f}, R {listed(cells)}"
    )
    measured = all(0 <= cell.recall.value <= 1 for cell in outcome.cells)
    ran = measured and outcome.unrelated > 0
    return Answer(f"printed {printed}", got, ran, measured=True)


@row(28, "leitong evaluate families")
def topic_experiment() -> Answer:
    """The weights of the 2019 paper."""
    return _experiment("topic")


@row(29, "leitong evaluate families")
def annotated_experiment() -> Answer:
    """The weights of the 2020 paper."""
    return _experiment("annotated")


@row(30, "leitong evaluate families")
def run_time() -> Answer:
    """Seconds against volume, for both papers' weights and the classic ones."""
    listed_rows = {name: run_times(_collection(), _BY_NAME[name]) for name in ("classic", "topic")}
    shown = [
        f"{name} " + listed([f"{n}:{prepare + compare:.2f}s" for n, prepare, compare in times])
        for name, times in listed_rows.items()
    ]
    right = all(len(times) == 3 and times[0][0] < times[-1][0] for times in listed_rows.values())
    return Answer("curves, no figures printed", "; ".join(shown), right, measured=True)


@row(36, "leitong check sample_docs/reposts --preset reposts")
def reposts() -> Answer:
    """Yearly states of chapters: all families are found, and no unrelated text with them."""
    files = samples().get("reposts", [])
    sources, _ = gather(files)
    settings = Settings.of("reposts", passages=False)
    documents, _ = read(sources, settings=settings)
    result = check(documents, settings=settings)
    families_of = [Path(document.name).stem.rsplit("-", 1)[0] for document in documents]
    related = {(a, b) for a, b in combinations(range(len(documents)), 2)
               if families_of[a] == families_of[b]}  # fmt: skip
    listed_rows = _within(result)
    got = (
        f"{len(listed_rows & related)} of {len(related)} pairs, {len(listed_rows - related)} others"
    )
    right = (
        bool(related)
        and len(listed_rows & related) >= 0.8 * len(related)
        and listed_rows <= related
    )
    return Answer(f">= 80 % of {len(related)} pairs, 0 others", got, right)


def _within(result: CheckResult) -> set[tuple[int, int]]:
    pairs = result.table.pairs
    near = pairs.distance <= result.threshold
    return set(zip(pairs.left[near].tolist(), pairs.right[near].tolist(), strict=True))
