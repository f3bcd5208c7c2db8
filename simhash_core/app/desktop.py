"""The application in a desktop window, or in a browser tab.

    launcher                    holds the lock, waits for the window to close
      |- server  (child)        see `server`; ends when its pipe to the launcher closes
      `- window  (child)        pywebview, or a Chromium-family browser in application mode

The window is a process too: a graphics library that aborts ends only that process, and the next
way of showing the same address is tried. A window that has shown the application and ends, in
whatever way, was closed. A server that ends by itself is started again at the same address, where
the page finds it; what was stored is there, and the page says what happened.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import psutil
from filelock import FileLock, Timeout

from ..errors import LeitongError
from ..folders import data_folder, private_file, private_folder, state_folder
from ..i18n import LANGUAGES, translator
from ..machine.isolation import child_command
from . import tickets
from .server import (
    HOST,
    START_SECONDS,
    TICK,
    AppFailed,
    Server,
    end_with_parent,
    find_app,
    is_healthy,
    run_server,
)

WRONG_WINDOW = 3  # exit code of the window process: this backend cannot show the application
STEADY_SECONDS = 20.0  # a server that ends sooner after its start would end again

Tell = Callable[..., None]  # tell("desktop.serving", url=...): a key of the `desktop` catalogue

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


def open_app(
    *,
    window: bool,
    port: int | None = None,
    open_browser: bool = True,
    check: str = "",
    files: Sequence[str | Path] = (),
    tell: Tell = lambda key, **params: None,
) -> int:
    """Serve the application and show it until the user is done.

    Parameters
    ----------
    window
        True opens a desktop window and ends when it is closed; False opens a browser tab and
        serves until interrupted.
    port
        None takes `server.USUAL_PORT` where it is free, else any free one, and a second start
        shows what the first serves. Each explicit port has a separate server.
    open_browser
        False only serves, and says where.
    check
        Id of the stored check to begin with.
    files
        Files and folders that a new check begins with.
    tell
        Called with a key of the `desktop` catalogue and its parameters.

    Returns
    -------
    int
        0 when the user closed the window or pressed Ctrl-C.

    Raises
    ------
    AppMissing, AppFailed, PortTaken
        From `server`: no pages beside the package, no answer, or the port is in use.
    """
    query = {"check": check} if check else {}
    _tell_unwritable(tell)
    with (
        _working_folder("app" if port is None else f"port-{port}") as folder,
        only_one(folder / "lock") as first,
    ):
        if files:
            query["open"] = tickets.hand_over(files)
        if first:
            _serve_and_show(folder, port, window and open_browser, open_browser, query, tell)
        else:
            port = _port_of_first(folder)
            tell("desktop.already", url=_address(port))
            # a guest must not join a browser of the first, which may outlive either of them
            with tempfile.TemporaryDirectory("leitong", ignore_cleanup_errors=True) as profile:
                view = _View(_address(port, query), Path(profile), tell, lambda: False)
                view.show(window=window, tab=open_browser)
    return 0


@contextlib.contextmanager
def _working_folder(name: str) -> Iterator[Path]:
    """Yield the folder for lock, log and profile.

    Where the home cannot be written to, all state of this run lies in a temporary one: a second
    start then does not find the first and starts another server.
    """
    folder = state_folder() / name
    try:
        private_folder(state_folder())
        private_folder(folder)
        (folder / "lock").touch(mode=0o600)
    except OSError:
        with tempfile.TemporaryDirectory("leitong", ignore_cleanup_errors=True) as made:
            os.environ["LEITONG_STATE"] = made  # of the server too, which takes the tickets
            yield Path(made)
        return
    yield folder


def _tell_unwritable(tell: Tell) -> None:
    """Say which folder of the user cannot be written to, so that nothing is kept."""
    for folder in (data_folder(), state_folder()):
        with contextlib.suppress(OSError):
            if os.access(private_folder(folder), os.W_OK):
                continue
        tell("desktop.unwritable", folder=str(folder))
        return


def _serve_and_show(
    folder: Path,
    port: int | None,
    window: bool,
    open_browser: bool,
    query: Mapping[str, str],
    tell: Tell,
) -> None:
    """Start the server, show it, and wait for the window, the server or Ctrl-C to end it."""
    record = folder / "instance.json"
    record.unlink(missing_ok=True)  # of an earlier run
    log = folder / "server.log"
    try:
        with contextlib.ExitStack() as servers, contextlib.suppress(KeyboardInterrupt):
            servers.callback(tickets.clear)  # nobody can hand them in any more
            server = _Steady(servers, port, log)
            with private_file(record) as file:
                file.write(json.dumps({"pid": os.getpid(), "port": server.port}).encode())
            tell("desktop.serving", url=_address(server.port))
            view = _View(_address(server.port, query), folder / "profile", tell, server.ended)
            closed = view.show(window=window, tab=open_browser)
            while not closed and not server.ended():
                time.sleep(TICK)
            if server.ended():
                raise AppFailed("the server ended", log=str(log))
    except LeitongError as error:
        if window and not sys.stderr.isatty():  # a double click has no terminal that says it
            _show_error(error, folder)
        raise


class _Steady:
    """A server that is started again at its address where it ends by itself."""

    def __init__(self, servers: contextlib.ExitStack, port: int | None, log: Path) -> None:
        self._servers, self._log = servers, log
        self._server: Server = servers.enter_context(run_server(port, log=log))
        self._began = time.monotonic()
        self.port = self._server.port

    def ended(self) -> bool:
        """Return whether it is gone for good; where it has just ended, start it again first."""
        if not self._server.ended():
            return False
        if time.monotonic() - self._began < STEADY_SECONDS:
            return True
        code = self._server.process.returncode
        with contextlib.suppress(LeitongError):
            again = run_server(self.port, log=self._log, after=code)
            self._server, self._began = self._servers.enter_context(again), time.monotonic()
        return self._server.ended()


# --------------------------------------------------------------------------- one at a time


@contextlib.contextmanager
def only_one(path: Path) -> Iterator[bool]:
    """Yield whether this process is the first to hold `path`.

    Notes
    -----
    The lock belongs to the open file, so the system drops it with the process, however that
    ends: there is no stale lock and no process number that somebody else has taken over.
    """
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(FileLock(path, timeout=0, mode=0o600))
        except Timeout:
            yield False
        else:
            yield True


def _address(port: int, query: Mapping[str, str] | None = None) -> str:
    """Return the address of the front page, or of a check."""
    return f"http://{HOST}:{port}/" + (f"?{urlencode(query)}" if query else "")


def _port_of_first(folder: Path) -> int:
    """Return the port of the instance that holds the lock, once it answers."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            port = int(json.loads((folder / "instance.json").read_text("utf-8"))["port"])
            if is_healthy(port):
                return port
        time.sleep(TICK)
    raise AppFailed("another instance holds the lock and does not answer", log=str(folder))


