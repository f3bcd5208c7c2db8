"""The map of who is joined to whom: where names and passages stand, and the lines between them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from simhash_core.i18n import in_chinese
from simhash_core.notation import han

from .. import components
from ..shared import session
from ..shared.session import find_naming, t

COLUMNS_MOST = 20  # members up to which each has a column of the table beside the map


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two rows of the check; `kind` is own, or few for one that stands back.

    `weight` grows with what they share; `words` stand on the line, `label` says it in a sentence.
    """

    pair: tuple[int, int]
    weight: int
    width: float
    words: str
    label: str
    kind: str = "own"


@dataclass(frozen=True, slots=True)
class Box:
    """A passage between those who hold it: its case and length, and the rows."""

    number: int
    case: str
    words: str
    holders: Collection[int]


def draw_map(key: str, data: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Draw a map of groups and the table of the chosen one; return what to open: kind, place.

    `data` are `groups` of `lay_map`, the `sheet` of the chosen one, `words`, and what is said
    below: `outside`, `outside_said`, `foot`.
    """
    chosen, _ = find_chosen(key, len(data["groups"]))
    state = components.draw(
        "groups", {**data, "chosen": chosen}, key=key, default={"group": 0, "all": -1}
    )
    return (state.open["kind"], state.open.get("place")) if state.open else None


def find_chosen(key: str, count: int) -> tuple[int, bool]:
    """Return which of the groups is looked at, at first the first one, and whether all of it."""
    state: Mapping[str, Any] = st.session_state.get(key) or {}
    chosen = min(int(state.get("group") or 0), count - 1)
    return chosen, state.get("all") == chosen


def write_numeral(at: int) -> str:
    """Return the number of a group by its place."""
    return han(at + 1) if in_chinese(session.language()) else str(at + 1)


def lay_map(
    at: int,
    members: Sequence[int],
    lines: Sequence[Line],
    boxes: Sequence[Box] = (),
    *,
    words: str,
    label: str = "groups.label",
) -> dict[str, Any]:
    """Return one group as the map draws it; `words` is the number that a list of groups shows."""
    size, shown = len(members), members[:MOST_DRAWN]
    place_of = {row: place for place, row in enumerate(shown)}
    lines = [line for line in lines if place_of.keys() >= {*line.pair}]
    boxes = [box for box in boxes if place_of.keys() & {*box.holders}]
    held = [[place_of[row] for row in box.holders if row in place_of] for box in boxes]
    links = [(place_of[a], place_of[b], line.weight) for line in lines for a, b in [line.pair]]
    drawn = place_group(size, links, held)
    names, said = find_naming(), join_names(shown)
    return {
        "number": write_numeral(at),
        "title": t("groups.texts", n=size) if size > 2 else "",
        "label": t(label, number=write_numeral(at), names=said),
        "names": said,
        "words": words,
        "height": drawn.height,
        "many": size > MOST_IN_ROWS,
        "members": [
            {"row": row, "at": spot, "name": names.short(row), "whole": names.whole[row]}
            for row, spot in zip(shown, drawn.members, strict=True)
        ],
        "links": [
            {**asdict(line), "way": way, "at": spot}
            for line, (way, spot) in zip(lines, drawn.ways, strict=True)
        ],
        "passages": [
            {**asdict(box), "holders": here, "at": spot}
            for box, here, spot in zip(boxes, held, drawn.passages, strict=True)
        ],
        "more": t("groups.not_drawn", n=size - len(shown), shown=len(shown))
        if size > len(shown)
        else "",
    }


def list_heads(members: Sequence[int]) -> list[tuple[str, str]]:
    """Return the heads of the columns beside the map, short and whole; of too many none."""
    names = find_naming()
    return [(names.short(row), names.whole[row]) for row in members if len(members) <= COLUMNS_MOST]


def join_names(rows: Sequence[int]) -> str:
    """Return the short names of rows as one list."""
    return t("groups.separator").join(map(find_naming().short, rows))


# --------------------------------------------------------------------------- places on the map


WIDTH = 424.0  # of the map, as all numbers here in its units
COLUMNS = (112.0, 318.0)  # middles of the two columns of names
HEAD = 30.0  # for the title of a group of more than two
ROW, BOX = 50.0, 40.0  # between two rows of names; more for each passage that stands there
LABEL = 34.0  # for the words of a line between two names one under the other
WIDE = 96.0  # of the box of a passage
MOST_IN_ROWS = 12  # members; more stand in a circle, by numbers
MOST_DRAWN = 40  # members

Spot = tuple[float, float]
Row = list[int | None]  # a member, by its place in the group, in each column
Ends = tuple[int | None, int | None]
Link = tuple[int, int, int]  # two members, by their places in the group, and the words they share


@dataclass(frozen=True, slots=True)
class Places:
    """A map: where members and passages stand, and the way of each link with its label."""

    members: tuple[Spot, ...]
    passages: tuple[Spot, ...]
    ways: tuple[tuple[str, Spot], ...]  # path of SVG, and where the label stands
    height: float


def place_group(size: int, links: Sequence[Link], passages: Sequence[Collection[int]]) -> Places:
    """Place up to `MOST_DRAWN` members, in two columns, or in a circle where they are many.

    Parameters
    ----------
    size
        Members; the first are those that matter most.
    links, passages
        Among the members that are drawn.

    Notes
    -----
    Who shares most stands side by side, rows that are joined one under the other; the passages
    stand between the columns.
    """
    if size > MOST_IN_ROWS:
        return _place_in_circle(min(size, MOST_DRAWN), links, passages)
    joined: dict[Ends, int] = {}
    for a, b, words in links:
        joined[a, b] = joined[b, a] = max(words, 1)
    rows = _order_rows(_pair_up(size, links), joined)
    row_of = {member: at for at, row in enumerate(rows) for member in row if member is not None}
    gap_of = [
        min(sum(row_of[one] for one in held) // len(held), max(len(rows) - 2, 0))
        for held in passages
    ]
    y, boxes = (HEAD if size > 2 else 0.0) + ROW / 2, [(0.0, 0.0)] * len(passages)
    spots = dict[int, Spot]()
    for at, row in enumerate(rows):
        spots |= {one: (x, y) for one, x in zip(row, COLUMNS, strict=True) if one is not None}
        here = [box for box, gap in enumerate(gap_of) if gap == at]
        for turn, box in enumerate(here):
            boxes[box] = WIDTH / 2, y + ROW / 2 + BOX * (turn + 0.5)
        following = rows[at + 1] if at + 1 < len(rows) else [None, None]
        straight = any(joined.get(ends) for ends in zip(row, following, strict=True))
        y += ROW + max(BOX * len(here), LABEL * straight)
    ways = tuple(_way(spots[a], spots[b], abs(row_of[a] - row_of[b])) for a, b, _ in links)
    height = max([y, *(box[1] + ROW for box in boxes)]) - ROW / 2
    return Places(tuple(spots[one] for one in range(size)), tuple(boxes), ways, height)


def _pair_up(size: int, links: Sequence[Link]) -> list[Row]:
    """Return the members in rows of two: who shares most with each other, then the others."""
    rows, free = list[Row](), set(range(size))
    for a, b, _ in sorted(links, key=lambda link: -link[2]):
        if {a, b} <= free:
            rows.append([a, b])
            free -= {a, b}
    rest: Row = [*sorted(free), *[None] * (len(free) % 2)]
    return rows + [rest[at : at + 2] for at in range(0, len(rest), 2)]


def _order_rows(rows: list[Row], joined: Mapping[Ends, int]) -> list[Row]:
    """Put each row under those with which it is joined most, its ends under what they share."""

    def count_words(upper: Row, lower: Row) -> int:
        return sum(joined.get(ends, 0) for ends in zip(upper, lower, strict=True))

    ordered, left = rows[:1], rows[1:]
    while left:
        straight = [[sum(count_words(row, one) for row in ordered) for one in left]]
        straight.append([sum(count_words(row, one[::-1]) for row in ordered) for one in left])
        both = [same + crossed for same, crossed in zip(*straight, strict=True)]
        best = both.index(max(both))
        row = left.pop(best)
        ordered.append(row[::-1] if straight[1][best] > straight[0][best] else row)
    return ordered


def _way(a: Spot, b: Spot, rows: int) -> tuple[str, Spot]:
    """Return the way from one name to another; past a name between them it makes a bow."""
    if a[0] != b[0] or rows < 2:
        share = 0.5 if rows < 2 and (a[0] == b[0] or a[1] == b[1]) else 0.32
        at = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
        return f"M{a[0]} {a[1]}L{b[0]} {b[1]}", at
    inward = WIDTH / 2 - a[0]
    middle = (a[1] + b[1]) / 2
    return f"M{a[0]} {a[1]}Q{a[0] + 1.7 * inward} {middle} {b[0]} {b[1]}", (
        a[0] + 0.85 * inward,
        middle,
    )


def _place_in_circle(
    size: int, links: Sequence[Link], passages: Sequence[Collection[int]]
) -> Places:
    reach = WIDTH / 2 - 24
    centre = WIDTH / 2, HEAD + reach + 20
    turns = [2 * math.pi * at / size - math.pi / 2 for at in range(size)]
    spots = [
        (round(centre[0] + reach * math.cos(turn), 1), round(centre[1] + reach * math.sin(turn), 1))
        for turn in turns
    ]
    boxes = list[Spot]()
    for held in passages:
        x = sum(spots[one][0] for one in held) / len(held)
        y = sum(spots[one][1] for one in held) / len(held)
        while any(abs(x - other[0]) < WIDE and abs(y - other[1]) < BOX for other in boxes):
            y += 4
        boxes.append((round(x, 1), round(y, 1)))
    ways = tuple(_way(spots[a], spots[b], 1) for a, b, _ in links)
    return Places(tuple(spots), tuple(boxes), ways, centre[1] + reach + 24)
