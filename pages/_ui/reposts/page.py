"""The repost desk: has this been published before, by whom, and which version was first?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from simhash_core import Document, gather, read, samples
from simhash_core.checking import uploads
from simhash_core.library import LibraryScope
from simhash_core.model import Skipped
from simhash_core.reposts import REPOST_FORMATS, trace, trace_library, write_reposts
from simhash_core.storage.library import Library

from ..shared import jobs, open_checks, session
from ..shared.formatting import error_text, formats_text, note_text
from ..shared.libraries import library, say_damage
from ..shared.running import watch_job
from ..shared.session import t
from ..shared.widgets import figure_head, foot, note, open_page, page_head, paragraph
from . import answer
from .state import Answer, tab, title

_GROUP = "repost_group"


def draw() -> None:
    """Draw the question, or the answer to it."""
    held = tab.reposts_answer
    if held is None:
        page_head(t("reposts.title"), note=t("reposts.lead"))
        ask()
    elif not held.traced.groups:
        with page_head(t("reposts.title"), note=t("reposts.lead")):
            _again()
        paragraph(t("reposts.none", n=held.traced.compared or held.traced.asked))
        answer.say_answer(held)
        answer.list_likely(held)
        _unread(held)
    else:
        _show_answer(held)
    foot()


def _show_answer(held: Answer) -> None:
    traced = held.traced
    places = range(len(traced.groups))
    at = min(int(session.get(_GROUP) or 0), len(places) - 1)
    group = traced.groups[at]
    head = page_head(
        t("reposts.title"), t("reposts.count", n=len(group.versions)), t("reposts.question")
    )
    with head:
        if len(places) > 1:
            names = [title(traced, one) for one in traced.groups]
            st.selectbox(
                t("reposts.group"),
                places,
                format_func=names.__getitem__,
                index=at,
                key=_GROUP,
                label_visibility="collapsed",
            )
        else:
            note(title(traced, group))
        _save(held)
        _again()
    if traced.compared:
        note(
            t(
                "reposts.looked_through",
                n=traced.compared,
                hits=len(
                    {
                        row
                        for group in traced.groups
                        for row in group.every_row
                        if row >= traced.asked
                    }
                ),
            )
        )
        answer.list_likely(held)
    answer.draw(held, group)
    _unread(held)
    if traced.result.meanings is None:
        note(t("reposts.no_translations"))
    if st.button(t("reposts.as_check"), key="repost_as_check", icon=":material/vertical_split:"):
        _as_check(held)
    note(t("reposts.as_check_note"))


def _again() -> None:
    if st.button(t("reposts.again"), key="repost_again", icon=":material/refresh:"):
        del tab.reposts_answer
        session.put(_GROUP, None)
        st.rerun()


def _save(held: Answer) -> None:
    """Offer the list of hits as a file."""
    with st.popover(t("reposts.save"), icon=":material/ios_share:", key="repost_save"):
        note(t("reposts.save_note"))
        for name, kind in REPOST_FORMATS.items():
            st.download_button(
                t("reposts.save_as", format=name.upper()),
                partial(
                    write_reposts,
                    held.traced,
                    name,
                    t,
                    skipped=held.skipped,
                    anonymous=session.hide_names(),
                ),
                file_name=f"leitong-reposts.{name}",
                mime=kind,
                key=f"repost_save_{name}",
                on_click="ignore",
            )


def _unread(held: Answer) -> None:
    for row in held.skipped:
        note(f"{row.name}: {note_text(row.code, row.params)}")


def _as_check(held: Answer) -> None:
    """Make the texts a check of their own, so that any two can be read side by side."""
    result = held.traced.result
    opened = open_checks.begin()
    opened.store(lambda project: project.save_settings(result.settings))
    opened.store(lambda project: project.save_documents(result.documents, skipped=held.skipped))
    opened.finish(result, "", sum(result.timings.values()))
    session.show_check(opened.current, {})
    open_page("results")


# --------------------------------------------------------------------------- the question: which

JOB = "reposts"
WAYS = ("together", "files", "check", "library")
_UPLOADS: tuple[tuple[str, Literal[True, "directory"]], ...] = (
    ("files", True),
    ("folder", "directory"),
)
_PASTED, _ASKED, _WITH, _CHECK, _COLLECTIONS = (
    *("repost_text", "repost_files", "repost_with", "repost_check", "repost_collections"),
)

Files = list[tuple[str, bytes]]
Read = tuple[list[Document], list[Skipped]]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Where the texts in question are looked for: what `read` returns, or `n` of a library.

    By default nowhere else: they are compared with each other.
    """

    read: Callable[[], Read] | None = None
    library: Library | None = None
    collections: tuple[str, ...] | None = None
    n: int = 0

    def trace(self, texts: Sequence[Document], progress: jobs.Progress) -> Answer | None:
        """Return the answer, None where there are not two texts to compare."""
        if self.library is not None:
            if not texts:
                return None
            scope = LibraryScope(library=self.library, collections=self.collections)
            return Answer(trace_library(texts, scope, progress=progress))
        others, unread = self.read() if self.read is not None else ([], [])
        if not texts or len({document.id for document in (*texts, *others)}) < 2:
            return None
        return Answer(trace(texts, others, progress=progress), tuple(unread))


