"""An address to a database: a file, or a server."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from ...errors import StoreError
from ..database import Database
from .schema import LIBRARY
from .sessions import SqliteStore, Store

_SERVERS = ("postgresql://", "postgres://", "postgresql+pg8000://")


def is_server(address: Path | str) -> bool:
    """Return whether an address names a server, not a file."""
    return str(address).startswith(_SERVERS)


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
            return SqliteStore(Database.open(path, LIBRARY, create=True))
        except StoreError as error:
            if error.code != "store_exists":  # another process was faster
                raise
    return SqliteStore(Database.open(path, LIBRARY))
