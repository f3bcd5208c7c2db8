"""The loops of `passages` by the names and arguments of the oracles that judge them."""

from __future__ import annotations

from typing import Any

import numpy as np

from simhash_core.machine.compiled import Table
from simhash_core.model import F64, I32, I64
from simhash_core.passages.exact import LOOPS
from simhash_core.passages.options import Numbered, Texts


def _both(both: Numbered) -> Any:
    return LOOPS.Numbered(*both, len(both.local_a), len(both.local_b), len(both.weight))


def align_pairs(texts: Texts, pairs: I64, numbers: F64) -> F64:
    findings = Table(np.float64, 8)
    record = LOOPS.Texts(*texts, len(texts.feature))
    LOOPS.align_pairs(record, pairs, len(pairs), numbers, len(numbers), findings)
    return findings.taken()


def number_features(feature_a: I32, feature_b: I32) -> tuple[I32, I32, int]:
    local_a, local_b = np.empty(len(feature_a), np.int32), np.empty(len(feature_b), np.int32)
    features = (feature_a, len(feature_a), feature_b, len(feature_b))
    return local_a, local_b, LOOPS.number_features(*features, local_a, local_b)


def weigh(local_a: I32, local_b: I32, distinct: int, top: float) -> F64:
    weight = np.empty(distinct)
    LOOPS.weigh(local_a, len(local_a), local_b, len(local_b), distinct, top, weight)
    return weight


def factored(
    plain: F64, local_a: I32, local_b: I32, factor_a: F64, factor_b: F64, least: float
) -> F64:
    weight, locals_ = np.empty(len(plain)), (local_a, len(local_a), local_b, len(local_b))
    LOOPS.factored(plain, len(plain), *locals_, factor_a, factor_b, least, weight)
    return weight


def measured(both: Numbered, rects: I64, numbers: F64) -> F64:
    measures = np.empty((len(rects), 4))
    LOOPS.measured(_both(both), rects, len(rects), numbers, len(numbers), measures)
    return measures


def strong_ones(both: Numbered, runs: I64, rects: I64, numbers: F64) -> I64:
    chosen = np.empty((len(rects), 4), np.int64)
    given = (runs, len(runs), rects, len(rects), numbers, len(numbers))
    return chosen[: LOOPS.strong_ones(_both(both), *given, chosen)]
