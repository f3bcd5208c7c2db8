"""How much of a text is shared: unions of passages in which no character counts twice.

Only characters that belong to tokens count, on both sides of every fraction, so two texts that
differ in white space and punctuation alone are shared in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model import F32, I32, I64, PASSAGE_KINDS, Passages
from . import exact
from .pair import RUN_TOKEN, TWINS, loops
from .tokenized import TokenizedText

IDENTICAL = PASSAGE_KINDS.index("identical")
_SHORTEST_RUN = 3  # tokens
_MOST_EQUAL = 2_000_000  # pairs of equal grams; text that repeats itself has their square


@dataclass(frozen=True, slots=True, eq=False)
class PairNumbers:
    """What the passages of each pair amount to, one row a pair. Weak passages do not count."""

    coverage_a: F32  # share of a found in b
    coverage_b: F32
    identical: F32  # share of all matched characters, both sides, in identical passages
    longest: I32  # longest identical run, tokens
    passages: I32

    @classmethod
    def zeros(cls, m: int) -> PairNumbers:
        """Return the numbers of m pairs that share nothing."""
        share, count = np.zeros((3, m), np.float32), np.zeros((2, m), np.int32)
        return cls(share[0], share[1], share[2], count[0], count[1])

    def columns(self) -> tuple[NDArray[Any], ...]:
        """Return the columns in the order of the fields."""
        return self.coverage_a, self.coverage_b, self.identical, self.longest, self.passages

    def put(self, rows: slice | NDArray[Any], other: PairNumbers) -> None:
        """Write the numbers of other pairs into some rows."""
        for column, values in zip(self.columns(), other.columns(), strict=True):
            column[rows] = values

    def take(self, rows: NDArray[Any]) -> PairNumbers:
        """Return some rows."""
        return PairNumbers(*(column[rows] for column in self.columns()))


def covered(text: TokenizedText, start: I32, end: I32) -> int:
    """Return how many token characters lie in the union of code-point ranges."""
    if not len(start):
        return 0
    first = np.searchsorted(text.start, start)
    last = np.searchsorted(text.end, end, side="right")
    order = np.argsort(first, kind="stable")
    first, last = first[order], last[order]
    reached = np.concatenate([[0], np.maximum.accumulate(last)[:-1]])
    low = np.maximum(first, reached)
    return int(np.maximum(text.before[np.maximum(last, low)] - text.before[low], 0).sum())


def share(text: TokenizedText, start: I32, end: I32) -> float:
    """Return `covered` as a share of the text, 0 where it has no token."""
    return covered(text, start, end) / text.chars if text.chars else 0.0


def of_pairs(tokenized: Sequence[TokenizedText], pairs: I64, passages: Passages) -> PairNumbers:
    """Return the numbers of every pair; `pairs` is int64 (m, 2), `passages.pair` its rows.

    Notes
    -----
    Passages must be sorted by pair, as `align_many` returns them.
    """
    m = len(pairs)
    numbers = PairNumbers.zeros(m)
    counted = np.flatnonzero(~passages.weak)
    rows, first = np.unique(passages.pair[counted], return_index=True)
    for row, of_pair in zip(rows.tolist(), np.split(counted, first)[1:], strict=True):
        a, b = tokenized[pairs[row, 0]], tokenized[pairs[row, 1]]
        in_a = covered(a, passages.a_start[of_pair], passages.a_end[of_pair])
        in_b = covered(b, passages.b_start[of_pair], passages.b_end[of_pair])
        same = of_pair[passages.kind[of_pair] == IDENTICAL]
        identical = covered(a, passages.a_start[same], passages.a_end[same])
        identical += covered(b, passages.b_start[same], passages.b_end[same])
        numbers.coverage_a[row] = in_a / a.chars
        numbers.coverage_b[row] = in_b / b.chars
        numbers.identical[row] = identical / (in_a + in_b) if in_a + in_b else 0.0
        numbers.longest[row] = max(longest_run(a, b, passages, int(p)) for p in of_pair)
        numbers.passages[row] = len(of_pair)
    return numbers


def longest_run(a: TokenizedText, b: TokenizedText, passages: Passages, row: int) -> int:
    """Return the longest stretch of equal tokens inside one passage, in tokens."""
    a0 = int(np.searchsorted(a.start, passages.a_start[row]))
    a1 = int(np.searchsorted(a.end, passages.a_end[row], side="right"))
    b0 = int(np.searchsorted(b.start, passages.b_start[row]))
    b1 = int(np.searchsorted(b.end, passages.b_end[row], side="right"))
    k = min(_SHORTEST_RUN, a1 - a0, b1 - b0)
    if k < 1:
        return 0
    token_a, token_b = a.token[a0:a1], b.token[b0:b1]
    if np.array_equal(token_a, token_b):
        return a1 - a0
    gram_a, gram_b = exact.grams_of(token_a, k), exact.grams_of(token_b, k)
    if exact.equal_pairs(gram_a, gram_b) > _MOST_EQUAL:
        _, length = exact.longest_common(token_a, token_b)
        return length if length >= k else 0
    TWINS.settle(RUN_TOKEN * (len(token_a) + len(token_b)))
    runs = loops.find_runs(token_a, token_b, gram_a, gram_b, k, len(token_b))
    return int(runs[:, 2].max(initial=0))


def total_overlap(tokenized: Sequence[TokenizedText], pairs: I64, passages: Passages) -> F32:
    """Return for each text the share found in any other text, float32 (n,).

    The union over all pairs: what two sources share is counted once, so a text made of others
    is 1 and nothing is ever more.
    """
    total = np.zeros(len(tokenized), np.float32)
    counted = ~passages.weak
    left, right = pairs[passages.pair].T if len(passages) else (np.empty(0, int),) * 2
    row = np.concatenate([left[counted], right[counted]])
    start = np.concatenate([passages.a_start[counted], passages.b_start[counted]])
    end = np.concatenate([passages.a_end[counted], passages.b_end[counted]])
    order = np.argsort(row, kind="stable")
    rows, first = np.unique(row[order], return_index=True)
    for one, of_text in zip(rows.tolist(), np.split(order, first)[1:], strict=True):
        total[one] = share(tokenized[one], start[of_text], end[of_text])
    return total
