"""Where the reviewer is, and what becomes of each thing that is done at the desk.

listed()          every case of the current check, with the decision in force
search(query)     let the desk open with a search
at_desk()         the cases that the search leaves, and the one that is open
act_all(events)   carry out the events of the component
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from simhash_core import LeitongError, ThresholdView
from simhash_core.errors import BadInput, StoreError
from simhash_core.model import Decisions
from simhash_core.review import Batch, Case, cases, parse
from simhash_core.storage import Project, Subject

from ..shared import session
from ..shared.formatting import error_text
from ..shared.links import find_row

REVIEWER_KEY = "reviewer"
_STATE = "lt.review"


@dataclass(slots=True)
class Desk:
    """What one browser session holds about the desk of one check."""

    token: str
    row: int = -1  # row of the pair table that is open, -1 before the first
    query: str = ""
    answered: int = 0  # the latest event that was carried out
    first: int = -1  # place of the first case of the list that is shown; -1: around the open one
    waiting: list[dict[str, Any]] = field(default_factory=list)  # decisions that were not stored
    laid: dict[Hashable, Future[Any]] = field(default_factory=dict)  # cases set for reading
    listed: tuple[ThresholdView, Decisions, list[Case]] | None = None  # the cases, made of both


@dataclass(frozen=True, slots=True, eq=False)
class AtDesk:
    """The cases that the search leaves and the place of the open one, -1 where there is none."""

    everything: list[Case]
    left: list[Case]
    at: int
    error: str


def desk() -> Desk:
    """Return the desk of the current check."""
    current = session.check()
    token = current.token if current else ""
    held = session.get(_STATE)
    if not isinstance(held, Desk) or held.token != token:
        held = Desk(token)
        session.put(_STATE, held)
    return held


def listed() -> list[Case]:
    """Return every case of the current check with the decision in force."""
    result, view, project = session.result(), session.view(), session.project()
    if result is None or view is None:
        return []
    decisions = project.pair_decisions() if project else {}
    held = desk()
    if held.listed is None or held.listed[0] is not view or held.listed[1] != decisions:
        held.listed = view, decisions, cases(result, view, decisions)
    return held.listed[2]


def search(query: str) -> None:
    """Let the desk open with a search."""
    desk().query, desk().first = query, -1


def at_desk() -> AtDesk:
    """Return what the search leaves. A search that cannot be read leaves everything."""
    held, everything = desk(), listed()
    batch = _batch()
    error = ""
    try:
        query = parse(held.query, blind=session.hide_names())
    except BadInput as bad:
        query, error = parse(""), error_text(bad)
    left = [case for case in everything if query.matches(case, batch)]
    rows = [case.row for case in left]
    asked = _asked(everything)
    if asked is not None:
        held.row = asked
    if held.row not in rows and left:
        held.row = next((case.row for case in left if case.state == "undecided"), left[0].row)
    return AtDesk(everything, left, rows.index(held.row) if held.row in rows else -1, error)


def _asked(everything: Sequence[Case]) -> int | None:
    """Return the case that the link names, once."""
    result = session.result()
    if result is None or not {"a", "b"} <= set(st.query_params):
        return None
    pair = {find_row(result.documents, st.query_params.pop(side)) for side in "ab"}
    return next((case.row for case in everything if {case.a, case.b} == pair), None)


def _batch() -> Batch:
    """Return what a search looks at beside the cases."""
    result = session.result()
    if result is None:
        return Batch((), ())
    groups = result.variant_groups
    return Batch(
        session.doc_names(range(len(result.documents))),
        [document.meta.get("group", "") for document in result.documents],
        [frozenset(groups.document[groups.rows(g)].tolist()) for g in range(len(groups))],
    )


# --------------------------------------------------------------------------- what is done
def act_all(events: Sequence[dict[str, Any]]) -> None:
    """Carry out the events of the component that were not carried out before."""
    for event in events:
        at = int(event.get("at", 0))
        if at > desk().answered:
            desk().answered = at
            act(event)


def act(event: dict[str, Any]) -> None:
    """Carry out one event of the component."""
    acts: dict[str, Callable[[dict[str, Any]], None]] = {
        "decide": _decide,
        "note": _note,
        "undo": _undo,
        "open": lambda e: _open(int(e["row"])),
        "step": lambda e: _step(int(e["way"])),
        "search": _search,
        "page": _page,
        "blind": _blind,
    }
    kind = str(event.get("type"))
    if kind in acts:
        acts[kind](event)


def _decide(event: dict[str, Any]) -> None:
    """Store a verdict and go on; "no problem" without a reason waits for one."""
    now = at_desk()
    case = next((case for case in now.everything if case.row == int(event["row"])), None)
    if case is None:
        return
    reason = str(event.get("reason", ""))
    subjects = [case.key]
    if event.get("whole"):
        subjects += [other.key for other in rest_of_cluster(now.everything, case)]
    stored = _store({"keys": subjects, "verdict": str(event["verdict"]), "reason": reason})
    waits = event["verdict"] == "no_problem" and not reason and not event.get("whole")
    if stored and not waits:
        _next_open(now, case)


def rest_of_cluster(everything: Sequence[Case], case: Case) -> list[Case]:
    """Return the other undecided cases of the cluster of a case."""
    if case.cluster < 0:
        return []
    return [
        other
        for other in everything
        if other.cluster == case.cluster and other.row != case.row and other.state == "undecided"
    ]


def _note(event: dict[str, Any]) -> None:
    case = next((case for case in listed() if case.row == int(event["row"])), None)
    if case is not None:
        _store({"keys": [case.key], "note": str(event["note"])[:20_000]})


def _store(decision: dict[str, Any]) -> bool:
    """Store a decision after those that wait; what cannot be stored waits and is tried again."""
    held = desk()
    held.waiting.append(decision)
    return flush()


def flush() -> bool:
    """Store what waits; False while something cannot be stored."""
    held, project = desk(), session.project()
    while held.waiting and project is not None:
        one = held.waiting[0]
        values = {name: one[name] for name in ("verdict", "reason", "note") if name in one}
        try:
            subjects = [Subject.pair(*key) for key in one["keys"]]
            project.decide(subjects, reviewer=reviewer(), **values)
        except StoreError:
            return False
        held.waiting.pop(0)
    return not held.waiting


def reviewer() -> str:
    """Return the name that decisions are signed with, "" for none."""
    return str(session.get(REVIEWER_KEY) or "").strip()


def last_action(project: Project | None) -> str:
    """Return the latest action of this reviewer, "" for none."""
    try:
        return project.last_action(reviewer=reviewer()) if project else ""
    except LeitongError:
        return ""


def _undo(_: dict[str, Any]) -> None:
    """Take the latest action back and open what it was about."""
    project = session.project()
    action = last_action(project)
    if project is None or not action:
        return
    keys = {
        (event.subject.a, event.subject.b)
        for event in project.history()
        if event.action == action and event.subject is not None
    }
    project.undo(action, reviewer=reviewer())
    case = next((case for case in listed() if case.key in keys), None)
    if case is not None:
        _open(case.row)


def _open(row: int) -> None:
    held = desk()
    held.row, held.first = row, -1


def _step(way: int) -> None:
    now = at_desk()
    if now.at >= 0 and 0 <= now.at + way < len(now.left):
        _open(now.left[now.at + way].row)


def _next_open(before: AtDesk, case: Case) -> None:
    """Open the next undecided case of the list, else the next one of all."""
    state = {one.row: one.state for one in listed()}
    order = [one.row for one in before.left]
    at = order.index(case.row) if case.row in order else -1
    following = [*order[at + 1 :], *order[:at]]
    undecided = [row for row in following if state.get(row) == "undecided"]
    if undecided:
        _open(undecided[0])
    elif at + 1 < len(order):
        _open(order[at + 1])


def next_cases(now: AtDesk) -> list[Case]:
    """Return the cases that a key can open next: the next undecided one, the next of the list."""
    following = [*now.left[now.at + 1 :], *now.left[: now.at]]
    undecided = next((case for case in following if case.state == "undecided"), None)
    nearest = [undecided, *now.left[now.at + 1 : now.at + 2]]
    return list({case.row: case for case in nearest if case is not None}.values())


def _search(event: dict[str, Any]) -> None:
    held = desk()
    held.query, held.first = str(event.get("query", ""))[:400], -1


def _page(event: dict[str, Any]) -> None:
    desk().first = max(int(event["at"]), 0)


def _blind(_: dict[str, Any]) -> None:
    st.session_state[session.HIDE_NAMES_KEY] = not session.hide_names()
