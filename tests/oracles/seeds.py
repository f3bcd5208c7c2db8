"""Where the growth of passages begins: exact chains, and windows that hold the same words."""

from __future__ import annotations

import math

import numpy as np
from oracles.growth import put
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


def window_count(n: int, width: int, step: int) -> int:
    """Return how many windows cover n tokens; the last may be shorter."""
    return 1 + max(0, (n - width + step - 1) // step)


def postings(
    local: I32, shared: I32, weight: F64, width: int, step: int, looked: Bools
) -> tuple[I64, I64, F64, F64]:
    """Return windows by feature as CSR (indptr, window, value) and the norm of each window.

    A window's value for a feature is min(tf, 2) w. Only features with `shared`, of windows with
    `looked`, are listed; all count in the norm.
    """
    windows = window_count(len(local), width, step)
    tf = np.zeros(len(weight), np.int64)
    entry = np.empty((windows * width, 2), np.int64)
    entry_value = np.empty(windows * width, np.float64)
    norm = np.zeros(windows, np.float64)
    indptr = np.zeros(len(weight) + 1, np.int64)
    filled = 0
    for win in range(windows):
        if not looked[win]:
            continue
        low, high = win * step, min(win * step + width, len(local))
        for i in range(low, high):
            tf[local[i]] += 1
        for i in range(low, high):
            t = local[i]
            if tf[t] == 0:
                continue
            value = min(tf[t], 2) * weight[t]
            tf[t] = 0
            norm[win] += value * value
            if shared[t] > 0 and value > 0.0:
                entry[filled, 0], entry[filled, 1], entry_value[filled] = t, win, value
                indptr[t + 1] += 1
                filled += 1
        norm[win] = math.sqrt(norm[win])
    for t in range(len(weight)):
        indptr[t + 1] += indptr[t]
    place = indptr[:-1].copy()
    window, values = np.empty(filled, np.int64), np.empty(filled, np.float64)
    for e in range(filled):
        t = entry[e, 0]
        window[place[t]], values[place[t]] = entry[e, 1], entry_value[e]
        place[t] += 1
    return indptr, window, values, norm


def norms(local: I32, weight: F64, width: int, step: int) -> F64:
    """Return the norm of each window of `postings`, all of them."""
    windows = window_count(len(local), width, step)
    tf, norm = np.zeros(len(weight), np.int64), np.zeros(windows, np.float64)
    low, high, square = 0, 0, 0.0
    for win in range(windows):
        while high < min(win * step + width, len(local)):
            t = local[high]
            if tf[t] < 2:
                square += (2 * tf[t] + 1) * weight[t] * weight[t]
            tf[t] += 1
            high += 1
        while low < min(win * step, high):
            t = local[low]
            tf[t] -= 1
            if tf[t] < 2:
                square -= (2 * tf[t] + 1) * weight[t] * weight[t]
            low += 1
        norm[win] = math.sqrt(max(square, 0.0))
    return norm


def block_entries(local: I32, distinct: int, step: int) -> tuple[I64, I32, I32]:
    """Return blocks of `step` tokens by feature as CSR (indptr, block, min(tf, 2))."""
    last, count = np.full(distinct, -1, np.int64), np.zeros(distinct + 1, np.int64)
    blocks = (len(local) + step - 1) // step
    for one in range(blocks):
        for i in range(one * step, min(one * step + step, len(local))):
            t = local[i]
            if last[t] != one:
                last[t] = one
                count[t + 1] += 1
    for t in range(distinct):
        count[t + 1] += count[t]
        last[t] = -1
    indptr, place = count, count[:-1].copy()
    block, value = np.empty(count[distinct], np.int32), np.empty(count[distinct], np.int32)
    for one in range(blocks):
        for i in range(one * step, min(one * step + step, len(local))):
            t = local[i]
            if last[t] == one:
                value[place[t] - 1] = 2
            else:
                last[t] = one
                block[place[t]], value[place[t]] = one, 1
                place[t] += 1
    return indptr, block, value


def hopeful_windows(
    local_a: I32,
    local_b: I32,
    weight: F64,
    width: int,
    step: int,
    floor: float,
    looked_a: Bools,
    looked_b: Bools,
) -> tuple[Bools, Bools]:
    """Return which windows of a and b can be part of a seed; none that can is left out.

    The dot product of two windows is at most the sum of those of the blocks of `step` tokens that
    they touch, and each pair of blocks is multiplied once, not once for every pair of windows.
    """
    span = (width + step - 1) // step  # blocks that a window touches
    norm_a, norm_b = norms(local_a, weight, width, step), norms(local_b, weight, width, step)
    indptr, block, value = block_entries(local_b, len(weight), step)
    hopeful_a, hopeful_b = np.zeros(len(norm_a), np.bool_), np.zeros(len(norm_b), np.bool_)
    bars = np.full(len(norm_b), 1e300, np.float64)
    for win in range(len(norm_b)):
        if looked_b[win] and norm_b[win] > 0.0:
            bars[win] = floor * norm_b[win] * (1.0 - 1e-6)  # sums in another order differ by less
    recent = np.zeros((span, len(norm_b) + span), np.float64)  # last blocks of a against all of b
    together, most = np.empty(len(norm_b) + span, np.float64), np.empty(len(norm_b), np.float64)
    tf = np.zeros(len(weight), np.int64)
    slot = 0
    for row in range(len(norm_a) + span - 1):
        low, high = row * step, min(row * step + step, len(local_a))
        add_block(local_a[low:high], weight, indptr, block, value, tf, recent[slot])
        slot = slot + 1 if slot + 1 < span else 0
        win = row - span + 1
        if win >= 0 and looked_a[win] and norm_a[win] > 0.0:
            hopeful_a[win] = mark_hopeful(recent, norm_a[win], bars, together, most, hopeful_b)
    return hopeful_a, hopeful_b


def add_block(
    in_block: I32, weight: F64, indptr: I64, block: I32, value: I32, tf: I64, row: F64
) -> None:
    """Write the dot products of one block with all of `block_entries`; `tf` is zero again."""
    for j in range(len(row)):
        row[j] = 0.0
    for t in in_block:
        tf[t] += 1
    for t in in_block:
        square = min(tf[t], 2) * weight[t] * weight[t]
        tf[t] = 0
        if square > 0.0:
            for p in range(indptr[t], indptr[t + 1]):
                row[block[p]] += square * value[p]


def mark_hopeful(
    recent: F64, norm: float, bars: F64, together: F64, most: F64, hopeful_b: Bools
) -> bool:
    """Mark the windows of b that may reach `bars` times the norm; return whether any does.

    `together` and `most` are work arrays. Plain loops over whole rows: these the compiler turns
    into instructions on several numbers at once.
    """
    span, windows = len(recent), len(bars)
    for j in range(len(together)):
        together[j] = recent[0, j]
    for s in range(1, span):
        for j in range(len(together)):
            together[j] += recent[s, j]
    for j in range(windows):
        most[j] = together[j]
    for s in range(1, span):
        for j in range(windows):
            most[j] += together[j + s]
    reached = 0
    for j in range(windows):
        reached += 1 if most[j] >= norm * bars[j] else 0
    if reached == 0:
        return False
    for j in range(windows):
        if most[j] >= norm * bars[j]:
            hopeful_b[j] = True
    return True


def best_seeds(seeds: F64, most: int) -> F64:
    """Return the `most` seeds with the largest cosine, best first, equal ones in their order."""
    order = np.argsort(-seeds[:, 2], kind="mergesort")
    return seeds[order[:most]]


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
    looked_a, looked_b = hopeful_windows(
        local_a, local_b, weight, width, step, floor, looked_a, looked_b
    )
    if not looked_a.any():
        return np.empty((0, 3), np.float64)
    shared = np.zeros(len(weight), np.int32)
    for win in range(len(looked_a)):
        if looked_a[win]:
            for i in range(win * step, min(win * step + width, len(local_a))):
                shared[local_a[i]] = 1
    indptr, window, values, norm_b = postings(local_b, shared, weight, width, step, looked_b)
    tf = np.zeros(len(weight), np.int64)
    dot = np.zeros(len(norm_b), np.float64)
    seeds, n_seeds = np.empty((4 * most, 3), np.float64), 0
    for win in range(window_count(len(local_a), width, step)):
        if not looked_a[win]:
            continue
        low, high = win * step, min(win * step + width, len(local_a))
        for i in range(low, high):
            tf[local_a[i]] += 1
        square = 0.0
        for i in range(low, high):
            t = local_a[i]
            value = min(tf[t], 2) * weight[t]  # 0 from the second time on
            tf[t] = 0
            square += value * value
            if value > 0.0:
                for p in range(indptr[t], indptr[t + 1]):
                    dot[window[p]] += value * values[p]
        for other in range(len(norm_b)):
            if dot[other] > 0.0:
                cosine = dot[other] / (math.sqrt(square) * norm_b[other])
                dot[other] = 0.0
                if cosine >= floor:
                    if n_seeds == len(seeds):
                        best = best_seeds(seeds, most)
                        for row in range(most):  # a slice would be compiled in two seconds
                            for column in range(3):
                                seeds[row, column] = best[row, column]
                        # of equal ones the first stay: a later one must be better
                        floor = np.nextafter(seeds[most - 1, 2], 2.0)
                        n_seeds = most
                        if cosine < floor:
                            continue
                    seeds[n_seeds, 0], seeds[n_seeds, 1] = low, other * step
                    seeds[n_seeds, 2] = cosine
                    n_seeds += 1
    return best_seeds(seeds[:n_seeds], most)
