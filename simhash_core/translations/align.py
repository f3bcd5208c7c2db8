"""Passages of a Chinese text that may translate an English one, or the other way round.

Growth as in `passages.align` on other weights: each word of a side is worth the log-likelihood
ratio of "a translation, which matches half of its words" against "any text". Windows that share
surprising stems grow to rectangles; what counts is the smaller of the sums of both sides, and a
bonus, with a cap, where words that occur once stand in the same order. docs/calibration.md,
"Translations".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..machine.compiled import Record, Table, loops_of
from ..model import F64, I32, I64, LATIN, Bools, StemmedText
from ..passages.align import one_to_one, overlap, widen_to
from ..policy import TRANSLATED_ORDER

LOOPS = loops_of("translations/loops.c")

#: `indptr` and `stem`, the stems that each word may stand for as numbers of this pair, and
#: `values`, float64 (n, 3): the rate at which a text that is no translation has one of them, and
#: what a match and a miss are worth beside a long span. The rate is 0 where a word says nothing.
Side = tuple[I64, I32, F64]
MATCH = 1  # column of `values`

SHARE = 0.5  # of its words that a translation matches by dictionary
BACKGROUND = 10_000.0  # words that the rates of any text count as beside those of this one
RUN = 3  # words that both texts have letter by letter, from which they say nothing
WINDOW, STEP = 40, 12  # words of a seed, and from one to the next
TOP, FLOOR = 6.0, 6.0  # nats: surprise of one stem at most, of a seed at least
#: score of a seed that is grown: without it 492 instead of 488 of 600 planted passages of 80 to 120
#: Han characters are found, in twice the time among texts of one subject, ten times of others
LEAST_SEED = 7.0
WIDEN, AHEAD, DROP = 20, 25, 12.0  # words around a seed, seen beyond a span; nats lost at most
#: of 240 planted passages of 80 to 220 Han characters 20 find as many as 60, in half the time
MOST_SEEDS, MOST_GROWN = 2_000, 20
GROWN_WORDS = 4_000  # of both texts: twice as many let twice as many seeds grow
GAP = 25  # words between two rectangles that may be one
LEAST_SCORE = 2.4  # nats of a rectangle that neighbours may join
LEAST_WORDS, FEWEST_WORDS = 10, 8  # of a passage, of a text
FEWEST_IN_ORDER = 4  # stems that occur once, from which their order says something
SNAP = 8  # words that a border moves at most to the end of a sentence


class Rates(NamedTuple):
    """How often any text of a language offers each stem of a batch: float64 (v,), twice."""

    chinese: F64
    english: F64


class Found(NamedTuple):
    """One possible translation: words a0, a1, b0, b1 of both texts, and how strong it is."""

    rect: I64
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class BilingualPair:
    """A Chinese text a and an English text b over their own vocabulary."""

    a: StemmedText
    b: StemmedText
    side_a: Side
    side_b: Side
    distinct: int

    def score(self, rects: I64) -> F64:
        """Return the smaller log-likelihood ratio of both sides of rectangles, float64 (r,)."""
        return self._evidence(rects, np.ones(len(self.a), np.bool_))

    def score_without_latin(self, rect: I64) -> float:
        """Return the same of one rectangle, without the words that need no translation."""
        return float(self._evidence(rect[None], (self.a.kind & LATIN) == 0)[0])

    def _evidence(self, rects: I64, counted: Bools) -> F64:
        rects, ratios = np.ascontiguousarray(rects), np.empty((len(rects), 2))
        sides = _record_of(self.side_a), _record_of(self.side_b)
        LOOPS.evidence(*sides, self.distinct, counted, SHARE, rects, len(rects), ratios)
        return np.asarray(ratios.min(axis=1))


def pair_of(a: StemmedText, b: StemmedText, rates: Rates) -> BilingualPair:
    """Weigh the words of a Chinese text a and an English text b against each other."""
    size, size_b = len(a.indptr) - 1, len(b.stem)
    start, local_a = np.empty(size + 1, np.int64), np.empty(len(a.stem), np.int32)
    local_b = np.empty(size_b, np.int32)
    values_a, values_b = np.empty((size, 3)), np.empty((size_b, 3))
    given = (a.indptr, a.stem, a.kind, b.stem, b.kind, rates.chinese, rates.english)
    sizes = (size, len(a.stem), size_b, len(rates.english), BACKGROUND, SHARE, RUN)
    distinct = LOOPS.two_sides(
        LOOPS.Sides(*given, *sizes, start, local_a, values_a, local_b, values_b)
    )
    side_a = (start, local_a[: start[-1]].copy(), values_a)
    return BilingualPair(a, b, side_a, (np.arange(size_b + 1), local_b, values_b), distinct)


def _record_of(side: Side) -> Record:
    record: Record = LOOPS.Side(*side, len(side[0]) - 1)
    return record


def translations(a: StemmedText, b: StemmedText, rates: Rates, *, least: float) -> list[Found]:
    """Return the passages of a Chinese text a that an English text b may say too.

    Parameters
    ----------
    least
        Score that a passage must reach; `policy.TRANSLATED_SCORE` is the default of a check.

    Returns
    -------
    list of Found
        Best first; no word of either text lies in two of them to speak of.
    """
    if min(len(a), len(b)) < FEWEST_WORDS:
        return []
    pair = pair_of(a, b, rates)
    findings = []
    for rect in _merged(pair, _rectangles(pair)):
        if min(rect[1] - rect[0], rect[3] - rect[2]) >= LEAST_WORDS:
            score = pair.score_without_latin(rect) + order_bonus(pair, rect)
            if score >= least:
                findings.append(Found(rect, score))
    return sorted(findings, key=lambda one: -one.score)


def _rectangles(pair: BilingualPair) -> list[I64]:
    """Grow the best seeds and keep one rectangle a place, best first."""
    sides = _record_of(pair.side_a), _record_of(pair.side_b)
    found = Table(np.float64, 3)
    LOOPS.window_seeds(*sides, pair.distinct, WINDOW, STEP, TOP, FLOOR, MOST_SEEDS, found)
    best = found.taken()
    best = best[best[:, 2] >= LEAST_SEED]
    if not len(best):
        return []
    sizes = (len(pair.a), len(pair.b))
    low = best[:, :2].astype(np.int64)
    high = np.minimum(low + WINDOW, sizes)
    seeds = np.stack([low[:, 0], high[:, 0], low[:, 1], high[:, 1]], axis=1)
    most = MOST_GROWN * max(1, sum(sizes) // GROWN_WORDS)
    rects, growth = np.empty((most + 1, 4), np.int64), (SHARE, DROP, WIDEN, AHEAD, most, 0)
    rects = rects[: LOOPS.grow(*sides, pair.distinct, seeds, len(seeds), *growth, rects)]
    score = pair.score(rects) if len(rects) else np.zeros(0)
    order = np.argsort(-score, kind="stable")
    return list(one_to_one(rects[order[score[order] >= LEAST_SCORE]]))


def _merged(pair: BilingualPair, rects: list[I64]) -> list[I64]:
    """Join neighbours whose hull is worth no less than either."""
    rects = list(rects)
    changed = True
    while changed:
        changed = False
        for i in range(len(rects)):
            for j in range(i + 1, len(rects)):
                hull = _better_hull(pair, rects[i], rects[j])
                if hull is not None:
                    rects[i], changed = hull, True
                    rects.pop(j)
                    break
            if changed:
                break
    return rects


def _better_hull(pair: BilingualPair, one: I64, other: I64) -> I64 | None:
    if not all(-GAP <= overlap(one, other, side) <= GAP for side in (0, 1)):
        return None
    hull = one.copy()
    widen_to(hull, other)
    worth = pair.score(np.stack([hull, one, other]))
    return hull if worth[0] >= worth[1:].max() else None


def order_bonus(pair: BilingualPair, rect: I64) -> float:
    """Return what the order of stems that occur once on each side adds, in nats.

    f^2 / 2 with f = atanh(rho) sqrt(n - 3), the deviation of a rank correlation rho from none;
    at most half of ln n!, the surprise of one order among all, and `policy.TRANSLATED_ORDER`.
    """
    places = np.empty((max(0, int(rect[1] - rect[0])), 2), np.int64)
    sides = _record_of(pair.side_a), _record_of(pair.side_b)
    n = LOOPS.lone_stems(*sides, pair.distinct, rect, places)
    places = places[:n]
    if n < FEWEST_IN_ORDER:
        return 0.0
    rank = np.argsort(np.argsort(places[:, 1], kind="stable"), kind="stable")
    rho = float(np.corrcoef(np.arange(n), rank)[0, 1])
    deviation = math.atanh(min(max(rho, 0.0), 0.99)) * math.sqrt(n - 3)
    return min(deviation * deviation / 2, math.lgamma(n + 1) / 2, TRANSLATED_ORDER)


def places_of(pair: tuple[StemmedText, StemmedText], rect: I64) -> tuple[int, int, int, int]:
    """Return the code points of a rectangle, moved to ends of sentences nearby."""
    a, b = pair
    a0, a1, b0, b1 = rect.tolist()
    return (*_snapped(a, a0, a1), *_snapped(b, b0, b1))


def _snapped(text: StemmedText, low: int, high: int) -> tuple[int, int]:
    """Return the code points of the words [low, high), each end at the nearest end of a sentence.

    An end farther than `SNAP` words away is not looked at.
    """
    start, end, last = text.start, text.end, len(text) - 1
    first = _nearest(
        text.ends,
        (int(start[max(0, low - SNAP)]) - 1, int(start[min(last, low + SNAP)])),
        lambda places: np.abs(np.searchsorted(start, places) - low),
    )
    until = _nearest(
        text.ends,
        (int(end[max(0, high - 1 - SNAP)]), int(end[min(last, high - 1 + SNAP)]) + 2),
        lambda places: np.abs(np.searchsorted(end, places, side="right") - high),
    )
    low_place = int(start[low]) if first is None else first
    high_place = int(end[high - 1]) if until is None else until
    if high_place > low_place:
        return low_place, high_place
    return int(start[low]), int(end[high - 1])


def _nearest(ends: I32, within: tuple[int, int], distance: Callable[[I32], I64]) -> int | None:
    """Return the end of a sentence with the least distance, None for none within."""
    near = ends[(ends >= within[0]) & (ends <= within[1])]
    return int(near[np.argmin(distance(near))]) if len(near) else None


class Answer(NamedTuple):
    """A word of the Chinese text, a word of the English one, and the stem that both stand for."""

    a: int
    b: int
    stem: int  # number in the vocabulary of the batch


def answers(pair: BilingualPair, rect: I64) -> list[Answer]:
    """Return which words of a rectangle answer each other, in the order of the Chinese text.

    Each word answers once, and only words that are evidence do. Of several English words that are
    left the one whose place is likeliest answers: as far into its span as the Chinese word.
    """
    a0, a1, b0, b1 = rect.tolist()
    (indptr, stem, values), (_, other, others_values) = pair.side_a, pair.side_b
    free: dict[int, list[int]] = {}
    for j in range(b0, b1):
        if others_values[j, MATCH] > 0.0:
            free.setdefault(int(other[j]), []).append(j)
    listed = []
    for i in range(a0, a1):
        if values[i, MATCH] <= 0.0:
            continue
        place = b0 + (i - a0) * (b1 - b0) / (a1 - a0)
        left = [j for t in stem[indptr[i] : indptr[i + 1]].tolist() for j in free.get(t, ())]
        if left:
            _, j = min((abs(j - place), j) for j in left)
            free[int(other[j])].remove(j)
            listed.append(Answer(i, j, int(pair.b.stem[j])))
    return listed
