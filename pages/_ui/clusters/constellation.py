"""One cluster as a picture: where its members stand, which lines join them, what ECharts draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..shared.palette import SANS, Palette

DRAWN = 31  # the centre and its 30 nearest; a larger ring cannot be read
LABELLED = 28  # lines that all carry their distance; above, only those of the centre do
NO_DISTANCE = 0xFFFF
RING = 100.0


@dataclass(frozen=True, slots=True)
class Line:
    """A direct pair of members. `by_passages`: the fingerprints alone would not join them."""

    left: int  # rows of the check
    right: int
    distance: int  # bits, NO_DISTANCE where one text has no fingerprint
    by_passages: bool


def lines(
    table: Any, within: NDArray[np.bool_], listed: NDArray[np.bool_], members: Sequence[int]
) -> list[Line]:
    """Return the direct pairs among some rows, in the order of the pair table."""
    inside = np.isin(table.pairs.left, members) & np.isin(table.pairs.right, members) & listed
    chosen = np.flatnonzero(inside)
    columns = (
        table.pairs.left[chosen].tolist(),
        table.pairs.right[chosen].tolist(),
        table.pairs.distance[chosen].tolist(),
        (~within[chosen]).tolist(),
    )
    return [Line(*row) for row in zip(*columns, strict=True)]


def by_distance(distances: NDArray[Any], members: Sequence[int], centre: int) -> list[int]:
    """Return the members nearest to the centre first; `distances` is square, in member order."""
    at = list(members).index(centre)
    order = sorted(range(len(members)), key=lambda i: (i != at, int(distances[at, i]), members[i]))
    return [members[i] for i in order]


def places(
    distances: NDArray[Any], members: Sequence[int], centre: int
) -> dict[int, tuple[float, float]]:
    """Place the centre in the middle and the others around it, close texts beside each other.

    Notes
    -----
    The ring is walked greedily: from the member nearest to the centre always on to the nearest
    one that has no place yet. With more than twelve the ring is two staggered rings.
    """
    index = {row: i for i, row in enumerate(members)}
    rest = by_distance(distances, members, centre)[1:]
    placed = {centre: (0.0, 0.0)}
    ring: list[int] = []
    while rest:
        last = ring[-1] if ring else centre
        following = min(rest, key=lambda row: (int(distances[index[last], index[row]]), row))
        rest.remove(following)
        ring.append(following)
    for row, angle, reach in zip(ring, *_ring(len(ring)), strict=True):
        placed[row] = (round(reach * math.cos(angle), 3), round(reach * math.sin(angle), 3))
    return placed


def _ring(size: int) -> tuple[list[float], list[float]]:
    """Return angle and distance of each place around the centre.

    Notes
    -----
    An even ring leaves one place free, so that no line between two members runs through the
    centre; the gap is on the right, where the name of the centre stands.
    """
    if size == 1:
        return [0.0], [RING]
    slots = size if size % 2 else size + 1
    start = -math.pi / 2 if size % 2 else 2 * math.pi / slots
    if size == 2:
        start = math.pi / 6  # both below, the centre on top
    angles = [start + 2 * math.pi * turn / slots for turn in range(size)]
    reach = [RING * (0.72 if size > 12 and turn % 2 else 1.0) for turn in range(size)]
    return angles, reach


def closeness(distance: int, top: int) -> float:
    """Return 1 for equal fingerprints and 0 for the widest distance in the picture."""
    return 0.0 if distance == NO_DISTANCE else 1 - min(distance, top) / max(top, 1)


def spec(
    drawn: Sequence[Line],
    placed: dict[int, tuple[float, float]],
    names: dict[int, str],
    *,
    centres: Sequence[int],
    weakest: tuple[int, int],
    weakest_label: str,
    colours: Palette,
) -> dict[str, Any]:
    """Return the ECharts graph: fixed places, distances on the lines, the weakest in ochre."""
    crowded = len(drawn) > LABELLED
    rows = list(placed)
    at = {row: i for i, row in enumerate(rows)}
    top = max((line.distance for line in drawn if line.distance != NO_DISTANCE), default=1)
    return {
        "animation": False,
        "tooltip": {"show": False},
        "series": [
            {
                "type": "graph",
                "layout": "none",
                "preserveAspect": "contain",
                "left": "center",
                "top": "middle",
                "width": "66%",
                "height": "74%",
                "roam": False,
                "selectedMode": "single",
                "emphasis": {"focus": "adjacency", "label": {"show": True}},
                "data": [
                    _node(row, placed[row], names[row], centres, len(rows) == 2, colours)
                    for row in rows
                ],
                "links": [
                    _link(line, at, set(centres), weakest, weakest_label, top, crowded, colours)
                    for line in drawn
                ],
            }
        ],
    }


def _node(
    row: int,
    place: tuple[float, float],
    name: str,
    centres: Sequence[int],
    alone: bool,
    colours: Palette,
) -> dict[str, Any]:
    centre = row in centres
    angle = math.atan2(place[1], place[0])
    side = "bottom" if math.sin(angle) > 0.35 else "top" if math.sin(angle) < -0.35 else "right"
    if side == "right" and place[0] < -1:
        side = "left"
    if side == "right" and alone:
        side = "bottom"
    colour = colours.accent
    return {
        "id": str(row),
        "name": name,
        "x": place[0],
        "y": place[1],
        "symbolSize": 30 if centre else 20,
        "itemStyle": {
            "color": colour if centre else colours.bg,
            "borderColor": colour,
            "borderWidth": 2,
        },
        "select": {"itemStyle": {"borderColor": colours.ink, "borderWidth": 2.5}},
        "label": {
            "show": True,
            "position": side,
            "distance": 8,
            "color": colours.ink,
            "fontFamily": SANS,
            "fontSize": 13.5,
            "backgroundColor": colours.bg,
            "padding": [1, 3],
        },
    }


def _link(
    line: Line,
    at: dict[int, int],
    centres: set[int],
    weakest: tuple[int, int],
    weakest_label: str,
    top: int,
    crowded: bool,
    colours: Palette,
) -> dict[str, Any]:
    is_weakest = {line.left, line.right} == set(weakest)
    known = line.distance != NO_DISTANCE
    colour = colours.reworded if is_weakest else colours.accent
    text = weakest_label if is_weakest else str(line.distance) if known else ""
    shown = bool(text) and (is_weakest or not crowded or bool({line.left, line.right} & centres))
    return {
        "source": at[line.left],
        "target": at[line.right],
        "lineStyle": {
            "color": colour,
            "opacity": 0.9,
            "width": 1.25 if line.by_passages else 1.5 + 3 * closeness(line.distance, top),
            "type": "dashed" if line.by_passages else "solid",
        },
        "label": {
            "show": shown,
            "formatter": text,
            "rotate": 0,
            "color": colour if is_weakest else colours.ink2,
            "backgroundColor": colours.bg,
            "padding": [1, 3],
            "fontFamily": SANS,
            "fontSize": 13,
            "align": "center",
            "verticalAlign": "middle",
        },
    }
