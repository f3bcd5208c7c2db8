"""The collections as a table: open one, make one, delete one by typing its name; and the growth."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import streamlit as st

from simhash_core import LeitongError
from simhash_core.library import Place, places_of, purge_library
from simhash_core.request import forget_texts
from simhash_core.seen import find_holding
from simhash_core.storage import Shelf, Summary
from simhash_core.storage.library import ROW_KEY, CollectionRow, Library, Purged

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
from ..shared.running import watch_job
from ..shared.session import t
from ..shared.tab import Fact
from ..shared.widgets import caution, figure_head, note, paragraph, write_html


class Tab:
    """What a tab remembers: the collections."""

    library_growth: Fact[tuple[Any, dict[date, int]] | None] = Fact(None)  # state, texts a day
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
        tuple((one.id, _name_collection(one)) for one, _ in held),
    )


def _name_collection(summary: Summary) -> str:
    automatic = session.automatic_name_of(summary)
    return automatic if session.hide_names() or not summary.name else summary.name


def deleted_sentence() -> None:
    """Say what was deleted and what still holds it; offer to delete it from checks too."""
    deleted = tab.library_deleted
    if _cleaning() or deleted is None:
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


def _cleaning() -> bool:
    """Draw the deletion from checks while it runs, and how it ended; whether it runs."""
    job = jobs.find_latest("library_clean")
    if job is None:
        return False
    if job.state == "running":
        watch_job("library_clean", t("library.cleaning"), "", t("library.leave"))
        return True
    with st.container(key="clean-ended", horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            if job.state == "done":
                note(t("library.cleaned", n=job.value))
            else:
                reason = "" if job.error is None else error_text(job.error)
                caution(t("library.not_cleaned"), reason)
        if st.button(t("library.put_away"), key="clean_seen", type="tertiary"):
            jobs.put_away("library_clean")
            st.rerun()
    return False


ROWS_SHOWN = 200
_COLUMNS = ("name", "title", "author", "date", "url")


def table(held: Library, rows: Sequence[CollectionRow]) -> None:
    """Draw the collections and do what is asked of one."""
    figure_head(t("library.collections"), t("library.collections_note"))
    if not rows:
        paragraph(t("library.no_collections"))
        return
    growth(held)
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


# --------------------------------------------------------------------------- how the library grew

_WIDTH, _HEIGHT = 640, 44


def growth(held: Library) -> None:
    """Draw the line and what it begins and ends with."""
    days = _days(held)
    if len(days) < 2:
        return
    first, last = min(days), max(days)
    span = max((last - first).days, 1)
    total = sum(days.values())
    points, count = [(0.0, float(_HEIGHT))], 0
    for day in sorted(days):
        x = _WIDTH * (day - first).days / span
        points.append((x, points[-1][1]))
        count += days[day]
        points.append((x, _HEIGHT * (1 - count / total)))
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    lately = sum(n for day, n in days.items() if day > last - timedelta(days=30))
    text = t("library.growth", first=first.isoformat(), n=lately, all=total)
    write_html(
        f'<figure class="lt-growth"><svg viewBox="0 -2 {_WIDTH} {_HEIGHT + 4}" role="img"'
        f' aria-label="{esc(text)}" preserveAspectRatio="none"><polyline points="{path}"/></svg>'
        f"<figcaption>{esc(text)}</figcaption></figure>"
    )


def _days(held: Library) -> dict[date, int]:
    """Return how many texts were added on each day, counted once for each state of the library."""
    state = (held.newest(), held.removed()[0])
    remembered = tab.library_growth
    if remembered is None or remembered[0] != state:
        days = Counter(datetime.fromtimestamp(row.added).date() for row in held.rows())
        remembered = (state, dict(days))
        tab.library_growth = remembered
    return remembered[1]


# --------------------------------------------------------------------------- look up: texts by na

AT_MOST = 50
_BY, _NAMES, _PHRASE = "lookup_by", "lookup_names", "lookup_phrase"
_WAYS = ("phrase", "names")


def lookup(held: Library) -> None:
    """Draw the search for texts of the library: by their names, or by a phrase in them."""
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
    rows = held.rows(words=query.strip(), limit=AT_MOST)
    _show_count(len(rows))
    for row in rows:
        title = "" if row.name.endswith(f" {row.title[:80]}") else row.title  # a row of a table
        _line(
            held,
            row.key,
            row.name,
            row.collection,
            " · ".join(esc(part) for part in (title, row.author, row.date) if part),
        )


def _by_phrase(held: Library) -> None:
    """Draw the field of a phrase, and the places of texts that hold it word for word."""
    phrase = st.text_area(
        t("library.phrase_label"),
        key=_PHRASE,
        height=110,
        placeholder=t("library.phrase_placeholder"),
        label_visibility="collapsed",
    )
    job = jobs.find_latest("library_search")
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
        _show_count(len(places))
        for place in places:
            before, within, behind = map(esc, place.around())
            times = f" ×{place.count}" if place.count > 1 else ""
            text = f"…{before}<mark>{within}</mark>{behind}…{times}"
            key = int(place.document.meta[ROW_KEY])
            _line(held, key, place.document.name, place.collection, text)


def _start(held: Library, phrase: str) -> None:
    def work(progress: jobs.Progress) -> list[Place]:
        return list(places_of(held, phrase, limit=AT_MOST, progress=progress))

    jobs.start("library_search", work, stages=("search",))


def _show_count(n: int) -> None:
    more = n >= AT_MOST
    note(t("library.hits_most" if more else "library.hits", n=n))


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
