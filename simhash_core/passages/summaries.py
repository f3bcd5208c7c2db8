"""Find summaries of one text in the other, in either direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model import F64, I64, Bools
from .pair import Pair, loops
from .tokenized import SENTENCE

MOST = 2
LEAST_CHARS = 300
LEAST_RATIO = 2.5  # source stretch to summary, characters
HULL_WEIGHT, HULL_PLACES = 2.0, 5
#: A passage explains a summary where it holds this share of the matched weight, or leaves less
#: than so many times the mean weight of a word. docs/calibration.md, "Passages"
EXPLAINED, REMAINDER = 0.85, 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Summary:
    """A summary in tokens; `short_side` 0: a is the summary, 1: b is."""

    rect: I64
    strength: float
    short_side: int


def summaries(pair: Pair, rects: list[I64]) -> list[Summary]:
    """Return the summaries of either text in the other; `rects` are the passages so far."""
    if not pair.options.summaries:
        return []
    together = np.stack(rects) if rects else np.empty((0, 4), np.int64)
    summarised = _one_way(pair, together)
    if not summarised:
        turned = _one_way(pair.turned(), together[:, [2, 3, 0, 1]])
        summarised = [Summary(s.rect[[2, 3, 0, 1]], s.strength, 1) for s in turned]
    return summarised


def _one_way(pair: Pair, rects: I64) -> list[Summary]:
    """Return stretches of a that summarise b."""
    options = pair.options
    occurs = np.zeros(len(pair.plain), bool)
    occurs[pair.local_b] = True
    heavy = np.where(pair.plain >= options.summary_word, pair.plain, 0.0)
    of_token, meets = heavy[pair.local_a], occurs[pair.local_a]
    if of_token.sum() == 0 or len(pair.b) < LEAST_RATIO * 20:
        return []
    mean = float(of_token.mean())
    price = max(0.57, float(of_token[meets].sum() / of_token.sum()) + 0.22)
    value = np.where(meets, of_token * (1 - price), -price * of_token)
    taken = np.zeros(len(pair.a), bool)
    summarised = []
    for _ in range(MOST):
        start, stop, score = loops.best_segment(value, taken, 40 * mean * price)
        if score < options.summary_score * mean:
            break
        taken[start:stop] = True
        summary = _judged(pair, rects, (start, stop), (heavy, value, meets), mean)
        if summary is not None:
            summarised.append(summary)
    return summarised


def _judged(
    pair: Pair,
    rects: I64,
    span: tuple[int, int],
    words: tuple[F64, F64, Bools],
    mean: float,
) -> Summary | None:
    """Return the summary at a segment of a, or None where a passage explains it."""
    heavy, value, meets = words
    start, stop = span
    chars = int(pair.a.end[stop - 1] - pair.a.start[start])
    hull = _hull(pair, heavy, span)
    if chars < LEAST_CHARS or hull is None:
        return None
    if pair.b.end[hull[1] - 1] - pair.b.start[hull[0]] < LEAST_RATIO * chars:
        return None
    matched = heavy[pair.local_a[start:stop]][meets[start:stop]].sum()
    explained = loops.explained_weight(pair.local_a, pair.local_b, heavy, rects, start, stop)
    outside = np.ones(stop - start, bool)
    for rect in rects:
        outside[max(rect[0] - start, 0) : max(rect[1] - start, 0)] = False
    rest = float(value[start:stop][outside].sum())
    score = float(value[start:stop].sum() / mean)
    if pair.frequencies:
        rarity = pair.weight[pair.local_a] / np.maximum(pair.plain[pair.local_a], 1e-12)
        rest = min(rest, float((value * rarity)[start:stop][outside].sum()))
        # what is left without the vocabulary of the batch must carry the finding by itself
        if (value * rarity)[start:stop].sum() < pair.options.summary_rare * mean:
            return None
    if explained >= EXPLAINED * matched or rest < REMAINDER * mean:
        return None
    low, high = _snapped(pair, value, mean, span)
    b0, b1 = _sentences(pair.b.border, hull)
    return Summary(np.array([low, high, b0, b1], np.int64), score, 0)


def _hull(pair: Pair, heavy: F64, span: tuple[int, int]) -> tuple[int, int] | None:
    """Return first and last place in b of a heavy word of the segment."""
    wanted = np.zeros(len(heavy), bool)
    wanted[pair.local_a[span[0] : span[1]]] = True
    places = np.flatnonzero((wanted & (heavy >= HULL_WEIGHT))[pair.local_b])
    if len(places) < HULL_PLACES:
        return None
    return int(places[0]), int(places[-1]) + 1


def _snapped(pair: Pair, value: F64, mean: float, span: tuple[int, int]) -> tuple[int, int]:
    """Move both ends of a segment to the best place nearby; see `borders`."""
    radius, n = pair.options.snap, len(value)
    worth = np.concatenate([[0.0], np.cumsum(value)])
    bonus = np.array(pair.options.border_bonus)[pair.a.border] * mean
    middle = (span[0] + span[1]) // 2
    near_end = np.arange(max(middle + 1, span[1] - radius), min(n, span[1] + radius) + 1)
    near_start = np.arange(max(0, span[0] - radius), min(middle, span[0] + radius) + 1)
    end = near_end[np.argmax(worth[near_end] + bonus[near_end])]
    start = near_start[np.argmax(bonus[near_start] - worth[near_start])]
    return int(start), int(end)


def _sentences(border: NDArray[np.uint8], span: tuple[int, int]) -> tuple[int, int]:
    """Widen a span to the ends of its sentences."""
    ends = np.flatnonzero(border >= SENTENCE)
    low = ends[np.searchsorted(ends, span[0], side="right") - 1]
    high = ends[np.searchsorted(ends, span[1])]
    return int(low), int(high)
