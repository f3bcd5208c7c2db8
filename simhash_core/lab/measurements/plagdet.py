"""The measures of the PAN text-alignment task, on character offsets.

References
----------
M. Potthast, B. Stein, A. Barrón-Cedeño, P. Rosso: An Evaluation Framework for Plagiarism
Detection. COLING 2010.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple


class Stretch(NamedTuple):
    """A case or a detection: a range of a suspicious document and the range it comes from."""

    document: str
    start: int
    end: int
    source: str
    source_start: int
    source_end: int


class Score(NamedTuple):
    """What detections are worth; every part lies in 0..1 except `granularity`, at least 1."""

    plagdet: float
    recall: float
    precision: float
    granularity: float
    cases: int
    detections: int


def score(cases: Sequence[Stretch], detections: Sequence[Stretch]) -> Score:
    """Score detections against cases, macro averages over both.

    Notes
    -----
    recall: mean over cases of the share of their characters, both sides together, covered by
    detections that meet the case on both sides. precision: the same with the roles exchanged.
    granularity: detections per detected case. plagdet = F1 / log2(1 + granularity).
    """
    of_case, of_detection = _by_pair(cases), _by_pair(detections)
    shares = [_covered(case, of_detection[case.document, case.source]) for case in cases]
    exact = [_covered(one, of_case[one.document, one.source]) for one in detections]
    recall = _mean([share for share, _ in shares], 0.0)
    precision = _mean([share for share, _ in exact], 0.0)
    granularity = _mean([float(count) for _, count in shares if count], 1.0)
    both = recall + precision
    f1 = 2 * recall * precision / both if both else 0.0
    plagdet = f1 / math.log2(1 + granularity)
    return Score(plagdet, recall, precision, granularity, len(cases), len(detections))


def _by_pair(stretches: Sequence[Stretch]) -> defaultdict[tuple[str, str], list[Stretch]]:
    table: defaultdict[tuple[str, str], list[Stretch]] = defaultdict(list)
    for stretch in stretches:
        table[stretch.document, stretch.source].append(stretch)
    return table


def _covered(one: Stretch, others: Sequence[Stretch]) -> tuple[float, int]:
    """Return the share of a stretch that others cover, and how many meet it on both sides."""
    overlaps = [
        (
            (max(one.start, other.start), min(one.end, other.end)),
            (max(one.source_start, other.source_start), min(one.source_end, other.source_end)),
        )
        for other in others
        if one.start < other.end
        and other.start < one.end
        and one.source_start < other.source_end
        and other.source_start < one.source_end
    ]
    if not overlaps:
        return 0.0, 0
    covered = _union([side for side, _ in overlaps]) + _union([side for _, side in overlaps])
    return covered / (one.end - one.start + one.source_end - one.source_start), len(overlaps)


def _union(spans: Sequence[tuple[int, int]]) -> int:
    total, reached = 0, 0
    for start, end in sorted(spans):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def _mean(values: Sequence[float], empty: float) -> float:
    return sum(values) / len(values) if values else empty
