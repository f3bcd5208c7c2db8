"""What one owner sees of the tables, within one transaction.

Every statement that returns rows of texts or collections is here or names the owner itself.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ...errors import StoreError
from .rows import escape_text, label, require_sealed, seal_row, unescape_text
from .tables import COLUMNS, columns_of, fill_keys, fill_rows

if TYPE_CHECKING:
    from ..database import Database
    from ..database import Session as SqliteSession
    from .postgres import PostgresSession, PostgresStore

#: one transaction, and the database of one library: what both kinds of database answer
Session: TypeAlias = "SqliteSession | PostgresSession"
Store: TypeAlias = "Database | PostgresStore"

EVERYTHING = 2**62  # no limit
_FROM = "FROM document d JOIN collection c ON c.id = d.collection WHERE c.owner = :owner"
LIVE = f"{_FROM} AND d.removed = 0"
COLLECTION = f"SELECT {columns_of('collection', 'c')} FROM collection c WHERE c.owner = :owner"
_DOCUMENT = columns_of("document", "d")


class View:
    """A session and the owner whose it is."""

    def __init__(self, session: Session, owner: str) -> None:
        self.session, self.owner = session, owner

    def rows(self, statement: str, **values: Any) -> list[Any]:
        """Return the rows of a query that names the owner."""
        return self.session.rows(statement, owner=self.owner, **values)

    # ------------------------------------------------------------------ documents

    def documents(
        self,
        keys: Iterable[int] | None = None,
        *,
        collection: str | None = None,
        after: int = 0,
        most: int = EVERYTHING,
        words: str = "",
        live: bool = True,
    ) -> list[Any]:
        """Return rows of `document` by key whose label holds some words.

        With `live` False also what was removed.
        """
        values: dict[str, Any] = {"after": after, "most": most}
        where = f"{LIVE if live else _FROM} AND d.key > :after"
        if collection is not None:
            where += " AND c.name = :collection AND c.removed = 0"
            values["collection"] = escape_text(collection)
        if words:
            where += " AND d.label LIKE :like ESCAPE '\\'"
            values["like"] = "%" + re.sub(r"([\\%_])", r"\\\1", label(words)) + "%"
        if keys is None:
            statement = f"SELECT {_DOCUMENT} {where} ORDER BY d.key LIMIT :most"
            return self.rows(statement, **values)
        statement = f"SELECT {_DOCUMENT} {where} AND d.key IN ({{keys}}) ORDER BY d.key LIMIT :most"
        return list(self.each(statement, sorted(set(keys)), **values))[:most]

    def keys(
        self,
        *,
        collections: Sequence[str] | None = None,
        languages: str = "",
        after: int = 0,
        upto: int = EVERYTHING,
    ) -> list[int]:
        """Return the keys of live texts, as `Library.keys`."""
        where, names = "", {}
        if collections is not None:
            numbers = [str(self.collection(name)) for name in collections]
            where = f"AND c.id IN ({', '.join(numbers) or 'NULL'})"
        if languages:
            names = {f"language{n}": name for n, name in enumerate(("", *languages.split()))}
            where += f" AND d.language IN ({', '.join(f':{name}' for name in names)})"
        between = "AND d.key > :after AND d.key <= :upto"
        statement = f"SELECT d.key {LIVE} {between} {where} ORDER BY d.key"
        return [key for (key,) in self.rows(statement, after=after, upto=upto, **names)]

    def removed_keys(self) -> list[int]:
        """Return the keys of texts that were removed and are still in the file."""
        return [key for (key,) in self.rows(f"SELECT d.key {_FROM} AND d.removed > 0")]

    def remove(self, keys: Sequence[int]) -> int:
        """Mark texts as removed; each gets a number."""
        held = self.documents(keys)
        first = self.next("removal", len(held)) if held else 0
        self.delete("fingerprint", [row[0] for row in held])
        self.append("removal", [seal_row((first + n, *row[:2])) for n, row in enumerate(held)])
        gone = ((*row[:-2], first + n) for n, row in enumerate(held))
        self.replace("document", [seal_row(row) for row in gone])
        return len(held)

    # ------------------------------------------------------------------ collections

    def collection(self, name: str, *, create: bool = False) -> int:
        """Return the number of a collection.

        Raises
        ------
        StoreError
            `store_missing`.
        """
        statement = "SELECT id FROM collection WHERE owner = :owner AND name = :name"
        held = self.rows(f"{statement} AND removed = 0", name=escape_text(name))
        if held:
            return int(held[0][0])
        if not create:
            raise StoreError("store_missing", name=name)
        number = self.next("collection", 1)
        row = (number, self.owner, escape_text(name), time.time(), 0)
        self.append("collection", [seal_row(row)])
        return number

    def collection_names(self) -> dict[int, str]:
        """Return the name of each collection by its number, removed ones too."""
        held = self.rows(COLLECTION)
        require_sealed(held)
        return {row[0]: unescape_text(row[2]) for row in held}

    # ------------------------------------------------------------------ plain values

    def next(self, what: str, count: int) -> int:
        """Take `count` numbers that were never given; return the first."""
        last = self.last(what)
        self.put(f"last_{what}", last + count)
        return last + 1

    def last(self, what: str) -> int:
        """Return the largest number that was given."""
        return int(self.get(f"last_{what}", 0))

    def get(self, name: str, default: Any = None) -> Any:
        """Return a plain value."""
        statement = f"SELECT {columns_of('meta', 'm')} FROM meta m WHERE m.name = :name"
        held = self.session.rows(statement, name=name)
        require_sealed(held)
        return json.loads(held[0][1]) if held else default

    def put(self, name: str, value: Any) -> None:
        """Store a plain value."""
        self.replace("meta", [seal_row((name, json.dumps(value)))])

    def each(self, statement: str, keys: Sequence[Any], **values: Any) -> Iterator[Any]:
        """Yield the rows of a query with `{keys}` in it, some keys at a time."""
        for filled, held in fill_keys(statement, keys):
            yield from self.rows(filled, **held, **values)

    def append(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        """Insert whole rows, with the columns in the order of the table."""
        for statement, values in fill_rows(table, rows):
            self.session.run(statement, **values)

    def replace(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        """Insert whole rows in place of those with the same first columns."""
        self.delete(table, [row[0] for row in rows])
        self.append(table, rows)

    def delete(self, table: str, keys: Sequence[Any]) -> None:
        """Delete rows by their first column, whosever they are."""
        where = f"WHERE {COLUMNS[table][0]} IN ({{keys}})"
        for statement, values in fill_keys(f"DELETE FROM {table} {where}", keys):
            self.session.run(statement, **values)
