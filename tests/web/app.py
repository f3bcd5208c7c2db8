"""The application, allowed to fetch pages from one port of this machine: for the browser tests."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from simhash_core.app import server
from simhash_core.machine.isolation import child_command
from simhash_core.web import search

ROOT = Path(__file__).resolve().parents[2]


def serve(port: str, pages: str) -> None:
    """Run the application. Runs in a process of its own."""
    search.EXEMPT = frozenset((("127.0.0.1", int(pages)),))
    server.serve(port, server.HOST)


@contextlib.contextmanager
def serving_app(pages: int, log: Path, env: dict[str, str]) -> Iterator[server.Server]:
    """Yield the running application, until the block ends; `env` is added to its environment."""
    port = server.free_port()
    with log.open("wb") as out:
        process = subprocess.Popen(
            child_command("tests.web.app:serve", str(port), str(pages)),
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env={**os.environ, **env},
            start_new_session=True,
        )
    running = server.Server(process, port, log)
    try:
        assert server._answers(running), log.read_text("utf-8", errors="replace")
        yield running
    finally:
        server._end(running)
