"""A PostgreSQL server of the tests, started with nothing but the installed programs."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


def programs() -> Path | None:
    """Return the folder of `initdb` and `postgres`."""
    on_path = shutil.which("initdb")
    folders = [Path(on_path).parent] if on_path else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "postgres").exists()), None)


@contextlib.contextmanager
def server() -> Iterator[str]:
    """Yield the address of an empty database of a running server."""
    folder = programs()
    if folder is None:
        pytest.skip(
            "PostgreSQL is not installed: no initdb on the path, none in /usr/lib/postgresql"
        )
    pytest.importorskip("pg8000", reason="the extra `postgres` is not installed")
    user = getpass.getuser()
    run_as = {}
    if sys.platform != "win32" and os.geteuid() == 0:  # the server refuses to run as root
        user, run_as = "postgres", {"user": "postgres"}
    data = Path(tempfile.mkdtemp(prefix="leitong-postgres-"))
    if run_as:
        shutil.chown(data, user)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    try:
        subprocess.run(
            [folder / "initdb", "-D", data / "db", "-U", "tests", "-A", "trust", "-E", "UTF8"],
            check=True,
            capture_output=True,
            cwd=data,
            **run_as,
        )
        settings = [f"-cport={port}", "-clisten_addresses=127.0.0.1", "-cfsync=off"]
        process = subprocess.Popen(
            [folder / "postgres", "-D", data / "db", "-k", data, *settings],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=data,
            **run_as,
        )
        try:
            _wait(port, process)
            yield f"postgresql://tests@127.0.0.1:{port}/postgres"
        finally:
            process.terminate()
            process.wait(30)
    finally:
        shutil.rmtree(data, ignore_errors=True)


def without_library(address: str) -> str:
    """Return the address after removing the library there."""
    import sqlalchemy

    engine = sqlalchemy.create_engine(address.replace("://", "+pg8000://"))
    with engine.begin() as connection:
        connection.execute(sqlalchemy.text("DROP SCHEMA IF EXISTS leitong CASCADE"))
    engine.dispose()
    return address


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    """Return when the server answers a query."""
    import pg8000.dbapi

    end = time.monotonic() + 60
    while True:
        try:
            pg8000.dbapi.connect("tests", host="127.0.0.1", port=port, database="postgres").close()
            return
        except Exception:
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.05)
