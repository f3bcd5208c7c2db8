"""What pairs share after exclusions, from what they shared before: nothing is looked for again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model import I64, Bools, Passages, Stretches
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
    texts: tuple[Sequence[TokenizedText], Sequence[TokenizedText]],
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
        The texts as they were, and as they count now (`passages.cut.counting`).
    pieces : Passages
        Sorted by pair.
    changed : bool (m,)
        Pairs that lost something; the shares of the others only change their divisor.
    equal : bool (m,)
        Pairs of texts that are equal in all that counts: their pieces are shared in full.
    """
    old, new = (np.array([text.chars for text in side], np.float64) for side in texts)
    scale = (old / np.maximum(new, 1))[pairs]
    now = before.numbers
    numbers = PairNumbers(
        (now.coverage_a * scale[:, 0]).astype(np.float32),
        (now.coverage_b * scale[:, 1]).astype(np.float32),
        now.identical.copy(),
        now.longest.copy(),
        now.passages.copy(),
    )
    parts = [before.stretches.take(~changed[before.stretches.pair])]
    for row in np.flatnonzero(changed).tolist():
        low, high = np.searchsorted(pieces.pair, [row, row + 1])
        left = pieces.take(np.arange(low, high))
        left = left.take(~left.weak)
        both = texts[1][pairs[row, 0]], texts[1][pairs[row, 1]]
        marks = _marks(both, left, None if equal[row] else before.of_pair(row))
        numbers.put(np.array([row]), _numbers(both, left, marks))
        parts.append(marks.stretches(row, both))
    return Measures(numbers, Stretches.join(parts))


def _marks(
    texts: tuple[TokenizedText, TokenizedText], left: Passages, shared: Stretches | None
) -> Marks:
    """Mark what is left of what two texts shared; without `shared`, all that is left."""
    ranges = ((left.a_start, left.a_end), (left.b_start, left.b_end))
    marked: list[tuple[Bools, Bools]] = []
    for side, (text, (start, end)) in enumerate(zip(texts, ranges, strict=True)):
        inside = tokens_within(text, list(zip(start.tolist(), end.tolist(), strict=True)))
        if shared is None:
            marked.append((inside, inside))
            continue
        here = shared.take(shared.side == side)
        masks = []
        for part in (here.take(~here.identical), here.take(here.identical)):
            places = zip(part.start.tolist(), part.end.tolist(), strict=True)
            masks.append(inside & tokens_within(text, list(places)))
        marked.append((masks[0], masks[1]))
    return Marks((marked[0][0], marked[1][0]), (marked[0][1], marked[1][1]))


def _numbers(
    texts: tuple[TokenizedText, TokenizedText], left: Passages, marks: Marks
) -> PairNumbers:
    """Return the numbers of one pair."""
    sizes = [np.diff(text.before) for text in texts]
    shared = [int(s[m].sum()) for s, m in zip(sizes, marks.shared, strict=True)]
    identical = [int(s[m].sum()) for s, m in zip(sizes, marks.identical, strict=True)]
    numbers = PairNumbers.zeros(1)
    if len(left):
        numbers.coverage_a[0] = shared[0] / max(texts[0].chars, 1)
        numbers.coverage_b[0] = shared[1] / max(texts[1].chars, 1)
        numbers.identical[0] = sum(identical) / max(sum(shared), 1)
        numbers.longest[0] = _longest(texts, left)
        numbers.passages[0] = len(left)
    return numbers


def _longest(texts: tuple[TokenizedText, TokenizedText], left: Passages) -> int:
    """Return the longest equal run; pieces too short to hold a longer one are not looked at."""
    longest = 0
    sizes = np.minimum(left.words_a, left.words_b)
    for piece in np.argsort(-sizes, kind="stable").tolist():
        if sizes[piece] <= longest:
            break
        longest = max(longest, coverage.longest_run(*texts, left, piece))
    return longest
