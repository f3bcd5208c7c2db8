"""What a reader's answers say about a threshold, with the doubt that few answers leave.

A label belongs to two texts by their ids, never by name. Its `entry` is the smallest threshold at
which the pair would be found; a pair beyond every threshold that the check can answer for enters
nowhere. Figures describe the judged pairs; pairs picked near the border are no random sample, so
`weighted_precision` weighs each band of distances by all of its pairs.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np

from .. import schemas
from ..auxiliary import parse_in_worker
from ..errors import BadInput
from ..model import I64, NO_DISTANCE
from ..result import CheckResult
from ..seen.thresholds import entry_of
from ..simhash.fingerprint import wilson
from ..storage import Project
from . import Code, Table

LEAST_EACH = 3  # answers of either kind without which a chosen threshold is chance
#: what a JSON file raises that `dump_labels` did not write
_UNLIKE_LABELS = (
    *(ValueError, KeyError, TypeError, AttributeError),
    *(OverflowError, RecursionError),
)
COLUMNS = (
    *("k", "found", "false", "missed", "precision", "precision_low", "precision_high"),
    *("recall", "recall_low", "recall_high", "f1"),
)
AIM_COLUMNS = ("aim", "k", "missed", "false", "precision", "recall")
BAND = 4  # bits; pairs of one band of distances count as alike in `weighted_precision`

Pair = tuple[str, str]  # ids of two texts
Interval = tuple[float, float, float]  # estimate, low, high


@dataclass(frozen=True, slots=True)
class Label:
    """An answer on two texts.

    `entry` is the smallest threshold at which the pair is found, -1 where none is.
    """

    a_id: str
    b_id: str
    same: bool
    entry: int = -1

    @property
    def key(self) -> tuple[str, str]:
        """The two ids, smaller first: a label has no direction."""
        return (self.a_id, self.b_id) if self.a_id <= self.b_id else (self.b_id, self.a_id)


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Answers of one collection under one recipe.

    `population` holds how many pairs of the collection enter at each threshold, int64
    (complete_up_to + 1,); it may be empty where the collection is not at hand.
    """

    rows: tuple[Label, ...]
    bits: int
    recipe: str
    population: I64

    @property
    def complete_up_to(self) -> int:
        """Largest threshold that can be judged."""
        entries = [row.entry for row in self.rows]
        return len(self.population) - 1 if len(self.population) else max(entries, default=0)


@dataclass(frozen=True, slots=True)
class Quality:
    """How one threshold treats the judged pairs; every measure is (estimate, low, high)."""

    threshold: int
    found: int  # same, within
    false: int  # not same, within
    missed: int  # same, outside
    rejected: int  # not same, outside
    precision: Interval
    recall: Interval
    f1: Interval


def load_labels(source: bytes | Path, *, name: str = "") -> Labels:
    """Read labels from a file or an upload; BadInput where it is not one of ours."""
    name = source.name if isinstance(source, Path) else name
    return parse_in_worker(source, partial(parse_labels, name=name))


def dump_labels(labels: Labels) -> str:
    """Return labels as JSON text: ids and answers, no name and no text."""
    rows = [{"a": r.a_id, "b": r.b_id, "same": r.same, "entry": r.entry} for r in labels.rows]
    head = {"schema": schemas.LABELS, "bits": labels.bits, "recipe": labels.recipe}
    data = {**head, "population": labels.population.tolist(), "labels": rows}
    return schemas.json_text(data)


def parse_labels(data: bytes, *, name: str = "") -> Labels:
    """Read what `dump_labels` wrote.

    Raises
    ------
    BadInput
        code `labels`: not JSON, another schema, or a field that is missing or of another kind.
    """
    try:
        read = json.loads(data)
        if read["schema"] != schemas.LABELS:
            raise ValueError(read["schema"])
        if not all(isinstance(row["same"], bool) for row in read["labels"]):
            raise ValueError("an answer is true or false")
        rows = tuple(
            Label(str(row["a"]), str(row["b"]), row["same"], int(row.get("entry", -1)))
            for row in read["labels"]
        )
        population = np.array(read.get("population", []), np.int64).reshape(-1)
        if len(population) and population.min() < 0:
            raise ValueError("a negative number of pairs")
        return Labels(rows, int(read["bits"]), str(read["recipe"]), population)
    except _UNLIKE_LABELS as error:
        raise BadInput("labels", name=name) from error


def label_rows(
    result: CheckResult, answers: Mapping[Pair, bool], *, entry: I64 | None = None
) -> Labels:
    """Place answers, by the ids of the two texts, in a checked collection.

    `entry` is `seen.entry_of(result)`, for callers that hold it already.
    """
    table, limit, n = result.table, result.complete_up_to, len(result.documents)
    entry = entry_of(result) if entry is None else entry
    rows_of: defaultdict[str, list[int]] = defaultdict(list)
    for row, document in enumerate(result.documents):
        rows_of[document.id].append(row)
    places = table.pairs.left * n + table.pairs.right  # sorted, as pairs are
    rows = []
    for (a_id, b_id), same in answers.items():
        ends = product(rows_of.get(a_id, ()), rows_of.get(b_id, ()))
        wanted = np.array([min(a, b) * n + max(a, b) for a, b in ends if a != b], np.int64)
        at = np.searchsorted(places, wanted)
        inside = at[at < len(places)]
        matching = inside[places[inside] == wanted[at < len(places)]]
        smallest = int(entry[matching].min(initial=limit + 1))
        rows.append(Label(a_id, b_id, same, smallest if smallest <= limit else -1))
    population = np.bincount(entry[entry <= limit], minlength=limit + 1)
    fingerprints = result.fingerprints
    return Labels(tuple(rows), fingerprints.bits, fingerprints.recipe, population)


