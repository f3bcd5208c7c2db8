"""One record of a web archive (WARC 1.0 and 1.1): the page that a server answered with.

References
----------
ISO 28500:2017; RFC 9112, 7.1 (chunked bodies).
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from ...errors import Unreadable
from . import html, plain
from .extracted import Extracted

_MOST_BODY = 50 * 2**20  # bytes of one page, expanded
_PAGES = ("text/html", "application/xhtml+xml")
_TEXTS = ("text/plain",)
_FOUND = 200


@dataclass(frozen=True, slots=True)
class Record:
    """Head of a record, names folded, and its content."""

    head: Mapping[str, str]
    content: bytes


def page_of(record: Record, *, main_text: bool, encoding: str = "") -> tuple[str, Extracted] | None:
    """Return format and text of a record; None for what is no page, or no answer with one.

    Raises
    ------
    Unreadable
        "damaged", "too_large", "unsupported" for a packing that is not read (`br`, `zstd`).
    """
    kind, body = record.head.get("content-type", ""), record.content
    charset = encoding
    if record.head.get("warc-type") == "response":
        if not kind.startswith("application/http"):
            return None
        status, headers, body = _read_answer(body)
        if status != _FOUND:
            return None
        kind = headers.get("content-type", "")
        charset = encoding or _find_charset(kind)
        kind = kind.partition(";")[0].strip().lower()
        if kind not in (*_PAGES, *_TEXTS):
            return None
        body = _unpack(_join_chunks(body, headers), headers)
    kind = kind.partition(";")[0].strip().lower()
    if kind in _PAGES:
        read = html.extract_article if main_text else html.extract
        return "html", read(body, encoding=charset)
    return ("txt", plain.extract(body, encoding=charset)) if kind in _TEXTS else None


def _find_charset(kind: str) -> str:
    """Return the encoding that an answer names, "" for one that Python does not know."""
    name = kind.lower().partition("charset=")[2].strip(" \"'").partition(";")[0].strip(" \"'")
    try:
        b"".decode(name or "ascii")
    except (LookupError, ValueError):
        return ""
    return name


def _read_answer(content: bytes) -> tuple[int, Mapping[str, str], bytes]:
    """Return status, headers and body of an answer over HTTP."""
    from http.client import HTTPException, parse_headers

    file = io.BytesIO(content)
    parts = file.readline(65536).split(None, 2)
    try:
        if len(parts) < 2 or not parts[0].startswith(b"HTTP/"):
            raise ValueError("no status")
        status = int(parts[1])
        headers = parse_headers(file)
    except (ValueError, HTTPException) as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error
    return status, {name.lower(): value for name, value in headers.items()}, file.read()


def _join_chunks(body: bytes, headers: Mapping[str, str]) -> bytes:
    """Return a body without the lengths of its chunks; many archives hold it joined already."""
    if "chunked" not in headers.get("transfer-encoding", "").lower():
        return body
    file = io.BytesIO(body)
    parts: list[bytes] = []
    while True:
        line = file.readline(1024)
        try:
            size = int(line.partition(b";")[0].strip(), 16)
        except ValueError:
            return body if not parts else b"".join(parts)
        if size <= 0:
            return b"".join(parts)
        parts.append(file.read(size))
        file.readline(1024)


def _unpack(body: bytes, headers: Mapping[str, str]) -> bytes:
    """Expand a body; one that is not packed, whatever its head says, stays as it is."""
    packing = headers.get("content-encoding", "identity").strip().lower()
    if packing in ("identity", ""):
        return body
    if packing not in ("gzip", "x-gzip", "deflate"):
        raise Unreadable("unsupported", ext=packing[:20])
    if packing != "deflate" and body[:2] != b"\x1f\x8b":
        return body
    try:
        if packing == "deflate":
            expander = zlib.decompressobj(
                zlib.MAX_WBITS if body[:1] == b"\x78" else -zlib.MAX_WBITS
            )
            whole = expander.decompress(body, _MOST_BODY + 1)
        else:
            whole = gzip.GzipFile(fileobj=io.BytesIO(body)).read(_MOST_BODY + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error
    if len(whole) > _MOST_BODY:
        raise Unreadable("too_large", mb=_MOST_BODY // 2**20)
    return whole
