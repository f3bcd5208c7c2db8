"""Every pair of a batch that is close by one of its two signatures.

And groups of identical fingerprints, and how far they are written out as pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..model import I64, NO_DISTANCE, U16, Bools, Distances, Fingerprints, Pairs, Progress
from ..policy import KEEP_PAIRS, KEEP_SHARE
from ..result import Guarantee
from .fingerprint import hamming
from .search import SearchResult, all_pairs, counts_between, distance_counts, pairs_between
from .search.words import sort_pairs

CHUNK_PAIRS = 500_000  # whose fingerprints are taken out of the table at once, 16 MB a side

#: search(fingerprints, k): every pair within k bits
Search = Callable[[Fingerprints, int], SearchResult]


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Pairs with both distances, and how all other pairs are distributed.

    Attributes
    ----------
    pairs : Pairs                    background distance; every one within `complete_up_to` is there
    batch_distance : uint16 (m,)     NO_DISTANCE without a batch signature
    distances, batch_distances       counts over all pairs
    guarantees : tuple               what the search is certain to have compared, and its costs
    """

    pairs: Pairs
    batch_distance: U16
    complete_up_to: int
    distances: Distances
    batch_distances: Distances | None
    guarantees: tuple[Guarantee, ...]

    def without(self, apart: Callable[[I64, I64], Bools]) -> Neighbours:
        """Return the neighbours without the pairs that `apart(left, right)` marks, bool (m,)."""
        return self._only(~apart(self.pairs.left, self.pairs.right))

    def without_counted(self, rows: Bools) -> Neighbours:
        """Return the neighbours without some rows of `pairs`, bool (m,), nor their distances."""
        distances = self.distances.without(self.pairs.distance[rows])
        batch = self.batch_distances and self.batch_distances.without(self.batch_distance[rows])
        return replace(self._only(~rows), distances=distances, batch_distances=batch)

    def _only(self, rows: Bools) -> Neighbours:
        pairs = Pairs(self.pairs.left[rows], self.pairs.right[rows], self.pairs.distance[rows])
        return replace(self, pairs=pairs, batch_distance=self.batch_distance[rows])


def neighbours(
    background: Fingerprints,
    batch: Fingerprints | None,
    *,
    first_reference: int,
    at_least: int,
    step: Progress,
    search: Search | None = None,
) -> Neighbours:
    """Find all pairs close by either signature, as far out as a table can hold them.

    Parameters
    ----------
    background, batch : Fingerprints     of the same n rows
    first_reference : int                row at which the references begin: they are compared with
                                         the rows before, not with each other
    at_least : int                       distance up to which pairs are wanted whatever their number
    search : callable, optional          of the pairs among the rows before the references
    """
    step("pairs", 0, 2)
    distances = _counts(background, first_reference)
    complete_up_to = _complete_up_to(distances, at_least)
    search = search or _all_pairs
    pairs, facts = _within(background, first_reference, complete_up_to, search)
    step("pairs", 1, 2)
    if batch is None:
        none = np.full(len(pairs), NO_DISTANCE, np.uint16)
        step("pairs", 2, 2)
        return Neighbours(pairs, none, complete_up_to, distances, None, facts)
    batch_distances = _counts(batch, first_reference)
    extra, _ = _within(batch, first_reference, _complete_up_to(batch_distances, at_least), search)
    left, right = _union(pairs, extra, len(background))
    joined = Pairs(left, right, measure_between(background, left, right))
    step("pairs", 2, 2)
    beyond = measure_between(batch, left, right)
    return Neighbours(joined, beyond, complete_up_to, distances, batch_distances, facts)


def _counts(fingerprints: Fingerprints, first_reference: int) -> Distances:
    """Count the distances of every pair that takes part."""
    words, valid = fingerprints.words, fingerprints.valid
    among = distance_counts(
        words[:first_reference], bits=fingerprints.bits, valid=valid[:first_reference]
    )
    across = counts_between(
        words[:first_reference],
        words[first_reference:],
        bits=fingerprints.bits,
        valid_a=valid[:first_reference],
        valid_b=valid[first_reference:],
    )
    return Distances(among.counts + across, fingerprints.bits, among.sampled)


def _complete_up_to(distances: Distances, at_least: int) -> int:
    """Widest distance whose pairs still fit a table, never below `at_least`."""
    fitting = np.flatnonzero(np.cumsum(distances.counts) <= KEEP_PAIRS)
    widest = int(fitting[-1]) if len(fitting) else 0
    return max(min(widest, int(distances.bits * KEEP_SHARE)), min(at_least, distances.bits))


