"""Where the reviewer is, and what becomes of each thing that is done at the desk."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from simhash_core import ThresholdView
from simhash_core.errors import BadInput, StoreError
from simhash_core.model import Decision
from simhash_core.review import Batch, Case, Query, counts, decide_anew, parse
from simhash_core.seen import cases_of
from simhash_core.storage import Action, Project, Subject

from ..shared import session
from ..shared.formatting import error_text
from ..shared.navigation import find_row
from ..shared.tab import Fact

REVIEWER_KEY = "reviewer"


Key = tuple[str, str]  # of a pair, by `model.pair_key`
Held = tuple[Decision | None, ...]


class Tab:
    """What a tab remembers: the desk."""

    review: Fact[Desk | None] = Fact(None)


tab = Tab()


@dataclass(frozen=True, slots=True)
class Remark:
    """What was done last at this desk: the line under the buttons says it."""

    what: str  # end of the key of its sentence
    keys: tuple[Key, ...] = ()
    before: Held = ()  # what held about each before it was done, and after
    after: Held = ()
    channel: str = "verdict"  # verdict | note
    overtook: Decision | None = None  # decided elsewhere while the case was read here


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision "no problem" without a reason; a digit gives it."""

    action: str
    row: int  # -1: about several cases
    keys: tuple[Key, ...]


@dataclass(slots=True)
class Desk:
    """What one browser session holds about the desk of one check."""

    token: str
    row: int = -1  # row of the pair table that is open, -1 before the first
    query: str = ""
    answered: int = 0  # the latest event that was carried out
    bulk: int = -1  # page of many cases at once that is shown; -1: cases are read one by one
    leaving: bool = False  # for the page of the files
    first: int = -1  # place of the first case of the list that is shown; -1: around the open one
    waiting: list[dict[str, Any]] = field(default_factory=list)  # decisions that were not stored
    laid: dict[Hashable, Future[Any]] = field(default_factory=dict)  # cases set for reading
    rows: dict[Hashable, dict[str, Any]] = field(default_factory=dict)  # of the list as it is shown
    remark: Remark | None = None
    asked: Asked | None = None
    writing: int = -1  # row of the case just decided, whose note is written; -1: the open one
    drawn: tuple[Key, Decision | None] | None = None  # the open case as it was drawn
    # the cases: made of a view, with what was decided up to an event of a project
    listed: tuple[ThresholdView, Project | None, int, list[Case]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AtDesk:
    """The cases that the search leaves and the place of the open one, -1 where there is none."""

    everything: list[Case]
    left: list[Case]
    at: int
    error: str
    tally: dict[str, int]  # cases in each state
    bulk: bool = False  # many cases are shown at once, none is open

    @property
    def ended(self) -> bool:
        """Whether nothing is left to read: no case is open and none is undecided."""
        return self.at < 0 and not self.bulk and not self.tally["undecided"]

    @property
    def open(self) -> Case | None:
        """The open case."""
        return self.left[self.at] if self.at >= 0 else None


def desk() -> Desk:
    """Return the desk of the current check."""
    current = session.check()
    token = current.token if current else ""
    if tab.review is None or tab.review.token != token:
        tab.review = Desk(token)
    return tab.review


def list_cases() -> list[Case]:
    """Return every case of the current check with the decision in force."""
    result, view, project = session.result(), session.view(), session.project()
    if result is None or view is None:
        return []
    held = desk()
    if held.listed is None or held.listed[0] is not view or held.listed[1] is not project:
        number = project.latest() if project else 0
        held.listed = view, project, number, cases_of(project, result, view)
    elif project is not None:
        number, changed = project.changed_pairs(held.listed[2])
        held.listed = view, project, number, decide_anew(held.listed[3], changed)
    return held.listed[3]


def is_behind() -> bool:
    """Return whether the desk does not show, or has not stored, what was decided by now."""
    held, project = desk(), session.project()
    if held.listed is None or project is None or not project.is_open:
        return False  # deleted in another tab
    return bool(held.waiting) or project.latest() > held.listed[2]


def search(query: str) -> None:
    """Let the desk open with a search; what it leaves is shown at once."""
    held = desk()
    held.query, held.first, held.bulk = query, -1, 0 if query.strip() else -1


def search_desk() -> AtDesk:
    """Return what the search leaves. A search that cannot be read leaves everything."""
    held, everything = desk(), list_cases()
    error = ""
    try:
        query = parse(held.query, blind=session.hide_names())
    except BadInput as bad:
        query, error = parse(""), error_text(bad)
    left = _matching(query, everything)
    rows = [case.row for case in left]
    asked = _find_asked(everything)
    if asked is not None:
        held.row, held.bulk = asked, -1
    tally = counts(everything)
    if held.bulk >= 0 and query.terms:
        return AtDesk(everything, left, -1, error, tally, bulk=True)
    if held.row not in rows and left and (query.terms or tally["undecided"]):
        held.row = next((case.row for case in left if case.state == "undecided"), left[0].row)
    at = rows.index(held.row) if held.row in rows else -1
    return AtDesk(everything, left, at, error, tally)


def _matching(query: Query, everything: list[Case]) -> list[Case]:
    if not query.terms:
        return everything
    batch = _batch()
    return [case for case in everything if query.matches(case, batch)]


def _find_asked(everything: Sequence[Case]) -> int | None:
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
        [
            f"{one.meta.get('class_name', '')} {one.meta.get('group', '')}"
            for one in result.documents
        ],
        session.memo(
            "witnesses",
            lambda: [
                frozenset(groups.document[groups.rows(g)].tolist()) for g in range(len(groups))
            ],
        ),
    )


