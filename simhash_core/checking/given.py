"""What changes when passages count as given to all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..model import F32, I64
from ..result import CheckResult
from .exclusion_view import Excluder
from .exclusions import Exclusions

#: a passage that reaches a little beyond what was given, by as much of it and so many code
#: points, goes with it: its borders are never exact
RAGGED, MOST_RAGGED = 0.1, 40

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class GivenToAll:
    """A result without some variant groups, and what that changes.

    `result` is a whole result in the same rows: documents and pairs stay where they are.
    """

    groups: tuple[int, ...]  # of the result it was made from
    result: CheckResult
    gone: I64  # rows of pairs that are not listed any more
    before: F32  # (n,) total overlap
    after: F32

    @property
    def documents(self) -> I64:
        """Rows of the documents whose total overlap changes."""
        return np.flatnonzero(self.before != self.after)


def given_to_all(
    result: CheckResult, groups: Sequence[int], *, excluder: Excluder | None = None
) -> GivenToAll:
    """Take variant groups out of every passage and every total; nothing is aligned again.

    Parameters
    ----------
    groups
        Rows of `result.variant_groups`.
    excluder
        The texts of the result where they are at hand; else they are read here.
    """
    excluder = (excluder or Excluder(result)).with_variants(given_ranges(result, groups))
    seen = excluder.apply(Exclusions(variants=True)).result
    without = replace(seen, variant_groups=result.variant_groups.without(groups))
    limits = result.threshold, result.batch_threshold
    gone = np.flatnonzero(result.table.listed(*limits) & ~seen.table.listed(*limits))
    return GivenToAll(tuple(groups), without, gone, result.total_overlap, seen.total_overlap)


def given_ranges(result: CheckResult, groups: Sequence[int]) -> dict[int, list[Stretch]]:
    """Return the ranges of variant groups for `exclude`: document row -> code points."""
    table = result.variant_groups
    ranges: dict[int, list[Stretch]] = {}
    for group in groups:
        rows = table.rows(group)
        columns = (table.document[rows], table.start[rows], table.end[rows])
        for document, start, end in zip(*(column.tolist() for column in columns), strict=True):
            ranges.setdefault(document, []).append((start, end))
    return {row: [_whole(result, row, one) for one in of_text] for row, of_text in ranges.items()}


def _whole(result: CheckResult, document: int, stretch: Stretch) -> Stretch:
    """Extend a stretch to the borders of the passages that reach just beyond it."""
    pairs, passages = result.table.pairs, result.passages
    start, end = stretch
    most = min(MOST_RAGGED, RAGGED * (end - start))
    low, high = start, end
    for row, first, last in (
        (pairs.left, passages.a_start, passages.a_end),
        (pairs.right, passages.b_start, passages.b_end),
    ):
        touching = (row[passages.pair] == document) & (first < end) & (last > start)
        begins, ends = first[touching], last[touching]
        low = min(low, int(begins[begins >= start - most].min(initial=start)))
        high = max(high, int(ends[ends <= end + most].max(initial=end)))
    return low, high
