"""Pairs of windows of two texts whose words agree: where rectangles begin to grow.

The functions on arrays here are the readable form; `kernels` holds the same ones compiled.
"""

from __future__ import annotations

import math

import numpy as np

from ..model import F64, I32, I64, Bools


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
