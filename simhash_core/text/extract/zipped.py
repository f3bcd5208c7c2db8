"""Zip containers, opened with care: limits first, and again while reading.

The directory of a zip file states sizes, which may be wrong: they are checked before a byte is
expanded, and every member is then read up to its stated size.
"""

from __future__ import annotations

import contextlib
import io
import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from typing import IO, Any
from xml.etree.ElementTree import Element, ParseError, fromstring

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from ...errors import Unreadable

MOST_MEMBERS = 5_000
MOST_EXPANDED = 500 * 2**20  # bytes of all members together
_MOST_RATIO = 100  # expanded to packed, of the whole container
MOST_PART = 200 * 2**20  # bytes of one member in XML
_RATIO_FROM = 10 * 2**20  # below this many expanded bytes no ratio is suspicious

_HEADER_BYTES = 30  # of a member, before its name (APPNOTE.TXT 4.3.7)
#: names that are looked for as they stand here, by their small letters
_PARTS = """
    [Content_Types].xml _rels/.rels docProps/core.xml docProps/app.xml word/document.xml
    ppt/presentation.xml xl/workbook.xml META-INF/container.xml META-INF/manifest.xml mimetype
    content.xml styles.xml meta.xml
"""
_PART_NAMES = {name.lower(): name for name in _PARTS.split()}
#: one of these makes a zip file a document
_TELLING = frozenset(("[content_types].xml", "mimetype", "meta-inf/container.xml"))
_ENCRYPTED = 0x1  # general purpose flag bits (APPNOTE.TXT 4.4.4)
_UTF8 = 0x800
#: what `zipfile` and its decompressors raise for broken data; mutants of valid files were tried
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, LookupError),
    *(NotImplementedError, OSError, RuntimeError, ValueError),
)


def open_zip(file: IO[bytes]) -> zipfile.ZipFile:
    """Open a container whose directory is within the limits.

    Raises
    ------
    Unreadable
        "damaged", or "archive_limit" with limit = count, size or ratio.
    """
    try:
        size = file.seek(0, os.SEEK_END)
        archive = zipfile.ZipFile(file)
        members = archive.infolist()
        _mend_part_names(archive)
    except _BROKEN as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error
    if len(members) > MOST_MEMBERS:
        raise Unreadable("archive_limit", limit="count")
    check_expansion(sum(member.file_size for member in members), size)
    return archive


def check_expansion(expanded: int, packed: int) -> None:
    """Raise `Unreadable("archive_limit")` where too many bytes come out of an archive."""
    if expanded > MOST_EXPANDED:
        raise Unreadable("archive_limit", limit="size")
    if expanded > _RATIO_FROM and expanded > _MOST_RATIO * max(packed, 1):
        raise Unreadable("archive_limit", limit="ratio")


def _mend_part_names(archive: zipfile.ZipFile) -> None:
    """Write the names of the parts of an Office document as its readers expect them.

    Some writers put backslashes between folders. Names of parts are equal whatever their case
    (ECMA-376 part 2); the directory and the header of a member may differ in it.
    """
    if not any(name.replace("\\", "/").lower() in _TELLING for name in archive.namelist()):
        return
    for info in archive.infolist():
        info.filename = _PART_NAMES.get(
            name := info.filename.replace("\\", "/").lower(), info.filename.replace("\\", "/")
        )
        if name.endswith(".rels"):
            info.filename = info.filename.replace("/_RELS/", "/_rels/")
    archive.NameToInfo = _Parts((info.filename, info) for info in archive.infolist())


class _Parts(dict[str, zipfile.ZipInfo]):
    """Members by name, whatever its case."""

    def __init__(self, members: Iterable[tuple[str, zipfile.ZipInfo]]) -> None:
        super().__init__(members)
        self.lowered = {name.lower(): info for name, info in self.items()}

    def __missing__(self, name: str) -> zipfile.ZipInfo:
        return self.lowered[name.replace("\\", "/").lower()]

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default


def use_usual_names(data: bytes) -> bytes:
    """Return a workbook for a library that looks for names of parts as the package lists them."""
    with open_zip(io.BytesIO(data)) as archive:
        stated = [one.get("PartName", "") for one in parse_member(archive, "[Content_Types].xml")]
        usual = {name.lstrip("/").lower(): name.lstrip("/") for name in stated if name}
        for part in list(usual.values()):
            folder, slash, file = part.rpartition("/")
            relations = f"{folder}{slash}_rels/{file}.rels"
            usual[relations.lower()] = relations
        names = {one: usual.get(one.filename.lower(), one.filename) for one in archive.infolist()}
        if all(one.orig_filename == name for one, name in names.items()):
            return data
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as mended:
            for one, name in names.items():
                mended.writestr(name, read_member(archive, one, MOST_PART))
    return out.getvalue()


def _agree_on_name(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
    """Take the name in a member's header where it is that of the directory in another case."""
    file = archive.fp
    if file is None:
        return
    file.seek(info.header_offset)
    header = file.read(_HEADER_BYTES)
    length = int.from_bytes(header[26:28], "little")
    name = file.read(length).decode("utf-8" if info.flag_bits & _UTF8 else "cp437")
    if name.replace("\\", "/").lower() == info.filename.lower():
        info.orig_filename = name


def read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo | str, most: int) -> bytes:
    """Return the bytes of a member, at most `most` of them and never more than it stated.

    Raises
    ------
    KeyError
        If there is no such member.
    Unreadable
        "encrypted", "damaged", "too_large", "packing" where nothing here unpacks it, or
        "archive_limit" where it is larger than stated.
    """
    info = archive.getinfo(member) if isinstance(member, str) else member
    if info.flag_bits & _ENCRYPTED:
        raise Unreadable("encrypted")
    if info.file_size > most:
        raise Unreadable("too_large", mb=most // 2**20)
    try:
        if isinstance(archive.NameToInfo, _Parts):
            _agree_on_name(archive, info)
        with archive.open(info) as file:
            data = file.read(info.file_size + 1)
    except NotImplementedError as error:
        raise Unreadable("packing") from error
    except _BROKEN as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error
    if len(data) > info.file_size:
        raise Unreadable("archive_limit", limit="size")
    return data


def parse_member(archive: zipfile.ZipFile, name: str, *, dtd: bool = False) -> Element:
    """Return the root of a member in XML.

    Parameters
    ----------
    dtd
        Whether it may name the rules it is written by; entities never stand in it.

    Raises
    ------
    Unreadable
        "damaged" for a member that is not there or is no XML, else as `read_member`.
    """
    try:
        data = read_member(archive, name, MOST_PART)
        # declarations stand before the root: `defusedxml`, in Python, reads up to there; the
        # parser in C, twenty times as fast, reads the whole
        parser = DefusedXMLParser(target=_Prolog(), forbid_dtd=not dtd, forbid_entities=True)
        with contextlib.suppress(_Begun):
            parser.feed(data)
        # bandit: `defusedxml` has read all that could declare an entity
        root = fromstring(data)  # nosec B314
    except KeyError as error:
        raise Unreadable("damaged", detail="part missing") from error
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error
    return root


class _Begun(Exception):
    """The root of a document was reached."""


class _Prolog:
    """What a parser builds of a document whose beginning alone is looked at: nothing."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        raise _Begun
