"""Texts into the tables: what takes time is done before the transaction."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from ...errors import StoreError
from ..compression import compress
from . import rows as forms
from .reading import MOST_TEXT, Places, batches
from .rows import Added, NewText
from .sessions import Session

_BODY = ("key", "codec", "size", "data")
_COUNTS = ("key", "codec", "size", "digest", "data")
_FINGERPRINT = ("key", "words", "digest")

#: next_key(session, table, count) -> the first of so many numbers
NextKey = Callable[[Session, str, int], int]


class Ready:
    """Texts compressed and packed, to be stored in one short transaction."""

    def __init__(self, texts: Sequence[NewText]) -> None:
        self._texts = texts
        self._ids = [bytes.fromhex(text.document.id) for text in texts]
        self._bodies: dict[bytes, tuple[Any, ...]] = {}
        self._counts: dict[bytes, tuple[Any, ...]] = {}
        for key, text in zip(self._ids, texts, strict=True):
            if key not in self._bodies:
                self._bodies[key] = _body(text.document.text)
            if text.counts is not None and key not in self._counts:
                self._counts[key] = forms.packed_counts(text.counts)

    def into(self, session: Session, collection: int, *, next_key: NextKey) -> list[Added]:
        """Store them; return one row a text, in order."""
        present, bodies = self._present(session, collection)
        fresh: dict[bytes, NewText] = {}
        for key, text in zip(self._ids, self._texts, strict=True):
            if key not in present:
                fresh.setdefault(key, text)
        first = next_key(session, "document", len(fresh)) if fresh else 0
        keys = {key: first + n for n, key in enumerate(fresh)}
        self._store(session, collection, fresh, keys, bodies)
        answered, seen = [], set()
        for key in self._ids:
            is_new = key in keys and key not in seen
            seen.add(key)
            answered.append(Added(keys[key] if key in keys else present[key], is_new))
        return answered

    def _store(
        self,
        session: Session,
        collection: int,
        fresh: dict[bytes, NewText],
        keys: dict[bytes, int],
        bodies: dict[bytes, int],
    ) -> None:
        """Append the rows of all tables; a body takes the key of the first text that has it."""
        now = time.time()
        unstored = [key for key in fresh if key not in bodies]
        place = bodies | {key: keys[key] for key in unstored}
        documents = [
            forms.document_row(
                text, key=keys[key], collection=collection, body=place[key], added=now
            )
            for key, text in fresh.items()
        ]
        prints = [
            (keys[key], *forms.packed_words(text.fingerprint))
            for key, text in fresh.items()
            if text.fingerprint is not None
        ]
        counted = [(keys[key], *self._counts[key]) for key in unstored if key in self._counts]
        session.append("body", _BODY, [(keys[key], *self._bodies[key]) for key in unstored])
        session.append("counts", _COUNTS, counted)
        session.append("document", forms.DOCUMENT_COLUMNS, documents)
        session.append("fingerprint", _FINGERPRINT, prints)

    def _present(
        self, session: Session, collection: int
    ) -> tuple[dict[bytes, int], dict[bytes, int]]:
        """Return which texts this collection has, and where any collection has their bodies."""
        present: dict[bytes, int] = {}
        bodies: dict[bytes, int] = {}
        ids: Sequence[Any] = list(dict.fromkeys(self._ids))
        for some in batches(ids):
            places = Places(some)
            statement = (
                "SELECT text, collection, key, body FROM document"
                f" WHERE removed = 0 AND text IN ({places.marks})"
            )
            for text, place, key, body in session.rows(statement, **places.values):
                bodies[bytes(text)] = body
                if place == collection:
                    present[bytes(text)] = key
        return present, bodies


def add_texts(texts: Sequence[NewText]) -> Ready:
    """Prepare texts."""
    return Ready(texts)


def _body(text: str) -> tuple[int, int, bytes]:
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > MOST_TEXT:
        raise StoreError("store_too_large")
    codec, small = compress(data)
    return codec, len(data), small
