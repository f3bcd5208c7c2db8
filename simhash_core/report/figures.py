"""Figures of a report as plain numbers: any format draws them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .content import ClusterEntry, Report

WIDTH, NODE = 198.0, 7.0
MOST_CLUSTERS, MOST_NODES = 12, 60
_GAP = 20.0  # between two clusters
_WIDEST = 3.0  # line width of a pair that is the same throughout


@dataclass(frozen=True, slots=True)
class Node:
    x: float
    y: float
    label: str
    centre: bool


@dataclass(frozen=True, slots=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    dashed: bool


@dataclass(frozen=True, slots=True)
class Map:
    """Clusters as numbered circles, each on a ring of its own, in rows."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    lines: tuple[Line, ...]
    shown: int
    more: int  # clusters that are not drawn


def cluster_map(report: Report) -> Map:
    """Lay the clusters of a report out."""
    chosen: list[ClusterEntry] = []
    drawn = 0
    for cluster in report.clusters[:MOST_CLUSTERS]:
        drawn += len(cluster.members)
        if chosen and drawn > MOST_NODES:
            break
        chosen.append(cluster)
    nodes: list[Node] = []
    lines: list[Line] = []
    x = y = row_height = 0.0
    for cluster in chosen:
        radius = _radius(len(cluster.members))
        flat = len(cluster.members) == 2
        width = 2 * radius + 2 * NODE + 2
        height = 2 * NODE + 2 if flat else width
        if x and x + width > WIDTH:
            x, y, row_height = 0.0, y + row_height + 14, 0.0
        places = _ring(cluster, x + width / 2, y + height / 2, radius)
        nodes += [
            Node(*places[row], str(row + 1), row == cluster.centre and not flat)
            for row in cluster.members
        ]
        lines += [
            Line(
                *places[link.a],
                *places[link.b],
                round(max(_WIDEST * link.strength, 0.6), 1),
                link.passages_only,
            )
            for link in cluster.links
        ]
        x, row_height = x + width + _GAP, max(row_height, height)
    more = len(report.clusters) - len(chosen)
    return Map(WIDTH, round(y + row_height, 1), tuple(nodes), tuple(lines), len(chosen), more)


def _radius(n: int) -> float:
    """Return the radius of the ring on which n circles stand apart."""
    return 17.0 if n == 2 else min(max(17.0, n * 18.0 / (2 * math.pi)), (WIDTH - 2 * NODE - 4) / 2)


def _ring(
    cluster: ClusterEntry, x: float, y: float, radius: float
) -> dict[int, tuple[float, float]]:
    n = len(cluster.members)
    first = math.pi if n == 2 else -math.pi / 2
    return {
        row: (
            round(x + radius * math.cos(first + 2 * math.pi * at / n), 1),
            round(y + radius * math.sin(first + 2 * math.pi * at / n), 1),
        )
        for at, row in enumerate(cluster.members)
    }
