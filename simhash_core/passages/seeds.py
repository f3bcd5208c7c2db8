"""Where the growth of passages begins: exact chains, and windows that hold the same words.

The functions on arrays here are the readable form; `kernels` holds the same ones compiled.
"""

from __future__ import annotations

import math

import numpy as np

from ..model import F64, I32, I64, Bools
from .numbered import COSINE, STEP, WINDOW, Numbered
from .rectangles import put
from .windows import window_count, window_seeds

MOST_SEEDS = 3000
BOOK_TOKENS = 20_000
BOOK_STEP = 40
LEAST_FREE = 0.2  # of a window outside the exact chains of a copy: else it is no seed
#: pairs of equal features that the windows of two texts may compare. Two English books of 300,000
#: words need half of it, text that repeats itself more. About a nanosecond each.
MOST_EQUAL = 3_000_000_000.0


def windows_alike(both: Numbered, chains: I64, numbers: F64) -> F64:
    """Return the closest pairs of windows, best first: (m, 3) first tokens and cosine.

    `chains` are the exact chains of the pair.
    """
    local_a, local_b, weight = both.local_a, both.local_b, both.weight
    width, step = int(numbers[WINDOW]), int(numbers[STEP])
    step = affordable_step(local_a, local_b, weight, BOOK_STEP if is_book(both) else step, width)
    look_a, look_b = looked_at(chains, (len(local_a), len(local_b)), width, step)
    return window_seeds(
        local_a, local_b, weight, width, step, numbers[COSINE], MOST_SEEDS, look_a, look_b
    )


def is_book(both: Numbered) -> bool:
    """Whether a text is so long that seeds lie farther apart and more of them are grown."""
    return max(len(both.local_a), len(both.local_b)) > BOOK_TOKENS


def affordable_step(local_a: I32, local_b: I32, weight: F64, step: int, width: int) -> int:
    """Return the step of the windows, larger where their comparison would cost too much.

    The cost is the pairs of equal features in two windows, which grows with the square of the
    length where a text repeats itself.
    """
    if len(local_a) * len(local_b) * width * width <= MOST_EQUAL * step * step:
        return step
    in_a, equal = np.zeros(len(weight), np.int64), 0
    for t in local_a:
        in_a[t] += 1
    for t in local_b:
        equal += in_a[t]
    return max(step, math.ceil(math.sqrt(equal / MOST_EQUAL) * width))


def looked_at(chains: I64, sizes: tuple[int, int], width: int, step: int) -> tuple[Bools, Bools]:
    """Return which windows of a and b may seed a passage that the exact chains do not hold.

    Where chains cover most of both texts, windows inside them lead back to the chains.
    """
    look_a = np.ones(window_count(sizes[0], width, step), np.bool_)
    look_b = np.ones(window_count(sizes[1], width, step), np.bool_)
    if not len(chains):
        return look_a, look_b
    cover_a, cover_b = covered_before(chains, 0, sizes[0]), covered_before(chains, 1, sizes[1])
    if 2 * cover_a[-1] < len(cover_a) or 2 * cover_b[-1] < len(cover_b):
        return look_a, look_b
    leave_free(look_a, cover_a, width, step)
    leave_free(look_b, cover_b, width, step)
    return look_a, look_b


def covered_before(chains: I64, side: int, n: int) -> I64:
    """Return how many of the first i tokens of one side lie in a chain, int64 (n + 1,)."""
    change = np.zeros(n + 1, np.int64)
    for c in range(len(chains)):
        change[chains[c, 2 * side]] += 1
        change[chains[c, 2 * side + 1]] -= 1
    cover, depth = np.zeros(n + 1, np.int64), 0
    for i in range(n):
        depth += change[i]
        cover[i + 1] = cover[i] + (1 if depth > 0 else 0)
    return cover


def leave_free(looked: Bools, cover: I64, width: int, step: int) -> None:
    """Leave only the windows that lie far enough outside the chains."""
    for window in range(len(looked)):
        low = min(window * step, len(cover) - 1)
        high = min(low + width, len(cover) - 1)
        free = (high - low) - (cover[high] - cover[low])
        looked[window] = free >= LEAST_FREE * (high - low)


def spans_of(chains: I64, seeds: F64, sizes: tuple[int, int], width: int) -> I64:
    """Return what begins to grow, int64 (s, 4): the chains, longest first, then the windows."""
    count = len(chains)
    spans = np.empty((count + len(seeds), 4), np.int64)
    for c in range(count):
        at = c
        while at > 0 and spans[at - 1, 1] - spans[at - 1, 0] < chains[c, 1] - chains[c, 0]:
            put(spans[at], spans[at - 1])
            at -= 1
        put(spans[at], chains[c])
    for s in range(len(seeds)):
        low_a, low_b = int(seeds[s, 0]), int(seeds[s, 1])
        spans[count + s, 0], spans[count + s, 1] = low_a, min(low_a + width, sizes[0])
        spans[count + s, 2], spans[count + s, 3] = low_b, min(low_b + width, sizes[1])
    return spans
