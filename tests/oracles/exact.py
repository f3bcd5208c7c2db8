"""Exact runs: maximal stretches of equal tokens, and chains of them with small gaps."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from simhash_core.model import I64, Bools
from simhash_core.passages.exact import grams_of


def extent(token_a: I64, token_b: I64, i: int, j: int, floor: int) -> tuple[int, int]:
    """Return how far equal tokens go back from (i, j), not below `floor` in a, and ahead."""
    ahead, back = 0, 0
    while (
        i + ahead < len(token_a)
        and j + ahead < len(token_b)
        and token_a[i + ahead] == token_b[j + ahead]
    ):
        ahead += 1
    while i - back > floor and j - back > 0 and token_a[i - back - 1] == token_b[j - back - 1]:
        back += 1
    return back, ahead


def find_runs(token_a: I64, token_b: I64, gram_a: I64, gram_b: I64, k: int, repeats: int) -> I64:
    """Return maximal diagonal runs of at least k equal tokens, int64 (r, 3): a, b, length.

    Grams that occur more than `repeats` times in b start no run but may lie inside one. Sorted
    by a, then b.
    """
    places = defaultdict(list)
    for j, gram in enumerate(gram_b.tolist()):
        places[gram].append(j)
    reached: defaultdict[int, int] = defaultdict(int)  # per diagonal: end in a so far
    runs = []
    for i, gram in enumerate(gram_a.tolist()):
        if len(places[gram]) > repeats:
            continue
        for j in places[gram]:
            if reached[i - j] <= i:
                back, ahead = extent(token_a, token_b, i, j, reached[i - j])
                if ahead >= k:  # less where two grams share a hash
                    runs.append((i - back, j - back, ahead + back))
                    reached[i - j] = i + ahead
    return np.array(sorted(runs), np.int64).reshape(-1, 3)


def chain_runs(runs: I64, gap: int) -> I64:
    """Join runs in text order on both sides, int64 (c, 5): a0, a1, b0, b1, matched tokens.

    A run joins the open chain it follows most closely, at most `gap` tokens away on both sides;
    an overlap with the chain's end counts once.
    """
    chains = np.empty((len(runs), 5), np.int64)
    count, oldest = 0, 0
    for r in range(len(runs)):
        a, b, length = runs[r, 0], runs[r, 1], runs[r, 2]
        while oldest < count and chains[oldest, 1] + gap < a:
            oldest += 1
        best, cost = -1, 2 * gap + 1
        for c in range(oldest, count):
            over_a, over_b = a - chains[c, 1], b - chains[c, 3]
            if over_a > gap or over_b > gap or min(over_a, over_b) + length <= 0:
                continue
            if a < chains[c, 0] or b < chains[c, 2]:
                continue
            distance = abs(over_a) + abs(over_b)
            if distance < cost:
                best, cost = c, distance
        if best < 0:
            chains[count, 0], chains[count, 1] = a, a + length
            chains[count, 2], chains[count, 3] = b, b + length
            chains[count, 4] = length
            count += 1
            continue
        overlap = max(0, chains[best, 1] - a, chains[best, 3] - b)
        chains[best, 1] = max(chains[best, 1], a + length)
        chains[best, 3] = max(chains[best, 3], b + length)
        chains[best, 4] += max(0, length - overlap)
    return chains[:count]


def run_cover(runs: I64, side: int, n: int) -> I64:
    """Return how many of the first i tokens of one side lie in a run, int64 (n + 1,)."""
    return covered_before(runs[:, side], runs[:, side] + runs[:, 2], n)


def covered_before(starts: I64, ends: I64, n: int) -> I64:
    """Return how many of the first i tokens lie in a span, int64 (n + 1,)."""
    covered = np.zeros(n + 1, np.int64)
    for start, end in zip(starts, ends, strict=True):
        covered[start + 1 : end + 1] = 1
    return np.cumsum(covered)


def mark_runs(token_a: I64, token_b: I64, counts: Bools, length: int) -> Bools:
    """Mark which tokens of a lie in a run of `length` tokens that b has, bool (na,).

    Only runs mark that begin where `counts` is true, bool (na,).
    """
    marked = np.zeros(len(token_a), np.bool_)
    held = set(grams_of(token_b, length).tolist())
    for i, gram in enumerate(grams_of(token_a, length).tolist()):
        if counts[i] and gram in held:
            marked[i : i + length] = True
    return marked
