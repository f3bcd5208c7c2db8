"""How much of a text is shared: unions of stretches in which no character counts twice.

Only characters that belong to tokens count, on both sides of every fraction, so two texts that
differ in white space and punctuation alone are shared in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model import F32, I32, I64, Passages, Stretches
from ..policy import MIN_RUN
from . import exact
from .pair import RUN_TOKEN, TWINS, loops
from .stretches import marks_of, span_of, stretches_of
from .tokenized import TokenizedText

_SHORTEST_RUN = 3  # tokens
_MOST_EQUAL = 2_000_000  # pairs of equal grams; text that repeats itself has their square


@dataclass(frozen=True, slots=True, eq=False)
class PairNumbers:
    """What the passages of each pair amount to, one row a pair. Weak passages do not count."""

    coverage_a: F32  # share of a found in b
    coverage_b: F32
    identical: F32  # share of all matched characters, both sides, in identical runs
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
    counted = np.flatnonzero(~passages.weak)
    rows, first = np.unique(passages.pair[counted], return_index=True)
    for row, of_pair in zip(rows.tolist(), np.split(counted, first)[1:], strict=True):
        texts = tokenized[pairs[row, 0]], tokenized[pairs[row, 1]]
        marks = marks_of(*texts, passages.take(of_pair), min_run=min_run)
        ranges = marks.ranges()
        shared, identical = (
            [_chars(text, of_text[part]) for text, of_text in zip(texts, ranges, strict=True)]
            for part in (0, 1)
        )
        numbers.coverage_a[row] = shared[0] / texts[0].chars
        numbers.coverage_b[row] = shared[1] / texts[1].chars
        numbers.identical[row] = sum(identical) / sum(shared) if sum(shared) else 0.0
        numbers.longest[row] = max(longest_run(*texts, passages, int(p)) for p in of_pair)
        numbers.passages[row] = len(of_pair)
        parts.append((row, texts, ranges))
    return numbers, stretches_of(parts)


def _chars(text: TokenizedText, ranges: I64) -> int:
    """Return the token characters of some stretches of tokens."""
    return int((text.before[ranges[:, 1]] - text.before[ranges[:, 0]]).sum())


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


def total_overlap(tokenized: Sequence[TokenizedText], pairs: I64, stretches: Stretches) -> F32:
    """Return for each text the share found in any other text, float32 (n,).

    The union over all pairs: what two sources share is counted once, so a text made of others
    is 1 and nothing is ever more.
    """
    total = np.zeros(len(tokenized), np.float32)
    row = pairs[stretches.pair, stretches.side] if len(stretches) else np.zeros(0, np.int64)
    order = np.argsort(row, kind="stable")
    rows, first = np.unique(row[order], return_index=True)
    for one, of_text in zip(rows.tolist(), np.split(order, first)[1:], strict=True):
        total[one] = share(tokenized[one], stretches.start[of_text], stretches.end[of_text])
    return total
