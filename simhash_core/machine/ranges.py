"""Equal ranges of an array of code points, found by a hash table and compared exactly."""

from __future__ import annotations

import numpy as np

from ..model import I32, I64
from .compiled import loops_of

LOOPS = loops_of("machine/loops.c")

EMPTY = -1  # a slot of a table; else hash << 32 | number
_SLOTS = 1 << 14  # of a table at first


def number_ranges(code: I32, begin: I64, stop: I64) -> tuple[I32, list[str]]:
    """Number equal ranges alike, in order of appearance.

    Parameters
    ----------
    code : int32 (c,)
    begin, stop : int64 (m,)
        Range i is code[begin[i]:stop[i]].

    Returns
    -------
    number : int32 (m,)
    distinct : list of str
        The text that each number stands for.
    """
    begin, stop = np.ascontiguousarray(begin, np.int64), np.ascontiguousarray(stop, np.int64)
    first, last, number = (np.empty(len(begin), np.int32) for _ in range(3))
    table, state = np.full(_SLOTS, EMPTY, np.int64), np.zeros(2, np.int64)  # done, distinct
    while True:
        ranges = (begin, stop, len(begin), table, len(table), first, last, number)
        LOOPS.number_ranges(code, *ranges, state)
        if state[0] == len(begin):
            return number, strings_of(code, first[: state[1]], last[: state[1]])
        table = grow_table(table)


def grow_table(table: I64) -> I64:
    """Return a table of four times the size with the same entries."""
    larger = np.full(4 * len(table), EMPTY, np.int64)
    LOOPS.rehash(table, len(table), larger, len(larger))
    return larger


def strings_of(code: I32, first: I32, last: I32) -> list[str]:
    """Return some ranges of characters as strings."""
    size = (last - first).astype(np.int64)
    ends = np.cumsum(size)
    inside = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - size, size)
    joined = bytes(code[np.repeat(first, size) + inside]).decode("utf-32-le", "surrogatepass")
    return [joined[at:end] for at, end in zip((ends - size).tolist(), ends.tolist(), strict=True)]
