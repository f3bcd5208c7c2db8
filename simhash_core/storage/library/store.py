"""`Library`: the narrow interface to texts in collections, whichever database holds them.

Nothing of one owner is ever shown to another: `view.View` names the owner in every statement.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self
from urllib.parse import parse_qs, urlsplit

import numpy as np

from ...errors import StoreError
from ...model import I64, U64, CorpusStats, Document
from ..codec import compress, expand
from ..database import LOOKED_AT, Database, wait_until_made
from . import backups, verification
from .jobs import Jobs
from .rows import (
    Added,
    ArchiveRow,
    CollectionRow,
    Counts,
    Fault,
    Frozen,
    JobItem,
    LibraryStats,
    Purged,
    archive_row,
    counts_of,
    fingerprint_row,
    make_document,
    require_sealed,
    seal_row,
    unescape_text,
)
from .tables import COLUMNS, LIBRARY, columns_of
from .texts import BODIES, Prepared, describe, store, text_of
from .view import COLLECTION, EVERYTHING, LIVE, Store, View

_SERVERS = ("postgresql://", "postgres://", "postgresql+pg8000://")
_UTF_8 = ("utf-8", "surrogatepass")
_MOST_STATISTICS = 2**30  # bytes

_REMOVALS = (
    "SELECT r.seq, r.key FROM removal r JOIN collection c ON c.id = r.collection"
    " WHERE c.owner = :owner AND r.seq > :after ORDER BY r.seq"
)
_COLLECTIONS = (
    "SELECT c.name, c.added, count(d.key), coalesce(sum(d.chars), 0),"
    " coalesce(max(d.added), c.added), coalesce(sum(length(b.data)), 0)"
    " FROM collection c LEFT JOIN document d ON d.collection = c.id AND d.removed = 0"
    " LEFT JOIN body b ON b.key = d.body WHERE c.owner = :owner AND c.removed = 0"
    " GROUP BY c.id, c.name, c.added"
)
_FINGERPRINTS = (
    "SELECT f.key, f.words, f.digest FROM fingerprint f JOIN document d ON d.key = f.key"
    " JOIN collection c ON c.id = d.collection WHERE c.owner = :owner"
    " AND d.removed = 0 AND f.key > :after AND f.key <= :upto AND length(f.words) > 0"
    " ORDER BY f.key"
)
_COUNTS = (
    f"SELECT d.key, {columns_of('counts', 'n')} FROM counts n JOIN document d"
    " ON d.body = n.key JOIN collection c ON c.id = d.collection WHERE c.owner = :owner"
    " AND d.removed = 0 AND d.key IN ({keys}) ORDER BY d.key"
)
_COUNTS_OF_BODIES = (
    f"SELECT {columns_of('counts', 'n')} FROM counts n"
    f" WHERE n.key IN (SELECT d.body {LIVE} AND d.key IN ({{keys}}))"
)
_STATISTICS = f"SELECT {columns_of('statistics', 's')} FROM statistics s WHERE s.owner = :owner"


class Library:
    """One open library, as one owner sees it. Safe to share between threads.

    Parameters
    ----------
    store, owner
        The database, and any secret string: the database holds its hash.

    Attributes
    ----------
    store
        The database: its `path`, where it lies (`place`).
    name : str
        What messages call it.
    owner : str
        What stands for the owner in tables and names of files: a hash, 32 hex digits.
    jobs : Jobs
        The imports.

    Notes
    -----
    Changing a collection or a job that does not exist raises `StoreError` (`store_missing`);
    questions about one have empty answers.
    """

    def __init__(self, store: Store, *, owner: str) -> None:
        if not owner:
            raise ValueError("a library needs an owner")
        self.store, self.name = store, store.name
        self.owner = hashlib.sha256(owner.encode()).hexdigest()[:32]
        self._current = threading.local()
        self.jobs = Jobs(self._reading, self._writing)

    @classmethod
    def open(cls, address: Path | str, *, owner: str, create: bool = False) -> Self:
        """Open a library: a file, or `postgresql://user:password@host/database?team=NAME`.

        With `create`, it is made where there is none. All who name a team share its collections.

        Raises
        ------
        StoreError
            `store_missing`, `store_foreign`, `store_newer`, `store_damaged`, `store_read_only`,
            `store_busy`, `store_full`.
        """
        return cls(open_store(address, create=create), owner=owner_of(address, owner))

    @classmethod
    def in_memory(cls, *, owner: str = "memory") -> Self:
        """Make a library that leaves no byte on disk."""
        return cls(Database.in_memory(LIBRARY), owner=owner)

    @property
    def id(self) -> str:
        """What tells this library from any other, its copies excepted; "" before the first text."""
        with self._reading() as view:
            return str(view.get("id", ""))

    def close(self) -> None:
        """Close it; what was acknowledged is stored."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------ collections

    def collections(self) -> list[CollectionRow]:
        """Return the collections of the owner by name."""
        with self._reading() as view:
            rows = [
                CollectionRow(unescape_text(name), texts, int(chars), int(size), added, changed)
                for name, added, texts, chars, changed, size in view.rows(_COLLECTIONS)
            ]
        return sorted(rows, key=lambda row: row.name)

    def add_collection(self, name: str) -> None:
        """Make an empty collection; one that is there stays as it is."""
        with self._writing() as view:
            view.collection(name, create=True)

    def remove_collection(self, name: str) -> int:
        """Remove a collection with its texts; return how many. They stay until they are purged."""
        with self._writing() as view:
            count = view.remove(view.keys(collections=[name]))
            (row,) = view.rows(f"{COLLECTION} AND c.id = :id", id=view.collection(name))
            removed = (*row[:-2], view.next("removal", 1))
            view.replace("collection", [seal_row(removed)])
        return count

    # ------------------------------------------------------------------ texts

    def add(
        self, collection: str, texts: Sequence[Prepared], *, job: int = 0, items: Sequence[int] = ()
    ) -> list[Added]:
        """Add texts in one transaction; when this returns, they are stored.

        A text that its collection has already keeps its key and is not new, whatever its name. The
        collection is made where it is missing. What became of the `items` of an import that the
        texts come from is stored in the same transaction.

        Raises
        ------
        Cancelled
            Somebody cancelled the job meanwhile; nothing of these texts is stored.
        StoreError
        """
        with self._writing() as view:
            if job:
                self.jobs.renew(job)
            added = store(view, view.collection(collection, create=True), texts)
            if job:
                came = [
                    JobItem(number, "", "added" if one.is_new else "present", key=one.key)
                    for number, one in zip(items, added, strict=True)
                ]
                self.jobs.mark(job, came)
        return added

    def describe(self, values: Mapping[int, Mapping[str, str]], *, gone: Iterable[int] = ()) -> int:
        """Say other things of texts, by key, and take texts out, in one transaction.

        Parameters
        ----------
        values
            `name`, `title`, `author`, `date`, `url` or other metadata; "" takes a field away.
        gone
            Keys of texts that are removed, as by `remove`.

        Returns
        -------
        int
            How many texts are described otherwise now.
        """
        with self._writing() as view:
            view.remove(sorted(set(gone)))
            return describe(view, values)

    def rows(
        self,
        keys: Iterable[int] | None = None,
        *,
        collection: str | None = None,
        after: int = 0,
        words: str = "",
        limit: int | None = None,
    ) -> list[ArchiveRow]:
        """Return what is said about texts, by key: of some keys, of one collection, after a key.

        With `words`, those whose name, title, author, date or address hold them.
        """
        with self._reading() as view:
            names = view.collection_names()
            most = EVERYTHING if limit is None else limit
            rows = view.documents(keys, collection=collection, after=after, most=most, words=words)
            return [archive_row(row, names[row[1]]) for row in rows]

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
        with self._reading() as view:
            names = view.collection_names()
            rows = view.documents(wanted)
            listed = view.each(BODIES, sorted({row[3] for row in rows}))
            bodies = {body[0]: body for body in listed}
        place = {key: n for n, key in enumerate(wanted)}
        with _decoding(self.name):
            rows.sort(key=lambda row: place[row[0]])
            return [make_document(row, names[row[1]], text_of(row, bodies)) for row in rows]

    def every_document(self, collection: str | None = None) -> Iterator[Document | Fault]:
        """Yield all texts by key, some hundred read at a time; a fault where one is damaged."""
        return verification.documents(self.store, self.owner, collection)

    def keys(
        self,
        *,
        collections: Sequence[str] | None = None,
        languages: str = "",
        after: int = 0,
        upto: int = EVERYTHING,
    ) -> I64:
        """Return the keys of texts, of some collections and `languages` or all, int64 (n,).

        Ascending, greater than `after`, `upto` at most. Texts whose language is not stored are of
        every language.

        Raises
        ------
        StoreError
            `store_missing`, with the name of a collection that does not exist.
        """
        with self._reading() as view:
            keys = view.keys(collections=collections, languages=languages, after=after, upto=upto)
            return np.array(keys, np.int64)

    def fingerprints(self, after: int = 0, *, upto: int = EVERYTHING) -> tuple[I64, U64]:
        """Return the keys of texts with a fingerprint, (n,), and (n, W).

        Keys are greater than `after`, `upto` at most.

        Raises
        ------
        StoreError
            `store_damaged` where they are not of one width; `verify` names the text.
        """
        with self._reading() as view:
            rows = view.rows(_FINGERPRINTS, after=after, upto=upto)
            require_sealed(rows)
            widths = {len(words) for _, words, _ in rows} or {0}
            if len(widths) > 1:
                raise StoreError("store_damaged")
            keys = np.fromiter((key for key, _, _ in rows), np.int64, len(rows))
            joined = np.frombuffer(b"".join(words for _, words, _ in rows), "<u8")
            return keys, joined.reshape(len(rows), widths.pop() // 8).astype(np.uint64)

    def counts(self, keys: Iterable[int]) -> Iterator[tuple[int, Counts]]:
        """Yield (key, counts) of the texts that have counts, by key.

        Raises
        ------
        StoreError
            `store_damaged`.
        """
        with self._reading() as view:
            rows = list(view.each(_COUNTS, sorted(keys)))
        for key, *row in rows:
            with _decoding(self.name):
                counts = counts_of(row)
            if counts is not None:
                yield key, counts

    def newest(self) -> int:
        """Return the largest key that was ever given."""
        with self._reading() as view:
            return view.last("document")

    # ------------------------------------------------------------------ removal

    def remove(self, keys: Iterable[int]) -> int:
        """Take texts out of every answer; return how many. They stay until they are purged."""
        with self._writing() as view:
            return view.remove(sorted(set(keys)))

    def removed(self, after: int = 0) -> tuple[int, list[int]]:
        """Return the number of the latest removal, and the keys removed after number `after`."""
        with self._reading() as view:
            rows = view.rows(_REMOVALS, after=after)
        return (rows[-1][0] if rows else after), [key for _, key in rows]

    def purge(self, keys: Iterable[int] | None = None) -> Purged:
        """Delete texts, by default all that were removed, and every trace of them.

        Row, text, counts and names leave the file, its journal and every backup that it made. A
        text that another collection has too stays for that one.

        Raises
        ------
        StoreError
            `store_busy` where another process holds the file for too long: the texts are out of
            every answer, and purging again finishes.
        """
        with self._writing() as view:
            gone = backups.purge(view, view.removed_keys() if keys is None else list(keys))
            noted = backups.note_purge(view, gone)
        self.store.scrub()
        reached, unreached = backups.purge_backups(self.store, self.owner, noted)
        with self._writing() as view:  # every backup is reached, or named as out of reach
            view.put(backups.PENDING, [])
        ids = tuple(sorted(text.hex() for text in noted.ids))
        return Purged(len(gone.texts), gone.shared, reached, unreached, ids)

    # ------------------------------------------------------------------ recipe and statistics

    @property
    def recipe(self) -> str:
        """What shaped the fingerprints and counts of the owner, "" before the first."""
        with self._reading() as view:
            return str(view.get(f"recipe {self.owner}", ""))

    def set_recipe(self, recipe: str) -> None:
        """Say what shapes fingerprints and counts from now on."""
        with self._writing() as view:
            view.put(f"recipe {self.owner}", recipe)

    @property
    def statistics(self) -> Frozen | None:
        """The document frequencies that were frozen last, and when; None before the first."""
        with self._reading() as view:
            rows = view.rows(_STATISTICS)
            require_sealed(rows)
            if not rows:
                return None
            _, frozen, texts, codec, size, data, _ = rows[0]
            lines = expand(codec, data, size=size, most=_MOST_STATISTICS).decode(*_UTF_8)
            pairs = (line.rpartition("\t") for line in lines.split("\n") if line)
            df = {token: int(count) for token, _, count in pairs}
            return Frozen(CorpusStats(texts, df), frozen)

    def freeze_statistics(self) -> CorpusStats:
        """Count in how many texts each word occurs, and fix it; fingerprints may have to follow.

        Words of a single text are left out: statistics outlive a purge, and a name that one text
        alone holds must not stay. A word without a row counts as in one text wherever it is met.
        """
        frequencies: Counter[str] = Counter()
        n = 0
        with self._reading() as view:
            for row in view.each(_COUNTS_OF_BODIES, view.keys()):
                counts = counts_of(row)
                n += 1
                if counts is not None:
                    frequencies.update(counts.tokens)
        stats = CorpusStats(n, {token: count for token, count in frequencies.items() if count > 1})
        lines = "\n".join(f"{token}\t{count}" for token, count in sorted(stats.df.items()))
        data = lines.encode(*_UTF_8)
        codec, small = compress(data)
        with self._writing() as view:
            row = (view.owner, time.time(), stats.n, codec, len(data), small)
            view.replace("statistics", [seal_row(row)])
        return stats

    def replace_fingerprints(self, prints: Iterable[tuple[int, U64 | None]], recipe: str) -> int:
        """Store fingerprints that another recipe made, all at once; return how many."""
        rows = dict(prints)
        with self._writing() as view:
            view.put(f"recipe {self.owner}", recipe)
            live = sorted(rows.keys() & set(view.keys()))
            view.replace("fingerprint", [fingerprint_row(key, rows[key]) for key in live])
            return len(live)

    # ------------------------------------------------------------------ the whole

    def stats(self) -> LibraryStats:
        """Return the library in numbers."""
        with self._reading() as view:
            (texts, chars), *_ = view.rows(f"SELECT count(*), coalesce(sum(d.chars), 0) {LIVE}")
            (count,), *_ = view.rows(
                "SELECT count(*) FROM collection WHERE owner = :owner AND removed = 0"
            )
            frozen = view.rows("SELECT frozen, texts FROM statistics WHERE owner = :owner")
            return LibraryStats(
                collections=count,
                texts=texts,
                removed=len(view.removed_keys()),
                chars=int(chars),
                size=self.store.size(),
                newest=view.last("document"),
                recipe=str(view.get(f"recipe {view.owner}", "")),
                frozen=frozen[0][0] if frozen else None,
                frozen_texts=frozen[0][1] if frozen else 0,
                place=self.store.place,
                version=LIBRARY.version,
            )

    @functools.cached_property
    def is_sound(self) -> bool:
        """Whether the file was as it was written when this was asked first.

        But for the texts, which are checked when they are read. True where that is not known: of
        files over `LOOKED_AT`, and of servers, which have check sums.
        """
        store = self.store
        if not isinstance(store, Database) or store.size() > LOOKED_AT:
            return True
        sealed = (table for table, columns in COLUMNS.items() if columns[-1] == "digest")
        return store.is_intact() and all(verification.is_whole(store, one) for one in sealed)

    def verify(self) -> Iterator[Fault]:
        """Yield what is damaged, each with the text it touches; reads everything once."""
        fault = None
        for fault in verification.content_faults(self.store, self.owner):
            yield fault
        if fault is None and isinstance(self.store, Database) and not self.store.is_intact():
            yield Fault(0, "", "file")  # such as a page that nothing uses: no text is touched

    def backup(self, path: Path) -> None:
        """Write a complete copy and look at it; a purge reaches it as long as it stays there.

        Raises
        ------
        StoreError
            `store_exists`, `store_full`, `store_damaged`: then there is no copy.
        """
        if path.exists():
            raise StoreError("store_exists", name=path.name)
        if isinstance(self.store, Database):
            self.store.copy_to(path)
        else:
            backups.copy_rows(self.store, self.owner, path)
        with contextlib.closing(Database.open(path, LIBRARY)) as copy:
            is_intact = copy.is_intact()
        if not is_intact:
            path.unlink()
            raise StoreError("store_damaged", name=self.name)
        with self._writing() as view:
            places = [*view.get("backups", []), str(path.absolute())]
            view.put("backups", list(dict.fromkeys(places)))

    # ------------------------------------------------------------------ inside

    @contextlib.contextmanager
    def _reading(self) -> Iterator[View]:
        with self.store.reading() as session, _decoding(self.name):
            yield View(session, self.owner)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[View]:
        """Yield what is written in one transaction; within another of this thread, in that one."""
        if (outer := getattr(self._current, "view", None)) is not None:
            yield outer
            return
        with self.store.writing() as session:
            view = View(session, self.owner)
            if view.get("id") is None:
                view.put("id", secrets.token_hex(16))  # which library a backup is of
            self._current.view = view
            try:
                yield view
            finally:
                self._current.view = None


@contextlib.contextmanager
def _decoding(name: str) -> Iterator[None]:
    """Say that the library is damaged where a stored value is not what it must be."""
    try:
        yield
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
        raise StoreError("store_damaged", name=name) from error


def is_server(address: Path | str) -> bool:
    """Return whether an address names a server, not a file."""
    return str(address).startswith(_SERVERS)


def owner_of(address: Path | str, owner: str) -> str:
    """Return whose texts an address means: those of a team that it names, `?team=NAME`, or one's.

    Whoever has the password of the database can read all of it anyway.
    """
    query = urlsplit(str(address)).query if is_server(address) else ""
    team = parse_qs(query).get("team", [""])[0]
    return f"\0team {team}" if team else owner


def open_store(address: Path | str, *, create: bool) -> Store:
    """Open a database, with `create` one that is not there yet."""
    if is_server(address):
        if any(importlib.util.find_spec(name) is None for name in ("sqlalchemy", "pg8000")):
            raise StoreError("store_extra", name="postgres")
        from .postgres import PostgresStore

        plain = str(address).replace("postgres://", "postgresql://", 1)
        return PostgresStore.open(plain, create=create)
    path = Path(address)
    if create and not path.exists():
        try:
            return Database.open(path, LIBRARY, create=True)
        except StoreError as error:
            if error.code != "store_exists":
                raise
    if create:
        wait_until_made(path)
    return Database.open(path, LIBRARY)
