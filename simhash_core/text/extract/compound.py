"""Compound files: the containers of Word, PowerPoint and Excel before 2007 and of Outlook.

References
----------
[MS-CFB] Compound File Binary File Format; [MS-OLEPS] 2.21 (property sets).
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import olefile

from ...errors import Unreadable
from .extracted import drop_empty

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

#: stream or storage at the top -> suffix of the format
_KINDS = {
    "worddocument": "doc",
    "powerpoint document": "ppt",
    "__properties_version1.0": "msg",
    "hwpsummaryinformation": "hwp",
    "\x05hwpsummaryinformation": "hwp",
    "workbook": "xls",
    "book": "xls",
    "pp40": "ppt95",
    "pp97_dualstorage": "ppt95",
    "matost": "works",
    "mn0": "works",
    "perfectoffice_main": "wpd",
}
_ENCRYPTED = ("encryptedpackage", "encryptedsummary")
_SUMMARY = "\x05SummaryInformation"
_PROPERTIES = {2: "title", 4: "author", 5: "keywords", 8: "editor"}
_CODE_PAGE, _CREATED = 1, 12
_STRING, _WIDE_STRING, _TIME = 30, 31, 64
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_MOST_PROPERTIES = 100
_CODE_PAGES = {65001: "utf-8", 1200: "utf-16-le", 10000: "mac_roman", 0: "cp1252"}


@contextmanager
def name_damage() -> Iterator[None]:
    """Name what a broken structure makes the parsers raise."""
    try:
        yield
    except (OSError, struct.error, LookupError, ValueError, OverflowError, TypeError) as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error
    except RecursionError as error:
        raise Unreadable("damaged", detail="nested too deep") from error


class Compound:
    """The streams of one file by their paths, which are compared without case."""

    def __init__(self, data: bytes) -> None:
        """Read the directory. Raises `Unreadable("damaged")`."""
        with name_damage():
            self._ole = olefile.OleFileIO(io.BytesIO(data))
            self._size = len(data)
            self._paths = {
                "/".join(path).lower(): path for path in self._ole.listdir(storages=True)
            }

    def __contains__(self, path: str) -> bool:
        return path.lower() in self._paths

    def __iter__(self) -> Iterator[str]:
        """Yield the paths of streams and storages, in lower case."""
        return iter(self._paths)

    def stream(self, path: str) -> bytes:
        """Return the bytes of a stream, b"" where there is none.

        Raises
        ------
        Unreadable
            "damaged" for one that cannot be followed, or is larger than its file.
        """
        entry = self._paths.get(path.lower())
        if entry is None:
            return b""
        with name_damage():
            if self._ole.get_type(entry) != olefile.STGTY_STREAM:
                return b""
            if self._ole.get_size(entry) > self._size:  # sectors that lead in a circle
                raise Unreadable("damaged", detail="stream too large")
            data: bytes = self._ole.openstream(entry).read()
        return data

    def kind(self, suffix: str) -> str:
        """Return the suffix that fits the streams; `suffix` where none is known.

        Raises
        ------
        Unreadable
            "encrypted" for what wraps an encrypted document of Office 2007 and later.
        """
        if any(name in self for name in _ENCRYPTED):
            raise Unreadable("encrypted")
        return next((kind for name, kind in _KINDS.items() if name in self), suffix)

    def meta(self) -> dict[str, str]:
        """Return title, author and date, where they can be read: they are a courtesy."""
        try:
            return _summary(self.stream(_SUMMARY))
        except (Unreadable, struct.error, LookupError, ValueError, OverflowError):
            return {}


def code_page(number: int) -> str:
    """Return the codec of a Windows code page, cp1252 for one that is not known."""
    name = _CODE_PAGES.get(number, f"cp{number}")
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name


def _summary(data: bytes) -> dict[str, str]:
    """Read the first property set of a stream."""
    if len(data) < 48:
        return {}
    (begin,) = struct.unpack_from("<I", data, 44)
    _, count = struct.unpack_from("<2I", data, begin)
    values: dict[int, tuple[int, int]] = {}  # property -> type, offset of the value
    for number in range(min(count, _MOST_PROPERTIES)):
        name, offset = struct.unpack_from("<2I", data, begin + 8 + 8 * number)
        (kind,) = struct.unpack_from("<I", data, begin + offset)
        values[name] = (kind & 0xFFFF, begin + offset + 4)
    page = 1252
    if _CODE_PAGE in values:
        (page,) = struct.unpack_from("<H", data, values[_CODE_PAGE][1])
    texts = {
        meaning: _string(data, *values[name], code_page(page))
        for name, meaning in _PROPERTIES.items()
        if name in values
    }
    return drop_empty(**texts, date=_date(data, values))


def _string(data: bytes, kind: int, at: int, codec: str) -> str:
    if kind not in (_STRING, _WIDE_STRING):
        return ""
    (length,) = struct.unpack_from("<I", data, at)
    if kind == _WIDE_STRING:
        length, codec = 2 * length, "utf-16-le"
    return data[at + 4 : at + 4 + length].decode(codec, "replace").partition("\0")[0]


def _date(data: bytes, values: Mapping[int, tuple[int, int]]) -> str:
    kind, at = values.get(_CREATED, (0, 0))
    if kind != _TIME:
        return ""
    (ticks,) = struct.unpack_from("<Q", data, at)  # of 100 ns
    if not ticks:
        return ""
    return (_EPOCH + timedelta(microseconds=ticks // 10)).strftime("%Y-%m-%dT%H:%M:%SZ")
