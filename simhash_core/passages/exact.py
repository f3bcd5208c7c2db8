"""Exact runs: maximal stretches of equal tokens."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..machine.compiled import Table, loops_of
from ..model import I64, U64
from .options import AlignOptions
from .tokenized import TokenizedText

LOOPS = loops_of("passages/loops.c")

_BASE = np.uint64(0x9E3779B97F4A7C15)


def grams_of(token: I64, k: int) -> I64:
    """Hash every k consecutive tokens, int64 (n - k + 1,), a polynomial modulo 2**64."""
    n = len(token) - k + 1
    if n <= 0:
        return np.empty(0, np.int64)
    bits = token.view(np.uint64)
    total, length = bits, 1  # hashes of `length` tokens: doubled, or one more
    for digit in f"{k:b}"[1:]:
        power = np.uint64(pow(int(_BASE), length, 2**64))
        total = total[: len(total) - length] * power + total[length:]
        length *= 2
        if digit == "1":
            total = total[:-1] * _BASE + bits[length:]
            length += 1
    return (total ^ (total >> np.uint64(32))).view(np.int64)


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


def find_runs(token_a: I64, token_b: I64, gram_a: I64, gram_b: I64, k: int, repeats: int) -> I64:
    """Return maximal diagonal runs of at least k equal tokens, int64 (r, 3): a, b, length.

    Grams that occur more than `repeats` times in b start no run but may lie inside one. Sorted
    by a, then b.
    """
    runs = Table(np.int64, 3)
    tokens = (token_a, len(token_a), token_b, len(token_b))
    LOOPS.find_runs(*tokens, gram_a, len(gram_a), gram_b, len(gram_b), k, repeats, runs)
    return runs.taken()


def runs_of(a: TokenizedText, b: TokenizedText, options: AlignOptions) -> I64:
    """Return the exact runs of two texts, int64 (r, 3): a, b, length."""
    k = options.gram
    grams = grams_of_text(a, k), grams_of_text(b, k)
    return find_runs(a.token, b.token, *grams, k, options.gram_repeats)


@lru_cache(maxsize=4)  # a template is compared with many texts
def grams_of_text(text: TokenizedText, k: int) -> I64:
    """Return the grams of a text."""
    return grams_of(text.token, k)
