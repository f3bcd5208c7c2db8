"""What the Clusters page says about one cluster: list, members, links, matrix."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simhash_core import CheckResult, ThresholdView
from simhash_core.clustering import communities
from simhash_core.model import NO_DISTANCE
from simhash_core.notation import total_percents
from simhash_core.numbers import divide_text, few_rows
from simhash_core.result import Cluster, PairTable
from simhash_core.seen import distance_matrix

from ..components.pictures import Entry, Graph, Link, Member, grid_data
from ..shared import session
from ..shared.charts import palette
from ..shared.formatting import cluster_name, notation
from ..shared.session import find_naming, t

DRAWN = 31  # the centre and its 30 nearest; with more the labels overlap
GRAPH_UP_TO = 50  # members; above, the matrix is shown first
STEP = 27.0  # between two neighbours of one community, in units of the picture
MARGIN = 26.0
FILLED = 390.0  # a picture grows to this size, but no further apart than
WIDEST = 1.7

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A direct pair of members. `by_passages`: the fingerprints alone would not join them."""

    left: int  # rows of the check
    right: int
    distance: int  # bits, NO_DISTANCE where one text has no fingerprint
    by_passages: bool


def lines(
    table: PairTable, within: NDArray[np.bool_], listed: NDArray[np.bool_], members: Sequence[int]
) -> list[Line]:
    """Return the direct pairs among some rows, in the order of the pair table."""
    rows = np.flatnonzero(listed)  # the table holds many times as many pairs
    inside = np.isin(table.pairs.left[rows], members) & np.isin(table.pairs.right[rows], members)
    chosen = rows[inside]
    columns = (
        table.pairs.left[chosen].tolist(),
        table.pairs.right[chosen].tolist(),
        table.pairs.distance[chosen].tolist(),
        (~within[chosen]).tolist(),
    )
    return [Line(*row) for row in zip(*columns, strict=True)]


def parts(distances: NDArray[np.uint16], centre: int) -> list[list[int]]:
    """Return the members, by index, in communities: each nearest to the centre first.

    The communities themselves stand in the order of their nearest member; the centre, which
    belongs to none, is left out.
    """
    far = int(distances[distances != NO_DISTANCE].max(initial=1)) + 1
    close = np.where(distances == NO_DISTANCE, far, distances).astype(np.int64)
    rest = [i for i in range(len(distances)) if i != centre]
    labels = communities(close[np.ix_(rest, rest)])
    grouped: dict[int, list[int]] = {}
    for at in sorted(range(len(rest)), key=lambda at: (int(close[centre, rest[at]]), rest[at])):
        grouped.setdefault(int(labels[at]), []).append(rest[at])
    return list(grouped.values())


def places(groups: Sequence[Sequence[int]]) -> tuple[list[Place], float, float]:
    """Place the centre in the middle and each community on a separate circle around it.

    Returns
    -------
    places : one (x, y) a member, the centre first, then the groups one after another
    width, height : of the picture
    """
    if len(groups) <= 1:
        size = len(groups[0]) if groups else 0
        slots = max(size if size % 2 else size + 1, 3)
        reach = max(120.0, slots * STEP / (2 * math.pi))
        start = math.pi / 6 if size == 2 else -math.pi / 2  # two stand below the centre
        angles = [start + 2 * math.pi * turn / slots for turn in range(size)]
        reaches = [reach * (0.68 if size > 12 and turn % 2 else 1.0) for turn in range(size)]
        around = [
            (r * math.cos(angle), r * math.sin(angle))
            for angle, r in zip(angles, reaches, strict=True)
        ]
    else:
        around = _circles([len(group) for group in groups])
    spots = [(0.0, 0.0), *around]
    wide = max(np.ptp([x for x, _ in spots]), np.ptp([y for _, y in spots]))
    wider = min(max(1.0, FILLED / wide), WIDEST) if wide else 1.0
    xs, ys = [wider * x for x, _ in spots], [wider * y for _, y in spots]
    low, high = min(xs) - MARGIN, min(ys) - MARGIN
    moved = [(round(x - low, 1), round(y - high, 1)) for x, y in zip(xs, ys, strict=True)]
    return moved, max(xs) + MARGIN - low, max(ys) + MARGIN - high


