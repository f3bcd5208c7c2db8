"""Groups: a passage that many texts share, once, instead of a passage for every pair of them.

A passage lets a stretch of one text be carried over to the other. A group begins with the stretch
that most texts share and is carried from text to text, always in the borders it began with, so a
longer passage (a copy of the whole text) leads to further texts but never widens the group or
joins it to another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..machine.compiled import Record, Table, loops_of
from ..model import Pairs, Passages
from ..policy import INSIDE, LEAST_SHARED, LEAST_WITNESSES, MOST_STRETCHED, SAME_STRETCH
from ..result import VariantGroups

#: document row -> stretch
Members = dict[int, tuple[int, int]]
LOOPS = loops_of("variants/loops.c")


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
    groups = collect(lay_out_sides(pairs, passages, n))
    return pack(drop_contained(groups, n))


def collect(sides: Record) -> list[Group]:
    """Carry every stretch that enough texts share through the batch, best supported first."""
    found = Table(np.int64, 4)
    bounds = LOOPS.Bounds(SAME_STRETCH, MOST_STRETCHED, LEAST_SHARED, LEAST_WITNESSES)
    LOOPS.collect(sides, bounds, found)
    groups: list[Group] = []
    for group, document, start, end in found.taken().tolist():
        if group == len(groups):
            groups.append(Group({}))
        groups[group].members[document] = (start, end)
    return groups


def drop_contained(groups: Sequence[Group], n: int) -> list[Group]:
    """Give up groups that lie in a longer one but for fewer than three texts.

    Those texts then stand in the longer group as holding a part of it: one student who took a
    third of a paragraph is not a passage of its own, a formula of law in fifty other texts is.
    """
    ordered = sorted(groups, key=lambda one: (-one.length, -len(one.members)))
    chosen: dict[int, Group] = {}  # by place in `ordered`
    for at, inside in enumerate(count_inside(ordered, n)):
        held = {one: count for one, count in inside.items() if one in chosen}
        container, beyond = _container(ordered[at].members, held, chosen)
        if container < 0:
            chosen[at] = ordered[at]
        elif beyond:
            wider, more = chosen[container], {one: ordered[at].members[one] for one in beyond}
            chosen[container] = Group({**wider.members, **more}, wider.parts | beyond)
    return list(chosen.values())


def count_inside(groups: Sequence[Group], n: int) -> list[dict[int, int]]:
    """Return for each group the earlier ones that hold its stretches, and how many of them."""
    rows = [
        (at, document, start, end)
        for at, group in enumerate(groups)
        for document, (start, end) in group.members.items()
    ]
    members, found = np.array(rows, np.int64).reshape(-1, 4), Table(np.int64, 3)
    LOOPS.count_inside(members, len(members), n, INSIDE, found)
    inside: list[dict[int, int]] = [{} for _ in groups]
    for inner, outer, count in found.taken().tolist():
        inside[inner][outer] = count
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


def lay_out_sides(pairs: Pairs, passages: Passages, n: int) -> Record:
    """Return both sides of the passages that count, sorted by document, start and end.

    `share` is that of the words of a passage which both its sides have.
    """
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
    start, end, document, share = (
        column[order] for column in (start, end, document, np.tile(share, 2))
    )
    first, partner = np.searchsorted(document, np.arange(n + 1)), document[other]
    behind = document << 32  # of all ends in the documents before: ends are below 2 ** 32
    reach = np.maximum.accumulate(behind + end) - behind
    sides: Record = LOOPS.Sides(start, end, reach, other, partner, first, share, n)
    return sides
