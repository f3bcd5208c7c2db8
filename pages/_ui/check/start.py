"""The blocks of the page Check."""

from __future__ import annotations

from typing import Any

import streamlit as st

from simhash_core import Settings, check, gather, samples
from simhash_core.checking import estimate, formats

from ..components.file_table import FileRow, file_table
from ..shared import jobs, session
from ..shared.formatting import encoding_name, error_text, esc, length, note_text, seconds
from ..shared.jobs import Job
from ..shared.running import steps_done
from ..shared.session import t
from ..shared.widgets import caution, figure_head, note, open_page, paragraph, write_html
from . import uploads
from .settings_form import settings_form
from .uploads import Batch, Entry

FIRST_ROWS = 10
MANY_ROWS = 200  # above, a scrolling grid
STAGES = ("tokens", "fingerprints", "pairs", "candidates", "prepare", "align", "clusters")
ENCODINGS = ("utf-8", "gb18030", "big5", "utf-16", "cp1252")
TEXT_FORMATS = ("txt", "md", "html", "htm")
PREVIEW_CHARACTERS = 800


def uploaders(*, empty: bool) -> None:
    """Draw the drop zones; what is put in is read at once and the zone is empty again."""
    turn = session.get("lt.uploader", 0)
    added: list[Any] = []
    with st.container(key="drop-empty" if empty else "drop"):
        left, right = st.columns(2, gap="medium")
        for column, kind, several in ((left, "files", True), (right, "folder", "directory")):
            added += column.file_uploader(
                t(f"check.drop_{kind}"),
                accept_multiple_files=several,  # type: ignore[arg-type]
                key=f"{kind}_{turn}",
                help=t("check.drop_help") if kind == "files" else None,
            )
    if empty:
        note(t("check.formats"))
    if added:
        _take(added)
        session.put("lt.uploader", turn + 1)
        st.rerun()


def _take(added: list[Any]) -> None:
    """Read what was put in, unless it is too much."""
    batch = uploads.current()
    count = len(added) + (len(batch.entries) if batch else 0)
    size = sum(file.size for file in added) + (batch.size if batch else 0)
    too_much = count > uploads.MOST_FILES or size > uploads.MOST_BYTES
    session.put("lt.refused", (count, size) if too_much else None)
    if not too_much:
        uploads.put_in(added)


def refused() -> None:
    """Say that an upload was too much and was left out."""
    found = session.get("lt.refused")
    if found is not None:
        count, size = found
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


def first_start() -> None:
    """Three ways in for a reader without files."""
    refused()
    st.space("small")
    columns = st.columns(3, gap="large")
    for column, name, icon in zip(
        columns, ("essays", "reposts"), ("school", "newspaper"), strict=False
    ):
        with column:
            figure_head(t(f"check.sample.{name}.title"))
            with st.container(key=f"pitch-{name}"):
                note(t(f"check.sample.{name}.text"))
            if st.button(
                t("check.sample.open"),
                key=f"sample_{name}",
                icon=f":material/{icon}:",
                disabled=name not in samples(),
            ):
                open_sample(name)
                st.rerun()
    with columns[2]:
        figure_head(t("check.sample.lab.title"))
        with st.container(key="pitch-lab"):
            note(t("check.sample.lab.text"))
        if st.button(t("check.sample.lab.open"), key="to_lab", icon=":material/fingerprint:"):
            open_page("fingerprint_lab")


def open_sample(name: str) -> None:
    """Read a sample collection in place of what was there."""
    uploads.clear()
    jobs.put_away("check")
    sources, skipped = gather(samples()[name])
    readable = [item for item in sources if item.name.rpartition(".")[2] in formats()]
    del skipped  # the notices and the answers that lie beside the samples
    uploads.queue(readable, (), name=t(f"check.sample.{name}.title"))
    uploads.read_queue()


def finished_elsewhere() -> None:
    """Offer the result of a check that ended while the reader was on another page."""
    if session.get("lt.finished"):
        with st.container(horizontal=True, vertical_alignment="center"):
            paragraph(t("check.finished"))
            if st.button(t("check.open_result"), key="open_result", icon=":material/bar_chart:"):
                session.put("lt.finished", None)
                open_page("overview")


def ended_early(job: Job) -> None:
    """Say how a check ended that was stopped or failed, and what can be done now."""
    if job.state == "failed" and job.error is not None:
        caution(t("check.failed_lead"), t("check.failed_text", n=job.facts["n"]))
        note(error_text(job.error))
        return
    caution(t("check.stopped_lead"), t("check.stopped", n=steps_done(job)))
    if st.button(t("check.prints_only"), key="prints_only", icon=":material/bar_chart:"):
        start(job.facts["batch"], job.facts["settings"], passages=False)
        st.rerun()


def run_facts(job: Job) -> str:
    """Say what is being checked."""
    settings: Settings = job.facts["settings"]
    return t(
        "frame.current.facts",
        n=job.facts["n"],
        count=job.facts["n"],
        bits=settings.bits,
        preset=t(f"settings.preset.{settings.preset}"),
    )


