"""Hashes of short runs of tokens, and which of them a text keeps."""

from __future__ import annotations

import numpy as np

from ..model import I32, I64, U64, Bools

BASE = np.uint64(0xD1342543DE82EF95)


def grams(token: U64, single: Bools, weight: int) -> tuple[U64, I32]:
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


def winnow_texts(
    token: U64,
    single: Bools,
    ptr: I64,
    window: I64,
    weight: int,
    hashes: U64,
    ends_of: I32,
    slots: I64,
    value: U64,
    first: I32,
    last: I32,
    ends: I64,
) -> None:
    """Winnow texts that lie one after the other; the readable twin of the compiled loop.

    Parameters
    ----------
    token, single, ptr
        Tokens of all texts; those of text i are ptr[i] to ptr[i + 1].
    window : int64 (n,)
        Of each text.
    hashes, ends_of, slots
        Room to work in, for the longest text; slots int64 (2^k,), more than twice as long.
    value, first, last : (tokens,), written
        The selected hashes of each text, in any order.
    ends : int64 (n + 1,), written
        Text i has value[ends[i]:ends[i + 1]].
    """
    for text in range(len(ptr) - 1):
        span = slice(int(ptr[text]), int(ptr[text + 1]))
        chosen = smallest(*grams(token[span], single[span], weight), int(window[text]))
        at = int(ends[text])
        end = at + len(chosen[0])
        value[at:end], first[at:end], last[at:end] = chosen
        ends[text + 1] = end
