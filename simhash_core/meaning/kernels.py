"""The same functions as in `readable`, compiled: loops without arrays on the way."""

# numba compiles these functions; their types are those of `readable`
# mypy: ignore-errors

from __future__ import annotations

import math

import numpy as np

from ..machine.kernels import BOOLS, BYTES, F64, I32_2, I64, I64_2, INT, RECT, Kernels
from ..policy import (
    MEANING_ANSWER,
    MEANING_ANSWER_ACROSS,
    MEANING_HUB,
    MEANING_HUB_FROM,
    MEANING_NEXT_FROM,
    MEANING_NEXT_UNITS,
    MEANING_PASSAGES,
)
from . import readable
from .readable import CAP, FEWEST, FLOOR, SHOWN, SLOPE, SQUARE, THIRD, TURNS, UNIT, WINDOWS

ROOM = Kernels("meaning")

trusted = ROOM.inner((INT,))(readable.trusted)


@ROOM.inner((I32_2,))
def runners_up(products):
    a, b = products.shape
    count = min(MEANING_NEXT_UNITS, max(1, b // 4))
    means, best = np.empty(a, np.float64), np.empty(count + 1, np.int64)
    for i in range(a):
        held = 0
        for j in range(b):
            value = np.int64(products[i, j])
            if held > count and value <= best[count]:
                continue
            at = min(held, count)
            while at > 0 and best[at - 1] < value:
                best[at] = best[at - 1]
                at -= 1
            best[at] = value
            held += 1
        total = 0
        for k in range(1, count + 1):
            total += best[k]
        means[i] = total / (count * SQUARE)
    return means


@ROOM.entry((I32_2, F64, F64, BYTES, BYTES, BOOLS, BOOLS))
def cells(products, hub_a, hub_b, script_a, script_b, free_a, free_b):
    a, b = products.shape
    other = np.empty((b, a), np.int32)
    for i in range(a):
        for j in range(b):
            other[j, i] = products[i, j]
    less_a, less_b = runners_up(products), runners_up(other)
    for i in range(a):
        beyond = MEANING_HUB * max(0.0, hub_a[i] - MEANING_HUB_FROM)
        less_a[i] = beyond + trusted(b) * max(0.0, less_a[i] - MEANING_NEXT_FROM)
    for j in range(b):
        beyond = MEANING_HUB * max(0.0, hub_b[j] - MEANING_HUB_FROM)
        less_b[j] = beyond + trusted(a) * max(0.0, less_b[j] - MEANING_NEXT_FROM)
    ratios = np.empty((a, b), np.int64)
    for i in range(a):
        for j in range(b):
            if not (free_a[i] and free_b[j]):
                ratios[i, j] = FLOOR
                continue
            least = MEANING_ANSWER if script_a[i] == script_b[j] else MEANING_ANSWER_ACROSS
            left = products[i, j] / SQUARE - (less_a[i] + less_b[j])
            ratio = math.floor(UNIT * (SLOPE * (left - least)) + 0.5)
            ratios[i, j] = min(max(ratio, FLOOR), CAP)
    return ratios


@ROOM.inner((I64,))
def best_run(values):
    """Return the greatest sum of a run, and the run."""
    now, begin, top, start, end = 0, 0, np.iinfo(np.int64).min, 0, 0
    for row in range(len(values)):
        if now <= 0:
            now, begin = 0, row
        now += values[row]
        if now > top:
            top, start, end = now, begin, row + 1
    return top, start, end


@ROOM.inner((I64_2,))
def seed(ratios):
    rows, columns = ratios.shape
    widest, values = ratios.copy(), np.empty(rows, np.int64)
    top, before = np.iinfo(np.int64).min, 1
    a0, a1, b0, b1 = 0, 0, 0, 0
    for width in WINDOWS:
        step = width - before
        if step > 0:
            for i in range(rows):
                for j in range(columns - step):
                    widest[i, j] = max(widest[i, j], widest[i, j + step])
        before = width
        if width < SHOWN:
            continue
        for j in range(columns):
            for i in range(rows):
                values[i] = widest[i, j]
            total, start, end = best_run(values)
            if total > top:
                top, a0, a1, b0, b1 = total, start, end, j, min(columns, j + width)
    return a0, a1, b0, b1


@ROOM.inner((I64_2, INT, INT, INT, INT))
def best_rows(ratios, a0, a1, b0, b1):
    """Return the best cell of each row of a rectangle."""
    best = np.empty(a1 - a0, np.int64)
    for i in range(a0, a1):
        top = ratios[i, b0]
        for j in range(b0 + 1, b1):
            top = max(top, ratios[i, j])
        best[i - a0] = top
    return best


@ROOM.inner((I64_2, INT, INT, INT, INT))
def best_columns(ratios, a0, a1, b0, b1):
    """Return the best cell of each column of a rectangle."""
    best = np.empty(b1 - b0, np.int64)
    for j in range(b0, b1):
        top = ratios[a0, j]
        for i in range(a0 + 1, a1):
            top = max(top, ratios[i, j])
        best[j - b0] = top
    return best


@ROOM.inner((I64_2, RECT))
def fitted(ratios, rect):
    rows, columns = ratios.shape
    a0, a1, b0, b1 = rect
    for _ in range(TURNS):
        _, b0, b1 = best_run(best_columns(ratios, a0, a1, 0, columns))
        _, start, end = best_run(best_rows(ratios, 0, rows, b0, b1))
        if start == a0 and end == a1:
            break
        a0, a1 = start, end
    return a0, a1, b0, b1


@ROOM.inner((I64,))
def positive(values):
    """Return the sum of all values, and how many are above 0."""
    total, count = 0, 0
    for value in values:
        total += value
        count += value > 0
    return total, count


@ROOM.inner((I64_2,))
def is_empty(ratios):
    """Return whether fewer than `FEWEST` cells speak for the same statement."""
    count = 0
    for i in range(ratios.shape[0]):
        for j in range(ratios.shape[1]):
            count += ratios[i, j] > 0
            if count >= FEWEST:
                return False
    return True


@ROOM.entry((I64_2, INT))
def rectangles(ratios, least):
    passages, count = np.empty((MEANING_PASSAGES, 5), np.int64), 0
    for _ in range(MEANING_PASSAGES):
        if is_empty(ratios):
            break
        a0, a1, b0, b1 = fitted(ratios, seed(ratios))
        of_rows, answering_a = positive(best_rows(ratios, a0, a1, b0, b1))
        of_columns, answering_b = positive(best_columns(ratios, a0, a1, b0, b1))
        score = min(of_rows, of_columns) + THIRD * (min(answering_a, answering_b) - 2)
        if score < least:
            break
        if min(a1 - a0, b1 - b0) >= FEWEST:
            passages[count, 0], passages[count, 1], passages[count, 2] = score, a0, a1
            passages[count, 3], passages[count, 4] = b0, b1
            count += 1
        for i in range(ratios.shape[0]):
            for j in range(ratios.shape[1]):
                if a0 <= i < a1 or b0 <= j < b1:
                    ratios[i, j] = FLOOR
    return passages[:count].copy()
