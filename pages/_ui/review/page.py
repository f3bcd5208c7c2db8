"""Review desk: questions for the class, then pairs; each case is read once and decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from simhash_core.cases import PassageCase
from simhash_core.i18n import tag
from simhash_core.report import name_file
from simhash_core.review import DECIDED, Case

from .. import components
from ..shared import exclusions, open_checks, session
from ..shared.decided import say_lost
from ..shared.reports import READERS, ask_for_report, find_course, offer_report, report_popover
from ..shared.running import TICK
from ..shared.session import CurrentCheck, t
from ..shared.widgets import empty_state, figure_head, foot, no_result, note, open_page, page_head
from . import state
from .case import list_data, name_case, pair_data, passage_data, tick_cases
from .state import AtDesk, DeskCase, Remark, desk, is_left, state_of

_KEY = "desk_now"
FIRST_USES = 5  # of a passage, in marks and without, until all are asked for
LOOK_SECONDS = 3.0  # between two looks at what others decide


def draw() -> None:
    """Draw the desk of the current check."""
    current = session.check()
    if current is None:
        no_result(t("review.title"))
        return
    if not state.list_cases():
        page_head(t("review.title"))
        say_lost()
        empty_state(t("review.empty"), button=t("review.go_results"), page="results")
        foot()
        return
    say_lost()
    with st.container(key="desk-more"), report_popover(("confirmed", "class", READERS)):
        st.text_input(
            t("review.reviewer"),
            key=state.REVIEWER_KEY,
            placeholder=t("review.reviewer"),
            persist_state="session",
        )
    held = desk()
    held.has, held.visit = frozenset(), held.visit + 1  # the component may have been drawn anew
    components.draw("desk", {"visit": held.visit}, key="desk")
    _desk()
    if session.is_kept():
        _others()


@st.fragment(run_every=LOOK_SECONDS)
def _others() -> None:
    """Draw the page anew where another tab or reviewer decided; try again to store what waits."""
    if state.is_behind():
        st.rerun()


@st.fragment
def _desk() -> None:
    """Draw the list and the open case; what is done here runs nothing else of the page."""
    current = session.check()
    if current is None:
        return
    state.flush()
    now = state.look_at_desk()
    case = None
    if isinstance(now.open, PassageCase):
        most = None if desk().every == now.open.number else FIRST_USES
        case = passage_data(exclusions.find_original(current), now.open, most=most)
    elif now.open is not None:
        case = pair_data(current.result, now.open)
    listed, tally = list_data(current, now), now.tally
    left = sum(map(is_left, now.everything))
    decided = {"done": len(now.everything) - left, "n": len(now.everything)}
    count = t("review.count_later" if tally["later"] else "review.count", **decided,
              later=tally["later"])  # fmt: skip
    if open_checks.keeps_nothing():
        count = t("check.keeps_nothing", facts=count)
    components.draw(
        "desk_now",
        {
            "visit": desk().visit,
            "lang": tag(session.language()),
            "listed": listed["digest"],
            "list": None if listed["digest"] in desk().has else listed,
            "name": current.name,
            "count": count,
            "ticks": tick_cases(now.everything),
            "questions": sum(isinstance(one, PassageCase) for one in now.everything),
            "now": now.at,
            "case": case,
            "more": tally["undecided"]
            - (now.open is not None and state_of(now.open) == "undecided"),
            "end": _end_data(now) if now.open is None else None,
            "answered": desk().answered,
            "said": _say(now.open),
            "blind": session.hide_names(),
            "can_undo": bool(desk().done),
            "unsaved": t("review.unsaved") if desk().waiting else "",
        },
        key=_KEY,
        on=_on_act,
    )
    if now.open is None:
        draw_end(current, now)
    if page := desk().leaving:
        desk().leaving = ""
        open_page(page)


def _on_act() -> None:
    """Do what was sent: events {"type": ..., "at": ..., "has": digests of what the browser holds}.

    `at` rises, and an event comes again until `answered` has reached it. Types: `decide` (number,
    verdict or answer, reason, and `seen`, the state that was shown), `note` (number, note), `rest`
    (number), `undo`, `open` (number), `uses` (number), `step` (way), `next`, `list` (first),
    `leave` (page), `blind`, and `ask` where something is missing.
    """
    sent = st.session_state[_KEY].get("act")
    state.act_all([dict(event) for event in sent["events"]] if sent else [])


def _say(one: DeskCase | None) -> str:
    """Say what was done last, of the case as it is now; else what was decided about it."""
    remark = desk().remark
    if one is None or (remark is None and state_of(one) in ("undecided", "automatic")):
        return t("review.said.automatic") if one and state_of(one) == "automatic" else ""
    remark = remark or Remark("decided", one.number)
    now = state_of(one)
    words = t(f"review.mark.{now}") if now in _MARKS else t(f"results.questions.{now}")
    decision = one.decision
    if isinstance(one, Case) and decision and decision.reason:
        words += " · " + t(f"review.reason.{decision.reason}")
    if decision and decision.verdict and decision.reviewer not in ("", state.reviewer()):
        words += " · " + decision.reviewer
    numbers = t("check.comma").join(map(str, remark.settled))
    said = [t(f"review.said.{remark.what}", case=name_case(one), now=words, n=remark.n)]
    said += [t("review.said.same", n=remark.n)] if remark.what == "decided" and remark.n else []
    said += [t("review.said.settled", n=len(remark.settled), numbers=numbers)] if numbers else []
    return " ".join(said) if session.language() == "en" else "".join(said)


_MARKS = (*DECIDED, "later", "undecided", "automatic")


def _end_data(now: AtDesk) -> dict[str, Any]:
    """Return the sentence of the end, in pieces, and what is left."""
    tally, n = now.tally, len(now.everything)
    waiting = [one for one in now.everything if is_left(one)]
    answered = sum(isinstance(one, PassageCase) and not is_left(one) for one in now.everything)
    counts = [
        (t(f"review.end.{name}", n=number), name == "confirmed")
        for name, number in (*((name, tally[name]) for name in DECIDED), ("answered", answered))
        if number
    ]
    lead = t("review.end.some", done=n - len(waiting), n=n) if waiting else t("review.end.all", n=n)
    pieces = [(lead, False)]
    for at, piece in enumerate(counts):
        pieces += [(t("check.comma"), False), piece] if at else [piece]
    pieces += [(t("review.end.stop"), False)]
    pieces += [(t("review.end.left", n=len(waiting)), True)] if waiting else []
    first = waiting[0] if waiting else None
    return {
        "headline": pieces,
        "left": {
            "text": t("review.end.waits", case=name_case(first)),
            "button": t("review.end.decide", number=first.number),
            "number": first.number,
            "or": t("review.end.or"),
        }
        if first
        else None,
    }


# --------------------------------------------------------------------------- the end


MOST = 5  # cases without a note that are named one by one


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a report is for: its kind, its format, and of an archive the kinds inside."""

    kind: str
    format: str
    inside: tuple[str, ...] = ()


