"""Where a passage begins and ends: each border moves to the best place near it.

The functions on arrays here are the readable form; `kernels` holds the same ones compiled.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..model import F64, I32, I64
from .reworded import tally


def snap_end(
    local: I32,
    limit: I64,
    used: I64,
    weight: F64,
    theta: float,
    radius: int,
    bonus: F64,
    border: NDArray[np.uint8],
    span: tuple[int, int],
) -> int:
    """Move the end of a span to the best place within `radius` tokens.

    A place is worth the score gained by moving there (a matched token pays w (1 - theta), an
    unmatched one costs theta w) and `bonus` by the class of the border.
    """
    low, end = span
    tally(local, low, end, used, 1)
    best, at, total = bonus[border[end]], end, 0.0
    i = end
    while i > low + 1 and end - i < radius:
        i -= 1
        t = local[i]
        total -= weight[t] * (1.0 - theta) if used[t] <= limit[t] else -theta * weight[t]
        used[t] -= 1
        if total + bonus[border[i]] > best:
            best, at = total + bonus[border[i]], i
    tally(local, i, end, used, 1)
    total, i = 0.0, end
    while i < len(local) and i - end < radius:
        t = local[i]
        total += weight[t] * (1.0 - theta) if used[t] < limit[t] else -theta * weight[t]
        used[t] += 1
        i += 1
        if total + bonus[border[i]] > best:
            best, at = total + bonus[border[i]], i
    for j in range(low, i):
        used[local[j]] = 0
    return at


def snap_start(
    local: I32,
    limit: I64,
    used: I64,
    weight: F64,
    theta: float,
    radius: int,
    bonus: F64,
    border: NDArray[np.uint8],
    span: tuple[int, int],
) -> int:
    """Move the start of a span to the best place within `radius` tokens; see `snap_end`."""
    start, high = span
    tally(local, start, high, used, 1)
    best, at, total = bonus[border[start]], start, 0.0
    i = start
    while i < high - 1 and i - start < radius:
        t = local[i]
        total -= weight[t] * (1.0 - theta) if used[t] <= limit[t] else -theta * weight[t]
        used[t] -= 1
        i += 1
        if total + bonus[border[i]] > best:
            best, at = total + bonus[border[i]], i
    tally(local, start, i, used, 1)
    total, i = 0.0, start
    while i > 0 and start - i < radius:
        i -= 1
        t = local[i]
        total += weight[t] * (1.0 - theta) if used[t] < limit[t] else -theta * weight[t]
        used[t] += 1
        if total + bonus[border[i]] > best:
            best, at = total + bonus[border[i]], i
    for j in range(i, high):
        used[local[j]] = 0
    return at


def snap(
    local: I32,
    other: I32,
    weight: F64,
    theta: float,
    radius: int,
    bonus: F64,
    border: NDArray[np.uint8],
    span: tuple[int, int],
    against: tuple[int, int],
) -> tuple[int, int]:
    """Return the span of `local` with both borders moved; `against` of `other` stays fixed."""
    limit, used = np.zeros(len(weight), np.int64), np.zeros(len(weight), np.int64)
    tally(other, against[0], against[1], limit, 1)
    end = snap_end(local, limit, used, weight, theta, radius, bonus, border, span)
    start = snap_start(local, limit, used, weight, theta, radius, bonus, border, (span[0], end))
    return start, end
