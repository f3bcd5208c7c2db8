"""A job while it runs: stage, count, time left, the list of steps, and Stop."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from . import jobs, open_checks, session
from .formatting import error_text, esc, seconds
from .jobs import Job
from .session import t
from .widgets import caution, figure_head, note, open_page, open_result, says, write_html

TICK = 0.4  # seconds between two looks at a running job


@st.fragment(run_every=TICK)
def watch_job(kind: str, title: str, facts: str, leave: str) -> None:
    """Draw a running job until it ends, then run the page again."""
    job = jobs.find_latest(kind)
    if job is None or job.state != "running":
        st.rerun()
    figure_head(title, facts)
    stage_bar(job)
    several = len(job.stages) > 1
    step = t(f"check.step.{job.stage}") if several and job.stage in job.stages else ""
    write_html((steps(job) if several else "") + says(title) + says(step))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        if st.button(
            t("check.stop"), key=f"stop_{kind}", icon=":material/stop:", on_click=job.stop
        ):
            st.rerun()
        with st.container(width="stretch"):
            note(leave)


def follow_job(kind: str, title: str, failed: str, leave: str, *, facts: str = "") -> Job | None:
    """Draw a job while it runs, or why it failed; return it once it is done."""
    job = jobs.find_latest(kind)
    if job is not None and job.state == "running":
        watch_job(kind, title, facts, leave)
    elif job is not None and job.error is not None:
        caution(failed, error_text(job.error))
    return job if job is not None and job.state == "done" else None


def say_ended(kind: str, failed: str, say: Callable[[Job], None], *, stopped: str = "") -> None:
    """Say how a job ended until the reader puts it away; `failed` leads what went wrong."""
    job = jobs.find_latest(kind)
    if job is None or job.state == "running":
        return
    with st.container(key=f"{kind}-ended", horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            if job.state == "done":
                say(job)
            elif job.error is not None:
                caution(failed, error_text(job.error))
            else:
                caution(t("library.import_stopped"), stopped)
        if st.button(t("library.put_away"), key=f"{kind}_seen", type="tertiary"):
            jobs.put_away(kind)
            st.rerun()


@st.fragment(run_every=1.0)
def watch_from_afar() -> None:
    """On other pages: how far the check is, the way to it, and the way to its result."""
    job = jobs.find_latest("check")
    if job is None or job.state == "stopped":
        return
    running = job.state == "running"
    if not running and not job.facts.get("announced"):
        job.facts["announced"] = True
        st.rerun()  # the page below says something else from now on
    with st.container(
        key="noprint-afar", horizontal=True, vertical_alignment="center", gap="medium"
    ):
        with st.container(width="stretch"):
            if running:
                stage_bar(job)
            else:
                note(t("check.finished" if job.state == "done" else "check.failed_lead"))
        text = "to_running" if running else "open_result" if job.state == "done" else "to_check"
        if st.button(t(f"check.{text}"), key="afar_go", icon=":material/arrow_forward:"):
            if job.state == "done":
                take_result()
                open_result()
            open_page("check")


def take_result() -> None:
    """Make the result of a finished check the current one."""
    opened = open_checks.find_current()
    if opened is not None and opened.current is not session.check():
        session.show_check(opened.current, {})
    jobs.put_away("check")


def stage_bar(job: Job) -> None:
    """Draw how far the current stage is."""
    share = job.done / job.total if job.total else 0.0
    st.progress(min(max(share, 0.0), 1.0), text=stage_text(job))


def stage_text(job: Job) -> str:
    """Return the sentence on the current stage: its progress and the time it still takes."""
    if job.place:
        return t("check.stage.waiting", n=job.place)
    if not job.stage:
        return t("check.stage.begin")
    stage = job.stage if job.stage in job.stages else "other"
    text = t(f"check.stage.{stage}", done=job.done, total=job.total)
    left = job.seconds_left()
    return text if left is None else t("check.stage.with_left", text=text, left=seconds(left))


def steps(job: Job) -> str:
    """Return the list of steps: done with its time, the current one, those to come."""
    now = job.stages.index(job.stage) if job.stage in job.stages else -1
    items = []
    for at, stage in enumerate(job.stages):
        spent = job.stage_seconds(stage)
        state, tail = "", ""
        if at == now:
            state, tail = "now", t("check.step.running")
        elif spent is not None or at < now:
            state, tail = "done", seconds(spent or 0.0)
        current = ' aria-current="step"' if state == "now" else ""
        items.append(
            f'<li class="{state}"{current}><b>{esc(t(f"check.step.{stage}"))}</b>{esc(tail)}</li>'
        )
    return f'<ol class="lt-steps">{"".join(items)}</ol>'


def steps_done(job: Job) -> int:
    """Return how many steps were complete when a job was stopped."""
    return max(job.stages.index(job.stage), 0) if job.stage in job.stages else 0
