"""A library on a PostgreSQL server, which a team shares: the same statements.

Writers take turns by an advisory lock, as SQLite's do by its file lock: so keys become visible in
their order, and who asks for "newer than" misses none. Tables lie in a schema of their own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pg8000.exceptions
import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from ...errors import StoreError
from .rows import is_sealed, seal_row
from .tables import COLUMNS, LIBRARY, fill_rows

SCHEMA = "leitong"
_LOCK = int.from_bytes(b"LTlb", "big")
_WAIT = "30s"  # for another writer: a batch of an import
_SECONDS = 10  # to connect
_VERSION = "schema_version"
#: SQLSTATE, or the class of it -> code of `StoreError`
_CODES = {
    "53100": "store_full",
    "53": "store_busy",
    "55P03": "store_busy",
    "40": "store_busy",
    "25006": "store_read_only",
    "42501": "store_read_only",
    "54": "store_too_large",
    "08": "store_unreachable",
    "28": "store_unreachable",
    "3D": "store_unreachable",
    "57": "store_unreachable",
    "58": "store_full",
    "XX": "store_damaged",
}
_TYPES = (
    (" STRICT, WITHOUT ROWID", ""),
    (" STRICT", ""),
    (" INTEGER", " BIGINT"),
    (" REAL", " DOUBLE PRECISION"),
    (" BLOB", " BYTEA"),
)


class PostgresStore:
    """A library in the tables of a server."""

    def __init__(self, engine: Engine) -> None:
        self._engine, url = engine, engine.url
        self.name = f"{url.host or 'localhost'}:{url.port or 5432}/{url.database or ''}"
        self.path = None
        self.place = "server"

    @classmethod
    def open(cls, address: str, *, create: bool = False) -> PostgresStore:
        """Open `postgresql://user:password@host/database?team=NAME`.

        Raises
        ------
        StoreError
            `store_unreachable`, `store_missing` (no library there), `store_newer`,
            `store_version`, `store_foreign`.
        """
        with faults(address):
            url = sql.make_url(address).set(drivername="postgresql+pg8000")
            url = url.difference_update_query(["team"])
            engine = sql.create_engine(
                url, pool_pre_ping=True, connect_args={"timeout": _SECONDS}, pool_size=4
            )
            sql.event.listen(engine, "connect", _settle)
            store = cls(engine)
            try:
                store._prepare(create)
            except BaseException:
                engine.dispose()
                raise
        return store

    @contextlib.contextmanager
    def reading(self) -> Iterator[PostgresSession]:
        with faults(self.name), self._engine.connect() as connection:
            connection = connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
            with connection.begin():
                yield PostgresSession(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator[PostgresSession]:
        with faults(self.name), self._engine.begin() as connection:
            connection.execute(sql.text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            yield PostgresSession(connection)

    def size(self) -> int:
        statement = (
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = :schema AND c.relkind = 'r'"
        )
        with self.reading() as session:
            return int(session.rows(statement, schema=SCHEMA)[0][0])

    def scrub(self) -> None:
        with faults(self.name), contextlib.closing(self._engine.raw_connection()) as pooled:
            connection: Any = pooled.driver_connection
            connection.rollback()  # the pool has begun one, and VACUUM stands alone
            connection.autocommit = True
            try:
                for table in COLUMNS:
                    connection.run(f"VACUUM FULL {table}")
            finally:
                connection.autocommit = False

    def close(self) -> None:
        self._engine.dispose()

    def _prepare(self, create: bool) -> None:
        """Make the tables, all in one transaction; where there are some, look at their version."""
        if not self._has_tables():
            if not create:
                raise StoreError("store_missing", name=self.name)
            with self.writing() as session:
                if not self._has_tables():  # another process may have made them meanwhile
                    session.run(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
                    for statement in LIBRARY.statements:
                        for sqlite, postgres in _TYPES:
                            statement = statement.replace(sqlite, postgres)
                        session.run(statement)
                    row = seal_row((_VERSION, str(LIBRARY.version)))
                    for statement, values in fill_rows("meta", [row]):
                        session.run(statement, **values)
        with self.reading() as session:
            rows = session.rows(f"SELECT * FROM meta WHERE name = '{_VERSION}'")
        if not rows or not is_sealed(rows[0]):
            raise StoreError("store_foreign", name=self.name)
        LIBRARY.require_version(int(rows[0][1]), self.name)

    def _has_tables(self) -> bool:
        statement = "SELECT to_regclass(:table) IS NOT NULL"
        with self.reading() as session:
            return bool(session.rows(statement, table=f"{SCHEMA}.meta")[0][0])


class PostgresSession:
    """A transaction of a server."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, **values: Any) -> list[Any]:
        answer = self._connection.execute(sql.text(statement), values)
        return [tuple(row) for row in answer]

    def run(self, statement: str, **values: Any) -> int:
        return self._connection.execute(sql.text(statement), values).rowcount


@contextlib.contextmanager
def faults(name: str) -> Iterator[None]:
    """Turn what the server and the driver report into a `StoreError`."""
    try:
        yield
    except sql.exc.ArgumentError as error:
        raise StoreError("store_unreachable", name="postgresql") from error
    except (sql.exc.DBAPIError, pg8000.exceptions.Error, OSError) as error:
        cause = getattr(error, "orig", None) or error
        given = cause.args[0] if cause.args else None  # "C" is the SQLSTATE that the server gave
        state = str(given.get("C", "")) if isinstance(given, dict) else ""
        code = _CODES.get(state) or _CODES.get(state[:2], "")
        if state and not code:
            raise  # a mistake of the program
        code = code or "store_unreachable"
        raise StoreError(code, name=name.rpartition("@")[2]) from error


def _settle(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    cursor.execute(f"SET search_path TO {SCHEMA}")
    cursor.execute(f"SET lock_timeout TO '{_WAIT}'")
    cursor.close()
    connection.commit()
