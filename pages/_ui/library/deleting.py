"""What was deleted from the library, and the stored checks that still hold a copy of it."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from simhash_core.seen import forget_texts, holding
from simhash_core.storage import Shelf, Summary
from simhash_core.storage.library import Purged

from ..shared import jobs, open_checks, session
from ..shared.formatting import error_text, esc
from ..shared.running import watch_job
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import caution, note, write_html


@dataclass(frozen=True, slots=True)
class Deleted:
    """Name of what was deleted, how many texts, backups out of reach, and checks with copies."""

    name: str
    texts: int
    unreached: tuple[str, ...]
    ids: tuple[str, ...]  # sha-256 of the texts
    checks: tuple[tuple[str, str], ...]  # id and name


def remember(name: str, done: Purged) -> None:
    """Look which checks of this reader hold a copy, for `said`."""
    shelf = open_checks.shelf()
    held = holding(shelf.recent(), shelf.open, done.ids)
    tab.library_deleted = Deleted(
        name,
        done.texts,
        tuple(path.name for path in done.unreached),
        done.ids,
        tuple((one.id, _called(one)) for one, _ in held),
    )


def _called(summary: Summary) -> str:
    """Return the name of a check, an automatic one where it has none or names are hidden."""
    moment = summary.checked or summary.created or datetime.now(UTC)
    automatic = session.automatic_name(summary.texts, moment.astimezone())
    return automatic if session.hide_names() or not summary.name else summary.name


def said() -> None:
    """Say what was deleted and what still holds it; offer to delete it from checks too."""
    deleted = tab.library_deleted
    if _cleaning() or deleted is None:
        return
    note(t("library.deleted", name=deleted.name, n=deleted.texts))
    for backup in deleted.unreached:
        caution(t("library.unreached"), backup)
    if not deleted.checks:
        tab.library_deleted = None
        return
    caution(t("library.checks_hold", n=len(deleted.checks)), t("library.checks_hold_text"))
    names = "".join(f"<li>{esc(name)}</li>" for _, name in deleted.checks)
    write_html(f'<ul class="lt-note">{names}</ul>')
    with st.container(horizontal=True, gap="small"):
        if st.button(t("library.clean_checks"), key="clean_checks", icon=":material/delete:"):
            _clean(deleted, open_checks.shelf())
            st.rerun()
        if st.button(t("library.leave_checks"), key="leave_checks", type="tertiary"):
            tab.library_deleted = None
            st.rerun()


def _clean(deleted: Deleted, shelf: Shelf) -> None:
    """Begin to delete the texts from the checks, which are made again without them."""

    def work(progress: jobs.Progress) -> int:
        for key, _ in deleted.checks:
            with contextlib.closing(shelf.open(key)) as project:
                forget_texts(project, deleted.ids, progress=progress)
        return len(deleted.checks)

    tab.library_deleted = None
    jobs.start("library_clean", work, stages=("read", "align"))


def _cleaning() -> bool:
    """Draw the deletion from checks while it runs, and how it ended; whether it runs."""
    job = jobs.current("library_clean")
    if job is None:
        return False
    if job.state == "running":
        watch_job("library_clean", t("library.cleaning"), "", t("library.leave"))
        return True
    with st.container(key="clean-ended", horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            if job.state == "done":
                note(t("library.cleaned", n=job.value))
            else:
                reason = "" if job.error is None else error_text(job.error)
                caution(t("library.not_cleaned"), reason)
        if st.button(t("library.put_away"), key="clean_seen", type="tertiary"):
            jobs.put_away("library_clean")
            st.rerun()
    return False
