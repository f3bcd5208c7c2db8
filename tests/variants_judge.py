"""Variant groups by plain loops over lists: what the sorted arrays must agree with."""

from __future__ import annotations

import math
from dataclasses import dataclass

from simhash_core.policy import LEAST_SHARED, LEAST_WITNESSES, MOST_STRETCHED, SAME_STRETCH

Stretch = tuple[int, int]
Members = dict[int, Stretch]
#: document, start, end of one side and of the other; the percentage of words that both have, if
#: not all
Passage = tuple[int, ...]


@dataclass
class Side:
    """One side of a passage."""

    document: int
    start: int
    end: int
    share: float
    other: Side | None = None
    used: bool = False

    @property
    def target(self) -> Side:
        assert self.other is not None
        return self.other

    def overlap(self, stretch: Stretch) -> int:
        return min(self.end, stretch[1]) - max(self.start, stretch[0])


def groups_slowly(passages: list[Passage]) -> list[Members]:
    """Return the groups in the order in which they are found."""
    sides = sides_of(passages)
    groups = []
    for document, stretch, members in leaders(sides):
        free = [side for side in members if not side.used]
        if len({side.target.document for side in free}) < LEAST_WITNESSES - 1:
            continue
        group = settled(sides, carried(sides, document, stretch))
        for side in free:
            side.used = True
        if len(group) >= LEAST_WITNESSES:
            for side in within(sides, group):
                side.used = True
            groups.append(group)
    return groups


def sides_of(passages: list[Passage]) -> list[Side]:
    shares = [one[6] / 100 if len(one) > 6 else 1.0 for one in passages]
    lefts = [Side(*one[:3], share) for one, share in zip(passages, shares, strict=True)]
    rights = [Side(*one[3:6], share) for one, share in zip(passages, shares, strict=True)]
    for left, right in zip(lefts, rights, strict=True):
        left.other, right.other = right, left
    return sorted([*lefts, *rights], key=lambda side: (side.document, side.start, side.end))


def leaders(sides: list[Side]) -> list[tuple[int, Stretch, list[Side]]]:
    chosen = []
    for document in sorted({side.document for side in sides}):
        for members in stretches([side for side in sides if side.document == document]):
            support = len({side.target.document for side in members})
            if support >= LEAST_WITNESSES - 1:
                start = sorted(side.start for side in members)[(len(members) - 1) // 2]
                end = sorted(side.end for side in members)[(len(members) - 1) // 2]
                chosen.append((support, document, (start, max(end, start + 1)), members))
    chosen.sort(key=lambda one: (-one[0], one[2][0] - one[2][1], one[1], one[2][0]))
    return [(document, stretch, members) for _, document, stretch, members in chosen]


def stretches(sides: list[Side]) -> list[list[Side]]:
    count: dict[Stretch, int] = {}
    for side in sides:
        count[side.start, side.end] = count.get((side.start, side.end), 0) + 1
    order = sorted(count, key=lambda one: (-count[one], one[0] - one[1], one[0]))
    first: list[Stretch] = []
    label: dict[Stretch, int] = {}
    for one in order:
        best, best_share = len(first), 0.0
        for row, other in enumerate(first):
            longer = max(one[1] - one[0], other[1] - other[0])
            common = min(one[1], other[1]) - max(one[0], other[0])
            if common >= SAME_STRETCH * longer and common / longer > best_share:
                best, best_share = row, common / longer
        if best == len(first):
            first.append(one)
        label[one] = best
    return [
        [side for side in sides if label[side.start, side.end] == row] for row in range(len(first))
    ]


def carried(sides: list[Side], document: int, stretch: Stretch) -> Members:
    members, shared = {document: stretch}, {document: 1.0}
    ready, later = [document], []
    while ready:
        reached = [
            (excess, target, place, shared[one] * share)
            for one in ready
            for excess, target, place, share in targets(sides, one, members[one], stretch)
            if target not in members and shared[one] * share >= LEAST_SHARED
        ]
        later += [one for one in reached if one[0]]
        ready = []
        for candidates in ([one for one in reached if not one[0]], sorted(later)):
            for _, target, place, share in candidates if not ready else ():
                if target not in members:
                    members[target], shared[target] = place, share
                    ready.append(target)
    return members


def targets(
    sides: list[Side], document: int, stretch: Stretch, leader: Stretch
) -> list[tuple[int, int, Stretch, float]]:
    touching = [side for side in sides if side.document == document and side.overlap(stretch) > 0]
    length, reached = leader[1] - leader[0], []
    for target in sorted({side.target.document for side in touching}):
        to_target = [side for side in touching if side.target.document == target]
        best = max(to_target, key=lambda side: side.overlap(stretch))
        for chosen in (to_target, [best]):
            held = sum(side.overlap(stretch) for side in chosen)
            places = [opposite(side, stretch) for side in chosen]
            place = min(place[0] for place in places), max(place[1] for place in places)
            if held < SAME_STRETCH * (stretch[1] - stretch[0]):
                continue
            if not SAME_STRETCH * length <= place[1] - place[0] <= MOST_STRETCHED * length:
                continue
            whole = sum(side.end - side.start for side in chosen)
            share = sum(side.overlap(stretch) * side.share for side in chosen) / held
            excess = 0 if held >= SAME_STRETCH * whole else whole - held
            reached.append((excess, target, place, share))
            break
    return reached


def opposite(side: Side, stretch: Stretch) -> Stretch:
    low, high, other = max(side.start, stretch[0]), min(side.end, stretch[1]), side.target
    scale = (other.end - other.start) / (side.end - side.start)
    start = other.start + math.floor((low - side.start) * scale)
    return start, max(other.end - math.floor((side.end - high) * scale), start + 1)


def within(sides: list[Side], members: Members) -> list[Side]:
    """Return the sides about as long as their document's stretch, where the other one is too."""

    def fits(side: Side) -> bool:
        if side.document not in members:
            return False
        stretch = members[side.document]
        longer = max(side.end - side.start, stretch[1] - stretch[0])
        return side.overlap(stretch) >= SAME_STRETCH * longer

    return [side for side in sides if fits(side) and fits(side.target)]


def settled(sides: list[Side], members: Members) -> Members:
    final = dict(members)
    inside = within(sides, members)
    for document in members:
        mine = [side for side in inside if side.document == document]
        rank = max(2, len(mine) // 10)
        if len(mine) >= rank:
            start = sorted(side.start for side in mine)[rank - 1]
            end = sorted(side.end for side in mine)[-rank]
            final[document] = start, end
    return final
