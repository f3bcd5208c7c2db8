"""The few things that a library asks of a database, so that two of them can answer.

Statements name their values (`:key`); both databases read that. `append` is the bulk call.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from ..database import Database, is_network
from .schema import COLUMNS

Row = Sequence[Any]
_BATCH = 500  # values of one statement; a database has a limit


class Session(Protocol):
    """One transaction."""

    def rows(self, statement: str, **values: Any) -> list[Any]:
        """Return the rows of a query."""
        ...

    def run(self, statement: str, **values: Any) -> int:
        """Run a statement; return how many rows it touched."""
        ...

    def append(self, table: str, rows: Iterable[Row]) -> None:
        """Insert many whole rows, in the order of `COLUMNS`."""
        ...


class Store(Protocol):
    """A database of one library."""

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def path(self) -> Path | None:
        """The file, None where there is none."""
        ...

    @property
    def place(self) -> str:
        """Where it lies: local, network, memory or server."""
        ...

    def reading(self) -> AbstractContextManager[Session]:
        """Yield a session with one consistent view."""
        ...

    def writing(self) -> AbstractContextManager[Session]:
        """Yield the only session that writes: all of it is stored, or nothing."""
        ...

    def size(self) -> int:
        """Bytes of everything on disk."""
        ...

    def scrub(self) -> None:
        """Overwrite what was deleted, in every file that belongs to it."""
        ...

    def close(self) -> None:
        """Close it; what is stored is stored."""
        ...


class SqliteStore:
    """A library in one file, or in memory."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @property
    def name(self) -> str:
        return self.database.name

    @property
    def path(self) -> Path | None:
        return self.database.path

    @property
    def place(self) -> str:
        if self.path is None:
            return "memory"
        return "network" if is_network(self.path) else "local"

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        with self.database.reading() as connection:
            yield SqliteSession(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        with self.database.writing() as connection:
            yield SqliteSession(connection)

    def size(self) -> int:
        return self.database.size()

    def scrub(self) -> None:
        self.database.scrub()

    def close(self) -> None:
        self.database.close()


class SqliteSession:
    """A transaction of a file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def rows(self, statement: str, **values: Any) -> list[Any]:
        return self.connection.execute(statement, values).fetchall()

    def run(self, statement: str, **values: Any) -> int:
        return self.connection.execute(statement, values).rowcount

    def append(self, table: str, rows: Iterable[Row]) -> None:
        columns = COLUMNS[table]
        marks = ", ".join("?" * len(columns))
        self.connection.executemany(
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows
        )


class Places:
    """The places of a list of values in a statement, and what goes there."""

    def __init__(self, values: Iterable[Any]) -> None:
        self.values: dict[str, Any] = {f"k{n}": value for n, value in enumerate(values)}
        self.marks = ", ".join(f":{name}" for name in self.values)


def batches(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Cut a list into parts that fit one statement."""
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]


def columns_of(table: str, alias: str) -> str:
    """Return the columns of a table as a query names them."""
    return ", ".join(f"{alias}.{column}" for column in COLUMNS[table])