def start(batch: Batch, settings: Settings, *, passages: bool | None = None) -> None:
    """Start a check of what was read."""
    if passages is not None:
        settings = Settings.of(settings.preset, bits=settings.bits, passages=passages)
    documents, skipped = batch.documents, batch.skipped

    def work(progress: jobs.Progress) -> object:
        return check(documents, settings=settings, skipped=skipped, progress=progress)

    session.put("lt.finished", None)
    left_out = {"align"} if not settings.passages else set()
    if not estimate(documents, settings=settings).preparation:
        left_out |= {"prepare"}
    stages = tuple(stage for stage in STAGES if stage not in left_out)
    jobs.start(
        "check",
        work,
        stages=stages,
        facts={"n": len(documents), "name": batch.name, "settings": settings, "batch": batch},
    )


def read_and_settings(batch: Batch) -> None:
    """What was read on the left, how to compare it on the right."""
    refused()
    left, right = st.columns([11, 5], gap="large")
    with left:
        figure_head(t("check.read"), t("check.read_note"))
        _files(batch)
    with right:
        figure_head(t("check.how"))
        settings = settings_form(len(batch.documents))
        _start_button(batch, settings)


def reading_facts(batch: Batch) -> str:
    """Say how many files are ready, how many are not, and how many deserve a look."""
    counts = (
        ("ready", len(batch.documents)),
        ("lost", len(batch.skipped)),
        ("look", batch.to_look_at),
    )
    said = [t(f"check.{name}", n=n) for name, n in counts if n or name == "ready"]
    return t("check.comma").join(said)


def _start_button(batch: Batch, settings: Settings) -> None:
    n = len(batch.documents)
    if st.button(
        t("check.start", n=n),
        key="start",
        type="primary",
        icon=":material/play_arrow:",
        width="stretch",
        shortcut="Ctrl+Enter",
        disabled=n < 2,
    ):
        start(batch, settings)
        st.rerun()
    if n < 2:
        note(t("check.too_few", n=n))
        return
    expected = estimate(batch.documents, settings=settings)
    time, pairs = seconds(expected.seconds), n * (n - 1) // 2
    if expected.preparation:
        once = seconds(expected.preparation)
        note(t("check.estimate_first", time=time, preparation=once, pairs=pairs))
    else:
        note(t("check.estimate", time=time, pairs=pairs))


def _files(batch: Batch) -> None:
    order = batch.in_order_of_need()
    if len(order) > MANY_ROWS:
        _grid(batch, order)
        return
    everything = session.get("lt.all_files", False)
    shown = order if everything else order[:FIRST_ROWS]
    answer = file_table(
        "files_table",
        head=[
            t(f"check.column.{name}") for name in ("file", "encoding", "length", "state", "note")
        ],
        rows=[_row(row, batch.entries[row]) for row in shown],
        caption=t("check.read"),
        edit=t("check.preview"),
        drop=t("check.drop"),
    )
    rest = len(order) - len(shown)
    if rest and st.button(
        t("check.show_rest", n=rest), key="rest", type="tertiary", icon=":material/expand_more:"
    ):
        session.put("lt.all_files", True)
        st.rerun()
    if answer.drop is not None and answer.drop < len(batch.entries):
        uploads.remove(answer.drop)
        st.rerun()
    if answer.preview is not None and answer.preview < len(batch.entries):
        _preview(answer.preview)


def _grid(batch: Batch, order: list[int]) -> None:
    """The same facts in a grid that scrolls; a selected row opens its preview."""
    rows = [_row(row, batch.entries[row]) for row in order]
    table = {
        t("check.column.file"): [row.name for row in rows],
        t("check.column.encoding"): [row.encoding for row in rows],
        t("check.column.length"): [row.length for row in rows],
        t("check.column.state"): [row.state for row in rows],
        t("check.column.note"): [row.note for row in rows],
    }
    event = st.dataframe(
        table, key="files_grid", hide_index=True, on_select="rerun", selection_mode="single-row"
    )
    selected = event.selection.rows
    chosen = selected and rows[selected[0]].editable
    if chosen and st.button(t("check.preview"), key="preview_row"):
        _preview(rows[selected[0]].id)


def _row(at: int, entry: Entry) -> FileRow:
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
    notes = entry.cautions
    language = t(f"check.language.{document.language or 'other'}")
    encoding = encoding_name(document.encoding) or document.format.upper()
    size = length(len(document.text), document.language)
    if not notes:
        return FileRow(
            at, entry.name, encoding, size, t("check.state.ready"), "", language, editable=editable
        )
    text = "；".join if session.language() == "zh" else "; ".join
    return FileRow(
        at,
        entry.name,
        encoding,
        size,
        t(f"notes.tag.{notes[0].code}"),
        "warn",
        text(note_text(item.code, item.params) for item in notes),
        t("check.preview") if editable else "",
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
            write_html(f'<div class="lt-preview" tabindex="0">{shown}</div>')
        if st.button(
            t("check.use_encoding", encoding=encoding_name(encoding)),
            key="use_encoding",
            type="primary",
            disabled=seen.document is None,
        ):
            batch.entries[row] = seen
            st.rerun()

    dialog()
