"""Texts into a collection: files, folders, archives, saved web pages and tables."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import streamlit as st

from simhash_core import Document
from simhash_core.checking import AUTOMATIC, Source
from simhash_core.library import (
    Imported,
    Reading,
    import_documents,
    import_sources,
    is_table,
    rows_of,
)
from simhash_core.model import Skipped
from simhash_core.storage.library import Library

from ..shared import inside_streamlit, jobs
from ..shared.libraries import library_to_fill
from ..shared.session import t
from ..shared.widgets import note

MOST_BYTES = 300 * 1024 * 1024
STAGES = ("import",)


def dialog(names: Sequence[str]) -> None:
    """Ask for a collection and for texts, and begin to add them."""

    @st.dialog(t("library.add"), width="large")
    def ask() -> None:
        collection = _collection(names)
        files = st.file_uploader(
            t("library.drop"), accept_multiple_files=True, key="library_files",
            help=t("library.drop_help"), max_upload_size=MOST_BYTES // 1024**2,
        )  # fmt: skip
        note(t("library.drop_note"))
        articles = st.toggle(t("library.articles"), True, key="library_articles")
        people = st.toggle(t("library.people"), True, key="library_people")
        if st.button(
            t("library.add_now", n=len(files)) if files else t("library.add_none"),
            key="library_add_now",
            type="primary",
            icon=":material/add:",
            disabled=not (files and collection),
        ):
            named = [(file.name, file.getvalue()) for file in files]
            start(collection, named, articles=articles, people=people)
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


def start(
    collection: str, files: Sequence[tuple[str, bytes]], *, articles: bool, people: bool
) -> None:
    """Begin to add files in the background."""
    held = library_to_fill()

    def work(progress: jobs.Progress) -> Imported:
        return add(held, collection, files, articles=articles, people=people, progress=progress)

    facts = {"collection": collection, "files": len(files)}
    jobs.start("library_import", work, stages=STAGES, facts=facts)


def add(
    held: Library,
    collection: str,
    files: Sequence[tuple[str, bytes]],
    *,
    articles: bool,
    people: bool,
    progress: jobs.Progress,
) -> Imported:
    """Add uploads: the rows of tables, and what other files and archives hold."""
    done = Imported()
    for table in filter(lambda file: is_table(file[0]), files):
        done += import_documents(held, collection, _rows(table), progress=progress)
    others = [Source(name, None, data) for name, data in files if not is_table(name)]
    if others:
        reading = Reading(main_text=articles, people=AUTOMATIC if people else "")
        done += import_sources(held, collection, others, reading=reading, progress=progress)
    return done


def _rows(table: tuple[str, bytes]) -> Iterator[Document | Skipped]:
    """Yield the rows of an uploaded table, which is read from a file."""
    name, data = table
    with tempfile.TemporaryDirectory("leitong") as folder:
        path = Path(folder) / Path(name).name
        path.write_bytes(data)
        yield from rows_of(path)
