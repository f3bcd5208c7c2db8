"""What new texts are compared with: files, an earlier check, the library, pages of the web."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from simhash_core import CheckResult, Document, LeitongError
from simhash_core.checking import Scope, TextScope, named_by_files, read, uploads
from simhash_core.library import LibraryScope
from simhash_core.model import Skipped
from simhash_core.storage.library import COLLECTION_KEY, Library

from ..shared import jobs, open_checks, session
from ..shared.formatting import error_text, note_text
from ..shared.libraries import library, say_damage
from ..shared.running import stage_text
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import caution, note
from . import web
from .settings_form import reading_settings

WAYS = ("alone", "files", "check", "library", "web")
_WAY, _FILES, _CHECK, _COLLECTIONS = (
    *("against_way", "against_files", "against_check", "against_collections"),
)
_INSIDE, _AUTHOR = "against_inside", "against_author"
_KEEP: dict[str, Any] = {"persist_state": "session"}


@dataclass(frozen=True, slots=True)
class Against:
    """What the next check is compared with.

    `references` are texts that were read, each with its collection in its meta; `library` is
    searched instead, in some collections or in all (None).
    """

    references: tuple[Document, ...] = ()
    library: Library | None = None
    collections: tuple[str, ...] | None = None
    inside: bool = True
    same_author: bool = True

    def __bool__(self) -> bool:
        return bool(self.references) or self.library is not None

    @property
    def among_new(self) -> bool:
        """Whether the new texts are compared with each other; always where they are alone."""
        return self.inside or not self

    def scope(self, earlier: CheckResult | None) -> Scope:
        """Return it as a check takes it; `earlier` is the result that is there already."""
        if self.library is not None:
            return LibraryScope(
                library=self.library,
                collections=self.collections,
                inside=self.inside,
                same_author=self.same_author,
            )
        return TextScope(
            references=self.references,
            inside=self.among_new,
            same_author=self.same_author,
            earlier=earlier,
        )


def against_form(documents: Sequence[Document]) -> None:
    """Draw what to compare the next check, of some documents, with, and how."""
    options = [way for way in WAYS if _offered(way)]
    # told anew each time: the browser remembers a label, and labels change with the language
    session.put(_WAY, session.get(_WAY) if session.get(_WAY) in options else WAYS[0])
    labels = {way: t(f"check.against.{way}") for way in WAYS}
    way = st.selectbox(
        t("check.against.label"),
        options,
        format_func=labels.__getitem__,
        key=_WAY,
        **_KEEP,
    )
    if way == "files":
        _files()
    elif way == "check":
        _earlier()
    elif way == "library":
        _library()
    elif way == "web":
        web.form(documents)
    if way != "alone":
        st.toggle(t("check.against.inside"), True, key=_INSIDE, **_KEEP)
        st.toggle(t("check.against.other_authors"), False, key=_AUTHOR, **_KEEP)
        note(t("check.against.never_inside"))


def compare_with(documents: Sequence[Document]) -> None:
    """Compare the next check with some texts as if they had been uploaded, or with none."""
    name = t("check.against.files_name")
    session.put(_WAY, "files" if documents else WAYS[0])
    del tab.against_seen
    tab.against_read = tuple(_of(document, name) for document in named_by_files(documents))


def chosen() -> Against:
    """Return what was chosen; raises `StoreError` where an earlier check cannot be read."""
    way = session.get(_WAY, WAYS[0])
    inside, other = session.get(_INSIDE, True), bool(session.get(_AUTHOR, False))
    how: dict[str, Any] = {"inside": inside is not False, "same_author": not other}
    if way == "files":
        return Against(tab.against_read, **how)
    if way == "check" and session.get(_CHECK):
        return Against(_texts_of(str(session.get(_CHECK))), **how)
    if way == "web":
        return Against(web.found(), **how)
    held = library() if way == "library" else None
    if held is not None:
        names = tuple(session.get(_COLLECTIONS) or ())
        return Against(library=held, collections=names or None, **how)
    return Against()


def _offered(way: str) -> bool:
    """Whether there is anything to be chosen."""
    if way == "check":
        return bool(_earlier_checks())
    if way == "library":
        try:
            held = library()
            return held is not None and any(row.texts for row in held.collections())
        except LeitongError:
            return False
    return way != "web" or web.offered()


# --------------------------------------------------------------------------- files


def _files() -> None:
    """Draw the upload; what is dropped is read in the background."""
    files = st.file_uploader(
        t("check.against.drop"),
        accept_multiple_files=True,
        key=_FILES,
        help=t("check.against.drop_help"),
        max_upload_size=300,
    )
    held = tuple(file.file_id for file in files)
    if held != tab.against_seen:
        tab.against_seen = held
        del tab.against_read
        _read([(file.name, file.getvalue()) for file in files])
    _reading()


def _read(files: list[tuple[str, bytes]]) -> None:
    if not files:
        jobs.put_away("against")
        return
    name, settings = t("check.against.files_name"), reading_settings()
    keep = not open_checks.keeps_nothing()

    def work(progress: jobs.Progress) -> tuple[list[Document], list[Skipped]]:
        sources, refused = uploads(files)
        documents, skipped = read(sources, settings=settings, progress=progress, keep=keep)
        named = [_of(document, name) for document in named_by_files(documents)]
        return named, [*refused, *skipped]

    jobs.start("against", work, stages=("read", "ocr"))


@st.fragment(run_every=0.5)
def _reading() -> None:
    """Say how far the reading is, then what was read; the page is drawn anew once at the end."""
    job = jobs.current("against")
    held = tab.against_read
    if job is None:
        if held:
            note(t("check.against.read", n=len(held)))
        return
    if job.state == "running":
        note(stage_text(job))
        return
    if job.error is not None:
        caution(t("check.failed_lead"), error_text(job.error))
        return
    if job.state == "done" and not held:
        documents, skipped = job.value
        for row in skipped:
            note(f"{row.name}: {note_text(row.code, row.params)}")
        if documents:
            tab.against_read = tuple(documents)
            st.rerun()
        return
    note(t("check.against.read", n=len(held)))


# --------------------------------------------------------------------------- an earlier check


def _earlier_checks() -> dict[str, str]:
    """Return the names of the other checks of this reader by id."""
    opened = open_checks.current()
    this = opened.key if opened is not None else ""
    names = {}
    for summary in open_checks.shelf().recent():
        moment = summary.checked or summary.created
        if summary.fault or summary.id == this or moment is None or not summary.texts:
            continue
        automatic = session.automatic_name(summary.texts, moment.astimezone())
        hidden = not summary.name or session.hide_names()
        names[summary.id] = automatic if hidden else summary.name
    return names


def _earlier() -> None:
    names = _earlier_checks()
    if session.get(_CHECK) not in names:
        session.put(_CHECK, None)
    st.selectbox(
        t("check.against.which"),
        list(names),
        format_func=lambda key: names[key],
        key=_CHECK,
        **_KEEP,
    )


def _texts_of(key: str) -> tuple[Document, ...]:
    """Return the texts of another check, each with its name as the collection."""
    held = tab.against_held
    if held[0] != key:
        name = _earlier_checks().get(key, "")
        project = open_checks.shelf().open(key)
        try:
            texts = tuple(_of(document, name) for document in project.texts().documents)
        finally:
            project.close()
        held = (key, texts)
        tab.against_held = held
    return held[1]


def _of(document: Document, collection: str) -> Document:
    return replace(document, meta={**document.meta, COLLECTION_KEY: collection})


# --------------------------------------------------------------------------- the library


def _library() -> None:
    held = library()
    if held is None:
        return
    say_damage(held)
    names = [row.name for row in held.collections() if row.texts]
    still = [name for name in session.get(_COLLECTIONS) or () if name in names]
    session.put(_COLLECTIONS, still)
    st.multiselect(
        t("check.against.collections"),
        names,
        key=_COLLECTIONS,
        placeholder=t("check.against.all_collections"),
        **_KEEP,
    )
