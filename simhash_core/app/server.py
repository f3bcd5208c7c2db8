"""The application as a child process that ends with its parent.

Streamlit runs in a separate process: it needs the main thread and the signals, and so does a
window. The child holds the reading end of a pipe that nobody writes to; the pipe closes when the
parent ends in whatever way, so even a killed parent leaves no server behind.
"""

from __future__ import annotations

import contextlib
import http.client
import importlib.util
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psutil

from ..errors import LeitongError
from ..folders import application_folder, private_file
from ..machine.isolation import child_command

HOST = "127.0.0.1"
LOCAL_HOSTS = (HOST, "localhost")  # names that browsers may know it by; the gate refuses others
USUAL_PORT = 8581  # used where free, so that a bookmark stays valid
START_SECONDS = 60.0  # a cold disk and a virus scanner can hold a first start for this long
ATTEMPTS = 3  # a free port can be taken between choosing it and binding it
TICK = 0.1  # seconds between two polls
ENDED = "LEITONG_SERVER_ENDED"  # environment of a server that takes the place of another
GRACE_SECONDS = 1.0  # for an orderly end, before the whole group is killed


class AppMissing(LeitongError):
    """The libraries of the application are not installed: the extra `app` is missing."""

    code = "app_missing"


class AppFailed(LeitongError):
    """The server ended, or never answered. `log` names the file with its output."""

    code = "app_failed"


class PortTaken(LeitongError):
    """Another program listens on the port that was asked for."""

    code = "port_taken"


def find_app() -> Path:
    """Return `app.py`.

    Raises
    ------
    AppMissing
        Streamlit is not installed.
    """
    if importlib.util.find_spec("streamlit") is None:
        raise AppMissing("streamlit is not installed")
    return application_folder() / "app.py"


@dataclass(frozen=True, slots=True)
class Server:
    """A running server and where it listens."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path
    host: str = HOST

    @property
    def url(self) -> str:
        """Address of the front page."""
        return f"http://{self.host}:{self.port}"

    def ended(self) -> bool:
        """Return whether the process is gone."""
        return self.process.poll() is not None


@contextlib.contextmanager
def run_server(
    port: int | None = None, *, log: Path, host: str = HOST, after: int | None = None
) -> Iterator[Server]:
    """Run the application as a child process; it has answered before the body runs.

    It listens on `host`; `department.may_listen` says on which it may. `after` is the exit code of
    the server in whose place it is started, which its pages say and whose log it goes on.

    Raises
    ------
    AppMissing
        The libraries of the application are not installed.
    AppFailed
        No answer within `START_SECONDS`.
    PortTaken
        The explicit `port` is in use.
    """
    app = find_app()
    if port is not None and free_port(port) != port:
        raise PortTaken(f"port {port} is taken", port=str(port))
    for attempt in range(1, ATTEMPTS + 1):
        chosen = port if port is not None else free_port(USUAL_PORT if attempt == 1 else 0)
        server = _start(app, chosen, log, host, after)
        try:
            answered = _answers(server)
            if answered:
                yield server
        finally:
            _end(server)
        if answered:
            return
        if port is not None or free_port(chosen) == chosen:
            break  # not a lost race for the port: trying again would fail again
    raise AppFailed("the application did not start", log=str(log))


def free_port(wanted: int = 0) -> int:
    """Return `wanted` where it can be bound, else a port the system calls free."""
    for candidate in (wanted, 0):
        with socket.socket() as probe, contextlib.suppress(OSError):
            if sys.platform != "win32":  # there the option would allow a port that is in use
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((HOST, candidate))
            return int(probe.getsockname()[1])
    raise AppFailed("no free port", log="")


def is_healthy(port: int, host: str = HOST) -> bool:
    """Return whether a Streamlit server answers on `port`."""
    # bandit: nothing is bound here; a server that listens everywhere is asked at this machine
    host = HOST if host in ("0.0.0.0", "::") else host  # nosec B104
    # no proxy, which may be set for the network, is asked about this machine
    line = http.client.HTTPConnection(host, port, timeout=2)
    with contextlib.closing(line), contextlib.suppress(OSError, http.client.HTTPException):
        line.request("GET", "/_stcore/health", headers={"Host": f"localhost:{port}"})
        return line.getresponse().status == 200
    return False


def read_ended() -> tuple[int, datetime] | None:
    """Return exit code and moment of the server in whose place this one runs, None for none."""
    code, _, moment = os.environ.get(ENDED, "").partition(" ")
    return (int(code), datetime.fromisoformat(moment)) if moment else None


def _start(app: Path, port: int, log: Path, host: str, after: int | None) -> Server:
    ended = "" if after is None else f"{after} {datetime.now().astimezone().isoformat()}"
    with private_file(log) if after is None else log.open("ab") as out:
        process = subprocess.Popen(
            child_command("simhash_core.app.server:serve", str(port), host),
            stdin=subprocess.PIPE,  # never written to; its end is the signal
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=app.parent,  # where .streamlit/config.toml is looked for
            env={**os.environ, ENDED: ended},
            start_new_session=True,  # Ctrl-C is the parent's to handle
        )
    return Server(process, port, log, host)


def _answers(server: Server) -> bool:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and not server.ended():
        if is_healthy(server.port, server.host) and _listens(server):
            return True
        time.sleep(TICK)
    return False


def _listens(server: Server) -> bool:
    """Return whether its process holds the port: the answer may come from one that took it."""
    try:
        process = psutil.Process(server.process.pid)
        family = (process, *process.children(recursive=True))  # Windows starts Python by another
        held = [line for one in family for line in one.net_connections("tcp")]
    except psutil.Error:
        return False
    return any(
        line.status == psutil.CONN_LISTEN and line.laddr.port == server.port for line in held
    )


def _end(server: Server) -> None:
    assert server.process.stdin is not None
    with contextlib.suppress(OSError):
        server.process.stdin.close()
    try:
        server.process.wait(4 * GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait()


def serve(port: str, host: str) -> None:
    """Run Streamlit in this process and end with the parent. Runs in the server child only."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    sys.argv = [
        "streamlit",
        "run",
        str(find_app()),
        f"--server.port={port}",
        f"--server.address={host}",
        "--server.headless=true",
        "--browser.gatherUsageStats=false",
        "--global.developmentMode=false",
    ]
    runpy.run_module("streamlit", run_name="__main__")


def end_with_parent() -> None:
    """End this process when standard input does, which it does when the parent is gone."""
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)  # readers of files that are still at work, too
    os._exit(1)
