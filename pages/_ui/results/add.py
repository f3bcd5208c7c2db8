"""Adding to a check that is done: a late text, last year's texts, or the task sheet."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ..check import against, settings_form, start, uploads
from ..shared import inside_streamlit, open_checks
from ..shared.decided import read_decisions
from ..shared.open_checks import OpenCheck
from ..shared.session import t
from ..shared.tab import Fact
from ..shared.widgets import note, open_page

KINDS = ("late", "references", "task")


class Tab:
    """What a tab remembers: that files were given, and the check goes on."""

    files_added = Fact(False)


tab = Tab()


def draw_add_button() -> None:
    """Draw the button that opens the dialog; once files were given there, go on where they are."""
    if tab.files_added:
        del tab.files_added
        open_page("check")
    if st.button(t("results.add.open"), key="add", icon=":material/note_add:"):
        st.dialog(t("results.add.open"), width="medium")(_draw_dialog)()


def _draw_dialog() -> None:
    """Draw what can be added, what stays as it is, and the button that goes on."""
    opened = open_checks.find_current()
    assert opened is not None
    # a check looks into a library, or at texts that are given
    offered = [kind for kind in KINDS if kind != "references" or not opened.beside().libraries]
    names = {kind: t(f"results.add.{kind}") for kind in offered}
    kind = st.segmented_control(
        t("results.add.what"),
        offered,
        default=KINDS[0],
        required=True,
        format_func=names.__getitem__,
        label_visibility="collapsed",
        key="add_kind",
    )
    note(t(f"results.add.{kind}_note"))
    files = st.file_uploader(
        names[str(kind)],
        accept_multiple_files=True,
        key=f"add_{kind}",
        label_visibility="collapsed",
    )
    note(t("results.add.kept", n=len(read_decisions())))
    if st.button(t("results.add.start"), key="add_start", type="primary", disabled=not files):
        add_files(opened, str(kind), files)
        inside_streamlit.forget(files)
        st.rerun()


def add_files(opened: OpenCheck, kind: str, files: list[Any]) -> None:
    """Put files where they belong in a check, which goes on once they have been read."""
    uploads.tab.goes_on = opened.project.id, start.count_given()
    tab.files_added = True
    if kind == "late":
        uploads.put_in(files)
        return
    given = [(file.name, file.getvalue()) for file in files]
    if kind == "references":
        against.add_files(given)
        return
    with st.spinner(t("check.reading")):
        settings_form.read_sheets(given)
