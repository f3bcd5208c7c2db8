"""What goes into a library and comes out, and how it lies in the tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import StoreError
from ...model import ADDED_KEY as ADDED_KEY
from ...model import COLLECTION_KEY as COLLECTION_KEY
from ...model import I32, U64, CorpusStats, Document, Note
from ...model import ROW_KEY as ROW_KEY
from ..codec import compress, digest, expand
from .tables import COLUMNS

#: entries of `Document.meta` with columns of their own
_META_COLUMNS = ("title", "author", "date", "url")
_ESCAPE = "\x01"
_MOST_COUNTS = 2**30
_DIGEST = 12  # bytes: a changed row passes once in 2^96

#: states of a job, and of its items beside "waiting"; what was refused cannot go on
JOB_STATES = ("running", "done", "cancelled", "refused")
ITEM_STATES = ("added", "present", "skipped")


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """The tokens of one text, each once, and how often each occurs; int32 (k,)."""

    tokens: Sequence[str]
    count: I32


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


@dataclass(frozen=True, slots=True)
class JobRow:
    """One import: how many items it has, and what became of them."""

    id: int
    collection: str
    state: str  # one of JOB_STATES
    created: float
    changed: float
    origin: Mapping[str, Any]
    items: int
    added: int
    present: int  # the collection had them before
    skipped: int

    @property
    def waiting(self) -> int:
        """Items without an outcome."""
        return self.items - self.added - self.present - self.skipped


@dataclass(frozen=True, slots=True)
class JobItem:
    """One item of an import; `reason` is a code of `errors.UNREADABLE_CODES` where skipped."""

    number: int
    name: str
    state: str = "waiting"  # or one of ITEM_STATES
    reason: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    key: int = 0  # of the text


@dataclass(frozen=True, slots=True)
class Fault:
    """Damage. `key` and `name` are of the text, 0 and "" where none is touched.

    `what` is `row`, `text`, `fingerprint`, `counts`, `index`, `file`, or the name of a table.
    """

    key: int
    name: str
    what: str


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge did; `unreached` are backups of this library that could not be opened."""

    texts: int
    shared: int  # texts that stay, since another collection has them
    backups: tuple[Path, ...]
    unreached: tuple[Path, ...]
    ids: tuple[str, ...] = ()  # sha-256 of those that no collection has any more


@dataclass(frozen=True, slots=True)
class LibraryStats:
    """A library in numbers, as one owner sees it."""

    collections: int
    texts: int
    removed: int  # not yet purged
    chars: int
    size: int  # bytes of everything on disk, of all owners
    newest: int
    recipe: str
    frozen: float | None  # when the statistics were frozen
    frozen_texts: int
    place: str  # local | network | memory | server
    version: int  # of the tables


@dataclass(frozen=True, slots=True, eq=False)
class Frozen:
    """Statistics and when they were counted, in seconds since 1970."""

    stats: CorpusStats
    time: float


# --------------------------------------------------------------------------- check sums


def row_digest(values: Sequence[Any]) -> bytes:
    """Return the check sum of the fields of a row."""
    # no bytes and no letters differ too: one bit makes the one of the other
    parts = [value.hex() or "-" if isinstance(value, bytes) else value for value in values]
    return digest(json.dumps(parts).encode("ascii"))[:_DIGEST]