# --------------------------------------------------------------------------- what is done
def act_all(events: Sequence[dict[str, Any]]) -> None:
    """Carry out the events of the component that were not carried out before."""
    for event in events:
        at = int(event.get("at", 0))
        if at > desk().answered:
            desk().answered = at
            act(event)
            desk().drawn = None  # what changed was changed here


def act(event: dict[str, Any]) -> None:
    """Carry out one event of the component."""
    acts: dict[str, Callable[[dict[str, Any]], None]] = {
        "decide": _decide,
        "decide_all": _decide_all,
        "note": _note,
        "undo": lambda e: _take_back(e, "undone"),
        "redo": lambda e: _take_back(e, "redone"),
        "open": lambda e: _open(int(e["row"])),
        "step": lambda e: _step(int(e["way"])),
        "search": _search,
        "page": _page,
        "bulk": _bulk,
        "end": lambda _: _close(),
        "leave": _leave,
        "blind": _blind,
    }
    kind = str(event.get("type"))
    if kind not in acts:
        return
    asked = desk().asked
    if kind not in ("page", "leave", "blind", "note", "decide"):
        desk().writing = -1
    acts[kind](event)
    if kind not in ("page", "bulk", "leave", "blind", "note") and desk().asked is asked:
        desk().asked = None  # a reason follows its decision, or none is given


def _decide(event: dict[str, Any]) -> None:
    """Store a verdict and go on to the next case."""
    held, now = desk(), search_desk()
    row, verdict, reason = int(event["row"]), str(event["verdict"]), str(event.get("reason", ""))
    if held.asked is not None and held.asked.row == row and reason and verdict == "no_problem":
        _give_reason(held.asked, reason)
        return
    case = next((case for case in now.everything if case.row == row), None)
    if case is None:
        return
    decided = [case]
    if event.get("whole"):
        decided += rest_of_cluster(now.everything, case)
    keys = tuple(dict.fromkeys(one.key for one in decided))
    before, overtook = find_decisions(keys), _overtaken(case)
    action = _store({"keys": keys, "verdict": verdict, "reason": reason})
    if not action:
        return
    held.remark = Remark("decided", keys, before, find_decisions(keys), overtook=overtook)
    held.writing = case.row
    if verdict == "no_problem" and not reason:
        held.asked = Asked(action, case.row, keys)
    order = [one.row for one in now.left]
    at = order.index(case.row) if case.row in order else -1
    undecided = {one.row for one in list_cases() if one.state == "undecided"}
    following = (*order[at + 1 :], *order[: max(at, 0)])
    next_row = next((row for row in following if row in undecided), None)
    if not undecided:
        _close()
    elif next_row is not None:
        _open(next_row)
    elif at + 1 < len(order):
        _open(order[at + 1])


def _decide_all(event: dict[str, Any]) -> None:
    """Store one verdict for several cases: one action, taken back at once."""
    rows, verdict, reason = set(event["rows"]), str(event["verdict"]), str(event.get("reason", ""))
    chosen = [case for case in list_cases() if case.row in rows]
    keys = tuple(dict.fromkeys(case.key for case in chosen))
    before = find_decisions(keys)
    action = _store({"keys": keys, "verdict": verdict, "reason": reason}) if keys else ""
    if not action:
        return
    held = desk()
    held.remark = Remark("decided", keys, before, find_decisions(keys))
    if verdict == "no_problem" and not reason:
        held.asked = Asked(action, -1, keys)
    if not counts(list_cases())["undecided"]:
        _close()


def _close() -> None:
    """Leave the case, or the search, that is open; without an undecided one this is the end."""
    held = desk()
    held.row, held.bulk, held.query, held.first = -1, -1, "", -1


def _give_reason(asked: Asked, reason: str) -> None:
    """Add the reason to a decision that was just made; one undo takes both back."""
    before = find_decisions(asked.keys)
    if _store({"keys": asked.keys, "reason": reason, "action": asked.action}):
        desk().remark = Remark("decided", asked.keys, before, find_decisions(asked.keys))


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
    case = next((case for case in list_cases() if case.row == int(event["row"])), None)
    if case is None:
        return
    keys = (case.key,)
    before = find_decisions(keys)
    if _store({"keys": keys, "note": str(event["note"])[:20_000]}):
        desk().remark = Remark("noted", keys, before, find_decisions(keys), "note")
        desk().writing = -1


