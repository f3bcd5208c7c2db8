"""Library: what it holds, texts in, a phrase looked up, keeping and deleting in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from pages._ui.library import adding, collections, deleting, keeping, lookup
from pages._ui.shared import jobs
from pages._ui.shared.formatting import error_text, file_size
from pages._ui.shared.libraries import library, say_damage
from pages._ui.shared.session import t
from pages._ui.shared.web import log_button
from pages._ui.shared.widgets import caution, foot, page_head, paragraph
from simhash_core import LeitongError
from simhash_core.library import index_size
from simhash_core.storage.library import CollectionRow, Library, LibraryStats


def draw() -> None:
    """Draw the library of this reader, or the way to the first texts."""
    try:
        held = library()
        whole = None if held is None else (held, held.collections(), held.stats())
    except LeitongError as error:
        page_head(t("library.title"))
        caution(t("library.not_opened"), error_text(error))
    else:
        _empty() if whole is None else _whole(*whole)
    foot()


@contextmanager
def _readable() -> Iterator[None]:
    """Say in place of one part of the page why it cannot be read; the others stay."""
    try:
        yield
    except LeitongError as error:
        caution(t("library.not_read"), error_text(error))


def _empty() -> None:
    with page_head(t("library.title")):
        pass
    paragraph(t("library.empty"))
    if adding.watched():
        return
    if st.button(t("library.add"), key="library_add", type="primary", icon=":material/add:"):
        adding.dialog(())
    keeping.in_plain_words()
    log_button()


def _whole(held: Library, rows: Sequence[CollectionRow], stats: LibraryStats) -> None:
    texts = sum(row.texts for row in rows)
    size = file_size(stats.size + index_size(held))
    lead = t("library.lead", n=len(rows), texts=texts, size=size)
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
    say_damage(held)
    adding.watched()
    adding.ended()
    deleting.said()
    with _readable():
        collections.table(held, rows)
    with _readable():
        adding.interrupted(held)
    left, right = st.columns([11, 6], gap="large")
    with left, _readable():
        lookup.lookup(held)
    with right, _readable():
        keeping.statistics(held, stats)
        keeping.sentences(held)
        keeping.keeping(held, stats, [row.name for row in rows])
        log_button()
