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
from ..shared.session import t
from ..shared.widgets import caution, write_html
from . import against, recent, uploads
from .settings_form import give_to_all
from .uploads import TEXT_FORMATS, Batch, Caution, Entry

#: door of the front page -> its boxes and what each takes
DOORS: dict[str, tuple[tuple[str, Literal[True, "directory"]], ...]] = {
    "class": (("files", True), ("folder", "directory")),
    "two": (("two", True),),
    "library": (("drafts", True),),
}
#: beginnings of the names of two sample essays, by language
_PAIR = {"zh": ("04", "19"), "en": ("03", "14")}


def upload_boxes(door: str, label: str = "check.ways.{name}") -> None:
    """Draw the boxes of a door; uploads are read at once, then the boxes are empty again.

    `label` is the key of what stands on each, with the `name` of the box.
    """
    turn = uploads.tab.uploader
    added: list[Any] = []
    for name, several in DOORS[door]:
        with st.container(key=f"{name}-way", width="content"):
            added += st.file_uploader(
                t(label.format(name=name)),
                accept_multiple_files=several,
                key=f"{name}_{turn}",
                label_visibility="collapsed",
            )
    if not added:
        return
    projects = [file for file in added if file.name.endswith(SUFFIX)]
    batch, kept_out = uploads.find_batch(), inside_streamlit.take_refused()
    count = len(added) + (len(batch.entries) if batch else 0)
    size = sum(file.size for file in added) + (batch.size if batch else 0)
    if kept_out is not None:
        count, size = count + kept_out.files, size + kept_out.bytes
    too_much = count > uploads.MOST_FILES or size > uploads.MOST_BYTES
    uploads.tab.refused = (count, size) if too_much else None
    if projects:
        _open_project(projects[0])
    elif not too_much:
        uploads.put_in(added, door)
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
    uploads.clear()
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


def open_sample(kind: str) -> None:
    """Read a sample in place of what was there: the class, or two essays, in the language here."""
    uploads.clear()
    held, language = samples(), "zh" if in_chinese(session.language()) else "en"
    if kind == "two":
        uploads.queue(*gather(p for p in held["essays"] if p.name[:2] in _PAIR[language]))
        uploads.go_through("two")
    else:
        uploads.queue(*gather(held[f"class-{language}"]))
        beside, opened = sample_class(language), open_checks.find_current()
        if opened is not None:
            uploads.name_after([str(one) for one in held[f"class-{language}"]])
            opened.take_class_list(read_class_list(beside.class_list, name=beside.class_list.name))
        give_to_all(read(gather([beside.task])[0])[0])
        against.compare_with(read(gather([beside.last_year])[0])[0])
    uploads.read_queue()


# --------------------------------------------------------------------------- what was read

FIRST_ROWS = 10
ENCODINGS = ("utf-8", "gb18030", "big5", "utf-16", "cp1252")

PREVIEW_CHARACTERS = 800


def table(batch: Batch, cautions: Sequence[tuple[Caution, ...]]) -> None:
    """Draw the files, those that need a look first, and answer what the reader asks of one."""
    order = batch.in_order_of_need(cautions)
    answer = file_table(
        "files_table",
        head=[
            t(f"check.column.{name}") for name in ("file", "encoding", "length", "state", "note")
        ],
        rows=[_row(row, batch.entries[row], cautions[row]) for row in order],
        caption=t("check.read"),
        edit=t("check.preview"),
        drop=t("check.remove"),
        first=FIRST_ROWS,
    )
    if answer.drop is not None and answer.drop < len(batch.entries):
        uploads.remove(answer.drop)
        st.rerun()
    if answer.preview is not None and answer.preview < len(batch.entries):
        _preview(answer.preview)


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