# --------------------------------------------------------------------------- ways to show it


@dataclass(frozen=True, slots=True)
class _View:
    """An address and the ways to put it before the user, best first.

    Each way has a ticket of its own, which makes the browser the user's; a program is told of it
    by its input or by a file, never by its command line, which every user can read.
    """

    url: str
    profile: Path
    tell: Tell
    over: Callable[[], bool]  # the server is gone, so is the reason for a window

    def show(self, *, window: bool, tab: bool) -> bool:
        """Show a window and return True once it is closed; else a tab, of which nobody knows when.

        Without a window it is also said what address opens another browser, or one that is shut
        off from our files.
        """
        if window and (self._own_window() or self._browser_window()):
            return True
        if window:
            self.tell("desktop.no_window", url=self.url)
        if tab and not (_has_screen() and webbrowser.open(tickets.issue(self.url).page.as_uri())):
            self.tell("desktop.no_browser")
        minutes = round(tickets.GOOD_SECONDS / 60)
        self.tell("desktop.by_hand", url=tickets.issue(self.url).url, n=minutes)
        return False

    def _own_window(self) -> bool:
        if importlib.util.find_spec("webview") is None:
            return False
        ticket = tickets.issue(self.url)
        command = child_command("simhash_core.app.desktop:show_window", str(self.profile))
        return self._until_closed(command, ticket, tells=ticket.url)

    def _browser_window(self) -> bool:
        browser = find_browser()
        if browser is None:
            return False
        plain = [
            "--window-size=1360,900",
            "--no-first-run",
            "--no-default-browser-check",
            "--disable-background-mode",
        ]
        extra = shlex.split(os.environ.get("LEITONG_BROWSER_ARGS", ""))
        ticket = tickets.issue(self.url)
        profile = self.profile / "browser"
        _end_left_over(profile)
        address = [f"--app={ticket.page.as_uri()}", f"--user-data-dir={profile}"]
        # what a crash leaves may hold texts: it lies with the rest, not in folders of the browser
        places = {
            "BREAKPAD_DUMP_LOCATION": str(profile / "crashes"),
            "MESA_SHADER_CACHE_DIR": str(profile),
        }
        return self._until_closed([browser, *address, *plain, *extra], ticket, places=places)

    def _until_closed(
        self,
        command: Sequence[str],
        ticket: tickets.Ticket,
        *,
        tells: str = "",
        places: Mapping[str, str] | None = None,
    ) -> bool:
        """Run a window process; True when it was closed or is pointless, False when it failed.

        One that has handed its ticket in has shown the application: killed, it is closed. What it
        is told is the first line of its input, whose end is the signal to end.
        """
        with contextlib.ExitStack() as ending:
            try:
                with _interrupt_held():
                    process = subprocess.Popen(
                        command,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                        cwd=find_app().parent,
                        env={**os.environ, **(places or {})},
                    )
                    ending.callback(process.wait)
                    ending.callback(process.terminate)  # first
            except OSError:
                return False
            assert process.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(f"{tells}\n".encode())
                process.stdin.flush()
            while process.poll() is None and not self.over():
                time.sleep(TICK)
            code = process.poll()
            shown = not ticket.page.exists()
            return code in (None, 0) or (shown and code != WRONG_WINDOW)


