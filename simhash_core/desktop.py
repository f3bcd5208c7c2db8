"""The application in a window of its own, or in a browser tab.

    launcher                    holds the lock, waits for the window to close
      |- server  (child)        Streamlit on 127.0.0.1; ends when its pipe to the launcher closes
      `- window  (child)        pywebview, or a Chromium-family browser in application mode

Server and window are processes, not threads: both want the main thread and signals for
themselves, and a graphics library that aborts must take nothing else with it. The pipe is what
makes the server die with the launcher even when the launcher is killed and can clean up nothing.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import runpy
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from .errors import LeitongError

HOST = "127.0.0.1"
USUAL_PORT = 8581  # kept where free, so that a bookmark stays good
START_SECONDS = 60.0  # a cold disk and a virus scanner can hold a first start for this long
ATTEMPTS = 3  # a free port can be taken between choosing it and binding it
TICK = 0.1  # seconds between two looks at processes that offer nothing to wait on together
GRACE_SECONDS = 1.0  # for an orderly end, before the whole group is killed

WRONG_WINDOW = 3  # exit code of the window process: this backend cannot show the application

Tell = Callable[..., None]  # tell("desktop.serving", url=...): a key of the catalogue

_NAMES = (
    "google-chrome",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
    "microsoft-edge",
    "brave-browser",
)
_MAC = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Chromium.app/Contents/MacOS/Chromium",
    "Brave Browser.app/Contents/MacOS/Brave Browser",
)
_WINDOWS = (r"Google\Chrome\Application\chrome.exe", r"Microsoft\Edge\Application\msedge.exe")


class AppMissing(LeitongError):
    """The pages are not beside the package: it was installed without its checkout."""

    code = "app_missing"


class AppFailed(LeitongError):
    """The server ended, or never answered. `log` names the file with its last words."""

    code = "app_failed"


def open_app(
    *,
    window: bool,
    port: int | None = None,
    open_browser: bool = True,
    tell: Tell = lambda key, **params: None,
) -> int:
    """Serve the application and show it until the user is done.

    Parameters
    ----------
    window
        True opens a window of its own and ends when it is closed; False opens a browser tab
        and serves until interrupted.
    port
        None takes `USUAL_PORT` where it is free, else any free one. Each explicit port may have
        its own server; without one, a second start shows what the first serves.
    open_browser
        False only serves (and says where).
    tell
        Called with a key of the `desktop` catalogue and its parameters.

    Returns
    -------
    int
        0 when the user closed the window or pressed Ctrl-C.

    Raises
    ------
    AppMissing, AppFailed
    """
    folder = state_folder() / ("app" if port is None else f"port-{port}")
    folder.mkdir(parents=True, exist_ok=True)
    with only_one(folder / "lock") as first:
        if not first:
            address = _running(folder)
            tell("desktop.already", url=address)
            _show(address, folder, window=window, open_browser=open_browser, tell=tell)
            return 0
        with serving(port, log=folder / "server.log") as server:
            record = {"pid": os.getpid(), "port": server.port}
            (folder / "instance.json").write_text(json.dumps(record), "utf-8")
            tell("desktop.serving", url=server.url)
            with contextlib.suppress(KeyboardInterrupt):
                closed = _show(
                    server.url,
                    folder,
                    window=window,
                    open_browser=open_browser,
                    tell=tell,
                    until=server.ended,
                )
                while not closed and not server.ended():
                    time.sleep(TICK)
                if server.ended():
                    raise AppFailed("the server ended", log=str(server.log))
    return 0


def find_app() -> Path:
    """Return `app.py` beside the package folder, where a checkout has it."""
    app = Path(__file__).resolve().parents[1] / "app.py"
    if not app.is_file():
        raise AppMissing(f"no {app}", path=str(app))
    return app


def state_folder() -> Path:
    """Return the folder for lock, log and browser profile; `LEITONG_STATE` overrides it."""
    if chosen := os.environ.get("LEITONG_STATE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or tempfile.gettempdir()) / "Leitong"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Leitong"
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "leitong"


# --------------------------------------------------------------------------- one at a time


@contextlib.contextmanager
def only_one(path: Path) -> Iterator[bool]:
    """Yield whether this process is the first to hold `path`.

    Notes
    -----
    The lock belongs to the open file, so the system drops it with the process, however that
    ends: there is no stale lock and no process number that somebody else has taken over.
    """
    with path.open("a+b") as file:
        yield _try_lock(file)


def _try_lock(file: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _running(folder: Path) -> str:
    """Return the address of the instance that holds the lock, once it answers."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            port = int(json.loads((folder / "instance.json").read_text("utf-8"))["port"])
            if healthy(port):
                return f"http://{HOST}:{port}"
        time.sleep(TICK)
    raise AppFailed("another instance holds the lock and does not answer", log=str(folder))


# --------------------------------------------------------------------------- the server


