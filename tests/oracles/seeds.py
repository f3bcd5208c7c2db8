"""Where the growth of passages begins: exact chains, and windows that hold the same words."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
from oracles.exact import covered_before
from oracles.places import COSINE, STEP, WINDOW

from simhash_core.model import F64, I32, I64, Bools
from simhash_core.passages.options import Numbered

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
    cover_a, cover_b = (
        covered_before(chains[:, 2 * side], chains[:, 2 * side + 1], sizes[side]) for side in (0, 1)
    )
    if 2 * cover_a[-1] < len(cover_a) or 2 * cover_b[-1] < len(cover_b):
        return look_a, look_b
    leave_free(look_a, cover_a, width, step)
    leave_free(look_b, cover_b, width, step)
    return look_a, look_b


def leave_free(looked: Bools, cover: I64, width: int, step: int) -> None:
    """Leave only the windows that lie far enough outside the chains."""
    for window in range(len(looked)):
        low = min(window * step, len(cover) - 1)
        high = min(low + width, len(cover) - 1)
        free = (high - low) - (cover[high] - cover[low])
        looked[window] = free >= LEAST_FREE * (high - low)


def spans_of(chains: I64, seeds: F64, sizes: tuple[int, int], width: int) -> I64:
    """Return what begins to grow, int64 (s, 4): the chains, longest first, then the windows."""
    longest = np.argsort(chains[:, 0] - chains[:, 1], kind="stable")
    low = seeds[:, :2].astype(np.int64)
    high = np.minimum(low + width, sizes)
    windows = np.stack([low[:, 0], high[:, 0], low[:, 1], high[:, 1]], axis=1)
    return np.concatenate([chains[longest, :4], windows])


def window_count(n: int, width: int, step: int) -> int:
    """Return how many windows cover n tokens; the last may be shorter."""
    return 1 + max(0, (n - width + step - 1) // step)


def values_in(local: I32, weight: F64) -> dict[int, float]:
    """Return what each feature of a window counts, min(tf, 2) w, in the order of its tokens."""
    return {t: min(n, 2) * float(weight[t]) for t, n in Counter(local.tolist()).items()}


def norm_of(values: dict[int, float]) -> float:
    square = 0.0
    for value in values.values():
        square += value * value
    return math.sqrt(square)


def best_seeds(seeds: list[tuple[int, int, float]], most: int) -> list[tuple[int, int, float]]:
    """Return the `most` seeds with the largest cosine, best first, equal ones in their order."""
    return sorted(seeds, key=lambda seed: -seed[2])[:most]


def window_seeds(
    local_a: I32,
    local_b: I32,
    weight: F64,
    width: int,
    step: int,
    floor: float,
    most: int,
    looked_a: Bools,
    looked_b: Bools,
) -> F64:
    """Return the `most` closest pairs of windows, best first: (m, 3) first tokens and cosine.

    Only pairs with cosine at least `floor` of windows with `looked_a` and `looked_b` count. At
    most four times `most` are ever held, however repetitive the texts are.
    """
    norms, postings = {}, defaultdict(list)  # feature -> windows of b and what it counts there
    for low in (np.flatnonzero(looked_b) * step).tolist():
        values = values_in(local_b[low : low + width], weight)
        norms[low] = norm_of(values)
        for t, value in values.items():
            postings[t].append((low, value))
    seeds: list[tuple[int, int, float]] = []
    for low in (np.flatnonzero(looked_a) * step).tolist():
        values = values_in(local_a[low : low + width], weight)
        dot: defaultdict[int, float] = defaultdict(float)
        for t, value in values.items():
            for other, of_other in postings[t] if value > 0.0 else ():
                dot[other] += value * of_other
        norm = norm_of(values)
        for other in sorted(dot):
            cosine = dot[other] / (norm * norms[other]) if dot[other] > 0.0 else -1.0
            if cosine >= floor and len(seeds) == 4 * most:
                seeds = best_seeds(seeds, most)
                # of equal ones the first stay: a later one must be better
                floor = float(np.nextafter(seeds[-1][2], 2.0))
            if cosine >= floor:
                seeds.append((low, other, cosine))
    return np.array(best_seeds(seeds, most), np.float64).reshape(-1, 3)
