"""Summaries: a stretch of the short text whose words nearly all occur in the long one.

One-sided evidence: containment instead of agreement of both bags. The source side is "this
stretch or the whole document" and should be shown as such.

The functions on arrays here are the readable form; `kernels` holds the same ones compiled.
"""

from __future__ import annotations

import numpy as np

from ..model import F64, I32, I64, Bools


def best_segment(value: F64, taken: Bools, drop: float) -> tuple[int, int, float]:
    """Return the maximum-sum segment that meets no taken position: start, end, sum.

    The running sum starts anew when it falls `drop` below its peak.
    """
    best, start, stop = 0.0, 0, 0
    total, peak, first = 0.0, 0.0, 0
    for i in range(len(value)):
        if taken[i]:
            total, peak, first = 0.0, 0.0, i + 1
            continue
        if total <= 0.0 or peak - total > drop:
            total, peak, first = 0.0, 0.0, i
        total += value[i]
        peak = max(peak, total)
        if total > best:
            best, start, stop = total, first, i + 1
    return start, stop, best


def explained_weight(
    local_a: I32, local_b: I32, weight: F64, rects: I64, start: int, stop: int
) -> float:
    """Return the weight of positions in [start, stop) that a rectangle already accounts for.

    A position counts when it lies in the a-span of a rectangle whose b-span holds its feature.
    """
    explained = np.zeros(stop - start, np.bool_)
    held = np.zeros(len(weight), np.bool_)
    for r in range(len(rects)):
        low, high = max(start, rects[r, 0]), min(stop, rects[r, 1])
        if low >= high:
            continue
        for j in range(rects[r, 2], rects[r, 3]):
            held[local_b[j]] = True
        for i in range(low, high):
            if held[local_a[i]]:
                explained[i - start] = True
        for j in range(rects[r, 2], rects[r, 3]):
            held[local_b[j]] = False
    total = 0.0
    for i in range(stop - start):
        if explained[i]:
            total += weight[local_a[start + i]]
    return total