def _circles(sizes: Sequence[int]) -> list[Place]:
    """Several communities: each takes an arc as wide as its circle."""
    radii = [0.0 if size == 1 else max(24.0, size * STEP * 1.25 / (2 * math.pi)) for size in sizes]
    widths = [2 * radius + 2.2 * STEP for radius in radii]
    turns = np.cumsum([0.0, *widths]) / sum(widths) * 2 * math.pi
    middles = [-math.pi * 0.8 + (low + high) / 2 for low, high in pairwise(turns.tolist())]
    reach = max(sum(widths) / (2 * math.pi) * 1.12, max(radii) + 2 * STEP)
    spots = []
    for size, radius, angle in zip(sizes, radii, middles, strict=True):
        x, y = reach * math.cos(angle), reach * math.sin(angle)
        for turn in range(size):
            # the member nearest to the centre stands nearest to it in the picture too
            at = angle + math.pi + 2 * math.pi * (turn + 0.5) / size
            spots.append((x + radius * math.cos(at), y + radius * math.sin(at)))
    return spots


NAMED = 3  # members of a cluster that its line in the list names
IN_MATRIX = 150  # members; more cells cannot be aimed at


def entries(view: ThresholdView) -> list[Entry]:
    """Return the clusters for the list, largest first."""
    return [
        Entry(
            " · ".join(
                find_naming().short(row)
                for row in [
                    cluster.centre,
                    *(row for row in cluster.members if row != cluster.centre),
                ][:NAMED]
            ),
            len(cluster.members),
            bits_text(cluster.weakest[2]),
            t("clusters.list.entry", name=cluster_name(index), n=len(cluster.members)),
        )
        for index, cluster in enumerate(view.clusters)
    ]


def bits_text(distance: int) -> str:
    """Return a distance, or a dash where a text has no fingerprint."""
    return t("clusters.members.unknown") if distance == NO_DISTANCE else str(distance)


def lead(view: ThresholdView, documents: int) -> tuple[str, str]:
    """Return the two halves of the line under the title."""
    members = sum(len(cluster.members) for cluster in view.clusters)
    rest = documents - members
    head = t("clusters.lead", n=len(view.clusters))
    if not rest:
        return head, t("clusters.lead_all", members=members)
    return head, t("clusters.lead_rest", members=members, n=rest)


def nearest_pair(result: CheckResult) -> tuple[int, int, int] | None:
    """Return the closest pair of the table, None where it is empty."""
    if not len(result.table):
        return None
    pairs = result.table.pairs
    best = int(np.argmin(pairs.distance))
    if int(pairs.distance[best]) == NO_DISTANCE:
        return None
    return int(pairs.left[best]), int(pairs.right[best]), int(pairs.distance[best])


def distances(result: CheckResult, rows: Sequence[int]) -> NDArray[np.uint16]:
    """Return the distances among some rows, computed once a session."""
    square: NDArray[np.uint16] = session.memo(
        ("matrix", tuple(rows)), lambda: distance_matrix(result, rows)
    )
    return square


def communities_of(result: CheckResult, cluster: Cluster) -> list[list[int]]:
    """Return the rows around the centre that can be drawn, in communities.

    Of a cluster that is too large to draw, the nearest members only.
    """
    near = sort_by_distance(result, cluster)
    drawn = near if len(near) <= GRAPH_UP_TO and len(near) <= DRAWN else near[:DRAWN]
    return [[drawn[at] for at in part] for part in parts(distances(result, drawn), 0)]


def sort_by_distance(result: CheckResult, cluster: Cluster) -> list[int]:
    """Return the members, the centre first, then the nearest to it."""
    members = list(cluster.members)
    to_centre = distances(result, [cluster.centre, *members])[0, 1:].astype(int)
    ranked = sorted(range(len(members)), key=lambda i: (int(to_centre[i]), members[i]))
    rest = [members[i] for i in ranked if members[i] != cluster.centre]
    return [cluster.centre, *rest]


def number_members(
    result: CheckResult, cluster: Cluster, groups: Sequence[Sequence[int]]
) -> list[int]:
    """Return the members in the order of their numbers: as drawn, then what is not drawn."""
    drawn = [cluster.centre, *(row for group in groups for row in group)]
    inside = set(drawn)
    return [*drawn, *(row for row in sort_by_distance(result, cluster) if row not in inside)]


