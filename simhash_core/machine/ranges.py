"""Equal ranges of an array of code points found by a hash table, and compared exactly.

Loops that run compiled, in the rooms that use them, and as they stand.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..model import I32, I64

EMPTY = -1
_SLOTS = 1 << 14  # of a table at first
_FACTOR = 0x5BD1E995  # odd: 31 bits times 31 bits stay in 62
_MASK = 0x7FFFFFFF


def hash_of(code: I32, begin: int, stop: int) -> int:
    """Hash some characters to 31 bits."""
    value = stop - begin
    for at in range(begin, stop):
        value = ((value ^ int(code[at])) * _FACTOR) & _MASK
        value ^= value >> 15
    return value


def rehash(old: I64, table: I64) -> None:
    """Put the words of one table into an empty larger one."""
    mask = len(table) - 1
    for slot in old:
        if slot != EMPTY:
            at = (slot >> 32) & mask
            while table[at] != EMPTY:
                at = (at + 1) & mask
            table[at] = slot


def place_of(code: I32, begin: int, stop: int, table: I64, first: I32, last: I32, key: int) -> int:
    """Return the slot of a word, or the empty one where it belongs."""
    mask = len(table) - 1
    at = key & mask
    while table[at] != EMPTY:
        slot = int(table[at])
        if slot >> 32 == key:
            number = slot & 0xFFFFFFFF
            other, length = int(first[number]), int(last[number] - first[number])
            if length == stop - begin:
                k = 0
                while k < length and code[other + k] == code[begin + k]:
                    k += 1
                if k == length:
                    break
        at = (at + 1) & mask
    return at


def number_ranges(
    code: I32,
    begin: I64,
    stop: I64,
    done: int,
    table: I64,
    first: I32,
    last: I32,
    number: I32,
    distinct: int,
) -> tuple[int, int]:
    """Number equal ranges alike, in order of appearance, until the table is half full.

    Parameters
    ----------
    code : int32 (c,)
    begin, stop : int64 (m,)
        Range i is code[begin[i]:stop[i]].
    done, distinct
        Ranges that have a number, and how many numbers there are.
    table : int64 (2^k,), written
        hash << 32 | number, or EMPTY.
    first, last : int32 (m,), written
        The first range of each number.
    number : int32 (m,), written

    Returns
    -------
    done, distinct
        As they are now.
    """
    while done < len(begin) and 2 * distinct < len(table):
        at, end = int(begin[done]), int(stop[done])
        key = hash_of(code, at, end)
        place = place_of(code, at, end, table, first, last, key)
        if table[place] == EMPTY:
            table[place] = key << 32 | distinct
            first[distinct], last[distinct] = at, end
            distinct += 1
        number[done] = int(table[place]) & 0xFFFFFFFF
        done += 1
    return done, distinct


def numbered(
    code: I32,
    begin: I64,
    stop: I64,
    *,
    number_ranges: Callable[..., tuple[int, int]],
    rehash: Callable[[I64, I64], None],
) -> tuple[I32, list[str]]:
    """Return a number for each range, and the text that each number stands for."""
    first, last, number = (np.empty(len(begin), np.int32) for _ in range(3))
    table = np.full(_SLOTS, EMPTY, np.int64)
    done, distinct = number_ranges(code, begin, stop, 0, table, first, last, number, 0)
    while done < len(begin):
        small, table = table, np.full(4 * len(table), EMPTY, np.int64)
        rehash(small, table)
        done, distinct = number_ranges(
            *(code, begin, stop, done, table, first, last, number), distinct
        )
    return number, strings_of(code, first[:distinct], last[:distinct])


def strings_of(code: I32, first: I32, last: I32) -> list[str]:
    """Return some ranges of characters as strings."""
    size = (last - first).astype(np.int64)
    ends = np.cumsum(size)
    inside = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - size, size)
    joined = bytes(code[np.repeat(first, size) + inside]).decode("utf-32-le", "surrogatepass")
    return [joined[at:end] for at, end in zip((ends - size).tolist(), ends.tolist(), strict=True)]
