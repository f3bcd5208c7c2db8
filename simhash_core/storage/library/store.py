"""`Library`: the narrow interface to texts in collections, whichever database holds them.

Nothing of one owner is ever shown to another: every statement that returns rows names the
collections of the owner that opened the library.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from ...errors import StoreError
from ...model import I64, U64, Document
from ..database import Database
from . import rows as forms
from .adding import add_texts
from .reading import Places, batches, read_texts
from .rows import Added, ArchiveRow, CollectionRow, Counts, NewText
from .schema import LIBRARY
from .sessions import Session, SqliteStore, Store

_COLUMNS = ", ".join(f"d.{column}" for column in forms.DOCUMENT_COLUMNS)
_LIVE = "FROM document d JOIN collection c ON c.id = d.collection WHERE c.owner = :owner"
_LIVE += " AND d.removed = 0"
_EVERYTHING = 2**62  # no limit


class Library:
    """One open library, as one owner sees it. Safe to share between threads.

    Parameters
    ----------
    store
        The database.
    owner
        Any secret string; the database holds its hash.
    """

    def __init__(self, store: Store, *, owner: str) -> None:
        if not owner:
            raise ValueError("a library needs an owner")
        self._store = store
        self._owner = hashlib.sha256(owner.encode()).hexdigest()[:32]

    @classmethod
    def open(cls, address: Path | str, *, owner: str, create: bool = False) -> Self:
        """Open a library.

        Parameters
        ----------
        address
            Path of the file.
        create
            Make it where there is none; one that is there is opened.

        Raises
        ------
        StoreError
            `store_missing`, `store_foreign`, `store_newer`, `store_damaged`, `store_read_only`,
            `store_busy`, `store_full`.
        """
        path = Path(address)
        if create and not path.exists():
            try:
                return cls(SqliteStore(Database.open(path, LIBRARY, create=True)), owner=owner)
            except StoreError as error:
                if error.code != "store_exists":  # another process was faster
                    raise
        return cls(SqliteStore(Database.open(path, LIBRARY)), owner=owner)

    @classmethod
    def in_memory(cls, *, owner: str = "memory") -> Self:
        """Make a library that leaves no byte on disk."""
        return cls(SqliteStore(Database.in_memory(LIBRARY)), owner=owner)

    @property
    def name(self) -> str:
        """What messages call it."""
        return self._store.name

    @property
    def owner(self) -> str:
        """What stands for the owner in names of files: a hash, 32 hex digits."""
        return self._owner

    @property
    def path(self) -> Path | None:
        """The file, None where there is none."""
        return self._store.path

    def close(self) -> None:
        """Close it; what was acknowledged is stored."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------ collections

    def collections(self) -> list[CollectionRow]:
        """Return the collections of the owner by name."""
        statement = (
            "SELECT c.name, c.added, count(d.key), coalesce(sum(d.chars), 0),"
            " coalesce(max(d.added), c.added), coalesce(sum(length(b.data)), 0)"
            " FROM collection c LEFT JOIN document d"
            " ON d.collection = c.id AND d.removed = 0 LEFT JOIN body b ON b.key = d.body"
            " WHERE c.owner = :owner AND c.removed = 0 GROUP BY c.id, c.name, c.added"
        )
        with self._store.reading() as session:
            answer = session.rows(statement, owner=self._owner)
        described = [
            CollectionRow(forms.unescaped(name), texts, int(chars), int(size), added, changed)
            for name, added, texts, chars, changed, size in answer
        ]
        return sorted(described, key=lambda row: row.name)

    def add_collection(self, name: str) -> None:
        """Make an empty collection; one that is there stays as it is."""
        with self._store.writing() as session:
            self._collection(session, name, create=True)

    def remove_collection(self, name: str) -> int:
        """Remove a collection with its texts; return how many. They stay until they are purged."""
        with self._store.writing() as session:
            number = self._collection(session, name)
            keys = [
                key
                for (key,) in session.rows(
                    f"SELECT d.key {_LIVE} AND c.id = :id", owner=self._owner, id=number
                )
            ]
            self._remove(session, keys)
            seq = self._next(session, "removal", 1)
            session.run("UPDATE collection SET removed = :seq WHERE id = :id", seq=seq, id=number)
        return len(keys)

    # ------------------------------------------------------------------ texts

    def add(self, collection: str, texts: Sequence[NewText]) -> list[Added]:
        """Add texts in one transaction; when this returns, they are stored.

        A text that its collection has already keeps its key and is not new, whatever its name. The
        collection is made where it is missing.
        """
        ready = add_texts(texts)
        with self._store.writing() as session:
            number = self._collection(session, collection, create=True)
            return ready.into(session, number, next_key=self._next)

    def rows(
        self,
        keys: Iterable[int] | None = None,
        *,
        collection: str | None = None,
        after: int = 0,
        limit: int | None = None,
    ) -> list[ArchiveRow]:
        """Return what is said about texts, by key; those of other owners do not exist.

        Parameters
        ----------
        keys
            Of these texts only.
        collection
            Of this collection only.
        after
            Only keys greater than this.
        limit
            The first so many.
        """
        most = _EVERYTHING if limit is None else limit
        with self._store.reading() as session:
            names = self._names(session)
            held = self._document_rows(session, keys, collection, after, most)
        return [forms.archive_row(row, names[row[1]]) for row in held]

    def find(
        self, text: str, *, collection: str | None = None, limit: int | None = None
    ) -> list[ArchiveRow]:
        """Return the texts whose name, title, author, date or address hold some words, by key."""
        wanted = forms.label(text)
        for sign in ("\\", "%", "_"):
            wanted = wanted.replace(sign, "\\" + sign)
        statement = (
            f"SELECT {_COLUMNS} {_LIVE} AND d.label LIKE :like ESCAPE '\\'"
            " AND (:collection = '' OR c.name = :collection) ORDER BY d.key LIMIT :most"
        )
        with self._store.reading() as session:
            names = self._names(session)
            held = session.rows(
                statement,
                owner=self._owner,
                like=f"%{wanted}%",
                collection=forms.escaped(collection or ""),
                most=_EVERYTHING if limit is None else limit,
            )
        return [forms.archive_row(row, names[row[1]]) for row in held]

    def documents(self, keys: Iterable[int]) -> list[Document]:
        """Return texts in the order of the keys, each checked against its sha-256.

        Keys that are removed or belong to others are left out; `meta[ROW_KEY]` of each document
        says which it is, `meta[COLLECTION_KEY]` its collection.

        Raises
        ------
        StoreError
            `store_damaged`, with the name of the text.
        """
        wanted = list(keys)
        with self._store.reading() as session:
            names = self._names(session)
            held = self._document_rows(session, wanted, None, 0, _EVERYTHING)
            bodies = read_texts(session, {row[3] for row in held})
        place = {key: n for n, key in enumerate(wanted)}
        held.sort(key=lambda row: place[row[0]])
        return [forms.stored_document(row, names[row[1]], bodies.text(row)) for row in held]

    def keys_of(self, text_id: str) -> list[int]:
        """Return the keys of one text, by its sha-256, in all collections."""
        statement = f"SELECT d.key {_LIVE} AND d.text = :text ORDER BY d.key"
        with self._store.reading() as session:
            answer = session.rows(statement, owner=self._owner, text=bytes.fromhex(text_id))
        return [key for (key,) in answer]

    def keys(
        self, *, collections: Sequence[str] | None = None, after: int = 0, limit: int | None = None
    ) -> I64:
        """Return the keys of texts, of all collections or of some, int64 (n,) ascending.

        Raises
        ------
        StoreError
            `store_missing`, with the name of a collection that does not exist.
        """
        most, where = _EVERYTHING if limit is None else limit, "AND d.key > :after"
        with self._store.reading() as session:
            if collections is not None:
                wanted = [str(self._collection(session, name)) for name in collections]
                where += f" AND c.id IN ({', '.join(wanted)})"
            statement = f"SELECT d.key {_LIVE} {where} ORDER BY d.key LIMIT :most"
            held = session.rows(statement, owner=self._owner, after=after, most=most)
        return np.fromiter((key for (key,) in held), np.int64, len(held))

    def fingerprints(self, after: int = 0) -> tuple[I64, U64]:
        """Return the keys with a fingerprint greater than `after`, (n,), and them, (n, W).

        Raises
        ------
        StoreError
            `store_damaged` where they are not of one width; `verify` names the text.
        """
        statement = (
            "SELECT f.key, f.words FROM fingerprint f JOIN document d ON d.key = f.key"
            " JOIN collection c ON c.id = d.collection WHERE c.owner = :owner"
            " AND d.removed = 0 AND f.key > :after ORDER BY f.key"
        )
        with self._store.reading() as session:
            held = session.rows(statement, owner=self._owner, after=after)
        widths = {len(words) for _, words in held}
        if len(widths) > 1 or any(width % 8 for width in widths):
            raise StoreError("store_damaged", name=self.name)
        keys = np.fromiter((key for key, _ in held), np.int64, len(held))
        joined = np.frombuffer(b"".join(words for _, words in held), "<u8")
        width = widths.pop() // 8 if widths else 0
        return keys, joined.reshape(len(held), width).astype(np.uint64)

    def counts(self, keys: Iterable[int]) -> Iterator[tuple[int, Counts]]:
        """Yield (key, counts) of the texts that have counts, by key."""
        for some in batches(sorted(keys)):
            places = Places(some)
            statement = (
                "SELECT d.key, n.codec, n.size, n.digest, n.data FROM counts n JOIN document d"
                " ON d.body = n.key JOIN collection c ON c.id = d.collection WHERE c.owner = :owner"
                f" AND d.removed = 0 AND d.key IN ({places.marks}) ORDER BY d.key"
            )
            with self._store.reading() as session:
                held = session.rows(statement, owner=self._owner, **places.values)
            for key, *packed in held:
                yield key, forms.unpacked_counts(*packed)

    def newest(self) -> int:
        """Return the largest key that was ever given."""
        with self._store.reading() as session:
            return self._counter(session, "document")

    # ------------------------------------------------------------------ removal

    def remove(self, keys: Iterable[int]) -> int:
        """Take texts out of every answer; return how many. They stay until they are purged."""
        wanted = list(keys)
        with self._store.writing() as session:
            held = self._document_rows(session, wanted, None, 0, _EVERYTHING)
            self._remove(session, [row[0] for row in held])
        return len(held)

    def removed(self, after: int = 0) -> tuple[int, list[int]]:
        """Return the number of the latest removal, and the keys removed after number `after`."""
        statement = (
            "SELECT r.seq, r.key FROM removal r JOIN collection c ON c.id = r.collection"
            " WHERE c.owner = :owner AND r.seq > :after ORDER BY r.seq"
        )
        with self._store.reading() as session:
            held = session.rows(statement, owner=self._owner, after=after)
        return (held[-1][0] if held else after), [key for _, key in held]

    # ------------------------------------------------------------------ recipe

    @property
    def recipe(self) -> str:
        """What shaped the fingerprints and counts, "" before the first."""
        with self._store.reading() as session:
            return str(self._meta(session, "recipe", ""))

    def set_recipe(self, recipe: str) -> None:
        """Say what shapes fingerprints and counts from now on."""
        with self._store.writing() as session:
            self._put(session, "recipe", recipe)

    # ------------------------------------------------------------------ inside

    def _document_rows(
        self,
        session: Session,
        keys: Iterable[int] | None,
        collection: str | None,
        after: int,
        most: int,
    ) -> list[Any]:
        """Return live rows of the owner by key."""
        values = {"owner": self._owner, "after": after, "most": most}
        where = "AND d.key > :after"
        if collection is not None:
            where += " AND c.name = :collection AND c.removed = 0"
            values["collection"] = forms.escaped(collection)
        if keys is None:
            statement = f"SELECT {_COLUMNS} {_LIVE} {where} ORDER BY d.key LIMIT :most"
            return session.rows(statement, **values)
        held: list[Any] = []
        for some in batches(sorted(set(keys))):
            places = Places(some)
            statement = (
                f"SELECT {_COLUMNS} {_LIVE} {where} AND d.key IN ({places.marks}) ORDER BY d.key"
                " LIMIT :most"
            )
            held += session.rows(statement, **values, **places.values)
        return held[:most]

    def _remove(self, session: Session, keys: Sequence[int]) -> None:
        """Mark documents as removed; each gets a number of its own."""
        if not keys:
            return
        seq = self._next(session, "removal", len(keys))
        gone = []
        for number, row in enumerate(self._document_rows(session, keys, None, 0, _EVERYTHING)):
            changed = (*row[:-2], seq + number)
            session.run(
                "UPDATE document SET removed = :removed, digest = :digest WHERE key = :key",
                removed=seq + number,
                digest=forms.row_digest(changed),
                key=row[0],
            )
            session.run("DELETE FROM fingerprint WHERE key = :key", key=row[0])
            gone.append((seq + number, row[0], row[1]))
        session.append("removal", ("seq", "key", "collection"), gone)

    def _collection(self, session: Session, name: str, *, create: bool = False) -> int:
        """Return the number of a collection of the owner."""
        answer = session.rows(
            "SELECT id FROM collection WHERE owner = :owner AND name = :name AND removed = 0",
            owner=self._owner,
            name=forms.escaped(name),
        )
        if answer:
            return int(answer[0][0])
        if not create:
            raise StoreError("store_missing", name=name)
        number = self._next(session, "collection", 1)
        row = (number, self._owner, forms.escaped(name), time.time(), 0)
        session.append("collection", ("id", "owner", "name", "added", "removed"), [row])
        return number

    def _names(self, session: Session) -> dict[int, str]:
        """Return the name of each collection of the owner by number."""
        answer = session.rows("SELECT id, name FROM collection WHERE owner = :owner",
                             owner=self._owner)  # fmt: skip
        return {number: forms.unescaped(name) for number, name in answer}

    def _next(self, session: Session, what: str, count: int) -> int:
        """Take `count` numbers that were never given; return the first."""
        last = self._counter(session, what)
        self._put(session, f"last_{what}", last + count)
        return last + 1

    def _counter(self, session: Session, what: str) -> int:
        return int(self._meta(session, f"last_{what}", 0))

    def _meta(self, session: Session, name: str, default: Any) -> Any:
        answer = session.rows("SELECT value FROM meta WHERE name = :name", name=name)
        return json.loads(answer[0][0]) if answer else default

    def _put(self, session: Session, name: str, value: Any) -> None:
        session.run(
            "INSERT INTO meta (name, value) VALUES (:name, :value)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name=name,
            value=json.dumps(value),
        )
