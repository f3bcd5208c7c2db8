"""Every stored text looked at: is what is there what was written?

SQLite notices few flipped bits by itself; check sums of rows and the sha-256 of texts notice the
rest. A fault names the text that it touches.

Reading goes past damage: what cannot be read is left out, all else is answered. SQLite gives up a
query at the first page that it cannot make sense of. Keys are dense, so a range that fails is
halved until the rows on the bad page stand alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ...errors import StoreError
from ...model import Document
from ..database import Database
from .rows import Fault, counts_of, is_sealed, make_document, row_digest, unescape_text
from .tables import COLUMNS
from .texts import Bodies, text_of
from .view import Store

#: tables without a text of their own; a row that lost its owner is damage for everybody
_PLAIN = ("meta", "removal", "statistics", "job", "item", "outcome")
_BY_NAME = "SELECT d.key, d.name FROM document d INDEXED BY document_name WHERE d.collection = :id"
_BY_TEXT = "SELECT d.key FROM document d INDEXED BY document_text WHERE d.removed = 0"

CHUNK = 256  # keys of one range
#: what a damaged page makes SQLite or Python raise
DAMAGE = (StoreError, MemoryError, OverflowError, ValueError, TypeError)
#: codes of `StoreError` that say nothing about the content
_ELSEWHERE = ("store_busy", "store_unreachable", "store_missing", "store_read_only")


def content_faults(store: Store, owner: str) -> Iterator[Fault]:
    """Yield what is damaged in the tables, as far as it concerns one owner."""
    held, damaged = read_collections(store, owner)
    yield from (Fault(0, _name(held.get(number, "")), "collection") for number in damaged)
    names: dict[int, str] | None = None
    if isinstance(store, Database):  # what is left where a row is lost: the index has names too
        listed = [query(store, _BY_NAME, id=number) for number in held]
        if None not in listed:
            names = dict(row for rows in listed for row in rows or ())
    seen: set[int] = set()
    for rows, bodies in _read_ranges(store, lambda row: row[1] in held or not is_sealed(row)):
        counts = _by_key(_rows_at(store, "counts", _bodies_of(rows)))
        prints = _by_key(_rows_at(store, "fingerprint", [row[0] for row in rows]))
        for row in rows:
            seen.add(row[0])
            if what := _find_damage(row, bodies, counts, prints):
                yield Fault(row[0], _name(row[4]), what)
            elif names is not None and row[0] not in names:
                yield Fault(row[0], _name(row[4]), "index")
    for key in sorted((names or {}).keys() - seen):
        yield Fault(key, _name(names[key]) if names else "", "row")
    if isinstance(store, Database):
        yield from _index_faults(store, names)
    yield from (Fault(0, "", table) for table in _PLAIN if not is_whole(store, table))


def _find_damage(
    row: Any, bodies: Bodies, counts: Mapping[int, Any], prints: Mapping[int, Any]
) -> str:
    """Return what is damaged of a document, "" for nothing."""
    if not is_sealed(row):
        return "row"
    if not _is_readable(text_of, row, bodies):
        return "text"
    if not _is_readable(counts_of, counts.get(row[3])):
        return "counts"
    if row[-2] == 0 and not (row[0] in prints and is_sealed(prints[row[0]])):
        return "fingerprint"
    return ""


def documents(store: Store, owner: str, collection: str | None) -> Iterator[Document | Fault]:
    """Yield every live document in the order of the keys; a fault where one cannot be read."""
    held, _ = read_collections(store, owner)
    names = {number: unescape_text(name) for number, name in held.items()}
    wanted = {number for number, name in names.items() if collection in (None, name)}
    for rows, bodies in _read_ranges(store, lambda row: row[1] in wanted and row[-2] == 0):
        for row in rows:
            if not is_sealed(row):
                yield Fault(row[0], _name(row[4]), "row")
            elif not _is_readable(text_of, row, bodies):
                yield Fault(row[0], _name(row[4]), "text")
            else:
                yield make_document(row, names[row[1]], text_of(row, bodies))


def _read_ranges(
    store: Store, is_wanted: Callable[[Any], bool]
) -> Iterator[tuple[list[Any], Bodies]]:
    """Yield the wanted rows of `document` in the order of the keys, some at a time, and texts."""
    for low in range(1, find_largest(store, "document") + 1, CHUNK):
        rows = list(filter(is_wanted, rows_between(store, "document", low, low + CHUNK - 1)))
        yield rows, _by_key(_rows_at(store, "body", _bodies_of(rows)))


def _bodies_of(rows: Iterable[Any]) -> list[int]:
    return sorted({row[3] for row in rows if isinstance(row[3], int)})


def _by_key(rows: Iterable[Any]) -> dict[int, Any]:
    return {row[0]: row for row in rows}


def _rows_at(store: Store, table: str, keys: list[int]) -> Iterator[Any]:
    """Yield rows by key; keys that lie close together are read at once."""
    start = 0
    for n in range(1, len(keys) + 1):
        if n == len(keys) or keys[n] - keys[start] >= CHUNK:
            yield from rows_between(store, table, keys[start], keys[n - 1])
            start = n


def _is_readable(read: Callable[..., object], *row: Any) -> bool:
    try:
        read(*row)
    except DAMAGE:
        return False
    return True


def _index_faults(store: Database, names: dict[int, str] | None) -> Iterator[Fault]:
    """Yield a fault where an index cannot be read, or holds other texts than the table."""
    rows = query(store, _BY_TEXT)
    if names is None or rows is None:
        yield Fault(0, "", "index")
        return
    live = query(store, "SELECT key FROM document NOT INDEXED WHERE removed = 0")
    indexed = {key for (key,) in rows}
    if live is not None:
        for (key,) in live:
            if key in names and key not in indexed:
                yield Fault(key, _name(names[key]), "index")


def is_whole(store: Store, table: str) -> bool:
    """Return whether every row of a table is as it was written, whosever it is."""
    rows = query(store, f"SELECT {', '.join(COLUMNS[table])} FROM {table}")
    try:
        return rows is not None and all(map(is_sealed, rows))
    except (TypeError, ValueError):
        return False


def _name(stored: Any) -> str:
    """Return a stored name, or what is left of it."""
    try:
        return unescape_text(stored)
    except StoreError:
        return str(stored)


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
        rows = query(store, statement, low=low, high=high, most=high - low + 1)
        if rows is None and low < high:
            middle = (low + high) // 2
            waiting += [(middle + 1, high), (low, middle)]
        yield from (row for row in rows or () if low <= row[0] <= high)


def query(store: Store, statement: str, **values: Any) -> list[Any] | None:
    """Return the rows of a query, None where it cannot be answered."""
    try:
        with store.reading() as session:
            return session.rows(statement, **values)
    except DAMAGE as error:
        if isinstance(error, StoreError) and error.code in _ELSEWHERE:
            raise  # the caller may try again
        return None


def read_collections(store: Store, owner: str) -> tuple[dict[int, str], list[int]]:
    """Return the collections of an owner as far as they can be read: name by number.

    Those of damaged rows too where the index has them; which those are comes second.
    """
    rows = _by_key(rows_between(store, "collection", 1, find_largest(store, "collection")))
    whole = {number: row for number, row in rows.items() if is_sealed(row)}
    names = {number: row[2] for number, row in whole.items() if row[1] == owner}
    indexed = query(store, _INDEXED, owner=owner) if isinstance(store, Database) else []
    left = {number: name for number, name in indexed or [] if number not in whole}
    for number in rows.keys() - whole.keys() - left.keys():  # the owner alone may be damaged
        row = rows[number]
        if row[1] == owner or row_digest((number, owner, *row[2:-1])) == row[-1]:
            left[number] = row[2]
    strings = {number: name if isinstance(name, str) else "" for number, name in left.items()}
    return names | strings, sorted(left)


#: an index holds a second copy of what it sorts by
_INDEXED = (
    "SELECT id, name FROM collection INDEXED BY collection_name"
    " WHERE owner = :owner AND removed = 0"
)


def find_largest(store: Store, table: str) -> int:
    """Return the largest number of a table: as it was noted, else that of its last whole row."""
    noted = query(store, _NOTED, name=f"last_{table}")
    if noted and is_sealed(noted[0]):
        return int(json.loads(noted[0][1]))
    column = COLUMNS[table][0]
    last = f"SELECT {', '.join(COLUMNS[table])} FROM {table} ORDER BY {column} DESC LIMIT 50"
    return max((row[0] for row in query(store, last) or [] if is_sealed(row)), default=0)


_NOTED = "SELECT name, value, digest FROM meta WHERE name = :name"
