"""Pairs in order: sorted as one word each, side by side where they are many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...model import I64, U16, U64, Pairs
from .engine import loops
from .readable import PARTS, Hits
from .threads import in_threads

DISTANCE_BITS = 9  # distances up to 256
FEW = 1 << 10  # pairs: not worth more than a few calls
MANY = 1 << 20  # pairs: fewer are sorted at once


def in_order(left: I64, right: I64, distance: U16, rows: int) -> Pairs:
    """Return pairs of rows sorted by (left, right)."""
    place = max(1, (rows - 1).bit_length())
    if len(left) < FEW and 2 * place + DISTANCE_BITS <= 64:
        words = _as_given(left, right, distance, place)
        words.sort()
        signed = words.view(np.int64)
        right = (signed >> DISTANCE_BITS) & ((1 << place) - 1)
        return Pairs(signed >> (place + DISTANCE_BITS), right, (signed & 511).astype(np.uint16))
    return named_in_order([(left, right, distance)], None, rows)


def named_in_order(parts: Sequence[Hits], names: I64 | None, rows: int) -> Pairs:
    """Return pairs of columns as pairs of rows, `left < right`, sorted by (left, right).

    Parameters
    ----------
    parts : sequence of (left, right, distance)
    names : int64 (n,), optional
        Row of each column; else the pairs name rows, in the order that they shall have.
    rows : int
        More than any row.

    Notes
    -----
    Both rows and the distance share a word below 2**27 rows, so that bare words are sorted: first
    by groups of left rows, then each group in a thread. About 40 ns a pair on one core.
    """
    place = max(1, (rows - 1).bit_length())
    if 2 * place + DISTANCE_BITS > 64:
        return _by_columns(parts, names)
    if names is None:
        packed = [_as_given(*part, place) for part in parts]
    else:
        packed = [*in_threads(lambda part: loops.packed(*part, names, place), parts)]
    words = np.concatenate([np.zeros(0, np.uint64), *packed])
    del packed
    if len(words) < MANY:
        words.sort()
        cuts = np.array([0, len(words)])
    else:
        shift = max(0, 2 * place + DISTANCE_BITS - (PARTS.bit_length() - 1))
        words, cuts = loops.spread(words, shift)
    left, right = np.empty(len(words), np.int64), np.empty(len(words), np.int64)
    distance = np.empty(len(words), np.uint16)

    def write(span: tuple[int, int]) -> None:
        low, high = span
        words[low:high].sort()
        loops.unpack(words[low:high], place, left[low:high], right[low:high], distance[low:high])

    spans = zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
    for _ in in_threads(write, [span for span in spans if span[0] < span[1]]):
        pass
    return Pairs(left, right, distance)


def _as_given(left: I64, right: I64, distance: U16, place: int) -> U64:
    words = (left << (place + DISTANCE_BITS)) | (right << DISTANCE_BITS) | distance
    return words.view(np.uint64)


def _by_columns(parts: Sequence[Hits], names: I64 | None) -> Pairs:
    none = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint16))
    left, right, distance = (np.concatenate(column) for column in zip(none, *parts, strict=True))
    if names is not None:
        a, b = names[left], names[right]
        left, right = np.minimum(a, b), np.maximum(a, b)
    order = np.lexsort((right, left))
    return Pairs(left[order], right[order], distance[order])