@dataclass(frozen=True, slots=True)
class Server:
    """A running server and where it listens."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path

    @property
    def url(self) -> str:
        """Address of the front page."""
        return f"http://{HOST}:{self.port}"

    def ended(self) -> bool:
        """Return whether the process is gone."""
        return self.process.poll() is not None


@contextlib.contextmanager
def serving(port: int | None = None, *, log: Path) -> Iterator[Server]:
    """Run the application as a child process; it has answered before the body runs.

    Raises
    ------
    AppFailed
        No answer within `START_SECONDS`, or the explicit port is taken.
    """
    app = find_app()
    for attempt in range(1, ATTEMPTS + 1):
        chosen = port if port is not None else free_port(USUAL_PORT if attempt == 1 else 0)
        server = _start(app, chosen, log)
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


def healthy(port: int) -> bool:
    """Return whether a Streamlit server answers on `port`."""
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/_stcore/health", timeout=2) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _start(app: Path, port: int, log: Path) -> Server:
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "simhash_core.desktop", "--serve", str(port)],
            stdin=subprocess.PIPE,  # never written to; its end is the signal
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=app.parent,  # where .streamlit/config.toml is looked for
            start_new_session=True,  # Ctrl-C is the launcher's to handle
        )
    return Server(process, port, log)


def _answers(server: Server) -> bool:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and not server.ended():
        if healthy(server.port):
            return not server.ended()  # the answer may be another program's on a lost port
        time.sleep(TICK)
    return False


def _end(server: Server) -> None:
    assert server.process.stdin is not None
    with contextlib.suppress(OSError):
        server.process.stdin.close()
    try:
        server.process.wait(4 * GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait()


def serve(port: int) -> None:
    """Run Streamlit in this process and end with the launcher. Runs in the server child only."""
    threading.Thread(target=_end_with_launcher, daemon=True).start()
    sys.argv = [
        "streamlit",
        "run",
        str(find_app()),
        f"--server.port={port}",
        f"--server.address={HOST}",
        "--server.headless=true",
        "--browser.gatherUsageStats=false",
        "--global.developmentMode=false",
    ]
    runpy.run_module("streamlit", run_name="__main__")


def _end_with_launcher() -> None:
    """Wait for the end of standard input, which comes when the launcher is gone."""
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)  # readers of files that are still at work, too
    os._exit(1)


# --------------------------------------------------------------------------- the window


def _show(
    url: str,
    folder: Path,
    *,
    window: bool,
    open_browser: bool,
    tell: Tell,
    until: Callable[[], bool] = lambda: False,
) -> bool:
    """Show `url` and return whether the user has closed it; a tab cannot tell, so False."""
    if window and open_browser:
        for way in (_own_window, _browser_window):
            if (command := way(url, folder)) and _until_closed(command, until):
                return True
        tell("desktop.tab", url=url)
    if open_browser and _has_screen() and webbrowser.open(url):
        return False
    tell("desktop.address", url=url)
    return False


def _until_closed(command: Sequence[str], until: Callable[[], bool]) -> bool:
    """Run a window process; True when it was closed (or the server ended), False if it failed."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except OSError:
        return False
    try:
        while process.poll() is None and not until():
            time.sleep(TICK)
        return process.poll() in (None, 0)
    finally:
        process.terminate()
        process.wait()


def _own_window(url: str, folder: Path) -> list[str] | None:
    """Return the command for a pywebview window, where the package is installed."""
    if importlib.util.find_spec("webview") is None:
        return None
    return [sys.executable, "-m", "simhash_core.desktop", "--window", url]


def _browser_window(url: str, folder: Path) -> list[str] | None:
    """Return the command for a browser without tabs, with a profile of its own."""
    browser = find_browser()
    if browser is None:
        return None
    # The holder of the lock keeps its profile; a guest must not join a browser that may outlive it.
    with only_one(folder / "profile.lock") as first:
        profile = folder / "profile" if first else folder / f"profile-{os.getpid()}"
    extra = shlex.split(os.environ.get("LEITONG_BROWSER_ARGS", ""))
    plain = ["--no-first-run", "--no-default-browser-check", "--disable-background-mode"]
    return [browser, f"--app={url}", f"--user-data-dir={profile}", *plain, *extra]


def find_browser() -> str | None:
    """Return a Chromium-family browser; `LEITONG_BROWSER` names one explicitly."""
    if chosen := os.environ.get("LEITONG_BROWSER"):
        return shutil.which(chosen)
    found = [shutil.which(name) for name in _NAMES]
    if sys.platform == "darwin":
        roots = (Path("/Applications"), Path.home() / "Applications")
        found += [str(root / app) for root in roots for app in _MAC]
    if sys.platform == "win32":
        variables = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        bases = [os.environ[name] for name in variables if name in os.environ]
        found += [str(Path(base) / app) for app in _WINDOWS for base in bases]
    return next((path for path in found if path and Path(path).is_file()), None)


def _has_screen() -> bool:
    """Return whether a browser could be seen; else a text browser would take the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def show_window(url: str) -> int:
    """Show `url` in a pywebview window until it is closed. Runs in the window child only."""
    threading.Thread(target=_end_with_launcher, daemon=True).start()
    import webview

    webview.settings["ALLOW_DOWNLOADS"] = True  # else download buttons do nothing
    view = webview.create_window("Leitong 雷同", url, width=1360, height=900, min_size=(390, 480))
    outcome = {"code": 0}

    def check() -> None:
        # the colours need light-dark(), which embedded views before 2024 do not know
        if not view.evaluate_js("CSS.supports('color', 'light-dark(red, blue)')"):
            outcome["code"] = WRONG_WINDOW
            view.destroy()

    view.events.loaded += check
    try:
        webview.start(private_mode=False)
    except webview.errors.WebViewException:
        return WRONG_WINDOW
    return outcome["code"]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--serve", number]:
            serve(int(number))
        case ["--window", address]:
            sys.exit(show_window(address))
        case _:
            sys.exit(__doc__)
