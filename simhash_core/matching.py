"""From close pairs to shared passages: where text and passages meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .model import (
    F32,
    CheckResult,
    Document,
    Guarantee,
    PairTable,
    Passages,
    Progress,
)
from .settings import Settings
from .simhash.neighbours import Neighbours
from .workers import WorkerPool


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the passage engine adds to the pairs of a batch."""

    table: PairTable
    passages: Passages
    total_overlap: F32
    guarantees: tuple[Guarantee, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PairEvidence:
    """The same for one pair."""

    containment: float
    passages: Passages
    coverage_a: float
    coverage_b: float
    longest: int


def match(
    documents: Sequence[Document],
    near: Neighbours,
    *,
    settings: Settings,
    pool: WorkerPool,
    step: Progress,
) -> Evidence:
    m, n = len(near.pairs), len(documents)
    nothing = np.zeros(m, np.float32)
    table = PairTable(
        near.pairs,
        near.batch_distance,
        np.full(m, np.nan, np.float32),
        nothing,
        nothing,
        nothing,
        np.zeros(m, np.int32),
        np.zeros(m, np.int32),
    )
    return Evidence(table, no_passages(), np.zeros(n, np.float32), ())


def match_pair(
    a: Document, b: Document, *, settings: Settings, result: CheckResult | None
) -> PairEvidence:
    return PairEvidence(float("nan"), no_passages(), 0.0, 0.0, 0)


def no_passages() -> Passages:
    """An empty table."""
    whole = np.zeros(0, np.int32)
    return Passages(
        np.zeros(0, np.int64), whole, whole, whole, whole,
        np.zeros(0, np.uint8), np.zeros(0, np.float32), np.zeros(0, np.bool_),
    )  # fmt: skip
