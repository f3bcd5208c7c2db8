"""Exact runs: maximal stretches of equal tokens, and chains of them with small gaps.

The functions on arrays here are the readable form; `native` the same ones in C.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

import numpy as np

from ..model import F64, I64, U64, Bools
from .options import AlignOptions
from .tokenized import TokenizedText
from .twins import loops

Rows = TypeVar("Rows", I64, F64)

_BASE = np.uint64(0x9E3779B97F4A7C15)


def grams_of(token: I64, k: int) -> I64:
    """Hash every k consecutive tokens, int64 (n - k + 1,), a polynomial modulo 2**64."""
    n = len(token) - k + 1
    if n <= 0:
        return np.empty(0, np.int64)
    bits = token.view(np.uint64)
    total, length = bits, 1  # hashes of `length` tokens: doubled, or one more
    for digit in f"{k:b}"[1:]:
        total = total[: len(total) - length] * _power(length) + total[length:]
        length *= 2
        if digit == "1":
            total = total[:-1] * _BASE + bits[length:]
            length += 1
    return (total ^ (total >> np.uint64(32))).view(np.int64)


def _power(length: int) -> np.uint64:
    return np.uint64(pow(int(_BASE), length, 2**64))


def equal_pairs(gram_a: I64, gram_b: I64) -> int:
    """Return how many pairs of equal grams two texts have."""
    distinct_a, count_a = np.unique(gram_a, return_counts=True)
    distinct_b, count_b = np.unique(gram_b, return_counts=True)
    _, in_a, in_b = np.intersect1d(distinct_a, distinct_b, assume_unique=True, return_indices=True)
    return int(count_a[in_a] @ count_b[in_b])


def longest_common(token_a: I64, token_b: I64) -> tuple[int, int]:
    """Return where in a the longest run of tokens begins that b holds too, and its length.

    Notes
    -----
    Binary search over the length, one sort of hashed grams a step: O(n log² n) however often
    the texts repeat themselves, where listing the runs is quadratic. The find is confirmed token
    by token at both places; a shorter one is returned should two grams share a hash.
    """
    low, high, best = 0, min(len(token_a), len(token_b)), (0, 0)
    sums_a, sums_b = _prefix_sums(token_a), _prefix_sums(token_b)
    powers = _powers(high)
    while low < high:
        length = (low + high + 1) // 2
        gram_a, gram_b = (
            sums[length:] - sums[: len(sums) - length] * powers[length] for sums in (sums_a, sums_b)
        )
        _, in_a, in_b = np.intersect1d(gram_a, gram_b, return_indices=True)
        same = len(in_a) > 0 and np.array_equal(
            token_a[in_a[0] : in_a[0] + length], token_b[in_b[0] : in_b[0] + length]
        )
        if same:
            low, best = length, (int(in_a[0]), length)
        else:
            high = length - 1
    return best


def _powers(n: int) -> U64:
    """Return _BASE to the powers 0 to n, modulo 2**64."""
    return np.cumprod(np.concatenate([[np.uint64(1)], np.full(n, _BASE)]), dtype=np.uint64)


def _prefix_sums(token: I64) -> U64:
    """Return the polynomial hash of every prefix: h[i + 1] = h[i] * _BASE + token[i]."""
    n = len(token)
    inverse = np.uint64(pow(int(_BASE), -1, 2**64))  # odd, hence invertible modulo 2**64
    inverses = np.cumprod(np.full(n + 1, inverse), dtype=np.uint64)  # _BASE ** -(i + 1)
    scaled = np.cumsum(token.view(np.uint64) * inverses[:n], dtype=np.uint64)
    return np.concatenate([[np.uint64(0)], scaled * _powers(n)[1:]])


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


def runs_of(a: TokenizedText, b: TokenizedText, options: AlignOptions) -> I64:
    """Return the exact runs of two texts, int64 (r, 3): a, b, length."""
    k = options.gram
    grams = grams_of_text(a, k), grams_of_text(b, k)
    runs: I64 = loops.find_runs(a.token, b.token, *grams, k, options.gram_repeats)
    return runs


@lru_cache(maxsize=4)  # a template is compared with many texts
def grams_of_text(text: TokenizedText, k: int) -> I64:
    """Return the grams of a text."""
    return grams_of(text.token, k)
