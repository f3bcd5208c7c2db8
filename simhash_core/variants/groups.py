"""Groups: a passage that many texts share, once, instead of a passage for every pair of them.

A passage lets a stretch of one text be carried over to the other. A group begins with the stretch
that most texts share and is carried from text to text, always in the borders it began with, so a
longer passage (a copy of the whole text) leads to further texts but never widens the group or
joins it to another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model import F64, I64, Bools, Pairs, Passages
from ..result import VariantGroups

INSIDE = 0.8  # of the shorter stretch: then it lies in the longer one
LEAST_WITNESSES = 3

#: of the longer of two stretches of one text that are the same; of a stretch, what a passage must
#: cover to carry it on. Above 1/2, so that of two stretches side by side one at most is the same
#: as the longer one that holds both.
SAME_STRETCH = 2 / 3
MOST_STRETCHED = 2.0  # times the stretch: insertions make a witness longer, never without a bound
#: of the words of the stretch a group began with, what a text must share with it: by the passages
#: that lead there, each of which keeps the share of the words that its two sides have in common
#: (docs/adr/0004: measured on planted groups and on statutes)
LEAST_SHARED = 0.25

Stretch = tuple[int, int]
#: document row -> stretch
Members = dict[int, Stretch]
#: how far passages reach beyond the stretch, 0 where they are about its size; document, place,
#: and the part of the words of the stretch a group began with that the way there keeps
Target = tuple[int, int, Stretch, float]

PLACE = 32  # bits of a place in a text: code points
FARTHEST = (1 << PLACE) - 1


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
    return pack(drop_contained(collect(sides)))


def collect(sides: Sides) -> list[Group]:
    """Carry every stretch that enough texts share through the batch, best supported first."""
    used = np.zeros(len(sides), np.bool_)
    groups = []
    for document, stretch, rows in leaders(sides):
        free = rows[~used[rows]]
        partners = np.unique(sides.partner[free])
        if len(partners) < LEAST_WITNESSES - 1:
            continue
        members = settle_members(sides, carry_stretch(sides, document, stretch))
        used[free] = True
        if len(members) >= LEAST_WITNESSES:
            used[find_same_stretch(sides, members)] = True
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
            support = len(np.unique(sides.partner[members]))
            if support >= LEAST_WITNESSES - 1:
                start, end = find_middle(sides.start[members]), find_middle(sides.end[members])
                chosen.append((support, document, start, max(end, start + 1), members))
    chosen.sort(key=lambda one: (-one[0], one[2] - one[3], one[1], one[2]))
    return [(document, (start, end), rows) for _, document, start, end, rows in chosen]


def stretches(start: I64, end: I64) -> list[I64]:
    """Sort the sides of one document into stretches; returns the rows of each."""
    distinct_ends, which, count = np.unique(
        (start << PLACE) + end, return_inverse=True, return_counts=True
    )
    low, high = distinct_ends >> PLACE, distinct_ends & FARTHEST
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
    of_side = label[which]
    order = np.argsort(of_side, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(of_side[order])) + 1)


def find_middle(values: I64) -> int:
    """Return the lower median."""
    return int(np.sort(values)[(len(values) - 1) // 2])


def drop_contained(groups: Sequence[Group]) -> list[Group]:
    """Give up groups that lie in a longer one but for fewer than three texts.

    Those texts then stand in the longer group as holding a part of it: one student who took a
    third of a paragraph is not a passage of its own, a formula of law in fifty other texts is.
    """
    ordered = sorted(groups, key=lambda one: (-one.length, -len(one.members)))
    chosen: dict[int, Group] = {}  # by place in `ordered`
    for at, inside in enumerate(count_inside(ordered)):
        held = {one: count for one, count in inside.items() if one in chosen}
        container, beyond = _container(ordered[at].members, held, chosen)
        if container < 0:
            chosen[at] = ordered[at]
        elif beyond:
            wider, more = chosen[container], {one: ordered[at].members[one] for one in beyond}
            chosen[container] = Group({**wider.members, **more}, wider.parts | beyond)
    return list(chosen.values())


def count_inside(groups: Sequence[Group]) -> list[dict[int, int]]:
    """Return for each group the earlier ones that hold its stretches, and how many of them."""
    rows = [
        (document, start, end, at)
        for at, group in enumerate(groups)
        for document, (start, end) in group.members.items()
    ]
    places = np.array(rows, np.int64).reshape(-1, 4)
    document = places[:, 0]
    places = places[np.argsort(document, kind="stable")]  # of one document in order of the groups
    edges = np.flatnonzero(np.diff(places[:, 0], prepend=-1, append=-1))
    pairs = [np.zeros((0, 2), np.int64)]
    for low, high in pairwise(edges.tolist()):
        _, start, end, group = places[low:high].T
        shared = np.minimum(end[:, None], end) - np.maximum(start[:, None], start)
        inner, outer = np.nonzero(np.tril(shared >= INSIDE * (end - start)[:, None], -1))
        pairs.append(np.stack([group[inner], group[outer]], axis=1))
    both, count = np.unique(np.concatenate(pairs) @ [len(groups), 1], return_counts=True)
    inside: list[dict[int, int]] = [{} for _ in groups]
    for key, number in zip(both.tolist(), count.tolist(), strict=True):
        inside[key // len(groups)][key % len(groups)] = number
    return inside


def _container(
    members: Members, inside: Mapping[int, int], chosen: Mapping[int, Group]
) -> tuple[int, frozenset[int]]:
    """Return the group that holds nearly all of these, -1 if none, and the texts beyond it."""
    for group, count in sorted(inside.items(), key=lambda one: (-one[1], one[0])):
        if len(members) - count >= LEAST_WITNESSES:
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
        np.array(document, np.int64),
        np.array(start, np.int32),
        np.array(end, np.int32),
        np.array(part, np.bool_),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """Both sides of every passage, sorted by document and start; `other` is the row of the other.

    `share` is that of the words of a passage which both its sides have. `first[d]:first[d + 1]`
    are the rows of document d.
    """

    document: I64
    start: I64
    end: I64
    other: I64
    share: F64
    partner: I64  # the document of the other side
    first: I64  # (n + 1,)
    place: I64  # document and start as one number, ascending
    marks: Bools  # all False between calls: a set of rows

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
        share = np.minimum(counted.shared_a / counted.words_a, counted.shared_b / counted.words_b)
        first = np.searchsorted(document[order], np.arange(n + 1))
        document, start = document[order], start[order]
        columns = document, start, end[order], other, np.tile(share, 2)[order], document[other]
        place, marks = (document << PLACE) + start, np.zeros(2 * p, np.bool_)
        return cls(*columns, first.astype(np.int64), place, marks)

    def __len__(self) -> int:
        return len(self.document)

    def touching(self, document: I64, start: I64, end: I64) -> tuple[I64, I64]:
        """Return the rows of documents' sides that overlap their stretches, and whose each is."""
        rows, whose = self._starting(document, self.first[document], end)
        reach = self.end[rows] > start[whose]
        return rows[reach], whose[reach]

    def same_as(self, document: I64, start: I64, end: I64) -> I64:
        """Return the rows of documents' sides that are the same as their stretches.

        Such a side begins within half the length of the stretch before it, or a third behind it.
        """
        long = end - start
        low = np.searchsorted(self.place, (document << PLACE) + np.maximum(start - long // 2, 0))
        rows, whose = self._starting(document, low, start + long // 3 + 1)
        start, end = start[whose], end[whose]
        longer = np.maximum(self.end[rows] - self.start[rows], end - start)
        return np.asarray(rows[self.overlap(rows, start, end) >= SAME_STRETCH * longer])

    def _starting(self, document: I64, low: I64, before: I64) -> tuple[I64, I64]:
        """Return the rows of documents from `low` on that start before a place, and whose."""
        count = np.searchsorted(self.place, (document << PLACE) + before) - low
        whose = np.repeat(np.arange(len(document)), count)
        return np.arange(len(whose)) + np.repeat(low - np.cumsum(count) + count, count), whose

    def leading_out(self, group: Carried, wave: I64, start: I64, end: I64) -> tuple[I64, I64]:
        """Return as `touching` the rows of members that lead to texts that are no members.

        They are looked for in the members or, from the other end, in the other texts, whichever
        have fewer rows: a stretch that nearly all texts hold is carried on in little time.
        """
        size = np.diff(self.first)
        if size[wave].sum() <= size[~group.inside].sum():
            rows, member = self.touching(wave, start, end)
            away = ~group.inside[self.partner[rows]]
            return rows[away], member[away]
        outside = np.flatnonzero(~group.inside)
        behind, _ = self._starting(outside, self.first[outside], np.full(len(outside), FARTHEST))
        rank = np.full(len(group.inside), -1)
        rank[wave] = np.arange(len(wave))
        rows, member = self.other[behind], rank[self.partner[behind]]
        rows, member = rows[member >= 0], member[member >= 0]
        reach = self.overlap(rows, start[member], end[member]) > 0
        rows, member = rows[reach], member[reach]
        order = np.lexsort((rows, member))
        return rows[order], member[order]

    def overlap(self, rows: I64, start: I64, end: I64) -> I64:
        """Return how many characters of its stretch each row covers."""
        low, high = np.maximum(self.start[rows], start), np.minimum(self.end[rows], end)
        return np.asarray(high - low)


@dataclass(frozen=True, slots=True)
class Carried:
    """The texts that a stretch has been carried to, and what the way there keeps of its words."""

    members: Members
    shared: dict[int, float]
    inside: Bools  # (n,): which documents are members

    def join(self, reached: Iterable[Target]) -> list[int]:
        """Add the texts that are not members yet, and return them."""
        new = []
        for _, document, place, shared in reached:
            if not self.inside[document]:
                self.members[document], self.shared[document] = place, shared
                self.inside[document] = True
                new.append(document)
        return new


def carry_stretch(sides: Sides, document: int, stretch: Stretch) -> Members:
    """Carry a stretch from its document to every text that passages lead to.

    Passages of about its size lead on first; only when there are none left, those that reach far
    beyond it, in which the place is an estimate. A way ends where it keeps less than `LEAST_SHARED`
    of the words: through one loose passage after another a stretch would drift to other words.
    """
    group = Carried({}, {}, np.zeros(len(sides.first) - 1, np.bool_))
    wave, later = group.join([(0, document, stretch, 1.0)]), list[Target]()
    while wave:
        reached = targets(sides, group, wave, length=stretch[1] - stretch[0])
        later += [one for one in reached if one[0]]
        wave = group.join(one for one in reached if not one[0])
        if not wave:
            away = [one for one in later if not group.inside[one[1]]]
            wave, later = group.join(sorted(away)), []
    return group.members


def targets(sides: Sides, group: Carried, wave: Sequence[int], *, length: int) -> list[Target]:
    """Return where the stretches of some members lie in further texts: the first of each text.

    `length` is that of the stretch the group began with.
    """
    start, end = np.array([group.members[one] for one in wave], np.int64).T
    rows, member = sides.leading_out(group, np.array(wave, np.int64), start, end)
    rows, member, held, first = _holding(sides, rows, member, start, end)
    if not len(rows):
        return []
    low, high = _places(sides, rows, start[member], end[member])
    whole, together = sides.end[rows] - sides.start[rows], np.add.reduceat(held, first)
    # a text may hold it in pieces, in order and near; else the row that holds most of it counts
    pieces = (
        together,
        np.add.reduceat(whole, first),
        np.minimum.reduceat(low, first),
        np.maximum.reduceat(high, first),
        np.add.reduceat(held * sides.share[rows], first) / together,
    )
    best = tuple(column[first] for column in (held, whole, low, high, sides.share[rows]))
    size = (end - start)[member[first]]
    fits = _same_size(pieces, size, length)
    held, whole, low, high, share = (
        np.where(fits, one, other) for one, other in zip(pieces, best, strict=True)
    )
    share = share * np.array([group.shared[one] for one in wave])[member[first]]
    fits = (fits | _same_size(best, size, length)) & (share >= LEAST_SHARED)
    excess = np.where(held >= SAME_STRETCH * whole, 0, whole - held)
    columns = (excess, sides.partner[rows[first]], low, high, share)
    excess, target, low, high, share = (column[fits] for column in columns)
    best_later = np.where(excess > 0, (share, high, low, excess), 0)
    order = np.lexsort((*best_later, target, excess > 0))
    named = np.stack([excess > 0, target])[:, order]
    chosen = np.sort(order[np.append(True, np.diff(named).any(axis=0))[: len(order)]])
    excess, target, low, high, share = (
        column[chosen].tolist() for column in (excess, target, low, high, share)
    )
    return list(zip(excess, target, zip(low, high, strict=True), share, strict=True))


def _holding(
    sides: Sides, rows: I64, member: I64, start: I64, end: I64
) -> tuple[I64, I64, I64, I64]:
    """Return the rows to texts that together hold enough of a member's stretch.

    Sorted by member, then by text, the row that holds most of it first; with the member of each,
    what each holds, and the first row of each member and text.
    """
    held, target = (sides.overlap(rows, start[member], end[member]), sides.partner[rows])
    order = np.lexsort((-held, target, member))
    rows, member, held, target = rows[order], member[order], held[order], target[order]
    new = np.ones(len(rows), np.bool_)
    new[1:] = (target[1:] != target[:-1]) | (member[1:] != member[:-1])
    first = np.flatnonzero(new)
    if not len(first):
        return rows, member, held, first
    enough = np.add.reduceat(held, first) >= SAME_STRETCH * (end - start)[member[first]]
    stays = enough[np.cumsum(new) - 1]
    return rows[stays], member[stays], held[stays], np.flatnonzero(new[stays])


def _same_size(held: Sequence[NDArray[Any]], size: I64, length: int) -> Bools:
    """Return where passages hold most of a stretch in a place of about its length."""
    shared, _, start, end, _ = held
    long = end - start
    enough = (shared >= SAME_STRETCH * size) & (long >= SAME_STRETCH * length)
    return np.asarray(enough & (long <= MOST_STRETCHED * length))


def _places(sides: Sides, rows: I64, begin: I64, finish: I64) -> tuple[I64, I64]:
    """Return where the part of a stretch that each side covers lies in its other text.

    In proportion: exact at the borders of a passage, an estimate inside it.
    """
    start, end, other = sides.start[rows], sides.end[rows], sides.other[rows]
    before, after = np.maximum(begin - start, 0), np.maximum(end - finish, 0)
    scale = (sides.end[other] - sides.start[other]) / (end - start)
    low = sides.start[other] + np.floor(before * scale).astype(np.int64)
    high = sides.end[other] - np.floor(after * scale).astype(np.int64)
    return low, np.maximum(high, low + 1)


def settle_members(sides: Sides, members: Members) -> Members:
    """Give every text the stretch that at least two others of its group share with it.

    Two, or a tenth where there are many: the borders of one passage can lie anywhere.
    """
    rows = find_same_stretch(sides, members)
    document, first, count = np.unique(sides.document[rows], return_index=True, return_counts=True)
    rank = np.maximum(2, count // 10)
    several = count >= rank
    document, rank = document[several], rank[several]
    first, last = first[several], (first + count)[several]
    start, end = sides.start[rows], sides.end[rows]  # those of one document are sorted by start
    end = end[np.lexsort((end, sides.document[rows]))]
    ends = zip(start[first + rank - 1].tolist(), end[last - rank].tolist(), strict=True)
    return {**members, **dict(zip(document.tolist(), ends, strict=True))}


def find_same_stretch(sides: Sides, members: Members) -> I64:
    """Return the rows of passages about as long as the stretches of both their documents."""
    document = np.array(sorted(members), np.int64)
    start, end = np.array([members[one] for one in document.tolist()], np.int64).T
    rows = sides.same_as(document, start, end)
    sides.marks[rows] = True
    both = sides.marks[sides.other[rows]]
    sides.marks[rows] = False
    return rows[both]
