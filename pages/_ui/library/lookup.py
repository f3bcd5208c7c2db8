"""Look up: texts by name, title, author, date or address, or a phrase in the texts."""

from __future__ import annotations

import streamlit as st

from simhash_core import LeitongError
from simhash_core.library import Place, places_of
from simhash_core.storage.library import ROW_KEY, ArchiveRow, Library

from ..shared import jobs
from ..shared.formatting import error_text, esc, length_text, text_language
from ..shared.running import watch_job
from ..shared.session import t
from ..shared.widgets import caution, figure_head, note, write_html

AT_MOST = 50
_BY, _NAMES, _PHRASE = "lookup_by", "lookup_names", "lookup_phrase"
_WAYS = ("phrase", "names")


def lookup(held: Library) -> None:
    """Draw the field, the button and what was found."""
    figure_head(t("library.lookup"), t("library.lookup_note"))
    labels = {way: t(f"library.lookup_{way}") for way in _WAYS}
    way = st.segmented_control(
        t("library.lookup_by"),
        _WAYS,
        format_func=labels.__getitem__,
        default=_WAYS[0],
        required=True,
        key=_BY,
        label_visibility="collapsed",
    )
    if way == "names":
        _by_name(held)
    else:
        _by_phrase(held)


def _by_name(held: Library) -> None:
    query = st.text_input(
        t("library.names_label"),
        key=_NAMES,
        placeholder=t("library.names_label"),
        icon=":material/search:",
        label_visibility="collapsed",
    )
    if not (query or "").strip():
        return
    rows = held.find(query.strip(), limit=AT_MOST)
    _counted(len(rows))
    for row in rows:
        _line(held, row.key, row.name, row.collection, _about(row))


def _about(row: ArchiveRow) -> str:
    title = "" if row.name.endswith(f" {row.title[:80]}") else row.title  # a row of a table
    return " · ".join(esc(part) for part in (title, row.author, row.date) if part)


def _by_phrase(held: Library) -> None:
    phrase = st.text_area(
        t("library.phrase_label"),
        key=_PHRASE,
        height=110,
        placeholder=t("library.phrase_placeholder"),
        label_visibility="collapsed",
    )
    job = jobs.current("library_search")
    if job is not None and job.state == "running":
        watch_job("library_search", t("library.searching"), "", t("library.searching_note"))
        return
    if st.button(
        t("library.search"),
        key="lookup_go",
        icon=":material/search:",
        disabled=not (phrase or "").strip(),
    ):
        _start(held, str(phrase).strip())
        st.rerun()
    if job is None:
        return
    if job.error is not None:
        caution(t("library.not_searched"), error_text(job.error))
    elif job.state == "done":
        places: list[Place] = job.value
        _counted(len(places))
        for place in places:
            _hit(held, place)


def _start(held: Library, phrase: str) -> None:
    def work(progress: jobs.Progress) -> list[Place]:
        return list(places_of(held, phrase, limit=AT_MOST, progress=progress))

    jobs.start("library_search", work, stages=("search",))


def _counted(n: int) -> None:
    more = n >= AT_MOST
    note(t("library.hits_most" if more else "library.hits", n=n))


def _hit(held: Library, place: Place) -> None:
    before, within, behind = map(esc, place.around())
    times = f" ×{place.count}" if place.count > 1 else ""
    text = f"…{before}<mark>{within}</mark>{behind}…{times}"
    key = int(place.document.meta[ROW_KEY])
    _line(held, key, place.document.name, place.collection, text)


def _line(held: Library, key: int, name: str, collection: str, markup: str) -> None:
    """Draw one text of an answer; `markup` was escaped part by part."""
    with st.container(key=f"hit-{key}", gap=None):
        if st.button(name, key=f"hit_{key}", type="tertiary"):
            _read(held, key, name)
        write_html(f'<p class="lt-note"><b>{esc(collection)}</b> {markup}</p>')


def _read(held: Library, key: int, name: str) -> None:
    @st.dialog(name, width="large")
    def dialog() -> None:
        text_of(held, key)

    dialog()


# --------------------------------------------------------------------------- one text

_MOST = 20_000  # characters shown; a browser scrolls no further with ease


def text_of(held: Library, key: int) -> None:
    """Draw a text and what is said about it."""
    try:
        (document,) = held.documents([key]) or (None,)
    except LeitongError as error:
        caution(t("library.damaged"), error_text(error))
        return
    if document is None:
        return
    meta = document.meta
    about = [meta.get(name, "") for name in ("title", "author", "date", "url")]
    note(" · ".join(filter(None, (*about, length_text(document.text)))), lead=document.name)
    shown, language = esc(document.text[:_MOST]), text_language(document.text)
    write_html(f'<div class="lt-preview" lang="{language}" tabindex="0">{shown}</div>')
