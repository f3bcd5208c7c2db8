"""The loops of this room over code points in C, under the names of `readable`."""

from __future__ import annotations

import numpy as np

from ..machine.native import BYTES, I32, I64, INT, U16, procedure
from ..model import I32 as Ints
from ..model import I64 as Whole
from ..model import U8
from ..model import U16 as Classes

_fold_texts = procedure(
    "text_fold_texts", I32, BYTES, I64, INT, I32, I32, I32, I32, I32, I64, BYTES
)


_rehash = procedure("text_rehash", I64, INT, I64, INT)
_count_words = procedure(
    "text_count_words", I32, BYTES, I64, INT, I64, INT, I32, I32, I32, I32, I32, I64, I64
)
_count_characters = procedure(
    "text_count_characters", I32, U16, I64, INT, I32, I64, INT, I64, U16, I64
)


def fold_texts(
    raw: Ints,
    kind: U8,
    indptr: Whole,
    fold: Ints,
    longer: Ints,
    code: Ints,
    start: Ints,
    end: Ints,
    ends: Whole,
    needs: U8,
) -> None:
    """See `flat.fold_texts`."""
    _fold_texts(raw, kind, indptr, len(indptr) - 1, fold, longer, code, start, end, ends, needs)


def rehash(old: Whole, table: Whole) -> None:
    """See `ranges.rehash`."""
    _rehash(old, len(old), table, len(table))


def count_words(
    code: Ints,
    head: U8,
    indptr: Whole,
    text: int,
    table: Whole,
    first: Ints,
    last: Ints,
    entry_of: Ints,
    word: Ints,
    count: Ints,
    ends: Whole,
    words: int,
) -> tuple[int, int]:
    """See `flat.count_words`."""
    state = np.array([text, words], np.int64)
    written = (first, last, entry_of, word, count, ends)
    _count_words(code, head, indptr, len(indptr) - 1, table, len(table), *written, state)
    return int(state[0]), int(state[1])


def count_characters(
    points: Ints,
    table: Classes,
    bounds: Whole,
    needles: Ints,
    ends: Whole,
    classes: Classes,
    counts: Whole,
) -> None:
    """See `classes.count_characters`."""
    after = np.zeros(len(ends), np.int64)
    given = (points, table, bounds, len(bounds) - 1, needles, ends, len(ends))
    _count_characters(*given, after, classes, counts)