def read_answers(project: Project) -> dict[Pair, bool]:
    """Return what was decided about pairs: confirmed is True, no problem is False."""
    same = {"confirmed": True, "no_problem": False}
    held = project.pair_decisions().items()
    return {pair: same[one.verdict] for pair, one in held if one.verdict in same}


def read_labels(project: Project) -> Labels | None:
    """Return the decisions of a stored check in that check, None where it has no result."""
    result = project.result()
    return None if result is None else label_rows(result, read_answers(project))


def join_labels(first: Labels, *others: Labels) -> Labels:
    """Join answers of several checks; of the same two texts the first answer counts.

    Raises
    ------
    ValueError
        The fingerprints differ in width: their distances are not comparable.
    """
    if any(one.bits != first.bits for one in others):
        raise ValueError("labels of fingerprints of several widths")
    rows = {row.key: row for each in (*others[::-1], first) for row in each.rows}
    reach = min(len(each.population) for each in (first, *others))
    population = np.sum([each.population[:reach] for each in (first, *others)], axis=0)
    return Labels(tuple(rows.values()), first.bits, first.recipe, population)


def label_quality(labels: Labels, k: int) -> Quality:
    """Measure one threshold on the judged pairs.

    Notes
    -----
    F1 = 2 J / (1 + J) with J = found / (found + false + missed), a share of the pairs that are
    same or found; its interval is Wilson's for J under the same rising function.
    """
    inside = [(r.same, 0 <= r.entry <= k) for r in labels.rows]
    hits, false = inside.count((True, True)), inside.count((False, True))
    missed, rejected = inside.count((True, False)), inside.count((False, False))
    share = wilson(hits, hits + false + missed)
    f1 = tuple(2 * j / (1 + j) for j in share)
    return Quality(
        k, hits, false, missed, rejected,
        wilson(hits, hits + false), wilson(hits, hits + missed), (f1[0], f1[1], f1[2]),
    )  # fmt: skip


def choose_thresholds(labels: Labels, most: int = int(NO_DISTANCE)) -> dict[str, Quality]:
    """Return three thresholds: nothing missed, the fewest errors, nothing looked at in vain.

    Where no threshold finds every pair, or none is free of pairs that are not the same, the
    nearest that there is. Only those at which a judged pair enters are tried, up to `most`.
    """
    steps = sorted({0, *(min(row.entry, most) for row in labels.rows if row.entry > 0)})
    tried = [label_quality(labels, k) for k in steps]
    return {
        "all": min(tried, key=lambda at: (at.missed, at.threshold)),
        "balanced": min(tried, key=lambda at: (at.missed + at.false, at.threshold)),
        "few": min(tried, key=lambda at: (at.false, at.missed, at.threshold)),
    }


def count_lacking(labels: Labels) -> int:
    """Return how many answers are still needed for `LEAST_EACH` of either kind."""
    same = sum(row.same for row in labels.rows)
    return sum(max(LEAST_EACH - n, 0) for n in (same, len(labels.rows) - same))


def weighted_precision(labels: Labels, k: int) -> tuple[Interval, float]:
    """Estimate the precision over *all* pairs within k, and the share of them it rests on.

    Returns
    -------
    interval, covered
        `covered` is the share of the pairs within k that lie in a band with an answer.

    Notes
    -----
    Answers given at the border over-represent hard pairs. Here each band of `BAND` bits counts
    with all of its pairs, and inside a band judged pairs stand for the others: sum N_b p_b /
    sum N_b, with Wilson's interval at the effective number (sum N_b)^2 / sum(N_b^2 / n_b).
    """
    answered = [r for r in labels.rows if 0 <= r.entry <= k]
    total = float(labels.population[: k + 1].sum()) if len(labels.population) else 0.0
    if not answered or total <= 0:
        return (math.nan, 0.0, 1.0), 0.0
    bands = np.arange(k + 1) // BAND
    size = np.bincount(bands, labels.population[: k + 1])
    place = np.array([r.entry // BAND for r in answered])
    judged = np.bincount(place, minlength=len(size))
    same = np.bincount(place, [float(bool(r.same)) for r in answered], len(size))
    seen = judged > 0
    weight = np.maximum(size[seen], judged[seen])
    share = float((weight * same[seen] / judged[seen]).sum() / weight.sum())
    effective = float(weight.sum() ** 2 / (weight**2 / judged[seen]).sum())
    return wilson(share * effective, effective), min(1.0, float(size[seen].sum()) / total)


def evaluate_labels(file: Path) -> list[Table]:
    """Return what a file of labels says: every threshold that changes something, and three."""
    labels = load_labels(file)
    steps = sorted({row.entry for row in labels.rows if row.entry >= 0})
    curve = [label_quality(labels, k) for k in steps]
    rows = [
        (at.threshold, at.found, at.false, at.missed, *at.precision, *at.recall, at.f1[0])
        for at in curve
    ]
    aims = [
        (Code(f"aim_{aim}"), at.threshold, at.missed, at.false, at.precision[0], at.recall[0])
        for aim, at in choose_thresholds(labels).items()
    ]
    return [Table("labels", COLUMNS, rows), Table("aims", AIM_COLUMNS, aims)]
