"""What happens to one cluster when the threshold moves: where it splits, where it grows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from simhash_core import CheckResult, ThresholdView


@dataclass(frozen=True, slots=True)
class Split:
    """At `threshold` bits the members fall into `parts` of two or more, and the rest alone."""

    threshold: int
    parts: tuple[tuple[int, ...], ...]
    alone: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """At `threshold` bits the cluster takes in `joined`; `merged` were a cluster of their own."""

    threshold: int
    joined: tuple[int, ...]
    merged: tuple[tuple[int, tuple[int, ...]], ...]  # (index of the cluster now, its members)
    via: int  # the newcomer with the closest link


def splits(
    members: Sequence[int], k: int, at: Callable[[int], ThresholdView], *, most: int = 2
) -> list[Split]:
    """Return the first thresholds below `k` at which a cluster falls into more parts.

    Notes
    -----
    A smaller threshold only removes links, so being in one piece is monotone and each answer
    takes a binary search: some log2(k) views.
    """
    found: list[Split] = []
    count, high = 1, k
    while len(found) < most and high > 0:
        low, top = 0, high - 1  # the largest threshold with more pieces lies in [low, top], if any
        if _pieces(members, at(0)) <= count:
            break
        while low < top:
            middle = (low + top + 1) // 2
            if _pieces(members, at(middle)) > count:
                low = middle
            else:
                top = middle - 1
        split = _split(members, low, at(low))
        found.append(split)
        count, high = len(split.parts) + len(split.alone), low
    return found


def growth(
    members: Sequence[int],
    k: int,
    top: int,
    result: CheckResult,
    at: Callable[[int], ThresholdView],
) -> Growth | None:
    """Return the first threshold above `k` and up to `top` at which the cluster takes in others."""
    row, size = members[0], len(members)
    if k >= top or _size(row, at(top)) <= size:
        return None
    low, high = k + 1, top
    while low < high:
        middle = (low + high) // 2
        if _size(row, at(middle)) > size:
            high = middle
        else:
            low = middle + 1
    after, now = at(low), at(k)
    grown = after.clusters[int(after.cluster_of[row])].members
    joined = tuple(sorted(set(grown) - set(members)))
    indices = sorted({int(now.cluster_of[other]) for other in joined} - {-1})
    merged = tuple((index, now.clusters[index].members) for index in indices)
    return Growth(low, joined, merged, _nearest(result, members, joined))


def _pieces(members: Sequence[int], view: ThresholdView) -> int:
    of = view.cluster_of[list(members)]
    return len(np.unique(of[of >= 0])) + int((of < 0).sum())


def _size(row: int, view: ThresholdView) -> int:
    index = int(view.cluster_of[row])
    return len(view.clusters[index].members) if index >= 0 else 1


def _split(members: Sequence[int], k: int, view: ThresholdView) -> Split:
    of = view.cluster_of[list(members)]
    rows = np.asarray(members)
    parts = [tuple(rows[of == index].tolist()) for index in np.unique(of[of >= 0])]
    parts.sort(key=lambda part: (-len(part), part))
    return Split(k, tuple(parts), tuple(rows[of < 0].tolist()))


def _nearest(result: CheckResult, members: Sequence[int], joined: Sequence[int]) -> int:
    """Return the newcomer with the closest pair to a member."""
    left, right = result.table.pairs.left, result.table.pairs.right
    across = (np.isin(left, members) & np.isin(right, joined)) | (
        np.isin(left, joined) & np.isin(right, members)
    )
    rows = np.flatnonzero(across)
    if not len(rows):
        return joined[0]
    best = rows[np.argmin(result.table.pairs.distance[rows])]
    return int(left[best] if int(left[best]) in set(joined) else right[best])
