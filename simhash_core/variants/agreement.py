"""Who agrees with whom: witnesses grouped by the departures they share.

Two texts that share what the base has prove nothing; two that depart from it in the same words at
several places belong together. The groups say that, and never who copied whom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..graphs import average_linkage
from ..model import I32, Bools

LEAST_SHARED = 2  # departures: one alone can be chance
#: of the departures of the member with fewest: two of a hundred are chance as well
LEAST_PART = 0.1
SAME_WITNESSES = 2 / 3  # Jaccard index of the witnesses of a departure and those of a group
GREEK = "αβγδεζηθικλμνξοπρστυφχψ"
_MARKS = ("′", "″", "‴")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

Members = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Witnesses that depart from the base together, with the groups among them.

    `members` are all of them, those of `branches` included; columns of the collation's table.
    """

    siglum: str  # α, β, ...; a group inside α is α′
    members: Members
    shared: tuple[tuple[int, int], ...]  # (place, reading) that make the group
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Agreement:
    """Every witness is in `as_base`, in one of the branches or in `alone`."""

    branches: tuple[Branch, ...]  # largest first
    as_base: Members  # no departure at all
    alone: Members  # departures, but none that a group shares


def agreement(table: I32) -> Agreement:
    """Group witnesses by shared departures from the base.

    Parameters
    ----------
    table : int32 (p, w)
        Reading of each witness at each place: 0 the base, negative where it says nothing.

    Notes
    -----
    Candidate groups are the nodes of average linkage on the number of shared departures. Each
    departure of two or more witnesses counts for the candidate whose members are nearest to its
    witnesses (Jaccard index at least 2/3). A candidate with two departures is a group, where they
    are a tenth of all that its members depart in. Candidates are nested or disjoint, so the groups
    are a tree. O(w^2 p).
    """
    width = table.shape[1]
    count = (table > 0).sum(axis=0)
    departures, holders = shared_departures(table)
    nodes = candidates(holders)
    chosen: dict[Members, list[tuple[int, int]]] = {}
    for departure, node in zip(departures, find_nearest(holders, nodes), strict=True):
        if node >= 0:
            members = tuple(np.flatnonzero(nodes[node]).tolist())
            chosen.setdefault(members, []).append(departure)
    groups = {
        members: shared
        for members, shared in chosen.items()
        if len(shared) >= max(LEAST_SHARED, LEAST_PART * count[list(members)].min())
    }
    grouped = {member for members in groups for member in members}
    largest_first = sorted(groups, key=lambda one: (-len(one), one))
    return Agreement(
        _branches(largest_first, groups, ""),
        tuple(row for row in range(width) if row not in grouped and not count[row]),
        tuple(row for row in range(width) if row not in grouped and count[row]),
    )


def shared_departures(table: I32) -> tuple[list[tuple[int, int]], Bools]:
    """Return (place, reading) of the variants that two or more witnesses have, and who, (d, w)."""
    departures, holders = [], []
    for place, row in enumerate(table):
        for reading in np.unique(row[row > 0]).tolist():
            having: Bools = np.equal(row, reading)
            if having.sum() >= 2:
                departures.append((place, reading))
                holders.append(having)
    return departures, np.array(holders, np.bool_).reshape(len(holders), table.shape[1])


def candidates(holders: Bools) -> Bools:
    """Return the groups of a hierarchical clustering by shared departures, bool (c, w).

    Only witnesses that share any. Their distance is 1 - shared departures / most of a pair: two
    that share none are as far apart as can be.
    """
    rows = np.flatnonzero(holders.any(axis=0))
    width = holders.shape[1]
    if len(rows) < 2:
        return np.zeros((0, width), np.bool_)
    of_witness = holders[:, rows].T.astype(np.float64)
    shared = of_witness @ of_witness.T
    np.fill_diagonal(shared, 0.0)
    distance = 1.0 - shared / max(1.0, float(shared.max()))
    np.fill_diagonal(distance, 0.0)
    nodes = np.zeros((len(rows) - 1, width), np.bool_)
    parts = [np.array([row]) for row in rows.tolist()]
    merged, _ = average_linkage(distance)
    for step, (left, right) in enumerate(merged.tolist()):
        parts.append(np.concatenate([parts[left], parts[right]]))
        nodes[step, parts[-1]] = True
    return nodes


def find_nearest(holders: Bools, nodes: Bools) -> list[int]:
    """Return for each departure the node whose members are most like its witnesses, or -1."""
    if not len(nodes):
        return [-1] * len(holders)
    held, members = holders.astype(np.float64), nodes.astype(np.float64)
    common = held @ members.T
    either = held.sum(axis=1)[:, None] + members.sum(axis=1)[None, :] - common
    share = common / either
    best = share.argmax(axis=1)
    enough = share[np.arange(len(best)), best] >= SAME_WITNESSES
    return [int(node) if good else -1 for node, good in zip(best, enough, strict=True)]


def _branches(
    ordered: Sequence[Members], groups: dict[Members, list[tuple[int, int]]], parent: str
) -> tuple[Branch, ...]:
    """Build the outermost of some nested groups, each with those inside it."""
    outer: list[tuple[Members, list[Members]]] = []
    for members in ordered:
        for around, inner in outer:
            if set(members) <= set(around):
                inner.append(members)
                break
        else:
            outer.append((members, []))
    branches = []
    for number, (members, inner) in enumerate(outer):
        siglum = _siglum(parent, number)
        within = _branches(inner, groups, siglum)
        branches.append(Branch(siglum, members, tuple(groups[members]), within))
    return tuple(branches)


def _siglum(parent: str, number: int) -> str:
    """Return the letter of a group: α and β, then α′ and α″ inside α, then α′₁."""
    if not parent:
        letter, lap = GREEK[number % len(GREEK)], number // len(GREEK)
        return letter + (str(lap + 1).translate(_SUBSCRIPTS) if lap else "")
    if parent in GREEK and number < len(_MARKS):
        return parent + _MARKS[number]
    return parent + str(number + 1).translate(_SUBSCRIPTS)
