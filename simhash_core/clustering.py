"""From pairs to groups: connected components to find, a star cover to report.

A chain of close pairs can join texts that have nothing to do with each other: Hamming distance
obeys the triangle inequality, so ten links of 3 bits only bound the ends by 30. Components are
therefore what a search returns, and the star cover is what is shown: each member has direct
evidence for its centre.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from . import graphs
from .model import I64, U64, Bools, Pairs
from .policy import PASSAGE_LINK
from .result import Cluster, PairTable

BRIDGES_UP_TO = 300  # members; in larger groups a single link says nothing any more
_BLOCK = 256  # rows of a distance matrix held at once


def links(table: PairTable, threshold: int, batch_threshold: int) -> tuple[Pairs, Bools]:
    """Pairs that join documents into clusters, and which of them rest on passages alone."""
    near = table.within(threshold, batch_threshold)
    shares = table.few_shares.max(axis=1, initial=0)  # what many hold joins nobody
    joined = near | (shares >= PASSAGE_LINK)
    pairs = Pairs(table.pairs.left[joined], table.pairs.right[joined], table.pairs.distance[joined])
    return pairs, ~near[joined]


def clusters(
    pairs: Pairs, n: int, words: U64, *, by_passages: Bools | None = None
) -> list[Cluster]:
    """Group documents that are linked by evidence.

    Parameters
    ----------
    pairs : Pairs                     the links; distance in bits
    n : int                           number of documents
    words : uint64 (n, W)             fingerprints, for the diameter
    by_passages : bool (m,), optional links that rest on shared passages alone

    Returns
    -------
    list of Cluster                   largest first, then by first member

    Notes
    -----
    Independent of the order of `pairs`. The centre is the member with the most links, then the
    smallest sum of distances, then the smallest row.
    """
    if not len(pairs):
        return []
    passages = np.zeros(len(pairs), bool) if by_passages is None else by_passages
    labels = graphs.component_labels(pairs.left, pairs.right, n)
    order = np.argsort(labels[pairs.left], kind="stable")
    cuts = np.flatnonzero(np.diff(labels[pairs.left][order])) + 1
    bounds = [0, *cuts.tolist(), len(order)]
    single = [low for low, high in pairwise(bounds) if high == low + 1]
    groups = _couples(pairs, order[single], passages, words)
    groups += [
        _describe(pairs, order[low:high], passages, words)
        for low, high in pairwise(bounds)
        if high > low + 1
    ]
    return sorted(groups, key=lambda c: (-len(c.members), c.members[0]))


def membership(groups: Sequence[Cluster], n: int) -> I64:
    """Return int64 (n,): index of the cluster of each row, -1 outside."""
    of = np.full(n, -1, np.int64)
    for index, cluster in enumerate(groups):
        of[list(cluster.members)] = index
    return of


def star_cover(left: I64, right: I64, distance: I64, size: int) -> I64:
    """Return int64 (size,): the centre of each node of a connected graph.

    Greedy: the uncovered node with the most links, then the smallest sum of distances, takes its
    uncovered neighbours as satellites.
    """
    degree = np.bincount(left, minlength=size) + np.bincount(right, minlength=size)
    near = np.bincount(left, distance, size) + np.bincount(right, distance, size)
    ends = np.concatenate([left, right])
    neighbour = np.concatenate([right, left])[np.argsort(ends, kind="stable")]
    starts = np.concatenate([[0], np.cumsum(degree)])
    centre = np.full(size, -1, np.int64)
    for node in np.lexsort((np.arange(size), near, -degree)):
        if centre[node] < 0:
            around = neighbour[starts[node] : starts[node + 1]]
            centre[around[centre[around] < 0]] = node
            centre[node] = node
    return centre


def _couples(pairs: Pairs, rows: I64, passages: Bools, words: U64) -> list[Cluster]:
    """Build the clusters of two members, all at once: there can be thousands of them."""
    left, right = pairs.left[rows], pairs.right[rows]
    apart = np.bitwise_count(words[left] ^ words[right]).sum(axis=1, dtype=np.int64)
    columns = (left, right, pairs.distance[rows], passages[rows].astype(np.int64), apart)
    return [
        Cluster(
            members=(a, b),
            centre=a,
            centres=(a, a),
            links=1,
            passage_links=by_passages,
            density=1.0,
            weakest=(a, b, distance),
            diameter=diameter,
            bridges=(),
        )
        for a, b, distance, by_passages, diameter in zip(
            *map(np.ndarray.tolist, columns), strict=True
        )
    ]


def _describe(pairs: Pairs, rows: I64, passages: Bools, words: U64) -> Cluster:
    """Build one cluster from the pair rows that belong to it."""
    left, right = pairs.left[rows], pairs.right[rows]
    distance = pairs.distance[rows].astype(np.int64)
    members, local = np.unique(np.concatenate([left, right]), return_inverse=True)
    a, b, size = local[: len(rows)], local[len(rows) :], len(members)
    centres = star_cover(a, b, distance, size)
    stars = np.bincount(centres, minlength=size)
    weakest = int(np.lexsort((right, left, -distance))[0])
    return Cluster(
        members=tuple(members.tolist()),
        centre=int(members[np.argmax(stars)]),
        centres=tuple(members[centres].tolist()),
        links=len(rows),
        passage_links=int(passages[rows].sum()),
        density=len(rows) / (size * (size - 1) / 2),
        weakest=(int(left[weakest]), int(right[weakest]), int(distance[weakest])),
        diameter=_diameter(words[members]),
        bridges=_bridges(left, right) if size <= BRIDGES_UP_TO else (),
    )


def _diameter(words: U64) -> int:
    """Largest Hamming distance between any two rows."""
    largest = 0
    for start in range(0, len(words), _BLOCK):
        block = words[start : start + _BLOCK, None, :] ^ words[None, :, :]
        largest = max(largest, int(np.bitwise_count(block).sum(axis=2, dtype=np.int64).max()))
    return largest


def _bridges(left: I64, right: I64) -> tuple[tuple[int, int], ...]:
    """Return the links whose removal would split the group; none in groups of two.

    Notes
    -----
    Two spanning forests are searched, one of the links and one of what the first leaves over: they
    have the same bridges as all links [1]_, and fewer than two links a member.

    References
    ----------
    .. [1] Nagamochi, Ibaraki, "A linear-time algorithm for finding a sparse k-connected spanning
       subgraph of a k-connected graph", Algorithmica 7 (1992).
    """
    if len(left) < 2:
        return ()
    first = _spanning_forest(left, right)
    rest = np.delete(np.arange(len(left)), first)
    rows = np.concatenate([first, rest[_spanning_forest(left[rest], right[rest])]])
    return graphs.bridges(zip(left[rows].tolist(), right[rows].tolist(), strict=True))


def _spanning_forest(left: I64, right: I64) -> I64:
    """Return int64: which links, by their place, make a spanning forest."""
    rows, local = np.unique(np.concatenate([left, right]), return_inverse=True)
    of_left, of_right = local.reshape(2, -1)
    return graphs.spanning_forest(of_left, of_right, np.arange(len(left)), len(rows))
