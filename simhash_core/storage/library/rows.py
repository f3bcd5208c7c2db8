"""What goes into a library and comes out, and how it lies in the tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import StoreError
from ...model import I32, U64, Document, Note
from ..compression import compress, digest, expand

#: entries of `Document.meta` of a text from a library: its key, and its collection
ROW_KEY, COLLECTION_KEY = "archive_key", "archive_collection"
#: entries of `Document.meta` with columns of their own
_COLUMNS = ("title", "author", "date", "url")
_ESCAPE = "\x01"
MOST_COUNTS = 2**30

DOCUMENT_COLUMNS = (
    *("key", "collection", "text", "body", "name", *_COLUMNS, "label"),
    *("chars", "language", "added", "rest", "removed", "digest"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """The tokens of one text, each once, and how often each occurs; int32 (k,)."""

    tokens: Sequence[str]
    count: I32


@dataclass(frozen=True, slots=True, eq=False)
class NewText:
    """A text to add. `fingerprint` is uint64 (W,), None where the text is too short for one."""

    document: Document
    fingerprint: U64 | None = None
    counts: Counts | None = None
    language: str = ""  # by default that of the document


@dataclass(frozen=True, slots=True)
class Added:
    """The key of a text that was to be added; not new where its collection had it before."""

    key: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class ArchiveRow:
    """What a library says about one text. Keys grow and are never given twice."""

    key: int
    id: str  # sha-256 of the text, 64 hex digits
    collection: str
    name: str
    title: str
    author: str
    date: str
    url: str
    chars: int
    language: str
    added: float  # seconds since 1970


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """One collection. `size` is bytes of the stored texts, `changed` when one was added last."""

    name: str
    texts: int
    chars: int
    size: int
    added: float
    changed: float


def document_row(
    text: NewText, *, key: int, collection: int, body: int, added: float
) -> tuple[Any, ...]:
    """Return the row of one document, in the order of `DOCUMENT_COLUMNS`."""
    document, meta = text.document, text.document.meta
    named = [meta.get(field, "") for field in _COLUMNS]
    held = {*_COLUMNS, ROW_KEY, COLLECTION_KEY}
    rest = {
        "format": document.format,
        "encoding": document.encoding,
        "meta": {field: value for field, value in meta.items() if field not in held},
        "notes": [[n.code, dict(n.params), n.start, n.end] for n in document.notes],
    }
    values = (
        *(key, collection, bytes.fromhex(document.id), body),
        *map(escaped, (document.name, *named)),
        label("\n".join((document.name, *named))),
        *(len(document.text), text.language or document.language, added),
        *(json.dumps(rest, separators=(",", ":")), 0),
    )
    return (*values, row_digest(values))


def row_digest(values: Sequence[Any]) -> bytes:
    """Return the check sum of the fields of a row."""
    parts = [value.hex() if isinstance(value, bytes) else value for value in values]
    return digest(json.dumps(parts).encode("ascii"))[:16]


def archive_row(row: Sequence[Any], collection: str) -> ArchiveRow:
    """Return what a row of `document` says."""
    held = dict(zip(DOCUMENT_COLUMNS, row, strict=True))
    return ArchiveRow(
        key=held["key"],
        id=bytes(held["text"]).hex(),
        collection=collection,
        **{field: unescaped(held[field]) for field in ("name", *_COLUMNS)},
        chars=held["chars"],
        language=held["language"],
        added=held["added"],
    )


def stored_document(row: Sequence[Any], collection: str, text: str) -> Document:
    """Return the document of a row; its key and collection stand in its meta."""
    listed = archive_row(row, collection)
    rest = json.loads(row[DOCUMENT_COLUMNS.index("rest")])
    columns = {field: getattr(listed, field) for field in _COLUMNS if getattr(listed, field)}
    place = {ROW_KEY: str(listed.key), COLLECTION_KEY: collection}
    return Document(
        listed.id,
        listed.name,
        text,
        rest["format"],
        rest["encoding"],
        listed.language,
        {**rest["meta"], **columns, **place},
        tuple(Note(code, params, start, end) for code, params, start, end in rest["notes"]),
    )


def escaped(text: str) -> str:
    """Return a string that every database can hold: no zero, no half of a surrogate pair."""
    if text.startswith(_ESCAPE) or "\0" in text or not _is_encodable(text):
        return _ESCAPE + json.dumps(text)
    return text


def unescaped(text: str) -> str:
    """Return what `escaped` was given."""
    return str(json.loads(text[1:])) if text.startswith(_ESCAPE) else text


def label(text: str) -> str:
    """Return what a search compares: without case, and without what cannot be stored."""
    clean = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    return clean.casefold()


def packed_counts(counts: Counts) -> tuple[int, int, bytes, bytes]:
    """Return (codec, size, digest, data) of the counts of one text."""
    words = "\n".join(counts.tokens).encode("utf-8", "surrogatepass")
    whole = np.asarray(counts.count, "<i4").tobytes() + words
    data = len(counts.tokens).to_bytes(4, "little") + whole
    codec, small = compress(data)
    return codec, len(data), digest(data)[:16], small


def unpacked_counts(codec: int, size: int, check: bytes, data: bytes) -> Counts:
    """Return what `packed_counts` was given.

    Raises
    ------
    StoreError
        `store_damaged`.
    """
    whole = expand(codec, data, size=size, most=MOST_COUNTS)
    if digest(whole)[:16] != check:
        raise StoreError("store_damaged")
    n = int.from_bytes(whole[:4], "little")
    words = whole[4 + 4 * n :].decode("utf-8", "surrogatepass")
    return Counts(tuple(words.split("\n")) if n else (), np.frombuffer(whole, "<i4", n, 4).copy())


def packed_words(words: U64) -> tuple[bytes, bytes]:
    """Return the bytes of a fingerprint and their check sum."""
    data = np.ascontiguousarray(words, "<u8").tobytes()
    return data, digest(data)[:8]


def plain_meta(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return plain values as rows of `meta`."""
    return [(name, json.dumps(value)) for name, value in values.items()]


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
