"""Fingerprint words as contiguous columns for the loops, equal words as groups, pairs in order.

Pairs are sorted as one word each, side by side where they are many.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...model import I64, U16, U64, Bools, Pairs
from . import loops
from .loops import PARTS, Hits, in_threads

PADDED = {1: 1, 2: 2, 3: 4, 4: 4}  # words of a signature -> columns the loops know

DISTANCE_BITS = 9  # distances up to 256
FEW = 1 << 10  # pairs: not worth more than a few calls
MANY = 1 << 20  # pairs: fewer are sorted at once


def check_words(words: U64, bits: int) -> U64:
    """Return `words` after checking them against `bits`.

    Raises
    ------
    ValueError
        If `words` is not uint64 (n, W) with W = max(1, bits / 64), if `bits` is not 1..64 or a
        multiple of 64 up to 256, or if a word has bits beyond the last.
    """
    if not (1 <= bits <= 64 or (bits % 64 == 0 and bits <= 256)):
        raise ValueError(f"no fingerprints of {bits} bits")
    if words.dtype != np.uint64 or words.ndim != 2 or words.shape[1] != max(1, bits // 64):
        raise ValueError(f"{bits} bits need uint64 (n, {max(1, bits // 64)}) words")
    if bits < 64 and len(words) and int(words.max()) >> bits:
        raise ValueError(f"words have bits beyond the first {bits}")
    return words


def to_columns(words: U64) -> U64:
    """Return uint64 (W', n): contiguous columns, padded with zeros to 1, 2 or 4."""
    n, wide = words.shape
    if wide == 1:
        return np.ascontiguousarray(words).reshape(1, n)
    columns = np.zeros((PADDED[wide], n), np.uint64)
    columns[:wide] = words.T
    return columns


def valid_rows(n: int, valid: Bools | None) -> I64:
    """Return the rows that have a fingerprint."""
    if valid is None:
        return np.arange(n)
    if valid.shape != (n,):
        raise ValueError("valid must have one entry a row")
    return np.flatnonzero(valid)


def group_equal(columns: U64) -> I64:
    """Return int64 (n,): the first column with the same words.

    Notes
    -----
    A digest of each column and its position share one word, so one bare sort of n values brings
    equal columns together, first position first. Where the bits left for the digest collide, the
    columns concerned are sorted by their words: exact for any input.
    """
    n = columns.shape[1]
    group = np.arange(n)
    place_bits = np.uint64(max(0, n - 1).bit_length())
    packed = (_digest(columns) >> place_bits) << place_bits
    packed |= np.arange(n, dtype=np.uint64)
    packed.sort()
    same = (packed[1:] ^ packed[:-1]) >> place_bits == 0
    if not same.any():
        return group
    place = (packed & np.uint64((1 << int(place_bits)) - 1)).astype(np.int64)
    run = np.concatenate([[0], np.cumsum(~same)])
    leader = place[np.flatnonzero(np.concatenate([[True], ~same]))][run]
    group[place] = leader
    wrong = (columns[:, place] != columns[:, leader]).any(axis=0)
    if wrong.any():
        doubtful = np.sort(place[np.isin(run, run[wrong])])
        group[doubtful] = doubtful[_group_sorted(columns[:, doubtful])]
    return group


def sort_words(column: U64) -> tuple[U64, Bools]:
    """Return the different words in ascending order, and which of them occur more than once."""
    ordered = np.sort(column)
    fresh = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    if fresh.all():
        return ordered, np.zeros(len(ordered), np.bool_)
    last = np.append(fresh[1:], True)
    return ordered[fresh], ~last[fresh]


def _digest(columns: U64) -> U64:
    """Mix each column into one word (the finaliser of splitmix64, folded over the words)."""
    digest = np.zeros(columns.shape[1], np.uint64)
    for column in columns:
        digest ^= column
        digest ^= digest >> np.uint64(30)
        digest *= np.uint64(0xBF58476D1CE4E5B9)
        digest ^= digest >> np.uint64(27)
        digest *= np.uint64(0x94D049BB133111EB)
        digest ^= digest >> np.uint64(31)
    return digest


def _group_sorted(columns: U64) -> I64:
    """Return the first equal column of each, by a stable sort of whole words."""
    order = np.lexsort(columns)
    new = np.ones(len(order), bool)
    new[1:] = (columns[:, order[1:]] != columns[:, order[:-1]]).any(axis=0)
    group = np.empty(len(order), np.int64)
    group[order] = order[np.flatnonzero(new)][np.cumsum(new) - 1]
    return group


def sort_pairs(left: I64, right: I64, distance: U16, rows: int) -> Pairs:
    """Return pairs of rows sorted by (left, right)."""
    place = max(1, (rows - 1).bit_length())
    if len(left) < FEW and 2 * place + DISTANCE_BITS <= 64:
        words = _as_given(left, right, distance, place)
        words.sort()
        signed = words.view(np.int64)
        right = (signed >> DISTANCE_BITS) & ((1 << place) - 1)
        return Pairs(signed >> (place + DISTANCE_BITS), right, (signed & 511).astype(np.uint16))
    return sort_named([(left, right, distance)], None, rows)


def sort_named(parts: Sequence[Hits], names: I64 | None, rows: int) -> Pairs:
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
