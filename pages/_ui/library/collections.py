"""The collections as a table: open one, make one, delete one by typing its name; and the growth."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from simhash_core import LeitongError
from simhash_core.errors import BadInput
from simhash_core.library import Place, places_of, purge_library
from simhash_core.request import forget_texts
from simhash_core.seen import find_holding
from simhash_core.storage import Shelf
from simhash_core.storage.library import ROW_KEY, ArchiveRow, CollectionRow, Library, Purged

from ..components.lists import Column, Group, draw_list, list_acts
from ..shared import jobs, open_checks, session
from ..shared.formatting import (
    error_text,
    esc,
    file_size,
    length_text,
    number,
    short_date,
    text_language,
)
from ..shared.running import follow_job, say_ended, watch_job
from ..shared.session import t
from ..shared.tab import Fact
from ..shared.widgets import caution, figure_head, note, paragraph, write_html


class Tab:
    """What a tab remembers: the collections."""

    library_deleted: Fact[Deleted | None] = Fact(None)


tab = Tab()


@dataclass(frozen=True, slots=True)
class Deleted:
    """Name of what was deleted, how many texts, backups out of reach, and checks with copies."""

    name: str
    texts: int
    unreached: tuple[str, ...]
    ids: tuple[str, ...]  # sha-256 of the texts
    checks: tuple[tuple[str, str], ...]  # id and name


def remember_deleted(name: str, done: Purged) -> None:
    """Look which checks of this reader hold a copy, for `said`."""
    shelf = open_checks.shelf()
    held = find_holding(shelf.recent(), shelf.open, done.ids)
    tab.library_deleted = Deleted(
        name,
        done.texts,
        tuple(path.name for path in done.unreached),
        done.ids,
        tuple((one.id, session.name_of(one)) for one, _ in held),
    )


def deleted_sentence() -> None:
    """Say what was deleted and what still holds it; offer to delete it from checks too."""
    if jobs.is_running("library_clean"):
        watch_job("library_clean", t("library.cleaning"), "", t("library.leave"))
        return
    failed = t("library.not_cleaned")
    say_ended("library_clean", failed, lambda job: note(t("library.cleaned", n=job.value)))
    deleted = tab.library_deleted
    if deleted is None:
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


ROWS_SHOWN = 200
_COLUMNS = ("name", "title", "author", "date", "url")


def table(held: Library, rows: Sequence[CollectionRow]) -> None:
    """Draw the collections and do what is asked of one."""
    figure_head(t("library.collections"), t("library.collections_note"))
    if not rows:
        paragraph(t("library.no_collections"))
        return
    names = ("title", "texts", "date", "size", "act", "open", "delete")
    words = {name: t(f"library.column.{name}") for name in names}
    columns = (
        Column("title", words["title"], "names", "", "title", "named"),
        Column("texts", words["texts"], "num", "15%"),
        Column("date", words["date"], "", "20%", "hide", "dim"),
        Column("size", words["size"], "num", "12%", "note", "dim"),
        Column("acts", words["act"], "end", "24%", "end", unseen=True,
               acts=list_acts(words, open="link", delete="quiet")),
    )  # fmt: skip
    lines = [
        {
            "id": row.name,
            "title": row.name,
            "texts": number(row.texts),
            "date": short_date(datetime.fromtimestamp(row.changed).astimezone()),
            "size": file_size(row.size),
        }
        for row in rows
    ]
    answer = draw_list("collections", [Group(columns, lines)], caption=t("library.collections"))
    chosen = next((row for row in rows if row.name == answer.row), None)
    if chosen is not None and answer.action == "open":
        _texts(held, chosen)
    elif chosen is not None and answer.action == "delete":
        delete_dialog(held, [chosen.name])


def new_dialog(held: Library) -> None:
    """Ask for the name of a new collection."""

    @st.dialog(t("library.new"))
    def dialog() -> None:
        name = st.text_input(t("library.name"), key="collection_name", max_chars=80)
        if st.button(
            t("library.make"), key="make_collection", type="primary", disabled=not name.strip()
        ):
            held.add_collection(name.strip())
            st.rerun()

    dialog()


def delete_dialog(held: Library, names: Sequence[str]) -> None:
    """Delete a collection for good once its name was typed."""

    @st.dialog(t("library.delete"))
    def dialog() -> None:
        name = names[0]
        if len(names) > 1:
            name = st.selectbox(t("library.which"), list(names), key="which_collection")
        rows = {row.name: row.texts for row in held.collections()}
        paragraph(t("library.delete_text", n=rows.get(name, 0), name=name))
        note(t("library.delete_note"))
        typed = st.text_input(t("library.type_name", name=name), key="typed_name")
        if st.button(
            t("library.delete_now"),
            key="delete_collection",
            icon=":material/delete:",
            disabled=typed.strip() != name.strip(),
        ):
            try:
                held.remove_collection(name)
                done = purge_library(held)
            except LeitongError as error:
                caution(t("library.not_deleted"), error_text(error))
                return
            remember_deleted(name, done)
            st.rerun()

    dialog()


def _texts(held: Library, collection: CollectionRow) -> None:
    """Show the texts of a collection: the first ones, or those that a search by name finds."""

    @st.dialog(collection.name, width="large")
    def dialog() -> None:
        query = st.text_input(
            t("library.search_names"), key="texts_query", icon=":material/search:"
        )
        rows = held.rows(words=query.strip(), collection=collection.name, limit=ROWS_SHOWN)
        event = st.dataframe(
            {t(f"library.text.{name}"): [getattr(row, name) for row in rows] for name in _COLUMNS},
            key="texts_table",
            height=360,
            hide_index=True,
            on_select="rerun",
            selection_mode="multi-row",
        )
        if len(rows) == ROWS_SHOWN:
            note(t("library.first_rows", n=ROWS_SHOWN, all=number(collection.texts)))
        chosen = [rows[at].key for at in event.selection.rows if at < len(rows)]
        if len(chosen) == 1:
            text_of(held, chosen[0])
        if st.button(
            t("library.delete_texts", n=len(chosen)),
            key="delete_texts",
            icon=":material/delete:",
            disabled=not chosen,
        ):
            held.remove(chosen)
            remember_deleted(collection.name, purge_library(held))
            st.rerun()

    dialog()


# --------------------------------------------------------------------------- look up

AT_MOST = 50  # texts of an answer


def lookup(held: Library) -> None:
    """Draw the search for texts of the library: by their names, and by a phrase in them."""
    figure_head(t("library.lookup"), t("library.lookup_note"))
    typed = st.text_area(
        t("library.lookup_note"),
        key="lookup_phrase",
        height=110,
        placeholder=t("library.phrase_placeholder"),
        label_visibility="collapsed",
    )
    phrase = str(typed or "").strip()
    if not jobs.is_running("library_search") and st.button(
        t("library.search"), key="lookup_go", icon=":material/search:", disabled=not phrase
    ):
        jobs.start("library_search", lambda step: _search(held, phrase, step), stages=("search",))
        st.rerun()
    title, leave = t("library.searching"), t("library.searching_note")
    job = follow_job("library_search", title, t("library.not_searched"), leave)
    if job is None:
        return
    rows, places = job.value
    n = len(rows) + len(places)
    note(t("library.hits_most" if max(len(rows), len(places)) >= AT_MOST else "library.hits", n=n))
    for place in places:
        before, within, behind = map(esc, place.around())
        times = f" ×{place.count}" if place.count > 1 else ""
        text = f"…{before}<mark>{within}</mark>{behind}…{times}"
        key = int(place.document.meta[ROW_KEY])
        _line(held, key, place.document.name, place.collection, text)
    for row in rows:
        named = "" if row.name.endswith(f" {row.title[:80]}") else row.title  # a row of a table
        about = " · ".join(esc(part) for part in (named, row.author, row.date) if part)
        _line(held, row.key, row.name, row.collection, about)


def _search(
    held: Library, phrase: str, step: jobs.Progress
) -> tuple[Sequence[ArchiveRow], Sequence[Place]]:
    """Return the texts that are called so, and those that hold the phrase word for word."""
    rows, places = list(held.rows(words=phrase, limit=AT_MOST)), []
    try:
        places = list(places_of(held, phrase, limit=AT_MOST, progress=step))
    except BadInput:  # too short for a phrase
        if not rows:
            raise
    shown = {int(place.document.meta[ROW_KEY]) for place in places}
    return [row for row in rows if row.key not in shown], places


def _line(held: Library, key: int, name: str, collection: str, markup: str) -> None:
    """Draw one text of an answer; `markup` was escaped part by part."""
    with st.container(key=f"hit-{key}", gap=None):
        if st.button(name, key=f"hit_{key}", type="tertiary"):
            st.dialog(name, width="large")(text_of)(held, key)
        write_html(f'<p class="lt-note"><b>{esc(collection)}</b> {markup}</p>')


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
