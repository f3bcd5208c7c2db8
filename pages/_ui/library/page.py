"""Library: what it holds, texts in, a phrase looked up, keeping and deleting in plain words."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages._ui.library import collections, keeping, lookup
from pages._ui.shared import inside_streamlit, jobs
from pages._ui.shared.formatting import error_text, esc, file_size, formats_text, note_text, number
from pages._ui.shared.libraries import library, library_to_fill, say_damage
from pages._ui.shared.running import watch_job
from pages._ui.shared.session import t
from pages._ui.shared.widgets import caution, foot, note, page_head, paragraph, write_html
from simhash_core import LeitongError
from simhash_core.checking import Source
from simhash_core.extensions import extension, offered
from simhash_core.library import (
    Imported,
    Reading,
    details_among,
    import_documents,
    import_sources,
    index_size,
    is_running,
    is_stream_name,
    resume,
    texts_in,
    update_sources,
)
from simhash_core.people import AUTOMATIC
from simhash_core.storage.library import CollectionRow, JobRow, Library, LibraryStats


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
    """Say in place of one part of the page why it cannot be read; the others stay."""
    try:
        yield
    except LeitongError as error:
        caution(t("library.not_read"), error_text(error))


def _empty() -> None:
    with page_head(t("library.title")):
        pass
    paragraph(t("library.empty"))
    if watch_adding():
        return
    if st.button(t("library.add"), key="library_add", type="primary", icon=":material/add:"):
        adding_dialog(())
    keeping.in_plain_words()
    _what_left()


def _whole(held: Library, rows: Sequence[CollectionRow], stats: LibraryStats) -> None:
    texts = sum(row.texts for row in rows)
    size = file_size(stats.size + index_size(held))
    lead = t("library.lead", n=len(rows), texts=texts, size=size)
    place = "library.here" if stats.place == "local" else f"library.here_{stats.place}"
    with page_head(t("library.title"), lead, t(place)):
        if st.button(t("library.new"), key="library_new", icon=":material/create_new_folder:"):
            collections.new_dialog(held)
        busy = jobs.current("library_import")
        if st.button(
            t("library.add"),
            key="library_add",
            type="primary",
            icon=":material/add:",
            disabled=busy is not None and busy.state == "running",
        ):
            adding_dialog(tuple(row.name for row in rows))
    say_damage(held)
    watch_adding()
    adding_ended()
    collections.deleted_sentence()
    with _readable():
        collections.table(held, rows)
    with _readable():
        interrupted_jobs(held)
    left, right = st.columns([11, 6], gap="large")
    with left, _readable():
        lookup.lookup(held)
    with right, _readable():
        keeping.statistics(held, stats)
        keeping.sentences(held)
        keeping.keeping(held, stats, [row.name for row in rows])
        _what_left()


def _what_left() -> None:
    """Lead to what left this computer, by each way that can send anything."""
    for way in offered("ways"):
        extension("ways", way).log_button()


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
        replace = st.toggle(t("library.replace"), False, key="library_replace")
        if st.button(
            t("library.add_now", n=len(files)) if files else t("library.add_none"),
            key="library_add_now",
            type="primary",
            icon=":material/add:",
            disabled=not (files and collection),
        ):
            named = [(file.name, file.getvalue()) for file in files]
            start_adding(collection, named, Intake(articles, people, replace))
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


@dataclass(frozen=True, slots=True)
class Intake:
    """How uploads are added.

    Of pages the articles alone, with authors by file names, in place of earlier versions.
    """

    articles: bool = True
    people: bool = True
    replace: bool = False


def start_adding(collection: str, files: Sequence[tuple[str, bytes]], how: Intake) -> None:
    """Begin to add files in the background."""
    held = library_to_fill()

    def work(progress: jobs.Progress) -> Imported:
        return add_files(held, collection, files, how, progress=progress)

    facts = {"collection": collection, "files": len(files)}
    jobs.start("library_import", work, stages=STAGES, facts=facts)


def add_files(
    held: Library,
    collection: str,
    files: Sequence[tuple[str, bytes]],
    how: Intake,
    *,
    progress: jobs.Progress,
) -> Imported:
    """Add uploads: what files of many texts hold, and what other files and archives hold.

    A table without texts says who wrote the others, and when.
    """
    done = Imported()
    with tempfile.TemporaryDirectory("leitong") as folder:
        streams = [_written(Path(folder), *file) for file in files if is_stream_name(file[0])]
        details, streams = details_among(streams) if len(streams) < len(files) else ({}, streams)
        for path in streams:
            texts = texts_in(path, main_text=how.articles)
            done += import_documents(held, collection, texts, progress=progress)
    others = [Source(name, None, data) for name, data in files if not is_stream_name(name)]
    reading = Reading(how.articles, AUTOMATIC if how.people else "", details=details)
    if others and how.replace:
        updated = update_sources(held, collection, others, reading=reading, progress=progress)
        done += updated.imported
    elif others:
        done += import_sources(held, collection, others, reading=reading, progress=progress)
    return done


def _written(folder: Path, name: str, data: bytes) -> Path:
    """Write an upload that is read as a stream into a file."""
    path = folder / Path(name).name
    path.write_bytes(data)
    return path


# --------------------------------------------------------------------------- imports

SHOWN = 30  # names of what was not read
_LATEST = 10  # imports that are listed


def watch_adding() -> bool:
    """Draw the import that runs; return whether one does."""
    job = jobs.current("library_import")
    if job is None or job.state != "running":
        return False
    facts = t("library.importing_facts", collection=job.facts.get("collection", ""))
    watch_job("library_import", t("library.importing"), facts, t("library.leave"))
    return True


def adding_ended() -> None:
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


def interrupted_jobs(held: Library) -> None:
    """List imports that ended with their process: go on with them, or put them away."""
    running = jobs.current("library_import")
    busy = running is not None and running.state == "running"
    waiting = [row for row in held.jobs() if row.state == "running" and not is_running(held, row)]
    if busy or not waiting:
        return
    for row in waiting[:_LATEST]:
        with st.container(key=f"import-{row.id}", horizontal=True, vertical_alignment="center"):
            with st.container(width="stretch"):
                stored, left = number(row.added + row.present), number(row.waiting)
                note(t("library.interrupted", collection=row.collection, stored=stored, left=left))
            if {"paths", "stream"} & row.origin.keys() and st.button(
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