def find_written() -> Case | None:
    """Return the case whose note is written: the one just decided, else the open one."""
    held, now = desk(), search_desk()
    just = next((case for case in now.everything if case.row == held.writing), None)
    return just or now.open


def choose_cases(everything: Sequence[Case], keys: Sequence[Key]) -> list[Case]:
    """Return the cases that decisions about some pairs of texts decide.

    Where several files say the same, one pair of texts is several cases.
    """
    wanted = {*keys}
    return [case for case in everything if case.key in wanted]


def find_decisions(keys: Sequence[Key]) -> Held:
    """Return what holds about some pairs now."""
    wanted = set(keys)
    decisions = {case.key: case.decision for case in list_cases() if case.key in wanted}
    return tuple(decisions.get(key) for key in keys)


def _overtaken(case: Case) -> Decision | None:
    """Return what was decided elsewhere about a case since it was drawn here, None for nothing."""
    drawn = desk().drawn
    now = next((one.decision for one in list_cases() if one.row == case.row), None)
    seen = (
        drawn is None
        or drawn[0] != case.key
        or describe_decision(drawn[1]) == describe_decision(now)
    )
    return None if seen or now is None or not now.verdict else now


def describe_decision(decision: Decision | None) -> tuple[str, str]:
    """Return what a decision says to a reader: verdict and reason."""
    return (decision.verdict, decision.reason) if decision else ("", "")


def _store(decision: dict[str, Any]) -> str:
    """Store a decision after those that wait; return its action, "" where it waits itself.

    What cannot be stored is tried again.
    """
    desk().waiting.append(decision)
    return flush()


def flush() -> str:
    """Store what waits; return the latest action, "" while something cannot be stored."""
    held, project, action = desk(), session.project(), ""
    while held.waiting and project is not None:
        one = held.waiting[0]
        names = ("verdict", "reason", "note", "action")
        values = {name: one[name] for name in names if name in one}
        try:
            subjects = [Subject.pair(*key) for key in one["keys"]]
            action = project.decide(subjects, reviewer=reviewer(), **values)
        except StoreError:
            return ""
        held.waiting.pop(0)
    return action


def reviewer() -> str:
    """Return the name that decisions are signed with, "" for none."""
    return str(session.get(REVIEWER_KEY) or "").strip()


def find_undoable(what: str) -> Action | None:
    """Return what a key takes back: the latest "verdict", "note" or "undo" of this reviewer."""
    project = session.project()
    if project is None:
        return None
    try:
        with project.folded() as fold:
            if what == "undo":
                return fold.last_undo(reviewer=reviewer())
            return fold.last(what, reviewer=reviewer())
    except StoreError:
        return None


def _take_back(event: dict[str, Any], what: str) -> None:
    """Undo the latest decision, or note, or undo; say what that changed and open it."""
    held, project = desk(), session.project()
    channel = "note" if event.get("note") else "verdict"
    action = find_undoable("undo" if what == "redone" else channel)
    if project is None or action is None:
        held.remark = Remark(f"no_{channel}" if what == "undone" else "no_undo")
        return
    if any(one.field == "note" for one in action.events):
        channel = "note"
    subjects = dict.fromkeys(one.subject for one in action.events if one.subject is not None)
    keys = tuple((subject.a, subject.b) for subject in subjects)
    before = find_decisions(keys)
    try:
        project.undo(action.id, reviewer=reviewer())
    except StoreError:
        held.remark = Remark("not_stored")
        return
    held.remark = Remark(what, keys, before, find_decisions(keys), channel)
    case = next((case for case in list_cases() if case.key in keys), None)
    if case is not None and (len(keys) == 1 or held.bulk < 0):
        _open(case.row)


def _open(row: int) -> None:
    held = desk()
    held.row, held.first, held.bulk = row, -1, -1


def _step(way: int) -> None:
    now = search_desk()
    if now.at >= 0 and 0 <= now.at + way < len(now.left):
        _open(now.left[now.at + way].row)


def next_cases(now: AtDesk) -> list[Case]:
    """Return the cases that a key can open next: the next undecided one, the next of the list."""
    following = (*now.left[now.at + 1 :], *now.left[: max(now.at, 0)])
    undecided = next((case for case in following if case.state == "undecided"), None)
    nearest = [undecided, *now.left[now.at + 1 : now.at + 2]]
    return list({case.row: case for case in nearest if case is not None}.values())


def _search(event: dict[str, Any]) -> None:
    search(str(event.get("query", ""))[:400])


def _page(event: dict[str, Any]) -> None:
    desk().first = max(int(event["at"]), 0)


def _bulk(event: dict[str, Any]) -> None:
    desk().bulk = max(int(event["at"]), 0)


def _leave(_: dict[str, Any]) -> None:
    desk().leaving = True


def leaves() -> bool:
    """Return, once, whether the reader asked for the page of the files."""
    held = desk()
    leaving, held.leaving = held.leaving, False
    return leaving


def _blind(_: dict[str, Any]) -> None:
    st.session_state[session.HIDE_NAMES_KEY] = not session.hide_names()
