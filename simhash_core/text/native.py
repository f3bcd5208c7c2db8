"""The loops of this room over code points in C, under the names of `readable`."""

from __future__ import annotations

import numpy as np

from ..machine.native import BYTES, F64, I32, I64, INT, U16, Table, fresh_table, function, procedure
from ..model import F64 as Floats
from ..model import I32 as Ints
from ..model import I64 as Whole
from ..model import U8
from ..model import U16 as Classes
from .cutting import CHARACTERS, NODES

_fold_texts = procedure(
    "text_fold_texts", I32, BYTES, I64, INT, I32, I32, I32, I32, I32, I64, BYTES
)
_cut_words = procedure(
    "text_cut_words", I32, I64, INT, I32, I64, INT, F64, F64, F64, I64, BYTES, BYTES
)
_rehash = procedure("text_rehash", I64, INT, I64, INT)
_count_words = procedure(
    "text_count_words", I32, BYTES, I64, INT, I64, INT, I32, I32, I32, I32, I32, I64, I64
)
_count_characters = procedure(
    "text_count_characters", I32, U16, I64, INT, I32, I64, INT, I64, U16, I64
)
_trie = function("text_trie", BYTES, INT, I32, F64, Table)


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


def cut_words(
    code: Ints,
    indptr: Whole,
    first: Ints,
    slots: Whole,
    weight: Floats,
    emission: Floats,
    score: Floats,
    last: Whole,
    back: U8,
    head: U8,
) -> None:
    """See `cutting.cut_words`."""
    tables = (first, slots, len(slots), weight, emission)
    _cut_words(code, indptr, len(indptr) - 1, *tables, score, last, back, head)


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


def trie(dictionary: bytes) -> tuple[Ints, Whole, Floats]:
    """Return a dictionary in the format of jieba as `first`, `slots` and `weight` of a `Lexicon`.

    Raises
    ------
    ValueError
        A line does not begin with a word and its frequency, or there are too many words.
    """
    first, weight = np.empty(CHARACTERS, np.int32), np.empty(NODES)
    table, slots = fresh_table(np.int64, 1)
    text = np.frombuffer(dictionary, np.uint8)
    try:
        nodes = _trie(text, len(text), first, weight, slots)
    finally:
        tables = table.taken()[:, 0]
    return first, tables, weight[: nodes + 1].copy()
