"""One file a format. Where the bytes of a file show its format, the suffix does not count."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Protocol

from ...errors import Unreadable
from ...extensions import extension
from ...model import U8
from . import docx, html, pdf, picture, plain
from .extracted import Extracted, within_limits
from .zipped import open_zip, read_member


class Extractor(Protocol):
    """Turns the bytes of a file into text, or raises `Unreadable`."""

    def __call__(self, data: bytes, *, encoding: str = "") -> Extracted: ...


class Pictured(Protocol):
    """A format that may hold text in pictures: pages without letters, photographs."""

    def parts(self, data: bytes) -> list[str]:
        """Return what names each picture, in the order of the text."""

    def picture(self, data: bytes, part: str) -> U8:
        """Return one of them, uint8 (height, width)."""

    def extract(
        self,
        data: bytes,
        *,
        encoding: str = "",
        recognised: Mapping[str, Sequence[str]] | None = None,
    ) -> Extracted:
        """Read the file, with the lines of pictures that were recognised, by part."""


#: suffix without the dot -> how to read it
EXTRACTORS: Mapping[str, Extractor] = {
    "txt": plain.extract,
    "text": plain.extract,
    "md": plain.extract,
    "markdown": plain.extract,
    "html": html.extract,
    "htm": html.extract,
    "xhtml": html.extract,
    "docx": docx.extract,
    "pdf": pdf.extract,
    **dict.fromkeys(picture.SUFFIXES, picture.extract),
}

#: suffix without the dot -> where its pictures are
PICTURED: Mapping[str, Pictured] = {
    "docx": docx,
    "pdf": pdf,
    **dict.fromkeys(picture.SUFFIXES, picture),
}

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PICTURES = {
    b"\x89PNG": "png",
    b"\xff\xd8\xff": "jpg",
    b"GIF8": "gif",
    b"II*\0": "tiff",
    b"MM\0*": "tiff",
}
_OTHERS = {b"{\\rtf": "rtf", b"7z\xbc\xaf": "7z", b"Rar!": "rar", b"\x1f\x8b": "gz"}
_PDF_WITHIN = 1024  # readers accept a PDF header that far into the file
_KIND_BYTES = 200


def extract(
    data: bytes,
    *,
    suffix: str,
    encoding: str = "",
    main_text: bool = False,
    recognised: Mapping[str, Sequence[str]] | None = None,
) -> tuple[str, Extracted]:
    """Read a file; return the format it was read as, and its text.

    With `main_text`, of a web page what is no article is left out where that can be told;
    `recognised` are the lines of its pictures, by what `PICTURED` calls them.

    Raises
    ------
    Unreadable
        With the reason why not.
    """
    if not data.strip():
        raise Unreadable("empty")
    kind = sniff(data, suffix)
    if kind not in EXTRACTORS:
        return kind, _by_extension(data, kind, encoding=encoding)
    if main_text and EXTRACTORS[kind] is html.extract:
        return kind, html.extract_article(data, encoding=encoding)
    if recognised is not None and kind in PICTURED:
        return kind, PICTURED[kind].extract(data, recognised=recognised)
    return kind, EXTRACTORS[kind](data, encoding=encoding)


def _by_extension(data: bytes, kind: str, *, encoding: str) -> Extracted:
    """Read a file by what another package adds: extract(data, encoding=...) -> text."""
    read = extension("formats", kind)
    if read is None:
        raise Unreadable("unsupported", ext=kind or "?")
    text = read(data, encoding=encoding)
    return text if isinstance(text, Extracted) else Extracted(within_limits(str(text)))


def sniff(data: bytes, suffix: str) -> str:
    """Return the suffix that fits the bytes; raises `Unreadable` for damaged or encrypted files."""
    if data.startswith(_OLE):
        return _ole(data, suffix)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zipped(data, suffix)
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return "pdf"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "webp"
    for table in (_PICTURES, _OTHERS):
        for magic, kind in table.items():
            if data.startswith(magic):
                return kind
    if suffix in ("docx", "pdf"):
        raise Unreadable("damaged", detail=f"not a {suffix} file")
    if suffix == "doc":
        return "html" if _looks_like_html(data) else "doc"
    return suffix or "txt"  # README, LICENSE


def _looks_like_html(data: bytes) -> bool:
    head = data[:_PDF_WITHIN].lower()
    return b"<html" in head or b"<!doctype html" in head


def _ole(data: bytes, suffix: str) -> str:
    """Compound files: old Word, and the wrapping of encrypted new Word."""

    def holds(stream: str) -> bool:
        return stream.encode("utf-16-le") in data

    if holds("EncryptedPackage"):
        raise Unreadable("encrypted")
    if holds("WordDocument") or suffix == "doc":
        raise Unreadable("legacy_doc")
    return suffix if suffix not in EXTRACTORS else "ole"


def _zipped(data: bytes, suffix: str) -> str:
    """Tell Word documents from the other formats that are zip files inside."""
    archive = open_zip(io.BytesIO(data))
    names = set(archive.namelist())
    if "[Content_Types].xml" in names:
        if any(name.startswith("ppt/") for name in names):
            return "pptx"
        if any(name.startswith("xl/") for name in names):
            return "xlsx"
        return "docx"
    if "mimetype" in names:
        kind = read_member(archive, "mimetype", _KIND_BYTES).decode("ascii", "replace")
        for mark, name in (("epub", "epub"), ("spreadsheet", "ods"), ("opendocument.text", "odt")):
            if mark in kind:
                return name
    if suffix == "docx":
        raise Unreadable("damaged", detail="not a docx file")
    return suffix if suffix not in EXTRACTORS else "zip"
