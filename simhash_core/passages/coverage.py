"""What two texts share of their words, passage by passage, and how much of each text that is.

What of a passage is shared: without the longer gaps in it, and which part word for word; and which
passages of a pair stand in another order in the second text than in the first.

How much of a text is shared is counted in units: each counts once, in one class. A unit is a token:
a character of Han or kana, a word of other scripts. White space and punctuation are in no fraction,
so two texts that differ in them alone are shared in full.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..machine.compiled import Table
from ..machine.memory import sizes_of, split_by_size
from ..model import F32, I32, I64, MOVED, SHARED, VERBATIM, Bools, Passages, Stretches
from ..policy import MIN_RUN
from . import exact
from .exact import LOOPS
from .findings import MOVED_HAN, MOVED_WORDS, SUMMARY
from .options import AlignOptions
from .tokenized import TokenizedText, languages_of, span_of

#: Longest stretch without an anchor that is taken as copied, in tokens. docs/calibration.md,
#: "Passages"
GAP_HAN, GAP_WORDS = 40, 20
SHORTEST_RUN = 3  # tokens
MOST_EQUAL_GRAMS = 2_000_000  # pairs of grams that may be equal, in text that repeats itself
MEASURED_TOKENS = 1_000_000  # of both sides of the pairs that are measured in one call

Ranges = tuple[I64, I64, I64]  # (r, 2) tokens, by kind of `Stretches`

_NONE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """Which tokens of two texts are shared, in identical runs, and in moved passages.

    Identical and moved tokens are shared, and none is both.
    """

    shared: tuple[Bools, Bools]
    identical: tuple[Bools, Bools]
    moved: tuple[Bools, Bools]

    @classmethod
    def of(cls, left: tuple[Bools, Bools, Bools], right: tuple[Bools, Bools, Bools]) -> Marks:
        """Return the marks of two texts: what is moved is not identical, what is not shared none.

        Each side is given as shared, identical, moved, bool (tokens,).
        """
        a, b = (
            (shared, same & shared & ~away, away & shared) for shared, same, away in (left, right)
        )
        return cls((a[0], b[0]), (a[1], b[1]), (a[2], b[2]))

    def ranges(self) -> tuple[Ranges, Ranges]:
        """Return for each text the stretches of tokens of each kind of `Stretches`."""
        of_side = zip(self.shared, self.identical, self.moved, strict=True)
        left, right = (
            (ranges_of(shared), ranges_of(identical), ranges_of(moved))
            for shared, identical, moved in of_side
        )
        return left, right

    def stretches(self, row: int, texts: tuple[TokenizedText, TokenizedText]) -> Stretches:
        """Return the marks as stretches of one pair."""
        return stretches_of([(row, texts, self.ranges())])


def ranges_of(marked: Bools) -> I64:
    """Return the stretches of marked tokens, int64 (r, 2): first and one past the last."""
    padded = np.zeros(len(marked) + 2, np.bool_)
    padded[1:-1] = marked
    return np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2)


def stretches_of(
    marked: Sequence[tuple[int, tuple[TokenizedText, TokenizedText], tuple[Ranges, Ranges]]],
) -> Stretches:
    """Return the stretches of many pairs, each given as row, texts and `Marks.ranges`."""
    of_part, start, end = [], [], []
    for row, texts, ranges in marked:
        for side, text in enumerate(texts):
            for kind, part in enumerate(ranges[side]):
                of_part.append((row, side, kind, len(part)))
                start.append(text.start[part[:, 0]])
                end.append(text.end[part[:, 1] - 1])
    if not of_part:
        return Stretches.join([])
    row_of, side_of, kind_of, count = np.array(of_part, np.int64).T
    return Stretches(
        np.repeat(row_of, count),
        np.repeat(side_of.astype(np.uint8), count),
        np.concatenate(start),
        np.concatenate(end),
        np.repeat(kind_of.astype(np.uint8), count),
    )


def longest_order(spans: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> list[int]:
    """Return the positions of the heaviest chain that rises in the second text.

    `spans` are sorted by the first text; the weight of a passage is its length there. A Fenwick
    tree of prefix maxima makes it O(n log n), so thousands of passages cost milliseconds.
    """
    starts = sorted({b[0] for _, b in spans})
    tree: list[tuple[int, int]] = [(0, _NONE)] * (len(starts) + 1)
    before = [_NONE] * len(spans)
    best = (0, _NONE)
    for i, (a, b) in enumerate(spans):
        rank = bisect_left(starts, b[0])
        reach, previous = (0, _NONE)
        slot = rank  # strictly earlier starts
        while slot > 0:
            reach, previous = max((reach, previous), tree[slot])
            slot &= slot - 1
        before[i] = previous
        total = (reach + max(1, a[1] - a[0]), i)
        best = max(best, total)
        slot = rank + 1
        while slot < len(tree):
            tree[slot] = max(tree[slot], total)
            slot += slot & -slot
    chain = []
    at = best[1]
    while at != _NONE:
        chain.append(at)
        at = before[at]
    return chain[::-1]


# --------------------------------------------------------------------------- how much is shared

#: the classes of what a text shares, as `PairNumbers.parts` and `parts_of_texts` have them
PARTS = ("identical", "reworded", "moved")


@lru_cache(maxsize=64)
def shortest_run(language: str, min_run: int) -> int:
    """Return the fewest tokens of an identical run of a reworded passage."""
    return AlignOptions.for_language(language, frequencies=False, min_run=min_run).short_run


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
            self, coverage_a=self.coverage_b, coverage_b=self.coverage_a, parts=self.parts[:, ::-1]
        )


def count_covered(text: TokenizedText, start: I32, end: I32) -> int:
    """Return how many units lie in the union of code-point ranges."""
    return int(np.diff(text.units)[_count_held(text, start, end) > 0].sum())


def share(text: TokenizedText, start: I32, end: I32) -> float:
    """Return `count_covered` as a share of the text, 0 where it has no token."""
    return count_covered(text, start, end) / text.counted if text.counted else 0.0


def _count_held(text: TokenizedText, start: I32, end: I32) -> I64:
    """Return how many of some ranges hold each token, int64 (tokens,)."""
    change = np.zeros(len(text) + 1, np.int64)
    np.add.at(change, np.searchsorted(text.start, start), 1)
    np.add.at(change, np.searchsorted(text.end, end, side="right"), -1)
    return np.cumsum(change)[:-1]


def sum_up_pairs(
    tokenized: Sequence[TokenizedText], pairs: I64, passages: Passages, *, min_run: int = MIN_RUN
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
    Passages must be sorted by pair, as `align_many` returns them. A summary is a passage and counts
    in no share: of 15 between texts on one topic that were read none was a copy.
    """
    numbers, stretches = PairNumbers.zeros(len(pairs)), []
    counted = passages.take(~passages.weak)
    firm = counted.take(counted.kind != SUMMARY)
    rows, first = np.unique(firm.pair, return_index=True)
    ends = np.append(first, len(firm))
    sizes = sizes_of(tokenized)[pairs[rows]].sum(axis=1)
    for low, high in split_by_size(sizes, MEASURED_TOKENS):
        inside = firm.take(np.arange(ends[low], ends[high]))
        local = inside.of_pairs(np.searchsorted(rows[low:high], inside.pair))
        part = measure_pairs(tokenized, pairs[rows[low:high]], local, min_run)
        numbers.put(rows[low:high], part[0])
        stretches.append(part[1].of_pairs(rows[low:high][part[1].pair]))
    numbers.passages[:] = np.bincount(counted.pair, minlength=len(pairs))
    return numbers, Stretches.join(stretches)


