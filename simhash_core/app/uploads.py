"""Files are counted while they arrive: an ASGI middleware before Streamlit's own receiver.

Streamlit takes every file in whole, side by side, and knows a limit for each alone. Here a file is
refused by the size that its request states, before it is read, where the tab would then hold more
than it may. The limit of each file stays Streamlit's (`server.maxUploadSize`).
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

MOST_BYTES = 300 * 2**20  # that one tab may hold before they are read

_PATH = "/_stcore/upload_file/"  # then the session and the file
_MULTIPART = 2**16  # bytes around a file in its request, at most
_TABS = 100  # whose refusals wait to be told


@dataclass(frozen=True, slots=True)
class Refused:
    """Files that a tab sent and that were not taken in."""

    files: int = 0
    bytes: int = 0


class Ledger:
    """What arrives now, and what was refused, by session.

    The server alone writes here, in one thread; a script takes what was refused in one step.
    """

    def __init__(self) -> None:
        self._arriving: defaultdict[str, int] = defaultdict(int)
        self._refused: OrderedDict[str, Refused] = OrderedDict()

    @contextlib.contextmanager
    def room(self, session: str, size: int, held: int) -> Iterator[bool]:
        """Yield whether a file may come in beside those that a session holds; it counts till then.

        `held` bytes are those of complete files.
        """
        if not held and not self._arriving[session]:
            self._refused.pop(session, None)  # of files before, which nobody asked about
        admitted = held + self._arriving[session] + size <= MOST_BYTES
        if admitted:
            self._arriving[session] += size
        else:
            before = self._refused.get(session, Refused())
            self._refused[session] = Refused(before.files + 1, before.bytes + size)
            while len(self._refused) > _TABS:
                self._refused.popitem(last=False)
        try:
            yield admitted
        finally:
            self._arriving[session] -= size if admitted else 0
            if not self._arriving[session]:
                del self._arriving[session]

    def take_refused(self, session: str) -> Refused | None:
        """Return what was refused of a session since it was asked last."""
        return self._refused.pop(session, None)


ledger = Ledger()


class UploadLimit:
    """The ASGI application `app`, whose uploads are counted.

    Parameters
    ----------
    held
        Bytes of the complete files of a session, by its id.
    """

    def __init__(self, app: ASGIApp, held: Callable[[str], int]) -> None:
        self._app, self._held = app, held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse a file that is too much."""
        uploads = scope["type"] == "http" and scope["method"] == "PUT"
        if not uploads or not str(scope["path"]).startswith(_PATH):
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        stated = request.headers.get("content-length", "")  # the server holds a body to it
        if not stated.isdecimal():  # in parts without a stated size: no browser sends a file so
            await _refuse(request, send, 411)
            return
        session = str(scope["path"]).removeprefix(_PATH).partition("/")[0]
        size = max(int(stated) - _MULTIPART, 0)
        with ledger.room(session, size, self._held(session)) as admitted:
            if admitted:
                await self._app(scope, receive, send)
            else:
                await _refuse(request, send, 413)


async def _refuse(request: Request, send: Send, status: int) -> None:
    """Answer once the body has come and gone: a browser that still sends does not listen."""
    with contextlib.suppress(ClientDisconnect):
        async for _ in request.stream():
            pass
    answer = Response(status_code=status, headers={"cache-control": "no-store"})
    await answer(request.scope, request.receive, send)
