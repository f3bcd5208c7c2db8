"""Exact runs: maximal stretches of equal tokens, and chains of them with small gaps."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from simhash_core.model import F64, I64, Bools
from simhash_core.passages.exact import grams_of

Rows = TypeVar("Rows", I64, F64)


def gram_table(gram: I64) -> tuple[I64, I64, I64]:
    """Hash table of grams: `head` (slots,), `follow` (n,) next of the same gram, `count` (slots,).

    `head` holds the first position of the gram of that slot, -1 where it is free. Open
    addressing, at most half full.
    """
    size = 16
    while size < 2 * len(gram):
        size *= 2
    head = np.full(size, -1, np.int64)
    count = np.zeros(size, np.int64)
    follow = np.empty(len(gram), np.int64)
    for j in range(len(gram) - 1, -1, -1):
        slot = gram[j] & (size - 1)
        while head[slot] >= 0 and gram[head[slot]] != gram[j]:
            slot = (slot + 1) & (size - 1)
        follow[j] = head[slot]
        head[slot] = j
        count[slot] += 1
    return head, follow, count


def with_room(rows: Rows, used: int) -> Rows:
    """Return rows (n, c) with room for one more: themselves, or a copy twice as long."""
    if used < len(rows):
        return rows
    longer = np.empty((2 * len(rows), rows.shape[1]), rows.dtype)
    for row in range(used):  # a slice would be compiled in two seconds, this in none
        for column in range(rows.shape[1]):
            longer[row, column] = rows[row, column]
    return longer


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
    head, follow, count = gram_table(gram_b)
    return runs_in(token_a, token_b, gram_a, gram_b, head, follow, count, k, repeats)


def runs_in(
    token_a: I64,
    token_b: I64,
    gram_a: I64,
    gram_b: I64,
    head: I64,
    follow: I64,
    count: I64,
    k: int,
    repeats: int,
) -> I64:
    """Do what `find_runs` does with the table of b, which many pairs may share."""
    mask = len(head) - 1
    reached = np.zeros(len(token_a) + len(token_b), np.int64)  # per diagonal: end in a so far
    runs, n_runs = np.empty((16, 3), np.int64), 0
    for i in range(len(gram_a)):
        slot = gram_a[i] & mask
        while head[slot] >= 0 and gram_b[head[slot]] != gram_a[i]:
            slot = (slot + 1) & mask
        if head[slot] < 0 or count[slot] > repeats:
            continue
        j = head[slot]
        while j >= 0:
            diagonal = i - j + len(token_b) - 1
            if reached[diagonal] <= i:
                back, ahead = extent(token_a, token_b, i, j, reached[diagonal])
                if ahead >= k:  # less where two grams share a hash
                    runs = with_room(runs, n_runs)
                    runs[n_runs, 0], runs[n_runs, 1] = i - back, j - back
                    runs[n_runs, 2] = ahead + back
                    n_runs += 1
                    reached[diagonal] = i + ahead
            j = follow[j]
    return sort_runs(runs[:n_runs])


def sort_runs(runs: I64) -> I64:
    """Sort runs by a, then b (insertion: they come nearly sorted)."""
    for i in range(1, len(runs)):
        a, b, length = runs[i, 0], runs[i, 1], runs[i, 2]
        j = i - 1
        while j >= 0 and (runs[j, 0] > a or (runs[j, 0] == a and runs[j, 1] > b)):
            runs[j + 1, 0], runs[j + 1, 1], runs[j + 1, 2] = runs[j, 0], runs[j, 1], runs[j, 2]
            j -= 1
        runs[j + 1, 0], runs[j + 1, 1], runs[j + 1, 2] = a, b, length
    return runs


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
    total = np.zeros(n + 1, np.int64)
    reached = 0
    step = np.zeros(n + 1, np.int64)
    for r in range(len(runs)):
        step[runs[r, side]] += 1
        step[runs[r, side] + runs[r, 2]] -= 1
    for i in range(n):
        reached += step[i]
        total[i + 1] = total[i] + (1 if reached > 0 else 0)
    return total


def mark_runs(token_a: I64, token_b: I64, counts: Bools, length: int) -> Bools:
    """Mark which tokens of a lie in a run of `length` tokens that b has, bool (na,).

    Only runs mark that begin where `counts` is true, bool (na,).
    """
    marked = np.zeros(len(token_a), np.bool_)
    gram_a, gram_b = grams_of(token_a, length), grams_of(token_b, length)
    head, _, _ = gram_table(gram_b)
    mask = len(head) - 1
    reached = 0
    for i in range(len(gram_a)):
        if not counts[i]:
            continue
        slot = gram_a[i] & mask
        while head[slot] >= 0 and gram_b[head[slot]] != gram_a[i]:
            slot = (slot + 1) & mask
        if head[slot] >= 0:
            for j in range(max(i, reached), i + length):
                marked[j] = True
            reached = i + length
    return marked
