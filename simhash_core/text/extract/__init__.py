"""One file a format. Where the bytes of a file show its format, the suffix does not count."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from importlib import import_module
from typing import Protocol, cast

from ...errors import Unreadable
from ...extensions import extension
from . import docx, html, pdf, plain
from .extracted import Extracted, within_limits
from .zipped import open_zip, read_member


class Extractor(Protocol):
    """Turns the bytes of a file into text, or raises `Unreadable`."""

    def __call__(self, data: bytes, *, encoding: str = "") -> Extracted: ...


def _when_needed(module: str, name: str = "extract") -> Extractor:
    """Return a reader of this package that is imported when the first such file comes."""

    def read(data: bytes, *, encoding: str = "") -> Extracted:
        reader = cast(Extractor, getattr(import_module(f".{module}", __name__), name))
        return reader(data, encoding=encoding)

    return read


_DOC, _RTF = _when_needed("doc"), _when_needed("rtf")
_OPENDOCUMENT = _when_needed("opendocument")
_MHTML, _XLSX = _when_needed("mail", "mhtml"), _when_needed("rows")
_PPTX, _PPT = _when_needed("slides", "pptx"), _when_needed("slides", "ppt")

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
    "docm": docx.extract,
    "dotx": docx.extract,
    "pdf": pdf.extract,
    "doc": _DOC,
    "dot": _DOC,
    "wps": _DOC,
    "rtf": _RTF,
    "odt": _OPENDOCUMENT,
    "ott": _OPENDOCUMENT,
    "odp": _OPENDOCUMENT,
    "pptx": _PPTX,
    "pptm": _PPTX,
    "ppsx": _PPTX,
    "ppt": _PPT,
    "pps": _PPT,
    "dps": _PPT,
    "epub": _when_needed("book"),
    "pages": _when_needed("iwork"),
    "eml": _when_needed("mail", "eml"),
    "mhtml": _MHTML,
    "mht": _MHTML,
    "msg": _when_needed("mail", "msg"),
    "tex": _when_needed("source", "tex"),
    "ipynb": _when_needed("source", "ipynb"),
    "xlsx": _XLSX,
    "xlsm": _XLSX,
}

#: formats that are told and not read -> the code that says what to do
ADVICE: Mapping[str, str] = {
    "works": "works",
    "wpd": "wordperfect",
    "caj": "caj",
    "kdh": "caj",
    "nh": "caj",
    "hwp": "hwp",
    "hwpx": "hwp",
    "djvu": "djvu",
    "djv": "djvu",
    "ofd": "ofd",
    "xls": "legacy_xls",
    "ppt95": "legacy_ppt",
}

_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PICTURES = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpg", b"GIF8": "gif", b"II*\0": "tiff"}
_OTHERS = {
    b"7z\xbc\xaf": "7z",
    b"Rar!": "rar",
    b"\x1f\x8b": "gz",
    b"\xffWPC": "wpd",
    b"AT&TFORM": "djvu",
    b"HWP Document": "hwp",
    b"CAJ\0": "caj",
    b"HN\0\0": "caj",
    b"KDH ": "caj",
}
#: suffixes of Word, which opens pages and plain text under them too
_WORD = frozenset(("doc", "dot", "wps", "rtf"))
_HEADER = re.compile(rb"[A-Za-z-]{1,40}: ")
_SAVED_PAGE = (b"mime-version:", b"multipart/related")
_HEAD = 1024  # bytes; readers accept a PDF header that far into the file
_KIND_BYTES = 200
_OFFICE = {"pptx": "ppt/", "xlsx": "xl/"}  # folder of the parts
_SAID = {
    "epub": "epub",
    "opendocument.text": "odt",
    "opendocument.presentation": "odp",
    "opendocument.spreadsheet": "ods",
    "hwp": "hwpx",
}
#: member -> format of a zip file that does not say what it is
_HELD = {
    "META-INF/container.xml": "epub",
    "OFD.xml": "ofd",
    "Index/Document.iwa": "pages",
    "Index.zip": "pages",
    "index.xml": "pages",
    "QuickLook/Preview.pdf": "pages",
}
_WORD_2 = (b"\xdb\xa5", b"\x9b\xa5", b"1\xbe\0\0", b"\xfe7\0")
_COMPOUND_KINDS = frozenset(("doc", "dot", "wps", "ppt", "pps", "dps", "msg"))
_ZIPPED_SUFFIXES = "docx docm dotx odt ott odp pptx pptm ppsx epub pages xlsx xlsm"
_ZIPPED_KINDS = frozenset(_ZIPPED_SUFFIXES.split())
#: suffixes of formats that show in their first bytes
_WITH_MARKS = _ZIPPED_KINDS | _COMPOUND_KINDS - _WORD | {"pdf"}


def extract(
    data: bytes, *, suffix: str, encoding: str = "", main_text: bool = False
) -> tuple[str, Extracted]:
    """Read a file; return the format it was read as, and its text.

    With `main_text`, of a web page what is no article is left out where that can be told.

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
    return kind, EXTRACTORS[kind](data, encoding=encoding)


