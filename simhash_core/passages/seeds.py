"""Where the growth of passages begins: pairs of windows that hold the same words."""

from __future__ import annotations

import math

import numpy as np

from ..model import F64, I64, Bools
from .pair import Pair, loops

MOST_SEEDS = 3000
BOOK_TOKENS = 20_000
BOOK_STEP = 40
LEAST_FREE = 0.2  # of a window outside the exact chains of a copy: else it is no seed
#: pairs of equal features that the windows of two texts may compare. Two English books of 300,000
#: words need half of it, text that repeats itself more. About a nanosecond each.
MOST_EQUAL = 3_000_000_000


def is_book(pair: Pair) -> bool:
    """Whether a text is so long that seeds lie farther apart and more of them are grown."""
    return max(len(pair.a), len(pair.b)) > BOOK_TOKENS


def windows_alike(pair: Pair, exact: I64) -> F64:
    """Return the closest pairs of windows, best first: (m, 3) first tokens and cosine.

    `exact` are the exact chains of the pair.
    """
    options = pair.options
    step = _affordable_step(pair, BOOK_STEP if is_book(pair) else options.step)
    seeds: F64 = loops.window_seeds(
        pair.local_a,
        pair.local_b,
        pair.weight,
        options.window,
        step,
        options.cosine,
        MOST_SEEDS,
        *_looked_at(pair, exact, step),
    )
    return seeds


def _affordable_step(pair: Pair, step: int) -> int:
    """Return the step of the windows, larger where their comparison would cost too much.

    The cost is the pairs of equal features in two windows, which grows with the square of the
    length where a text repeats itself.
    """
    size = len(pair.weight)
    equal = np.bincount(pair.local_a, minlength=size) @ np.bincount(pair.local_b, minlength=size)
    dense = math.sqrt(float(equal) / MOST_EQUAL) * pair.options.window
    return max(step, math.ceil(dense))


def _looked_at(pair: Pair, exact: I64, step: int) -> tuple[Bools, Bools]:
    """Return which windows of a and b may seed a passage that the exact chains do not hold.

    Where chains cover most of both texts, windows inside them lead back to the chains.
    """
    if not len(exact):
        sizes = (len(pair.a), len(pair.b))
        counts = [loops.window_count(size, pair.options.window, step) for size in sizes]
        return np.ones(counts[0], np.bool_), np.ones(counts[1], np.bool_)
    covers = [_covered_by(exact, side, n) for side, n in enumerate((len(pair.a), len(pair.b)))]
    copied = all(2 * cover[-1] >= len(cover) for cover in covers)
    looked = []
    for cover in covers:
        count = loops.window_count(len(cover) - 1, pair.options.window, step)
        low = np.minimum(np.arange(count) * step, len(cover) - 1)
        high = np.minimum(low + pair.options.window, len(cover) - 1)
        free = (high - low) - (cover[high] - cover[low])
        looked.append(free >= LEAST_FREE * (high - low) if copied else np.ones(count, np.bool_))
    return looked[0], looked[1]


def _covered_by(chains: I64, side: int, n: int) -> I64:
    """Return how many of the first i tokens of one side lie in a chain, int64 (n + 1,)."""
    change = np.zeros(n + 1, np.int64)
    np.add.at(change, chains[:, 2 * side], 1)
    np.add.at(change, chains[:, 2 * side + 1], -1)
    return np.concatenate([[0], np.cumsum(np.cumsum(change)[:n] > 0)]).astype(np.int64)
