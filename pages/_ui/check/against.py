"""What new texts are compared with: files, an earlier check, the library, pages of the web."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from simhash_core import Document, LeitongError
from simhash_core.checking import read, uploads
from simhash_core.errors import BadInput
from simhash_core.extensions import extension, list_offers
from simhash_core.library import LibraryScope
from simhash_core.model import Skipped
from simhash_core.people import name_unnamed
from simhash_core.report import one_line
from simhash_core.request import Request
from simhash_core.storage import USER_LIBRARY, Beside, Texts
from simhash_core.storage.library import COLLECTION_KEY

from ..shared import jobs, open_checks, session
from ..shared.formatting import error_text, note_text
from ..shared.libraries import library, say_damage
from ..shared.running import stage_text
from ..shared.session import t
from ..shared.tab import EMPTY, Fact
from ..shared.widgets import caution, note
from .settings_form import find_settings

WAYS = ("alone", "files", "check", "library", *list_offers("ways"))
_WAY, _FILES, _CHECK, _COLLECTIONS = (
    *("against_way", "against_files", "against_check", "against_collections"),
)
_INSIDE, _AUTHOR = "against_inside", "against_author"
READING = "against"  # the job


class Tab:
    """What a tab remembers: what texts are compared with."""

    #: what was chosen in other ways
    beside_by_way: Fact[Mapping[str, Beside]] = Fact(EMPTY, of_files=True)


tab = Tab()


def against_form(documents: Sequence[Document]) -> None:
    """Draw what to compare the check, of some documents, with, and how; it belongs to the check."""
    held = _list_held()
    options = [way for way in WAYS if way == _way(held) or _is_offered(way)]
    labels = {way: t(f"check.against.{way}") for way in WAYS}
    session.put(_WAY, _way(held))
    way = st.selectbox(
        t("check.against.label"),
        options,
        format_func=labels.__getitem__,
        key=_WAY,
        on_change=_take_way,
    )
    if way == "files":
        _files(held)
    elif way == "check":
        names = open_checks.name_checks(here=False)
        session.put(_CHECK, held.source)
        st.selectbox(
            t("check.against.which"),
            list(dict.fromkeys((*names, held.source))),
            format_func=lambda key: names.get(key, t("check.against.gone")),
            key=_CHECK,
            on_change=lambda: _take_texts_of(str(session.get(_CHECK))),
        )
        if held.references:
            note(t("check.against.read", n=len(held.references)))
    elif way == "library":
        _library(held)
    elif way in list_offers("ways"):
        extension("ways", way).draw(documents, n=len(held.references), take=_take_pages)
    if way != "alone":
        session.put(_INSIDE, held.inside)
        session.put(_AUTHOR, not held.same_author)
        st.toggle(t("check.against.inside"), key=_INSIDE, on_change=_take_how)
        st.toggle(t("check.against.other_authors"), key=_AUTHOR, on_change=_take_how)
        note(t("check.against.never_inside"))


def compare_with(documents: Sequence[Document]) -> None:
    """Compare the check with some texts as if they had been uploaded, or with none."""
    name = t("check.against.files_name")
    named = [_of(document, name) for document in name_unnamed(documents)]
    _lay(Beside(tuple(named), way="files") if named else Beside())


def compare_with_library() -> None:
    """Compare the check with all of the library, and its texts not with each other."""
    _lay(Beside(libraries=(USER_LIBRARY,), way="library", inside=False))


def count_library() -> int:
    """Return how many texts the library of this reader holds; 0 where it cannot be read now."""
    with contextlib.suppress(LeitongError):
        held = library()
        return sum(row.texts for row in held.collections()) if held is not None else 0
    return 0


def read_choice() -> Request:
    """Return what was chosen, as a request without texts.

    Raises
    ------
    LeitongError
        Where it cannot be had now: an earlier check, a library or a collection that is gone.
    """
    opened = open_checks.find_current()
    held = opened.beside() if opened is not None else Beside()
    if held.libraries:
        other = next((one for one in held.libraries if one.partition(":")[0] != USER_LIBRARY), None)
        if other is not None:  # a page opens no file that a project names
            raise BadInput("no_library", name=one_line(other))
        found = library()
        if found is None:
            raise BadInput("no_library", name=t("check.against.library"))
        there = {row.name for row in found.collections()}
        for name in _collections(held) or ():
            if name not in there:
                raise BadInput("no_collection", name=one_line(name))
        scope = LibraryScope(library=found, collections=_collections(held))
        return Request(texts=Texts(), beside=held, library=scope)
    references = held.references or (_texts_of(held.source) if held.source else ())
    beside = held if references else Beside()
    return Request(texts=Texts(references=tuple(references)), beside=beside)


def is_read() -> bool:
    """Whether all that was put in to compare with has been read."""
    job = jobs.find_latest(READING)
    return job is None or job.state != "running"


def _list_held() -> Beside:
    """Return what is stored with the check; nothing where it is damaged, as `read_choice` says."""
    opened = open_checks.find_current()
    try:
        return opened.beside() if opened is not None else Beside()
    except LeitongError:
        return Beside()


def _lay(beside: Beside) -> None:
    opened = open_checks.find_current()
    if opened is not None:
        opened.lay_beside(beside)


def _way(held: Beside) -> str:
    if held.libraries:
        return "library"
    return held.way if held.way in WAYS else "files" if held.references else WAYS[0]


def _take_way() -> None:
    """Go over to another way; back in one, what was chosen there is chosen again."""
    held, way = _list_held(), str(session.get(_WAY))
    tab.beside_by_way = {**tab.beside_by_way, _way(held): held}
    libraries = (USER_LIBRARY,) if way == "library" else ()
    new = tab.beside_by_way.get(way, Beside(libraries=libraries, way=way))
    _lay(replace(new, inside=held.inside, same_author=held.same_author))
    if way == "check" and not new.source:
        _take_texts_of(next(iter(open_checks.name_checks(here=False)), ""))  # the latest


def _take_pages(pages: tuple[Document, ...]) -> None:
    _lay(replace(_list_held(), references=pages))


def _take_how() -> None:
    inside, apart = bool(session.get(_INSIDE)), bool(session.get(_AUTHOR))
    _lay(replace(_list_held(), inside=inside, same_author=not apart))


def _is_offered(way: str) -> bool:
    """Whether there is anything to be chosen."""
    if way == "check":
        return bool(open_checks.name_checks(here=False))
    if way == "library":
        return count_library() > 0
    return way not in list_offers("ways") or bool(extension("ways", way).is_offered())


# --------------------------------------------------------------------------- files


def _files(held: Beside) -> None:
    """Draw the upload; what is dropped is read in the background."""
    files = st.file_uploader(
        t("check.against.drop"),
        accept_multiple_files=True,
        key=_FILES,
        help=t("check.against.drop_help"),
        on_change=_take_files,
    )
    _reading(held)
    if held.references and not files:  # a box that holds some has buttons of its own
        st.button(
            t("check.against.forget"),
            key="against_forget",
            type="tertiary",
            on_click=lambda: _lay(replace(_list_held(), references=())),
        )


def _take_files() -> None:
    """Read the files in the box in place of those before; a box that was emptied holds none."""
    files = session.get(_FILES) or []
    _lay(replace(_list_held(), references=()))
    _read([(file.name, file.getvalue()) for file in files])


def add_files(files: list[tuple[str, bytes]]) -> None:
    """Begin to read files that the check is compared with, beside those that it is already."""
    held = _list_held()
    _lay(Beside(held.references, way="files", inside=held.inside, same_author=held.same_author))
    _read(files)


def take_read() -> bool:
    """Take over the texts that have been read to compare with, once; whether this was the time."""
    job = jobs.find_latest(READING)
    if job is None or job.state == "running" or job.facts.get("taken"):
        return False
    job.facts["taken"] = True
    held, documents = _list_held(), job.value[0] if job.state == "done" else []
    there = {one.id for one in held.references}
    fresh = {one.id: one for one in documents if one.id not in there}
    if fresh:
        _lay(replace(held, references=(*held.references, *fresh.values())))
    return True


def _read(files: list[tuple[str, bytes]]) -> None:
    if not files:
        jobs.put_away(READING)
        return
    name, settings = t("check.against.files_name"), find_settings()
    keep = not open_checks.keeps_nothing()

    def work(progress: jobs.Progress) -> tuple[list[Document], list[Skipped]]:
        sources, refused = uploads(files)
        documents, skipped = read(sources, settings=settings, progress=progress, keep=keep)
        named = [_of(document, name) for document in name_unnamed(documents)]
        return named, [*refused, *skipped]

    jobs.start(READING, work, stages=("read", "ocr"))


@st.fragment(run_every=0.5)
def _reading(held: Beside) -> None:
    """Say how far the reading is, then what was read; the page is drawn anew once at the end."""
    job = jobs.find_latest(READING)
    if job is not None and job.state == "running":
        note(stage_text(job))
        return
    if take_read():
        st.rerun()
    if job is not None and job.error is not None:
        caution(t("check.failed_lead"), error_text(job.error))
        return
    if job is not None and job.state == "done":
        _, skipped = job.value
        for row in skipped:
            note(f"{row.name}: {note_text(row.code, row.params)}")
    if held.references:
        note(t("check.against.read", n=len(held.references)))


# --------------------------------------------------------------------------- an earlier check


def _take_texts_of(source: str) -> None:
    references: tuple[Document, ...] = ()
    with contextlib.suppress(LeitongError):  # `read_choice` tries again, and the page says so
        references = _texts_of(source) if source else ()
    _lay(replace(_list_held(), source=source, references=references))


def _texts_of(key: str) -> tuple[Document, ...]:
    name = open_checks.name_checks(here=False).get(key, "")
    project = open_checks.shelf().open(key)
    try:
        return tuple(_of(document, name) for document in project.texts().documents)
    finally:
        project.close()


def _of(document: Document, collection: str) -> Document:
    return replace(document, meta={**document.meta, COLLECTION_KEY: collection})


# --------------------------------------------------------------------------- the library


def _library(beside: Beside) -> None:
    try:
        held = library()
    except LeitongError:
        held = None
    if held is None:
        return  # the page says so in the place of the button
    say_damage(held)
    names = [row.name for row in held.collections() if row.texts]
    wanted = _collections(beside) or ()
    session.put(_COLLECTIONS, list(wanted))
    st.multiselect(
        t("check.against.collections"),
        list(dict.fromkeys((*names, *wanted))),
        key=_COLLECTIONS,
        placeholder=t("check.against.all_collections"),
        on_change=_take_collections,
    )


def _take_collections() -> None:
    named = tuple(f"{USER_LIBRARY}:{name}" for name in session.get(_COLLECTIONS) or ())
    _lay(replace(_list_held(), libraries=named or (USER_LIBRARY,)))


def _collections(held: Beside) -> tuple[str, ...] | None:
    """Return the collections of the library of the user that are searched, None for all."""
    if USER_LIBRARY in held.libraries:
        return None
    return tuple(one.partition(":")[2] for one in held.libraries)
