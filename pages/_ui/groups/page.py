"""Who is joined to whom: the groups of a check, and the passages that hold each together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simhash_core import CheckResult
from simhash_core.cases import ListedCases, ends_of, few_holders, own_units
from simhash_core.i18n import in_chinese
from simhash_core.seen import Group, HeldPassage, join_groups, list_held
from simhash_core.text.lengths import unit_of

from ..review.case import masks_of
from ..review.state import number_cases
from ..shared import exclusions, session
from ..shared.decided import read_decisions, verdict
from ..shared.formatting import length, number, text_language
from ..shared.session import CurrentCheck, find_naming, t
from ..shared.tab import tab
from ..shared.widgets import open_compare, open_document, open_page, paragraph
from . import clusters
from .map import (
    MOST_IN_ROWS,
    Box,
    Line,
    draw_map,
    find_chosen,
    join_names,
    lay_map,
    list_heads,
    write_numeral,
)

_KEY = "groups"
_FIRST, _SHOWN = 8, 6  # passages up to which all are shown, and those shown of more
_QUOTED = {"zh-CN": 66, "en": 160}  # characters of a passage that are shown
_TOLD = {"zh-CN": 12, "en": 36}  # characters of words that differ, for a sentence to tell them


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
    chosen, every = find_chosen(_KEY, len(groups))
    drawn = tuple((one.members, one.pairs) for one in groups)
    look = drawn, session.language(), session.hide_names()
    few = few_holders(len(result.documents))
    kinds = {name: t(f"groups.{name}") for name in ("own", "changed")}
    opened = draw_map(
        _KEY,
        {
            "groups": session.memo(
                ("group maps", *look),
                lambda: [_lay_group(result, cases, at, one) for at, one in enumerate(groups)],
            ),
            "sheet": session.memo(
                ("group", chosen, every, *look),
                lambda: _sheet(current, chosen, groups[chosen], every=every),
            ),
            **_say_outside(result, groups),
            "foot": _say_foot(cases, few),
            "kinds": {**kinds, "few": _say_few(few), "": t("groups.absent")},
            "words": {name: t(f"groups.{name}") for name in ("title", "lead", "map", "passages")},
        },
    )
    if opened:
        _open(result, groups[chosen], *opened)


def _open(result: CheckResult, group: Group, kind: str, place: Any) -> None:
    """Go to what was chosen: a text, two texts, a passage, or the open cases of a group."""
    ends = _ends(result, group)
    tab.pair_order = tuple(ends)
    if kind == "text":
        open_document(int(place))
    elif kind == "pair":
        open_compare(*map(int, place))
    elif kind == "case":
        open_page("results", {"case": str(int(place))})
    else:
        decided = read_decisions()
        ends = [pair for pair in ends if verdict(*pair, decided) == "undecided"] or ends
        open_page("review", {"a": str(ends[0][0]), "b": str(ends[0][1])} if ends else None)


def _ends(result: CheckResult, group: Group) -> list[tuple[int, int]]:
    return ends_of(result, np.array(group.pairs, np.int64))


def _lay_group(result: CheckResult, cases: ListedCases, at: int, group: Group) -> dict[str, Any]:
    """Return one group as the map draws it."""
    unit = unit_of(result.documents[group.members[0]].text)
    lines = []
    for row, ends in zip(group.pairs, _ends(result, group), strict=True):
        own = min(own_units(result, row))
        a, b = map(find_naming().short, ends)
        key = "groups.pair" if own else "groups.pair_whole"
        label = t(key, a=a, b=b, number=cases.numbers[row], length=length(own, unit))
        width = round(min(max(0.7 * own**0.5, 4), 16), 1)
        lines.append(Line(ends, own, width, number(own) if own else "≈", label))
    boxes = [
        Box(one.number, t("groups.case", number=one.number), length(one.units, unit), one.members)
        for one in group.passages
    ]
    words = length(group.units, unit)
    return lay_map(at, group.members, lines, boxes, words=words)


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
    result = current.result
    numbers, common = number_cases().numbers, exclusions.find_original(current).common
    most = None if every else _FIRST
    held, n = list_held(result, group, numbers, common=common, most=most)
    held = held if every or n <= _FIRST else held[:_SHOWN]
    heads = list_heads(group.members)
    title = {"number": write_numeral(at), "size": len(group.members)}
    cases = len(group.pairs) + len(group.passages)
    return {
        "title": t("groups.held_together", n=n, **title) if n else t("groups.alike", **title),
        "review": t("groups.review", n=cases),
        "heads": heads,
        "numbered": len(group.members) > MOST_IN_ROWS,
        "rows": [_row(result, one, group.members if heads else ()) for one in held],
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
        "who": t("groups.separator").join(
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
        names = join_names(each.rows)
        said.append(t(f"groups.{key}", names=names, usual=each.usual, instead=each.instead))
    return t("groups.then") + t("groups.then").join(said)
