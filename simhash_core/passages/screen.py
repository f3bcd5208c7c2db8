"""Which pairs may hold a passage at all: the steps of `align`, as far as they decide that.

Most pairs that are aligned share nothing that counts. One call here tells them apart, and only
the others go through the whole alignment. A pair that may hold a passage is never left out;
where a step would cost much to repeat exactly, the pair goes on.

The functions on arrays here are the readable form; `kernels` holds the same ones compiled.
"""

from __future__ import annotations

import math

import numpy as np

from ..model import F64, I32, I64, Bools
from .exact import chain_runs, gram_table, runs_in
from .reworded import grow, number_features, shared_weights, weigh
from .summary import best_segment
from .windows import window_seeds

SLACK = 1e-9  # sums in another order differ by less

#: places in the row of numbers that `hopeful_pairs` takes, see `screening.numbers_of`
(
    TOP_WEIGHT,
    GRAM,
    GRAM_REPEATS,
    SHORT_RUN,
    SHORT_SHARE,
    CHAIN_GAP,
    CHAIN_CHARS,
    CHAIN_DENSE,
    WINDOW,
    STEP,
    COSINE,
    SEEDS,
    WIDEN,
    AHEAD,
    THETA,
    GROWN,
    LEAST_WEIGHT,
    LEAST_DICE,
    CLOSENESS,
    STRENGTH,
    LEAST_CHARS,
    FEWEST,
    LONGEST,
    ENDS,
    KEPT,
    SUMMARY_WORD,
    SUMMARY_SCORE,
    SUMMARY_RARE,
    SUMMARY_CHARS,
    SUMMARY_RATIO,
    SUMMARY_TOKENS,
    HULL_WEIGHT,
    HULL_PLACES,
    SUMMARIES,
) = range(34)
COUNT = SUMMARIES + 1


def hopeful_pairs(
    feature: I32,
    token: I64,
    gram: I64,
    factor: F64,
    start: I32,
    end: I32,
    offset: I64,
    pairs: I64,
    numbers: F64,
) -> Bools:
    """Return which pairs may hold a passage that counts.

    Parameters
    ----------
    feature, token, gram, factor, start, end
        Of all texts, one after the other; the last `numbers[GRAM] - 1` grams of each are unused.
    offset
        Text i is [offset[i], offset[i + 1]).
    pairs : int64 (m, 2)
        Those of one right text in a row cost less: they share its table of grams.
    numbers : float64
        The settings of the alignment.
    """
    number, _, distinct = number_features(feature, feature[:0])
    seen, local = np.full(distinct, -1, np.int64), np.empty(distinct, np.int32)
    hopeful = np.zeros(len(pairs), np.bool_)
    unused, right = int(numbers[GRAM]) - 1, -1
    head, follow, count = gram_table(gram[:0])
    for row in range(len(pairs)):
        a0, a1 = offset[pairs[row, 0]], offset[pairs[row, 0] + 1]
        b0, b1 = offset[pairs[row, 1]], offset[pairs[row, 1] + 1]
        if goes_on(token[a0:a1], token[b0:b1], numbers):
            hopeful[row] = True
        elif min(a1 - a0, b1 - b0) >= numbers[FEWEST]:
            local_a, local_b = np.empty(a1 - a0, np.int32), np.empty(b1 - b0, np.int32)
            used = renumber(number[a0:a1], row, seen, local, 0, local_a)
            used = renumber(number[b0:b1], row, seen, local, used, local_b)
            plain = weigh(local_a, local_b, used, numbers[TOP_WEIGHT])
            gram_b = gram[b0 : max(b0, b1 - unused)]
            if right != pairs[row, 1]:
                right = pairs[row, 1]
                head, follow, count = gram_table(gram_b)
            runs = runs_in(
                token[a0:a1],
                token[b0:b1],
                gram[a0 : max(a0, a1 - unused)],
                gram_b,
                head,
                follow,
                count,
                unused + 1,
                int(numbers[GRAM_REPEATS]),
            )
            hopeful[row] = may_hold(
                local_a,
                local_b,
                plain,
                factored(plain, local_a, local_b, factor[a0:a1], factor[b0:b1], numbers[KEPT]),
                runs,
                start[a0:a1],
                end[a0:a1],
                start[b0:b1],
                end[b0:b1],
                numbers,
            )
    return hopeful


