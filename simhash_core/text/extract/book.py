"""Books (.epub), page by page in the order of reading, and documents of Pages, by their preview.

References
----------
EPUB 3.3 (W3C), 5 (package document) and 4.2.6.3 (encryption.xml).
"""

from __future__ import annotations

import io
import posixpath
import urllib.parse

from ...errors import Unreadable
from . import html
from .extracted import MOST_CHARACTERS, Extracted, drop_empty, limit_length, merge_notes
from .formatting import attribute, strip_namespace
from .zipped import MOST_PART, open_zip, parse_member, read_member

_CONTAINER, _ENCRYPTION, _RIGHTS = (
    f"META-INF/{name}.xml" for name in ("container", "encryption", "rights")
)
_PAGES = (".xhtml", ".html", ".htm", ".xml")
_PREVIEWS = ("quicklook/preview.pdf", "preview.pdf")


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text of an .epub.

    Raises
    ------
    Unreadable
        "drm" where its pages are locked, "too_long", "damaged".
    """
    archive = open_zip(io.BytesIO(data))
    names = {name.lower(): name for name in archive.namelist()}
    if _RIGHTS.lower() in names:
        raise Unreadable("drm")
    for one in parse_member(archive, _ENCRYPTION).iter() if _ENCRYPTION.lower() in names else ():
        suffix = posixpath.splitext(attribute(one, "URI").lower())[1]
        if (
            strip_namespace(one) == "CipherReference" and suffix in _PAGES
        ):  # fonts are so in open books too
            raise Unreadable("drm")
    container = parse_member(archive, _CONTAINER, dtd=True)
    files = (
        attribute(one, "full-path")
        for one in container.iter()
        if strip_namespace(one) == "rootfile"
    )
    package = next(files, "")
    root = parse_member(archive, package, dtd=True)
    # the pages in the order in which they are read, each once
    items = {
        one.get("id"): one.get("href", "") for one in root.iter() if strip_namespace(one) == "item"
    }
    listed = (
        items.get(one.get("idref"), "") for one in root.iter() if strip_namespace(one) == "itemref"
    )
    places = (urllib.parse.unquote(name.partition("#")[0]) for name in listed)
    folder = posixpath.dirname(package)
    pages: list[Extracted] = []
    length = 0
    for name in dict.fromkeys(posixpath.normpath(posixpath.join(folder, one)) for one in places):
        if name.lower().endswith(_PAGES) and name.lower() in names:
            pages.append(html.extract(read_member(archive, name, MOST_PART)))
            length += len(pages[-1].text)
            if length > MOST_CHARACTERS:
                raise Unreadable("too_long", n=MOST_CHARACTERS)
    text = limit_length("".join(f"{page.text.strip()}\n" for page in pages))
    notes = merge_notes(note for page in pages for note in page.notes)
    # of each property the first
    entries = {strip_namespace(one): one.text for one in reversed(list(root.iter()))}
    meta = drop_empty(
        title=entries.get("title"), author=entries.get("creator"), date=entries.get("date")
    )
    return Extracted(text, pages[0].encoding if pages else "", meta, notes)


def read_preview(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text of the preview in PDF that a document of Pages or its sisters may carry.

    Raises
    ------
    Unreadable
        "iwork" where there is none, and what reading a PDF raises.
    """
    from . import pdf  # pdfium, which a book does not need

    archive = open_zip(io.BytesIO(data))
    for info in archive.infolist():
        if info.filename.lower() in _PREVIEWS:
            return pdf.extract(read_member(archive, info, MOST_PART))
    raise Unreadable("iwork")
