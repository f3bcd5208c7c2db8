"""Which paragraph travels where: the passages of a group of versions, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..result import CheckResult

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Travel:
    """One passage: the versions that have it, first ones first, and where in each."""

    rows: tuple[int, ...]  # documents of the result
    places: tuple[Range, ...]  # code points of each
    parts: tuple[bool, ...]  # whether a version holds only a part of it

    @property
    def length(self) -> int:
        """Code points of the passage in the first version that has it whole."""
        whole = [place for place, part in zip(self.places, self.parts, strict=True) if not part]
        start, end = (whole or list(self.places))[0]
        return end - start


def travels(result: CheckResult, order: Sequence[int]) -> list[Travel]:
    """Return the passages that at least two versions of a group share.

    Parameters
    ----------
    order
        Documents of the group, the first version first.

    Notes
    -----
    Passages of three and more texts are the variant groups of the check. What exactly two
    versions share beyond those is listed from the passages of the pair. Most versions first,
    then longest.
    """
    time = {row: at for at, row in enumerate(order)}
    listed = [one for one in _of_groups(result, time) if len(one.rows) > 1]
    listed += _of_pairs(result, time, listed)
    return sorted(listed, key=lambda one: (-len(one.rows), -one.length))


def _of_groups(result: CheckResult, time: dict[int, int]) -> list[Travel]:
    groups, listed = result.variant_groups, []
    for group in range(len(groups)):
        rows = list(range(int(groups.first[group]), int(groups.first[group + 1])))
        rows = [row for row in rows if int(groups.document[row]) in time]
        rows.sort(key=lambda row: time[int(groups.document[row])])
        listed.append(
            Travel(
                tuple(int(groups.document[row]) for row in rows),
                tuple((int(groups.start[row]), int(groups.end[row])) for row in rows),
                tuple(bool(groups.part[row]) for row in rows),
            )
        )
    return listed


def _of_pairs(result: CheckResult, time: dict[int, int], listed: Sequence[Travel]) -> list[Travel]:
    """Return the passages of two versions of which no group holds at least half."""
    pairs, passages = result.table.pairs, result.passages
    left, right = pairs.left[passages.pair], pairs.right[passages.pair]
    inside = np.isin(left, list(time)) & np.isin(right, list(time)) & ~passages.weak
    further = []
    for row in np.flatnonzero(inside).tolist():
        sides = (
            (int(left[row]), (int(passages.a_start[row]), int(passages.a_end[row]))),
            (int(right[row]), (int(passages.b_start[row]), int(passages.b_end[row]))),
        )
        first, second = sorted(sides, key=lambda side: time[side[0]])
        if not _is_listed(first, second[0], listed):
            both = (first, second)
            rows, places = tuple(r for r, _ in both), tuple(place for _, place in both)
            further.append(Travel(rows, places, (False, False)))
    return further


def _is_listed(side: tuple[int, Range], other: int, listed: Sequence[Travel]) -> bool:
    row, (start, end) = side
    held = 0
    for one in listed:
        if row in one.rows and other in one.rows:
            low, high = one.places[one.rows.index(row)]
            held += max(0, min(high, end) - max(low, start))
    return 2 * held >= end - start
