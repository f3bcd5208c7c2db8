"""Winnowed hashes, as they are read."""

from __future__ import annotations

import numpy as np

from simhash_core.model import I32, U64, Bools

BASE = np.uint64(0xD1342543DE82EF95)


def gram_hashes(token: U64, single: Bools, weight: int) -> tuple[U64, I32]:
    """Hash the gram that begins at each token; return hashes and ends where one fits."""
    n = len(token)
    if n == 0:
        return np.empty(0, np.uint64), np.empty(0, np.int32)
    total = np.concatenate([[0], np.cumsum(np.where(single, 1, 2))])
    last = np.searchsorted(total, total[:-1] + weight)
    fits = int(np.searchsorted(last, n, side="right"))
    last = last[:fits].astype(np.int32)
    value = np.zeros(fits, np.uint64)
    place = np.arange(fits)
    for shift in range(weight):
        inside = place + shift < last
        grown = value * BASE + token[np.minimum(place + shift, n - 1)]
        value = np.where(inside, grown, value)
    value ^= value >> np.uint64(29)
    value *= np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(value ^ (value >> np.uint64(32))), np.asarray(last, np.int32)


def smallest(value: U64, last: I32, window: int) -> tuple[U64, I32, I32]:
    """Return the distinct grams that are the smallest of a window: hash, first and last token."""
    if not len(value):
        none = np.empty(0, np.int32)
        return value, none, none
    least = value.copy()
    for shift in range(1, min(window, len(value))):
        least = np.minimum(least[:-1], value[shift:])
    chosen, place = np.unique(value, return_index=True)
    is_smallest = np.isin(chosen, least)
    first = place[is_smallest].astype(np.int32)
    return chosen[is_smallest], first, last[first]