def members(result: CheckResult, cluster: Cluster, order: Sequence[int]) -> list[Member]:
    """Return the member table."""
    names = find_naming()
    to_centre = distances(result, [cluster.centre, *order])[0, 1:].tolist()
    rows = []
    for row, distance in zip(order, to_centre, strict=True):
        centre, overlap = row == cluster.centre, notation().total(divide_text(result, row))
        facts = t("clusters.members.facts", d=bits_text(distance), share=overlap)
        if centre:
            facts = t("clusters.members.facts_centre", share=overlap)
        shown = t("clusters.members.unknown") if centre else bits_text(distance)
        rows.append(Member(names.stems[row], names.whole[row], shown, overlap, facts, centre))
    return rows


def graph(
    result: CheckResult, view: ThresholdView, cluster: Cluster, groups: Sequence[Sequence[int]]
) -> tuple[Graph, list[Line]] | None:
    """Return the picture and its lines; None for two members, whom a sentence describes."""
    if len(cluster.members) < 3:
        return None
    drawn = [cluster.centre, *(row for group in groups for row in group)]
    at = {row: place for place, row in enumerate(drawn)}
    pairs = lines(result.table, view.within, view.listed, drawn)
    distances_drawn = [line.distance for line in pairs if line.distance != NO_DISTANCE]
    top = max(distances_drawn, default=0) or 1  # copies are no bit apart
    weakest = set(cluster.weakest[:2]) if cluster.links > 1 else set()
    links = [_link(line, at, top, weakest) for line in pairs]
    spots, width, height = places(groups)
    return Graph(spots, width, height, links), pairs


def _link(line: Line, at: dict[int, int], top: int, weakest: set[int]) -> Link:
    a, b = at[line.left], at[line.right]
    unknown = line.distance == NO_DISTANCE
    distance = t("frame.matrix.none") if unknown else t("frame.matrix.bits").format(d=line.distance)
    is_weakest = {line.left, line.right} == weakest
    return Link(
        a,
        b,
        label=f"{a + 1} – {b + 1}: {distance}",
        closeness=0.0 if unknown else round(1 - min(line.distance, top) / (top * 1.1), 3),
        dashed=line.by_passages,
        weakest=t("clusters.graph.weakest", d=bits_text(line.distance)) if is_weakest else "",
    )


def matrix(result: CheckResult, cluster: Cluster, order: Sequence[int]) -> dict[str, Any] | None:
    """Return the matrix of the first members: distance above the diagonal, overlap below."""
    if len(cluster.members) < 3:
        return None
    rows, names = list(order[:IN_MATRIX]), find_naming()
    data = grid_data(
        distances(result, rows),
        names=[names.whole[row] for row in rows],
        bits=result.fingerprints.bits,
        label=t("clusters.matrix.alt", n=len(rows)),
        colours=palette(),
    )
    at = {row: place for place, row in enumerate(rows)}
    weakest = [at[row] for row in cluster.weakest[:2] if row in at]
    framed = sorted(weakest) if len(weakest) == 2 and cluster.links > 1 else None
    return {**data, "share": shares(result, rows), "framed": framed, "heads": True}


def shares(result: CheckResult, rows: Sequence[int]) -> list[int]:
    """Return the larger overlap of every pair of rows in percent, the upper triangle by rows."""
    table, size = result.table, len(rows)
    place = np.full(len(result.documents), -1, np.int64)
    place[list(rows)] = np.arange(size)
    a, b = place[table.pairs.left], place[table.pairs.right]
    inside = (a >= 0) & (b >= 0)
    square = np.zeros((size, size), np.int64)
    counted = result.division[:, :-1].sum(axis=1)
    sides = (table.pairs.left[inside], table.pairs.right[inside])
    percents = [
        total_percents(table.parts[inside, side], counted[rows]) for side, rows in enumerate(sides)
    ]
    few = few_rows(result)
    percents = [np.where(few[rows], 0, shown) for rows, shown in zip(sides, percents, strict=True)]
    square[np.minimum(a, b)[inside], np.maximum(a, b)[inside]] = np.maximum(*percents)
    upper_triangle: list[int] = square[np.triu_indices(size, 1)].tolist()
    return upper_triangle
