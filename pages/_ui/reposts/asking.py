"""The question: which text, and what it is compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from simhash_core import Document, gather, read, samples
from simhash_core.checking import trace, uploads
from simhash_core.model import Skipped

from ..shared import jobs, open_checks, session
from ..shared.formatting import error_text
from ..shared.jobs import Job
from ..shared.running import watch_job
from ..shared.session import t
from ..shared.widgets import figure_head, note
from .state import Answer, show

JOB = "reposts"
WAYS = ("together", "files", "check")
_PASTED, _ASKED, _WITH, _CHECK = "repost_text", "repost_files", "repost_with", "repost_check"
_REFUSED = "lt.reposts.refused"

Files = list[tuple[str, bytes]]
Read = tuple[list[Document], list[Skipped]]


def ask() -> None:
    """Draw the question, or how far its answer is."""
    job = jobs.current(JOB)
    if job is not None and job.state == "running":
        watch_job(JOB, t("reposts.running"), "", t("reposts.leave"))
        return
    if job is not None:
        _finish(job)
    left, right = st.columns([7, 5], gap="large")
    with left:
        pasted, files = _asked()
    with right:
        candidates = _compared_with()
        _start_button(pasted, files, candidates)
        refused = session.get(_REFUSED)
        if refused:
            note(refused)
    figure_head(t("reposts.sample.title"))
    note(t("reposts.sample.text"))
    if st.button(t("reposts.sample.open"), key="repost_sample", icon=":material/newspaper:"):
        _start(_sample, lambda: ([], []))
        st.rerun()


def _asked() -> tuple[str, Files]:
    """Draw what is asked about."""
    figure_head(t("reposts.asked"), t("reposts.asked_note"))
    pasted = st.text_area(
        t("reposts.paste"),
        key=_PASTED,
        height=190,
        placeholder=t("reposts.paste_hint"),
        persist_state="session",
    )
    added = st.file_uploader(t("reposts.files"), accept_multiple_files=True, key=_ASKED)
    return str(pasted or "").strip(), _contents(added)


def _compared_with() -> Callable[[], Read] | None:
    """Draw what it is compared with; return what reads it, None where nothing was chosen."""
    figure_head(t("reposts.with"))
    way = st.segmented_control(
        t("reposts.with"),
        WAYS,
        format_func={way: t(f"reposts.with_{way}") for way in WAYS}.__getitem__,
        default="files",
        required=True,
        key=_WITH,
        label_visibility="collapsed",
    )
    note(t(f"reposts.with_{way}_note"))
    if way == "together":
        return lambda: ([], [])
    if way == "check":
        return _earlier_check()
    added: list[Any] = []
    for kind, several in (("files", True), ("folder", "directory")):
        added += st.file_uploader(
            t(f"reposts.candidates_{kind}"),
            accept_multiple_files=several,  # type: ignore[call-overload]
            key=f"repost_candidates_{kind}",
        )
    files = _contents(added)
    return (lambda: _read(files)) if files else None


def _earlier_check() -> Callable[[], Read] | None:
    """Draw the checks that are kept and return what reads the texts of the chosen one."""
    listed = [one for one in open_checks.shelf().recent() if one.texts]
    if not listed:
        note(t("reposts.no_checks"))
        return None
    names = {one.id: one.name or session.automatic_name(one.texts, _moment(one)) for one in listed}
    key = st.selectbox(t("reposts.check"), list(names), format_func=names.__getitem__, key=_CHECK)
    shelf = open_checks.shelf()

    def documents() -> Read:
        project = shelf.open(key)
        try:
            return list(project.texts().documents), []
        finally:
            project.close()

    return documents


def _moment(summary: Any) -> Any:
    return (summary.created or summary.changed).astimezone()


def _contents(added: Sequence[Any]) -> Files:
    return [(file.name, file.getvalue()) for file in added]


def _read(files: Files) -> Read:
    sources, refused = uploads(files)
    documents, skipped = read(sources, main_text=True)
    return documents, [*refused, *skipped]


def _sample() -> Read:
    sources, _ = gather(samples()["reposts"])
    return read([source for source in sources if source.name.endswith(".md")])


def _start_button(pasted: str, files: Files, candidates: Callable[[], Read] | None) -> None:
    ready = bool(pasted or files) and candidates is not None
    if not st.button(
        t("reposts.start"),
        key="repost_start",
        type="primary",
        icon=":material/search:",
        disabled=not ready,
        shortcut="Ctrl+Enter",
    ):
        return
    called = t("reposts.pasted")

    def asked() -> Read:
        documents, skipped = _read(files) if files else ([], [])
        if pasted:
            documents = [Document.from_text(pasted, name=called), *documents]
        return documents, skipped

    assert candidates is not None
    _start(asked, candidates)
    st.rerun()


def _start(asked: Callable[[], Read], candidates: Callable[[], Read]) -> None:
    """Read and compare in the background."""
    session.put(_REFUSED, None)

    def work(progress: jobs.Progress) -> Answer | None:
        progress("read", 0, 1)
        texts, unread = asked()
        others, further = candidates()
        if not texts or len({d.id for d in (*texts, *others)}) < 2:
            return None
        traced = trace(texts, others, progress=progress)
        return Answer(traced, (*unread, *further))

    jobs.start(JOB, work)


def _finish(job: Job) -> None:
    """Take the answer over, or say why there is none."""
    found, error = job.value, job.error
    state = job.state
    jobs.put_away(JOB)
    if state == "done" and found is not None:
        show(found)
        st.rerun()
    if state == "done":
        session.put(_REFUSED, t("reposts.too_few"))
    elif error is not None:
        session.put(_REFUSED, error_text(error))
