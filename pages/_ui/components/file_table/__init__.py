"""The table of what was read: a real <table>; the encoding of a text file is a button.

file_table(key, head=(...), rows=[FileRow, ...], caption="") -> id of the row to look at, or None
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
_table = st.components.v2.component(
    "leitong_file_table",
    html='<div class="wrap" tabindex="0" role="region"></div>',
    css=(_HERE / "file_table.css").read_text("utf-8"),
    js=(_HERE / "file_table.js").read_text("utf-8"),
)


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file. `state_kind` is "", "warn" or "bad"; `action` names what the note offers."""

    id: int
    name: str
    encoding: str
    length: str
    state: str
    state_kind: str
    note: str
    action: str = ""
    editable: bool = False


def file_table(
    key: str, *, head: Sequence[str], rows: Sequence[FileRow], caption: str, edit: str
) -> int | None:
    """Draw the files and return the row that the reader wants to preview."""
    answer = _table(
        key=key,
        data={
            "head": list(head),
            "rows": [asdict(row) for row in rows],
            "caption": caption,
            "edit": edit,
        },
        on_preview_change=lambda: None,
    )
    return None if answer.preview is None else int(answer.preview)