def _by_extension(data: bytes, kind: str, *, encoding: str) -> Extracted:
    """Read a file by what another package adds: extract(data, encoding=...) -> text."""
    read = extension("formats", kind)
    if read is None:
        raise (
            Unreadable(ADVICE[kind])
            if kind in ADVICE
            else Unreadable("unsupported", ext=kind or "?")
        )
    text = read(data, encoding=encoding)
    return text if isinstance(text, Extracted) else Extracted(within_limits(str(text)))


def sniff(data: bytes, suffix: str) -> str:
    """Return the suffix that fits the bytes; raises `Unreadable` for damaged or encrypted files."""
    if data.startswith(_COMPOUND):
        return _compound(data, suffix)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zipped(data, suffix)
    head = data[:_HEAD]
    if b"%PDF-" in head:
        return "pdf"
    for table in (_PICTURES, _OTHERS):
        for magic, kind in table.items():
            if data.startswith(magic):
                return kind
    if head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"{\\rtf"):
        return "rtf"
    if (
        suffix != "eml"
        and _HEADER.match(head)
        and all(mark in head.lower() for mark in _SAVED_PAGE)
    ):
        return "mhtml"
    if suffix in _WORD:
        return _under_a_word_suffix(data, suffix)
    if suffix in _WITH_MARKS:
        raise Unreadable("damaged", detail=f"not a {suffix} file")
    return suffix or "txt"  # README, LICENSE


def _is_saved_page(head: bytes) -> bool:
    return bool(_HEADER.match(head)) and all(mark in head.lower() for mark in _SAVED_PAGE)


def _under_a_word_suffix(data: bytes, suffix: str) -> str:
    """Tell what Word opens as well under its suffixes, and what it wrote before 1993."""
    head = data[:_HEAD].lower()
    if b"<html" in head or b"<!doctype html" in head:
        return "html"
    if data.startswith(_WORD_2) or b"word.document" in head:
        raise Unreadable("legacy_doc")  # Word 2 and its kin; XML of Word 2003
    if b"\0" in head and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("damaged", detail=f"not a {suffix} file")
    return "txt"


def _compound(data: bytes, suffix: str) -> str:
    """Old Word, PowerPoint and Excel, Outlook, and the wrapping of what is encrypted."""
    from .compound import Compound  # few checks hold such a file

    kind = Compound(data).kind("works" if suffix == "wps" else suffix)
    return "ole" if kind in EXTRACTORS and kind not in _COMPOUND_KINDS else kind


def _zipped(data: bytes, suffix: str) -> str:
    """Tell the formats apart that are zip files inside."""
    archive = open_zip(io.BytesIO(data))
    names = frozenset(archive.namelist())
    if "[Content_Types].xml" in names:
        return next(
            (kind for kind, folder in _OFFICE.items() if any(n.startswith(folder) for n in names)),
            "docx",
        )
    if "mimetype" in names:
        said = read_member(archive, "mimetype", _KIND_BYTES).decode("ascii", "replace")
        for mark, kind in _SAID.items():
            if mark in said:
                return kind
    for member, kind in _HELD.items():
        if member in names:
            return kind
    if suffix in _ZIPPED_KINDS:
        raise Unreadable("damaged", detail=f"not a {suffix} file")
    return suffix if suffix not in EXTRACTORS else "zip"
