"""Two texts of two languages over one vocabulary, and what each word says about translation.

A side of a pair is a tuple: `indptr` and `stem`, the stems that each word may stand for as numbers
of this pair, and `values`, float64 (n, 3): the rate at which a text that is no translation has
one of them, and what a match and a miss are worth beside a long span. The rate is 0 where a word
says nothing.

The functions on arrays here are the readable form; `kernels` holds the same ones compiled.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..model import F64, I32, I64

U8 = NDArray[np.uint8]
Side = tuple[I64, I32, F64]

LONGEST = 60.0  # words of a span: a longer one is taken for as long
MATCH = 1  # column of `values`
_ASCII, _DOUBTFUL = 2, 4  # as in `model`


def two_sides(
    indptr_a: I64,
    stem_a: I32,
    kind_a: U8,
    stem_b: I32,
    kind_b: U8,
    rate_a: F64,
    rate_b: F64,
    numbers: F64,
) -> tuple[Side, Side, int]:
    """Return a Chinese and an English text as sides, and how many stems the second has.

    Parameters
    ----------
    rate_a, rate_b : float64 (v,)
        Share of the words of any Chinese and any English text, by stem of the batch.
    numbers : float64 (3,)
        Words that the background counts as, share of matches in a translation, words of a run
        that both share letter by letter.
    """
    prior, share = numbers[0], numbers[1]
    local = np.full(len(rate_a), -1, np.int32)
    local_b, count = np.empty(len(stem_b), np.int32), np.zeros(len(stem_b), np.int64)
    offered, first = np.zeros(len(stem_b), np.int64), np.empty(len(stem_b), np.int32)
    distinct = 0
    for j in range(len(stem_b)):
        if local[stem_b[j]] < 0:
            local[stem_b[j]], first[distinct] = distinct, stem_b[j]
            distinct += 1
        local_b[j] = local[stem_b[j]]
        count[local_b[j]] += 1
    size, start = len(indptr_a) - 1, np.zeros(len(indptr_a), np.int64)
    local_a, values_a = np.empty(len(stem_a), np.int32), np.zeros((size, 3), np.float64)
    for i in range(size):
        start[i + 1], rate = start[i], 0.0
        for p in range(indptr_a[i], indptr_a[i + 1]):
            t = local[stem_a[p]]
            held = 0.0
            if t >= 0:
                held = float(count[t])
                offered[t] += 1
                local_a[start[i + 1]] = t
                start[i + 1] += 1
            rate += (held + prior * rate_b[stem_a[p]]) / (len(stem_b) + prior)
        if start[i + 1] > start[i] or not kind_a[i] & _DOUBTFUL:
            set_values(values_a, i, rate, share)
    values_b = np.zeros((len(stem_b), 3), np.float64)
    for j in range(len(stem_b)):
        t = local_b[j]
        if offered[t] > 0 or not kind_b[j] & _DOUBTFUL:
            rate = (offered[t] + prior * rate_a[first[t]]) / (size + prior)
            set_values(values_b, j, rate, share)
    local_a = local_a[: start[size]].copy()
    mask_runs(start, local_a, kind_a, values_a, local_b, values_b, distinct, int(numbers[2]))
    return (start, local_a, values_a), (np.arange(len(stem_b) + 1), local_b, values_b), distinct


def set_values(values: F64, row: int, rate: float, share: float) -> None:
    """Set the rate of a word and what it is worth beside a long span."""
    values[row, 0] = rate
    values[row, 1], values[row, 2] = worth(rate, LONGEST, share)


def mask_runs(
    start: I64,
    local_a: I32,
    kind_a: U8,
    values_a: F64,
    local_b: I32,
    values_b: F64,
    distinct: int,
    run: int,
) -> None:
    """Let words say nothing in runs of `run` that both texts have letter by letter.

    Such a run is quoted or code: exact matching finds it, and it is no translation.
    """
    following, head = np.full(len(local_b), -1, np.int64), np.full(distinct, -1, np.int64)
    for j in range(len(local_b) - 1, -1, -1):
        following[j] = head[local_b[j]]
        head[local_b[j]] = j
    length = 0
    for i in range(len(start) - 1):
        whole = kind_a[i] & _ASCII and start[i + 1] - start[i] == 1
        length = length + 1 if whole else 0
        if length < run:
            continue
        low = i - run + 1
        j = head[local_a[start[low]]]
        while j >= 0:
            same = 0
            while same < run and j + same < len(local_b):
                if local_b[j + same] != local_a[start[low + same]]:
                    break
                same += 1
            if same == run:
                for k in range(run):
                    for column in range(3):
                        values_a[low + k, column] = 0.0
                        values_b[j + k, column] = 0.0
            j = following[j]


def worth(rate: float, others: float, share: float) -> tuple[float, float]:
    """Return what a match and a miss of a word are worth beside a span of `others` words.

    A translation matches a share q of its words; a span of L words of any other text holds a word
    of rate r with probability p = 1 - exp(-r L). A match is worth ln(q / p), a miss
    ln((1 - q) / (1 - p)); both nothing where p is no smaller than q.
    """
    chance = 1.0 - math.exp(-rate * min(max(others, 1.0), LONGEST))
    if not 0.0 < chance < share:
        return 0.0, 0.0
    return math.log(share / chance), math.log((1.0 - share) / (1.0 - chance))
