"""Which files are libraries, without opening them."""

from __future__ import annotations

from pathlib import Path

from .schema import LIBRARY

_MAGIC, _APPLICATION_ID = b"SQLite format 3\x00", slice(68, 72)  # of the file format of SQLite


def is_library(path: Path) -> bool:
    """Return whether a file says that it is a library; False where it cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(_APPLICATION_ID.stop)
    except OSError:
        return False
    named = int.from_bytes(head[_APPLICATION_ID], "big")
    return head.startswith(_MAGIC) and named == LIBRARY.application_id