def may_hold(
    local_a: I32,
    local_b: I32,
    plain: F64,
    weight: F64,
    runs: I64,
    start_a: I32,
    end_a: I32,
    start_b: I32,
    end_b: I32,
    numbers: F64,
) -> bool:
    """Whether two texts, numbered and weighed together, may hold a passage."""
    if many_short_runs(runs, min(len(local_a), len(local_b)), numbers):
        return True
    if numbers[SUMMARIES] > 0.0:
        if may_be_summary(local_a, local_b, plain, weight, start_a, end_a, start_b, end_b, numbers):
            return True
        if may_be_summary(local_b, local_a, plain, weight, start_b, end_b, start_a, end_a, numbers):
            return True
    chains = exact_chains(runs, start_a, end_a, numbers)
    if covers_half(chains, 0, len(local_a)) and covers_half(chains, 2, len(local_b)):
        return True  # here the alignment looks at fewer windows
    rects = grown(local_a, local_b, weight, chains, numbers)
    measures = shared_weights(local_a, local_b, weight, rects)
    for r in range(len(rects)):
        chars_a = end_a[rects[r, 1] - 1] - start_a[rects[r, 0]]
        chars_b = end_b[rects[r, 3] - 1] - start_b[rects[r, 2]]
        if min(chars_a, chars_b) >= numbers[LEAST_CHARS] and is_strong(measures[r], numbers):
            return True
    return False


def goes_on(token_a: I64, token_b: I64, numbers: F64) -> bool:
    """Whether a pair goes on unseen: long texts, and those that begin and end alike."""
    na, nb = len(token_a), len(token_b)
    longest = numbers[LONGEST]
    if max(na, nb) > longest:
        return True
    head = 0
    while head < min(na, nb) and token_a[head] == token_b[head]:
        head += 1
    tail = 0
    while tail < min(na, nb) - head and token_a[na - 1 - tail] == token_b[nb - 1 - tail]:
        tail += 1
    return head + tail > 0 and head + tail >= numbers[ENDS] * max(na, nb)


def renumber(number: I32, row: int, seen: I64, local: I32, used: int, into: I32) -> int:
    """Write the features of a text numbered by first occurrence; return how many so far.

    `seen` holds for each feature of the task the last pair that it occurred in.
    """
    for i in range(len(number)):
        t = number[i]
        if seen[t] != row:
            seen[t] = row
            local[t] = used
            used += 1
        into[i] = local[t]
    return used


def factored(
    plain: F64, local_a: I32, local_b: I32, factor_a: F64, factor_b: F64, least: float
) -> F64:
    """Apply the factors of the batch, unless one of the texts keeps less than `least`."""
    weight = plain.copy()
    whole, part = 0.0, 0.0
    for i in range(len(local_a)):
        whole += plain[local_a[i]]
        part += plain[local_a[i]] * factor_a[i]
        weight[local_a[i]] = plain[local_a[i]] * factor_a[i]
    if part < least * whole:
        return plain
    whole, part = 0.0, 0.0
    for i in range(len(local_b)):
        whole += plain[local_b[i]]
        part += plain[local_b[i]] * factor_b[i]
        weight[local_b[i]] = plain[local_b[i]] * factor_b[i]
    return plain if part < least * whole else weight


def many_short_runs(runs: I64, shorter: int, numbers: F64) -> bool:
    """Whether exact runs that are too short for a passage may make up most of a text."""
    shared = 0
    for r in range(len(runs)):
        if runs[r, 2] >= numbers[SHORT_RUN]:
            shared += runs[r, 2]
    return shared > 0 and shared >= numbers[SHORT_SHARE] * shorter


def exact_chains(runs: I64, start: I32, end: I32, numbers: F64) -> I64:
    """Return the chains of exact runs that are passages by themselves, longest first (c, 4)."""
    chains = chain_runs(runs, int(numbers[CHAIN_GAP]))
    rects, count = np.empty((len(chains), 4), np.int64), 0
    for c in range(len(chains)):
        a0, a1, b0, b1 = chains[c, 0], chains[c, 1], chains[c, 2], chains[c, 3]
        long = end[a1 - 1] - start[a0] >= numbers[CHAIN_CHARS]
        if not long or chains[c, 4] < numbers[CHAIN_DENSE] * max(a1 - a0, b1 - b0):
            continue
        at = count
        while at > 0 and rects[at - 1, 1] - rects[at - 1, 0] < a1 - a0:
            for side in range(4):
                rects[at, side] = rects[at - 1, side]
            at -= 1
        rects[at, 0], rects[at, 1], rects[at, 2], rects[at, 3] = a0, a1, b0, b1
        count += 1
    return rects[:count]


