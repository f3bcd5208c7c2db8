"""Books (.epub): the pages of a book in the order in which they are read.

References
----------
EPUB 3.3 (W3C), 5 (package document) and 4.2.6.3 (encryption.xml).
"""

from __future__ import annotations

import io
import posixpath
import urllib.parse
from collections.abc import Iterator
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from ...errors import Unreadable
from . import html
from .extracted import MOST_CHARACTERS, Extracted, merged, within_limits, without_empty
from .formatting import attribute, local
from .zipped import MOST_PART, open_zip, parse_member, read_member

_CONTAINER, _ENCRYPTION, _RIGHTS = (
    f"META-INF/{name}.xml" for name in ("container", "encryption", "rights")
)
_PAGES = (".xhtml", ".html", ".htm", ".xml")


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text of an .epub.

    Raises
    ------
    Unreadable
        "drm" where its pages are locked, "too_long", "damaged".
    """
    archive = open_zip(io.BytesIO(data))
    names = {name.lower(): name for name in archive.namelist()}
    if _RIGHTS.lower() in names or (_ENCRYPTION.lower() in names and _is_locked(archive)):
        raise Unreadable("drm")
    container = parse_member(archive, _CONTAINER, dtd=True)
    files = (attribute(one, "full-path") for one in container.iter() if local(one) == "rootfile")
    package = next(files, "")
    root = parse_member(archive, package, dtd=True)
    pages: list[Extracted] = []
    length = 0
    for name in _spine(root, posixpath.dirname(package)):
        if name.lower() in names:
            pages.append(html.extract(read_member(archive, name, MOST_PART)))
            length += len(pages[-1].text)
            if length > MOST_CHARACTERS:
                raise Unreadable("too_long", n=MOST_CHARACTERS)
    text = within_limits("".join(f"{page.text.strip()}\n" for page in pages))
    notes = merged(note for page in pages for note in page.notes)
    return Extracted(text, pages[0].encoding if pages else "", _meta(root), notes)


def _is_locked(archive: ZipFile) -> bool:
    """Whether more than fonts is encrypted: those are so in books that anybody may read."""
    return any(
        posixpath.splitext(attribute(one, "URI").lower())[1] in _PAGES
        for one in parse_member(archive, _ENCRYPTION).iter()
        if local(one) == "CipherReference"
    )


def _spine(root: Element, folder: str) -> Iterator[str]:
    """Yield the members that are pages, in their order, each once."""
    files = {one.get("id"): one.get("href", "") for one in root.iter() if local(one) == "item"}
    listed = (files.get(one.get("idref"), "") for one in root.iter() if local(one) == "itemref")
    places = (urllib.parse.unquote(name.partition("#")[0]) for name in listed)
    names = (posixpath.normpath(posixpath.join(folder, place)) for place in places)
    yield from (name for name in dict.fromkeys(names) if name.lower().endswith(_PAGES))


def _meta(root: Element) -> dict[str, str]:
    entries: dict[str, str | None] = {}
    for one in root.iter():
        entries.setdefault(local(one), one.text)
    return without_empty(
        title=entries.get("title"), author=entries.get("creator"), date=entries.get("date")
    )
