"""Check: from files to a started run; reading problems are shown before it starts.

Without files it is the front page (`front`); with them the inbox, whose settings are folded.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from simhash_core.report.names import one_line

from ..shared import jobs, open_checks, session
from ..shared.formatting import note_text
from ..shared.running import take_result, watch_job
from ..shared.session import t
from ..shared.widgets import figure_head, foot, note, open_result, page_head
from . import files, front, inbox, recent, start, uploads
from .authors import look_for_authors
from .settings_form import draw_more, find_settings
from .settings_form import tab as sheets


def head(batch: uploads.Batch) -> DeltaGenerator:
    """Draw the name of the check, what was read, and its actions; return their place."""
    facts = inbox.describe(batch)
    if open_checks.keeps_nothing():
        facts = t("check.keeps_nothing", facts=facts)
    is_read = jobs.find_latest("read") is None
    title = batch.name if batch.entries else batch.given or t("check.title")
    actions = page_head(one_line(title), "", facts, announced=is_read)
    with actions:
        with st.popover(t("check.rename"), type="tertiary", key="rename"):
            start.name_form(batch)
        label = t("check.new" if session.is_kept() else "check.clear")
        if st.button(label, key="clear", type="tertiary"):
            uploads.clear()
            st.rerun()
    return actions


def draw() -> None:
    """Draw the state that the session is in."""
    files.open_handed()
    front.preparation()
    running = jobs.find_latest("check")
    state = running.state if running else ""  # once: the job can end while the page is drawn
    if running is not None and state == "done":
        take_result()
        open_result()
    forgetting = jobs.find_latest("forget")
    if forgetting is not None and forgetting.state == "running":
        page_head(t("check.title"))
        title = t("check.forget.running", name=forgetting.facts["name"])
        watch_job("forget", title, t("check.forget.facts"), t("check.forget.leave"))
        foot()
        return
    batch = uploads.collect()
    if batch is None:
        front.draw()
        return
    look_for_authors(batch)
    actions = head(batch)
    if running is not None and state == "running":
        watch_job("check", t("check.running"), "", t("check.leave"))
    elif jobs.find_latest("read") is not None:
        watch_job("read", t("check.reading"), "", t("check.leave_reading"))
    elif running is None and start.goes_on(batch):
        st.rerun()
    else:
        if running is not None:
            start.say_ended_early(running)
        else:
            start.say_interrupted(batch)
        files.say_refused()
        recent.say_refused()
        _inbox(batch, actions)
    foot()


def _inbox(batch: uploads.Batch, actions: DeltaGenerator) -> None:
    """Draw what was read and what can be said about it, the button, and the settings folded."""
    cautions = batch.cautions()
    for row in sheets.template_unread:
        note(note_text(row.code, row.params), lead=one_line(row.name))
    inbox.draw_slots(batch)
    inbox.draw_offers(batch)
    _show_removed(batch)
    if batch.is_class:
        inbox.draw_class(batch)
        with st.expander(t("check.inbox.by_file")):
            files.table(batch, cautions)
    else:
        figure_head(t("check.read"), t("check.read_note"))
        files.table(batch, cautions)
    more = st.expander(t("check.more"), key="more")  # its settings decide what the button says
    against = start.draw_start(batch, actions, find_settings(batch.documents))
    with more:
        settings = find_settings(batch.documents)
        translates = start.may_translate(batch.compared, against, settings)
        draw_more(batch.documents, translates=translates)


def _show_removed(batch: uploads.Batch) -> None:
    """Name the file that was taken out last, with the way back."""
    if not batch.removed:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        name = one_line(batch.removed[-1][1].name.rpartition("/")[2])
        note(t("check.taken_out", name=name))
        st.button(
            t("check.put_back"),
            key="put_back",
            type="tertiary",
            icon=":material/undo:",
            on_click=uploads.put_back,
        )
