"""Texts into the tables: what takes time is done before the transaction."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ...errors import StoreError
from ..compression import compress
from .reading import MOST_TEXT
from .rows import Added, NewText, counts_row, document_row, fingerprint_row, sealed
from .sessions import Places, batches
from .view import View


class Ready:
    """Texts compressed and packed, to be stored in one short transaction."""

    def __init__(self, texts: Sequence[NewText]) -> None:
        self._texts = texts
        self._ids = [bytes.fromhex(text.document.id) for text in texts]
        self._bodies: dict[bytes, tuple[int, int, bytes]] = {}
        self._counts: dict[bytes, tuple[Any, ...]] = {}
        for text_id, text in zip(self._ids, texts, strict=True):
            if text_id not in self._bodies:
                self._bodies[text_id] = _body(text)
                self._counts[text_id] = counts_row(0, text.counts)[1:-1]

    def into(self, view: View, collection: int) -> list[Added]:
        """Store them; return one entry a text, in order."""
        present, bodies = self._present(view, collection)
        fresh: dict[bytes, NewText] = {}
        for text_id, text in zip(self._ids, self._texts, strict=True):
            if text_id not in present:
                fresh.setdefault(text_id, text)
        first = view.next("document", len(fresh)) if fresh else 0
        keys = {text_id: first + n for n, text_id in enumerate(fresh)}
        self._store(view, collection, fresh, keys, bodies)
        answer, seen = [], set()
        for text_id in self._ids:
            is_new = text_id in keys and text_id not in seen
            seen.add(text_id)
            answer.append(Added(keys[text_id] if text_id in keys else present[text_id], is_new))
        return answer

    def _store(
        self,
        view: View,
        collection: int,
        fresh: dict[bytes, NewText],
        keys: dict[bytes, int],
        bodies: dict[bytes, int],
    ) -> None:
        """Append the rows of all tables; a body takes the key of the first text that has it."""
        now = time.time()
        unstored = [text_id for text_id in fresh if text_id not in bodies]
        place = bodies | {text_id: keys[text_id] for text_id in unstored}
        documents = [
            document_row(
                text, key=keys[text_id], collection=collection, body=place[text_id], added=now
            )
            for text_id, text in fresh.items()
        ]
        prints = [fingerprint_row(keys[key], text.fingerprint) for key, text in fresh.items()]
        counts = [sealed((keys[text_id], *self._counts[text_id])) for text_id in unstored]
        append = view.session.append
        append("body", [(keys[text_id], *self._bodies[text_id]) for text_id in unstored])
        append("counts", counts)
        append("document", documents)
        append("fingerprint", prints)

    def _present(self, view: View, collection: int) -> tuple[dict[bytes, int], dict[bytes, int]]:
        """Return which texts this collection has, and where any collection has their bodies."""
        present: dict[bytes, int] = {}
        bodies: dict[bytes, int] = {}
        for some in batches(list(dict.fromkeys(self._ids))):
            places = Places(some)
            statement = (
                "SELECT text, collection, key, body FROM document"
                f" WHERE removed = 0 AND text IN ({places.marks})"
            )
            for text, place, key, body in view.session.rows(statement, **places.values):
                bodies[bytes(text)] = body
                if place == collection:
                    present[bytes(text)] = key
        return present, bodies


def _body(text: NewText) -> tuple[int, int, bytes]:
    data = text.document.text.encode("utf-8", "surrogatepass")
    if len(data) > MOST_TEXT:
        raise StoreError("store_too_large", name=text.document.name)
    codec, small = compress(data)
    return codec, len(data), small