READER_OF = {
    "head": Reader("class", "pdf"),
    "pupils": Reader(READERS, "pdf", ("person",)),
    "records": Reader("class", "xlsx"),
}


def draw_end(current: CurrentCheck, now: AtDesk) -> None:
    """Draw the choice of a report, its file, and what to look at before it is handed over."""
    figure_head(t("review.end.report"), t("review.end.for_whom"))
    st.fragment(_draw_report, run_every=TICK)(current)
    _draw_cautions(current, now)


def _draw_report(current: CurrentCheck) -> None:
    chosen = st.radio(
        t("review.end.for_whom"),
        list(READER_OF),
        format_func={name: t(f"review.end.for.{name}") for name in READER_OF}.__getitem__,
        captions=[t(f"review.end.what.{name}") for name in READER_OF],
        key="end_reader",
        label_visibility="collapsed",
    )
    reader, hidden = READER_OF[chosen], session.hide_names()
    course = find_course()
    heads = [course.group, course.task] if course.group or course.task else [current.name]
    parts = [*heads, t(f"review.end.file.{chosen}")]
    parts += [t("report.file.without_names")] if hidden else []
    ending = "zip" if reader.inside else reader.format
    with st.container(horizontal=True, vertical_alignment="center", key="making"):
        asked = ask_for_report(current, reader.kind, reader.format, hidden, reader.inside)
        name = name_file(parts, ending)
        offer_report(current, asked, called=name)
        note(t("review.end.saved_as", name=name))


def _draw_cautions(current: CurrentCheck, now: AtDesk) -> None:
    """List confirmed cases without a note, and files that were not read."""
    confirmed = [one for one in now.everything if isinstance(one, Case)]
    confirmed = [one for one in confirmed if one.state == "confirmed"]
    bare = [one for one in confirmed if one.decision and not one.decision.note]
    unread = current.result.unread
    if not bare and not unread:
        return
    figure_head(t("review.end.before"), t("review.end.nothing_required"))
    for one in bare[:MOST]:
        if _draw_line(name_case(one), t("review.end.no_note"), t("review.end.write"), one.number):
            desk().number, desk().ended = one.number, False
            st.rerun(scope="fragment")
    if len(bare) > MOST:
        note(t("review.end.more_notes", n=len(bare) - MOST))
    if unread:
        lead = t("review.end.unread", n=len(unread))
        if _draw_line(lead, t("review.end.not_in_report"), t("review.end.list"), 0):
            open_page("check")


def _draw_line(lead: str, text: str, act: str, number: int) -> bool:
    """Draw one line with its button; return whether that was pressed."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"caution-{number}"):
        with st.container(width="stretch"):
            note(text, lead=lead)
        return st.button(act, key=f"end_{number}", type="tertiary")
