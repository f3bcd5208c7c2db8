"""The few things that a library asks of a database, so that two of them can answer.

Statements name their values (`:key`); both databases read that. `append` is the one bulk call.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from ..database import Database

Row = Sequence[Any]


class Session(Protocol):
    """One transaction."""

    def rows(self, statement: str, **values: Any) -> list[Any]:
        """Return the rows of a query."""
        ...

    def run(self, statement: str, **values: Any) -> int:
        """Run a statement; return how many rows it touched."""
        ...

    def append(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        """Insert many rows."""
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

    def reading(self) -> AbstractContextManager[Session]:
        """Yield a session with one consistent view."""
        ...

    def writing(self) -> AbstractContextManager[Session]:
        """Yield the only session that writes: all of it is stored, or nothing."""
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

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        with self.database.reading() as connection:
            yield SqliteSession(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        with self.database.writing() as connection:
            yield SqliteSession(connection)

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

    def append(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        marks = ", ".join("?" * len(columns))
        self.connection.executemany(
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows
        )
