"""What a file is, told by its bytes; its suffix counts only where they say nothing."""

from __future__ import annotations

import io
import re
from collections.abc import Container
from zipfile import ZipFile

from ...errors import Unreadable
from .zipped import open_zip, read_member

HEAD = 1024  # bytes looked at; readers accept a PDF header that far into the file
#: suffixes of files that are one picture
PICTURES = ("png", "jpg", "jpeg", "gif", "tif", "tiff", "webp", "bmp")

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PICTURES = {
    b"\x89PNG": "png",
    b"\xff\xd8\xff": "jpg",
    b"GIF8": "gif",
    b"II*\0": "tiff",
    b"MM\0*": "tiff",
}
_ARCHIVES = {
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "rar",
    b"\x1f\x8b\x08": "gz",
    b"BZh": "bz2",
    b"\xfd7zXZ\0": "xz",
}
_TAR_MARK, _TAR_MARK_AT = b"ustar", 257
_OTHERS = {
    b"\xffWPC": "wpd",
    b"AT&TFORM": "djvu",
    b"HWP Document": "hwp",
    b"CAJ\0": "caj",
    b"HN\0\0": "caj",
    b"KDH ": "caj",
    b"\x78\x9f\x3e\x22": "tnef",
}
_CONTAINER_AT, _CONTAINER = 4, b"ftyp"  # of ISO 14496-12; then the brand
_HEIC = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"avif", b"avis")
_HEIC_MARKS = tuple(_CONTAINER + one for one in _HEIC)
#: suffixes of Word, which opens pages and plain text under them too
_WORD = frozenset(("doc", "dot", "wps", "rtf"))
_WORD_2 = (b"\xdb\xa5", b"\x9b\xa5", b"1\xbe\0\0", b"\xfe7\0")
_HEADER = re.compile(rb"[A-Za-z-]{1,40}: ")
_SAVED_PAGE = (b"mime-version:", b"multipart/related")

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
    "QuickLook/Preview.pdf": "pages",
}
_COMPOUND_SUFFIXES = frozenset(("doc", "dot", "wps", "ppt", "pps", "dps", "msg"))
_ZIPPED_NAMES = "docx docm dotx odt ott odp pptx pptm ppsx epub xlsx xlsm"
_ZIPPED_SUFFIXES = frozenset(_ZIPPED_NAMES.split())
_OTHERWISE_ZIPPED = frozenset(("pages",))  # of old ones no member tells
#: suffixes of formats that show in their first bytes
_WITH_MARKS = _ZIPPED_SUFFIXES | (_COMPOUND_SUFFIXES - _WORD) | {"pdf"}


def sniff(data: bytes, suffix: str, *, suffixes: Container[str]) -> str:
    """Return the suffix that fits the bytes.

    Parameters
    ----------
    suffixes
        Suffixes that have a reader: a zip file under one of them that is not what it says is "zip".

    Raises
    ------
    Unreadable
        For what is damaged, encrypted, or older than what is read.
    """
    if data.startswith(_COMPOUND):
        from .compound import Compound  # few checks hold such a file

        kind = Compound(data).kind("works" if suffix == "wps" else suffix)
        return "ole" if kind in suffixes and kind not in _COMPOUND_SUFFIXES else kind
    if data.startswith(_ZIP):
        if kind := zipped_kind(open_zip(io.BytesIO(data))):
            return kind
        if suffix in _ZIPPED_SUFFIXES:
            raise Unreadable("damaged", detail=f"not a {suffix} file")
        return "zip" if suffix in suffixes and suffix not in _OTHERWISE_ZIPPED else suffix
    head = data[:HEAD]
    if b"%PDF-" in head:
        return "pdf"
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "webp"
    if head[_CONTAINER_AT : _CONTAINER_AT + 8].startswith(_HEIC_MARKS):
        return "heic"
    if kind := archive_kind(head) or _by_first_bytes(data, _PICTURES, _OTHERS):
        return kind
    if head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"{\\rtf"):
        return "rtf"
    if (
        suffix != "eml"
        and bool(_HEADER.match(head))
        and all(mark in head.lower() for mark in _SAVED_PAGE)
    ):
        return "mhtml"
    if suffix in _WORD:
        return _under_a_word_suffix(data, suffix)
    if suffix in _WITH_MARKS:
        raise Unreadable("damaged", detail=f"not a {suffix} file")
    return suffix or "txt"  # README, LICENSE


def archive_kind(head: bytes) -> str:
    """Return the kind of archive that begins so, "" for none."""
    if head.startswith(_ZIP):
        return "zip"
    if head[_TAR_MARK_AT:].startswith(_TAR_MARK):
        return "tar"
    return _by_first_bytes(head, _ARCHIVES)


def zipped_kind(archive: ZipFile) -> str:
    """Tell the formats apart that are zip files inside; "" for what is none of them."""
    names = frozenset(archive.namelist())
    if "[Content_Types].xml" in names:
        return next(
            (
                kind
                for kind, folder in _OFFICE.items()
                if any(n.lower().startswith(folder) for n in names)
            ),
            "docx",
        )
    if "mimetype" in names:
        stated = read_member(archive, "mimetype", _KIND_BYTES).decode("ascii", "replace")
        for mark, kind in _SAID.items():
            if mark in stated:
                return kind
    for member, kind in _HELD.items():
        if member in names:
            return kind
    return ""


def _by_first_bytes(data: bytes, *tables: dict[bytes, str]) -> str:
    for table in tables:
        if data.startswith(tuple(table)):  # one look for nearly all files
            return next(kind for mark, kind in table.items() if data.startswith(mark))
    return ""


def _under_a_word_suffix(data: bytes, suffix: str) -> str:
    """Tell what Word opens as well under its suffixes, and what it wrote before 1993."""
    head = data[:HEAD].lower()
    if b"<html" in head or b"<!doctype html" in head:
        return "html"
    if data.startswith(_WORD_2) or b"word.document" in head:
        raise Unreadable("legacy_doc")  # Word 2 and its kin; XML of Word 2003
    if b"\0" in head and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("damaged", detail=f"not a {suffix} file")
    return "txt"
