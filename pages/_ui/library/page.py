"""Library: what it holds, texts in, a phrase looked up, keeping and deleting in plain words."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from io import BytesIO
from pathlib import Path

import streamlit as st

from simhash_core import LeitongError, Settings
from simhash_core.checking import Source
from simhash_core.errors import RecipeMismatch
from simhash_core.extensions import extension, list_offers
from simhash_core.library import (
    Imported,
    Reading,
    details_among,
    export_library,
    import_documents,
    import_sources,
    index_size,
    is_running,
    is_stream_name,
    make_sentences,
    reindex,
    require_recipe,
    resume,
    texts_in,
    update_sources,
    verify_sentences,
    waiting_sentences,
)
from simhash_core.people import AUTOMATIC
from simhash_core.storage.library import CollectionRow, Fault, JobRow, Library, LibraryStats

from ..shared import inside_streamlit, jobs
from ..shared.formatting import (
    date_time,
    error_text,
    esc,
    file_size,
    formats_text,
    note_text,
    number,
)
from ..shared.libraries import library, library_to_fill, say_damage
from ..shared.running import follow_job, say_ended, watch_job
from ..shared.session import t
from ..shared.widgets import (
    caution,
    figure_head,
    foot,
    note,
    page_head,
    paragraph,
    save_button,
    write_html,
)
from . import collections
from .collections import delete_dialog


def draw() -> None:
    """Draw the library of this reader, or the way to the first texts."""
    try:
        held = library()
        whole = None if held is None else (held, held.collections(), held.stats())
    except LeitongError as error:
        page_head(t("library.title"))
        caution(t("library.not_opened"), error_text(error))
    else:
        _empty() if whole is None else _whole(*whole)
    foot()


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except LeitongError as error:
        caution(t("library.not_read"), error_text(error))


def _empty() -> None:
    with page_head(t("library.title")):
        pass
    paragraph(t("library.empty"))
    draw_adding()
    if jobs.is_running("library_import"):
        return
    if st.button(t("library.add"), key="library_add", type="primary", icon=":material/add:"):
        adding_dialog(())
    say_in_plain_words()
    _what_left()


def _whole(held: Library, rows: Sequence[CollectionRow], stats: LibraryStats) -> None:
    texts = sum(row.texts for row in rows)
    size = file_size(stats.size + index_size(held))
    lead = t("library.lead", n=len(rows), texts=texts, size=size)
    place = "library.here" if stats.place == "local" else f"library.here_{stats.place}"
    with page_head(t("library.title"), lead, t(place)):
        if st.button(t("library.new"), key="library_new", icon=":material/create_new_folder:"):
            collections.new_dialog(held)
        if st.button(
            t("library.add"),
            key="library_add",
            type="primary",
            icon=":material/add:",
            disabled=jobs.is_running("library_import"),
        ):
            adding_dialog(tuple(row.name for row in rows))
    say_damage(held)
    draw_adding()
    collections.deleted_sentence()
    with _readable():
        collections.table(held, rows)
    with _readable():
        interrupted_jobs(held)
    left, right = st.columns([11, 6], gap="large")
    with left, _readable():
        collections.lookup(held)
    with right, _readable():
        statistics(held, stats)
        sentences(held)
        keeping(held, stats, [row.name for row in rows])
    _what_left()


def _what_left() -> None:
    """Lead to what left this computer, by each way that can send anything."""
    for way in list_offers("ways"):
        extension("ways", way).draw_log()


# --------------------------------------------------------------------------- adding
STAGES = ("import",)


def adding_dialog(names: Sequence[str]) -> None:
    """Ask for a collection and for texts, and begin to add them."""

    @st.dialog(t("library.add"), width="large")
    def ask() -> None:
        collection = _collection(names)
        files = st.file_uploader(
            t("library.drop"), accept_multiple_files=True, key="library_files",
            help=t("library.drop_help", formats=formats_text()),
        )  # fmt: skip
        note(t("library.drop_note"))
        articles = st.toggle(t("library.articles"), True, key="library_articles")
        people = st.toggle(t("library.people"), True, key="library_people")
        replaces = st.toggle(t("library.replace"), False, key="library_replace")
        if st.button(
            t("library.add_now", n=len(files)) if files else t("library.add_none"),
            key="library_add_now",
            type="primary",
            icon=":material/add:",
            disabled=not (files and collection),
        ):
            named = [(file.name, file.getvalue()) for file in files]
            reading = Reading(articles, AUTOMATIC if people else "")
            start_adding(collection, named, reading, replaces=replaces)
            inside_streamlit.forget(files)
            st.rerun()

    ask()


def _collection(names: Sequence[str]) -> str:
    """Draw the choice of a collection; a new name makes one."""
    if not names:
        typed = st.text_input(t("library.name"), key="first_collection", max_chars=80)
        return typed.strip()
    chosen = st.selectbox(
        t("library.into"),
        list(names),
        key="into_collection",
        accept_new_options=True,
        help=t("library.into_help"),
    )
    return str(chosen or "").strip()


def start_adding(
    collection: str, files: Sequence[tuple[str, bytes]], reading: Reading, *, replaces: bool
) -> None:
    """Begin to add files in the background."""
    held = library_to_fill()

    def work(progress: jobs.Progress) -> Imported:
        return add_files(held, collection, files, reading, progress, replaces=replaces)

    facts = {"collection": collection, "files": len(files)}
    jobs.start("library_import", work, stages=STAGES, facts=facts)


def add_files(
    held: Library,
    collection: str,
    files: Sequence[tuple[str, bytes]],
    reading: Reading,
    progress: jobs.Progress,
    *,
    replaces: bool = False,
) -> Imported:
    """Add uploads: what files of many texts hold, and what other files and archives hold.

    A table without texts says who wrote the others, and when. What `replaces` takes the place of
    earlier versions.
    """
    done = Imported()
    with tempfile.TemporaryDirectory("leitong") as folder:
        streams = []
        for name, data in files:
            if is_stream_name(name):
                streams.append(Path(folder) / Path(name).name)
                streams[-1].write_bytes(data)
        details, streams = details_among(streams) if len(streams) < len(files) else ({}, streams)
        for path in streams:
            texts = texts_in(path, main_text=reading.main_text)
            done += import_documents(held, collection, texts, progress=progress)
    others = [Source(name, None, data) for name, data in files if not is_stream_name(name)]
    reading = replace(reading, details=details)
    if others and replaces:
        return (
            done
            + update_sources(held, collection, others, reading=reading, progress=progress).imported
        )
    if others:
        done += import_sources(held, collection, others, reading=reading, progress=progress)
    return done


# --------------------------------------------------------------------------- imports

SHOWN = 30  # names of what was not read
_LATEST = 10  # imports that are listed


def draw_adding() -> None:
    """Draw the import that runs, or how the last one ended, until the reader puts it away."""
    job = jobs.find_latest("library_import")
    if job is not None and job.state == "running":
        facts = t("library.importing_facts", collection=job.facts.get("collection", ""))
        watch_job("library_import", t("library.importing"), facts, t("library.leave"))
    stopped = t("library.import_stopped_text")
    say_ended("library_import", t("library.import_failed"), _say_added, stopped=stopped)


def _say_added(job: jobs.Job) -> None:
    """Say what was added and name what was not read."""
    done: Imported = job.value
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


def interrupted_jobs(held: Library) -> None:
    """List imports that ended with their process: go on with them, or put them away."""
    waiting = [
        row for row in held.jobs.listed() if row.state == "running" and not is_running(held, row)
    ]
    if jobs.is_running("library_import") or not waiting:
        return
    for row in waiting[:_LATEST]:
        with st.container(key=f"import-{row.id}", horizontal=True, vertical_alignment="center"):
            with st.container(width="stretch"):
                stored, left = number(row.added + row.present), number(row.waiting)
                note(t("library.interrupted", collection=row.collection, stored=stored, left=left))
            if {"paths", "stream"} & row.origin.keys() and st.button(
                t("library.resume"), key=f"resume_{row.id}", icon=":material/play_arrow:"
            ):
                facts = {"collection": row.collection}
                resumed = partial(_resume, held, row)
                jobs.start("library_import", resumed, stages=STAGES, facts=facts)
                st.rerun()
            if st.button(t("library.cancel"), key=f"cancel_{row.id}", type="tertiary"):
                held.jobs.set_state(row.id, "cancelled")
                st.rerun()


def _resume(held: Library, row: JobRow, progress: jobs.Progress) -> Imported:
    return resume(held, row.id, progress=progress)


# --------------------------------------------------------------------------- keeping and deleting

FAULTS_SHOWN = 30


def say_in_plain_words() -> None:
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
    leave = t("library.leave")
    follow_job("library_reindex", t("library.reindexing"), t("library.not_reindexed"), leave)
    if jobs.is_running("library_reindex") or not stats.texts:
        return
    try:
        require_recipe(held, Settings())
    except RecipeMismatch:
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
    kind, leave = "library_sentences", t("library.leave")
    follow_job(kind, t("library.reading_sentences"), t("library.sentences_not_read"), leave)
    waiting = waiting_sentences(held)
    if jobs.is_running(kind) or not waiting:
        return
    note(t("library.sentences", n=waiting))
    if st.button(t("library.read_sentences"), key="read_sentences", icon=":material/notes:"):
        jobs.start(kind, lambda progress: make_sentences(held, step=progress), stages=("vectors",))
        st.rerun()


def keeping(held: Library, stats: LibraryStats, names: Sequence[str]) -> None:
    """Draw what can be done with the whole."""
    say_in_plain_words()
    if stats.removed:
        note(t("library.removed_left", n=stats.removed))
    with st.container(horizontal=True, gap="small"):
        if st.button(
            t("library.verify"), key="verify", icon=":material/fact_check:",
            disabled=jobs.is_running("library_verify"),
        ):  # fmt: skip
            jobs.start(
                "library_verify",
                lambda _: (list(held.verify()), verify_sentences(held)),
                stages=("verify",),
            )
            st.rerun()
        _files(held)
        if names and st.button(
            t("library.delete"),
            key="delete_a_collection",
            type="tertiary",
            icon=":material/delete:",
        ):
            delete_dialog(held, names)
    _verified()
    title, failed, leave = t("library.writing"), t("library.not_written"), t("library.leave")
    job = follow_job("library_export", title, failed, leave)
    if job is not None:
        label = t("library.download", size=file_size(len(job.value)))
        save_button(label, job.value, job.facts["name"], key="library_file")


def _verified() -> None:
    """Say what reading everything showed."""
    job = follow_job(
        "library_verify", t("library.verifying"), t("library.not_read"), t("library.leave")
    )
    if job is None:
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
    with st.popover(t("library.take_out"), disabled=jobs.is_running("library_export")):
        note(t("library.take_out_note"))
        ways = {
            "export": (_export, "library-export.zip", "table"),
            "backup": (_backup, "backup.library", "save"),
        }
        for name, (write, file, icon) in ways.items():
            if st.button(t(f"library.{name}"), key=name, icon=f":material/{icon}:"):
                work, facts = partial(write, held), {"name": file}
                jobs.start("library_export", work, stages=("export",), facts=facts)
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


def _backup(held: Library, progress: jobs.Progress) -> bytes:
    progress("export", 0, 1)
    with tempfile.TemporaryDirectory("leitong") as folder:
        place = Path(folder) / "backup.library"
        held.backup(place)
        return place.read_bytes()
