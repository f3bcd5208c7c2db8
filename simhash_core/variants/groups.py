"""Groups: a passage that many texts share, once, instead of a passage for every pair of them.

A passage lets a stretch of one text be carried over to the other. A group begins with the stretch
that most texts share and is carried from text to text, always in the borders it began with, so a
longer passage (a copy of the whole text) leads to further texts but never widens the group or
joins it to another.
"""

from __future__ import annotations

import heapq
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
    inside = np.zeros(len(sides.first) - 1, np.bool_)
    inside[document] = True
    ready: deque[int] = deque([document])
    later: list[tuple[int, int, Stretch]] = []
    while ready or later:
        if ready:
            one = ready.popleft()
            for excess, target, place in targets(sides, one, members[one], inside, length):
                if excess:
                    heapq.heappush(later, (excess, target, place))
                else:
                    members[target] = place
                    inside[target] = True
                    ready.append(target)
        else:
            _, target, place = heapq.heappop(later)
            if not inside[target]:
                members[target] = place
                inside[target] = True
                ready.append(target)
    return members


def targets(
    sides: Sides, document: int, stretch: Stretch, inside: Bools, length: int
) -> list[tuple[int, int, Stretch]]:
    """Return (excess, document, place) of the other texts that hold a member's stretch.

    The excess is how far the passages reach beyond the stretch where they are not about its size,
    else 0. `inside` marks the documents that are members, `length` is that of the stretch the
    group began with.
    """
    rows = sides.touching(document, stretch)
    rows = rows[~inside[sides.document[sides.other[rows]]]]
    if not len(rows):  # most are members after one step
        return []
    rows, held, first = _holding(sides, rows, stretch)
    if not len(rows):
        return []
    target = sides.document[sides.other[rows]]
    places, whole = _places(sides, rows, stretch), sides.end[rows] - sides.start[rows]
    # a text may hold it in pieces, in order and near; else the row that holds most of it counts
    pieces = (
        np.add.reduceat(held, first),
        np.add.reduceat(whole, first),
        np.minimum.reduceat(places[:, 0], first),
        np.maximum.reduceat(places[:, 1], first),
    )
    best = (held[first], whole[first], places[first, 0], places[first, 1])
    together = _same_size(pieces, stretch, length)
    reached = np.flatnonzero(together | _same_size(best, stretch, length))
    shared, whole, start, end = (
        np.where(together, one, other)[reached] for one, other in zip(pieces, best, strict=True)
    )
    excess = np.where(shared >= SAME_STRETCH * whole, 0, whole - shared)
    ends = zip(start.tolist(), end.tolist(), strict=True)
    return list(zip(excess.tolist(), target[first[reached]].tolist(), ends, strict=True))


def _holding(sides: Sides, rows: I64, stretch: Stretch) -> tuple[I64, I64, I64]:
    """Return the rows to texts that together hold enough of a stretch.

    Sorted by text, the row that holds most of it first; with what each holds, and the first row
    of each text.
    """
    held, target = sides.overlap(rows, stretch), sides.document[sides.other[rows]]
    order = np.lexsort((-held, target))
    rows, held, target = rows[order], held[order], target[order]
    new = np.concatenate([[True], target[1:] != target[:-1]])
    first = np.flatnonzero(new)
    enough = np.add.reduceat(held, first) >= SAME_STRETCH * (stretch[1] - stretch[0])
    stays = enough[np.cumsum(new) - 1]
    return rows[stays], held[stays], np.flatnonzero(new[stays])


def _same_size(held: tuple[I64, I64, I64, I64], stretch: Stretch, length: int) -> Bools:
    """Return where passages hold most of a stretch in a place of about its length."""
    shared, _, start, end = held
    enough = shared >= SAME_STRETCH * (stretch[1] - stretch[0])
    long = end - start
    return np.asarray(enough & (long >= SAME_STRETCH * length) & (long <= MOST_STRETCHED * length))


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
            _note(places, more, container)
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
