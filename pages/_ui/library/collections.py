"""The collections as a table: open one, make one, delete one by typing its name."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from simhash_core import LeitongError
from simhash_core.library import purge_library
from simhash_core.storage.library import CollectionRow, Library

from ..components.lists import CollectionLine, collection_table
from ..shared.formatting import error_text, file_size, number, short_date
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import caution, figure_head, note, paragraph
from .growth import growth
from .reading import text_of

ROWS_SHOWN = 200
_COLUMNS = ("name", "title", "author", "date", "url")


def table(held: Library, rows: Sequence[CollectionRow]) -> None:
    """Draw the collections and do what is asked of one."""
    figure_head(t("library.collections"), t("library.collections_note"))
    if not rows:
        paragraph(t("library.no_collections"))
        return
    growth(held)
    whole = max(sum(row.texts for row in rows), 1)
    lines = [
        CollectionLine(
            row.name,
            number(row.texts),
            row.texts / whole,
            short_date(datetime.fromtimestamp(row.changed).astimezone()),
            file_size(row.size),
        )
        for row in rows
    ]
    names = ("title", "texts", "unit", "share", "date", "size", "act", "open", "delete")
    words = {"caption": t("library.collections")}
    words |= {name: t(f"library.column.{name}") for name in names}
    answer = collection_table("collections", rows=lines, words=words)
    chosen = next((row for row in rows if row.name == answer.name), None)
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
            _delete(held, name)

    dialog()


def _delete(held: Library, name: str) -> None:
    try:
        held.remove_collection(name)
        done = purge_library(held)
    except LeitongError as error:
        caution(t("library.not_deleted"), error_text(error))
        return
    unreached = [path.name for path in done.unreached]
    tab.library_deleted = (name, done.texts, unreached)
    st.rerun()


def _texts(held: Library, collection: CollectionRow) -> None:
    """Show the texts of a collection: the first ones, or those that a search by name finds."""

    @st.dialog(collection.name, width="large")
    def dialog() -> None:
        query = st.text_input(
            t("library.search_names"), key="texts_query", icon=":material/search:"
        )
        if query.strip():
            rows = held.find(query.strip(), collection=collection.name, limit=ROWS_SHOWN)
        else:
            rows = held.rows(collection=collection.name, limit=ROWS_SHOWN)
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
            purge_library(held)
            st.rerun()

    dialog()
