"""Groups: a passage that many texts share, once, instead of a passage for every pair of them.

A passage lets a stretch of one text be carried over to the other. A group begins with the stretch
that most texts share and is carried from text to text, always in the borders it began with, so a
longer passage (a copy of the whole text) leads to further texts but never widens the group or
joins it to another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..model import I32, I64, Bools, Pairs, Passages
from ..result import VariantGroups
from .carrying import SAME_STRETCH, Members, Sides, Stretch, carried, same_stretch, settled

INSIDE = 0.8  # of the shorter stretch: then it lies in the longer one
LEAST_WITNESSES = 3


@dataclass(frozen=True, slots=True)
class Group:
    """Witnesses of one passage: document row -> stretch, and those that hold only a part."""

    members: Members
    parts: frozenset[int] = frozenset()

    @property
    def length(self) -> int:
        """Middle length of the stretches, code points."""
        lengths = sorted(end - start for start, end in self.members.values())
        return lengths[len(lengths) // 2]


def variant_groups(pairs: Pairs, passages: Passages, n: int) -> VariantGroups:
    """Merge the passages of all pairs into groups of at least three texts.

    Parameters
    ----------
    pairs, passages
        As in a result: `passages.twins` is the row of `pairs`. Weak passages take no part.
    n
        Number of documents.

    Returns
    -------
    VariantGroups
        Most witnesses first, then longest, then in the order of the documents.

    Notes
    -----
    Each text appears once in a group. Cost: O(p log p) to sort, and for each group the passages
    that touch its witnesses' stretches.
    """
    sides = Sides.of(pairs, passages, n)
    return pack(distinct(collect(sides)))


def collect(sides: Sides) -> list[Group]:
    """Carry every stretch that enough texts share through the batch, best supported first."""
    used = np.zeros(len(sides), np.bool_)
    groups = []
    for document, stretch, rows in leaders(sides):
        free = rows[~used[rows]]
        partners = np.unique(sides.document[sides.other[free]])
        if len(partners) < LEAST_WITNESSES - 1:
            continue
        members = settled(sides, carried(sides, document, stretch))
        used[free] = True
        if len(members) >= LEAST_WITNESSES:
            used[same_stretch(sides, members)] = True
            groups.append(Group(members))
    return groups


def leaders(sides: Sides) -> list[tuple[int, Stretch, I64]]:
    """Return (document, stretch, rows of its sides) where a group can begin, best first.

    Most texts first, then longest. Sides of a document belong to one stretch where they overlap
    the one that most of them have by `SAME_STRETCH` of the longer.
    """
    chosen: list[tuple[int, int, int, int, I64]] = []
    several = np.flatnonzero(np.diff(sides.first) >= LEAST_WITNESSES - 1)
    for document in several.tolist():
        rows = np.arange(sides.first[document], sides.first[document + 1])
        for of_stretch in stretches(sides.start[rows], sides.end[rows]):
            members = rows[of_stretch]
            support = len(np.unique(sides.document[sides.other[members]]))
            if support >= LEAST_WITNESSES - 1:
                start, end = middle(sides.start[members]), middle(sides.end[members])
                chosen.append((support, document, start, max(end, start + 1), members))
    chosen.sort(key=lambda one: (-one[0], one[2] - one[3], one[1], one[2]))
    return [(document, (start, end), rows) for _, document, start, end, rows in chosen]


def stretches(start: I64, end: I64) -> list[I64]:
    """Sort the sides of one document into stretches; returns the rows of each."""
    distinct_ends, which, count = np.unique(
        np.stack([start, end], axis=1), axis=0, return_inverse=True, return_counts=True
    )
    low, high = distinct_ends.T
    order = np.lexsort((low, low - high, -count))
    label = np.zeros(len(order), np.int64)
    chosen: list[int] = []
    for one in order.tolist():
        reps = np.array(chosen, np.int64)
        longer = np.maximum(high[reps] - low[reps], high[one] - low[one])
        share = np.minimum(high[reps], high[one]) - np.maximum(low[reps], low[one])
        fits = share >= SAME_STRETCH * longer
        if fits.any():
            label[one] = int(np.argmax(np.where(fits, share / longer, 0.0)))
        else:
            label[one] = len(chosen)
            chosen.append(one)
    of_side = label[which.reshape(-1)]
    order = np.argsort(of_side, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(of_side[order])) + 1)


def middle(values: I64) -> int:
    """Return the lower median."""
    return int(np.sort(values)[(len(values) - 1) // 2])


def distinct(groups: Sequence[Group]) -> list[Group]:
    """Give up groups that lie in a longer one but for fewer than three texts.

    Those texts then stand in the longer group as holding a part of it: one student who took a
    third of a paragraph is not a passage of its own, a formula of law in fifty other texts is.
    """
    places: dict[int, I64] = {}
    chosen: list[Group] = []
    for group in sorted(groups, key=lambda one: (-one.length, -len(one.members))):
        container, beyond = _container(group.members, places, chosen)
        if container < 0:
            _note(places, group.members, len(chosen))
            chosen.append(group)
        elif beyond:
            wider, more = chosen[container], {one: group.members[one] for one in beyond}
            chosen[container] = Group({**wider.members, **more}, wider.parts | beyond)
    return chosen


def _note(places: dict[int, I64], members: Members, group: int) -> None:
    """Note in `places`, rows (start, end, group) of each document, what a group holds."""
    for document, (start, end) in members.items():
        row = np.array([[start, end, group]], np.int64)
        places[document] = np.concatenate([places[document], row]) if document in places else row


def _container(
    members: Members, places: dict[int, I64], chosen: Sequence[Group]
) -> tuple[int, frozenset[int]]:
    """Return the group that holds nearly all of these, -1 if none, and the texts beyond it."""
    inside = np.zeros(len(chosen), np.int64)
    for document, (start, end) in members.items():
        if document in places:
            low, high, group = places[document].T
            shared = np.minimum(end, high) - np.maximum(start, low)
            inside[group[shared >= INSIDE * (end - start)]] += 1
    for group in np.argsort(-inside, kind="stable")[: np.count_nonzero(inside)].tolist():
        if len(members) - inside[group] >= LEAST_WITNESSES:
            break
        beyond = frozenset(members) - frozenset(chosen[group].members)
        if len(beyond) < LEAST_WITNESSES:
            return group, beyond
    return -1, frozenset()


def pack(groups: Iterable[Group]) -> VariantGroups:
    """Write groups as flat arrays in their final order."""
    ordered = sorted(
        groups, key=lambda one: (-len(one.members), -one.length, sorted(one.members.items()))
    )
    rows = [
        (document, *stretch, document in group.parts)
        for group in ordered
        for document, stretch in sorted(group.members.items())
    ]
    document, start, end, part = zip(*rows, strict=True) if rows else ((),) * 4
    sizes = [len(group.members) for group in ordered]
    return VariantGroups(
        np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64),
        _i64(document),
        _i32(start),
        _i32(end),
        _bools(part),
    )


def _i64(values: Sequence[int]) -> I64:
    return np.array(values, np.int64)


def _i32(values: Sequence[int]) -> I32:
    return np.array(values, np.int32)


def _bools(values: Sequence[bool]) -> Bools:
    return np.array(values, np.bool_)
