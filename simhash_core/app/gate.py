"""What stands between a browser and Streamlit: an ASGI middleware around the whole application.

- Only pages of this very origin, port included, may ask for anything or open the socket; only a
  person may come from elsewhere, by an address. No page may be put into a frame.
- A socket needs the key of an admitted browser (`storage/browsers.py`), and ends when the browser
  is revoked, or what its person may do changes. The page learns whose projects it shows from
  headers that are set here.
- A download is served to a browser that has a tab open in which it is offered, else to nobody.

    GET  /leitong/door.js    the script that Streamlit's page begins with
    POST /leitong/browser    {"ticket", "key"} -> {"key"}, and the cookie that is made of it

Who is admitted is for `rules` to say.
"""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..storage import browsers
from ..storage.browsers import Browser
from . import tabs
from .rules import find_rules
from .server import LOCAL_HOSTS
from .tabs import REVOKED, Tab

#: headers of the socket that tell the page whose it is; nobody outside can know their names
OWNER, BROWSER, TAB = (f"leitong-{what}-{secrets.token_hex(16)}" for what in ("o", "b", "t"))

_KEY = "leitong."  # beginning of the protocol of the socket that carries the key
_AGE = browsers.KEEP_DAYS * 86_400
_MOST = 4096  # bytes of a request to be admitted

_DOOR = (Path(__file__).parent / "door.js").read_bytes()
SCRIPT = b'<script src="/leitong/door.js"></script>'
_GUARDED = ("/media/", "/_stcore/upload_file/", "/_stcore/metrics")
_CLOSED = "/_stcore/agent"  # drives the application without a browser; off in Streamlit as well
_OURS = "/leitong/"
SHELL = ("/static/", "/_stcore/", "/media/", "/component/", _OURS)  # all but pages