def seal_row(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return a row with its check sum behind it."""
    return (*values, row_digest(values))


def is_sealed(row: Sequence[Any]) -> bool:
    """Return whether a row is as it was written."""
    return bool(row_digest(row[:-1]) == row[-1])


def require_sealed(rows: Iterable[Sequence[Any]]) -> None:
    """Raise where a row is not as it was written.

    Raises
    ------
    StoreError
        `store_damaged`.
    """
    if not all(map(is_sealed, rows)):
        raise StoreError("store_damaged")


# --------------------------------------------------------------------------- documents


def document_fields(document: Document, language: str) -> tuple[Any, ...]:
    """Return the columns of `document` that follow from a text: name to language, and rest."""
    meta = document.meta
    named = [meta.get(column, "") for column in _META_COLUMNS]
    held = {*_META_COLUMNS, ROW_KEY, COLLECTION_KEY}
    usual = {"format": "txt", "encoding": "", "meta": {}, "notes": []}
    values = {
        "format": document.format,
        "encoding": document.encoding,
        "meta": {name: value for name, value in meta.items() if name not in held},
        "notes": [[n.code, dict(n.params), n.start, n.end] for n in document.notes],
    }
    rest = {name: value for name, value in values.items() if value != usual[name]}
    return (
        *map(escape_text, (document.name, *named)),
        label("\n".join((document.name, *named))),
        *(len(document.text), language or document.language),
        json.dumps(rest, separators=(",", ":")),
    )


def describe_row(row: Sequence[Any], values: Mapping[str, str]) -> tuple[Any, ...]:
    """Return a row of `document` that says other things of its text; "" takes a field away.

    Parameters
    ----------
    values
        `name`, `title`, `author`, `date`, `url`, or any other entry of `Document.meta`.
    """
    held = dict(zip(COLUMNS["document"], row, strict=True))
    columns = ("name", *_META_COLUMNS)
    named = {column: values.get(column, unescape_text(held[column])) for column in columns}
    rest = json.loads(held["rest"])
    others = {name: value for name, value in values.items() if name not in columns}
    meta = {**rest.get("meta", {}), **others}
    rest["meta"] = {name: value for name, value in meta.items() if value}
    if not rest["meta"]:
        del rest["meta"]
    held |= {column: escape_text(text) for column, text in named.items()}
    held |= {"label": label("\n".join(named.values()))}
    held |= {"rest": json.dumps(rest, separators=(",", ":"))}
    return seal_row([held[column] for column in COLUMNS["document"][:-1]])


def archive_row(row: Sequence[Any], collection: str) -> ArchiveRow:
    """Return what a row of `document` says.

    Raises
    ------
    StoreError
        `store_damaged`, with the name of the text.
    """
    held = dict(zip(COLUMNS["document"], row, strict=True))
    if not is_sealed(row):
        raise StoreError("store_damaged", name=unescape_text(held["name"]))
    return ArchiveRow(
        key=held["key"],
        id=held["text"].hex(),
        collection=collection,
        **{column: unescape_text(held[column]) for column in ("name", *_META_COLUMNS)},
        chars=held["chars"],
        language=held["language"],
        added=held["added"],
    )


def make_document(row: Sequence[Any], collection: str, text: str) -> Document:
    """Return the document of a row; its key, collection and arrival stand in its meta."""
    listed = archive_row(row, collection)
    rest = json.loads(row[COLUMNS["document"].index("rest")])
    columns = {name: getattr(listed, name) for name in _META_COLUMNS if getattr(listed, name)}
    place = {ROW_KEY: str(listed.key), COLLECTION_KEY: collection, ADDED_KEY: str(listed.added)}
    return Document(
        listed.id,
        listed.name,
        text,
        rest.get("format", "txt"),
        rest.get("encoding", ""),
        listed.language,
        {**rest.get("meta", {}), **columns, **place},
        tuple(Note(code, params, start, end) for code, params, start, end in rest.get("notes", [])),
    )


def escape_text(text: str) -> str:
    """Return a string that every database can hold: no zero, no half of a surrogate pair."""
    foreign = text.encode("utf-8", "replace").decode("utf-8") != text
    if foreign or text.startswith(_ESCAPE) or "\0" in text:
        return _ESCAPE + json.dumps(text)
    return text


def unescape_text(text: str) -> str:
    """Return what `escape_text` was given.

    Raises
    ------
    StoreError
        `store_damaged`: a changed bit can turn a string into bytes.
    """
    try:
        return str(json.loads(text[1:])) if text.startswith(_ESCAPE) else text
    except (TypeError, ValueError, AttributeError) as error:
        raise StoreError("store_damaged") from error


def label(text: str) -> str:
    """Return what a search compares: without case, and without what cannot be stored."""
    clean = text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    return clean.casefold()


# --------------------------------------------------------------------------- numbers


def packed_counts(counts: Counts | None) -> tuple[int, int, bytes]:
    """Return codec, size and bytes of the counts of one body; of None, of nothing."""
    data = b""
    if counts is not None:
        words = "\n".join(counts.tokens).encode("utf-8", "surrogatepass")
        size = len(counts.tokens).to_bytes(4, "little")
        data = size + np.asarray(counts.count, "<i4").tobytes() + words
    codec, small = compress(data)
    return codec, len(data), small


def counts_of(row: Sequence[Any]) -> Counts | None:
    """Return the counts of a row.

    Raises
    ------
    StoreError
        `store_damaged`.
    """
    require_sealed([row])
    _, codec, size, data, _ = row
    whole = expand(codec, data, size=size, most=_MOST_COUNTS)
    if not whole:
        return None
    n = int.from_bytes(whole[:4], "little")
    words = whole[4 + 4 * n :].decode("utf-8", "surrogatepass")
    return Counts(tuple(words.split("\n")) if n else (), np.frombuffer(whole, "<i4", n, 4).copy())


def fingerprint_row(key: int, words: U64 | None) -> tuple[Any, ...]:
    """Return the row of a fingerprint; of None, an empty one."""
    data = b"" if words is None else np.ascontiguousarray(words, "<u8").tobytes()
    return seal_row((key, data))
