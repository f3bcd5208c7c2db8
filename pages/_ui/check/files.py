"""The table of what was read, and the preview of one file in another encoding."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ..components.lists import FileRow, file_table
from ..shared import session
from ..shared.formatting import encoding_name, esc, length_text, note_text
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import caution, write_html
from . import uploads
from .uploads import TEXT_FORMATS, Batch, Caution, Entry

FIRST_ROWS = 10
MANY_ROWS = 200  # above, a scrolling grid
ENCODINGS = ("utf-8", "gb18030", "big5", "utf-16", "cp1252")

PREVIEW_CHARACTERS = 800


def files(batch: Batch, cautions: Sequence[tuple[Caution, ...]]) -> None:
    """Draw the files, those that need a look first, and answer what the reader asks of one."""
    order = batch.in_order_of_need(cautions)
    if len(order) > MANY_ROWS:
        _grid([_row(row, batch.entries[row], cautions[row]) for row in order])
        return
    everything = tab.all_files
    shown = order if everything else order[:FIRST_ROWS]
    answer = file_table(
        "files_table",
        head=[
            t(f"check.column.{name}") for name in ("file", "encoding", "length", "state", "note")
        ],
        rows=[_row(row, batch.entries[row], cautions[row]) for row in shown],
        caption=t("check.read"),
        edit=t("check.preview"),
        drop=t("check.remove"),
    )
    rest = len(order) - len(shown)
    if rest and st.button(
        t("check.show_rest", n=rest), key="rest", type="tertiary", icon=":material/expand_more:"
    ):
        tab.all_files = True
        st.rerun()
    if answer.drop is not None and answer.drop < len(batch.entries):
        uploads.remove(answer.drop)
        st.rerun()
    if answer.preview is not None and answer.preview < len(batch.entries):
        _preview(answer.preview)


def _grid(rows: Sequence[FileRow]) -> None:
    """The same facts in a grid that scrolls; a selected row opens its preview."""
    table = {
        t("check.column.file"): [row.name for row in rows],
        t("check.column.encoding"): [row.encoding for row in rows],
        t("check.column.length"): [row.length for row in rows],
        t("check.column.state"): [row.state for row in rows],
        t("check.column.note"): [row.note for row in rows],
    }
    event = st.dataframe(
        table,
        key="files_grid",
        height=420,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
    )
    selected = event.selection.rows
    chosen = selected and rows[selected[0]].editable
    if chosen and st.button(t("check.preview"), key="preview_row"):
        _preview(rows[selected[0]].id)


def _row(at: int, entry: Entry, cautions: Sequence[Caution]) -> FileRow:
    """What the table says about one file."""
    if entry.skipped is not None:
        item = entry.skipped
        return FileRow(
            at, entry.name, "—", "—", t("check.state.skipped"), "bad",
            note_text(item.code, item.params),
        )  # fmt: skip
    document = entry.document
    assert document is not None
    editable = entry.source is not None and document.format in TEXT_FORMATS
    language = t(f"check.language.{document.language or 'other'}")
    encoding = encoding_name(document.encoding) or document.format.upper()
    size = length_text(document.text)
    if not cautions:
        return FileRow(
            at, entry.name, encoding, size, t("check.state.ready"), "", language, editable=editable
        )
    text = "；".join if session.language() == "zh" else "; ".join
    return FileRow(
        at,
        entry.name,
        encoding,
        size,
        t(f"notes.tag.{cautions[0].code}"),
        "warn",
        text(note_text(item.code, item.params) for item in cautions),
        t("check.preview") if editable and cautions[0].code == "encoding_guess" else "",
        editable,
    )


def _preview(row: int) -> None:
    batch = uploads.current()
    if batch is None:
        return

    @st.dialog(t("check.preview_title"), width="large")
    def dialog() -> None:
        entry = batch.entries[row]
        current = entry.document.encoding if entry.document else "utf-8"
        options = {name: encoding_name(name) for name in (*ENCODINGS, current)}
        if encoding_name(current) in [options[name] for name in ENCODINGS]:
            options = {name: shown for name, shown in options.items() if name in ENCODINGS}
        encoding = st.selectbox(
            t("check.encoding_of", name=entry.name),
            list(options),
            format_func=options.__getitem__,
            index=list(options.values()).index(encoding_name(current)),
            key=f"encoding_{row}",
        )
        seen = uploads.preview(entry, encoding)
        if seen.document is None:
            caution(t("check.state.skipped"), t("check.not_in_encoding"))
        else:
            shown = esc(seen.document.text[:PREVIEW_CHARACTERS])
            script = "zh" if seen.document.language in ("zh", "mixed") else "en"
            write_html(f'<div class="lt-preview" lang="{script}" tabindex="0">{shown}</div>')
        if st.button(
            t("check.use_encoding", encoding=encoding_name(encoding)),
            key="use_encoding",
            type="primary",
            disabled=seen.document is None,
        ):
            uploads.replace(row, seen)
            st.rerun()

    dialog()
