"""The loops over all texts at once in C, under the names of `readable`."""

from __future__ import annotations

import numpy as np

from ...machine.native import BOOLS, I32, I64, INT, U64, procedure
from ...model import I32 as Ints
from ...model import I64 as Whole
from ...model import U64 as Words
from ...model import Bools

_rehash = procedure("places_rehash", I64, INT, I64, INT)
_number_ranges = procedure("places_number_ranges", I32, I64, I64, INT, I64, INT, I32, I32, I32, I64)
_winnow_texts = procedure(
    "places_winnow_texts",
    *(U64, BOOLS, I64, I64, INT, INT, U64, I32, I64, INT, U64, I32, I32, I64),
)


def rehash(old: Whole, table: Whole) -> None:
    """See `ranges.rehash`."""
    _rehash(old, len(old), table, len(table))


def number_ranges(
    code: Ints,
    begin: Whole,
    stop: Whole,
    done: int,
    table: Whole,
    first: Ints,
    last: Ints,
    number: Ints,
    distinct: int,
) -> tuple[int, int]:
    """See `ranges.number_ranges`."""
    state = np.array([done, distinct], np.int64)
    ranges = (begin, stop, len(begin), table, len(table), first, last, number)
    _number_ranges(code, *ranges, state)
    return int(state[0]), int(state[1])


def winnow_texts(
    token: Words,
    single: Bools,
    ptr: Whole,
    window: Whole,
    weight: int,
    hashes: Words,
    ends_of: Ints,
    slots: Whole,
    value: Words,
    first: Ints,
    last: Ints,
    ends: Whole,
) -> None:
    """See `winnow.winnow_texts`."""
    work = (hashes, ends_of, slots, len(slots))
    _winnow_texts(token, single, ptr, window, len(ptr) - 1, weight, *work, value, first, last, ends)
