"""The open sockets of this process: what is offered in each, and whether it may go on.

A file is for the tab that was told of it: what a socket is sent says which files the page offers,
and nothing is served once the tab is closed, or has left the check.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator

from starlette.types import Message, Receive, Send

REVOKED = 4401  # code of a closed socket; the script tries to get in anew
LOOK_SECONDS = 2.0  # between two looks whether a browser was revoked
_RESUME_SECONDS = 120.0  # for so long Streamlit gives a tab that lost its socket the same session
_NAMED = re.compile(rb"/media/([0-9a-f]+)")


class Tab:
    """An open socket of a browser, by its id, which ends when what its person may do changes.

    `stand` returns what that is now, "" where it is nothing any more.
    """

    def __init__(
        self, browser: str, stand: Callable[[], str], receive: Receive, send: Send
    ) -> None:
        self.id, self.browser = secrets.token_hex(16), browser
        self.files: set[str] = set()  # that are offered in it
        self._stand, self._began_as = stand, stand()
        self._receive, self._send = receive, send
        self._next: asyncio.Future[Message] | None = None
        self._over = False

    async def receive(self) -> Message:
        """Return the next message of the browser."""
        while True:
            self._next = self._next or asyncio.ensure_future(self._receive())
            done, _ = await asyncio.wait({self._next}, timeout=LOOK_SECONDS)
            now = self._stand()
            if not now or now != self._began_as:
                await self.send({"type": "websocket.close", "code": REVOKED})
                self._over = True
                return {"type": "websocket.disconnect", "code": REVOKED}
            if done:
                message, self._next = self._next.result(), None
                return message

    async def send(self, message: Message) -> None:
        """Note which files a message tells of, and send it, unless the browser is shut out."""
        if not self._over:
            told = _NAMED.findall(message.get("bytes") or b"")
            self.files.update(file.decode() for file in told)
            await self._send(message)

    def end(self) -> None:
        """Wait for nothing more."""
        if self._next is not None:
            self._next.cancel()


class Tabs:
    """The open sockets; the server alone holds them, and scripts withdraw files."""

    def __init__(self) -> None:
        self._open: dict[str, Tab] = {}
        self._left: dict[str, tuple[float, set[str]]] = {}  # browser -> when, files

    @contextlib.contextmanager
    def hold(self, tab: Tab, *, resumes: bool) -> Iterator[None]:
        """Hold a tab while it is open; one that goes on with a session has the files of that."""
        moment, files = self._left.get(tab.browser, (0.0, set()))
        if resumes and time.monotonic() - moment < _RESUME_SECONDS:
            tab.files |= files
        self._open[tab.id] = tab
        try:
            yield
        finally:
            tab.end()
            del self._open[tab.id]
            self._left[tab.browser] = time.monotonic(), tab.files
            if len(self._left) > 100:
                self._left.pop(next(iter(self._left)))

    def is_open(self, browser: str) -> bool:
        """Return whether a browser has a socket open."""
        return any(tab.browser == browser for tab in self._open.values())

    def may_have(self, browser: str, file: str) -> bool:
        """Return whether a file is offered in a tab that is open in a browser."""
        return any(tab.browser == browser and file in tab.files for tab in self._open.values())

    def withdraw(self, ids: Iterable[str]) -> None:
        """Serve nothing more of what was offered in some tabs so far."""
        for one in ids:
            if (tab := self._open.get(one)) is not None:
                tab.files.clear()


opened = Tabs()
