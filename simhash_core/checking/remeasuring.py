"""What pairs share after exclusions, from what they shared before: nothing is looked for again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model import I64, IDENTICAL, MOVED, SHARED, Bools, Passages, Stretches
from ..passages import coverage
from ..passages.coverage import PairNumbers
from ..passages.cut import tokens_within
from ..passages.stretches import Marks
from ..passages.tokenized import TokenizedText


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """What the pairs of a check amount to, and the stretches that each shares, sorted by pair."""

    numbers: PairNumbers
    stretches: Stretches

    @classmethod
    def of(
        cls, texts: Sequence[TokenizedText], pairs: I64, passages: Passages, *, min_run: int
    ) -> Measures:
        """Measure the passages of all pairs."""
        numbers, stretches = coverage.of_pairs(texts, pairs, passages, min_run=min_run)
        return cls(numbers, stretches.take(np.argsort(stretches.pair, kind="stable")))

    def of_pair(self, row: int) -> Stretches:
        """Return the stretches of one pair."""
        bounds = np.searchsorted(self.stretches.pair, [row, row + 1])
        return self.stretches.take(np.arange(*bounds))


def remeasured(
    before: Measures,
    texts: Sequence[TokenizedText],
    pairs: I64,
    pieces: Passages,
    *,
    changed: Bools,
    equal: Bools,
) -> Measures:
    """Return what pairs amount to by the pieces that are left.

    Parameters
    ----------
    texts
        As they count now (`passages.cut.counting`).
    pieces : Passages
        Sorted by pair.
    changed : bool (m,)
        Pairs that lost something; the shares of the others only change their divisor.
    equal : bool (m,)
        Pairs of texts that are equal in all that counts: their pieces are shared in full.
    """
    numbers = before.numbers.take(np.arange(len(pairs)))
    parts = [before.stretches.take(~changed[before.stretches.pair])]
    for row in np.flatnonzero(changed).tolist():
        low, high = np.searchsorted(pieces.pair, [row, row + 1])
        left = pieces.take(np.arange(low, high))
        left = left.take(~left.weak)
        both = texts[pairs[row, 0]], texts[pairs[row, 1]]
        marks = _marks(both, left, None if equal[row] else before.of_pair(row))
        numbers.put(
            slice(row, row + 1), coverage.numbers_of(both, marks, _longest(both, left), len(left))
        )
        parts.append(marks.stretches(row, both))
    counted = np.array([text.counted for text in texts], np.int64)[pairs]
    numbers = PairNumbers.of(numbers.parts, counted, numbers.longest, numbers.passages)
    return Measures(numbers, Stretches.join(parts))


def _marks(
    texts: tuple[TokenizedText, TokenizedText], left: Passages, shared: Stretches | None
) -> Marks:
    """Mark what is left of what two texts shared; without `shared`, all that is left."""
    ranges = ((left.a_start, left.a_end), (left.b_start, left.b_end))
    marked: list[tuple[Bools, Bools, Bools]] = []
    for side, (text, (start, end)) in enumerate(zip(texts, ranges, strict=True)):
        inside = tokens_within(text, list(zip(start.tolist(), end.tolist(), strict=True)))
        if shared is None:
            marked.append((inside, inside, np.zeros(len(text), np.bool_)))
            continue
        here = shared.take(shared.side == side)
        all_, same, away = (
            inside & _within(text, here.of_kind(kind)) for kind in (SHARED, IDENTICAL, MOVED)
        )
        marked.append((all_, same, away))
    return Marks.of(marked[0], marked[1])


def _within(text: TokenizedText, stretches: Stretches) -> Bools:
    places = zip(stretches.start.tolist(), stretches.end.tolist(), strict=True)
    return tokens_within(text, list(places))


def _longest(texts: tuple[TokenizedText, TokenizedText], left: Passages) -> int:
    """Return the longest equal run; pieces too short to hold a longer one are not looked at."""
    longest = 0
    sizes = np.minimum(left.words_a, left.words_b)
    for piece in np.argsort(-sizes, kind="stable").tolist():
        if sizes[piece] <= longest:
            break
        longest = max(longest, coverage.longest_run(*texts, left, piece))
    return longest
