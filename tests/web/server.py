"""A search service with the JSON interface of SearXNG, and pages of all kinds, on loopback."""

from __future__ import annotations

import contextlib
import gzip
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from simhash_core.web import search

Answer = Callable[[BaseHTTPRequestHandler], None]

ARTICLE = (
    "The keeper of the lighthouse at Skarvøy wrote down every ship that passed in forty winters.",
    "His ledgers were found in a herring barrel, sewn into sailcloth and dry as the day he died.",
    "They list nine thousand hulls, four drowned bishops and one rowing boat that was never seen.",
    "The museum shows them on Thursdays, and only to people who can name three kinds of rope.",
)


@dataclass
class Web:
    """What is served, and what was asked for."""

    port: int = 0
    queries: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    results: list[dict[str, object]] = field(default_factory=list)  # of every search
    search: Answer | None = None  # in place of the usual answer
    pages: dict[str, Answer] = field(default_factory=dict)
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def place(self) -> tuple[str, int]:
        return "127.0.0.1", self.port

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def names(self, *paths: str) -> None:
        """Let every search name some pages of this server."""
        self.results = [{"url": self.address + path, "title": path} for path in paths]

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        self.headers.append(dict(handler.headers.items()))
        if parts.path == "/search":
            query = parse_qs(parts.query)
            assert query["format"] == ["json"]
            self.queries.append(query["q"][0])
            (self.search or self._results)(handler)
            return
        self.paths.append(handler.path)
        self.pages.get(parts.path, status(404))(handler)

    def _results(self, handler: BaseHTTPRequestHandler) -> None:
        body(json.dumps({"query": "", "results": self.results}), "application/json")(handler)


@contextlib.contextmanager
def serving_web() -> Iterator[Web]:
    """Serve until the block ends; handlers that wait are let go."""
    web = Web()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.close_connection = True
            with contextlib.suppress(OSError):  # who asked has hung up
                web.answer(self)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    web.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield web
    finally:
        web.closing.set()
        server.shutdown()
        server.server_close()


OWN = "My grandmother taught me to tie a bowline before I could read, and I was proud of it."


def one_source(monkeypatch: pytest.MonkeyPatch, data: Path) -> Iterator[Web]:
    """Serve a search that names one page, an article that may be fetched, for a user of its own."""
    monkeypatch.setenv("LEITONG_DATA", str(data))
    with serving_web() as served:
        monkeypatch.setattr(search, "EXEMPT", frozenset((served.place,)))
        served.pages["/ledgers"] = article()
        served.names("/ledgers")
        yield served


def body(text: str | bytes, kind: str = "text/html; charset=utf-8", **headers: str) -> Answer:
    """Answer with a body and its true length."""
    data = text.encode() if isinstance(text, str) else text

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        if kind:
            handler.send_header("Content-Type", kind)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def status(code: int, **headers: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def article(*sentences: str, title: str = "Ledgers", extra: str = "") -> Answer:
    """Answer with a page: an article between a menu and a footer."""
    parts = "".join(f"<p>{one}</p>" for one in sentences or ARTICLE)
    return body(
        f"<html><head><title>{title}</title></head><body><nav>Home Shop</nav>"
        f"<article><h1>{title}</h1>{parts}</article>{extra}<footer>Imprint</footer></body></html>"
    )


def bomb(megabytes: int) -> Answer:
    """Answer with a page that is small only as long as it is packed."""
    packed = gzip.compress(b"<p>" + b"bomb " * (megabytes * 2**20 // 5))
    return body(packed, Content_Encoding="gzip")


def silent(web: Web) -> Answer:
    """Take the request and say nothing."""
    return lambda _: web.closing.wait(60) and None


def dripping(web: Web) -> Answer:
    """Send a byte now and then, and no end."""
    return _without_end(web, b"a", pause=0.05)


def endless(web: Web) -> Answer:
    """Send without a length, for as long as somebody listens."""
    return _without_end(web, b"<p>more and more of it</p>" * 1000, pause=0.0)


def _without_end(web: Web, data: bytes, *, pause: float) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.end_headers()
        while not web.closing.wait(pause):
            handler.wfile.write(data)
            handler.wfile.flush()

    return answer
