"""What stands between a browser and Streamlit: an ASGI middleware around the whole application.

- Only pages of this very origin, port included, may ask for anything or open the socket; only a
  person may come from elsewhere, by an address. No page may be put into a frame.
- A socket needs both secrets of an admitted browser (`storage/browsers.py`), and ends when the
  browser is revoked, or what its person may do changes. The page learns whose projects it shows
  from headers that are set here.
- A download is served to a browser that has a tab open in which it is offered, else to nobody.

    GET  /leitong/door.js    the script that Streamlit's page begins with
    POST /leitong/browser    {"ticket", "proof"} -> the cookie, and {"proof"} for a new browser
    GET  /leitong/again      what to do where a ticket is no longer good

On the server of a department (`department`) a browser is admitted once its person has signed in
(leaf `server`), for as long as the department says, and every page but those of the leaf waits.
One who signs in where another is signed in ends the access of the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import json
import re
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from ..extensions import extension, list_offers
from ..i18n import negotiate, translator
from ..storage import browsers, find_owner_key, is_user, new_owner
from ..storage.browsers import Browser
from . import department, tickets
from .server import hosts

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

#: headers of the socket that tell the page whose it is; nobody outside can know their names
OWNER, BROWSER, TAB = (f"leitong-{what}-{secrets.token_hex(16)}" for what in ("o", "b", "t"))

_PROOF = "leitong."  # beginning of the protocol of the socket that carries the proof
_REVOKED = 4401  # code of a closed socket; the script tries to get in anew
_LOOK_SECONDS = 2.0  # between two looks whether a browser was revoked
_RESUME_SECONDS = 120.0  # for so long Streamlit gives a tab that lost its socket the same session
_AGE = browsers.KEEP_DAYS * 86_400
_MOST = 4096  # bytes of a request to be admitted

_DOOR = (Path(__file__).parent / "door.js").read_bytes()
SCRIPT = b'<script src="/leitong/door.js"></script>'
_NAMED = re.compile(rb"/media/([0-9a-f]+)")
_GUARDED = ("/media/", "/_stcore/upload_file/", "/_stcore/metrics")
_CLOSED = "/_stcore/agent"  # drives the application without a browser; off in Streamlit as well
_SHELL = ("/static/", "/_stcore/", "/media/", "/component/", "/leitong/")  # all but pages

_ON_EVERYTHING: Headers = [
    (b"x-frame-options", b"DENY"),
    (b"content-security-policy", b"frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
_NAMES = (  # the most particular first: Edge calls itself Chrome, and Chrome Safari
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)


# --------------------------------------------------------------------------- tabs


@dataclass(slots=True)
class _Tab:
    """An open socket and the files that are offered in it."""

    browser: str
    files: set[str] = field(default_factory=set)


class Tabs:
    """The open sockets of this process, by an id that the page gets as a header."""

    def __init__(self) -> None:
        self._open: dict[str, _Tab] = {}
        self._left: dict[str, tuple[float, set[str]]] = {}  # browser -> when, files
        self._lock = threading.Lock()

    def enter(self, browser: str, *, resumes: bool) -> str:
        """Note a socket; one that goes on with a session has the files of that."""
        key = secrets.token_hex(16)
        with self._lock:
            tab = self._open[key] = _Tab(browser)
            moment, files = self._left.get(browser, (0.0, set()))
            if resumes and time.monotonic() - moment < _RESUME_SECONDS:
                tab.files |= files
        return key

    def leave(self, key: str) -> None:
        """Forget a socket; nothing that was offered in it alone is served any more."""
        with self._lock:
            tab = self._open.pop(key)
            self._left[tab.browser] = (time.monotonic(), tab.files)
            if len(self._left) > 100:
                self._left.pop(next(iter(self._left)))

    def is_open(self, browser: str) -> bool:
        """Return whether a browser has a socket open."""
        with self._lock:
            return any(tab.browser == browser for tab in self._open.values())

    def tell(self, key: str, files: Iterable[str]) -> None:
        """Offer files in a socket."""
        with self._lock:
            self._open[key].files.update(files)

    def may_have(self, browser: str, file: str) -> bool:
        """Return whether a file is offered in a tab that is open in a browser."""
        with self._lock:
            mine = (tab for tab in self._open.values() if tab.browser == browser)
            return any(file in tab.files for tab in mine)

    def withdraw(self, keys: Iterable[str]) -> None:
        """Serve nothing more of what was offered in some sockets so far."""
        with self._lock:
            for key in keys:
                if key in self._open:
                    self._open[key].files.clear()


tabs = Tabs()


# --------------------------------------------------------------------------- the middleware


class Gate:
    """The ASGI application `inner`, for admitted browsers."""

    def __init__(self, app: Application) -> None:
        self.inner = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or one socket."""
        if scope["type"] == "http":
            await self._request(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.inner(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, host = str(scope["path"]), read_header(scope, "host")
        if not _is_ours(host):
            await send_answer(send, 400)
        elif not _may_ask(scope):
            await send_answer(send, 403)
        elif path == "/leitong/browser":
            await _admit(scope, receive, send)
        elif path == "/leitong/door.js":
            await send_answer(send, 200, _DOOR, "text/javascript; charset=utf-8")
        elif path == "/leitong/again":
            await _again(scope, send)
        elif path == "/leitong/sign-out":
            await _sign_out(scope, send)
        elif path in list_offers("paths"):
            await extension("paths", path)(scope, send)
        elif path.startswith(_CLOSED) or (path.startswith(_GUARDED) and not _may_have(scope)):
            await send_answer(send, 404)
        elif path.startswith("/media/"):
            await self.inner(scope, receive, _with_headers(send, [(b"cache-control", b"no-store")]))
        elif path.startswith(_SHELL):
            await self.inner(scope, receive, send)
        else:
            await self._page(scope, receive, send)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve Streamlit's page with our script in it, before all others."""
        if department.find_login() is not None and not _browsers(scope):
            query = scope.get("query_string", b"").decode("latin-1")
            to = quote(str(scope["path"])) + (f"?{query}" if query else "")
            await lead_to(send, f"/leitong/login?to={quote(to, safe='')}")
            return
        unwanted = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")
        headers = [(name, value) for name, value in scope["headers"] if name not in unwanted]
        plain = {**scope, "headers": headers, "extensions": {}}  # bytes, not the name of a file
        start: Message = {}
        body = bytearray()

        async def gather(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            if message["type"] != "http.response.body":
                return
            body.extend(message.get("body", b""))
            if not message.get("more_body", False):
                await _send_page(send, start, bytes(body))

        await self.inner(plain, receive, gather)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        host, origin = read_header(scope, "host"), read_header(scope, "origin")
        if not _is_ours(host) or origin != f"{find_scheme(scope)}://{host}":
            await send({"type": "websocket.close", "code": 1008})
            return
        protocols = [str(each) for each in scope.get("subprotocols", ())]
        proof = next((each for each in protocols if each.startswith(_PROOF)), "")
        browser = _recognise(scope, proof.removeprefix(_PROOF))
        if browser is None:
            await receive()
            await send({"type": "websocket.accept", "subprotocol": next(iter(protocols), None)})
            await send({"type": "websocket.close", "code": _REVOKED})
            return
        browsers.note_visit(browser)
        others = [each for each in protocols if each != proof]
        key = tabs.enter(browser.id, resumes=len(others) > 2)
        line = _Line(lambda: _standing(scope, browser), key, receive, send)
        try:
            await self.inner(_for_page(scope, browser, key, others), line.receive, line.send)
        finally:
            line.end()
            tabs.leave(key)


class _Line:
    """A socket that notes which files it tells of, and ends when what its person may do changes."""

    def __init__(self, standing: Callable[[], str], tab: str, receive: Receive, send: Send) -> None:
        self._standing, self._began_as, self._tab = standing, standing(), tab
        self._receive, self._send = receive, send
        self._next: asyncio.Future[Message] | None = None
        self._over = False

    async def receive(self) -> Message:
        while True:
            self._next = self._next or asyncio.ensure_future(self._receive())
            done, _ = await asyncio.wait({self._next}, timeout=_LOOK_SECONDS)
            now = self._standing()
            if now == "out" or now != self._began_as:
                await self.send({"type": "websocket.close", "code": _REVOKED})
                self._over = True
                return {"type": "websocket.disconnect", "code": _REVOKED}
            if done:
                message, self._next = self._next.result(), None
                return message

    async def send(self, message: Message) -> None:
        if self._over:
            return
        data = message.get("bytes")
        if data:
            tabs.tell(self._tab, (file.decode() for file in _NAMED.findall(data)))
        await self._send(message)

    def end(self) -> None:
        if self._next is not None:
            self._next.cancel()


# --------------------------------------------------------------------------- being admitted


async def _admit(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a page that asks who its browser is."""
    host = read_header(scope, "host")
    own = f"{find_scheme(scope)}://{host}"
    sound = scope["method"] == "POST" and read_header(scope, "origin") == own
    asked = _fields(await _body(receive)) if sound else None
    if asked is None:
        await send_answer(send, 400)
        return
    browser = _recognise(scope, asked["proof"])
    made: tuple[Browser, str, str] | None = None
    if department.find_login() is not None:
        owner = extension("servers", "signing").redeem(scope, asked["ticket"])
        if owner is None and (asked["ticket"] or browser is None):
            await send_answer(send, 403)
            return
        if owner is not None and (browser is None or browser.owner != owner):
            await _end_others(scope, owner)
            made = browsers.admit(owner, name=_name(scope))
    elif asked["ticket"]:
        redeemed = tickets.redeem(asked["ticket"])
        if browser is None or not is_user(browser.owner):
            if not redeemed:
                await send_answer(send, 403)
                return
            made = browsers.admit(find_owner_key(), name=_name(scope))
    elif browser is None:
        made = browsers.admit(new_owner(), name=_name(scope))
    if made is None:
        await send_answer(send, 204)
        return
    _, key, proof = made
    body = json.dumps({"proof": proof}).encode()
    secure = "; Secure" if find_scheme(scope) == "https" else ""
    cookie = f"{_cookie(scope)}={key}; Path=/; Max-Age={_AGE}; HttpOnly; SameSite=Strict{secure}"
    await send_answer(send, 200, body, "application/json", [(b"set-cookie", cookie.encode())])


async def _end_others(scope: Scope, owner: str) -> None:
    """End the access of whoever was at this browser before `owner`, and wait until it has ended."""
    named = (browsers.find(key) for key in read_cookies(scope, _cookie(scope)))
    for other in [one for one in named if one is not None and one.owner != owner]:
        browsers.revoke(other.id)
        end = time.monotonic() + 2 * _LOOK_SECONDS
        while tabs.is_open(other.id) and time.monotonic() < end:
            await asyncio.sleep(_LOOK_SECONDS / 20)


def _recognise(scope: Scope, proof: str) -> Browser | None:
    """Return the browser that has both secrets; a page elsewhere can add cookies of the name."""
    recognised = (browsers.recognise(key, proof) for key in read_cookies(scope, _cookie(scope)))
    return next((one for one in recognised if one and _may_enter(scope, one)), None)


def _browsers(scope: Scope) -> list[Browser]:
    """Return the browsers whose cookies a request brings: enough for what tells nothing."""
    named = (browsers.find(key) for key in read_cookies(scope, _cookie(scope)))
    return [one for one in named if one is not None and _may_enter(scope, one)]


def _may_enter(scope: Scope, browser: Browser) -> bool:
    """Return whether the person of a browser may be here still, as this server has it."""
    if department.find_login() is None:
        return True
    return bool(extension("servers", "signing").may_enter(scope, browser))


def _standing(scope: Scope, browser: Browser) -> str:
    """Return what the person of an open socket may do now; where it changes the socket ends."""
    if not browsers.is_admitted(browser.id) or not _may_enter(scope, browser):
        return "out"
    person = department.find_person(browser.owner)
    return "operator" if person is not None and person.is_operator else "in"


def _may_have(scope: Scope) -> bool:
    """Return whether what is asked for is there for the browser that asks."""
    here = [browser.id for browser in _browsers(scope)]
    path = str(scope["path"])
    if not path.startswith("/media/"):
        return bool(here)
    file = path.removeprefix("/media/").partition(".")[0]
    return any(tabs.may_have(browser, file) for browser in here)


def _fields(data: bytes) -> dict[str, str] | None:
    try:
        held = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(held, dict):
        return None
    asked = {name: held.get(name, "") for name in ("ticket", "proof")}
    return asked if all(isinstance(value, str) for value in asked.values()) else None


def _name(scope: Scope) -> str:
    """Return what a browser calls itself; Chromium and its kin call themselves Chrome."""
    brands, agent = read_header(scope, "sec-ch-ua"), read_header(scope, "user-agent")
    if "Chromium" in brands and "Google" not in brands:
        return "Edge" if "Edg/" in agent else "Opera" if "OPR/" in agent else "Chromium"
    return next((name for mark, name in _NAMES if mark in agent), "")


# --------------------------------------------------------------------------- requests


def _is_ours(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return urlsplit(f"//{host}").hostname in hosts()
    return False


def _may_ask(scope: Scope) -> bool:
    """Return whether a request comes from a page of this origin, or from a person.

    References
    ----------
    W3C, Fetch Metadata Request Headers. Programs send none of them, and have no cookie.
    """
    if read_header(scope, "sec-fetch-site") in ("", "same-origin", "none"):
        return True
    arrives = read_header(scope, "sec-fetch-mode") == "navigate"
    page = read_header(scope, "sec-fetch-dest") == "document"
    return arrives and page and scope["method"] == "GET"


def find_scheme(scope: Scope) -> str:
    """Return how the browser reaches us: at a department through a proxy, which the file says."""
    here = department.find_department()
    with contextlib.suppress(ValueError):
        if here and urlsplit("//" + read_header(scope, "host")).hostname == here.host:
            return "https" if here.secure else "http"
    return "https" if scope.get("scheme") in ("https", "wss") else "http"


def read_header(scope: Scope, name: str) -> str:
    wanted = name.encode()
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == wanted), "")


def _cookie(scope: Scope) -> str:
    """Return the name of the cookie: one for each port, which cookies do not know."""
    with contextlib.suppress(ValueError):
        return f"leitong_{urlsplit('//' + read_header(scope, 'host')).port or 80}"
    return "leitong_80"


def read_cookies(scope: Scope, name: str) -> list[str]:
    """Return the values of a name; other ports can add some, under longer paths."""
    pairs = (each.strip().partition("=") for each in read_header(scope, "cookie").split(";"))
    return [value for key, _, value in pairs if key == name]


def _for_page(scope: Scope, browser: Browser, tab: str, protocols: list[str]) -> Scope:
    """Return a socket without secrets, which says whose it is."""
    cookies = [
        each.strip()
        for each in read_header(scope, "cookie").split(";")
        if each.strip().partition("=")[0] != _cookie(scope)
    ]
    written = {
        "cookie": "; ".join(cookies),
        "sec-websocket-protocol": ", ".join(protocols),
        OWNER: browser.owner,
        BROWSER: browser.id,
        TAB: tab,
    }
    others = [(name, value) for name, value in scope["headers"] if name.decode() not in written]
    ours = [(name.encode(), value.encode("latin-1")) for name, value in written.items()]
    return {**scope, "headers": [*others, *ours], "subprotocols": protocols}


async def _body(receive: Receive) -> bytes:
    data = bytearray()
    while len(data) <= _MOST:
        message = await receive()
        data.extend(message.get("body", b""))
        if not message.get("more_body", False):
            return bytes(data)
    return b""


# --------------------------------------------------------------------------- answers


def _with_headers(send: Send, more: Headers = _ON_EVERYTHING) -> Send:
    """Return a `send` that sets headers on the answer, in place of those of the same name."""
    names = {name for name, _ in more}

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            others = [pair for pair in message.get("headers", []) if pair[0].lower() not in names]
            message = {**message, "headers": [*others, *more]}
        await send(message)

    return sending


async def _send_page(send: Send, start: Message, body: bytes) -> None:
    headers: Headers = list(start.get("headers", []))
    if start["status"] == 200 and dict(headers).get(b"content-type", b"").startswith(b"text/html"):
        body = body.replace(b"<head>", b"<head>" + SCRIPT, 1)
        dropped = (b"etag", b"last-modified", b"cache-control", b"content-length")
        headers = [pair for pair in headers if pair[0] not in dropped]
        headers += [(b"cache-control", b"no-store"), (b"content-length", str(len(body)).encode())]
    await send({**start, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def send_answer(
    send: Send,
    status: int,
    body: bytes = b"",
    kind: str = "text/plain; charset=utf-8",
    more: Headers | None = None,
) -> None:
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *(more or []),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def lead_to(send: Send, address: str, more: Headers | None = None) -> None:
    """Send the browser to another address."""
    await send_answer(send, 302, more=[(b"location", address.encode("latin-1")), *(more or [])])


def draw_plain_page(scope: Scope, key: str) -> bytes:
    """Return a page outside the application: a title, a sentence, and a link where it has one."""
    language = negotiate(read_header(scope, "accept-language").partition(",")[0])
    t = translator(language)
    title, text = html.escape(t(f"desktop.{key}.title")), html.escape(t(f"desktop.{key}.text"))
    if key != "again":
        text += f'</p><p><a href="/leitong/login">{html.escape(t("desktop.sign_in"))}</a>'
    style = "body{max-width:36rem;margin:15vh auto;padding:0 1rem;font:1.0625rem/1.6 system-ui}"
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" '
        f'content="light dark"><title>{title}</title><style>{style}</style>'
        f"<h1>{title}</h1><p>{text}</p></html>"
    ).encode()


# --------------------------------------------------------------------------- ways out


async def _again(scope: Scope, send: Send) -> None:
    if department.find_login() is not None:
        await lead_to(send, "/leitong/login")
        return
    await send_answer(send, 200, draw_plain_page(scope, "again"), "text/html; charset=utf-8")


async def _sign_out(scope: Scope, send: Send) -> None:
    """End the access of a browser, when a page of ours asks for it."""
    if read_header(scope, "sec-fetch-site") == "same-origin":
        for browser in _browsers(scope):
            browsers.revoke(browser.id)
    await send_answer(send, 200, draw_plain_page(scope, "signed_out"), "text/html; charset=utf-8")
