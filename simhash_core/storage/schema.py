"""The tables of a project file. A released step is never edited; the next one is added."""

from __future__ import annotations

import sqlite3

from . import contents, events
from .compression import digest
from .database import Schema

_FIRST = (
    # one value a name, as JSON: id, name, created, changed, state ...
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # texts, once each, by sha-256; `size` is bytes of UTF-8
    "CREATE TABLE body (id TEXT PRIMARY KEY, codec INTEGER NOT NULL, size INTEGER NOT NULL,"
    " data BLOB NOT NULL) STRICT",
    # records: documents, settings, result; `digest` is the sha-256 of the expanded bytes
    "CREATE TABLE record (name TEXT PRIMARY KEY, codec INTEGER NOT NULL, size INTEGER NOT NULL,"
    " digest BLOB NOT NULL, data BLOB NOT NULL) STRICT",
    # which record needs which text
    "CREATE TABLE use (record TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (record, body))"
    " STRICT, WITHOUT ROWID",
    # decisions, only ever added to; `content` is JSON, `digest` its sha-256
    "CREATE TABLE event (seq INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL,"
    " digest BLOB NOT NULL) STRICT",
)


def _chain(connection: sqlite3.Connection) -> None:
    """Link the events of version 1, and list what the file holds.

    A row whose check sum did not fit stays as it is, so that its new one does not fit either; what
    was deleted leaves its number unused, the last number included.
    """
    before = events.START
    numbered = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'event_1'")
    last = max((seq for (seq,) in numbered), default=0)
    query = "SELECT seq, CAST(content AS BLOB), digest FROM event_1 ORDER BY seq"
    for seq, content, check in connection.execute(query).fetchall():
        data = content or b""
        held = check if isinstance(check, bytes) else b""
        if digest(data) == check:
            held = events.link(seq, before, data)
        row = (seq, before, data.decode("utf-8", "backslashreplace"), held)
        connection.execute("INSERT INTO event VALUES (?, ?, ?, ?)", row)
        before, last = held, max(last, seq)
    contents.begin(connection, last=last, head=before)


_SECOND = (
    # a program of version 1 that has the file open adds nothing here: `before` has no default
    "ALTER TABLE event RENAME TO event_1",
    # `before` is the `digest` of the row before, `digest` that of number, `before` and `content`
    "CREATE TABLE event (seq INTEGER PRIMARY KEY, before BLOB NOT NULL, content TEXT NOT NULL,"
    " digest BLOB NOT NULL) STRICT",
    _chain,
    "DROP TABLE event_1",
)

PROJECT = Schema(application_id=int.from_bytes(b"LTpj", "big"), steps=(_FIRST, _SECOND))
