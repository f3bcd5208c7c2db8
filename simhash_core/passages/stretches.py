"""What of a passage is shared: without the longer gaps in it, and which part word for word.

And which passages of a pair stand in another order in the second text than in the first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from rapidfuzz.distance import LCSseq

from ..model import I64, Bools, Passages, Stretches
from ..policy import KEPT_ORDER, MIN_RUN
from .exact import grams_of
from .findings import IDENTICAL, MOST_ORDERED, MOVED_HAN, MOVED_WORDS, SUMMARY, runs_in
from .options import AlignOptions
from .tokenized import TokenizedText, language_of, span_of
from .twins import RUN_TOKEN, TWINS, loops

#: Longest stretch without an anchor that is taken as copied, in tokens. docs/calibration.md,
#: "Passages"
GAP_HAN, GAP_WORDS = 40, 20
ANCHOR = 2  # features in a row

Ranges = tuple[I64, I64, I64]  # (r, 2) tokens, by kind of `Stretches`

_NONE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """Which tokens of two texts are shared, in identical runs, and in moved passages.

    Identical and moved tokens are shared, and none is both.
    """

    shared: tuple[Bools, Bools]
    identical: tuple[Bools, Bools]
    moved: tuple[Bools, Bools]

    @classmethod
    def of(cls, left: tuple[Bools, Bools, Bools], right: tuple[Bools, Bools, Bools]) -> Marks:
        """Return the marks of two texts: what is moved is not identical, what is not shared none.

        Each side is given as shared, identical, moved, bool (tokens,).
        """
        a, b = (
            (shared, same & shared & ~away, away & shared) for shared, same, away in (left, right)
        )
        return cls((a[0], b[0]), (a[1], b[1]), (a[2], b[2]))

    def ranges(self) -> tuple[Ranges, Ranges]:
        """Return for each text the stretches of tokens of each kind of `Stretches`."""
        of_side = zip(self.shared, self.identical, self.moved, strict=True)
        left, right = (
            (ranges_of(shared), ranges_of(identical), ranges_of(moved))
            for shared, identical, moved in of_side
        )
        return left, right

    def stretches(self, row: int, texts: tuple[TokenizedText, TokenizedText]) -> Stretches:
        """Return the marks as stretches of one pair."""
        return stretches_of([(row, texts, self.ranges())])


def ranges_of(marked: Bools) -> I64:
    """Return the stretches of marked tokens, int64 (r, 2): first and one past the last."""
    padded = np.zeros(len(marked) + 2, np.bool_)
    padded[1:-1] = marked
    return np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2)


def stretches_of(
    marked: Sequence[tuple[int, tuple[TokenizedText, TokenizedText], tuple[Ranges, Ranges]]],
) -> Stretches:
    """Return the stretches of many pairs, each given as row, texts and `Marks.ranges`."""
    of_part, start, end = [], [], []
    for row, texts, ranges in marked:
        for side, text in enumerate(texts):
            for kind, part in enumerate(ranges[side]):
                of_part.append((row, side, kind, len(part)))
                start.append(text.start[part[:, 0]])
                end.append(text.end[part[:, 1] - 1])
    if not of_part:
        return Stretches.join([])
    row_of, side_of, kind_of, count = np.array(of_part, np.int64).T
    return Stretches(
        np.repeat(row_of, count),
        np.repeat(side_of.astype(np.uint8), count),
        np.concatenate(start),
        np.concatenate(end),
        np.repeat(kind_of.astype(np.uint8), count),
    )


def marks_of(
    a: TokenizedText, b: TokenizedText, passages: Passages, *, min_run: int = MIN_RUN
) -> Marks:
    """Mark what the passages of one pair share; weak ones must have been taken out.

    Parameters
    ----------
    min_run
        Shortest identical run of a reworded passage, Han characters; words count 8/13 of it.

    Notes
    -----
    In a reworded passage two features in a row that the other side has anywhere are an anchor, if
    together they weigh as much as a token on average: "of the" is none. Anchors hold what lies
    between them, unless that is more than `GAP_WORDS` tokens (`GAP_HAN` in Chinese). A summary is
    shared as a whole, and the longer text that it summarises only by its anchors. What is shared of
    a moved passage (`stretches.moved`) is moved, identical or not.
    """
    shared = np.zeros(len(a), np.bool_), np.zeros(len(b), np.bool_)
    identical = np.zeros(len(a), np.bool_), np.zeros(len(b), np.bool_)
    away = np.zeros(len(a), np.bool_), np.zeros(len(b), np.bool_)
    out_of_order = moved(a, b, passages)
    language = language_of([a, b])
    run = _shortest_run(language, min_run)
    gap = GAP_HAN if language == "zh" else GAP_WORDS
    heavy = None if (passages.kind == IDENTICAL).all() else _heavy(a, b)
    for row, kind in enumerate(passages.kind.tolist()):
        here = span_of(a, passages.a_start[row], passages.a_end[row])
        there = span_of(b, passages.b_start[row], passages.b_end[row])
        for side, text, mine, other, theirs in ((0, a, here, b, there), (1, b, there, a, here)):
            away[side][mine] |= out_of_order[row]
            if kind == IDENTICAL or heavy is None:
                shared[side][mine] = identical[side][mine] = True
                continue
            identical[side][mine] |= in_runs(text.token[mine], other.token[theirs], run)
            if kind == SUMMARY and len(text.token[mine]) < len(other.token[theirs]):
                shared[side][mine] = True
                continue
            features = text.feature[mine].astype(np.int64), other.feature[theirs].astype(np.int64)
            anchors = in_runs(*features, ANCHOR, heavy[side][mine])
            shared[side][mine] |= identical[side][mine] | without_gaps(anchors, gap)
    left, right = zip(shared, identical, away, strict=True)
    return Marks.of(left, right)


@lru_cache(maxsize=64)
def _shortest_run(language: str, min_run: int) -> int:
    return AlignOptions.for_language(language, frequencies=False, min_run=min_run).short_run


def in_runs(a: I64, b: I64, length: int, counts: Bools | None = None) -> Bools:
    """Mark the tokens of a that lie in a run of `length` tokens that b has, bool (na,).

    With `counts`, bool (na,), only runs that begin where it is true.
    """
    if len(a) < length:
        return np.zeros(len(a), np.bool_)
    TWINS.settle(RUN_TOKEN * (len(a) + len(b)))
    gram_a, gram_b = grams_of(a, length), grams_of(b, length)
    starts = np.ones(len(gram_a), np.bool_) if counts is None else counts[: len(gram_a)]
    marked: Bools = loops.mark_runs(gram_a, gram_b, np.ascontiguousarray(starts), length)
    return marked


def _heavy(a: TokenizedText, b: TokenizedText) -> tuple[Bools, Bools]:
    """Mark where two features in a row weigh at least as much as one does on average."""
    local_a, local_b, distinct = loops.number_features(a.feature, b.feature)
    weight = loops.weigh(local_a, local_b, distinct, AlignOptions().top_weight)
    of_a, of_b = weight[local_a], weight[local_b]
    mean = (of_a.sum() + of_b.sum()) / (len(a) + len(b))
    return of_a + np.append(of_a[1:], 0.0) >= mean, of_b + np.append(of_b[1:], 0.0) >= mean


def without_gaps(anchors: Bools, gap: int) -> Bools:
    """Mark the anchors, and what lies between or beside them where it is at most `gap` tokens."""
    places = np.flatnonzero(anchors)
    if not len(places):
        return anchors
    ends = np.concatenate([[-1], places, [len(anchors)]])
    between = np.diff(ends) - 1
    return np.asarray(np.repeat(between <= gap, np.diff(ends))[:-1] | anchors)


def moved(a: TokenizedText, b: TokenizedText, passages: Passages) -> Bools:
    """Return which passages of one pair are moved, bool (p,); weak ones must have been taken out.

    Notes
    -----
    The common order is the chain of passages that rises in both texts and holds the most
    characters of the first one. *Moved* is a passage outside of it, and one whose own words stand
    in another order: its sentences were shuffled. A summary stands for a whole stretch of the other
    text and has no order.
    """
    out_of_order = np.zeros(len(passages), np.bool_)
    ordered = np.flatnonzero(passages.kind != SUMMARY)
    if len(ordered) > 1:
        spans = np.stack(
            [passages.a_start, passages.a_end, passages.b_start, passages.b_end], axis=1
        )
        ordered = ordered[np.lexsort((spans[ordered, 2], spans[ordered, 0]))]
        sides = [((a0, a1), (b0, b1)) for a0, a1, b0, b1 in spans[ordered].tolist()]
        out_of_order[ordered] = True
        out_of_order[ordered[longest_order(sides)]] = False
    least = MOVED_HAN if language_of([a, b]) == "zh" else MOVED_WORDS
    for row in ordered.tolist():
        if passages.kind[row] != IDENTICAL and not out_of_order[row]:
            here = span_of(a, passages.a_start[row], passages.a_end[row])
            there = span_of(b, passages.b_start[row], passages.b_end[row])
            out_of_order[row] = not keeps_order(a.token[here], b.token[there], least)
    return out_of_order


def longest_order(spans: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> list[int]:
    """Return the positions of the heaviest chain that rises in the second text.

    `spans` are sorted by the first text; the weight of a passage is its length there. A Fenwick
    tree of prefix maxima makes it O(n log n), so thousands of passages cost milliseconds.
    """
    starts = sorted({b[0] for _, b in spans})
    tree: list[tuple[int, int]] = [(0, _NONE)] * (len(starts) + 1)
    before = [_NONE] * len(spans)
    best = (0, _NONE)
    for i, (a, b) in enumerate(spans):
        rank = bisect_left(starts, b[0])
        reach, previous = (0, _NONE)
        slot = rank  # strictly earlier starts
        while slot > 0:
            reach, previous = max((reach, previous), tree[slot])
            slot &= slot - 1
        before[i] = previous
        total = (reach + max(1, a[1] - a[0]), i)
        best = max(best, total)
        slot = rank + 1
        while slot < len(tree):
            tree[slot] = max(tree[slot], total)
            slot += slot & -slot
    chain = []
    at = best[1]
    while at != _NONE:
        chain.append(at)
        at = before[at]
    return chain[::-1]


def keeps_order(a: I64, b: I64, least: int) -> bool:
    """Say whether what two sides of a passage share stands in the same order in both.

    Parameters
    ----------
    a, b : int64 (na,), (nb,)
        Tokens of both sides.
    least
        Tokens in a row that are taken as the same wherever they stand.

    Notes
    -----
    Of the tokens of a in such runs, at least `KEPT_ORDER` must lie in the longest common
    subsequence. Sides too long to be set against each other are taken as ordered.
    """
    if len(a) * len(b) > MOST_ORDERED:
        return True
    in_runs = runs_in(a, b, least)
    in_order = np.zeros(len(a), np.bool_)
    for block in LCSseq.editops(a.tolist(), b.tolist()).as_matching_blocks():
        in_order[block.a : block.a + block.size] = True
    return int((in_order & in_runs).sum()) >= KEPT_ORDER * int(in_runs.sum())
