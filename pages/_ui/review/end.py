"""The end of a review: the report for whom, and what somebody who is handed it would ask about."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from simhash_core.report import name_file
from simhash_core.review import Case

from ..shared import session
from ..shared.reports import READERS, ask_for_report, find_course, offer_report
from ..shared.running import TICK
from ..shared.session import CurrentCheck, t
from ..shared.widgets import figure_head, note, open_page
from .case import name_case
from .state import AtDesk, desk

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
        offer_report(current, asked)
        note(t("review.end.saved_as", name=name_file(parts, ending)))


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
