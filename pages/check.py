"""Check: from files to a started run, with nothing read silently wrong."""

from pages._ui import frame

frame.guard()

import streamlit as st  # noqa: E402

from pages._ui import batch as files  # noqa: E402
from pages._ui import check_view as view  # noqa: E402
from pages._ui import jobs, session  # noqa: E402
from pages._ui.running import still_watched, take_result, watch_job  # noqa: E402
from pages._ui.session import t  # noqa: E402
from pages._ui.widgets import foot, page_head, paragraph  # noqa: E402
from simhash_core import samples  # noqa: E402


def head(batch: files.Batch | None) -> None:
    """Title, what was read, and at most two actions."""
    if batch is None:
        page_head(t("check.title"), note=t("check.lead"))
        return
    with page_head(
        t("check.title"),
        t("check.files", n=len(batch.entries)),
        view.reading_facts(batch),
    ):
        if st.button(t("check.clear"), key="clear", icon=":material/close:", type="tertiary"):
            files.clear()
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
                view.open_sample(chosen)


def finish(job: jobs.Job) -> None:
    """Make the result of a finished check the current one; go there if the reader still waits."""
    if still_watched(job):
        session.leave_for("overview")
    else:
        session.put("lt.finished", True)
    take_result(job)
    st.rerun()


def main() -> None:
    """Draw the state that the session is in."""
    running = jobs.current("check")
    state = running.state if running else ""  # once: the job can end while the page is drawn
    if running is not None and state == "done":
        finish(running)
    batch = files.collect()
    head(batch if batch and batch.entries else None)
    if session.journey():
        paragraph(t("check.finished"))
    elif running is not None and state == "running":
        watch_job("check", t("check.running"), view.run_facts(running), t("check.leave"))
    elif jobs.current("read") is not None:
        watch_job("read", t("check.reading"), "", t("check.leave_reading"))
    else:
        if running is not None:
            view.ended_early(running)
        view.finished_elsewhere()
        view.uploaders(empty=batch is None)
        if batch is None:
            view.first_start()
        else:
            view.read_and_settings(batch)
    foot()


main()
