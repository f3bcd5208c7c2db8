"""Which sentences of two texts answer each other, and the rectangles grown on them, in numpy.

Everything that is added up is a whole number, thousandths of a nat or steps of a cosine, so that
the same functions in C give the same results.
"""

from __future__ import annotations

import numpy as np

from simhash_core.model import F64, I32, I64, U8, Bools
from simhash_core.policy import (
    MEANING_ANSWER,
    MEANING_ANSWER_ACROSS,
    MEANING_FORMULA,
    MEANING_HUB,
    MEANING_HUB_FROM,
    MEANING_NEXT,
    MEANING_NEXT_FROM,
    MEANING_NEXT_TEXT,
    MEANING_NEXT_UNITS,
    MEANING_PASSAGES,
    MEANING_RATIO,
    MEANING_THIRD,
    MEANING_WINDOWS,
)

UNIT = 1_000  # of a nat: cells and scores are whole numbers of such parts


SQUARE = 512.0 * 512.0  # of `vectors.SCALE`: what a product of two vectors is divided by


SLOPE = MEANING_RATIO[0]


FLOOR, CAP = (int(UNIT * nats) for nats in MEANING_RATIO[1:])


THIRD = int(UNIT * MEANING_THIRD)


FEWEST = 2  # units of a passage on either side


TURNS = 3  # times that either side is fitted to the other


FEW, MANY = MEANING_NEXT_TEXT


#: units of the windows, one made of two of those before it
WINDOWS = np.array([1, 2, *MEANING_WINDOWS], np.int64)


SHOWN = MEANING_WINDOWS[0]  # the narrowest window that is looked at


def cells(
    products: I32, hub_a: F64, hub_b: F64, script_a: U8, script_b: U8, free_a: Bools, free_b: Bools
) -> I64:
    """Return by how much each pair of units speaks for the same statement, int64 (a, b).

    Arrays and errors as in `meaning.align.weigh_cells`.
    """
    a, b = products.shape
    beyond_a = MEANING_HUB * np.maximum(0.0, hub_a - MEANING_HUB_FROM)
    beyond_b = MEANING_HUB * np.maximum(0.0, hub_b - MEANING_HUB_FROM)
    less_a = beyond_a + trusted(b) * np.maximum(0.0, runners_up(products) - MEANING_NEXT_FROM)
    other = np.ascontiguousarray(products.T)
    less_b = beyond_b + trusted(a) * np.maximum(0.0, runners_up(other) - MEANING_NEXT_FROM)
    across = script_a[:, None] != script_b[None, :]
    least = np.where(across, MEANING_ANSWER_ACROSS, MEANING_ANSWER)
    left = products / SQUARE - (less_a[:, None] + less_b[None, :])
    ratio = np.floor(UNIT * (SLOPE * (left - least)) + 0.5)
    formula = ~across & (products >= MEANING_FORMULA * SQUARE)
    ratio = np.where(formula, np.minimum(ratio, 0.0), ratio)
    ratio = np.where(free_a[:, None] & free_b[None, :], ratio, FLOOR)
    return np.asarray(np.clip(ratio, FLOOR, CAP), np.int64)


def runners_up(products: I32) -> F64:
    """Return how near each row is to the columns after the nearest one, float64 (a,).

    The mean of the second to the ninth, of never more than a quarter of them: the subject, without
    the answer.
    """
    count = min(MEANING_NEXT_UNITS, max(1, products.shape[1] // 4))
    best = -np.sort(-products, axis=1)[:, 1 : count + 1].astype(np.int64)
    return np.asarray(best.sum(axis=1) / (count * SQUARE))


def trusted(units: int) -> float:
    """Return how far the runners-up among so many units are taken for the subject, 0 to 1/2.

    A text of few units is all one subject: what it has besides the answer says little.
    """
    return MEANING_NEXT * min(1.0, max(0.0, (units - FEW) / (MANY - FEW)))


def rectangles(ratios: I64, least: int) -> I64:
    """Return the passages of a pair, int64 (r, 5): score, units a0, a1, b0, b1; best first.

    Arrays and errors as in `meaning.align.grow_rectangles`.
    """
    passages = []
    for _ in range(MEANING_PASSAGES):
        if np.count_nonzero(ratios > 0) < FEWEST:
            break
        a0, a1, b0, b1 = fitted(ratios, *seed(ratios))
        part = ratios[a0:a1, b0:b1]
        rows, columns = part.max(axis=1), part.max(axis=0)
        answers = min(np.count_nonzero(rows > 0), np.count_nonzero(columns > 0))
        score = int(min(rows.sum(), columns.sum())) + THIRD * (answers - 2)
        if score < least:
            break
        if min(a1 - a0, b1 - b0) >= FEWEST:
            passages.append((score, a0, a1, b0, b1))
        ratios[a0:a1, :] = FLOOR
        ratios[:, b0:b1] = FLOOR
    return np.array(passages, np.int64).reshape(-1, 5)


def seed(ratios: I64) -> tuple[int, int, int, int]:
    """Return the run of rows, and the window of columns, with the greatest sum of best cells."""
    columns = ratios.shape[1]
    widest, before, top = ratios, 1, None
    best_seed = (0, 0, 0, 0)
    for width in WINDOWS.tolist():
        if width > 1:
            widest = widest.copy() if width > before else widest
            step = width - before
            if step < columns:
                np.maximum(widest[:, :-step], widest[:, step:], out=widest[:, :-step])
        before = width
        if width < SHOWN:
            continue
        total, start, end = best_runs(widest)
        column = int(total.argmax())
        if top is None or total[column] > top:
            top = int(total[column])
            best_seed = int(start[column]), int(end[column]), column, min(columns, column + width)
    return best_seed


def best_runs(values: I64) -> tuple[I64, I64, I64]:
    """Return the greatest sum of a run of rows, and the run, for each column (Kadane)."""
    n = values.shape[1]
    now, begin = np.zeros(n, np.int64), np.zeros(n, np.int64)
    top = np.full(n, np.iinfo(np.int64).min)
    start, end = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for row in range(len(values)):
        fresh = now <= 0
        begin[fresh] = row
        now = np.where(fresh, 0, now) + values[row]
        better = now > top
        top[better], start[better], end[better] = now[better], begin[better], row + 1
    return top, start, end


def fitted(ratios: I64, a0: int, a1: int, b0: int, b1: int) -> tuple[int, int, int, int]:
    """Fit either side to the other in turn: the best run of its units."""
    for _ in range(TURNS):
        _, start, end = best_runs(ratios[a0:a1].max(axis=0)[:, None])
        b0, b1 = int(start[0]), int(end[0])
        _, start, end = best_runs(ratios[:, b0:b1].max(axis=1)[:, None])
        if (int(start[0]), int(end[0])) == (a0, a1):
            break
        a0, a1 = int(start[0]), int(end[0])
    return a0, a1, b0, b1
