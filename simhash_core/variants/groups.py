"""Groups: a passage that many texts share, once, instead of a passage for every pair of them.

A passage lets a stretch of one text be carried over to the other. A group begins with the stretch
that most texts share and is carried from text to text, always in the borders it began with, so a
longer passage (a copy of the whole text) leads to further texts but never widens the group or
joins it to another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..model import I32, I64, Bools, Pairs, Passages
from ..result import VariantGroups

#: of the longer of two stretches of one text that are the same; of a stretch, what a passage must
#: cover to carry it on. Above 1/2, so that of two stretches side by side one at most is the same
#: as the longer one that holds both.
SAME_STRETCH = 2 / 3
MOST_STRETCHED = 2.0  # times the stretch: insertions make a witness longer, never without a bound
INSIDE = 0.8  # of the shorter stretch: then it lies in the longer one
LEAST_WITNESSES = 3

Stretch = tuple[int, int]
Members = dict[int, Stretch]


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
        As in a result: `passages.pair` is the row of `pairs`. Weak passages take no part.
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


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Both sides of every passage, sorted by document and start; `other` is the row of the other.

    `first[d]:first[d + 1]` are the rows of document d.
    """

    document: I64
    start: I64
    end: I64
    other: I64
    first: I64  # (n + 1,)

    @classmethod
    def of(cls, pairs: Pairs, passages: Passages, n: int) -> Sides:
        """Lay out the passages that count."""
        counted = passages.take(~passages.weak)
        p = len(counted)
        document = np.concatenate([pairs.left[counted.pair], pairs.right[counted.pair]])
        start = np.concatenate([counted.a_start, counted.b_start]).astype(np.int64)
        end = np.concatenate([counted.a_end, counted.b_end]).astype(np.int64)
        order = np.lexsort((np.arange(2 * p), end, start, document))
        place = np.empty(2 * p, np.int64)
        place[order] = np.arange(2 * p)
        other = place[(order + p) % (2 * p)] if p else place
        first = np.searchsorted(document[order], np.arange(n + 1))
        return cls(document[order], start[order], end[order], other, first.astype(np.int64))

    def __len__(self) -> int:
        return len(self.document)

    def touching(self, document: int, stretch: Stretch) -> I64:
        """Return the rows of a document's sides that overlap a stretch."""
        low, high = int(self.first[document]), int(self.first[document + 1])
        high = low + int(np.searchsorted(self.start[low:high], stretch[1]))
        rows = np.arange(low, high)
        return np.asarray(rows[self.end[low:high] > stretch[0]])

    def overlap(self, rows: I64, stretch: Stretch) -> I64:
        """Return how many characters of a stretch each row covers."""
        low, high = np.maximum(self.start[rows], stretch[0]), np.minimum(self.end[rows], stretch[1])
        return np.asarray(high - low)


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
            inside = same_stretch(sides, members)
            used[inside[np.isin(sides.other[inside], inside)]] = True
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


def carried(sides: Sides, document: int, stretch: Stretch) -> Members:
    """Carry a stretch from its document to every text that passages lead to.

    Passages of about its size lead on first; only when there are none left, those that reach far
    beyond it, in which the place is an estimate.
    """
    length = stretch[1] - stretch[0]
    members: Members = {document: stretch}
    ready: deque[int] = deque([document])
    later: list[tuple[int, int, Stretch]] = []
    while ready or later:
        if ready:
            for excess, target, place in targets(sides, ready.popleft(), members, length):
                if excess:
                    later.append((excess, target, place))
                else:
                    members[target] = place
                    ready.append(target)
        else:
            later = sorted(one for one in later if one[1] not in members)
            if later:
                _, target, place = later.pop(0)
                members[target] = place
                ready.append(target)
    return members


def targets(
    sides: Sides, document: int, members: Members, length: int
) -> list[tuple[int, int, Stretch]]:
    """Return (excess, document, place) of the other texts that hold a member's stretch.

    The excess is how far the passages reach beyond the stretch where they are not about its size,
    else 0. `length` is that of the stretch the group began with.
    """
    stretch = members[document]
    rows = sides.touching(document, stretch)
    target = sides.document[sides.other[rows]]
    fresh = ~np.isin(target, np.fromiter(members, np.int64))  # most are members after one step
    rows, target = rows[fresh], target[fresh]
    order = np.argsort(target, kind="stable")
    rows, target = rows[order], target[order]
    held, places = sides.overlap(rows, stretch), _places(sides, rows, stretch)
    reached: list[tuple[int, int, Stretch]] = []
    for of_target in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(target)) + 1):
        if not len(of_target):
            continue
        best = of_target[[int(np.argmax(held[of_target]))]]
        for chosen in (of_target, best):  # a text may hold it in pieces, in order and near
            place = int(places[chosen, 0].min()), int(places[chosen, 1].max())
            long = place[1] - place[0]
            enough = int(held[chosen].sum()) >= SAME_STRETCH * (stretch[1] - stretch[0])
            if enough and SAME_STRETCH * length <= long <= MOST_STRETCHED * length:
                whole = int((sides.end[rows[chosen]] - sides.start[rows[chosen]]).sum())
                shared = int(held[chosen].sum())
                excess = 0 if shared >= SAME_STRETCH * whole else whole - shared
                reached.append((excess, int(target[of_target[0]]), place))
                break
    return reached


