"""Reading past damage: what cannot be read is left out, all else is answered.

SQLite gives up a query at the first page that it cannot make sense of. Keys are dense, so a range
that fails is halved until the rows on the bad page stand alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ...errors import StoreError
from .rows import is_sealed, row_digest
from .schema import COLUMNS
from .sessions import SqliteStore, Store

CHUNK = 256  # keys of one range
#: what a damaged page makes SQLite or Python raise
DAMAGE = (StoreError, MemoryError, OverflowError, ValueError, TypeError)
#: codes of `StoreError` that say nothing about the content
_ELSEWHERE = ("store_busy", "store_unreachable", "store_missing", "store_read_only")


def rows_between(store: Store, table: str, low: int, high: int) -> Iterator[Any]:
    """Yield the readable rows of a table whose first column lies in [low, high]."""
    column = COLUMNS[table][0]
    statement = (
        f"SELECT {', '.join(COLUMNS[table])} FROM {table} WHERE {column} >= :low"
        f" AND {column} <= :high ORDER BY {column} LIMIT :most"
    )
    waiting = [(low, high)]
    while waiting:
        low, high = waiting.pop()
        try:
            with store.reading() as session:
                rows = session.rows(statement, low=low, high=high, most=high - low + 1)
        except DAMAGE as error:
            _require_damage(error)
            if low < high:
                middle = (low + high) // 2
                waiting += [(middle + 1, high), (low, middle)]
            continue
        yield from (row for row in rows if low <= row[0] <= high)


def ranges(newest: int) -> Iterator[tuple[int, int]]:
    """Cut all keys up to the newest into ranges."""
    for low in range(1, newest + 1, CHUNK):
        yield low, min(low + CHUNK - 1, newest)


def query(store: Store, statement: str, **values: Any) -> list[Any] | None:
    """Return the rows of a query, None where it cannot be answered."""
    try:
        with store.reading() as session:
            return session.rows(statement, **values)
    except DAMAGE as error:
        _require_damage(error)
        return None


def _require_damage(error: Exception) -> None:
    """Raise what is no damage: the caller may try again."""
    if isinstance(error, StoreError) and error.code in _ELSEWHERE:
        raise error


@dataclass(frozen=True, slots=True)
class Holdings:
    """The collections of one owner as far as they can be read: name by number."""

    names: dict[int, str]
    damaged: tuple[int, ...]


def holdings(store: Store, owner: str) -> Holdings:
    """Return the collections of an owner, those of damaged rows too where the index has them."""
    rows = first_of(rows_between(store, "collection", 1, largest(store, "collection")))
    whole = {number: row for number, row in rows.items() if is_sealed(row)}
    names = {number: row[2] for number, row in whole.items() if row[1] == owner}
    indexed = query(store, _INDEXED, owner=owner) if isinstance(store, SqliteStore) else []
    left = {number: name for number, name in indexed or [] if number not in whole}
    for number in rows.keys() - whole.keys() - left.keys():  # the owner alone may be damaged
        row = rows[number]
        if row[1] == owner or row_digest((number, owner, *row[2:-1])) == row[-1]:
            left[number] = row[2]
    strings = {number: name if isinstance(name, str) else "" for number, name in left.items()}
    return Holdings(names | strings, tuple(sorted(left)))


#: an index holds a second copy of what it sorts by
_INDEXED = (
    "SELECT id, name FROM collection INDEXED BY collection_name"
    " WHERE owner = :owner AND removed = 0"
)


def largest(store: Store, table: str) -> int:
    """Return the largest number of a table: as it was noted, else that of its last whole row."""
    noted = query(store, _NOTED, name=f"last_{table}")
    if noted and is_sealed(noted[0]):
        return int(json.loads(noted[0][1]))
    column = COLUMNS[table][0]
    last = f"SELECT {', '.join(COLUMNS[table])} FROM {table} ORDER BY {column} DESC LIMIT 50"
    return max((row[0] for row in query(store, last) or [] if is_sealed(row)), default=0)


_NOTED = "SELECT name, value, digest FROM meta WHERE name = :name"


def first_of(rows: Iterable[Any]) -> dict[int, Any]:
    """Return rows by their first column."""
    return {row[0]: row for row in rows}
