"""Texts gone for good, here and in the copies of a library.

After a purge no row, no page and no journal holds a part of them, and no copy that can be reached.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import StoreError
from ...folders import write_whole
from ..database import Database
from .tables import LIBRARY, columns_of
from .view import LIVE, Store, View


def purge_backups(
    store: Store, owner: str, gone: Gone
) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Delete texts from every backup; return those that were reached and those that were not."""
    with store.reading() as session:
        view = View(session, owner)
        library, places = view.get("id"), view.get("backups", [])
    reached, unreached, ids = [], [], dict(gone.texts)
    for path in map(Path, places):
        try:
            with contextlib.closing(Database.open(path, LIBRARY)) as copy:
                with copy.writing() as session:
                    view = View(session, owner)
                    if view.get("id") != library:
                        raise StoreError("store_foreign", name=path.name)
                    rows = view.documents(ids, live=False)
                    purge(view, [row[0] for row in rows if bytes(row[2]) == ids[row[0]]])
                copy.scrub()
            reached.append(path)
        except StoreError:
            unreached.append(path)
    return tuple(reached), tuple(unreached)


def copy_rows(store: Store, owner: str, path: Path) -> None:
    """Write what one owner has on a server into a new file."""
    with write_whole(path) as fresh:
        fresh.unlink()  # SQLite makes the file itself
        with (
            contextlib.closing(Database.open(fresh, LIBRARY, create=True)) as copy,
            store.reading() as session,
            copy.writing() as target,
        ):
            view = View(target, owner)
            for table, where in _OF_OWNER.items():
                for rows in _read_rows(View(session, owner), table, where):
                    view.append(table, rows)


def _read_rows(view: View, table: str, where: str) -> Iterator[list[Any]]:
    """Yield the rows of a table that belong to the owner; texts some at a time."""
    statement = f"SELECT {columns_of(table, 't')} FROM {table} t {where}"
    if table not in _LARGE:
        yield [tuple(row) for row in view.rows(statement)]
        return
    after = 0
    while rows := view.rows(
        f"{statement} AND t.key > :after ORDER BY t.key LIMIT {_PART}", after=after
    ):
        yield [tuple(row) for row in rows]
        after = rows[-1][0]


_PART = 1000  # rows that are copied at a time

_LARGE = ("document", "body", "counts", "fingerprint")

_COLLECTION = "JOIN collection c ON c.id = t.collection WHERE c.owner = :owner"

_BODY = (
    "WHERE t.key IN (SELECT d.body FROM document d JOIN collection c ON c.id = d.collection"
    " WHERE c.owner = :owner)"
)

_JOB = "JOIN job j ON j.id = t.job WHERE j.owner = :owner"

#: table -> how its rows lead to the owner
_OF_OWNER = {
    "meta": "WHERE t.name = 'id' OR t.name LIKE 'last_%' OR t.name = 'recipe ' || :owner",
    "collection": "WHERE t.owner = :owner",
    "document": _COLLECTION,
    "body": _BODY,
    "counts": _BODY,
    "fingerprint": "JOIN document d ON d.key = t.key JOIN collection c ON c.id = d.collection"
    " WHERE c.owner = :owner",
    "removal": _COLLECTION,
    "statistics": "WHERE t.owner = :owner",
    "job": "WHERE t.owner = :owner",
    "item": _JOB,
    "outcome": _JOB,
}


@dataclass(frozen=True, slots=True)
class Gone:
    """What was deleted: (key, sha-256) of texts, and how many of them another collection has."""

    texts: tuple[tuple[int, bytes], ...]
    shared: int
    ids: frozenset[bytes] = frozenset()  # of texts that nobody has any more


def note_purge(view: View, gone: Gone) -> Gone:
    """Add what an interrupted purge had deleted, and note it until each backup is reached."""
    before = [(key, bytes.fromhex(text)) for key, text in view.get(PENDING, [])]
    texts = (*before, *gone.texts)
    view.put(PENDING, [(key, text.hex()) for key, text in texts])
    return Gone(texts, gone.shared, gone.ids | _find_unheld(view, [text for _, text in before]))


def _find_unheld(view: View, texts: Sequence[bytes]) -> frozenset[bytes]:
    held = {bytes(text) for (text,) in view.each(_LIVE_TEXTS, texts)}
    return frozenset(texts) - held


PENDING = "purging"  # the name under which it stands what a purge has deleted

_LIVE_TEXTS = f"SELECT d.text {LIVE} AND d.text IN ({{keys}})"


def purge(view: View, keys: Sequence[int]) -> Gone:
    """Delete texts, live or removed, with everything that was made from them."""
    gone: list[tuple[int, bytes]] = []
    shared = 0
    every = sorted(set(keys))
    for start in range(0, len(every), _PART):
        some = every[start : start + _PART]
        view.remove(some)
        rows = view.documents(some, live=False)
        texts = [row[0] for row in rows]
        view.delete("document", texts)
        view.delete("fingerprint", texts)
        # the items of imports that these texts came from: their names are names of texts
        for job, number in list(view.each(_ITEMS, texts)):
            for table in ("item", "outcome"):
                where = "WHERE job = :job AND number = :number"
                view.session.run(f"DELETE FROM {table} {where}", job=job, number=number)
        bodies = {row[3] for row in rows}
        held = {body for (body,) in view.each(_HOLDERS, sorted(bodies))}
        for table in ("body", "counts"):
            view.delete(table, sorted(bodies - held))
        gone += [(row[0], bytes(row[2])) for row in rows]
        shared += sum(row[3] in held for row in rows)
    return Gone(tuple(gone), shared, _find_unheld(view, [text for _, text in gone]))


#: bodies that a text of anybody still needs; the names of owners play no part here
_HOLDERS = "SELECT DISTINCT d.body FROM document d WHERE :owner <> '' AND d.body IN ({keys})"

_ITEMS = "SELECT o.job, o.number FROM outcome o WHERE :owner <> '' AND o.key IN ({keys})"
