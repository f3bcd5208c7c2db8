"""What everybody was given: pasted or uploaded, it counts nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from simhash_core import Document, read
from simhash_core.checking import uploads as listed_uploads
from simhash_core.storage import Project

from ..shared import session
from ..shared.formatting import length_text, note_text
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import note

STORED = "check.templates"  # in the project: [[name, text], ...]
_PASTED, _UPLOAD = "template_text", "template_files"


def templates() -> list[Document]:
    """Return the task sheets and templates of the next check."""
    pasted = str(session.get(_PASTED) or "").strip()
    given = [Document.from_text(pasted, name=t("check.template.pasted"))] if pasted else []
    given += tab.template_files
    project = session.project()
    if given or project is None:
        return given
    return [Document.from_text(text, name=name) for name, text in project.get(STORED, [])]


def store(project: Project, given: Sequence[Document]) -> None:
    """Keep what was given to all with the check, so that it can go on elsewhere."""
    project.put(STORED, [[document.name, document.text] for document in given])


def template_fields() -> None:
    """Draw the field for a pasted text and the upload of files."""
    st.text_area(
        t("check.template.label"),
        key=_PASTED,
        help=t("check.template.help"),
        placeholder=t("check.template.placeholder"),
        height=120,
        persist_state="session",
    )
    files = st.file_uploader(
        t("check.template.files"), accept_multiple_files=True, key=_UPLOAD, max_upload_size=20
    )
    if files:
        _take(files)
    held = tab.template_files
    for document in held:
        note(t("check.template.read", name=document.name, length=length_text(document.text)))
    if held and st.button(t("check.template.forget"), key="forget_templates", type="tertiary"):
        del tab.template_files


def template_note() -> None:
    """Say on the page that something was given to all."""
    given = templates()
    if given:
        length = length_text("\n".join(document.text for document in given))
        note(t("check.template.note", n=len(given), length=length))


def _take(files: list[Any]) -> None:
    """Read the uploads; what cannot be read is said."""
    sources, refused = listed_uploads([(file.name, file.getvalue()) for file in files])
    documents, skipped = read(sources)
    tab.template_files = tuple(documents)
    for row in (*refused, *skipped):
        note(f"{row.name}: {note_text(row.code, row.params)}")
