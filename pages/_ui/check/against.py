"""What new texts are compared with: files, an earlier check, the library, pages of the web."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import streamlit as st

from simhash_core import CheckResult, Document, LeitongError
from simhash_core.app import department
from simhash_core.checking import Scope, TextScope, read, uploads
from simhash_core.errors import BadInput
from simhash_core.library import LibraryScope, import_documents
from simhash_core.model import CorpusStats, Skipped
from simhash_core.people import name_unnamed
from simhash_core.report import one_line, page_moment
from simhash_core.storage import USER_LIBRARY, Beside
from simhash_core.storage.library import COLLECTION_KEY, Library
from simhash_core.web import (
    MOST_SENTENCES,
    Searched,
    Sentence,
    rarest_sentences,
    search_web,
    web_installed,
)

from ..shared import jobs, open_checks, session
from ..shared.formatting import error_text, esc, note_text, short_date
from ..shared.libraries import library, library_to_fill, say_damage
from ..shared.running import stage_text
from ..shared.session import t
from ..shared.tab import EMPTY, Fact
from ..shared.web import folder, log_button, service, settings_dialog
from ..shared.widgets import caution, figure_head, note, write_html
from .settings_form import reading_settings, templates

WAYS = ("alone", "files", "check", "library", "web")
_WAY, _FILES, _CHECK, _COLLECTIONS = (
    *("against_way", "against_files", "against_check", "against_collections"),
)
_INSIDE, _AUTHOR = "against_inside", "against_author"
READING = "against"  # the job


class Tab:
    """What a tab remembers: what texts are compared with."""

    #: what was chosen in other ways
    beside_by_way: Fact[Mapping[str, Beside]] = Fact(EMPTY, of_files=True)
    #: of texts
    web_proposed: Fact[tuple[tuple[str, ...], tuple[Sentence, ...]]] = Fact(((), ()), of_files=True)
    #: what was sent, pages that were read
    web_found: Fact[Searched | None] = Fact(None, of_files=True)


tab = Tab()


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
    """Draw what to compare the check, of some documents, with, and how; it belongs to the check."""
    held = _held()
    options = [way for way in WAYS if way == _way(held) or _offered(way)]
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
        names = _earlier_checks()
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
    elif way == "web":
        web_form(documents)
        if held.references and tab.web_found is None:  # before a reload
            note(t("check.against.read", n=len(held.references)))
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


def chosen() -> Against:
    """Return what was chosen.

    Raises
    ------
    LeitongError
        Where it cannot be had now: an earlier check, a library or a collection that is gone.
    """
    opened = open_checks.current()
    held = opened.beside() if opened is not None else Beside()
    how: dict[str, Any] = {"inside": held.inside, "same_author": held.same_author}
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
        return Against(library=found, collections=_collections(held), **how)
    if held.source and not held.references:
        return Against(_texts_of(held.source), **how)
    return Against(held.references, **how) if held.references else Against()


def is_read() -> bool:
    """Whether all that was put in to compare with has been read."""
    job = jobs.current(READING)
    return job is None or job.state != "running"


def _held() -> Beside:
    """Return what is stored with the check; nothing where that is damaged, which `chosen` says."""
    opened = open_checks.current()
    try:
        return opened.beside() if opened is not None else Beside()
    except LeitongError:
        return Beside()


def _lay(beside: Beside) -> None:
    opened = open_checks.current()
    if opened is not None:
        opened.lay_beside(beside)


def _way(held: Beside) -> str:
    if held.libraries:
        return "library"
    return held.way if held.way in WAYS else "files" if held.references else WAYS[0]


def _take_way() -> None:
    """Go over to another way; back in one, what was chosen there is chosen again."""
    held, way = _held(), str(session.get(_WAY))
    tab.beside_by_way = {**tab.beside_by_way, _way(held): held}
    libraries = (USER_LIBRARY,) if way == "library" else ()
    new = tab.beside_by_way.get(way, Beside(libraries=libraries, way=way))
    _lay(replace(new, inside=held.inside, same_author=held.same_author))
    if way == "check" and not new.source:
        _take_texts_of(next(iter(_earlier_checks()), ""))  # the latest


def _take_how() -> None:
    inside, apart = bool(session.get(_INSIDE)), bool(session.get(_AUTHOR))
    _lay(replace(_held(), inside=inside, same_author=not apart))


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
    return way != "web" or web_offered()


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
            on_click=lambda: _lay(replace(_held(), references=())),
        )


def _take_files() -> None:
    """Read the files in the box in place of those before; a box that was emptied holds none."""
    files = session.get(_FILES) or []
    _lay(replace(_held(), references=()))
    _read([(file.name, file.getvalue()) for file in files])


def _read(files: list[tuple[str, bytes]]) -> None:
    if not files:
        jobs.put_away(READING)
        return
    name, settings = t("check.against.files_name"), reading_settings()
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
    job = jobs.current(READING)
    if job is not None and job.state == "running":
        note(stage_text(job))
        return
    if job is not None and job.error is not None:
        caution(t("check.failed_lead"), error_text(job.error))
        return
    if job is not None and job.state == "done":
        documents, skipped = job.value
        if documents and not job.facts.get("taken"):
            job.facts["taken"] = True
            _lay(replace(_held(), references=tuple(documents)))
            st.rerun()
        for row in skipped:
            note(f"{row.name}: {note_text(row.code, row.params)}")
    if held.references:
        note(t("check.against.read", n=len(held.references)))


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
        automatic = session.automatic_name_of(summary)
        hidden = not summary.name or session.hide_names()
        names[summary.id] = automatic if hidden else summary.name
    return names


def _take_texts_of(source: str) -> None:
    references: tuple[Document, ...] = ()
    with contextlib.suppress(LeitongError):  # `chosen` tries again, and the page says so
        references = _texts_of(source) if source else ()
    _lay(replace(_held(), source=source, references=references))


def _texts_of(key: str) -> tuple[Document, ...]:
    name = _earlier_checks().get(key, "")
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
    _lay(replace(_held(), libraries=named or (USER_LIBRARY,)))


def _collections(held: Beside) -> tuple[str, ...] | None:
    """Return the collections of the library of the user that are searched, None for all."""
    if USER_LIBRARY in held.libraries:
        return None
    return tuple(one.partition(":")[2] for one in held.libraries)


# --------------------------------------------------------------------------- the web
JOB = "web"
_STAGES = ("web_ask", "web_pages")
_TICK = "web_sentence_{}"


def web_offered() -> bool:
    """Return whether pages of the web can be compared with at all.

    Not on a server for many: the address of the service may be one of its own network, which who
    signs in from elsewhere must not reach through it.
    """
    return web_installed() and department.current() is None


def web_form(documents: Sequence[Document]) -> None:
    """Draw the way from the sentences to the pages, as far as it has been gone."""
    if open_checks.keeps_nothing():
        note(t("check.web.keep_nothing"))
        return
    address = service()
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            note(t("check.web.service", address=address) if address else t("check.web.off"))
        label = t("check.web.change" if address else "check.web.enter")
        if st.button(label, key="web_settings", icon=":material/dns:"):
            settings_dialog()
    if jobs.is_running(JOB):
        _watch()
    elif address:
        if st.button(
            t("check.web.look"),
            key="web_look",
            icon=":material/visibility:",
            width="stretch",
            disabled=not documents,
        ):
            _sentences_dialog(documents)
        _ended()
    log_button()


def pages_found() -> tuple[Document, ...]:
    """Return the pages that were read for the next check."""
    searched = tab.web_found
    if searched is None:
        return ()
    name = t("check.web.collection_short")
    return tuple(replace(page, meta={**page.meta, COLLECTION_KEY: name}) for page in searched.pages)


# --------------------------------------------------------------------------- before it is sent


def _proposed(documents: Sequence[Document]) -> tuple[Sentence, ...]:
    """Return the rarest sentences of the texts, chosen once for the same texts."""
    sheets = templates()
    key = tuple(one.id for one in (*documents, *sheets))
    if tab.web_proposed[0] != key:
        private = [
            part for one in open_checks.class_list() for part in (one.person, one.number) if part
        ]
        chosen = rarest_sentences(
            documents,
            most=MOST_SENTENCES,
            statistics=_counts(),
            templates=sheets,
            private=private,
        )
        tab.web_proposed = (key, chosen)
    return tab.web_proposed[1]


def _counts() -> CorpusStats | None:
    try:
        held = library()
        frozen = held.statistics if held is not None else None
    except LeitongError:
        return None
    return frozen.stats if frozen is not None else None


def _sentences_dialog(documents: Sequence[Document]) -> None:
    """Show every sentence as it would be sent; each can be struck out."""

    @st.dialog(t("check.web.look"), width="large")
    def ask() -> None:
        proposed = _proposed(documents)
        if not proposed:
            note(t("error.web_none"))
            return
        caution(t("check.web.only_these_lead"), t("check.web.only_these", address=service()))
        ticked = [one for number, one in enumerate(proposed, start=1) if _sentence(number, one)]
        note(t("check.web.may_stop"))
        if st.button(
            t("check.web.send", n=len(ticked)) if ticked else t("check.web.send_none"),
            key="web_send",
            type="primary",
            icon=":material/outbound:",
            disabled=not ticked,
        ):
            _start(ticked)
            st.rerun()

    ask()


def _sentence(number: int, one: Sentence) -> bool:
    """Draw one sentence with its tick; its words are text, not Markdown."""
    if session.hide_names():
        name = t("frame.text_number", number=f"{one.row + 1:02d}")
    else:
        name = one_line(one.name)
    with st.container(horizontal=True, vertical_alignment="top", key=f"web-row-{number}"):
        ticked = st.checkbox(t("check.web.number", n=number), value=True, key=_TICK.format(number))
        with st.container(width="stretch"):
            write_html(
                f'<p class="lt-text{"" if ticked else " lt-struck"}">{esc(one.words)} '
                f'<span class="dim">{esc(name)}</span></p>'
            )
    return bool(ticked)


# --------------------------------------------------------------------------- sent, read


def _start(sentences: Sequence[Sentence]) -> None:
    """Send sentences in the background, and keep what comes back in the library."""
    address, place, held = service(), folder(), library_to_fill()
    today = datetime.now().astimezone()
    collection = t("check.web.collection", date=f"{today:%Y-%m-%d}")
    del tab.web_found

    def work(progress: jobs.Progress) -> Searched:
        searched = search_web(sentences, service=address, folder=place, progress=progress)
        if searched.pages:
            import_documents(
                held,
                collection,
                searched.pages,
                progress=lambda *_: progress("web_pages", len(searched.pages), len(searched.pages)),
            )
        return searched

    jobs.start(JOB, work, stages=_STAGES, facts={"collection": collection})


@st.fragment(run_every=0.5)
def _watch() -> None:
    """Say how far it is, and offer to stop: what was not sent by then stays here."""
    job = jobs.current(JOB)
    if job is None or job.state != "running":
        st.rerun()
    note(stage_text(job))
    if st.button(t("check.stop"), key="web_stop", icon=":material/stop:", on_click=job.stop):
        st.rerun()


def _ended() -> None:
    """Say what came of the search."""
    job = jobs.current(JOB)
    if job is not None and job.error is not None:
        caution(t("check.web.failed"), error_text(job.error))
        return
    if job is not None and job.state == "stopped":
        note(t("check.web.stopped"))
        return
    if job is not None and job.state == "done" and tab.web_found is None:
        tab.web_found = job.value
        _lay(replace(_held(), references=pages_found()))
    searched = tab.web_found
    if searched is None:
        return
    for failure in searched.failures:
        caution(t("check.web.no_answer"), note_text(failure.code, failure.params))
    if searched.unsent:
        note(t("check.web.unsent", n=searched.unsent))
    collection = job.facts.get("collection", "") if job is not None else ""
    key = "check.web.read" if searched.pages else "check.web.read_none"
    note(t(key, n=len(searched.pages), sent=len(searched.asked), collection=collection))
    _pages(searched)
    if not searched.pages:
        note(t("check.web.means"))


def _pages(searched: Searched) -> None:
    """List the pages behind a fold, those that were not read with their reason."""
    lines = []
    for page in searched.pages:
        moment = page_moment(page)
        when = short_date(moment) if moment else ""
        title = page.meta.get("title", "") or page.name
        lines.append(f"<li><b>{esc(title)}</b> {esc(page.meta['url'])} · {esc(when)}</li>")
    lines += [
        f"<li>{esc(row.name)} · {esc(note_text(row.code, row.params))}</li>"
        for row in searched.skipped
    ]
    if not lines:
        return
    figure_head(t("check.web.pages"), level=3)
    summary = esc(t("check.web.pages_summary", n=len(searched.pages), m=len(searched.skipped)))
    write_html(
        f'<details class="lt-fold"><summary>{summary}</summary><ul>{"".join(lines)}</ul></details>'
    )
