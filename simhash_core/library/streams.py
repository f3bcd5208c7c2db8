"""Files that hold many texts, read as streams: tables, dumps of a wiki, archives of the web.

The caller's process only cuts a stream into entries, by their bytes and within limits; each entry
is parsed in a limited process. Entries are counted from 1, so that an import that was stopped goes
on behind the last one it stored. Compressed files (.gz, .bz2) are expanded as they are read.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import BadInput, Unreadable
from ..machine.memory import cut_batches
from ..machine.workers import shared_pool
from ..model import DATE_FROM, Document, Skipped
from ..text.extract import warc, wikitext
from ..text.extract.extracted import drop_empty, whatever_is_wrong
from ..text.gathering import refuse_source
from ..text.reading import document_of
from .tables import (
    BROKEN,
    Entry,
    describes,
    details_of,
    is_table,
    open_expanded,
    plain_suffix,
    table_entries,
)

_PART = 2**20  # bytes that are read at once
_MOST_ENTRY = 50 * 2**20  # bytes of one page or record
_MOST_LINE, _MOST_HEAD = 16 * 2**10, 200  # bytes and lines of the head of a record
_TASK_ENTRIES = 64  # parsed by one task
_AHEAD_BYTES = 16 * 2**20  # that are held for the workers
_SNIFFED = 4096
_DUMPS = ("xml", "warc", "wet")  # suffixes
_PAGES = ("response", "resource", "conversion")
#: one entry as it lies in the file: its number, its bytes or why there are none
Raw = tuple[int, Any]


@dataclass(frozen=True, slots=True)
class Stream:
    """A file of many texts and what is taken from it.

    Attributes
    ----------
    path : Path
    main_text : bool
        Of web pages the article alone.
    encoding : str
        Of web pages and texts, by default what they say.
    """

    path: Path
    main_text: bool = True
    encoding: str = ""

    def entries(self, *, after: int = 0) -> Iterator[Entry]:
        """Yield the texts of the stream behind entry `after`, and what cannot be read.

        Raises
        ------
        BadInput
            `table_columns`, `table_damaged`, `table_parquet`; `dump_damaged`, `dump_extra`.
        Unreadable
            `special`: no regular file.
        OSError
        """
        kind = kind_of(self.path)
        if kind == "table":
            return table_entries(self.path, after=after)
        if kind == "warc":
            how = self.main_text, self.encoding
            return self._parsed(_records, _page_of_record, how, after)
        if not wikitext.is_installed():
            raise BadInput("dump_extra")
        with open_expanded(self.path) as (file, _):
            head = _read_head(file, self.path)
        (site,) = shared_pool().map(wikitext.site_of, [head])
        if isinstance(site, Unreadable):
            raise BadInput("dump_damaged", name=self.path.name) from site
        return self._parsed(_pages, _page_of_dump, site, after)

    def _parsed(
        self,
        cut: Callable[[BinaryIO], Iterator[bytes | warc.Record | Unreadable | None]],
        parse: Callable[[Any], Any],
        how: object,
        after: int,
    ) -> Iterator[Entry]:
        """Yield what the parts of a file become; what is no text is passed over."""
        pool = shared_pool()
        with open_expanded(self.path) as (file, share_read):
            numbered = enumerate(cut(file), start=1)
            raws = itertools.islice(numbered, after, None)
            for held in cut_batches(raws, _size_of, most=_AHEAD_BYTES, largest=_AHEAD_BYTES):
                share = share_read()
                tasks = [(raw, how) for _, raw in held]
                chunk = max(1, min(_TASK_ENTRIES, len(tasks) // (2 * pool.workers) or 1))
                answers = pool.map(parse, tasks, chunk=chunk)
                for (number, _), answer in zip(held, answers, strict=True):
                    if isinstance(answer, Unreadable):
                        answer = refuse_source(f"{self.path.name}#{number}", answer)
                    yield Entry(number, share, answer)


def kind_of(path: Path) -> str:
    """Return "table", "dump" or "warc" for a stream, "" for any other file."""
    if is_table(path):
        return "table"
    suffix = plain_suffix(path)
    if suffix not in _DUMPS or not path.is_file():
        return ""
    if suffix != "xml":
        return "warc"
    try:
        with open_expanded(path) as (file, _):
            return "dump" if b"<mediawiki" in file.read(_SNIFFED) else ""
    except (BadInput, *BROKEN):
        return ""


def _size_of(raw: Raw) -> int:
    content = getattr(raw[1], "content", raw[1])
    return len(content) if isinstance(content, bytes) else 64


# --------------------------------------------------------------------------- dumps of a wiki

_FIRST, _LAST = b"<page>", b"</page>"


def _read_head(file: BinaryIO, path: Path) -> bytes:
    """Return all before the first page of a dump."""
    head = bytearray()
    try:
        while (at := head.find(_FIRST)) < 0 and len(head) < _PART:
            data = file.read(_SNIFFED)
            if not data:
                return bytes(head)
            head += data
    except BROKEN as error:
        raise BadInput("dump_damaged", name=path.name) from error
    if at < 0:
        raise BadInput("dump_damaged", name=path.name)
    return bytes(head[:at])


def _pages(file: BinaryIO) -> Iterator[bytes | Unreadable]:
    """Yield each page, `<page>` to `</page>`; inside, the format writes every < as an entity."""
    buffer, behind, lost = bytearray(), 0, False
    while True:
        try:
            data = file.read(_PART)
        except BROKEN:
            break
        if not data:
            break
        buffer += data
        while (end := buffer.find(_LAST, max(behind - len(_LAST), 0))) >= 0:
            end += len(_LAST)
            begin = buffer.find(_FIRST, 0, end)
            whole = bytes(buffer[max(begin, 0) : end])
            yield Unreadable("too_large", mb=_MOST_ENTRY // 2**20) if lost else whole
            del buffer[:end]
            behind, lost = 0, False
        behind = len(buffer)
        if behind > _MOST_ENTRY:
            del buffer[: -len(_LAST)]
            behind, lost = len(buffer), True
    if b"</mediawiki>" not in buffer or _FIRST in buffer:
        yield Unreadable("damaged", detail="ends early")


def _page_of_dump(task: tuple[Any, wikitext.Site]) -> Document | Skipped | None:
    """Return the document of one page, None for one that is no article; runs in a worker."""
    raw, site = task
    if isinstance(raw, Unreadable):
        raise raw
    with whatever_is_wrong():
        page = wikitext.page_of(raw, site)
        if page.extracted is None:
            return None
        try:
            return document_of(page.extracted, name=page.title, kind="wiki")
        except Unreadable as reason:
            return refuse_source(page.title, reason)


# --------------------------------------------------------------------------- archives of the web


def _records(file: BinaryIO) -> Iterator[warc.Record | Unreadable | None]:
    """Yield each record; the content of those that hold no page is passed over."""
    while True:
        try:
            head = _record_head(file)
            if head is None:
                return
            length = int(head.get("content-length", ""))
            if head.get("warc-type") not in _PAGES or length > _MOST_ENTRY:
                while length > 0:
                    data = file.read(min(length, _PART))
                    if not data:
                        raise EOFError
                    length -= len(data)
                wanted = head.get("warc-type") in _PAGES
                yield Unreadable("too_large", mb=_MOST_ENTRY // 2**20) if wanted else None
                continue
            content = file.read(length)
            if len(content) < length:
                raise EOFError
            yield warc.Record(head, content)
        except (*BROKEN, ValueError):
            yield Unreadable("damaged", detail="ends early")
            return


def _record_head(file: BinaryIO) -> dict[str, str] | None:
    """Return the head of the next record; None at the end of the file.

    Raises
    ------
    ValueError
        There stands something else.
    """
    line = b"\r\n"
    while line in (b"\r\n", b"\n"):
        line = file.readline(_MOST_LINE)
    if not line:
        return None
    if not line.startswith(b"WARC/"):
        raise ValueError("no record")
    head: dict[str, str] = {}
    for _ in range(_MOST_HEAD):
        line = file.readline(_MOST_LINE)
        if not line.strip():
            return head
        name, _, value = line.decode("utf-8", "replace").partition(":")
        head[name.strip().lower()] = value.strip().strip("<>")
    raise ValueError("no end of a head")


def _page_of_record(task: tuple[Any, tuple[bool, str]]) -> Document | Skipped | None:
    """Return the document of one record, None for one without a page; runs in a worker."""
    record, (main_text, encoding) = task
    if isinstance(record, Unreadable):
        raise record
    if record is None:
        return None
    address = record.head.get("warc-target-uri", "")
    try:
        with whatever_is_wrong():
            read = warc.page_of(record, main_text=main_text, encoding=encoding)
            if read is None:
                return None
            kind, extracted = read
            meta = {**extracted.meta, **drop_empty(url=address)}
            day = record.head.get("warc-date", "")[:10]
            if day and not meta.get("date"):
                meta |= {"date": day, DATE_FROM: "page"}
            whole = replace(extracted, meta=meta)
            return document_of(whole, name=address or "page", kind=kind)
    except Unreadable as reason:
        return refuse_source(address or "page", reason)


def is_stream_name(name: str) -> bool:
    """Whether a file may hold many texts by its name."""
    return is_table(name) or plain_suffix(name) in _DUMPS


def texts_in(path: Path, *, main_text: bool = True) -> Iterator[Document | Skipped]:
    """Yield the texts of a file that holds many, and what of it cannot be read.

    Raises
    ------
    BadInput, Unreadable, OSError
        As `Stream.entries`.
    """
    for entry in Stream(path, main_text).entries():
        if entry.content is not None:
            yield entry.content


def details_among(paths: Sequence[Path]) -> tuple[dict[str, dict[str, str]], list[Path]]:
    """Return what tables without texts say of texts that come with them, and the other paths."""
    details: dict[str, dict[str, str]] = {}
    others = []
    for path in paths:
        if is_table(path) and describes(path):
            details |= details_of(path)
        else:
            others.append(path)
    return details, others
