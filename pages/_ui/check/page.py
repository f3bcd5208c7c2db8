"""Check: from files to a started run, with nothing read silently wrong."""

from __future__ import annotations

import streamlit as st

from pages._ui.check import start, uploads
from pages._ui.shared import jobs, session
from pages._ui.shared.running import still_watched, take_result, watch_job
from pages._ui.shared.session import t
from pages._ui.shared.widgets import foot, page_head, paragraph
from simhash_core import samples


def head(batch: uploads.Batch | None) -> None:
    """Title, what was read, and at most two actions."""
    if batch is None:
        page_head(t("check.title"), note=t("check.lead"))
        return
    with page_head(
        t("check.title"),
        t("check.files", n=len(batch.entries)),
        start.reading_facts(batch),
    ):
        if st.button(t("check.clear"), key="clear", icon=":material/close:", type="tertiary"):
            uploads.clear()
            jobs.put_away("check")
            session.put("lt.uploader", session.get("lt.uploader", 0) + 1)
            st.rerun()
        if samples():
            titles = {name: t(f"check.sample.{name}.title") for name in samples()}
            chosen = st.menu_button(
                t("check.samples"),
                list(titles),
                format_func=titles.__getitem__,
                key="samples",
                icon=":material/auto_stories:",
            )
            if chosen:
                start.open_sample(chosen)


def finish(job: jobs.Job) -> None:
    """Make the result of a finished check the current one; go there if the reader still waits."""
    if still_watched(job):
        session.leave_for("overview")
    else:
        session.put("lt.finished", True)
    take_result(job)
    st.rerun()


def draw() -> None:
    """Draw the state that the session is in."""
    running = jobs.current("check")
    state = running.state if running else ""  # once: the job can end while the page is drawn
    if running is not None and state == "done":
        finish(running)
    batch = uploads.collect()
    head(batch if batch and batch.entries else None)
    if session.journey():
        paragraph(t("check.finished"))
    elif running is not None and state == "running":
        watch_job("check", t("check.running"), start.run_facts(running), t("check.leave"))
    elif jobs.current("read") is not None:
        watch_job("read", t("check.reading"), "", t("check.leave_reading"))
    else:
        if running is not None:
            start.ended_early(running)
        start.finished_elsewhere()
        start.uploaders(empty=batch is None)
        if batch is None:
            start.first_start()
        else:
            start.read_and_settings(batch)
    foot()