@contextlib.contextmanager
def _interrupt_held() -> Iterator[None]:
    """Hold Ctrl-C back while a process starts: in between nobody knows what to end."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler or (
        threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    came = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: came.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if came.is_set():
        raise KeyboardInterrupt


def _end_left_over(profile: Path) -> None:
    """End a browser whose launcher was killed: it would take over the new window and its ending.

    Who asks holds the lock of the application, so nothing that uses this profile is shown by
    another launcher.
    """
    locks = (profile / name for name in ("SingletonLock", "lockfile"))  # Linux and macOS; Windows
    if not any(lock.is_symlink() or lock.exists() for lock in locks):
        return
    given = f"--user-data-dir={profile}"
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if given in words and not any(word.startswith("--type=") for word in words):
            with contextlib.suppress(psutil.Error):  # its own children, with a type, it ends itself
                process.kill()
                process.wait(5)


def _show_error(error: LeitongError, folder: Path) -> None:
    """Show why the application did not start, or ended, on a page that needs no server."""
    page, parts = folder / "error.html", []
    for code in LANGUAGES:
        t = translator(code)
        reason = t(f"error.{error.code}", **error.params)
        parts.append((code, t("desktop.ended.title"), [reason, t("desktop.ended.text")]))
    with private_file(page) as file:
        file.write(tickets.draw_plain_page(parts).encode())
    if _has_screen():
        webbrowser.open(page.as_uri())


def find_browser() -> str | None:
    """Return a Chromium-family browser; `LEITONG_BROWSER` names one explicitly."""
    if chosen := os.environ.get("LEITONG_BROWSER"):
        return shutil.which(chosen)
    candidates = [shutil.which(name) for name in _NAMES]
    if sys.platform == "darwin":
        roots = (Path("/Applications"), Path.home() / "Applications")
        candidates += [str(root / app) for root in roots for app in _MAC]
    if sys.platform == "win32":
        variables = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        bases = [os.environ[name] for name in variables if name in os.environ]
        candidates += [str(Path(base) / app) for app in _WINDOWS for base in bases]
    return next((path for path in candidates if path and Path(path).is_file()), None)


def _has_screen() -> bool:
    """Return whether a browser could be seen; else a text browser would take the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def show_window(profile: str) -> None:
    """Show a pywebview window until it is closed. Runs in the window process only.

    The address is the first line of the input. The exit code is 0, or `WRONG_WINDOW` where this
    backend cannot show the application.
    """
    with open(0, "rb", buffering=0, closefd=False) as given:
        url = given.readline().decode().strip()
    threading.Thread(target=end_with_parent, daemon=True).start()
    import webview

    webview.settings["ALLOW_DOWNLOADS"] = True  # else download buttons do nothing
    view = webview.create_window("Leitong 雷同", url, width=1360, height=900, min_size=(390, 480))
    if view is None:
        sys.exit(WRONG_WINDOW)
    outcome = {"code": 0}

    def check() -> None:
        # the colours need light-dark(), which embedded views before 2024 do not know
        if not view.evaluate_js("CSS.supports('color', 'light-dark(red, blue)')"):
            outcome["code"] = WRONG_WINDOW
            view.destroy()

    view.events.loaded += check
    try:
        webview.start(private_mode=False, storage_path=str(Path(profile) / "webview"))
    except webview.errors.WebViewException:  # no graphics library that it could use
        sys.exit(WRONG_WINDOW)
    sys.exit(outcome["code"])
