"""Connections that bring a request too slowly are closed: a layer around uvicorn's own protocol.

A head must be there within `SECONDS`; a body brings `LEAST_BYTES` in as many, or the rest of it.
Uvicorn ends connections between two requests, and has no limit for one that has begun; what stands
before the application (`gate`) sees a request only when its head is complete.

References
----------
CVE-2007-6750 (slow requests); uvicorn's issue 157.
"""

from __future__ import annotations

import asyncio
from typing import Any

SECONDS = 30.0
LEAST_BYTES = 16 * 1024  # half a kilobyte a second: slower than any line that files are sent by


def with_deadline(protocol: type[Any]) -> type[Any]:
    """Return uvicorn's protocol of a connection, which ends one that is too slow."""

    class Protocol(protocol):  # type: ignore[misc]
        _timer: asyncio.TimerHandle | None = None
        _request: object = None  # whose body the timer watches, None for a head
        _bytes = 0  # since the timer began

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            self._bytes += len(data)
            super().data_received(data)
            self._watch()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._watch()  # the next request may have come before this answer

        def connection_lost(self, error: Exception | None) -> None:
            self._stop()
            super().connection_lost(error)

        def _watch(self) -> None:
            """Begin to wait for a head or a body, and end with a complete request."""
            answering = self.cycle is not None and not self.cycle.response_complete
            whole = answering and not self.cycle.more_body
            if whole or self.transport.get_protocol() is not self:
                self._stop()
            elif self._timer is None or (answering and self._request is not self.cycle):
                self._stop()
                self._request = self.cycle if answering else None
                self._begin()

        def _begin(self) -> None:
            self._bytes = 0
            self._timer = asyncio.get_running_loop().call_later(SECONDS, self._look)

        def _look(self) -> None:
            """Close the connection, unless a body comes as it should, or has to wait for us."""
            brought = self._request is not None and self._bytes >= LEAST_BYTES
            if brought or self.flow.read_paused:
                self._begin()
            else:
                self.transport.abort()

        def _stop(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    return Protocol
