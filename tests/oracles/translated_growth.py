"""A Chinese and an English text as sides of weighted words, and the rectangles grown on them.

A side of a pair is a tuple: `indptr` and `stem`, the stems that each word may stand for as numbers
of this pair, and `values`, float64 (n, 3): the rate at which a text that is no translation has
one of them, and what a match and a miss are worth beside a long span. The rate is 0 where a word
says nothing.

Rectangles grow as those of `passages/align.py`, whose `grow_one` and `grow` call the
functions here by the same names: a word has several stems, and what it is worth depends on the
span it stands against. Here `weight` gives nothing but the number of stems, `theta` is the share of
words that a translation matches, and `used` and `limit` count stems.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from functools import partial

import numpy as np
from numpy.typing import NDArray
from oracles import growth as rectangles
from oracles.seeds import window_count

from simhash_core.model import F64, I32, I64, Bools
from simhash_core.translations.align import Side

U8 = NDArray[np.uint8]


LONGEST = 60.0  # words of a span: a longer one is taken for as long


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
    """Return a Chinese and an English text as sides, and how many stems the second has."""
    prior, share = numbers[0], numbers[1]
    local: dict[int, int] = {}  # the stems of the second text, numbered by first occurrence
    local_b = np.array([local.setdefault(stem, len(local)) for stem in stem_b.tolist()], np.int32)
    count, offered, first = np.bincount(local_b), np.zeros(len(stem_b), np.int64), list(local)
    size, start = len(indptr_a) - 1, np.zeros(len(indptr_a), np.int64)
    shared, values_a = [], np.zeros((size, 3), np.float64)
    for i in range(size):
        rate = 0.0
        for stem in stem_a[indptr_a[i] : indptr_a[i + 1]].tolist():
            held = 0.0
            if stem in local:
                held = float(count[local[stem]])
                offered[local[stem]] += 1
                shared.append(local[stem])
            rate += (held + prior * rate_b[stem]) / (len(stem_b) + prior)
        start[i + 1] = len(shared)
        if start[i + 1] > start[i] or not kind_a[i] & _DOUBTFUL:
            set_values(values_a, i, rate, share)
    values_b = np.zeros((len(stem_b), 3), np.float64)
    for j in range(len(stem_b)):
        t = local_b[j]
        if offered[t] > 0 or not kind_b[j] & _DOUBTFUL:
            rate = (offered[t] + prior * rate_a[first[t]]) / (size + prior)
            set_values(values_b, j, rate, share)
    local_a = np.array(shared, np.int32)
    mask_runs(start, local_a, kind_a, values_a, local_b, values_b, int(numbers[2]))
    return (start, local_a, values_a), (np.arange(len(stem_b) + 1), local_b, values_b), len(local)


def set_values(values: F64, row: int, rate: float, share: float) -> None:
    """Set the rate of a word and what it is worth beside a long span."""
    values[row, 0] = rate
    values[row, 1], values[row, 2] = worth(rate, LONGEST, share)


def mask_runs(
    start: I64, local_a: I32, kind_a: U8, values_a: F64, local_b: I32, values_b: F64, run: int
) -> None:
    """Let words say nothing in runs of `run` that both texts have letter by letter.

    Such a run is quoted or code: exact matching finds it, and it is no translation.
    """
    whole = (kind_a & _ASCII > 0) & (np.diff(start) == 1)
    for low in range(len(whole) - run + 1):
        if not whole[low : low + run].all():
            continue
        for j in range(len(local_b) - run + 1):
            if np.array_equal(local_b[j : j + run], local_a[start[low] : start[low + run]]):
                values_a[low : low + run] = 0.0
                values_b[j : j + run] = 0.0


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


def tally(side: Side, low: int, high: int, limit: I64, change: int) -> None:
    """Add `change` to `limit` for every stem of the words [low, high)."""
    indptr, stem, _ = side
    low, high = max(low, 0), min(high, len(indptr) - 1)
    if high > low:
        for p in range(indptr[low], indptr[high]):
            limit[stem[p]] += change


def take_word(
    indptr: I64,
    stem: I32,
    values: F64,
    row: int,
    limit: I64,
    used: I64,
    taken: I64,
    share: float,
    others: float,
) -> float:
    """Count the stem that answers a word, if any is left, and return what that is worth.

    A match is worth less each time the same stem answers: it is no new evidence. The side comes
    as its arrays, since taking them from a tuple for each word doubles the time.
    """
    rate, match, miss = values[row, 0], values[row, 1], values[row, 2]
    if rate > 0.0 and others < LONGEST:
        match, miss = worth(rate, others, share)
    answer = -1
    if rate > 0.0:
        for p in range(indptr[row], indptr[row + 1]):
            if used[stem[p]] < limit[stem[p]]:
                answer = stem[p]
                break
    taken[row] = answer
    if answer < 0:
        return float(miss)
    used[answer] += 1
    return float(match / used[answer])


def give_back(low: int, high: int, used: I64, taken: I64) -> None:
    """Undo `take_word` for the words [low, high)."""
    for i in range(low, high):
        if taken[i] >= 0:
            used[taken[i]] -= 1
            taken[i] = -1


def max_sum_segment(
    side: Side, limit: I64, used: I64, taken: I64, share: float, others: float, low: int, high: int
) -> tuple[int, int]:
    """Return the maximum-sum segment of [low, high); leaves `used` counting that segment."""
    indptr, stem, values = side
    best, total, first, start, stop = 0.0, 0.0, low, low, low
    for i in range(low, high):
        gain = take_word(indptr, stem, values, i, limit, used, taken, share, others)
        if total <= 0.0:
            total, first = 0.0, i
        total += gain
        if total > best:
            best, start, stop = total, first, i + 1
    give_back(low, high, used, taken)
    for i in range(start, stop):
        take_word(indptr, stem, values, i, limit, used, taken, share, others)
    return start, stop


def extend_border(
    side: Side,
    limit: I64,
    used: I64,
    taken: I64,
    share: float,
    others: float,
    drop: float,
    border: int,
    step: int,
) -> int:
    """Return the best place for a border on its way right (`step` 1) or left (-1)."""
    indptr, stem, values = side
    best, total, at, i = 0.0, 0.0, border, border
    last = len(indptr) - 1 if step > 0 else 0
    while i != last and best - total <= drop:
        row = i if step > 0 else i - 1
        total += take_word(indptr, stem, values, row, limit, used, taken, share, others)
        i += step
        if total > best:
            best, at = total, i
    give_back(min(at, i), max(at, i), used, taken)
    return at


def better_span(
    side: Side,
    other: Side,
    limit: I64,
    used: I64,
    weight: F64,
    theta: float,
    drop: float,
    span: tuple[int, int],
    against: tuple[int, int],
) -> tuple[int, int]:
    """Return the best span of `side` around `span` given the span `against` of `other`."""
    others = float(against[1] - against[0])
    taken = np.full(len(side[0]) - 1, -1, np.int64)
    tally(other, against[0], against[1], limit, 1)
    start, stop = max_sum_segment(side, limit, used, taken, theta, others, span[0], span[1])
    stop = extend_border(side, limit, used, taken, theta, others, drop, stop, 1)
    start = extend_border(side, limit, used, taken, theta, others, drop, start, -1)
    give_back(start, stop, used, taken)
    tally(other, against[0], against[1], limit, -1)
    return start, stop


def evidence(a: Side, b: Side, distinct: int, counted: Bools, share: float, rects: I64) -> F64:
    """Return the log-likelihood ratios of both sides of rectangles, float64 (r, 2).

    Of side a only the words with `counted` are summed.
    """
    ratios = np.zeros((len(rects), 2), np.float64)
    sides = ((a, b, counted), (b, a, np.ones(len(b[0]) - 1, np.bool_)))
    for r, rect in enumerate(rects):
        for number, (side, other, summed) in enumerate(sides):
            (low, high), (start, stop) = np.roll(rect.reshape(2, 2), number, axis=0)
            limit, used = np.zeros(distinct, np.int64), np.zeros(distinct, np.int64)
            taken = np.full(len(side[0]) - 1, -1, np.int64)
            tally(other, start, stop, limit, 1)
            for i in range(low, high):
                gain = take_word(*side, i, limit, used, taken, share, float(stop - start))
                if summed[i]:
                    ratios[r, number] += gain
    return ratios


def lone_stems(a: Side, b: Side, distinct: int, rect: I64) -> I64:
    """Return the places of stems that occur once on each side of a rectangle, int64 (k, 2)."""
    a0, a1, b0, b1 = rect
    in_a, in_b = Counter(a[1][a[0][a0] : a[0][a1]].tolist()), Counter(b[1][b0:b1].tolist())
    place = {stem: j for j, stem in enumerate(b[1].tolist()[:b1])}
    places = []
    for i in range(a0, a1):
        stems = a[1][a[0][i] : a[0][i + 1]].tolist()
        lone = [stem for stem in stems if in_a[stem] == 1 and in_b[stem] == 1]
        if lone:
            places.append((i, place[lone[0]]))
    return np.array(places, np.int64).reshape(-1, 2)


def window_seeds(
    a: Side, b: Side, distinct: int, width: int, step: int, top: float, floor: float, most: int
) -> F64:
    """Return the `most` best pairs of windows: (m, 3) first words and score.

    The score is the surprise of what both hold, capped at `top` a stem, times the root of the
    share that it is of all surprise in the two windows.
    """
    surprise_b = np.zeros(distinct, np.float64)
    for stem, rate in zip(b[1], b[2][:, 0], strict=True):
        surprise_b[stem] = max(surprise_b[stem], surprise_of(rate, width, top))
    windows = defaultdict(list)  # of b that hold a stem
    total_b = np.zeros(window_count(len(b[1]), width, step), np.float64)
    for other in range(len(total_b)):
        for stem in dict.fromkeys(b[1][other * step : other * step + width].tolist()):
            windows[stem].append(other)
            total_b[other] += surprise_b[stem]
    seeds = []
    size_a = len(a[0]) - 1
    for win in range(window_count(size_a, width, step)):
        total, values = 0.0, dict[int, float]()
        for i in range(win * step, min(size_a, win * step + width)):
            surprise = surprise_of(a[2][i, 0], width, top)
            total += surprise
            if surprise > 0.0:
                for stem in a[1][a[0][i] : a[0][i + 1]].tolist():
                    values[stem] = max(values.get(stem, 0.0), surprise)
        dot = np.zeros(len(total_b), np.float64)
        for stem, value in values.items():
            dot[windows[stem]] += min(value, surprise_b[stem])
        for other in np.flatnonzero(dot >= floor):
            close = 2.0 * dot[other] / (total + total_b[other] + 1e-9)
            seeds.append((win * step, other * step, dot[other] * math.sqrt(close)))
    best = sorted(seeds, key=lambda seed: -seed[2])[:most]
    return np.array(best, np.float64).reshape(-1, 3)


def surprise_of(rate: float, width: int, top: float) -> float:
    """Return how surprising a word of some rate is in a window, in nats, 0 for one without."""
    if rate <= 0.0:
        return 0.0
    return min(top, -math.log(1.0 - math.exp(-rate * width)))


grow = partial(rectangles.grow, better=better_span)
