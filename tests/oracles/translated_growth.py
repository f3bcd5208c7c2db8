"""A Chinese and an English text as sides of weighted words, and the rectangles grown on them.

A side of a pair is a tuple: `indptr` and `stem`, the stems that each word may stand for as numbers
of this pair, and `values`, float64 (n, 3): the rate at which a text that is no translation has
one of them, and what a match and a miss are worth beside a long span. The rate is 0 where a word
says nothing.

Rectangles grow as those of `passages/rectangles.py`, whose `grow_one` and `grow` call the
functions here by the same names: a word has several stems, and what it is worth depends on the
span it stands against. Here `weight` gives nothing but the number of stems, `theta` is the share of
words that a translation matches, and `used` and `limit` count stems.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray
from oracles import growth as rectangles

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
    limit, used = np.zeros(distinct, np.int64), np.zeros(distinct, np.int64)
    indptr_a, stem_a, values_a = a
    indptr_b, stem_b, values_b = b
    taken_a, taken_b = np.full(len(a[0]) - 1, -1, np.int64), np.full(len(b[0]) - 1, -1, np.int64)
    for r in range(len(rects)):
        a0, a1, b0, b1 = rects[r, 0], rects[r, 1], rects[r, 2], rects[r, 3]
        tally(b, b0, b1, limit, 1)
        for i in range(a0, a1):
            against = float(b1 - b0)
            gain = take_word(indptr_a, stem_a, values_a, i, limit, used, taken_a, share, against)
            if counted[i]:
                ratios[r, 0] += gain
        give_back(a0, a1, used, taken_a)
        tally(b, b0, b1, limit, -1)
        tally(a, a0, a1, limit, 1)
        for j in range(b0, b1):
            against = float(a1 - a0)
            ratios[r, 1] += take_word(
                indptr_b, stem_b, values_b, j, limit, used, taken_b, share, against
            )
        give_back(b0, b1, used, taken_b)
        tally(a, a0, a1, limit, -1)
    return ratios


def lone_stems(a: Side, b: Side, distinct: int, rect: I64) -> I64:
    """Return the places of stems that occur once on each side of a rectangle, int64 (k, 2)."""
    in_a, in_b = np.zeros(distinct, np.int64), np.zeros(distinct, np.int64)
    place = np.zeros(distinct, np.int64)
    for j in range(rect[2], rect[3]):
        in_b[b[1][j]] += 1
        place[b[1][j]] = j
    tally(a, rect[0], rect[1], in_a, 1)
    places, count = np.empty((rect[1] - rect[0], 2), np.int64), 0
    for i in range(rect[0], rect[1]):
        for p in range(a[0][i], a[0][i + 1]):
            stem = a[1][p]
            if in_a[stem] == 1 and in_b[stem] == 1:
                places[count, 0], places[count, 1] = i, place[stem]
                count += 1
                break
    return places[:count]


def window_seeds(
    a: Side, b: Side, distinct: int, width: int, step: int, top: float, floor: float, most: int
) -> F64:
    """Return the `most` best pairs of windows: (m, 3) first words and score.

    The score is the surprise of what both hold, capped at `top` a stem, times the root of the
    share that it is of all surprise in the two windows.
    """
    size_a, size_b = len(a[0]) - 1, len(b[0]) - 1
    windows = 1 + max(0, (size_b - width + step - 1) // step)
    indptr, window, surprise_b, total_b = window_postings(b, distinct, width, step, top)
    seeds, n_seeds = np.empty((256, 3), np.float64), 0
    dot, value = np.zeros(windows, np.float64), np.zeros(distinct, np.float64)
    stems = np.empty(distinct, np.int64)
    for win in range(1 + max(0, (size_a - width + step - 1) // step)):
        total, held = 0.0, 0
        for i in range(win * step, min(size_a, win * step + width)):
            surprise = surprise_of(a[2][i, 0], width, top)
            total += surprise
            for p in range(a[0][i], a[0][i + 1]):
                stem = a[1][p]
                if value[stem] == 0.0 and surprise > 0.0:
                    stems[held] = stem
                    held += 1
                value[stem] = max(value[stem], surprise)
        for s in range(held):
            stem = stems[s]
            shared = min(value[stem], surprise_b[stem])
            value[stem] = 0.0
            for p in range(indptr[stem], indptr[stem + 1]):
                dot[window[p]] += shared
        for other in range(windows):
            if dot[other] >= floor:
                if n_seeds == len(seeds):
                    longer = np.empty((2 * n_seeds, 3), np.float64)
                    for row in range(n_seeds):  # a slice would be compiled in two seconds
                        for column in range(3):
                            longer[row, column] = seeds[row, column]
                    seeds = longer
                close = 2.0 * dot[other] / (total + total_b[other] + 1e-9)
                seeds[n_seeds, 0], seeds[n_seeds, 1] = win * step, other * step
                seeds[n_seeds, 2] = dot[other] * math.sqrt(close)
                n_seeds += 1
            dot[other] = 0.0
    order = np.argsort(-seeds[:n_seeds, 2], kind="mergesort")
    return seeds[order[:most]]


def window_postings(
    b: Side, distinct: int, width: int, step: int, top: float
) -> tuple[I64, I64, F64, F64]:
    """Return windows by stem as CSR, the surprise of each stem, and the sum of each window."""
    size = len(b[0]) - 1
    windows = 1 + max(0, (size - width + step - 1) // step)
    last, indptr = np.full(distinct, -1, np.int64), np.zeros(distinct + 1, np.int64)
    surprise, total = np.zeros(distinct, np.float64), np.zeros(windows, np.float64)
    for j in range(size):
        surprise[b[1][j]] = max(surprise[b[1][j]], surprise_of(b[2][j, 0], width, top))
    for win in range(windows):
        for j in range(win * step, min(size, win * step + width)):
            if last[b[1][j]] != win:
                last[b[1][j]] = win
                indptr[b[1][j] + 1] += 1
                total[win] += surprise[b[1][j]]
    for stem in range(distinct):
        indptr[stem + 1] += indptr[stem]
        last[stem] = -1
    place, window = indptr[:-1].copy(), np.empty(indptr[distinct], np.int64)
    for win in range(windows):
        for j in range(win * step, min(size, win * step + width)):
            stem = b[1][j]
            if last[stem] != win:
                last[stem] = win
                window[place[stem]] = win
                place[stem] += 1
    return indptr, window, surprise, total


def surprise_of(rate: float, width: int, top: float) -> float:
    """Return how surprising a word of some rate is in a window, in nats, 0 for one without."""
    if rate <= 0.0:
        return 0.0
    return min(top, -math.log(1.0 - math.exp(-rate * width)))


grow = partial(rectangles.grow, better=better_span)
