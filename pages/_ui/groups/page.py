"""Who is joined to whom: the groups of a check, and the passages that hold each together."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from simhash_core import CheckResult
from simhash_core.cases import ListedCases, ends_of, few_holders, own_units
from simhash_core.i18n import in_chinese
from simhash_core.notation import han
from simhash_core.seen import Group, HeldPassage, join_groups, list_held
from simhash_core.text.lengths import unit_of

from .. import components
from ..review.case import masks_of
from ..review.state import number_cases
from ..shared import exclusions, session
from ..shared.decided import read_decisions, verdict
from ..shared.formatting import length, number, text_language
from ..shared.session import CurrentCheck, find_naming, t
from ..shared.tab import tab
from ..shared.widgets import open_compare, open_document, open_page, paragraph
from . import clusters

_KEY = "groups"
_FIRST, _SHOWN = 8, 6  # passages up to which all are shown, and those shown of more
_COLUMNS = 20  # members up to which each has one; of more, a passage names its holders
_QUOTED = {"zh-CN": 66, "en": 160}  # characters of a passage that are shown
_TOLD = {"zh-CN": 12, "en": 36}  # characters of words that differ, for a sentence to tell them
_WORDS = ("title", "lead", "map", "own", "changed", "absent", "passages", "legend")


def draw(current: CurrentCheck) -> None:
    """Draw the map of all groups and the passages of one, and texts alike as a whole below."""
    groups = list_groups(current)
    if groups:
        _draw_groups(current, groups)
    else:
        paragraph(t("groups.none"))
    clusters.draw_fold(current.result)


def list_groups(current: CurrentCheck) -> list[Group]:
    """Return the groups of a check."""
    return join_groups(current.result, number_cases())


def _draw_groups(current: CurrentCheck, groups: Sequence[Group]) -> None:
    result, cases = current.result, number_cases()
    state: Mapping[str, Any] = st.session_state.get(_KEY) or {}
    chosen = min(int(state.get("group") or 0), len(groups) - 1)
    every = state.get("all") == chosen
    drawn = tuple((one.members, one.pairs) for one in groups)
    look = drawn, session.language(), session.hide_names()
    few = few_holders(len(result.documents))
    data = {
        "groups": session.memo(
            ("group maps", *look),
            lambda: [_map_data(result, cases, at, one) for at, one in enumerate(groups)],
        ),
        "chosen": chosen,
        "sheet": session.memo(
            ("group", chosen, every, *look),
            lambda: _sheet(current, chosen, groups[chosen], every=every),
        ),
        **_say_outside(result, groups),
        "foot": _say_foot(cases, few),
        "words": {name: t(f"groups.{name}") for name in _WORDS} | {"few": _say_few(few)},
    }
    answer = components.draw("groups", data, key=_KEY, default={"group": 0, "all": -1})
    if answer.open:
        _open(result, groups[chosen], answer.open)


def _open(result: CheckResult, group: Group, asked: Mapping[str, Any]) -> None:
    """Go to what was chosen: a text, two texts, a passage, or the open cases of a group."""
    kind, ends = asked["kind"], _ends(result, group)
    tab.pair_order = tuple(ends)
    if kind == "text":
        open_document(int(asked["place"]))
    elif kind == "pair":
        open_compare(*map(int, asked["place"]))
    elif kind == "case":
        open_page("results", {"case": str(int(asked["place"]))})
    else:
        decided = read_decisions()
        ends = [pair for pair in ends if verdict(*pair, decided) == "undecided"] or ends
        open_page("review", {"a": str(ends[0][0]), "b": str(ends[0][1])} if ends else None)


def _ends(result: CheckResult, group: Group) -> list[tuple[int, int]]:
    return ends_of(result, np.array(group.pairs, np.int64))


# --------------------------------------------------------------------------- the map


def _map_data(result: CheckResult, cases: ListedCases, at: int, group: Group) -> dict[str, Any]:
    """Return one group as the map draws it."""
    members, size = group.members[:MOST_DRAWN], len(group.members)
    place_of = {row: place for place, row in enumerate(members)}
    own = {row: min(own_units(result, row)) for row in group.pairs}
    pairs = [
        (row, ends)
        for row, ends in zip(group.pairs, _ends(result, group), strict=True)
        if place_of.keys() >= {*ends}
    ]
    held = [
        (one, [place_of[row] for row in one.members if row in place_of]) for one in group.passages
    ]
    held = [(one, here) for one, here in held if here]
    links = [(place_of[a], place_of[b], own[row]) for row, (a, b) in pairs]
    drawn = place_group(size, links, [here for _, here in held])
    names, unit = find_naming(), unit_of(result.documents[members[0]].text)
    return {
        "number": _numeral(at),
        "title": t("groups.texts", n=size) if size > 2 else "",
        "label": t("groups.label", number=_numeral(at), names=_join(map(names.short, members))),
        "names": _join(map(names.short, members)),
        "words": length(group.units, unit),
        "height": drawn.height,
        "many": size > MOST_IN_ROWS,
        "members": [
            {"row": row, "at": spot, "name": names.short(row), "whole": names.whole[row]}
            for row, spot in zip(members, drawn.members, strict=True)
        ],
        "links": [
            {
                "pair": ends,
                "way": way,
                "at": label,
                "width": round(min(max(0.7 * own[row] ** 0.5, 4), 16), 1),
                "words": number(own[row]) if own[row] else "≈",
                "label": _say_pair(cases.numbers[row], ends, own[row], unit),
            }
            for (row, ends), (way, label) in zip(pairs, drawn.ways, strict=True)
        ],
        "passages": [
            {
                "number": one.number,
                "at": spot,
                "holders": here,
                "case": t("groups.case", number=one.number),
                "words": length(one.units, unit),
            }
            for (one, here), spot in zip(held, drawn.passages, strict=True)
        ],
        "more": t("groups.not_drawn", n=size - len(members), shown=len(members))
        if size > len(members)
        else "",
    }


def _say_pair(case: int, ends: tuple[int, int], own: int, unit: str) -> str:
    a, b = (find_naming().short(row) for row in ends)
    key = "groups.pair" if own else "groups.pair_whole"
    return t(key, a=a, b=b, number=case, length=length(own, unit))


def _numeral(at: int) -> str:
    return han(at + 1) if in_chinese(session.language()) else str(at + 1)


def _join(names: Iterable[str]) -> str:
    return t("groups.separator").join(names)


def _say_outside(result: CheckResult, groups: Sequence[Group]) -> dict[str, Any]:
    """Say how many of the texts that were asked about are in no group."""
    inside = sum(row < result.checked for one in groups for row in one.members)
    n = result.checked - inside
    return {"outside": n, "outside_said": t("groups.outside", n=n) if n else ""}


def _say_few(few: int) -> str:
    return t("groups.few", few=few) if few > 3 else t("groups.three")


def _say_foot(cases: ListedCases, few: int) -> str:
    """Say which passages join nobody, and what no text shows."""
    spread = [one.number for one in cases.passages if one.counts and len(one.members) > few]
    numbers = t("groups.comma").join(map(number, sorted(spread)))
    said = [t("groups.spread", n=len(spread), numbers=numbers)] if spread else []
    return ("" if in_chinese(session.language()) else " ").join([*said, t("groups.first")])


# --------------------------------------------------------------------------- the passages


def _sheet(current: CurrentCheck, at: int, group: Group, *, every: bool) -> dict[str, Any]:
    """Return the passages of a group as the table beside the map shows them."""
    result, names = current.result, find_naming()
    numbers, common = number_cases().numbers, exclusions.find_original(current).common
    most = None if every else _FIRST
    held, n = list_held(result, group, numbers, common=common, most=most)
    held = held if every or n <= _FIRST else held[:_SHOWN]
    members = group.members if len(group.members) <= _COLUMNS else ()
    title = {"number": _numeral(at), "size": len(group.members)}
    cases = len(group.pairs) + len(group.passages)
    return {
        "title": t("groups.held_together", n=n, **title) if n else t("groups.alike", **title),
        "review": t("groups.review", n=cases),
        "heads": [[names.short(row), names.whole[row]] for row in members],
        "numbered": len(group.members) > MOST_IN_ROWS,
        "rows": [_row(result, one, members) for one in held],
        "more": t("groups.more", n=n - len(held)) if n > len(held) else "",
    }


def _row(result: CheckResult, one: HeldPassage, members: Sequence[int]) -> dict[str, Any]:
    row = next((row for row in one.places if row not in one.reworded), next(iter(one.places)))
    text, (start, end) = result.documents[row].text, one.places[row]
    language = text_language(text)
    most = _QUOTED[language]
    quoted = " ".join(masks_of(result)(text).cut(start, min(end, start + most)).split())
    pair = len(one.places) == 2
    kept = t("groups.only_two") if pair else t("groups.all_of", n=len(one.places))
    facts = ["", length(one.units, unit_of(text)), kept]
    tone = "own" if pair else "few"
    names = find_naming()
    return {
        "case": t("groups.case", number=one.number),
        "kind": "pair" if pair else "case",
        "place": [*one.places] if pair else one.number,
        "text": quoted + ("……" if language == "zh-CN" else "…") * (end - start > most),
        "lang": language,
        "facts": " · ".join(facts) + _say_wordings(one, language),
        "cells": [
            "changed" if row in one.reworded else tone if row in one.places else ""
            for row in members
        ],
        "who": _join(
            t("groups.who_changed", name=names.short(row))
            if row in one.reworded
            else names.short(row)
            for row in one.places
        ),
    }


def _say_wordings(one: HeldPassage, language: str) -> str:
    """Say in which words the holders of a passage differ, or at how many places; "" in none."""
    if not one.reworded:
        return ""
    n, most = len(one.wordings), _TOLD[language]
    short = all(max(len(each.usual), len(each.instead)) <= most for each in one.wordings)
    if not 1 <= n <= 2 or not short or session.hide_names():
        return t("groups.then") + (t("groups.reworded", n=n) if n else t("groups.otherwise"))
    said = []
    for each in one.wordings:
        key = "writes" if each.usual and each.instead else "adds" if each.instead else "lacks"
        names = _join(map(find_naming().short, each.rows))
        said.append(t(f"groups.{key}", names=names, usual=each.usual, instead=each.instead))
    return t("groups.then") + t("groups.then").join(said)


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
