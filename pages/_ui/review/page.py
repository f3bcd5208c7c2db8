"""Review desk: every pair is read once and decided."""

from __future__ import annotations

import streamlit as st

from simhash_core.i18n import tag
from simhash_core.model import REASONS

from .. import components
from ..shared import session
from ..shared.reports import READERS, report_popover
from ..shared.session import t
from ..shared.widgets import empty_state, foot, no_result, open_page, page_head
from . import state
from .bulk import bulk
from .case import case_data, prepare_next
from .end import end
from .queue import progress, queue
from .strip import strip

_WORDS = (
    *("label", "cases", "search", "search_example", "shares", "longest", "and", "none"),
    *("earlier", "further", "together", "previous", "next", "passage_keys", "case_keys"),
    *("confirmed", "no_problem", "later", "note", "end"),
    *("all_confirmed", "all_no_problem", "all_later", "sure", "do", "cancel"),
    *("ask_alike", "asked", "not_asked", "sure_alike", "confirmed_alike"),
    *("first_of_all", "no_filter", "open"),
    *("undo", "redo", "undo_note", "undo_tip", "redo_tip", "undo_note_tip"),
)
_KEY = "desk"
LOOK_SECONDS = 3.0  # between two looks at what others decide


def draw() -> None:
    """Draw the desk of the current check."""
    result = session.result()
    if result is None:
        no_result(t("review.title"))
        return
    n, alike = len(state.listed()), sum(case.alike > 0 for case in state.listed())
    if not n:
        page_head(t("review.title"))
        empty_state(t("review.empty"), button=t("review.go_overview"), page="overview")
        foot()
        return
    lead = [t("review.lead", n=n - alike)] if n > alike else []
    lead += [t("review.lead_alike", n=alike)] if alike else []
    with page_head(t("review.title"), note=t("review.then").join(lead)):
        st.text_input(
            t("review.reviewer"),
            key=state.REVIEWER_KEY,
            placeholder=t("review.reviewer"),
            label_visibility="collapsed",
            persist_state="session",
            width=180,
        )
        st.toggle(t("overview.hide_names"), key=session.HIDE_NAMES_KEY, persist_state="session")
        report_popover(("confirmed", "class", READERS))
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
    """Draw the queue and the open case; what is done here runs nothing else of the page."""
    result = session.result()
    if result is None:
        return
    state.flush()
    now = state.at_desk()
    components.draw(
        "desk",
        {
            "lang": tag(session.language()),
            "words": _words(len(now.everything)),
            "progress": progress(now),
            "queue": queue(result, now),
            "case": case_data(result, now),
            "bulk": bulk(result, now),
            "end": end(result, now),
            "answered": state.desk().answered,
            "strip": strip(now),
            "unsaved": t("review.unsaved") if state.desk().waiting else "",
        },
        key=_KEY,
        on=_on_act,
    )
    prepare_next(result, now)
    if state.leaves():
        open_page("check")


def _on_act() -> None:
    """Do what was sent: events {"type": ..., "at": ...}.

    `at` rises, and an event comes again until `answered` has reached it. Types: `decide` (row,
    verdict, reason, whole), `decide_all` (rows, verdict, reason), `note` (row, note), `open` (row),
    `step` (way), `search` (query), `page` (at), `bulk` (at), `end`, `leave`, `undo` (note:
    whether the latest note), `redo`, `blind`. `row` is one of the pair table.
    """
    sent = st.session_state[_KEY].get("act")
    state.act_all([dict(event) for event in sent["events"]] if sent else [])


def _words(n: int) -> dict[str, object]:
    words: dict[str, object] = {name: t(f"review.word.{name}") for name in _WORDS}
    words["reasons"] = {reason: t(f"review.reason.{reason}") for reason in REASONS}
    words["of"] = t("review.of", n=n)
    words["progress"] = t("review.progress", n=n)
    return words
