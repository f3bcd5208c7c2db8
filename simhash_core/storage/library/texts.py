"""Texts into the tables and out of them, each checked against its sha-256.

What takes time is done before the transaction, where it pleases: `prepare` needs no database, and
an import calls it in worker processes.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import StoreError
from ...model import U64, Document, text_id
from ..codec import compress, expand
from .rows import (
    Added,
    Counts,
    describe_row,
    document_fields,
    fingerprint_row,
    packed_counts,
    seal_row,
    unescape_text,
)
from .view import View

MOST_TEXT = 256 * 2**20  # bytes of one text
#: rows of `body` by their key
Bodies = Mapping[int, Sequence[Any]]
BODIES = "SELECT key, codec, size, data FROM body WHERE key IN ({keys})"


@dataclass(frozen=True, slots=True)
class Prepared:
    """One text as it will lie in the tables, but for its numbers."""

    text: bytes  # sha-256
    fields: tuple[Any, ...]  # of `document`
    body: tuple[int, int, bytes]
    counts: tuple[int, int, bytes]
    words: bytes  # of the fingerprint


def prepare(
    document: Document,
    fingerprint: U64 | None = None,
    counts: Counts | None = None,
    language: str = "",
) -> Prepared:
    """Compress and pack a text.

    Parameters
    ----------
    fingerprint
        uint64 (W,), None where the text is too short for one.
    language
        By default that of the document.

    Raises
    ------
    StoreError
        `store_too_large`.
    """
    data = document.text.encode("utf-8", "surrogatepass")
    if len(data) > MOST_TEXT:
        raise StoreError("store_too_large", name=document.name)
    codec, small = compress(data)
    return Prepared(
        bytes.fromhex(document.id),
        document_fields(document, language),
        (codec, len(data), small),
        packed_counts(counts),
        fingerprint_row(0, fingerprint)[1],
    )


def store(view: View, collection: int, texts: Sequence[Prepared]) -> list[Added]:
    """Store texts; return one entry a text, in order."""
    present, bodies = _present(view, collection, texts)
    fresh: dict[bytes, Prepared] = {}
    for text in texts:
        if text.text not in present:
            fresh.setdefault(text.text, text)
    first = view.next("document", len(fresh)) if fresh else 0
    keys = {text_id: first + n for n, text_id in enumerate(fresh)}
    _append(view, collection, fresh, keys, bodies)
    every, new = present | keys, dict(keys)  # of two equal texts the first is new
    return [Added(every[text.text], new.pop(text.text, 0) > 0) for text in texts]


def _append(
    view: View,
    collection: int,
    fresh: dict[bytes, Prepared],
    keys: dict[bytes, int],
    bodies: dict[bytes, int],
) -> None:
    """Append the rows of all tables; a body takes the key of the first text that has it."""
    now, append = time.time(), view.append
    unstored = [text_id for text_id in fresh if text_id not in bodies]
    place = bodies | {text_id: keys[text_id] for text_id in unstored}
    append("body", [(keys[text_id], *fresh[text_id].body) for text_id in unstored])
    append("counts", [seal_row((keys[text_id], *fresh[text_id].counts)) for text_id in unstored])
    documents = []
    for digest, text in fresh.items():
        *named, rest = text.fields
        row = (keys[digest], collection, digest, place[digest], *named, now, rest, 0)
        documents.append(seal_row(row))
    append("document", documents)
    prints = [seal_row((keys[text_id], text.words)) for text_id, text in fresh.items()]
    append("fingerprint", prints)


def _present(
    view: View, collection: int, texts: Sequence[Prepared]
) -> tuple[dict[bytes, int], dict[bytes, int]]:
    """Return which texts this collection has, and where any collection has their bodies."""
    present: dict[bytes, int] = {}
    bodies: dict[bytes, int] = {}
    for text, place, key, body in view.each(_HELD, list({text.text: None for text in texts})):
        bodies[bytes(text)] = body
        if place == collection:
            present[bytes(text)] = key
    return present, bodies


_HELD = "SELECT text, collection, key, body FROM document WHERE removed = 0 AND text IN ({keys})"


def describe(view: View, values: Mapping[int, Mapping[str, str]]) -> int:
    """Say other things of live texts, by key; return how many rows that changed."""
    rows = [tuple(row) for row in view.documents(values)]
    described = [describe_row(row, values[row[0]]) for row in rows]
    changed = [row for row, before in zip(described, rows, strict=True) if row != before]
    view.replace("document", changed)
    return len(changed)


def text_of(row: Sequence[Any], bodies: Bodies) -> str:
    """Return the text of a row of `document`.

    Raises
    ------
    StoreError
        `store_damaged`, with the name of the text.
    """
    with contextlib.suppress(KeyError, TypeError, ValueError, StoreError):
        _, codec, size, data = bodies[row[3]]
        text = expand(codec, data, size=size, most=MOST_TEXT).decode("utf-8", "surrogatepass")
        if text_id(text) == bytes(row[2]).hex():
            return text
    raise StoreError("store_damaged", name=unescape_text(row[4]))