_ON_EVERYTHING = {
    "x-frame-options": "DENY",
    "content-security-policy": "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_UNSTORED = {"cache-control": "no-store"}
#: the most particular first: Edge calls itself Chrome, and Chrome Safari
_NAMES = {"Edg": "Edge", "OPR": "Opera", **{one: one for one in ("Firefox", "Chrome", "Safari")}}


class Gate:
    """The ASGI application `inner`, for admitted browsers."""

    def __init__(self, app: ASGIApp) -> None:
        self.inner = app
        self._rules = find_rules()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or one socket."""
        if scope["type"] == "http":
            await self._request(scope, receive, _with_headers(send, _ON_EVERYTHING))
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.inner(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, answer = str(scope["path"]), await self._answer(Request(scope, receive))
        if answer is not None:
            answer.headers.update(_UNSTORED)
            await answer(scope, receive, send)
        elif path.startswith("/media/"):
            await self.inner(scope, receive, _with_headers(send, _UNSTORED))
        elif path.startswith(SHELL):
            await self.inner(scope, receive, send)
        else:
            await self._page(scope, receive, send)

    async def _answer(self, request: Request) -> Response | None:
        """Return what the gate itself answers, None where Streamlit is to be asked."""
        path, origin = str(request.scope["path"]), self._find_origin(request)
        if not origin:
            return Response(status_code=400)
        if not _may_ask(request):
            return Response(status_code=403)
        if path == "/leitong/browser":
            return await self._admit(request, origin)
        if path == "/leitong/door.js":
            return Response(_DOOR, media_type="text/javascript")
        if path.startswith(SHELL) and not path.startswith((*_GUARDED, _CLOSED, _OURS)):
            return None
        known = [one for one in find_browsers(request) if self._rules.stand(request, one)]
        if (answer := await self._rules.answer(request, known)) is not None:
            return answer
        if path.startswith("/media/"):
            file = path.removeprefix("/media/").partition(".")[0]
            allowed = any(tabs.opened.may_have(browser.id, file) for browser in known)
        elif path.startswith(_GUARDED):
            allowed = bool(known)
        else:
            allowed = not path.startswith((_CLOSED, _OURS))
        return None if allowed else Response(status_code=404)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve Streamlit's page with our script in it, before all others."""
        unwanted = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")
        headers = [(name, value) for name, value in scope["headers"] if name not in unwanted]
        plain = {**scope, "headers": headers, "extensions": {}}  # bytes, not the name of a file
        start: dict[str, object] = {}
        body = bytearray()

        async def gather(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            body.extend(message.get("body", b""))

        await self.inner(plain, receive, gather)
        written = MutableHeaders(scope=start)
        if start["status"] == 200 and written.get("content-type", "").startswith("text/html"):
            body = body.replace(b"<head>", b"<head>" + SCRIPT, 1)
            for name in ("etag", "last-modified"):
                del written[name]
            written.update({**_UNSTORED, "content-length": str(len(body))})
        await send(start)
        await send({"type": "http.response.body", "body": bytes(body)})

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        request, protocols = HTTPConnection(scope), list(scope.get("subprotocols", ()))
        origin = self._find_origin(request)
        if not origin or request.headers.get("origin") != origin:
            await send({"type": "websocket.close", "code": 1008})
            return
        shown = next((each for each in protocols if each.startswith(_KEY)), "")
        browser = self._recognise(request, shown.removeprefix(_KEY))
        if browser is None:
            await receive()
            await send({"type": "websocket.accept", "subprotocol": next(iter(protocols), None)})
            await send({"type": "websocket.close", "code": REVOKED})
            return
        browsers.note_visit(browser)
        others = [each for each in protocols if each != shown]

        def stand() -> str:
            return self._rules.stand(request, browser) if browsers.is_admitted(browser.id) else ""

        tab = Tab(browser.id, stand, receive, send)
        with tabs.opened.hold(tab, resumes=len(others) > 2):
            await self.inner(_for_page(scope, browser, tab, others), tab.receive, tab.send)

    async def _admit(self, request: Request, origin: str) -> Response:
        """Answer a page that asks who its browser is."""
        sound = request.method == "POST" and request.headers.get("origin") == origin
        asked = await _read_fields(request) if sound else None
        if asked is None:
            return Response(status_code=400)
        ticket, key = asked
        browser = self._recognise(request, key)
        owner = await self._rules.admit(request, ticket, browser)
        if owner is None:
            return Response(status_code=403)
        if browser is None or browser.owner != owner:
            _, key = browsers.admit(owner, name=_name(request.headers))
        answer = JSONResponse({"key": key})
        answer.set_cookie(
            _cookie(request),
            browsers.cookie_of(key),
            max_age=_AGE,
            httponly=True,
            samesite="strict",
            secure=origin.startswith("https:"),
        )
        return answer

    def _recognise(self, request: HTTPConnection, key: str) -> Browser | None:
        """Return the browser that has a key, where its person may be here."""
        browser = browsers.find(browsers.cookie_of(key))
        return browser if browser and self._rules.stand(request, browser) else None

    def _find_origin(self, request: HTTPConnection) -> str:
        """Return the origin of our pages as this browser knows it; "" for a host not ours."""
        host = request.headers.get("host", "")
        with contextlib.suppress(ValueError):
            asked, known = urlsplit(f"//{host}"), urlsplit(self._rules.address)
            name, _ = asked.hostname, asked.port  # a port that is none raises
            if name is not None and name == known.hostname:
                return f"{known.scheme}://{host}"
            if name in LOCAL_HOSTS:
                safe = request.scope.get("scheme") in ("https", "wss")
                return f"{'https' if safe else 'http'}://{host}"
        return ""


def _for_page(scope: Scope, browser: Browser, tab: Tab, protocols: list[str]) -> Scope:
    """Return a socket that says whose it is, without the key."""
    headers = MutableHeaders(raw=list(scope["headers"]))
    headers.update(
        {
            "sec-websocket-protocol": ", ".join(protocols),
            OWNER: browser.owner,
            BROWSER: browser.id,
            TAB: tab.id,
        }
    )
    return {**scope, "headers": headers.raw, "subprotocols": protocols}


def _with_headers(send: Send, more: Mapping[str, str]) -> Send:
    """Return a `send` that sets headers on the answer, in place of those of the same name."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(more)
        await send(message)

    return sending


async def _read_fields(request: Request) -> tuple[str, str] | None:
    """Return the ticket and the key that a page shows, "" for none; None for nonsense."""
    body = bytearray()
    try:
        async for part in request.stream():
            body.extend(part)
            if len(body) > _MOST:
                return None
        held = json.loads(body)
    except (ValueError, RecursionError, ClientDisconnect):
        return None
    if not isinstance(held, dict):
        return None
    ticket, key = held.get("ticket", ""), held.get("key", "")
    return (ticket, key) if isinstance(ticket, str) and isinstance(key, str) else None


def _may_ask(request: HTTPConnection) -> bool:
    """Return whether a request comes from a page of this origin, or from a person.

    References
    ----------
    W3C, Fetch Metadata Request Headers. Programs send none of them, and have no cookie.
    """
    site, mode, to = (request.headers.get(f"sec-fetch-{one}") for one in ("site", "mode", "dest"))
    arrives = mode == "navigate" and to == "document" and request.scope["method"] == "GET"
    return site in (None, "", "same-origin", "none") or arrives


def _cookie(request: HTTPConnection) -> str:
    """Return the name of the cookie: one for each port, which cookies do not know."""
    return f"leitong_{urlsplit('//' + request.headers.get('host', '')).port or 80}"


def find_browsers(request: HTTPConnection) -> list[Browser]:
    """Return the browsers whose cookies a request brings; other ports can add some.

    A cookie is sent to every port of a host, so it opens only what tells nothing by itself.
    """
    found = map(browsers.find, read_cookies(request, _cookie(request)))
    return [one for one in found if one is not None]


def read_cookies(request: HTTPConnection, name: str) -> list[str]:
    """Return the values of a name; other ports can add some, under longer paths."""
    each = (one.strip().partition("=") for one in request.headers.get("cookie", "").split(";"))
    return [value for key, _, value in each if key == name]


def _name(headers: Headers) -> str:
    """Return what a browser calls itself; Chromium and its kin call themselves Chrome."""
    brands, agent = headers.get("sec-ch-ua", ""), headers.get("user-agent", "")
    name = next((name for mark, name in _NAMES.items() if f"{mark}/" in agent), "")
    bare = name == "Chrome" and "Chromium" in brands and "Google" not in brands
    return "Chromium" if bare else name
