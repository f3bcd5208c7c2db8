"""The files of a check: the ways in, the table of what was read, and the preview of one file."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from simhash_core import LeitongError, gather, read, samples
from simhash_core.app import department, tickets
from simhash_core.checking import sample_class
from simhash_core.i18n import in_chinese
from simhash_core.people import read_class_list
from simhash_core.storage import SUFFIX

from ..components.lists import FileRow, file_table
from ..shared import inside_streamlit, open_checks, session
from ..shared.formatting import encoding_name, esc, length, note_text
from ..shared.navigation import is_page
from ..shared.session import t
from ..shared.widgets import caution, figure_head, note, open_page, write_html
from . import against, recent, uploads
from .settings_form import choose_preset, give_to_all
from .uploads import TEXT_FORMATS, Batch, Caution, Entry

#: the way of comparing that fits each kind of sample, and its sign
SAMPLE_PRESETS = {"class": "essays", "essays": "essays", "reposts": "reposts"}
_ICONS = {"class": "groups", "essays": "school", "reposts": "newspaper"}

_WAYS: tuple[tuple[str, Literal[True, "directory"]], ...] = (
    ("files", True),
    ("folder", "directory"),
)


def drop_zone(*, empty: bool, words: str = "check.drop") -> None:
    """Draw the box for files and folders; uploads are read at once, then the box is empty again.

    `words` is the key of its title where it is empty; with `_hint`, of the line under the buttons.
    """
    turn = uploads.tab.uploader
    added: list[Any] = []
    with st.container(key="drop-empty" if empty else "drop", gap="xsmall"):
        if empty:
            write_html(f'<p class="lt-drop">{esc(t(words))}</p>')
        with st.container(horizontal=True, key="drop-ways", gap="small", width="content"):
            for kind, several in _WAYS:
                with st.container(key=f"{kind}-way", width="content"):
                    added += st.file_uploader(
                        t(f"check.drop_{kind}"),
                        accept_multiple_files=several,
                        key=f"{kind}_{turn}",
                        label_visibility="collapsed",
                    )
        note(t(f"{words}_hint" if empty else "check.drop_more"))
    projects = [file for file in added if file.name.endswith(SUFFIX)]
    if projects:
        _open_project(projects[0])
    elif added:
        batch, kept_out = uploads.find_batch(), inside_streamlit.take_refused()
        count = len(added) + (len(batch.entries) if batch else 0)
        size = sum(file.size for file in added) + (batch.size if batch else 0)
        if kept_out is not None:
            count, size = count + kept_out.files, size + kept_out.bytes
        too_much = count > uploads.MOST_FILES or size > uploads.MOST_BYTES
        uploads.tab.refused = (count, size) if too_much else None
        if not too_much:
            uploads.put_in(added)
    if added:
        inside_streamlit.forget(added)
        uploads.tab.uploader = turn + 1
        st.rerun()


def _open_project(file: Any) -> None:
    """Take a check that somebody handed over onto the shelf of this reader and look at it."""
    with tempfile.TemporaryDirectory("leitong") as folder:
        path = Path(folder) / "handed-over.leitong"
        path.write_bytes(file.getvalue())
        try:
            project = open_checks.shelf().take_in(path)
            key = project.id
            project.close()
            open_checks.open_check(key)
        except LeitongError as error:
            error.params["name"] = file.name
            recent.tab.not_opened = error


def say_refused() -> None:
    """Say that an upload exceeded a limit and was left out."""
    if uploads.tab.refused is not None:
        count, size = uploads.tab.refused
        caution(
            t("check.refused_lead"),
            t(
                "check.refused",
                count=count,
                mb=size // 1024**2,
                most=uploads.MOST_FILES,
                most_mb=uploads.MOST_BYTES // 1024**2,
            ),
        )


def open_handed() -> None:
    """Begin with what the program was started with: `leitong desktop FOLDER`, a double click."""
    secret = str(st.query_params.pop("open", ""))
    paths = tickets.take_over(secret) if secret and department.find_department() is None else []
    if not paths:
        return
    put_away()
    sources, skipped = gather(paths)
    size = sum(
        len(one.data) if one.data else Path(one.path or "").stat().st_size for one in sources
    )
    if len(sources) > uploads.MOST_FILES or size > uploads.MOST_BYTES:
        uploads.tab.refused = len(sources), size
        return
    uploads.queue(sources, skipped, size=size)
    if len(paths) == 1:
        uploads.name_after(
            [f"{Path(paths[0]).name}/" if Path(paths[0]).is_dir() else str(paths[0])]
        )
    uploads.read_queue()


def sample_titles() -> dict[str, str]:
    """Return the samples and what they are called, first the class in the language of the page."""
    held, language = samples(), "zh" if in_chinese(session.language()) else "en"
    names = {kind: f"{kind}-{language}" if kind == "class" else kind for kind in SAMPLE_PRESETS}
    return {name: t(f"check.sample.{kind}.title") for kind, name in names.items() if name in held}


def other_ways() -> None:
    """Ways in for a reader without files: the samples, and the laboratory."""
    titles = sample_titles()
    columns = st.columns(len(titles) + 1, gap="large")
    for column, (name, title) in zip(columns, titles.items(), strict=False):
        kind = name.partition("-")[0]
        with column:
            figure_head(title)
            with st.container(key=f"pitch-{kind}"):
                note(t(f"check.sample.{kind}.text"))
            icon = f":material/{_ICONS[kind]}:"
            if st.button(t("check.sample.open"), key=f"sample_{kind}", icon=icon):
                open_sample(name)
                st.rerun()
    if not is_page("fingerprint_lab"):
        return
    with columns[-1]:
        figure_head(t("check.sample.lab.title"))
        with st.container(key="pitch-lab"):
            note(t("check.sample.lab.text"))
        if st.button(t("check.sample.lab.open"), key="to_lab", icon=":material/fingerprint:"):
            open_page("fingerprint_lab")


def put_away() -> None:
    """Look at no files."""
    uploads.clear()


def open_sample(name: str) -> None:
    """Read a sample collection in place of what was there."""
    put_away()
    kind, _, language = name.partition("-")
    choose_preset(SAMPLE_PRESETS[kind])
    uploads.queue(*gather(samples()[name]))
    if language:
        beside, opened = sample_class(language), open_checks.find_current()
        if opened is not None:
            opened.take_class_list(read_class_list(beside.class_list, name=beside.class_list.name))
        give_to_all(read(gather([beside.task])[0])[0])
        against.compare_with(read(gather([beside.last_year])[0])[0])
    uploads.read_queue()


# --------------------------------------------------------------------------- what was read

FIRST_ROWS = 10
MANY_ROWS = 200  # above, a scrolling grid
ENCODINGS = ("utf-8", "gb18030", "big5", "utf-16", "cp1252")

PREVIEW_CHARACTERS = 800


def table(batch: Batch, cautions: Sequence[tuple[Caution, ...]]) -> None:
    """Draw the files, those that need a look first, and answer what the reader asks of one."""
    order = batch.in_order_of_need(cautions)
    if len(order) > MANY_ROWS:
        _grid([_row(row, batch.entries[row], cautions[row]) for row in order])
        return
    everything = uploads.tab.all_files
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
        uploads.tab.all_files = True
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
    size = length(entry.length.n, entry.length.unit)
    if not cautions:
        return FileRow(
            at, entry.name, encoding, size, t("check.state.ready"), "", language, editable=editable
        )
    text = "；".join if in_chinese(session.language()) else "; ".join
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
    batch = uploads.find_batch()
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
