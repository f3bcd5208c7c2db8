"""Everything that is asked of Streamlit beside its documented functions; nobody else imports it."""

from __future__ import annotations

import functools
import importlib
import socket
import threading
from collections.abc import Callable, Iterable, MutableMapping
from typing import Any
from weakref import WeakKeyDictionary

import uvicorn
from streamlit import runtime
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.fragment import FragmentStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, get_script_run_ctx

from simhash_core.app.deadlines import with_deadline
from simhash_core.app.uploads import Refused, ledger
from simhash_core.extensions import list_offers


def name_pages_here() -> None:
    """Leave the names of pages to `st.navigation`, which says so itself in its first call only.

    Else the first visit runs without it, and shows the names of the files in `pages`.
    """
    PagesManager.uses_pages_directory = False


def tame_timers() -> None:
    """Let no timer of a page (`run_every`) spoil the next page, or a click beside it.

    Notes
    -----
    Streamlit runs the timers of a page as it runs clicks, with three faults:

    - It refuses a request for a fragment that is not there any more, but only when the request
      arrives. One that comes while `st.switch_page` draws the next page waits until that is done
      and is then announced as a run of the page before: the browser clears what it shows, and the
      next element that arrives breaks it ("Bad delta path").
    - A click waits a moment in the browser before it is sent. A timer's request that leaves before
      it carries the click too, and what the click calls (`on_click`) is called twice.
    - A click ends the run of a timer and has one of its own. Where the run of the timer ends after
      the other has begun, it forgets the click: the button says that nobody pressed it.
    """
    run, ask = ScriptRunner._run_script, AppSession.request_rerun
    if hasattr(run, "__wrapped__"):
        return

    @functools.wraps(run)
    def run_alone(runner: ScriptRunner, request: RerunData) -> None:
        asked = request.fragment_id_queue
        lock = _lock_of(runner._fragment_storage)
        alone = lock.acquire(timeout=_LONGEST_WAIT)
        try:
            if not asked or any(map(runner._fragment_storage.contains, asked)):
                run(runner, request)
        finally:
            if alone:
                lock.release()

    @functools.wraps(ask)
    def ask_without_clicks(session: AppSession, state: ClientState | None) -> None:
        if state is not None and state.is_auto_rerun:
            widgets = state.widget_states.widgets
            others = [one for one in widgets if one.WhichOneof("value") not in _CLICKS]
            del widgets[:]
            widgets.extend(others)
        ask(session, state)

    ScriptRunner._run_script = run_alone  # type: ignore[method-assign, assignment]
    AppSession.request_rerun = ask_without_clicks  # type: ignore[method-assign, assignment]


#: of a run for the one before it, which has been told to stop: after that both run
_LONGEST_WAIT = 5.0  # seconds
#: kinds of widget values that say what was done once
_CLICKS = ("trigger_value", "string_trigger_value", "json_trigger_value", "chat_input_value")
#: one for each session, by what lives as long as it
_LOCKS: MutableMapping[FragmentStorage, threading.Lock] = WeakKeyDictionary()
_LOCKING = threading.Lock()


def _lock_of(storage: FragmentStorage) -> threading.Lock:
    with _LOCKING:
        return _LOCKS.setdefault(storage, threading.Lock())


#: what the first visit needs, the last when Streamlit draws: two thirds of the time it would take
_FIRST_VISIT = ("pages._ui.shared.frame", "pages._ui.check.page", "pandas")


def load_first_page() -> None:
    """Import what the first visit needs; as soon as the server listens, while nobody waits."""
    for name in (*_FIRST_VISIT, *list_offers("ways").values()):
        importlib.import_module(name)


def tune_connections() -> None:
    """Let the server send what it has at once, however small, and end requests that are too slow.

    Notes
    -----
    Streamlit makes the socket itself and names no protocol, so that asyncio leaves TCP_NODELAY
    out: on a connection that a proxy keeps, the body of a small answer then waits 40 ms until the
    proxy acknowledges its head (uvicorn's issue 3149). Connections take the option over from the
    socket that listens. Neither Streamlit nor uvicorn has a setting for slow requests.
    """
    start = uvicorn.Server.startup
    if hasattr(start, "__wrapped__"):
        return

    @functools.wraps(start)
    async def start_tuned(
        server: uvicorn.Server, sockets: list[socket.socket] | None = None
    ) -> None:
        for listening in sockets or ():
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        config = server.config
        config.http_protocol_class = with_deadline(config.http_protocol_class)
        await start(server, sockets)
        threading.Thread(target=load_first_page, daemon=True).start()

    uvicorn.Server.startup = start_tuned  # type: ignore[method-assign, assignment]


def session_alive() -> Callable[[], bool]:
    """Return what tells whether the browser tab of this run of the page is still connected."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not runtime.exists():
        return lambda: True
    session_id = context.session_id
    # the server can end, or in a test be replaced, while a job is still looked after
    return lambda: runtime.exists() and runtime.get_instance().is_active_session(session_id)


def count_held(session: str) -> int:
    """Return the bytes of the files that wait for a session; called by the server."""
    if not runtime.exists():
        return 0
    files = runtime.get_instance().uploaded_file_mgr
    if not isinstance(files, MemoryUploadedFileManager):
        return 0
    return sum(len(file.data) for file in list(files.file_storage.get(session, {}).values()))


def forget(files: Iterable[Any]) -> None:
    """Take files that were read, or refused, out of the memory of the server."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        return
    for file in files:
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def take_refused() -> Refused | None:
    """Return what this tab sent beyond the limit and was not taken in."""
    context = get_script_run_ctx(suppress_warning=True)
    return ledger.take_refused(context.session_id) if context is not None else None
