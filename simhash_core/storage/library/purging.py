"""Texts gone for good: no row, no page and no journal holds a part of them afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .sessions import Places, batches
from .view import View


@dataclass(frozen=True, slots=True)
class Gone:
    """What was deleted: (key, sha-256) of texts, and how many of them another collection has."""

    texts: tuple[tuple[int, bytes], ...]
    shared: int


def noted(view: View, gone: Gone) -> Gone:
    """Add what an interrupted purge had deleted, and note all of it until `finish`."""
    before = [(key, bytes.fromhex(text)) for key, text in view.get(_PENDING, [])]
    texts = (*before, *gone.texts)
    view.put(_PENDING, [(key, text.hex()) for key, text in texts])
    return Gone(texts, gone.shared)


def finish(view: View) -> None:
    """Forget what was deleted: every backup is reached, or named as out of reach."""
    view.put(_PENDING, [])


_PENDING = "purging"


def removed_keys(view: View) -> list[int]:
    """Return the keys of texts that were removed and are still in the file."""
    statement = (
        "SELECT d.key FROM document d JOIN collection c ON c.id = d.collection"
        " WHERE c.owner = :owner AND d.removed > 0"
    )
    return [key for (key,) in view.rows(statement)]


def purge(view: View, keys: Sequence[int]) -> Gone:
    """Delete texts, live or removed, with everything that was made from them."""
    gone: list[tuple[int, bytes]] = []
    shared = 0
    for some in batches(sorted(set(keys))):
        view.remove(some)
        rows = view.documents(some, live=False)
        texts = [row[0] for row in rows]
        _delete(view, "document", "key", texts)
        _delete(view, "fingerprint", "key", texts)
        _forget_items(view, texts)
        bodies = {row[3] for row in rows}
        held = {body for (body,) in view.each(_HOLDERS, sorted(bodies))}
        for table in ("body", "counts"):
            _delete(view, table, "key", sorted(bodies - held))
        gone += [(row[0], bytes(row[2])) for row in rows]
        shared += sum(row[3] in held for row in rows)
    return Gone(tuple(gone), shared)


#: bodies that a text of anybody still needs; the names of owners play no part here
_HOLDERS = "SELECT DISTINCT d.body FROM document d WHERE :owner <> '' AND d.body IN ({keys})"
_ITEMS = "SELECT o.job, o.number FROM outcome o WHERE :owner <> '' AND o.key IN ({keys})"


def _forget_items(view: View, keys: Sequence[int]) -> None:
    """Delete the items of imports that these texts came from: their names are names of texts."""
    for job, number in list(view.each(_ITEMS, keys)):
        for table in ("item", "outcome"):
            view.session.run(
                f"DELETE FROM {table} WHERE job = :job AND number = :number", job=job, number=number
            )


def _delete(view: View, table: str, column: str, keys: Sequence[Any]) -> None:
    for some in batches(keys):
        places = Places(some)
        view.session.run(f"DELETE FROM {table} WHERE {column} IN ({places.marks})", **places.values)
