"""The tables of a library. A released step is never edited; the next one is added.

The statements are SQL that SQLite and PostgreSQL share but for the names of the types, which
`postgres.py` replaces.
"""

from __future__ import annotations

from ..database import Schema

_FIRST = (
    # one value a name, as JSON: recipe, statistics, the next key
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # `removed` is 0, or the number of the removal
    "CREATE TABLE collection (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL,"
    " added REAL NOT NULL, removed INTEGER NOT NULL) STRICT",
    "CREATE UNIQUE INDEX collection_name ON collection (owner, name) WHERE removed = 0",
    # `text` is the sha-256 of the text, `body` the row that holds it; `rest` is JSON; `label` is
    # what a search by name looks at; `digest` covers every other field
    "CREATE TABLE document (key INTEGER PRIMARY KEY, collection INTEGER NOT NULL,"
    " text BLOB NOT NULL, body INTEGER NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL,"
    " author TEXT NOT NULL, date TEXT NOT NULL, url TEXT NOT NULL, label TEXT NOT NULL,"
    " chars INTEGER NOT NULL, language TEXT NOT NULL, added REAL NOT NULL, rest TEXT NOT NULL,"
    " removed INTEGER NOT NULL, digest BLOB NOT NULL) STRICT",
    "CREATE UNIQUE INDEX document_text ON document (text, collection) WHERE removed = 0",
    "CREATE INDEX document_name ON document (collection, name)",
    # texts, once each, in the order of arrival; `size` is bytes of UTF-8
    "CREATE TABLE body (key INTEGER PRIMARY KEY, codec INTEGER NOT NULL, size INTEGER NOT NULL,"
    " data BLOB NOT NULL) STRICT",
    # tokens of a body with their counts, so that weights can change without cutting words again
    "CREATE TABLE counts (key INTEGER PRIMARY KEY, codec INTEGER NOT NULL, size INTEGER NOT NULL,"
    " digest BLOB NOT NULL, data BLOB NOT NULL) STRICT",
    # of documents: words in the byte order `<u8`
    "CREATE TABLE fingerprint (key INTEGER PRIMARY KEY, words BLOB NOT NULL,"
    " digest BLOB NOT NULL) STRICT",
    # what was removed, in order; it outlives the document
    "CREATE TABLE removal (seq INTEGER PRIMARY KEY, key INTEGER NOT NULL,"
    " collection INTEGER NOT NULL) STRICT",
)

LIBRARY = Schema(application_id=int.from_bytes(b"LTlb", "big"), steps=(_FIRST,))
