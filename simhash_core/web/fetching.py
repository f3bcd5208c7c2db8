"""One request each, in a process that can be ended: a question to the service, a page.

Time, size, redirects, kinds of content and numbers are limited; every step is logged before it is
made. Nothing is remembered between two requests: no cookie, no referrer, no cache.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit

import urllib3
import urllib3.exceptions

from ..errors import Unreadable
from ..model import FETCHED_KEY, Document
from ..signs import make_printable
from ..text.gathering import Source, make_harmless
from ..text.reading import read_one
from .addresses import Number, Place, is_number, numbers_of, parse_address, public_numbers
from .sent import SentLog, read_clock

SECONDS = 30.0  # wall clock for one request, reading included
_TIMEOUT = urllib3.Timeout(connect=6.0, read=10.0)
_BODY_SECONDS = 20.0
_MEGABYTE = 2**20
MOST_PAGE, MOST_ANSWER = 10 * _MEGABYTE, 2 * _MEGABYTE  # bytes, unpacked
MOST_REDIRECTS = 5
_PIECE = 64 * 1024
_MOST_HITS = 50
_LONGEST_TITLE, _LONGEST_NAME = 200, 120
_HEADERS = {"User-Agent": "Mozilla/5.0 (compatible; Leitong)", "Accept-Encoding": "gzip, deflate"}
_PAGES = "text/html, application/xhtml+xml, application/pdf, text/plain"
#: kind of content -> suffix by which it is read
_KINDS = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/pdf": "pdf",
    "text/plain": "txt",
}
_PACKED = ("", "identity", "gzip", "x-gzip", "deflate")
_REDIRECTS = (301, 302, 303, 307, 308)


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for, and where it is noted.

    Attributes
    ----------
    address
        Of a page, or of the service.
    folder
        Of the log.
    words
        For the service.
    exempt
        As in `addresses.public_numbers`.
    """

    address: str
    folder: Path
    words: str = ""
    exempt: frozenset[Place] = field(default=frozenset())


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that the service names."""

    url: str
    title: str


def ask(request: Request) -> list[Hit]:
    """Send words to the service; return the pages that it names, best first. Runs in a worker.

    The service is where the user says it is, this machine and its network included. It is not
    followed elsewhere.

    Raises
    ------
    Unreadable
        `web_status`, `web_answer` where it does not answer in JSON, `web_unreachable`,
        `web_address`, `timeout`, `too_large`.
    """
    address = f"{request.address}/search?q={quote(request.words, safe='')}&format=json"
    _, place, _ = parse_address(request.address)
    SentLog(request.folder).note("search", _format_place(place), request.words)
    with _read_answer(address, numbers_of(place), "application/json") as answer:
        if answer.status != 200:
            raise Unreadable("web_status", status=answer.status)
        data = _body(answer, MOST_ANSWER)
    return _hits(data)


def page(request: Request) -> Document:
    """Fetch a page and read it as a saved page is read. Runs in a worker.

    Its `meta` says the address it was read at in the end, and when.

    Raises
    ------
    Unreadable
        `web_private` and others of `addresses`, also on the way; `web_status`, `web_type`,
        `web_redirects`, `web_unreachable`, `too_large`, `timeout`; what reading a file raises.
    """
    address = request.address
    for _ in range(MOST_REDIRECTS + 1):
        _, place, _ = parse_address(address)
        numbers = _numbers(place, request, address)
        with _read_answer(address, numbers, _PAGES) as answer:
            if answer.status in _REDIRECTS and answer.headers.get("Location"):
                address = urljoin(address, answer.headers["Location"].replace(" ", "%20"))
                continue
            if answer.status != 200:
                raise Unreadable("web_status", status=answer.status)
            suffix, charset = _kind(answer)
            return _read(_in_unicode(_body(answer, MOST_PAGE), suffix, charset), suffix, address)
    raise Unreadable("web_redirects", n=MOST_REDIRECTS)


def _numbers(place: Place, request: Request, address: str) -> list[Number]:
    """Return where a page may be fetched, and note that it will be.

    Of what must not be fetched the name has been looked up, where it has one.
    """
    log = SentLog(request.folder)
    log.require()
    try:
        numbers = public_numbers(place, request.exempt)
    except Unreadable as refused:
        if refused.code != "web_port" and not is_number(place[0]):
            log.note("name", _format_place(place), place[0])
        raise
    log.note("page", _format_place(place), address)
    return numbers


@contextlib.contextmanager
def _read_answer(
    address: str, numbers: list[Number], accepted: str
) -> Iterator[urllib3.BaseHTTPResponse]:
    """Yield the answer of the first of some numbers that one can connect to."""
    parts, (host, port), target = parse_address(address)
    written = f"[{host}]" if ":" in host else host
    usual = port == (443 if parts.scheme == "https" else 80)
    headers = {**_HEADERS, "Host": written if usual else f"{written}:{port}", "Accept": accepted}
    last: Unreadable = Unreadable("web_unreachable", detail="no address")
    for number in numbers:
        pool = _pool(parts.scheme, str(number), host, port)
        try:
            try:
                answer = pool.urlopen(
                    *("GET", target),
                    headers=headers,
                    redirect=False,
                    retries=False,
                    assert_same_host=False,
                    preload_content=False,
                )
            except urllib3.exceptions.NewConnectionError as error:
                last = _failure(error)
                continue
            yield answer
            return
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise _failure(error) from error
        finally:
            pool.close()
    raise last


def _pool(scheme: str, number: str, host: str, port: int) -> urllib3.HTTPConnectionPool:
    """Return what connects to a number and expects the certificate of the host."""
    options: dict[str, Any] = {"timeout": _TIMEOUT, "maxsize": 1}
    if scheme == "http":
        return urllib3.HTTPConnectionPool(number, port, **options)
    return urllib3.HTTPSConnectionPool(
        *(number, port),
        cert_reqs="CERT_REQUIRED",
        server_hostname=host,
        assert_hostname=host,
        **options,
    )


def _failure(error: Exception) -> Unreadable:
    """Return why there was no answer."""
    slow = (urllib3.exceptions.TimeoutError, TimeoutError)
    if isinstance(error, slow) and not isinstance(error, urllib3.exceptions.NewConnectionError):
        return Unreadable("timeout", s=round(_BODY_SECONDS))
    return Unreadable("web_unreachable", detail=type(error).__name__)


def _body(answer: urllib3.BaseHTTPResponse, most: int) -> bytes:
    """Read an answer, unpacked, as long as it is small and quick enough."""
    if answer.headers.get("Content-Encoding", "").strip().lower() not in _PACKED:
        raise Unreadable("web_type", kind="packed")
    stated = answer.headers.get("Content-Length", "")
    if stated.isascii() and stated.isdigit() and len(stated) < 20 and int(stated) > most:
        raise Unreadable("too_large", mb=most // _MEGABYTE)
    end = time.monotonic() + _BODY_SECONDS
    data = bytearray()
    for piece in answer.stream(_PIECE, decode_content=True):
        data += piece
        if len(data) > most:
            raise Unreadable("too_large", mb=most // _MEGABYTE)
        if time.monotonic() > end:
            raise Unreadable("timeout", s=round(_BODY_SECONDS))
    return bytes(data)


def _kind(answer: urllib3.BaseHTTPResponse) -> tuple[str, str]:
    """Return by which suffix an answer is read, and in which encoding it says to be."""
    head = Message()
    head["Content-Type"] = answer.headers.get("Content-Type", "")
    kind = head.get_content_type() if answer.headers.get("Content-Type") else ""
    if kind not in _KINDS:
        raise Unreadable("web_type", kind=kind[:40] or "?")
    return _KINDS[kind], str(head.get_content_charset("") or "")


def _in_unicode(data: bytes, suffix: str, charset: str) -> bytes:
    """Return a text in UTF-8 with its mark where its encoding stands in the head of the answer."""
    if (
        suffix == "pdf"
        or not charset
        or data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
    ):
        return data
    try:
        return b"\xef\xbb\xbf" + data.decode(charset).encode()
    except (LookupError, ValueError):
        return data  # said wrongly: found out as for a file


def _read(data: bytes, suffix: str, address: str) -> Document:
    """Read a page, and say where and when it was."""
    moment = read_clock()
    read = read_one(Source(f"page.{suffix}", None, data), main_text=True)
    meta = {**read.meta, "url": address, FETCHED_KEY: moment}
    parts = urlsplit(address)  # called by host and path, as a person writes them
    path = unquote(parts.path, errors="replace").rstrip("/")
    query = f"?{unquote(parts.query, errors='replace')}" if parts.query else ""
    name = make_printable(make_harmless(f"{parts.hostname}{path}{query}")[:_LONGEST_NAME])
    return replace(read, name=name, meta=meta, pictures=())


def _hits(data: bytes) -> list[Hit]:
    """Return the pages that an answer of the service names."""
    try:
        answer = json.loads(data)
        listed = answer["results"]
        hits = [Hit(str(one["url"]), str(one.get("title") or "")) for one in listed[:_MOST_HITS]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Unreadable("web_answer") from error
    return [replace(hit, title=hit.title[:_LONGEST_TITLE]) for hit in hits]


def _format_place(place: Place) -> str:
    return f"{place[0]}:{place[1]}"
