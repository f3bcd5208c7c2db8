"""Groups of identical fingerprints, and how far they are written out as pairs."""

from __future__ import annotations

import numpy as np

from ..model import I64, U16, Pairs
from .search.order import in_order


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
        return _sorted(
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
    return _sorted(
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


def _sorted(left: I64, right: I64, distance: U16, rows: int) -> Pairs:
    return in_order(np.minimum(left, right), np.maximum(left, right), distance, rows)