def _within(
    fingerprints: Fingerprints, first_reference: int, k: int, search: Search
) -> tuple[Pairs, tuple[Guarantee, ...]]:
    """All pairs within k, groups written out as far as a table can hold them."""
    words, valid = fingerprints.words, fingerprints.valid
    among = replace(fingerprints, words=words[:first_reference], valid=valid[:first_reference])
    result = search(among, k)
    pairs, complete = expand(result.group, result.pairs, limit=10 * KEEP_PAIRS)
    facts = result.guarantees
    if not complete:
        facts = (*facts, Guarantee("groups_linked", {"limit": 10 * KEEP_PAIRS}))
    if first_reference == len(words):
        return pairs, facts
    across = pairs_between(
        words[:first_reference], words[first_reference:], bits=fingerprints.bits, k=k,
        valid_a=valid[:first_reference], valid_b=valid[first_reference:],
    )  # fmt: skip
    left = np.concatenate([pairs.left, across.left])
    right = np.concatenate([pairs.right, across.right + first_reference])
    order = np.lexsort((right, left))
    distance = np.concatenate([pairs.distance, across.distance])
    return Pairs(left[order], right[order], distance[order]), facts


def _all_pairs(fingerprints: Fingerprints, k: int) -> SearchResult:
    return all_pairs(fingerprints.words, bits=fingerprints.bits, k=k, valid=fingerprints.valid)


def _union(a: Pairs, b: Pairs, n: int) -> tuple[I64, I64]:
    keys = np.sort(np.concatenate([a.left * n + a.right, b.left * n + b.right]))
    keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])[: len(keys)]]
    return keys // n, keys % n


def measure_between(fingerprints: Fingerprints | None, left: I64, right: I64) -> U16:
    """Return the distance of listed pairs; NO_DISTANCE where a side has no fingerprint."""
    if fingerprints is None:
        return np.full(len(left), NO_DISTANCE, np.uint16)
    words, valid = fingerprints.words, fingerprints.valid
    distances = np.full(len(left), NO_DISTANCE, np.uint16)
    for low in range(0, len(left), CHUNK_PAIRS):
        rows = slice(low, low + CHUNK_PAIRS)
        distance = hamming(words[left[rows]], words[right[rows]])
        np.copyto(distances[rows], distance, where=valid[left[rows]] & valid[right[rows]])
    return distances


def expand(group: I64, pairs: Pairs, *, limit: int) -> tuple[Pairs, bool]:
    """Write pairs between group representatives out to pairs between rows.

    Parameters
    ----------
    group : int64 (n,)     first row with the same fingerprint
    pairs : Pairs          between first rows
    limit : int            most pairs to write out

    Returns
    -------
    Pairs, bool            all pairs and True; or, where that would be more than `limit`, every
                           member linked to its first row, pairs between first rows, and False
    """
    order = np.argsort(group, kind="stable")
    firsts, starts, sizes = np.unique(group[order], return_index=True, return_counts=True)
    size_of = np.zeros(len(group), np.int64)
    size_of[firsts] = sizes
    inside = int((sizes * (sizes - 1) // 2).sum())
    across = int((size_of[pairs.left] * size_of[pairs.right]).sum())
    if inside + across > limit:
        rows = np.flatnonzero(group != np.arange(len(group)))
        return _sort_pairs(
            np.concatenate([pairs.left, group[rows]]),
            np.concatenate([pairs.right, rows]),
            np.concatenate([pairs.distance, np.zeros(len(rows), np.uint16)]),
            len(group),
        ), False
    start_of = np.zeros(len(group), np.int64)
    start_of[firsts] = starts
    left, right = _products(order, start_of, size_of, pairs)
    repeat = size_of[pairs.left] * size_of[pairs.right]
    same = [np.triu_indices(int(size), 1) for size in sizes[sizes > 1]]
    begins = starts[sizes > 1]
    inner_left = [order[begin + i] for begin, (i, _) in zip(begins, same, strict=True)]
    inner_right = [order[begin + j] for begin, (_, j) in zip(begins, same, strict=True)]
    return _sort_pairs(
        np.concatenate([left, *inner_left]),
        np.concatenate([right, *inner_right]),
        np.concatenate([np.repeat(pairs.distance, repeat), np.zeros(inside, np.uint16)]),
        len(group),
    ), True


def _products(order: I64, start_of: I64, size_of: I64, pairs: Pairs) -> tuple[I64, I64]:
    """All member pairs of each pair of groups, in the order of `pairs`."""
    wide = size_of[pairs.right]
    total = size_of[pairs.left] * wide
    offset = np.arange(int(total.sum())) - np.repeat(np.cumsum(total) - total, total)
    width = np.repeat(wide, total)
    left = order[np.repeat(start_of[pairs.left], total) + offset // np.maximum(width, 1)]
    right = order[np.repeat(start_of[pairs.right], total) + offset % np.maximum(width, 1)]
    return left, right


def _sort_pairs(left: I64, right: I64, distance: U16, rows: int) -> Pairs:
    return sort_pairs(np.minimum(left, right), np.maximum(left, right), distance, rows)
