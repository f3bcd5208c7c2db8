"""The tables of a library, and the few things that it asks of a database, so that two can answer.

The statements are SQL that SQLite and PostgreSQL share but for the names of the types, which
`postgres.py` replaces. They name their values (`:key`); both databases read that. Every row but a
body has a `digest` over its other fields, since SQLite has no check sums; a body is checked against
the sha-256 of its text. A released step of the tables is never edited; the next one is added.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from ..database import Schema, application_id

_TABLES = (
    # one value a name, as JSON: recipes, the last numbers given, backups
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL, digest BLOB NOT NULL)"
    " STRICT, WITHOUT ROWID",
    # `removed` is 0, or the number of the removal
    "CREATE TABLE collection (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL,"
    " added REAL NOT NULL, removed INTEGER NOT NULL, digest BLOB NOT NULL) STRICT",
    "CREATE UNIQUE INDEX collection_name ON collection (owner, name) WHERE removed = 0",
    # `text` is the sha-256 of the text, `body` the row that holds it; `rest` is JSON; `label` is
    # what a search by name looks at
    "CREATE TABLE document (key INTEGER PRIMARY KEY, collection INTEGER NOT NULL,"
    " text BLOB NOT NULL, body INTEGER NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL,"
    " author TEXT NOT NULL, date TEXT NOT NULL, url TEXT NOT NULL, label TEXT NOT NULL,"
    " chars INTEGER NOT NULL, language TEXT NOT NULL, added REAL NOT NULL, rest TEXT NOT NULL,"
    " removed INTEGER NOT NULL, digest BLOB NOT NULL) STRICT",
    "CREATE UNIQUE INDEX document_text ON document (text, collection) WHERE removed = 0",
    "CREATE INDEX document_name ON document (collection, name)",
    "CREATE INDEX document_body ON document (body)",
    # texts, once each, in the order of arrival; `size` is bytes of UTF-8
    "CREATE TABLE body (key INTEGER PRIMARY KEY, codec INTEGER NOT NULL, size INTEGER NOT NULL,"
    " data BLOB NOT NULL) STRICT",
    # tokens of every body with their counts, so that weights change without cutting words again
    "CREATE TABLE counts (key INTEGER PRIMARY KEY, codec INTEGER NOT NULL, size INTEGER NOT NULL,"
    " data BLOB NOT NULL, digest BLOB NOT NULL) STRICT",
    # of every live document: words in the byte order `<u8`, none where it is too short
    "CREATE TABLE fingerprint (key INTEGER PRIMARY KEY, words BLOB NOT NULL,"
    " digest BLOB NOT NULL) STRICT",
    # what was removed, in order; it outlives the document
    "CREATE TABLE removal (seq INTEGER PRIMARY KEY, key INTEGER NOT NULL,"
    " collection INTEGER NOT NULL, digest BLOB NOT NULL) STRICT",
    # document frequencies that weights stand on, one row an owner
    "CREATE TABLE statistics (owner TEXT PRIMARY KEY, frozen REAL NOT NULL,"
    " texts INTEGER NOT NULL, codec INTEGER NOT NULL, size INTEGER NOT NULL, data BLOB NOT NULL,"
    " digest BLOB NOT NULL) STRICT",
    # imports; `origin` is JSON: what was asked for, to ask again
    "CREATE TABLE job (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, collection TEXT NOT NULL,"
    " state TEXT NOT NULL, created REAL NOT NULL, changed REAL NOT NULL, origin TEXT NOT NULL,"
    " digest BLOB NOT NULL) STRICT",
    "CREATE TABLE item (job INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL,"
    " digest BLOB NOT NULL, PRIMARY KEY (job, number)) STRICT, WITHOUT ROWID",
    # what became of an item; an item without an outcome waits
    "CREATE TABLE outcome (job INTEGER NOT NULL, number INTEGER NOT NULL, state TEXT NOT NULL,"
    " reason TEXT NOT NULL, params TEXT NOT NULL, key INTEGER NOT NULL, digest BLOB NOT NULL,"
    " PRIMARY KEY (job, number)) STRICT, WITHOUT ROWID",
)

LIBRARY = Schema(int.from_bytes(b"LTlb", "big"), version=1, statements=_TABLES)

#: table -> its columns in order, `digest` last where it has one
COLUMNS = {
    "meta": ("name", "value", "digest"),
    "collection": ("id", "owner", "name", "added", "removed", "digest"),
    "document": (
        *("key", "collection", "text", "body", "name", "title", "author", "date", "url", "label"),
        *("chars", "language", "added", "rest", "removed", "digest"),
    ),
    "body": ("key", "codec", "size", "data"),
    "counts": ("key", "codec", "size", "data", "digest"),
    "fingerprint": ("key", "words", "digest"),
    "removal": ("seq", "key", "collection", "digest"),
    "statistics": ("owner", "frozen", "texts", "codec", "size", "data", "digest"),
    "job": ("id", "owner", "collection", "state", "created", "changed", "origin", "digest"),
    "item": ("job", "number", "name", "digest"),
    "outcome": ("job", "number", "state", "reason", "params", "key", "digest"),
}


def is_library(path: Path) -> bool:
    """Return whether a file says that it is a library; False where it cannot be read."""
    return application_id(path) == LIBRARY.application_id


_MOST_VALUES = 500  # of one statement; a database has a limit


def fill_keys(statement: str, keys: Sequence[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a statement that names `{keys}`, for some keys at a time, and what goes there."""
    for start in range(0, len(keys), _MOST_VALUES):
        values = {f"k{n}": key for n, key in enumerate(keys[start : start + _MOST_VALUES])}
        yield statement.format(keys=", ".join(f":{name}" for name in values)), values


def fill_rows(table: str, rows: Sequence[Sequence[Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the statement that inserts rows, for some rows at a time, and what goes there.

    Columns are in the order of the table.
    """
    most = _MOST_VALUES // len(COLUMNS[table])
    for start in range(0, len(rows), most):
        some = rows[start : start + most]
        names, statement = _insertion(table, len(some))
        yield statement, dict(zip(names, itertools.chain(*some), strict=True))


@cache
def _insertion(table: str, rows: int) -> tuple[list[str], str]:
    """Return the names of all values, and the statement that inserts so many rows."""
    width = len(COLUMNS[table])
    names = [f"v{n}" for n in range(rows * width)]
    places = (", :".join(names[at : at + width]) for at in range(0, len(names), width))
    return names, f"INSERT INTO {table} VALUES (:{'), (:'.join(places)})"


def columns_of(table: str, alias: str) -> str:
    """Return the columns of a table as a query names them."""
    return ", ".join(f"{alias}.{column}" for column in COLUMNS[table])
