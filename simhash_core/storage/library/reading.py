"""Texts out of the tables, each checked against its sha-256."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...errors import StoreError
from ...model import text_id
from ..compression import expand
from .sessions import Session

MOST_TEXT = 256 * 2**20  # bytes of one text
_BATCH = 500  # keys of one statement; a database has a limit


def batches(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    """Cut keys into parts that fit one statement."""
    for start in range(0, len(keys), _BATCH):
        yield keys[start : start + _BATCH]


class Places:
    """The places of a list of keys in a statement, and what goes there."""

    def __init__(self, keys: Iterable[int]) -> None:
        self.values: dict[str, Any] = {f"k{n}": key for n, key in enumerate(keys)}
        self.marks = ", ".join(f":{name}" for name in self.values)


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
            if text_id(text) == row[2].hex():
                return text
        except (KeyError, UnicodeDecodeError, StoreError):
            pass
        raise StoreError("store_damaged", name=row[4])


def read_texts(session: Session, keys: Iterable[int]) -> Bodies:
    """Read some rows of `body`."""
    held: dict[int, tuple[int, int, bytes]] = {}
    for some in batches(sorted(keys)):
        places = Places(some)
        statement = f"SELECT key, codec, size, data FROM body WHERE key IN ({places.marks})"
        for key, codec, size, data in session.rows(statement, **places.values):
            held[key] = (codec, size, data)
    return Bodies(held)
