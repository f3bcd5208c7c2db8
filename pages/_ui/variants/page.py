"""Variants: a passage that many texts share, once, as an edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import streamlit as st

from simhash_core import CheckResult
from simhash_core.i18n import tag
from simhash_core.seen import Edition, edition, given_to_all, kept_group_key
from simhash_core.storage import Subject

from .. import components
from ..review import state as desk
from ..shared import exclusions, jobs, session
from ..shared.formatting import number, percent, text_language
from ..shared.running import TICK
from ..shared.session import CurrentCheck, find_naming, t
from ..shared.tab import Fact
from ..shared.widgets import (
    caution,
    empty_state,
    foot,
    no_result,
    open_document,
    open_page,
    page_head,
)

_KEY = "edition"
_WORDS = (
    *("base", "base_note", "between", "absent", "tree", "tree_note", "tree_label", "origin"),
    *("origin_note", "is", "no_problem", "confirmed", "later", "undo", "table", "table_note"),
    *("same", "as_base", "first", "second", "lacks", "outside", "unfold"),
)


class Tab:
    """What a tab remembers: a click."""

    going: Fact[Mapping[str, Any] | None] = Fact(None)  # where a click on a variant leads


tab = Tab()


def draw() -> None:
    """Draw the group that the link names, at first the one with the most witnesses."""
    current = session.check()
    if current is None:
        no_result(t("variants.title"))
        return
    result = exclusions.find_original(current)
    if not len(result.variant_groups):
        page_head(t("variants.title"))
        empty_state(t("variants.none"), button=t("variants.go_overview"), page="overview")
        foot()
        return
    group = find_group(result)
    _go()
    one = session.memo(
        ("edition", group, session.hide_names()),
        lambda: edition(result, group, blind=session.hide_names()),
    )
    n = len(result.variant_groups)
    witnesses = len(one.collation.witnesses) + len(one.collation.apart)
    head = page_head(
        t("variants.head", n=witnesses),
        t("variants.lead", n=witnesses, all=len(result.documents)),
        t("variants.note", n=witnesses * (witnesses - 1) // 2),
    )
    with head:
        _steps(group, n)
    components.draw(
        "edition",
        {
            "lang": tag(session.language()),
            "group": group,
            "words": {name: t(f"variants.word.{name}") for name in _WORDS},
            "sheet": session.memo(
                ("sheet", group, session.language(), session.hide_names()), lambda: sheet(one)
            ),
            "decision": _decision(current, result, group),
        },
        key=_KEY,
        on=lambda: _act(result, group),
    )
    caution(t("variants.caution.lead"), t("variants.caution.text"))
    foot()
    _foresee(current, result, group)


def find_group(result: CheckResult) -> int:
    """Return the group that the link names, counted from 1 there."""
    asked = st.query_params.get("g", "1")
    at = int(asked) - 1 if asked.isascii() and asked.isdigit() and len(asked) < 9 else 0
    return min(max(at, 0), len(result.variant_groups) - 1)


def _steps(group: int, n: int) -> None:
    """Draw the way to the group before and the one after."""
    for name, to, icon in (("previous", group - 1, "left"), ("next", group + 1, "right")):
        st.button(
            t(f"variants.{name}"),
            key=f"variants_{name}",
            icon=f":material/chevron_{icon}:",
            disabled=not 0 <= to < n,
            on_click=_open,
            args=(to,),
        )


def _open(group: int) -> None:
    st.query_params["g"] = str(group + 1)


# --------------------------------------------------------------------------- the decision
def _decision(current: CurrentCheck, result: CheckResult, group: int) -> dict[str, str]:
    """Return what was decided about a group, and what each decision would change."""
    project = session.project()
    subject = Subject.group(kept_group_key(result, group, project))
    held = project.decisions().get(subject) if project is not None else None
    return {
        "verdict": held.verdict if held else "",
        "given": _effect(current, group),
        "copied": t("variants.copied_effect"),
    }


def _effect(current: CurrentCheck, group: int) -> str:
    """Say how many texts and pairs change where the group counts as given to all."""
    effect = current.given_effects.get(group)
    if effect is None:
        return t("variants.given_computing")
    texts, pairs = effect
    return t("variants.given_effect", n=texts, texts=texts, pairs=pairs)


def _foresee(current: CurrentCheck, result: CheckResult, group: int) -> None:
    """Compute in the background what giving the group to all changes, then draw it."""
    if group in current.given_effects:
        return
    kind = f"given-{current.token}-{group}"

    def work(_: jobs.Progress) -> None:
        seen = given_to_all(result, [group], excluder=exclusions.texts_of(current))
        current.given_effects[group] = len(seen.documents), len(seen.gone)

    job = jobs.find_latest(kind) or jobs.start(kind, work)

    @st.fragment(run_every=TICK)
    def wait() -> None:
        if job.state == "done":
            st.rerun()

    if job.state in ("running", "done"):
        wait()


def _act(result: CheckResult, group: int) -> None:
    """Do what was sent: `decide` (verdict), `undo`, `read` (row), `compare` (rows a, b)."""
    event = st.session_state[_KEY].get("act")
    kind = event["type"] if event else ""
    if kind == "read":
        tab.going = {"document": int(event["row"])}
    elif kind in ("decide", "undo"):
        verdict = str(event["verdict"]) if kind == "decide" else ""
        project = session.project()
        if project is None:
            return
        key = kept_group_key(result, group, project)
        reason = "task_sheet" if verdict == "no_problem" else ""
        subject = Subject.group(key)
        project.decide([subject], verdict=verdict, reason=reason, reviewer=desk.reviewer())
        exclusions.apply(exclusions.rules())
        if verdict == "confirmed":
            tab.going = {"page": "review"}


def _go() -> None:
    """Follow what was clicked: the text of a witness, or the cases of a copied passage."""
    going, tab.going = tab.going, None
    if going and "document" in going:
        open_document(going["document"])
    elif going:
        open_page(going["page"])


# --------------------------------------------------------------------------- one passage
BRIEF = 14  # characters of a lemma that stand in a table
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WIDE = 26  # witnesses above which the table scrolls sideways
TALL = 40  # places above which it is folded at first


def sheet(one: Edition) -> dict[str, Any]:
    """Return everything of a group that does not depend on decisions."""
    order = order_columns(one)
    language = text_language(one.collation.base)
    return {
        "text_lang": language,
        "base": [list(_runs(one, *span)) for span in _paragraphs(one.collation.base)],
        "apparatus": [_entry(one, at) for at in range(len(one.collation.places))],
        "agree": ""
        if one.collation.places
        else t("variants.agree", n=len(one.collation.witnesses)),
        "tree": tree(one),
        "clues": [_clue(one, clue) for clue in one.clues],
        "table": _table(one, order),
        "witnesses": [_witness(one, column) for column in order],
        "apart": _apart(one),
    }


def _paragraphs(base: str) -> Iterator[tuple[int, int]]:
    at = 0
    for line in base.split("\n"):
        if line.strip():
            yield at, at + len(line)
        at += len(line) + 1


def _runs(one: Edition, low: int, high: int) -> Iterator[list[Any]]:
    """Yield [text, number of the place, whether a witness lacks it] of one paragraph."""
    at = low
    for place_at, place in enumerate(one.collation.places):
        start, end = max(place.start, low), min(place.end, high)
        if start > end or place.end < low or place.start > high or (end == low and at > low):
            continue
        if at < start:
            yield [one.collation.base[at:start]]
        if low <= place.start <= high:
            lacking = any(not reading.text for reading in place.readings)
            yield [one.collation.base[start:end], place_at + 1, int(lacking)]
        at = max(at, end)
    if at < high:
        yield [one.collation.base[at:high]]


def _entry(one: Edition, at: int) -> dict[str, Any]:
    place = one.collation.places[at]
    return {
        "lemma": _brief(one.collation.base[place.start : place.end]) or "∅",
        "readings": [
            {"text": reading.text, **_who(one, reading.witnesses)} for reading in place.readings[1:]
        ],
    }


def _who(one: Edition, columns: Sequence[int]) -> dict[str, str]:
    """Name witnesses; the letter of a group stands for its members where all of them agree."""
    left, groups = set(columns), []
    branches = list(one.agreement.branches)
    while branches:
        branch = branches.pop(0)
        if set(branch.members) <= left:
            groups.append(branch.siglum)
            left -= set(branch.members)
        else:
            branches += branch.branches
    tight = all(len(siglum) == 1 for siglum in one.sigla)
    names = [one.sigla[column] for column in order_columns(one) if column in left]
    return {"groups": " ".join(groups), "sigla": ("" if tight else " ").join(names)}


def _brief(text: str) -> str:
    plain = " ".join(text.split())
    half = BRIEF // 2 if text_language(text) == "zh-CN" else BRIEF
    return plain if len(plain) <= 2 * half else f"{plain[:half]}…{plain[-half:]}"


def _clue(one: Edition, clue: Any) -> dict[str, str]:
    names = t("variants.list").join(
        find_naming().stems[int(one.collation.witnesses[column])] for column in clue.witnesses[:4]
    )
    if len(clue.witnesses) > 4:
        names = t("variants.and_more", names=names, n=len(clue.witnesses) - 4)
    params = dict(clue.params)
    if "share" in params:
        params["share"] = percent(float(params["share"]))
    return {"names": names, "text": t(f"variants.clue.{clue.code}", names=names, **params)}


def _table(one: Edition, order: Sequence[int]) -> dict[str, Any]:
    table = one.collation.table
    rows = [
        {
            "lemma": _brief(one.collation.base[place.start : place.end]) or "∅",
            "cells": [_cell(int(table[at, column]), place.readings) for column in order],
        }
        for at, place in enumerate(one.collation.places)
    ]
    same = [number(int((table[:, column] == 0).sum())) for column in order]
    family = {
        column: branch.siglum for branch in one.agreement.branches for column in branch.members
    }
    groups = [
        [label, len(list(members))]
        for label, members in groupby(order, key=lambda column: family.get(column, ""))
    ]
    return {
        "rows": rows,
        "columns": [one.sigla[column] for column in order],
        "groups": groups,
        "same": same,
        "wide": len(order) > WIDE,
        "folded": len(rows) > TALL,
    }


def _cell(reading: int, readings: Sequence[Any]) -> str:
    """Return "=" as base, "-" absent, "" outside, else the letter of the reading."""
    if reading <= 0:
        return "=" if reading == 0 else ""
    if not readings[reading].text:
        return "-"
    return LETTERS[min(reading - 1, len(LETTERS) - 1)]


def _witness(one: Edition, column: int) -> dict[str, Any]:
    row = int(one.collation.witnesses[column])
    return {"siglum": one.sigla[column], "name": find_naming().stems[row], "row": row}


def _apart(one: Edition) -> str:
    rows = one.collation.apart.tolist()
    if not rows:
        return ""
    names = t("variants.list").join(find_naming().stems[row] for row in rows[:8])
    return t("variants.apart", names=names, n=len(rows))


# --------------------------------------------------------------------------- tree
WIDTH = 292
STEP = 54  # from one level to the next
TOP = 26
LINE = 15  # of small sigla under a leaf
ACROSS = 3  # small sigla beside each other
MOST = 12  # sigla of one leaf that are written out
ROOT = "ω"


@dataclass(slots=True)
class _Node:
    label: str
    kind: str  # group or leaf
    more: list[str] = field(default_factory=list)  # further sigla of a leaf
    children: list[_Node] = field(default_factory=list)
    dashed: bool = False
    x: float = 0.0
    level: int = 0


def tree(edition: Edition) -> dict[str, Any] | None:
    """Return the figure: `lines` (x1, y1, x2, y2, dashed), `labels` (x, y, text, kind), its height.

    None where nobody departs from the base text in a way that anybody shares.
    """
    agreement, sigla = edition.agreement, edition.sigla
    if not agreement.branches:
        return None
    root = _Node(ROOT, "group")
    if agreement.as_base:
        root.children.append(_leaf(agreement.as_base, sigla))
    root.children += [_branch(branch, sigla) for branch in agreement.branches]
    if agreement.alone:
        root.children.append(_leaf(agreement.alone, sigla, dashed=True))
    leaves = list(_leaves(root, 0))
    for place, leaf in enumerate(leaves):
        leaf.x = WIDTH * (place + 0.5) / len(leaves)
    _centre(root)
    lines: list[tuple[float, float, float, float, bool]] = []
    labels: list[tuple[float, float, str, str]] = []
    bottom = _draw(root, lines, labels)
    return {"lines": lines, "labels": labels, "width": WIDTH, "height": bottom + 12}


def _leaf(columns: Sequence[int], sigla: Sequence[str], *, dashed: bool = False) -> _Node:
    names = [sigla[column] for column in columns]
    more = names[1:MOST]
    if len(names) > MOST:
        more.append(f"+{len(names) - MOST}")
    return _Node(names[0], "leaf", more, dashed=dashed)


def _branch(branch: Any, sigla: Sequence[str]) -> _Node:
    node = _Node(branch.siglum, "group")
    inside = {column for inner in branch.branches for column in inner.members}
    rest = [column for column in branch.members if column not in inside]
    node.children = [_branch(inner, sigla) for inner in branch.branches]
    if rest:
        node.children.append(_leaf(rest, sigla))
    return node


def _leaves(node: _Node, level: int) -> list[_Node]:
    node.level = level
    if not node.children:
        return [node]
    return [leaf for child in node.children for leaf in _leaves(child, level + 1)]


def _centre(node: _Node) -> None:
    for child in node.children:
        _centre(child)
    if node.children:
        node.x = sum(child.x for child in node.children) / len(node.children)


def _draw(
    node: _Node,
    lines: list[tuple[float, float, float, float, bool]],
    labels: list[tuple[float, float, str, str]],
) -> float:
    """Add a node and what hangs from it; return how far down it reaches."""
    y = TOP + STEP * node.level
    labels.append((round(node.x, 1), y, node.label, node.kind))
    bottom = float(y)
    for at in range(0, len(node.more), ACROSS):
        bottom += LINE
        labels.append((round(node.x, 1), bottom, " ".join(node.more[at : at + ACROSS]), "small"))
    for child in node.children:
        top = TOP + STEP * child.level - 16
        lines.append((round(node.x, 1), y + 6, round(child.x, 1), top, child.dashed))
        bottom = max(bottom, _draw(child, lines, labels))
    return bottom


def order_columns(edition: Edition) -> list[int]:
    """Return the columns so that those who agree stand together: base, groups, the others."""
    agreement = edition.agreement
    grouped = [column for branch in agreement.branches for column in _members(branch)]
    columns = [*agreement.as_base, *grouped, *agreement.alone, *range(len(edition.sigla))]
    return list(dict.fromkeys(columns))


def _members(branch: Any) -> list[int]:
    """Return the columns of a branch, those of its own branches first."""
    inner = [column for one in branch.branches for column in _members(one)]
    return [*inner, *branch.members]
