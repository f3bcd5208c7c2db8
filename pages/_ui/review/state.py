"""Where the reviewer is, and what becomes of each thing that is done at the desk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from simhash_core import ThresholdView
from simhash_core.cases import ANSWERS, ListedCases, PassageCase
from simhash_core.errors import StoreError
from simhash_core.review import Case, decide_anew
from simhash_core.seen import cases_of, list_answered_cases
from simhash_core.storage import Project, Subject

from ..shared import exclusions, session
from ..shared.navigation import find_row
from ..shared.tab import Fact

REVIEWER_KEY = "reviewer"
MOST_UNDONE = 50  # decisions and notes that can be taken back one by one
HELD = 8  # pairs laid out that are held; one can be half a megabyte
SHOWN = 400  # cases of the list at a time

DeskCase = PassageCase | Case


class Tab:
    """What a tab remembers: the desk."""

    review: Fact[Desk | None] = Fact(None)


tab = Tab()


@dataclass(frozen=True, slots=True)
class Done:
    """What was decided or noted here; one undo takes it back."""

    action: str
    subjects: tuple[Subject, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """What was done last: the line under the answers says it of the case as it is now."""

    what: str  # end of the key of its sentence
    number: int = 0  # of the case
    n: int = 0  # other cases that it was about, or
    settled: tuple[int, ...] = ()  # cases that are none any more


@dataclass(slots=True)
class Desk:
    """What one browser session holds about the desk of one check."""

    token: str
    number: int = 0  # of the open case, 0 before the first
    ended: bool = False  # the summary is shown
    answered: int = 0  # the latest event that was carried out
    visit: int = 0  # how often the whole page was drawn
    has: frozenset[str] = frozenset()  # digests of what the browser holds: list and pairs
    every: int = 0  # the case of which every use is shown
    first: int = -1  # place of the first case of the list that is shown; -1: around the open one
    leaving: str = ""  # the page that the reader asked for
    waiting: list[dict[str, Any]] = field(default_factory=list)  # decisions that were not stored
    done: list[Done] = field(default_factory=list)  # what can be taken back, the latest last
    laid: dict[tuple[int, bool, str], dict[str, Any]] = field(default_factory=dict)
    remark: Remark | None = None
    # the cases: made of a view, with what was decided up to an event of a project
    listed: tuple[ThresholdView, Project | None, int] | None = None
    passages: list[PassageCase] = field(default_factory=list)
    pairs: list[Case] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class AtDesk:
    """All cases, passages first, and the place of the open one, -1 where none is."""

    everything: list[DeskCase]
    at: int

    @property
    def open(self) -> DeskCase | None:
        """The open case."""
        return self.everything[self.at] if self.at >= 0 else None

    @property
    def tally(self) -> Counter[str]:
        """How many cases are in each state."""
        return Counter(map(state_of, self.everything))


def state_of(one: DeskCase) -> str:
    """Return the verdict about a pair, of a passage its answer; "undecided" without.

    An answer that nobody gave is "automatic".
    """
    if isinstance(one, Case):
        return one.state
    if one.decision is None or not one.decision.verdict:
        return "automatic" if one.automatic else "undecided"
    return one.answer or "later"


def is_left(one: DeskCase) -> bool:
    """Return whether a case waits for a decision, put off or not."""
    return state_of(one) in ("undecided", "later")


def desk() -> Desk:
    """Return the desk of the current check, whatever of it counts."""
    current, project = session.check(), session.project()
    token = project.id if project is not None else current.token if current else ""
    if tab.review is None or tab.review.token != token:
        tab.review = Desk(token, done=_find_last())
    return tab.review


def _find_last() -> list[Done]:
    """Return what this reviewer did last before the page was loaded, so that it can be undone."""
    project = session.project()
    if project is None:
        return []
    with project.folded() as fold:
        found = [fold.last(what, reviewer=reviewer()) for what in ("verdict", "note")]
    actions = sorted((one for one in found if one), key=lambda one: one.events[-1].seq)
    return [
        Done(one.id, tuple({event.subject: 0 for event in one.events if event.subject}))
        for one in actions
    ]


def list_cases() -> list[DeskCase]:
    """Return every case of the current check with the decision in force."""
    current, view, project = session.check(), session.view(), session.project()
    if current is None or view is None:
        return []
    held, original = desk(), exclusions.find_original(current)
    if held.listed is None or held.listed[0] is not view or held.listed[1] is not project:
        held.listed = view, project, project.latest() if project else 0
        held.passages = list_answered_cases(original, project)
        held.pairs = cases_of(project, current.result, view)
        held.laid.clear()
    elif project is not None:
        with project.folded() as fold:
            changed = fold.changed(held.listed[2])
        if any(subject.kind == "group" for subject in changed):
            held.passages = list_answered_cases(original, project)
        number, pairs = project.changed_pairs(held.listed[2])
        held.pairs, held.listed = decide_anew(held.pairs, pairs), (view, project, number)
    return [*held.passages, *held.pairs]


def find_version() -> int:
    """Return the event of the project up to which `list_cases` knows what was decided."""
    listed = desk().listed
    return listed[2] if listed else 0


def number_cases() -> ListedCases:
    """Return the same with the number of each pair by its row, without those of one meaning."""
    listed = list_cases()
    pairs = (one for one in listed if isinstance(one, Case) and not one.alike)
    passages = [one for one in listed if isinstance(one, PassageCase)]
    return ListedCases(passages, {one.row: one.number for one in pairs})


def is_behind() -> bool:
    """Return whether the desk does not show, or has not stored, what was decided by now."""
    held, project = desk(), session.project()
    if held.listed is None or project is None or not project.is_open:
        return False  # deleted in another tab
    return bool(held.waiting) or project.latest() > held.listed[2]


def look_at_desk() -> AtDesk:
    """Return the cases and the open one: at first the first that waits, or the one of the link."""
    held, everything = desk(), list_cases()
    asked = _find_asked(everything)
    if asked:
        held.number, held.ended = asked, False
    numbers = [one.number for one in everything]
    if held.number not in numbers and everything:
        first = next((one for one in everything if is_left(one)), None)
        held.ended = held.ended or first is None
        held.number = first.number if first else numbers[0]
    return AtDesk(everything, -1 if held.ended or not numbers else numbers.index(held.number))


def _find_asked(everything: Sequence[DeskCase]) -> int:
    """Return the number of the case that the link names, by its number or by its two texts."""
    result = session.result()
    if number := st.query_params.pop("case", ""):
        return next((one.number for one in everything if str(one.number) == number), 0)
    if result is None or not {"a", "b"} <= set(st.query_params):
        return 0
    pair = {find_row(result.documents, st.query_params.pop(side)) for side in "ab"}
    pairs = (one for one in everything if isinstance(one, Case))
    return next((one.number for one in pairs if {one.a, one.b} == pair), 0)


# --------------------------------------------------------------------------- what is done
def act_all(events: Sequence[dict[str, Any]]) -> None:
    """Carry out the events of the component that were not carried out before."""
    for event in events:
        at = int(event.get("at", 0))
        if at > desk().answered:
            desk().answered = at
            desk().has = frozenset(map(str, event.get("has", ())))
            act(event)


def act(event: dict[str, Any]) -> None:
    """Carry out one event of the component."""
    held = desk()
    match event.get("type"):
        case "decide":
            _decide(event)
        case "note":
            _note(event)
        case "rest":
            _decide_rest(event)
        case "undo":
            _take_back()
        case "open":
            _open(int(event["number"]))
        case "step":
            _step(int(event["way"]))
        case "next":
            _go_on()
        case "list":
            held.first = max(int(event["first"]), 0)
        case "uses":
            held.every = int(event["number"])
        case "leave":
            held.leaving = str(event["page"])
        case "blind":
            st.session_state[session.HIDE_NAMES_KEY] = not session.hide_names()


def _find(number: int) -> DeskCase | None:
    return next((one for one in list_cases() if one.number == number), None)


def _decide(event: dict[str, Any]) -> None:
    """Decide about one case, which stays open; not over what nobody has seen yet."""
    one = _find(int(event["number"]))
    if one is None:
        return
    _open(one.number)
    if event.get("seen", state_of(one)) != state_of(one):
        desk().remark = Remark("elsewhere", one.number)
        return
    verdict, reason = str(event["verdict"]), str(event.get("reason", ""))
    before = {case.number for case in list_cases()}
    if isinstance(one, PassageCase):
        verdict, reason = ANSWERS.get(verdict, (verdict, ""))
    if not _store([one], {"verdict": verdict, "reason": reason}):
        return
    settled = before - {case.number for case in list_cases()}
    same = len(same_words(one)) if isinstance(one, Case) else 0
    desk().remark = Remark("decided", one.number, same, tuple(sorted(settled)))


def rest_of_group(one: DeskCase) -> list[Case]:
    """Return the other undecided pairs of the cluster of a pair."""
    if isinstance(one, PassageCase) or one.cluster < 0:
        return []
    return [
        other
        for other in desk().pairs
        if other.cluster == one.cluster and other.key != one.key and other.state == "undecided"
    ]


def same_words(one: Case) -> list[Case]:
    """Return the other cases of the same two texts: several files can say the same."""
    return [other for other in desk().pairs if other.key == one.key and other.row != one.row]


def _decide_rest(event: dict[str, Any]) -> None:
    """Give the undecided pairs of a group what one of them was given; one undo takes it back."""
    one = _find(int(event["number"]))
    rest = rest_of_group(one) if one else []
    decision = one.decision if one else None
    if one is None or decision is None or not rest or not decision.verdict:
        return
    if _store(rest, {"verdict": decision.verdict, "reason": decision.reason}):
        desk().remark = Remark("rest", one.number, len(rest))


def _note(event: dict[str, Any]) -> None:
    one = _find(int(event["number"]))
    if one is not None and _store([one], {"note": str(event["note"])[:20_000]}):
        desk().remark = Remark("noted", one.number)


def find_subject(one: DeskCase) -> Subject:
    """Return what a decision about a case is kept under."""
    current = session.check()
    if isinstance(one, Case) or current is None:
        return Subject.pair(*one.key)
    return Subject.group(exclusions.kept_key(exclusions.find_original(current), one))


def _store(decided: Sequence[DeskCase], values: dict[str, str]) -> bool:
    """Store a decision after those that wait; what cannot be stored is tried again."""
    subjects = tuple(dict.fromkeys(map(find_subject, decided)))
    desk().waiting.append({"subjects": subjects, **values})
    return flush()


def flush() -> bool:
    """Store what waits; return whether nothing waits any more."""
    held, project = desk(), session.project()
    while held.waiting and project is not None:
        subjects, *_ = (values := dict(held.waiting[0])).pop("subjects"), None
        try:
            action = project.decide(subjects, reviewer=reviewer(), **values)
        except StoreError:
            return False
        held.waiting.pop(0)
        held.done = [*held.done, Done(action, subjects)][-MOST_UNDONE:]
        if "verdict" in values:
            _count_anew(subjects)
    return not held.waiting


def _count_anew(subjects: Sequence[Subject]) -> None:
    """See the check by the answers in force, where one about a passage changed."""
    if any(subject.kind == "group" for subject in subjects):
        exclusions.apply(exclusions.rules())


def reviewer() -> str:
    """Return the name that decisions are signed with, "" for none."""
    return str(session.get(REVIEWER_KEY) or "").strip()


def _take_back() -> None:
    """Undo the latest decision or note of this desk, and open the case that it changes."""
    held, project = desk(), session.project()
    if project is None or not held.done:
        held.remark = Remark("nothing")
        return
    done = held.done[-1]
    try:
        project.undo(done.action, reviewer=reviewer())
    except StoreError:
        held.remark = Remark("not_stored")
        return
    held.done.pop()
    _count_anew(done.subjects)
    about = [one for one in list_cases() if find_subject(one) in done.subjects]
    if about:
        _open(about[0].number)
        held.remark = Remark("undone", about[0].number, len(about) - 1)


def _open(number: int) -> None:
    held = desk()
    if number != held.number:
        held.remark, held.first = None, -1
    held.number, held.ended = number, False


def _step(way: int) -> None:
    now = look_at_desk()
    if now.at >= 0 and 0 <= now.at + way < len(now.everything):
        _open(now.everything[now.at + way].number)


def _go_on() -> None:
    """Open the next case that nobody looked at; behind the last one is the summary."""
    held, now = desk(), look_at_desk()
    order = [*now.everything[now.at + 1 :], *now.everything[: max(now.at, 0)]]
    following = next((one for one in order if state_of(one) == "undecided"), None)
    if following is None:
        held.ended, held.remark, held.first = True, None, -1
    else:
        _open(following.number)
