"""Check: from files to a started run; reading problems are shown before it starts."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from simhash_core.report.names import one_line

from ..shared import jobs, open_checks, session
from ..shared.formatting import formats_text
from ..shared.running import is_watched, take_result, watch_from_afar, watch_job
from ..shared.session import t
from ..shared.widgets import figure_head, foot, note, open_page, page_head
from . import files, first, inbox, recent, start, uploads
from .authors import authors_line, look_for_authors, use_list
from .settings_form import take_up, template_form


def head(batch: uploads.Batch | None, look: int) -> None:
    """Title, what was read, and at most two actions."""
    lead, facts = "", t("check.lead")
    if batch is not None:
        lead, facts = t("check.files", n=len(batch.entries)), start.reading_facts(batch, look)
    if open_checks.keeps_nothing():
        facts = t("check.keeps_nothing", facts=facts)
    is_read = batch is not None and jobs.find_latest("read") is None
    with page_head(t("check.title"), lead, facts, announced=is_read):
        label = t("check.new" if session.is_kept() else "check.clear")
        if batch is not None and st.button(label, key="clear", type="tertiary"):
            files.put_away()
            st.rerun()
        titles = files.sample_titles()
        if titles:
            chosen = st.menu_button(
                t("check.samples"),
                list(titles),
                format_func=titles.__getitem__,
                key="samples",
                icon=":material/folder_open:",
            )
            if chosen:
                files.open_sample(chosen)
                st.rerun()


def finish(job: jobs.Job) -> None:
    """Make the result of a finished check the current one; go there if the reader still waits."""
    watched = is_watched(job)
    take_result(job)
    if watched:
        open_page("results")
    start.tab.finished = True
    st.rerun()


def draw() -> None:
    """Draw the state that the session is in."""
    files.open_handed()
    first.preparation()
    running = jobs.find_latest("check")
    state = running.state if running else ""  # once: the job can end while the page is drawn
    reading = start.find_opened_pair(running) if running is not None else None
    if running is not None and state == "done" and reading is None:
        finish(running)
    if open_checks.is_first(front=True):
        first.draw()
        return
    batch = uploads.collect()
    if batch is not None and not batch.entries:
        batch = None  # still being read
    cautions = batch.cautions() if batch else []
    head(batch, sum(map(bool, cautions)))
    if running is not None and reading is not None and state in ("running", "done"):
        watch_from_afar()
        start.read_pair(running, *reading)
    elif running is not None and state == "running":
        facts = start.run_facts(running)
        watch_job("check", t("check.running"), facts, t("check.leave"), below=start.pairs_so_far)
    elif (forgetting := jobs.find_latest("forget")) and forgetting.state == "running":
        title = t("check.forget.running", name=forgetting.facts["name"])
        watch_job("forget", title, t("check.forget.facts"), t("check.forget.leave"))
    elif jobs.find_latest("read") is not None:
        watch_job("read", t("check.reading"), "", t("check.leave_reading"))
    elif start.start_when_read(batch):
        st.rerun()
    else:
        if running is not None:
            start.say_ended_early(running)
        elif batch is not None:
            start.say_interrupted(batch)
        start.offer_finished()
        files.say_refused()
        recent.say_refused()
        recent.say_forgotten()
        _ways_in(batch, cautions)
    foot()


def _what_was_read(batch: uploads.Batch, cautions: Sequence[tuple[uploads.Caution, ...]]) -> None:
    """Draw the class in one picture, its files behind a fold; where it is none, the files."""
    _show_removed(batch)
    for row, entry in enumerate(batch.entries):
        if not entry.members:
            continue
        with st.container(horizontal=True, vertical_alignment="center"):
            name = one_line(entry.name.rpartition("/")[2])
            note(t("check.inbox.is_list", name=name, n=len(entry.members)))
            st.button(
                t("check.inbox.use_list"),
                key=f"use_list_{row}",
                icon=":material/checklist:",
                on_click=use_list,
                args=(row,),
            )
    if not inbox.is_class(batch):
        figure_head(t("check.read"), t("check.read_note"))
        files.table(batch, cautions)
        return
    inbox.inbox(batch)
    with st.expander(t("check.inbox.by_file")):
        files.table(batch, cautions)


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


def _ways_in(batch: uploads.Batch | None, cautions: Sequence[tuple[uploads.Caution, ...]]) -> None:
    """The drop zone and what was read on the left, how to compare it on the right."""
    opened = open_checks.find_current()
    if batch is not None and opened is not None:
        take_up(opened)
    left, right = st.columns([11, 5], gap="large")
    with left:
        if batch is None:
            figure_head(t("check.new"), t("check.formats", formats=formats_text()))
        files.drop_zone(empty=batch is None)
        if batch is not None:
            template_form()
            look_for_authors(batch)
            _what_was_read(batch, cautions)
            authors_line(batch)
    with right:
        start.how_to_compare(batch)
    if batch is not None:
        return
    summaries = recent.list_checks()
    if summaries:
        recent.draw_checks(summaries)
    else:
        files.other_ways()
    recent.draw_browsers()
