"""The ways in: the drop zone, and the samples."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from simhash_core import LeitongError, gather, samples
from simhash_core.checking import formats
from simhash_core.storage import SUFFIX

from ..shared import inside_streamlit, open_checks
from ..shared.formatting import esc
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import caution, figure_head, note, open_page, write_html
from . import uploads
from .settings_form import choose_preset

#: the way of comparing that fits each sample
SAMPLE_PRESETS = {"essays": "essays", "reposts": "reposts"}

_WAYS: tuple[tuple[str, Literal[True, "directory"]], ...] = (
    ("files", True),
    ("folder", "directory"),
)


def drop_zone(*, empty: bool) -> None:
    """Draw the box for files and folders; uploads are read at once, then the box is empty again."""
    turn = tab.uploader
    added: list[Any] = []
    with st.container(key="drop-empty" if empty else "drop", gap="xsmall"):
        if empty:
            write_html(f'<p class="lt-drop">{esc(t("check.drop"))}</p>')
        with st.container(horizontal=True, key="drop-ways", gap="small", width="content"):
            for kind, several in _WAYS:
                with st.container(key=f"{kind}-way", width="content"):
                    added += st.file_uploader(
                        t(f"check.drop_{kind}"),
                        accept_multiple_files=several,
                        key=f"{kind}_{turn}",
                        label_visibility="collapsed",
                    )
        note(t("check.drop_hint" if empty else "check.drop_more"))
    projects = [file for file in added if file.name.endswith(SUFFIX)]
    if projects:
        _open_project(projects[0])
    elif added:
        _take(added)
    if added:
        inside_streamlit.forget(added)
        tab.uploader = turn + 1
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
            tab.not_opened = error


def _take(added: list[Any]) -> None:
    """Read the uploads, unless they are too many or too large; then none of them is added."""
    batch, kept_out = uploads.current(), inside_streamlit.refused()
    count = len(added) + (len(batch.entries) if batch else 0)
    size = sum(file.size for file in added) + (batch.size if batch else 0)
    if kept_out is not None:
        count, size = count + kept_out.files, size + kept_out.bytes
    too_much = count > uploads.MOST_FILES or size > uploads.MOST_BYTES
    tab.refused = (count, size) if too_much else None
    if not too_much:
        uploads.put_in(added)


def refused() -> None:
    """Say that an upload exceeded a limit and was left out."""
    if tab.refused is not None:
        count, size = tab.refused
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
    sources, skipped = gather(samples()[name])
    readable = [item for item in sources if item.name.rpartition(".")[2] in formats()]
    del skipped  # the notices and the answers that lie beside the samples
    choose_preset(SAMPLE_PRESETS[name])
    uploads.queue(readable, ())
    uploads.read_queue()
