"""The tables of a project file. A released step is never edited; the next one is added."""

from __future__ import annotations

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

PROJECT = Schema(application_id=int.from_bytes(b"LTpj", "big"), steps=(_FIRST,))