def ask() -> None:
    """Draw the question, or how far its answer is."""
    job = jobs.find_latest(JOB)
    if job is not None and job.state == "running":
        watch_job(JOB, t("reposts.running"), "", t("reposts.leave"))
        return
    if job is not None:
        answer, error = job.value, job.error
        state = job.state
        jobs.put_away(JOB)
        if state == "done" and answer is not None:
            tab.reposts_answer = answer
            st.rerun()
        if state == "done":
            tab.reposts_refused = t("reposts.too_few")
        elif error is not None:
            tab.reposts_refused = error_text(error)
    left, right = st.columns([7, 5], gap="large")
    with left:
        pasted, files = _read_question()
    with right:
        candidates = _compared_with()
        _start_button(pasted, files, candidates)
        if tab.reposts_refused:
            note(tab.reposts_refused)
    figure_head(t("reposts.sample.title"))
    note(t("reposts.sample.text"))
    if st.button(t("reposts.sample.open"), key="repost_sample", icon=":material/newspaper:"):
        _start(_sample, Candidates())
        st.rerun()


def _read_question() -> tuple[str, Files]:
    """Draw what is asked about."""
    figure_head(t("reposts.asked"), t("reposts.asked_note"))
    pasted = st.text_area(
        t("reposts.paste"),
        key=_PASTED,
        height=190,
        placeholder=t("reposts.paste_hint"),
        persist_state="session",
        on_change=_changed,
    )
    added = st.file_uploader(
        t("reposts.files", formats=formats_text()),
        accept_multiple_files=True,
        key=_ASKED,
        on_change=_changed,
    )
    return str(pasted or "").strip(), _contents(added)


def _compared_with() -> Candidates | None:
    """Draw what it is compared with; return it, None where nothing was chosen."""
    figure_head(t("reposts.with"))
    way = st.selectbox(
        t("reposts.with"),
        WAYS,
        format_func={way: t(f"reposts.with_{way}") for way in WAYS}.__getitem__,
        index=WAYS.index("files"),
        key=_WITH,
        label_visibility="collapsed",
        on_change=_changed,
    )
    note(t(f"reposts.with_{way}_note"))
    if way == "together":
        return Candidates()
    if way == "check":
        return _earlier_check()
    if way == "library":
        return _library()
    added: list[Any] = []
    for kind, several in _UPLOADS:
        added += st.file_uploader(
            t(f"reposts.candidates_{kind}"),
            accept_multiple_files=several,
            key=f"repost_candidates_{kind}",
            on_change=_changed,
        )
    files = _contents(added)
    return Candidates(lambda: _read(files)) if files else None


def _changed() -> None:
    """Another question: what was said of the one before is out of date."""
    del tab.reposts_refused


def _earlier_check() -> Candidates | None:
    """Draw the checks that are kept and return the texts of the chosen one."""
    shelf, names = open_checks.shelf(), open_checks.name_checks()
    if not names:
        note(t("reposts.no_checks"))
        return None
    key = st.selectbox(
        t("reposts.check"),
        list(names),
        format_func=names.__getitem__,
        key=_CHECK,
        on_change=_changed,
    )

    def documents() -> Read:
        project = shelf.open(key)
        try:
            return list(project.texts().documents), []
        finally:
            project.close()

    return Candidates(documents)


def _library() -> Candidates | None:
    """Draw the collections of the library and return those to be searched."""
    held = library()
    rows = [row for row in held.collections() if row.texts] if held is not None else []
    if held is None or not rows:
        note(t("reposts.no_library"))
        return None
    say_damage(held)
    chosen = st.multiselect(
        t("reposts.collections"),
        [row.name for row in rows],
        key=_COLLECTIONS,
        placeholder=t("reposts.all_collections"),
        on_change=_changed,
    )
    n = sum(row.texts for row in rows if not chosen or row.name in chosen)
    return Candidates(library=held, collections=tuple(chosen) or None, n=n)


def _contents(added: Sequence[Any]) -> Files:
    return [(file.name, file.getvalue()) for file in added]


def _read(files: Files) -> Read:
    sources, refused = uploads(files)
    documents, skipped = read(sources, main_text=True, keep=False)
    return documents, [*refused, *skipped]


def _sample() -> Read:
    sources, _ = gather(samples()["reposts"])
    return read([source for source in sources if source.name.endswith(".md")])


def _start_button(pasted: str, files: Files, candidates: Candidates | None) -> None:
    if not st.button(
        t("reposts.start"),
        key="repost_start",
        type="primary",
        icon=":material/search:",
        shortcut="Ctrl+Enter",
    ):
        return
    if not (pasted or files) or candidates is None:
        missing = "with" if pasted or files else "text"
        tab.reposts_refused = t(f"reposts.missing_{missing}")
        return
    called = t("reposts.pasted")

    def asked() -> Read:
        documents, skipped = _read(files) if files else ([], [])
        if pasted:
            documents = [Document.from_text(pasted, name=called), *documents]
        return documents, skipped

    _start(asked, candidates)
    st.rerun()


def _start(asked: Callable[[], Read], candidates: Candidates) -> None:
    del tab.reposts_refused

    def work(progress: jobs.Progress) -> Answer | None:
        progress("read", 0, 1)
        texts, unread = asked()
        made = candidates.trace(texts, progress)
        return replace(made, skipped=(*unread, *made.skipped)) if made is not None else None

    jobs.start(JOB, work)
