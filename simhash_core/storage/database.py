"""The floor that projects and the library stand on: one SQLite file, opened with care.

Nothing but SQLite ever opens such a file, here or elsewhere: on POSIX a process that closes any
descriptor of a file loses all its locks on it, and then another process may write at the same time
or take the journal away (https://sqlite.org/howtocorrupt.html, section 2.2).

A `Database` is one connection behind a lock. Every write is one `BEGIN IMMEDIATE` transaction: with
a plain `BEGIN`, a read followed by a write fails at once when another process wrote in between, and
no waiting time helps. A file of another version is refused with its bytes unchanged.

SQLite in WAL mode needs shared memory, which no network share has between machines: so a file is
asked whether it lies on a disk of this machine.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import StoreError
from ..folders import write_whole

WAIT_SECONDS = 10.0  # for another process that writes
ATTEMPTS = 3  # to begin a write, each after waiting so long
#: bytes of a file that is looked at whole before it is written to: half a second
LOOKED_AT = 64 * 2**20
MOST_VALUE = 1 << 30  # bytes of one stored value; SQLite's usual limit
_JOURNALS = ("-wal", "-shm", "-journal")
_OBJECTS = "SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"

#: primary result code of SQLite -> code of `StoreError`
_CODES = {
    sqlite3.SQLITE_BUSY: "store_busy",
    sqlite3.SQLITE_LOCKED: "store_busy",
    sqlite3.SQLITE_FULL: "store_full",
    sqlite3.SQLITE_READONLY: "store_read_only",
    sqlite3.SQLITE_PERM: "store_read_only",
    sqlite3.SQLITE_CANTOPEN: "store_missing",
    sqlite3.SQLITE_IOERR: "store_full",
    sqlite3.SQLITE_TOOBIG: "store_too_large",
    sqlite3.SQLITE_NOTADB: "store_foreign",
}

#: extended result codes of file systems on which locking fails; where it only says that there are
#: no locks (ENOLCK, as NFS without its lock service), SQLite waits and calls the file busy
_LOCKING = (
    sqlite3.SQLITE_IOERR_LOCK,
    sqlite3.SQLITE_IOERR_RDLOCK,
    sqlite3.SQLITE_IOERR_UNLOCK,
    sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK,
    sqlite3.SQLITE_IOERR_SHMLOCK,
)

#: what SQLite answers where a journal can be neither read nor made
_UNREACHABLE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)

#: file systems that another machine can hold, as Linux and macOS call them
_NETWORK = re.compile(
    r"(nfs\d?|cifs|smb\w*|afpfs|webdav|davfs2?|9p|afs|ceph|glusterfs|lustre|gpfs|beegfs|ncpfs|vboxsf"
    r"|fuse\.(sshfs|s3fs|rclone|glusterfs|davfs|cephfs|gcsfuse|goofys|smbnetfs|vmhgfs-fuse))"
)


@dataclass(frozen=True, slots=True)
class Schema:
    """What a file holds: the statements that make it, under the number of its format."""

    application_id: int
    version: int
    statements: tuple[str, ...]

    def require_version(self, version: int, name: str) -> None:
        """Raise `StoreError` for another version: `store_newer` or `store_version`."""
        if version > self.version:
            raise StoreError("store_newer", name=name, version=version, ours=self.version)
        if version != self.version:  # made and filled in one transaction, a store has one
            raise StoreError("store_version", name=name, version=version)


class Session(sqlite3.Connection):
    """A transaction; a library asks these two things of every database."""

    def rows(self, statement: str, **values: Any) -> list[Any]:
        """Return the rows of a query."""
        return self.execute(statement, values).fetchall()

    def run(self, statement: str, **values: Any) -> int:
        """Run a statement; return how many rows it touched."""
        return self.execute(statement, values).rowcount


class Database:
    """One open SQLite file, or one in memory. Safe to share between threads.

    Attributes
    ----------
    path : Path, optional
        The file; None in memory.
    name : str
        Its name, "" in memory.
    read_only : bool
        Whether nothing can be stored: the file or its folder must not be written to.

    Notes
    -----
    `reading()` and `writing()` hold the lock: keep both short, and compress or compute outside.
    Before the first write a file of up to `LOOKED_AT` is looked at whole: into one whose structures
    are broken nothing is written, so that what can still be read of it stays as it is.
    """

    def __init__(self, connection: Session, path: Path | None, *, read_only: bool = False) -> None:
        self._connection, self.path, self.read_only = connection, path, read_only
        self.name = path.name if path else ""
        self._lock = threading.RLock()
        self._whole: bool | None = None  # what the last look at its structures said

    @classmethod
    def open(cls, path: Path, schema: Schema, *, create: bool = False) -> Database:
        """Open a file, or make a new one.

        Where the file or its folder must not be written to, it is only read.

        Raises
        ------
        StoreError
            `store_missing`, `store_exists` (with `create`), `store_foreign` (another kind of
            file), `store_newer`, `store_version` (another one), `store_damaged`,
            `store_read_only`, `store_busy`, `store_full`,
            `store_journal` (only read, and the journal beside it cannot be). A file that is
            refused keeps every byte, and so does the journal beside it.
        """
        if create:
            _reserve(path)
        elif not path.is_file():
            raise StoreError("store_missing", name=path.name)
        elif not (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)):
            return cls._open_to_read(path, schema)
        elif _has_journal(path) and not cls._is_whole_beside(path, schema):
            broken = cls._open_to_read(path, schema)
            broken._whole = False
            return broken
        with faults(path):
            database = cls(_connect(f"{path.absolute().as_uri()}?mode=rw"), path)
            try:
                if not create:
                    database._refuse(schema)
                # where shared memory is missing, SQLite stays without
                mode = "delete" if is_network(path) else "wal"
                (now,) = database._connection.execute("PRAGMA journal_mode").fetchone()
                if now != mode and database._is_whole():  # the mode stands in the file
                    database._connection.execute(f"PRAGMA journal_mode={mode}").fetchall()
                # every acknowledged decision survives a power cut; about 4 ms a commit
                database._connection.execute("PRAGMA synchronous=FULL")
                if create:
                    database._make(schema)
            except BaseException:
                database.close()
                raise
        return database

    @classmethod
    def _is_whole_beside(cls, path: Path, schema: Schema) -> bool:
        """Refuse a file beside which a journal lies, or return whether it may be written to.

        Whoever is last to close a file that it may write to puts the journal into it. A journal
        that has to be rolled back cannot be read before that.
        """
        if application_id(path) not in (0, schema.application_id):
            raise StoreError("store_foreign", name=path.name)
        with faults(path), contextlib.suppress(sqlite3.OperationalError):
            looking = cls(_connect(f"{path.absolute().as_uri()}?mode=ro"), path, read_only=True)
            with contextlib.closing(looking):
                looking._refuse(schema)
                return looking._is_whole()
        return True

    @classmethod
    def _open_to_read(cls, path: Path, schema: Schema) -> Database:
        """Open a file as it is.

        While anybody has the file open, or after a crash, a journal lies beside it; without one,
        SQLite needs neither locks nor shared memory, which a folder that is read-only cannot hold.
        """
        settled = not _has_journal(path)
        how = "immutable=1" if settled else "mode=ro"
        with faults(path):
            try:
                database = cls(_connect(f"{path.absolute().as_uri()}?{how}"), path, read_only=True)
                try:
                    database._refuse(schema)
                except BaseException:
                    database.close()
                    raise
                return database
            except sqlite3.OperationalError as error:
                if settled or _primary(error) not in _UNREACHABLE:
                    raise
                raise StoreError("store_journal", name=path.name) from error

    @classmethod
    def in_memory(cls, schema: Schema) -> Database:
        """Make a database that leaves no byte on disk and ends with its last user."""
        database = cls(_connect("file::memory:"), None)
        database._make(schema)
        return database

    @property
    def place(self) -> str:
        """Where it lies: local, network or memory."""
        if self.path is None:
            return "memory"
        return "network" if is_network(self.path) else "local"

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """Yield the connection inside one consistent view of the file."""
        with self._lock, faults(self.path):
            self._connection.execute("BEGIN")
            try:
                yield self._connection
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """Yield the connection inside one write transaction: all of it is stored, or nothing."""
        self.require_writable()
        with self._lock, faults(self.path):
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    self._connection.execute("BEGIN IMMEDIATE")
                    break
                except sqlite3.OperationalError as error:
                    if _primary(error) != sqlite3.SQLITE_BUSY or attempt == ATTEMPTS:
                        raise
                    time.sleep(0.01 * attempt)
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            if self.path is not None:
                # what was written moves from the journal into the file, so that a copy of the
                # file alone is complete; a reader elsewhere can put that off, never prevent it
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def copy_to(self, path: Path) -> None:
        """Write a compact, consistent copy; the copy exists whole or not at all."""
        with self._lock, faults(path), write_whole(path) as fresh:
            self._connection.execute("VACUUM INTO ?", (str(fresh),))

    def in_memory_copy(self) -> Database:
        """Return everything as a database in memory."""
        copy = _connect("file::memory:")
        with self._lock, faults(self.path):
            self._connection.backup(copy)
        return Database(copy, None)

    def require_writable(self) -> None:
        """Raise where nothing may be written.

        Raises
        ------
        StoreError
            `store_read_only`, or `store_damaged` where the structures of the file are broken.
        """
        if self.read_only and self._whole is not False:
            raise StoreError("store_read_only", name=self.name)
        if not self._is_whole():
            raise StoreError("store_damaged", name=self.name)

    def _is_whole(self) -> bool:
        """Return what the last look said, after a first one; of a larger file, its end."""
        if self.path is not None and self._whole is None:
            return self.is_intact() if self.size() <= LOOKED_AT else not self._is_cut()
        return self._whole is not False

    def is_intact(self) -> bool:
        """Return whether SQLite finds its own structures whole; one pass over the file."""
        try:
            with self.reading() as connection:
                rows = connection.execute("PRAGMA integrity_check(1)").fetchall()
            self._whole = [row[0] for row in rows] == ["ok"] and not self._is_cut()
        except StoreError as error:
            if error.code == "store_busy":
                raise
            self._whole = False
        return self._whole

    def _is_cut(self) -> bool:
        """Return whether the file ends inside a page; SQLite reads zeros there."""
        return self.path is not None and self.path.stat().st_size % self._pragma("page_size") != 0

    def size(self) -> int:
        """Return the bytes of the file and its journal, in memory those of its pages."""
        if self.path is None:
            return self._pragma("page_count") * self._pragma("page_size")
        return sum(item.stat().st_size for item in files_of(self.path))

    def scrub(self) -> None:
        """Write the file anew without what was deleted, and empty its journal.

        Raises
        ------
        StoreError
            `store_busy` where another process reads or writes for too long.
        """
        self.require_writable()
        with self._lock, faults(self.path):
            self._connection.execute("PRAGMA temp_store=FILE")  # as large as the library
            self._connection.execute("VACUUM")
            (busy, _, _), *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.execute("PRAGMA temp_store=MEMORY")
        if busy:
            raise StoreError("store_busy", name=self.name)

    def close(self) -> None:
        """Close the file; what is stored is in it."""
        with self._lock:
            self._connection.close()

    def _refuse(self, schema: Schema) -> None:
        """Raise for a file of another program, of another version, or with foreign objects."""
        if self._pragma("application_id") != schema.application_id:
            raise StoreError("store_foreign", name=self.name)
        schema.require_version(self._pragma("user_version"), self.name)
        if set(self._connection.execute(_OBJECTS)) != _objects(schema):
            raise StoreError("store_damaged", name=self.name)  # views and triggers run statements

    def _make(self, schema: Schema) -> None:
        with self.writing() as connection:
            for statement in schema.statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id={schema.application_id}")
            connection.execute(f"PRAGMA user_version={schema.version}")

    def _pragma(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])


@contextlib.contextmanager
def faults(path: Path | None) -> Iterator[None]:
    """Turn what SQLite and the system report into a `StoreError`."""
    name = path.name if path else ""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # used after it was closed: a mistake of the program
    except sqlite3.DatabaseError as error:
        code = _CODES.get(_primary(error), "store_damaged")
        if getattr(error, "sqlite_errorcode", 0) in _LOCKING:
            code = "store_no_locks"
        raise StoreError(code, name=name) from error
    except UnicodeDecodeError as error:  # a message of SQLite that quotes damaged bytes
        raise StoreError("store_damaged", name=name) from error
    except PermissionError as error:
        raise StoreError("store_read_only", name=name) from error


def files_of(path: Path) -> list[Path]:
    """Return everything that belongs to one file: journal, shared memory, itself."""
    beside = [path.with_name(path.name + ending) for ending in _JOURNALS]
    return [item for item in (*beside, path) if item.exists()]


def _has_journal(path: Path) -> bool:
    """Return whether a journal with something in it lies beside a file."""
    journals = [path.with_name(path.name + ending) for ending in ("-wal", "-journal")]
    return any(item.exists() and item.stat().st_size for item in journals)


def application_id(path: Path) -> int:
    """Return what a file says it is, 0 where it says nothing; nothing is left beside it."""
    if not path.is_file():
        return 0
    try:
        with (
            faults(path),
            contextlib.closing(_connect(f"{path.absolute().as_uri()}?immutable=1")) as connection,
        ):
            return int(connection.execute("PRAGMA application_id").fetchone()[0])
    except StoreError:
        return 0


def wait_until_made(path: Path) -> None:
    """Wait while a file is an empty database: another process is making it."""
    end = time.monotonic() + WAIT_SECONDS
    with contextlib.suppress(StoreError), faults(path):
        while time.monotonic() < end:
            with contextlib.closing(_connect(f"{path.absolute().as_uri()}?mode=ro")) as looking:
                if looking.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
                    return
            time.sleep(0.02)


def _reserve(path: Path) -> None:
    """Make the empty file, readable by its owner alone.

    It appears under its name when no descriptor of it is open any more.
    """
    fresh = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        _make_empty(fresh)
        try:
            path.hardlink_to(fresh)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            _make_empty(path)
        finally:
            fresh.unlink()
    except FileExistsError as error:
        raise StoreError("store_exists", name=path.name) from error
    except (PermissionError, FileNotFoundError, NotADirectoryError) as error:
        raise StoreError("store_read_only", name=path.name) from error


def _make_empty(path: Path) -> None:
    """Make a file that is not there yet, so that nobody has it open."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _connect(address: str) -> Session:
    connection = sqlite3.connect(
        address,
        uri=True,
        timeout=WAIT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        factory=Session,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 1)  # VACUUM INTO needs one
    for pragma in (
        "trusted_schema=OFF",  # a file from elsewhere must not bring functions that run
        "cell_size_check=ON",
        "mmap_size=0",
        "secure_delete=ON",  # what is removed is overwritten
        "temp_store=MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}")
    return connection


@cache
def _objects(schema: Schema) -> frozenset[tuple[str, str]]:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for statement in schema.statements:
            connection.execute(statement)
        return frozenset(connection.execute(_OBJECTS))


def _primary(error: sqlite3.Error) -> int:
    """Return the primary result code; SQLite keeps details in the bits above."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def is_network(path: Path) -> bool:
    """Return whether a path lies on a network share, as far as the system tells.

    It lies on what is mounted at the nearest folder above it; later mounts hide earlier ones.
    """
    whole = Path(os.path.realpath(path))
    if str(whole).startswith("\\\\"):
        return True
    import psutil

    mounted = {}
    with contextlib.suppress(OSError):
        mounted = {part.mountpoint: part for part in psutil.disk_partitions(all=True)}
    for folder in map(str, (whole, *whole.parents)):
        if folder in mounted:
            kind, options = mounted[folder].fstype.lower(), mounted[folder].opts.split(",")
            return "remote" in options or _NETWORK.fullmatch(kind) is not None
    return False
