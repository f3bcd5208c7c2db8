"""Summaries of one text in the other, in either direction.

A summary is a stretch of the short text whose words nearly all occur in the long one. That is
one-sided evidence: containment instead of agreement of both bags. The source side is "this
stretch or the whole document" and should be shown as such.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from oracles.places import SNAP, SUMMARIES, SUMMARY_RARE, SUMMARY_SCORE, SUMMARY_WORD
from oracles.strong import border_bonus

from simhash_core.model import F64, I32, I64, Bools
from simhash_core.passages.options import Numbered
from simhash_core.passages.tokenized import SENTENCE

MOST = 2


LEAST_CHARS = 300


LEAST_RATIO = 2.5  # source stretch to summary, characters


LEAST_TOKENS = LEAST_RATIO * 20  # of the longer text


HULL_WEIGHT, HULL_PLACES = 2.0, 5


#: what a token that the other text does not have costs, as a share of its weight: at least this
#: much, and by so much more than the share of weight that both texts have
LEAST_PRICE, ABOVE_COMMON = 0.57, 0.22


DROP = 40.0  # mean tokens without a match at which a segment ends


#: A passage explains a summary where it holds this share of the matched weight, or leaves less
#: than so many times the mean weight of a word. docs/calibration.md, "Passages"
EXPLAINED, REMAINDER = 0.85, 5.0


def turned(both: Numbered) -> Numbered:
    """Return the same two texts with sides exchanged."""
    return Numbered(
        both.local_b,
        both.local_a,
        both.weight,
        both.plain,
        both.mean,
        both.token_b,
        both.token_a,
        both.start_b,
        both.start_a,
        both.end_b,
        both.end_a,
        both.border_b,
        both.border_a,
    )


def summarised(both: Numbered, rects: I64, numbers: F64) -> tuple[I64, F64, int]:
    """Return rectangles (s, 4) and scores of summaries, and which text is the short one.

    `rects` are the passages so far.
    """
    if numbers[SUMMARIES] == 0.0:
        return np.empty((0, 4), np.int64), np.empty(0), 0
    gist, scores = one_way(both, rects, numbers)
    if len(gist):
        return gist, scores, 0
    gist, scores = one_way(turned(both), exchanged(rects), numbers)
    return exchanged(gist), scores, 1


def exchanged(rects: I64) -> I64:
    """Return rectangles with sides exchanged."""
    return rects[:, [2, 3, 0, 1]]


def one_way(both: Numbered, rects: I64, numbers: F64) -> tuple[I64, F64]:
    """Return stretches of a that summarise b, and their scores."""
    gist, scores, count = np.empty((MOST, 4), np.int64), np.empty(MOST), 0
    if len(both.local_b) < LEAST_TOKENS:
        return gist[:0], scores[:0]
    value, mean, price = values_of(both, numbers[SUMMARY_WORD])
    taken = np.zeros(len(value), np.bool_)
    for _ in range(MOST):
        if mean == 0.0:
            break
        start, stop, score = best_segment(value, taken, DROP * mean * price)
        if score < numbers[SUMMARY_SCORE] * mean:
            break
        taken[start:stop] = True
        if is_summary(both, rects, (start, stop), value, mean, numbers, gist[count]):
            scores[count] = 0.0
            for i in range(start, stop):
                scores[count] += value[i]
            scores[count] /= mean
            count += 1
    return gist[:count], scores[:count]


def values_of(both: Numbered, least: float) -> tuple[F64, float, float]:
    """Return what each token of a adds to a summary of b, mean weight, and price of a stranger."""
    local_a, plain = both.local_a, both.plain
    in_b = np.zeros(len(plain), np.bool_)
    for t in both.local_b:
        in_b[t] = True
    total, common = 0.0, 0.0
    for t in local_a:
        if plain[t] >= least:
            total += plain[t]
            common += plain[t] if in_b[t] else 0.0
    value, price = np.zeros(len(local_a), np.float64), 1.0
    if total > 0.0:
        price = max(LEAST_PRICE, common / total + ABOVE_COMMON)
    for i in range(len(local_a)):
        t = local_a[i]
        if plain[t] >= least:
            value[i] = plain[t] * (1.0 - price) if in_b[t] else -price * plain[t]
    return value, total / len(local_a), price


def is_summary(
    both: Numbered,
    rects: I64,
    span: tuple[int, int],
    value: F64,
    mean: float,
    numbers: F64,
    into: I64,
) -> bool:
    """Write the summary at a segment of a as a rectangle; False where a passage explains it."""
    start, stop = span
    chars = both.end_a[stop - 1] - both.start_a[start]
    first, last, places = hull_of(both.local_a[start:stop], both.local_b, both.plain)
    if chars < LEAST_CHARS or places < HULL_PLACES:
        return False
    if both.end_b[last - 1] - both.start_b[first] < LEAST_RATIO * chars:
        return False
    if is_explained(both, rects, span, value, mean, numbers):
        return False
    into[0], into[1] = snapped(both.border_a, value, mean, span, numbers)
    into[2], into[3] = sentences(both.border_b, (first, last))
    return True


def is_explained(
    both: Numbered, rects: I64, span: tuple[int, int], value: F64, mean: float, numbers: F64
) -> bool:
    """Whether passages, or the common words of the batch, explain a segment of a."""
    start, stop = span
    local_a, weight, plain = both.local_a, both.weight, both.plain
    heavy = np.where(plain >= numbers[SUMMARY_WORD], plain, 0.0)
    inside = np.zeros(stop - start, np.bool_)
    for r in range(len(rects)):
        inside[max(rects[r, 0] - start, 0) : max(rects[r, 1] - start, 0)] = True
    matched, rest, rare, rare_rest = 0.0, 0.0, 0.0, 0.0
    for i in range(start, stop):
        t = local_a[i]
        matched += heavy[t] if value[i] > 0.0 else 0.0
        rare_value = value[i] * (weight[t] / max(plain[t], 1e-12))
        rare += rare_value
        if not inside[i - start]:
            rest += value[i]
            rare_rest += rare_value
    if not np.array_equal(weight, plain):
        rest = min(rest, rare_rest)
        # what is left without the vocabulary of the batch must carry the finding by itself
        if rare < numbers[SUMMARY_RARE] * mean:
            return True
    explained = explained_weight(local_a, both.local_b, heavy, rects, start, stop)
    return explained >= EXPLAINED * matched or rest < REMAINDER * mean


def hull_of(segment: I32, local_b: I32, plain: F64) -> tuple[int, int, int]:
    """Return the stretch of b that holds the heavy words of a segment, and how many these are."""
    heavy = segment[plain[segment] >= HULL_WEIGHT]
    places = np.flatnonzero(np.isin(local_b, heavy)).tolist()
    return (places[0], places[-1] + 1, len(places)) if places else (0, 0, 0)


def snapped(
    border: NDArray[np.uint8], value: F64, mean: float, span: tuple[int, int], numbers: F64
) -> tuple[int, int]:
    """Move both ends of a segment to the best place nearby; see `strong`."""
    radius, n, bonus = int(numbers[SNAP]), len(value), border_bonus(numbers, mean)
    middle = (span[0] + span[1]) // 2
    worth = np.zeros(n + 1)
    for i in range(n):
        worth[i + 1] = worth[i] + value[i]
    end = max(middle + 1, span[1] - radius)
    for i in range(end + 1, min(n, span[1] + radius) + 1):
        if worth[i] + bonus[border[i]] > worth[end] + bonus[border[end]]:
            end = i
    start = max(0, span[0] - radius)
    for i in range(start + 1, min(middle, span[0] + radius) + 1):
        if bonus[border[i]] - worth[i] > bonus[border[start]] - worth[start]:
            start = i
    return start, end


def sentences(border: NDArray[np.uint8], span: tuple[int, int]) -> tuple[int, int]:
    """Widen a span to the ends of its sentences."""
    low, high = span
    while border[low] < SENTENCE:
        low -= 1
    while border[high] < SENTENCE:
        high += 1
    return low, high


def best_segment(value: F64, taken: Bools, drop: float) -> tuple[int, int, float]:
    """Return the maximum-sum segment that meets no taken position: start, end, sum.

    The running sum starts anew when it falls `drop` below its peak.
    """
    best, start, stop = 0.0, 0, 0
    total, peak, first = 0.0, 0.0, 0
    for i in range(len(value)):
        if taken[i]:
            total, peak, first = 0.0, 0.0, i + 1
            continue
        if total <= 0.0 or peak - total > drop:
            total, peak, first = 0.0, 0.0, i
        total += value[i]
        peak = max(peak, total)
        if total > best:
            best, start, stop = total, first, i + 1
    return start, stop, best


def explained_weight(
    local_a: I32, local_b: I32, weight: F64, rects: I64, start: int, stop: int
) -> float:
    """Return the weight of positions in [start, stop) that a rectangle already accounts for.

    A position counts when it lies in the a-span of a rectangle whose b-span holds its feature.
    """
    explained = np.zeros(stop - start, np.bool_)
    for a0, a1, b0, b1 in rects:
        low, high = max(start, a0), min(stop, a1)
        if low < high:
            explained[low - start : high - start] |= np.isin(local_a[low:high], local_b[b0:b1])
    total = 0.0
    for i in np.flatnonzero(explained):
        total += weight[local_a[start + i]]
    return total