def measure_pairs(
    tokenized: Sequence[TokenizedText], pairs: I64, passages: Passages, min_run: int
) -> tuple[PairNumbers, Stretches]:
    """Return the numbers of every pair, and what it shares; each has a passage.

    None of them is weak, or a summary. The arguments are those of `sum_up_pairs`.

    Notes
    -----
    In a reworded passage two features in a row that the other side has anywhere are an anchor, if
    together they weigh as much as a token on average: "of the" is none. Anchors hold what lies
    between them, unless that is more than `GAP_WORDS` tokens (`GAP_HAN` in Chinese). What is
    shared of a moved passage is moved, identical or not: one out of the common order (the chain of
    passages that rises in both texts and holds the most characters of the first, `longest_order`),
    or one of whose own words in runs less than `KEPT_ORDER` lie in the order of both sides.
    """
    rows, local = np.unique(pairs, return_inverse=True)
    local = np.ascontiguousarray(local.reshape(pairs.shape))
    texts = [tokenized[row] for row in rows.tolist()]
    counts = [np.diff(text.before) > 0 for text in texts]
    columns = (
        np.concatenate([getattr(text, name) for text in texts])
        for name in ("token", "feature", "start", "end")
    )
    counted = LOOPS.Counted(*columns, np.concatenate(counts), np.cumsum([0, *map(len, texts)]))
    spans = np.stack([*passages.columns()[1:6]], axis=1).astype(np.int64)
    first = np.searchsorted(passages.pair, np.arange(len(pairs) + 1))
    parts = np.zeros((len(pairs), 2, len(PARTS)), np.int64)
    longest, stretches = np.empty(len(pairs), np.int64), Table(np.int64, 5)
    by_language = (  # English, Chinese
        [shortest_run(language, min_run) for language in ("en", "zh")],
        [GAP_WORDS, GAP_HAN],
        [MOVED_WORDS, MOVED_HAN],
    )
    rules = LOOPS.Rules(*np.array(by_language, np.int64), AlignOptions().top_weight)
    chinese = languages_of(texts, local) == "zh"
    given = (counted, local, chinese, spans, first, len(pairs), rules)
    LOOPS.measure_pairs(*given, parts, longest, stretches)
    for row in np.flatnonzero(longest < 0).tolist():  # too many equal grams for the loops
        a, b = (tokenized[one] for one in pairs[row].tolist())
        inside = range(*first[row : row + 2].tolist())
        longest[row] = max(longest_run(a, b, passages, one) for one in inside)
    of_text = np.array([int(np.count_nonzero(one)) for one in counts], np.int64)
    numbers = PairNumbers.of(
        parts.astype(np.int32),
        of_text[local],
        longest.astype(np.int32),
        np.diff(first).astype(np.int32),
    )
    pair, side, kind, start, end = stretches.taken().T
    spans_of = (pair, side.astype(np.uint8), start.astype(np.int32), end.astype(np.int32))
    return numbers, Stretches(*spans_of, kind.astype(np.uint8))


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
    k = min(SHORTEST_RUN, len(token_a), len(token_b))
    if k < 1:
        return 0
    if np.array_equal(token_a, token_b):
        return len(token_a)
    gram_a, gram_b = exact.grams_of(token_a, k), exact.grams_of(token_b, k)
    if len(gram_a) * len(gram_b) > MOST_EQUAL_GRAMS:
        _, length = exact.longest_common(token_a, token_b)
        return length if length >= k else 0
    runs = exact.find_runs(token_a, token_b, gram_a, gram_b, k, len(token_b))
    return int(runs[:, 2].max(initial=0))


