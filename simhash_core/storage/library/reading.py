"""Texts out of the tables, each checked against its sha-256."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...errors import StoreError
from ...model import text_id
from ..compression import expand
from .rows import unescaped
from .sessions import Places, Session, batches

MOST_TEXT = 256 * 2**20  # bytes of one text


class Bodies:
    """Texts as they are stored, expanded when asked for."""

    def __init__(self, rows: dict[int, tuple[int, int, bytes]]) -> None:
        self._rows = rows

    def text(self, row: Sequence[Any]) -> str:
        """Return the text of a row of `document`.

        Raises
        ------
        StoreError
            `store_damaged`, with the name of the text.
        """
        try:
            codec, size, data = self._rows[row[3]]
            text = expand(codec, data, size=size, most=MOST_TEXT).decode("utf-8", "surrogatepass")
            if text_id(text) == bytes(row[2]).hex():
                return text
        except (KeyError, TypeError, ValueError, StoreError):
            pass
        raise StoreError("store_damaged", name=unescaped(row[4]))


def read_bodies(session: Session, keys: Iterable[int]) -> Bodies:
    """Read some rows of `body`."""
    held: dict[int, tuple[int, int, bytes]] = {}
    for some in batches(sorted(keys)):
        places = Places(some)
        statement = f"SELECT key, codec, size, data FROM body WHERE key IN ({places.marks})"
        for key, codec, size, data in session.rows(statement, **places.values):
            held[key] = (codec, size, data)
    return Bodies(held)