def _places(sides: Sides, rows: I64, stretch: Stretch) -> I64:
    """Return where the part of a stretch that each side covers lies in its other text, (r, 2).

    In proportion: exact at the borders of a passage, an estimate inside it.
    """
    start, end, other = sides.start[rows], sides.end[rows], sides.other[rows]
    low, high = np.maximum(start, stretch[0]), np.minimum(end, stretch[1])
    scale = (sides.end[other] - sides.start[other]) / (end - start)
    begin = sides.start[other] + np.floor((low - start) * scale).astype(np.int64)
    finish = sides.end[other] - np.floor((end - high) * scale).astype(np.int64)
    return np.stack([begin, np.maximum(finish, begin + 1)], axis=1)


def settled(sides: Sides, members: Members) -> Members:
    """Give every text the stretch that at least two others of its group share with it.

    Two, or a tenth where there are many: the borders of one passage can lie anywhere.
    """
    inside = same_stretch(sides, members)
    inside = inside[np.isin(sides.other[inside], inside)]
    final = dict(members)
    order = np.argsort(sides.document[inside], kind="stable")
    rows = inside[order]
    for of_text in np.split(rows, np.flatnonzero(np.diff(sides.document[rows])) + 1):
        rank = max(2, len(of_text) // 10)
        if len(of_text) >= rank:
            start, end = np.sort(sides.start[of_text]), np.sort(sides.end[of_text])
            final[int(sides.document[of_text[0]])] = int(start[rank - 1]), int(end[-rank])
    return final


def same_stretch(sides: Sides, members: Members) -> I64:
    """Return the rows of the sides that are about as long as their document's stretch."""
    parts = [np.zeros(0, np.int64)]
    for document, stretch in members.items():
        rows = sides.touching(document, stretch)
        longer = np.maximum(sides.end[rows] - sides.start[rows], stretch[1] - stretch[0])
        parts.append(rows[sides.overlap(rows, stretch) >= SAME_STRETCH * longer])
    return np.concatenate(parts)


def distinct(groups: Sequence[Group]) -> list[Group]:
    """Give up groups that lie in a longer one but for fewer than three texts.

    Those texts then stand in the longer group as holding a part of it: one student who took a
    third of a paragraph is not a passage of its own, a formula of law in fifty other texts is.
    """
    places: dict[int, list[tuple[int, int, int]]] = {}
    chosen: list[Group] = []
    for group in sorted(groups, key=lambda one: (-one.length, -len(one.members))):
        container, beyond = _container(group.members, places, chosen)
        if container < 0:
            for document, (start, end) in group.members.items():
                places.setdefault(document, []).append((start, end, len(chosen)))
            chosen.append(group)
        elif beyond:
            wider = chosen[container]
            members = {**wider.members, **{one: group.members[one] for one in beyond}}
            chosen[container] = Group(members, wider.parts | beyond)
            for one in beyond:
                places.setdefault(one, []).append((*group.members[one], container))
    return chosen


def _container(
    members: Members, places: dict[int, list[tuple[int, int, int]]], chosen: Sequence[Group]
) -> tuple[int, frozenset[int]]:
    """Return the group that holds nearly all of these, -1 if none, and the texts beyond it."""
    inside: dict[int, int] = {}
    for document, (start, end) in members.items():
        holding = {
            group
            for low, high, group in places.get(document, ())
            if min(end, high) - max(start, low) >= INSIDE * (end - start)
        }
        for group in holding:
            inside[group] = inside.get(group, 0) + 1
    for group in sorted(inside, key=lambda one: (-inside[one], one)):
        beyond = frozenset(members) - frozenset(chosen[group].members)
        if len(members) - inside[group] < LEAST_WITNESSES and len(beyond) < LEAST_WITNESSES:
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
