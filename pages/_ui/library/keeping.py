"""Keeping and deleting in plain words: word statistics, verify, backup, export, delete."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from pathlib import Path

import streamlit as st

from simhash_core import Settings
from simhash_core.errors import RecipeMismatch
from simhash_core.library import (
    export_library,
    make_sentences,
    reindex,
    require_recipe,
    verify_sentences,
    waiting_sentences,
)
from simhash_core.storage.library import Fault, Library, LibraryStats

from ..shared import jobs
from ..shared.formatting import date_time, error_text, esc, file_size, number
from ..shared.running import watch_job
from ..shared.session import t
from ..shared.widgets import caution, figure_head, note, paragraph, write_html
from .collections import delete_dialog

FAULTS_SHOWN = 30


def in_plain_words() -> None:
    """Say what happens to texts in a library."""
    figure_head(t("library.keeping"))
    paragraph(t("library.keeping_text"))


def statistics(held: Library, stats: LibraryStats) -> None:
    """Say which word statistics the fingerprints go by, and offer to make them anew."""
    figure_head(t("library.statistics"))
    if stats.frozen is None:
        note(t("library.statistics_shipped"))
    else:
        moment = date_time(datetime.fromtimestamp(stats.frozen).astimezone())
        note(t("library.statistics_frozen", moment=moment, n=number(stats.frozen_texts)))
    if _running("library_reindex", t("library.reindexing")):
        return
    job = jobs.current("library_reindex")
    if job is not None and job.error is not None:
        caution(t("library.not_reindexed"), error_text(job.error))
    if not stats.texts or _fits(held):
        return
    caution(t("library.other_recipe"), t("library.other_recipe_text"))
    if st.button(t("library.reindex"), key="reindex", icon=":material/refresh:"):
        jobs.start(
            "library_reindex",
            lambda progress: reindex(held, settings=Settings(), progress=progress),
            stages=("reindex",),
        )
        st.rerun()


def sentences(held: Library) -> None:
    """Say which texts cannot be found by their meaning, and offer to read their sentences."""
    if _running("library_sentences", t("library.reading_sentences")):
        return
    job = jobs.current("library_sentences")
    if job is not None and job.error is not None:
        caution(t("library.sentences_not_read"), error_text(job.error))
    waiting = waiting_sentences(held)
    if not waiting:
        return
    note(t("library.sentences", n=waiting))
    if st.button(t("library.read_sentences"), key="read_sentences", icon=":material/notes:"):
        jobs.start(
            "library_sentences",
            lambda progress: make_sentences(held, step=progress),
            stages=("vectors",),
        )
        st.rerun()


def _fits(held: Library) -> bool:
    """Whether the fingerprints are those that a check makes now."""
    try:
        require_recipe(held, Settings())
    except RecipeMismatch:
        return False
    return True


def keeping(held: Library, stats: LibraryStats, names: Sequence[str]) -> None:
    """Draw what can be done with the whole."""
    in_plain_words()
    if stats.removed:
        note(t("library.removed_left", n=stats.removed))
    with st.container(horizontal=True, gap="small"):
        _verify(held)
        _files(held)
        if names and st.button(
            t("library.delete"),
            key="delete_a_collection",
            type="tertiary",
            icon=":material/delete:",
        ):
            delete_dialog(held, names)
    _verified()
    _offered()


def _running(kind: str, title: str) -> bool:
    job = jobs.current(kind)
    if job is None or job.state != "running":
        return False
    watch_job(kind, title, "", t("library.leave"))
    return True


def _verify(held: Library) -> None:
    job = jobs.current("library_verify")
    running = job is not None and job.state == "running"
    if st.button(t("library.verify"), key="verify", icon=":material/fact_check:", disabled=running):
        jobs.start(
            "library_verify",
            lambda _: (list(held.verify()), verify_sentences(held)),
            stages=("verify",),
        )
        st.rerun()


def _verified() -> None:
    """Say what reading everything showed."""
    if _running("library_verify", t("library.verifying")):
        return
    job = jobs.current("library_verify")
    if job is None or job.state != "done":
        return
    faults: list[Fault]
    faults, again = job.value
    if again:
        note(t("library.sentences_again", names=", ".join(again)))
    if not faults:
        note(t("library.sound"))
        return
    caution(t("library.faults", n=len(faults)), t("library.faults_text"))
    names = "".join(f"<li>{esc(fault.name or fault.what)}</li>" for fault in faults[:FAULTS_SHOWN])
    write_html(f'<ul class="lt-note">{names}</ul>')


def _files(held: Library) -> None:
    """Draw the button that makes a file of everything."""
    job = jobs.current("library_export")
    running = job is not None and job.state == "running"
    with st.popover(t("library.take_out"), disabled=running):
        note(t("library.take_out_note"))
        if st.button(t("library.export"), key="export", icon=":material/table:"):
            jobs.start(
                "library_export",
                lambda progress: _export(held, progress),
                stages=("export",),
                facts={"name": "library-export.zip"},
            )
            st.rerun()
        if st.button(t("library.backup"), key="backup", icon=":material/save:"):
            jobs.start(
                "library_export",
                lambda _: _backup(held),
                stages=("export",),
                facts={"name": "backup.library"},
            )
            st.rerun()


def _export(held: Library, progress: jobs.Progress) -> bytes:
    with tempfile.TemporaryDirectory("leitong") as folder:
        place = Path(folder) / "library-export"
        export_library(held, place, progress=progress)
        data = BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            for path in sorted(place.iterdir()):
                archive.write(path, f"{place.name}/{path.name}")
        return data.getvalue()


def _backup(held: Library) -> bytes:
    with tempfile.TemporaryDirectory("leitong") as folder:
        place = Path(folder) / "backup.library"
        held.backup(place)
        return place.read_bytes()


def _offered() -> None:
    """Offer the file that was made."""
    if _running("library_export", t("library.writing")):
        return
    job = jobs.current("library_export")
    if job is None:
        return
    if job.error is not None:
        caution(t("library.not_written"), error_text(job.error))
    elif job.state == "done":
        st.download_button(
            t("library.download", size=file_size(len(job.value))),
            job.value,
            file_name=job.facts["name"],
            mime="application/octet-stream",
            icon=":material/download:",
            key="library_file",
        )
