"""A stretch of one text, carried over to the other texts that share it by passages between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model import F64, I64, Bools, Pairs, Passages

#: of the longer of two stretches of one text that are the same; of a stretch, what a passage must
#: cover to carry it on. Above 1/2, so that of two stretches side by side one at most is the same
#: as the longer one that holds both.
SAME_STRETCH = 2 / 3
MOST_STRETCHED = 2.0  # times the stretch: insertions make a witness longer, never without a bound
#: of the words of the stretch a group began with, what a text must share with it: by the passages
#: that lead there, each of which keeps the share of the words that its two sides have in common
#: (docs/adr/0015: measured on planted groups and on statutes)
LEAST_SHARED = 0.25

Stretch = tuple[int, int]
#: document row -> stretch
Members = dict[int, Stretch]
#: how far passages reach beyond the stretch, 0 where they are about its size; document, place,
#: and the part of the words of the stretch a group began with that the way there keeps
Target = tuple[int, int, Stretch, float]

PLACE = 32  # bits of a place in a text: code points


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


def carried(sides: Sides, document: int, stretch: Stretch) -> Members:
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


def settled(sides: Sides, members: Members) -> Members:
    """Give every text the stretch that at least two others of its group share with it.

    Two, or a tenth where there are many: the borders of one passage can lie anywhere.
    """
    rows = same_stretch(sides, members)
    final = dict(members)
    for of_text in np.split(rows, np.flatnonzero(np.diff(sides.document[rows])) + 1):
        rank = max(2, len(of_text) // 10)
        if len(of_text) >= rank:
            start, end = np.sort(sides.start[of_text]), np.sort(sides.end[of_text])
            final[int(sides.document[of_text[0]])] = int(start[rank - 1]), int(end[-rank])
    return final


def same_stretch(sides: Sides, members: Members) -> I64:
    """Return the rows of passages about as long as the stretches of both their documents."""
    document = np.array(sorted(members), np.int64)
    start, end = np.array([members[one] for one in document.tolist()], np.int64).T
    rows, member = sides.touching(document, start, end)
    start, end = start[member], end[member]
    longer = np.maximum(sides.end[rows] - sides.start[rows], end - start)
    rows = rows[sides.overlap(rows, start, end) >= SAME_STRETCH * longer]
    return np.asarray(rows[np.isin(sides.other[rows], rows)])
