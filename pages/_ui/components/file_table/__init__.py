"""The table of what was read: a real <table>; the encoding of a text file is a button.

file_table(key, head=..., rows=[FileRow, ...]) -> Answer: the row to look at, the row to take out
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from .. import register

_table = register("file_table", '<div class="wrap" tabindex="0" role="region"></div>')


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


@dataclass(frozen=True, slots=True)
class Answer:
    """What the reader asked for: ids of rows, or None."""

    preview: int | None
    drop: int | None


def file_table(
    key: str, *, head: Sequence[str], rows: Sequence[FileRow], caption: str, edit: str, drop: str
) -> Answer:
    """Draw the files and return what the reader asks for."""
    answer = _table(
        key=key,
        data={
            "head": list(head),
            "rows": [asdict(row) for row in rows],
            "caption": caption,
            "edit": edit,
            "drop": drop,
        },
        on_preview_change=lambda: None,
        on_drop_change=lambda: None,
    )
    return Answer(answer.preview, answer.drop)