def grown(local_a: I32, local_b: I32, weight: F64, chains: I64, numbers: F64) -> I64:
    """Return what seeds grow to, int64 (r, 4)."""
    width, step = int(numbers[WINDOW]), int(numbers[STEP])
    seeds = window_seeds(
        local_a,
        local_b,
        weight,
        width,
        step,
        numbers[COSINE],
        int(numbers[SEEDS]),
        np.ones(len(local_a) // step + 1, np.bool_),
        np.ones(len(local_b) // step + 1, np.bool_),
    )
    count = len(chains)
    spans = np.empty((count + len(seeds), 4), np.int64)
    for c in range(count):
        for side in range(4):
            spans[c, side] = chains[c, side]
    for s in range(len(seeds)):
        low_a, low_b = int(seeds[s, 0]), int(seeds[s, 1])
        spans[count + s, 0], spans[count + s, 1] = low_a, min(low_a + width, len(local_a))
        spans[count + s, 2], spans[count + s, 3] = low_b, min(low_b + width, len(local_b))
    if not len(spans):
        return spans
    total = 0.0
    for t in local_a:
        total += weight[t]
    for t in local_b:
        total += weight[t]
    theta = numbers[THETA]
    drop = 32.0 * theta * total / (len(local_a) + len(local_b))
    widen, ahead, most = int(numbers[WIDEN]), int(numbers[AHEAD]), int(numbers[GROWN])
    sizes = (len(local_a), len(local_b))
    return grow(local_a, local_b, sizes, weight, spans, count, theta, drop, widen, ahead, most)


def covers_half(chains: I64, side: int, n: int) -> bool:
    """Whether chains may cover half of a text."""
    total = 0
    for c in range(len(chains)):
        total += chains[c, side + 1] - chains[c, side]
    return 2 * total >= n


def is_strong(measures: F64, numbers: F64) -> bool:
    """Whether a rectangle passes the tests of `align`, given C, Wa, Wb and distinct C."""
    shared, both, distinct = measures[0], measures[1] + measures[2], measures[3]
    dice = 2.0 * shared / both if both > 0.0 else 0.0
    strength = math.log(max(distinct, 1e-9)) + numbers[CLOSENESS] * dice
    heavy = bool(shared >= numbers[LEAST_WEIGHT] - SLACK)
    return heavy and dice >= numbers[LEAST_DICE] - SLACK and strength >= numbers[STRENGTH] - SLACK


def may_be_summary(
    local_a: I32,
    local_b: I32,
    plain: F64,
    weight: F64,
    start_a: I32,
    end_a: I32,
    start_b: I32,
    end_b: I32,
    numbers: F64,
) -> bool:
    """Whether a stretch of a may summarise b."""
    if len(local_b) < numbers[SUMMARY_TOKENS]:
        return False
    value, mean, price = summary_values(local_a, local_b, plain, numbers[SUMMARY_WORD])
    taken = np.zeros(len(value), np.bool_)
    for _ in range(int(numbers[SUMMARIES])):
        low, high, score = best_segment(value, taken, 40.0 * mean * price)
        if mean == 0.0 or score < numbers[SUMMARY_SCORE] * mean - SLACK:
            return False
        rare = 0.0
        for i in range(low, high):
            taken[i] = True
            rare += value[i] * weight[local_a[i]] / max(plain[local_a[i]], 1e-12)
        chars = end_a[high - 1] - start_a[low]
        if chars >= numbers[SUMMARY_CHARS] and rare >= numbers[SUMMARY_RARE] * mean - SLACK:
            first, last, places = hull_of(local_a[low:high], local_b, plain, numbers[HULL_WEIGHT])
            long = end_b[last] - start_b[first] >= numbers[SUMMARY_RATIO] * chars
            if places >= numbers[HULL_PLACES] and long:
                return True
    return False


def summary_values(
    local_a: I32, local_b: I32, plain: F64, least: float
) -> tuple[F64, float, float]:
    """Return what each token of a adds to a summary of b, mean weight, and price of a stranger."""
    total, common = 0.0, 0.0
    in_b = np.zeros(len(plain), np.bool_)
    for t in local_b:
        in_b[t] = True
    for t in local_a:
        if plain[t] >= least:
            total += plain[t]
            common += plain[t] if in_b[t] else 0.0
    value, price = np.zeros(len(local_a), np.float64), 1.0
    if total > 0.0:
        price = max(0.57, common / total + 0.22)
    for i in range(len(local_a)):
        t = local_a[i]
        if plain[t] >= least:
            value[i] = plain[t] * (1.0 - price) if in_b[t] else -price * plain[t]
    return value, total / len(local_a), price


def hull_of(segment: I32, local_b: I32, plain: F64, least: float) -> tuple[int, int, int]:
    """Return first and last place in b of a heavy word of a segment, and how many there are."""
    wanted = np.zeros(len(plain), np.bool_)
    for t in segment:
        wanted[t] = plain[t] >= least
    first, last, places = -1, -1, 0
    for j in range(len(local_b)):
        if wanted[local_b[j]]:
            first = j if places == 0 else first
            last = j
            places += 1
    return first, last, places