def drop_repeated(stretches: Stretches, pairs: I64) -> Stretches:
    """Drop identical stretches that lie in one of another pair of the same text.

    `parts_of_texts` is the same without them: it takes their union. Where k texts hold one page,
    nearly all of the k^2 are dropped.
    """
    verbatim = np.flatnonzero(stretches.kind == VERBATIM)
    row = pairs[stretches.pair[verbatim], stretches.side[verbatim]]
    order = np.lexsort((-stretches.end[verbatim], stretches.start[verbatim], row))
    reach = (row[order] << 32) + stretches.end[verbatim[order]]
    kept = np.ones(len(stretches), np.bool_)
    kept[verbatim[order[1:]]] = reach[1:] > np.maximum.accumulate(reach)[:-1]
    return stretches.take(kept)


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
        _count_held(text, of_kind.start, of_kind.end)
        for of_kind in (stretches.of_kind(kind) for kind in (SHARED, VERBATIM, MOVED))
    ]
    shared, identical = held[SHARED] > 0, held[VERBATIM] > 0
    in_order = held[SHARED] > held[MOVED]  # one pair at least shares it where it belongs
    return _parts(np.diff(text.units), shared, identical, shared & ~in_order)


def shares_of(parts: I32, counted: I64) -> F32:
    """Return which share of each text some of its parts are, float32 (n,)."""
    return np.asarray(parts.sum(axis=1) / np.maximum(counted, 1), np.float32)
