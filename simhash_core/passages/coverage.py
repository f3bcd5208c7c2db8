"""How much of a text is shared, in units: each counts once, in one class.

A unit is a token: a character of Han or kana, a word of other scripts. White space and punctuation
are in no fraction, so two texts that differ in them alone are shared in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model import F32, I32, I64, IDENTICAL, MOVED, SHARED, Bools, Passages, Stretches
from ..policy import MIN_RUN
from . import exact
from .stretches import Marks, marks_of, stretches_of
from .tokenized import TokenizedText, span_of
from .twins import RUN_TOKEN, TWINS, loops

_SHORTEST_RUN = 3  # tokens
_MOST_EQUAL = 2_000_000  # pairs of equal grams; text that repeats itself has their square


#: the classes of what a text shares, as `PairNumbers.parts` and `parts_of_texts` have them
PARTS = ("identical", "reworded", "moved")


@dataclass(frozen=True, slots=True, eq=False)
class PairNumbers:
    """What the passages of each pair amount to, one row a pair. Weak passages do not count."""

    coverage_a: F32  # share of a found in b
    coverage_b: F32
    identical: F32  # share of what is shared, both sides, that is identical
    longest: I32  # longest identical run, units
    passages: I32
    parts: I32  # (m, 2, 3): units of both sides in each class of `PARTS`

    @classmethod
    def zeros(cls, m: int) -> PairNumbers:
        """Return the numbers of m pairs that share nothing."""
        share, count = np.zeros((3, m), np.float32), np.zeros((2, m), np.int32)
        parts = np.zeros((m, 2, len(PARTS)), np.int32)
        return cls(share[0], share[1], share[2], count[0], count[1], parts)

    @classmethod
    def of(cls, parts: I32, counted: I64, longest: I32, passages: I32) -> PairNumbers:
        """Return the numbers that follow from the parts.

        Parameters
        ----------
        parts : int32 (m, 2, 3)
        counted : int64 (m, 2)
            Units of both texts that count: what the shares are of.
        """
        shared = parts.sum(axis=2)
        share = (shared / np.maximum(counted, 1)).astype(np.float32)
        identical = parts[:, :, 0].sum(axis=1) / np.maximum(shared.sum(axis=1), 1)
        return cls(share[:, 0], share[:, 1], identical.astype(np.float32), longest, passages, parts)

    def columns(self) -> tuple[NDArray[Any], ...]:
        """Return the columns in the order of the fields."""
        return tuple(getattr(self, spec.name) for spec in fields(self))

    def put(self, rows: slice | NDArray[Any], other: PairNumbers) -> None:
        """Write the numbers of other pairs into some rows."""
        for column, values in zip(self.columns(), other.columns(), strict=True):
            column[rows] = values

    def take(self, rows: NDArray[Any]) -> PairNumbers:
        """Return some rows."""
        return PairNumbers(*(column[rows] for column in self.columns()))

    def turned(self) -> PairNumbers:
        """Return the numbers of the same pairs as seen from their other texts."""
        return replace(
            self,
            coverage_a=self.coverage_b,
            coverage_b=self.coverage_a,
            parts=self.parts[:, ::-1],
        )


def covered(text: TokenizedText, start: I32, end: I32) -> int:
    """Return how many units lie in the union of code-point ranges."""
    return int(np.diff(text.units)[_held(text, start, end) > 0].sum())


def share(text: TokenizedText, start: I32, end: I32) -> float:
    """Return `covered` as a share of the text, 0 where it has no token."""
    return covered(text, start, end) / text.counted if text.counted else 0.0


def _held(text: TokenizedText, start: I32, end: I32) -> I64:
    """Return how many of some ranges hold each token, int64 (tokens,)."""
    change = np.zeros(len(text) + 1, np.int64)
    np.add.at(change, np.searchsorted(text.start, start), 1)
    np.add.at(change, np.searchsorted(text.end, end, side="right"), -1)
    return np.cumsum(change)[:-1]


def of_pairs(
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    passages: Passages,
    *,
    min_run: int = MIN_RUN,
) -> tuple[PairNumbers, Stretches]:
    """Return the numbers of every pair, and what it shares.

    Parameters
    ----------
    pairs : int64 (m, 2)
        Rows of `tokenized`; `passages.pair` is a row of it.
    min_run
        Shortest identical run of a reworded passage, Han characters; words count 8/13 of it.

    Notes
    -----
    Passages must be sorted by pair, as `align_many` returns them.
    """
    numbers, parts = PairNumbers.zeros(len(pairs)), []
    firm = np.flatnonzero(~passages.weak)
    rows, first = np.unique(passages.pair[firm], return_index=True)
    for row, of_pair in zip(rows.tolist(), np.split(firm, first)[1:], strict=True):
        texts = tokenized[pairs[row, 0]], tokenized[pairs[row, 1]]
        marks = marks_of(*texts, passages.take(of_pair), min_run=min_run)
        longest = max(longest_run(*texts, passages, int(p)) for p in of_pair)
        numbers.put(slice(row, row + 1), numbers_of(texts, marks, longest, len(of_pair)))
        parts.append((row, texts, marks.ranges()))
    return numbers, stretches_of(parts)


def numbers_of(
    texts: tuple[TokenizedText, TokenizedText], marks: Marks, longest: int, passages: int
) -> PairNumbers:
    """Return the numbers of one pair."""
    sides = zip(texts, marks.shared, marks.identical, marks.moved, strict=True)
    parts = [
        _parts(np.diff(text.units), shared, identical, moved)
        for text, shared, identical, moved in sides
    ]
    return PairNumbers.of(
        np.array([parts], np.int32),
        np.array([[text.counted for text in texts]]),
        np.array([longest], np.int32),
        np.array([passages], np.int32),
    )


def _parts(size: I64, shared: Bools, identical: Bools, moved: Bools) -> tuple[int, int, int]:
    """Return the units in each class of `PARTS`; `identical` and `moved` have none in common."""
    whole, same, away = (int(size[mask].sum()) for mask in (shared, identical, moved))
    return same, whole - same - away, away


def longest_run(a: TokenizedText, b: TokenizedText, passages: Passages, row: int) -> int:
    """Return the longest stretch of equal tokens inside one passage, in tokens."""
    token_a = a.token[span_of(a, passages.a_start[row], passages.a_end[row])]
    token_b = b.token[span_of(b, passages.b_start[row], passages.b_end[row])]
    k = min(_SHORTEST_RUN, len(token_a), len(token_b))
    if k < 1:
        return 0
    if np.array_equal(token_a, token_b):
        return len(token_a)
    gram_a, gram_b = exact.grams_of(token_a, k), exact.grams_of(token_b, k)
    if exact.equal_pairs(gram_a, gram_b) > _MOST_EQUAL:
        _, length = exact.longest_common(token_a, token_b)
        return length if length >= k else 0
    TWINS.settle(RUN_TOKEN * (len(token_a) + len(token_b)))
    runs = loops.find_runs(token_a, token_b, gram_a, gram_b, k, len(token_b))
    return int(runs[:, 2].max(initial=0))


def parts_of_texts(tokenized: Sequence[TokenizedText], pairs: I64, stretches: Stretches) -> I32:
    """Return what each text shares with any other: units by class of `PARTS`, int32 (n, 3).

    The union over all pairs: what two sources share is counted once. A unit is of the class that
    says most of all pairs that share it: identical, then reworded, then moved. So a text that one
    other holds whole is identical, though a third one has its paragraphs in another order.
    """
    parts = np.zeros((len(tokenized), len(PARTS)), np.int32)
    row = pairs[stretches.pair, stretches.side] if len(stretches) else np.zeros(0, np.int64)
    order = np.argsort(row, kind="stable")
    rows, first = np.unique(row[order], return_index=True)
    for one, of_text in zip(rows.tolist(), np.split(order, first)[1:], strict=True):
        parts[one] = parts_of_text(tokenized[one], stretches.take(of_text))
    return parts


def parts_of_text(text: TokenizedText, stretches: Stretches) -> tuple[int, int, int]:
    """Return the units of one text in each class of `PARTS`, by its stretches of all pairs."""
    held = [
        _held(text, of_kind.start, of_kind.end)
        for of_kind in (stretches.of_kind(kind) for kind in (SHARED, IDENTICAL, MOVED))
    ]
    shared, identical = held[SHARED] > 0, held[IDENTICAL] > 0
    in_order = held[SHARED] > held[MOVED]  # one pair at least shares it where it belongs
    return _parts(np.diff(text.units), shared, identical, shared & ~in_order)


def shares_of(parts: I32, counted: I64) -> F32:
    """Return which share of each text some of its parts are, float32 (n,)."""
    return np.asarray(parts.sum(axis=1) / np.maximum(counted, 1), np.float32)
