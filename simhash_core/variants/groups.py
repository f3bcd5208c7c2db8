"""Groups: a passage that many texts share, once, instead of a passage for every pair of them.

A passage lets a stretch of one text be carried over to the other. A group begins with the stretch
that most texts share and is carried from text to text, always in the borders it began with, so a
longer passage (a copy of the whole text) leads to further texts but never widens the group or
joins it to another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
        partners = np.unique(sides.document[sides.other[free]])
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
            support = len(np.unique(sides.document[sides.other[members]]))
            if support >= LEAST_WITNESSES - 1:
                start, end = find_middle(sides.start[members]), find_middle(sides.end[members])
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


def find_middle(values: I64) -> int:
    """Return the lower median."""
    return int(np.sort(values)[(len(values) - 1) // 2])


def drop_contained(groups: Sequence[Group]) -> list[Group]:
    """Give up groups that lie in a longer one but for fewer than three texts.

    Those texts then stand in the longer group as holding a part of it: one student who took a
    third of a paragraph is not a passage of its own, a formula of law in fifty other texts is.
    """
    places: dict[int, I64] = {}  # of a document: rows (start, end, group)
    chosen: list[Group] = []
    for group in sorted(groups, key=lambda one: (-one.length, -len(one.members))):
        container, beyond = _container(group.members, places, chosen)
        if container < 0:
            for document, (start, end) in group.members.items():
                row = np.array([[start, end, len(chosen)]], np.int64)
                held = places.get(document, row[:0])
                places[document] = np.concatenate([held, row])
            chosen.append(group)
        elif beyond:
            wider, more = chosen[container], {one: group.members[one] for one in beyond}
            chosen[container] = Group({**wider.members, **more}, wider.parts | beyond)
    return chosen


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
    first: I64  # (n + 1,)
    place: I64  # document and start as one number, ascending

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
        columns = document[order], start[order], end[order], other, np.tile(share, 2)[order]
        return cls(*columns, first.astype(np.int64), (document[order] << PLACE) + start[order])

    def __len__(self) -> int:
        return len(self.document)

    def touching(self, document: I64, start: I64, end: I64) -> tuple[I64, I64]:
        """Return the rows of documents' sides that overlap their stretches, and whose each is."""
        low = self.first[document]
        count = np.searchsorted(self.place, (document << PLACE) + end) - low
        whose = np.repeat(np.arange(len(document)), count)
        rows = np.arange(len(whose)) + np.repeat(low - np.cumsum(count) + count, count)
        reach = self.end[rows] > start[whose]
        return rows[reach], whose[reach]

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
            wave, later = group.join(sorted(later)), []
    return group.members


def targets(sides: Sides, group: Carried, wave: Sequence[int], *, length: int) -> list[Target]:
    """Return where the stretches of some members lie in further texts, member by member.

    `length` is that of the stretch the group began with.
    """
    start, end = np.array([group.members[one] for one in wave], np.int64).T
    rows, member = sides.touching(np.array(wave, np.int64), start, end)
    away = ~group.inside[sides.document[sides.other[rows]]]
    rows, member, held, first = _holding(sides, rows[away], member[away], start, end)
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
    target = sides.document[sides.other[rows[first]]]
    excess, target, low, high, share = (
        column[fits].tolist() for column in (excess, target, low, high, share)
    )
    return list(zip(excess, target, zip(low, high, strict=True), share, strict=True))


def _holding(
    sides: Sides, rows: I64, member: I64, start: I64, end: I64
) -> tuple[I64, I64, I64, I64]:
    """Return the rows to texts that together hold enough of a member's stretch.

    Sorted by member, then by text, the row that holds most of it first; with the member of each,
    what each holds, and the first row of each member and text.
    """
    held, target = (
        sides.overlap(rows, start[member], end[member]),
        sides.document[sides.other[rows]],
    )
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
    final = dict(members)
    for of_text in np.split(rows, np.flatnonzero(np.diff(sides.document[rows])) + 1):
        rank = max(2, len(of_text) // 10)
        if len(of_text) >= rank:
            start, end = np.sort(sides.start[of_text]), np.sort(sides.end[of_text])
            final[int(sides.document[of_text[0]])] = int(start[rank - 1]), int(end[-rank])
    return final


def find_same_stretch(sides: Sides, members: Members) -> I64:
    """Return the rows of passages about as long as the stretches of both their documents."""
    document = np.array(sorted(members), np.int64)
    start, end = np.array([members[one] for one in document.tolist()], np.int64).T
    rows, member = sides.touching(document, start, end)
    start, end = start[member], end[member]
    longer = np.maximum(sides.end[rows] - sides.start[rows], end - start)
    rows = rows[sides.overlap(rows, start, end) >= SAME_STRETCH * longer]
    return np.asarray(rows[np.isin(sides.other[rows], rows)])
