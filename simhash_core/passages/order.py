"""Which passages of a pair stand in another order in the second text than in the first."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import LCSseq

from ..model import I64, Bools, Passages
from ..policy import KEPT_ORDER
from .changes import MOST_ORDERED, MOVED_HAN, MOVED_WORDS, runs_in
from .findings import IDENTICAL, SUMMARY
from .tokenized import TokenizedText, language_of, span_of

_NONE = -1


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
