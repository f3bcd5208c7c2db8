"""A result at another threshold, and what that does to its clusters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..clustering import clusters, links, membership
from ..errors import BadInput
from ..model import F64, NO_DISTANCE, U16
from ..result import CheckResult, ThresholdView
from ..settings import Settings
from ..simhash.false_alarms import prior_share, unrelated_curve
from ..simhash.fingerprint import hamming


@dataclass(frozen=True, slots=True)
class SourceShare:
    """How much of one document is found in another."""

    row: int  # of the other document
    table_row: int
    share: float  # of the document's characters
    back: float  # share of the other's characters found in the document
    longest: int
    passages: int
    distance: int
    chance: float  # as in `PairTable`


def at_threshold(result: CheckResult, k: int) -> ThresholdView:
    """See the result at background threshold `k`; the batch signature moves to the same risk.

    Raises
    ------
    BadInput
        `beyond_reach`: the table is complete up to `result.complete_up_to` bits and no farther.
    """
    if not 0 <= k <= result.complete_up_to:
        raise BadInput("beyond_reach", k=k, reach=result.complete_up_to)
    batch_k = result.limits.batch_at(k)
    joined, by_passages = links(result.table, k, batch_k)
    groups = clusters(
        joined, len(result.documents), result.fingerprints.words, by_passages=by_passages
    )
    return ThresholdView(
        threshold=k,
        batch_threshold=batch_k,
        within=result.table.within(k, batch_k),
        listed=result.table.listed(k, batch_k),
        expected_false_pairs=result.limits.expected(k),
        clusters=tuple(groups),
        cluster_of=membership(groups, len(result.documents)),
    )


def expected_false(result: CheckResult, k: int) -> float:
    """Return how many unrelated pairs to expect in this batch within `k` bits."""
    return result.limits.expected(k)


def expected_before(documents: int, settings: Settings) -> float:
    """Return the expected false pairs of a batch that has not been read yet.

    The share comes from texts on one subject, the hardest case that was measured.
    """
    pairs = documents * (documents - 1) / 2
    if settings.threshold is None:
        return min(settings.expected_false, pairs)
    return float(prior_share(settings.bits)[min(settings.threshold, settings.bits)] * pairs)


def expected_curve(result: CheckResult) -> F64:
    """Return how many unrelated pairs to expect at each distance, float64 (bits + 1,)."""
    return unrelated_curve(result.distances)


def distance_matrix(result: CheckResult, rows: Sequence[int]) -> U16:
    """Return uint16 (r, r): distances between documents, 65535 where one has no fingerprint."""
    fingerprints = result.fingerprints
    words, valid = fingerprints.words[list(rows)], fingerprints.valid[list(rows)]
    distance = hamming(words[:, None, :], words[None, :, :]).astype(np.uint16)
    distance[~(valid[:, None] & valid[None, :])] = NO_DISTANCE
    return distance


def source_shares(result: CheckResult, row: int) -> list[SourceShare]:
    """Return what of one document is found where, largest share first."""
    table = result.table
    touching = (table.pairs.left == row) | (table.pairs.right == row)
    shares = []
    for index in np.flatnonzero(touching & (table.passages > 0)):
        first = table.pairs.left[index] == row
        mine, theirs = table.coverage_a[index], table.coverage_b[index]
        shares.append(
            SourceShare(
                row=int(table.pairs.right[index] if first else table.pairs.left[index]),
                table_row=int(index),
                share=float(mine if first else theirs),
                back=float(theirs if first else mine),
                longest=int(table.longest[index]),
                passages=int(table.passages[index]),
                distance=int(table.pairs.distance[index]),
                chance=float(table.chance[index]),
            )
        )
    return sorted(shares, key=lambda s: (-s.share, s.row))


# --------------------------------------------------------------------------- clusters


@dataclass(frozen=True, slots=True)
class Split:
    """At `threshold` bits the members fall into `parts` of two or more, and the rest alone."""

    threshold: int
    parts: tuple[tuple[int, ...], ...]
    alone: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Growth:
    """At `threshold` bits the cluster takes in `joined`; `merged` were another cluster."""

    threshold: int
    joined: tuple[int, ...]
    merged: tuple[tuple[int, tuple[int, ...]], ...]  # (index of the cluster before, its members)
    member: int  # the closest link between the two sides
    newcomer: int


def cluster_splits(
    members: Sequence[int], k: int, at: Callable[[int], ThresholdView], *, most: int = 2
) -> list[Split]:
    """Return the first thresholds below `k` at which a cluster falls into more parts.

    `at(threshold)` is the result seen at a threshold; callers should cache it.

    Notes
    -----
    A smaller threshold only removes links, so being in one piece is monotone and each answer
    takes a binary search: some log2(k) views.
    """
    below: list[Split] = []
    count, high = 1, k
    while len(below) < most and high > 0:
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
        below.append(split)
        count, high = len(split.parts) + len(split.alone), low
    return below


def cluster_growth(
    members: Sequence[int],
    k: int,
    top: int,
    result: CheckResult,
    at: Callable[[int], ThresholdView],
    *,
    most: int = 2,
) -> list[Growth]:
    """Return the first thresholds above `k` and up to `top` at which a cluster takes in others."""
    above: list[Growth] = []
    while len(above) < most and k < top and _size(members[0], at(top)) > len(members):
        k, before = _grown(members, k, top, at), at(k)
        after = at(k)
        joined = after.clusters[int(after.cluster_of[members[0]])].members
        new = tuple(sorted(set(joined) - set(members)))
        indices = sorted({int(before.cluster_of[row]) for row in new} - {-1})
        merged = tuple((index, before.clusters[index].members) for index in indices)
        above.append(Growth(k, new, merged, *_link(result, members, new)))
        members = joined
    return above


def _grown(members: Sequence[int], k: int, top: int, at: Callable[[int], ThresholdView]) -> int:
    """Return the first threshold in (k, top] at which the cluster is larger; there is one."""
    low, high = k + 1, top
    while low < high:
        middle = (low + high) // 2
        if _size(members[0], at(middle)) > len(members):
            high = middle
        else:
            low = middle + 1
    return low


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


def _link(result: CheckResult, members: Sequence[int], new: Sequence[int]) -> tuple[int, int]:
    """Return the closest pair of a member and a newcomer."""
    left, right = result.table.pairs.left, result.table.pairs.right
    inside = np.isin(left, members)
    across = (inside & np.isin(right, new)) | (np.isin(left, new) & np.isin(right, members))
    rows = np.flatnonzero(across)
    if not len(rows):
        return members[0], new[0]
    best = rows[np.argmin(result.table.pairs.distance[rows])]
    ends = int(left[best]), int(right[best])
    return ends if inside[best] else (ends[1], ends[0])
