"""Imports: the one that runs, how the last one ended, and those that were interrupted."""

from __future__ import annotations

import streamlit as st

from simhash_core.library import Imported, resume
from simhash_core.storage.library import JobRow, Library

from ..shared import jobs
from ..shared.formatting import error_text, esc, note_text, number
from ..shared.running import watch_job
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import caution, note, paragraph, write_html

SHOWN = 30  # names of what was not read
_LATEST = 10  # imports that are listed


def watched() -> bool:
    """Draw the import that runs; return whether one does."""
    job = jobs.current("library_import")
    if job is None or job.state != "running":
        return False
    facts = t("library.importing_facts", collection=job.facts.get("collection", ""))
    watch_job("library_import", t("library.importing"), facts, t("library.leave"))
    return True


def ended() -> None:
    """Say how the last import of this process ended, until the reader puts it away."""
    job = jobs.current("library_import")
    if job is None or job.state == "running":
        return
    with st.container(key="import-ended", horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            if job.error is not None:
                caution(t("library.import_failed"), error_text(job.error))
            elif job.state == "stopped":
                caution(t("library.import_stopped"), t("library.import_stopped_text"))
            else:
                _done(job.value)
        if st.button(t("library.put_away"), key="import_seen", type="tertiary"):
            jobs.put_away("library_import")
            st.rerun()


def _done(done: Imported) -> None:
    """Say what was added and name what was not read."""
    key = "library.imported" if done.present else "library.imported_new"
    paragraph(t(key, n=done.added, present=done.present))
    if not done.skipped:
        return
    names = "".join(
        f"<li><b>{esc(row.name)}</b> {esc(note_text(row.code, row.params))}</li>"
        for row in done.skipped[:SHOWN]
    )
    summary = esc(t("library.texts_not_read", n=len(done.skipped)))
    write_html(f'<details class="lt-fold"><summary>{summary}</summary><ul>{names}</ul></details>')


def interrupted(held: Library) -> None:
    """List imports that ended with their process: go on with them, or put them away."""
    running = jobs.current("library_import")
    busy = running is not None and running.state == "running"
    waiting = [row for row in held.jobs() if row.state == "running"]
    if busy or not waiting:
        return
    for row in waiting[:_LATEST]:
        with st.container(key=f"import-{row.id}", horizontal=True, vertical_alignment="center"):
            with st.container(width="stretch"):
                stored, left = number(row.added + row.present), number(row.waiting)
                note(t("library.interrupted", collection=row.collection, stored=stored, left=left))
            if row.origin.get("paths") and st.button(
                t("library.resume"), key=f"resume_{row.id}", icon=":material/play_arrow:"
            ):
                _resume(held, row)
                st.rerun()
            if st.button(t("library.cancel"), key=f"cancel_{row.id}", type="tertiary"):
                held.cancel(row.id)
                st.rerun()


def _resume(held: Library, row: JobRow) -> None:
    def work(progress: jobs.Progress) -> Imported:
        return resume(held, row.id, progress=progress)

    jobs.start("library_import", work, stages=("import",), facts={"collection": row.collection})


def deleted() -> None:
    """Say what was deleted, and which backups still hold it."""
    if tab.library_deleted is None:
        return
    name, texts, unreached = tab.library_deleted
    tab.library_deleted = None
    note(t("library.deleted", name=name, n=texts))
    for backup in unreached:
        caution(t("library.unreached"), backup)
