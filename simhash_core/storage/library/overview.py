"""A library in numbers."""

from __future__ import annotations

from .rows import CollectionRow, LibraryStats, unescaped
from .schema import LIBRARY
from .sessions import Store
from .view import LIVE, View


def collections(view: View) -> list[CollectionRow]:
    """Return the collections of the owner by name."""
    statement = (
        "SELECT c.name, c.added, count(d.key), coalesce(sum(d.chars), 0),"
        " coalesce(max(d.added), c.added), coalesce(sum(length(b.data)), 0)"
        " FROM collection c LEFT JOIN document d ON d.collection = c.id AND d.removed = 0"
        " LEFT JOIN body b ON b.key = d.body WHERE c.owner = :owner AND c.removed = 0"
        " GROUP BY c.id, c.name, c.added"
    )
    rows = [
        CollectionRow(unescaped(name), texts, int(chars), int(size), added, changed)
        for name, added, texts, chars, changed, size in view.rows(statement)
    ]
    return sorted(rows, key=lambda row: row.name)


def stats(view: View, store: Store) -> LibraryStats:
    """Return everything at a glance."""
    (texts, chars), *_ = view.rows(f"SELECT count(*), coalesce(sum(d.chars), 0) {LIVE}")
    (removed,), *_ = view.rows(
        "SELECT count(*) FROM document d JOIN collection c ON c.id = d.collection"
        " WHERE c.owner = :owner AND d.removed > 0"
    )
    (count,), *_ = view.rows("SELECT count(*) FROM collection WHERE owner = :owner AND removed = 0")
    frozen = view.rows("SELECT frozen, texts FROM statistics WHERE owner = :owner")
    return LibraryStats(
        collections=count,
        texts=texts,
        removed=removed,
        chars=int(chars),
        size=store.size(),
        newest=view.last("document"),
        recipe=str(view.get(f"recipe {view.owner}", "")),
        frozen=frozen[0][0] if frozen else None,
        frozen_texts=frozen[0][1] if frozen else 0,
        place=store.place,
        version=LIBRARY.version,
    )
