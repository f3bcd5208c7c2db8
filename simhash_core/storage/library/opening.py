"""An address to a database: a file, or a server."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from ...errors import StoreError
from ..database import Database
from .schema import LIBRARY
from .sessions import SqliteStore, Store

_SERVERS = ("postgresql://", "postgres://", "postgresql+pg8000://")


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
            return SqliteStore(Database.open(path, LIBRARY, create=True))
        except StoreError as error:
            if error.code != "store_exists":  # another process was faster
                raise
    return SqliteStore(Database.open(path, LIBRARY))
