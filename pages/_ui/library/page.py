"""Library: what it holds, texts in, a phrase looked up, keeping and deleting in plain words."""

from __future__ import annotations

import streamlit as st

from pages._ui.library import adding, collections, imports, keeping, lookup
from pages._ui.shared import jobs
from pages._ui.shared.formatting import error_text, file_size, number
from pages._ui.shared.libraries import library
from pages._ui.shared.session import t
from pages._ui.shared.widgets import caution, foot, page_head, paragraph
from simhash_core import LeitongError
from simhash_core.storage.library import Library


def draw() -> None:
    """Draw the library of this reader, or the way to the first texts."""
    try:
        held = library()
        if held is None:
            _empty()
        else:
            _whole(held)
    except LeitongError as error:
        page_head(t("library.title"))
        caution(t("library.not_opened"), error_text(error))
    foot()


def _empty() -> None:
    with page_head(t("library.title")):
        pass
    paragraph(t("library.empty"))
    if imports.watched():
        return
    if st.button(t("library.add"), key="library_add", type="primary", icon=":material/add:"):
        adding.dialog(())
    keeping.in_plain_words()


def _whole(held: Library) -> None:
    rows = held.collections()
    texts = sum(row.texts for row in rows)
    stats = held.stats()
    size = file_size(stats.size)
    lead = t("library.lead", n=len(rows), texts=number(texts), size=size)
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
            adding.dialog(tuple(row.name for row in rows))
    imports.watched()
    imports.ended()
    imports.deleted()
    collections.table(held, rows)
    imports.interrupted(held)
    left, right = st.columns([11, 6], gap="large")
    with left:
        lookup.lookup(held)
    with right:
        keeping.statistics(held, stats)
        keeping.keeping(held, stats, [row.name for row in rows])
