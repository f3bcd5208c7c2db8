"""Word documents, read from the package itself so that no text is missed.

Paragraphs, tables, text boxes, content controls, hyperlinks, tracked insertions (not
deletions), footnotes, endnotes, headers and footers. Hidden text is part of the text, and is
reported.

References
----------
ECMA-376 part 1, chapter 17 (WordprocessingML) and part 3 (markup compatibility).
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ...errors import Unreadable
from ...model import Note
from .extracted import Extracted, finding, joined, within_limits, without_empty
from .zipped import open_zip, read_member

_MOST_PART = 200 * 2**20  # bytes of one XML part
_LEAST_SIZE = 8.0  # half points; text of 4 points and less is a grey line to the eye
_FAINT = 0xE6  # all three channels from here: contrast with white paper below 1.25
_PICTURES = ("blip", "imagedata")
_PICTURE_WORTH = 100  # characters; less text than that a picture, and the pictures may be the text
_MOST_DEPTH = 400  # nested elements; Word itself stops far earlier

_DELETED = frozenset(("del", "moveFrom", "delText", "instrText", "delInstrText", "rt"))
_PROPERTIES = frozenset(("pPr", "rPr", "tblPr", "tcPr", "trPr", "sectPr", "sdtPr", "tblGrid"))
_BREAKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_OFF = frozenset(("0", "false", "off", "none"))
_NO_SHADE = frozenset(("", "auto", "FFFFFF", "ffffff"))
_EXTRA_PARTS = ("footnotes", "endnotes", "header", "footer")
_MAIN_PART = "word/document.xml"


@dataclass(slots=True)
class _Out:
    """Text extracted so far, and the ranges that cannot be seen."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    hidden: list[tuple[int, int]] = field(default_factory=list)

    def add(self, text: str, *, hidden: bool = False) -> None:
        if not text:
            return
        if hidden and not text.isspace():
            self.hidden.append((self.length, self.length + len(text)))
        self.parts.append(text)
        self.length += len(text)

    def end_line(self) -> None:
        if self.parts and not self.parts[-1].endswith("\n"):
            self.add("\n")


@dataclass(frozen=True, slots=True)
class _Place:
    """What surrounds an element and decides how it is read."""

    styles: frozenset[str] = frozenset()  # ids of styles that keep text from the eye
    unseen: bool = False  # in a paragraph of such a style
    shaded: bool = False  # white text on it can be seen
    cell: bool = False
    depth: int = 0

    def inside(
        self, *, shaded: bool = False, cell: bool | None = None, unseen: bool = False
    ) -> _Place:
        cell = self.cell if cell is None else cell
        return _Place(
            self.styles, self.unseen or unseen, self.shaded or shaded, cell, self.depth + 1
        )


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return all text of a .docx in reading order; notes, headers and footers at the end."""
    archive = open_zip(io.BytesIO(data))
    main = _main_part(archive)
    out = _Out()
    place, body = _Place(_unseen_styles(archive, main)), _parse(archive, main)
    _walk(body, out, place)
    seen: set[str] = set()
    for name in _extra_parts(archive, main):
        part = _Out()
        _walk(_parse(archive, name), part, place)
        text = "".join(part.parts)
        if text.strip() and text.strip() not in seen:  # one header a section, mostly the same
            seen.add(text.strip())
            out.end_line()
            out.hidden += [(i + out.length, j + out.length) for i, j in part.hidden]
            out.add(text)
    text = within_limits("".join(out.parts))
    spans = joined(out.hidden)
    n = sum(j - i for i, j in spans)
    notes = (*finding("hidden_text", spans, n), *_pictures(body, text))
    return Extracted(text, "", _meta(archive), notes)


def _pictures(body: Element, text: str) -> tuple[Note, ...]:
    """Return a note where pictures may hold what the text does not.

    Raises
    ------
    Unreadable
        "scanned" where there are pictures and no word at all.
    """
    count = sum(_local(element) in _PICTURES for element in body.iter())
    letters = sum(map(str.isalnum, text))
    if count and not letters:
        raise Unreadable("scanned")
    return (Note("pictures", {"n": count}),) if letters < _PICTURE_WORTH * count else ()


def _unseen_styles(archive: zipfile.ZipFile, main: str) -> frozenset[str]:
    """Return the ids of paragraph and character styles whose text cannot be seen."""
    try:
        root = _parse(archive, posixpath.join(posixpath.dirname(main), "styles.xml"))
    except Unreadable:
        return frozenset()
    hidden: dict[str, bool] = {}
    basis: dict[str, str] = {}
    for style in root:
        if _local(style) == "style" and _attribute(style, "type") in ("paragraph", "character"):
            name, properties = _attribute(style, "styleId"), _child(style, "rPr")
            basis[name] = _attribute(_child(style, "basedOn"), "val")
            shaded = _is_shaded(_child(style, "pPr"))
            hidden[name] = _is_hidden(properties, _Place(shaded=shaded))
    unseen = set()
    for name in hidden:
        above, steps = name, 0
        while above in hidden and steps < len(hidden):
            if hidden[above]:
                unseen.add(name)
            above, steps = basis[above], steps + 1
    return frozenset(unseen)


def _main_part(archive: zipfile.ZipFile) -> str:
    """Return the name of the main part, which the package's relations may move."""
    names = set(archive.namelist())
    try:
        relations = _parse(archive, "_rels/.rels")
    except Unreadable:
        relations = None
    for relation in relations if relations is not None else ():
        if relation.get("Type", "").endswith("/officeDocument"):
            target = posixpath.normpath(relation.get("Target", "")).lstrip("/")
            if target in names:
                return target
    if _MAIN_PART in names:
        return _MAIN_PART
    raise Unreadable("damaged", detail="no document part")


def _extra_parts(archive: zipfile.ZipFile, main: str) -> Iterator[str]:
    folder = posixpath.dirname(main)
    names = sorted(archive.namelist())
    for kind in _EXTRA_PARTS:
        pattern = re.compile(re.escape(folder) + rf"/{kind}\d*\.xml")
        yield from filter(pattern.fullmatch, names)


def _parse(archive: zipfile.ZipFile, name: str) -> Element:
    """Parse one part. Entities, DTDs and broken XML are refused."""
    try:
        root: Element = fromstring(read_member(archive, name, _MOST_PART), forbid_dtd=True)
    except KeyError as error:
        raise Unreadable("damaged", detail="part missing") from error
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error
    return root


def _local(element: Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _attribute(element: Element | None, name: str) -> str:
    """Return an attribute in whichever of the two WordprocessingML namespaces it stands."""
    if element is None:
        return ""
    for key, value in element.attrib.items():
        if key == name or key.endswith("}" + name):
            return value
    return ""


def _child(element: Element | None, name: str) -> Element | None:
    if element is None:
        return None
    return next((child for child in element if _local(child) == name), None)


def _walk(element: Element, out: _Out, place: _Place) -> None:
    """Add the text below an element."""
    if place.depth > _MOST_DEPTH:
        raise Unreadable("damaged", detail="nested too deep")
    for child in element:
        name = _local(child)
        if name == "p":
            _paragraph(child, out, place)
        elif name == "tr":
            _row(child, out, place)
        elif name == "AlternateContent":
            # Fallback repeats the text of Choice for old readers
            chosen = _child(child, "Choice")
            chosen = chosen if chosen is not None else _child(child, "Fallback")
            if chosen is not None:
                _walk(chosen, out, place.inside())
        elif name in ("footnote", "endnote") and _attribute(child, "type"):
            continue  # separators
        elif name not in _DELETED and name not in _PROPERTIES:
            _walk(child, out, place.inside())


def _paragraph(paragraph: Element, out: _Out, place: _Place) -> None:
    """Add a paragraph and its end; text boxes anchored in it follow it."""
    boxes: list[Element] = []
    properties = _child(paragraph, "pPr")
    shaded = _is_shaded(properties)
    unseen = _attribute(_child(properties, "pStyle"), "val") in place.styles
    _inline(paragraph, out, place.inside(shaded=shaded, unseen=unseen), boxes)
    out.add("\n")
    for box in boxes:
        # a box usually has a fill, so white text in it is no evidence
        _walk(box, out, place.inside(shaded=True, cell=False))


def _inline(element: Element, out: _Out, place: _Place, boxes: list[Element]) -> None:
    if place.depth > _MOST_DEPTH:
        raise Unreadable("damaged", detail="nested too deep")
    hidden = _local(element) == "r" and _is_hidden(_child(element, "rPr"), place)
    for child in element:
        name = _local(child)
        if name == "t":
            out.add(child.text or "", hidden=hidden)
        elif name in _BREAKS:
            out.add(_BREAKS[name])
        elif name == "sym":
            out.add(_symbol(child), hidden=hidden)
        elif name == "txbxContent":
            boxes.append(child)
        elif name == "AlternateContent":
            chosen = _child(child, "Choice")
            chosen = chosen if chosen is not None else _child(child, "Fallback")
            if chosen is not None:
                _inline(chosen, out, place.inside(), boxes)
        elif name not in _DELETED and name not in _PROPERTIES:
            _inline(child, out, place.inside(), boxes)


def _row(row: Element, out: _Out, place: _Place) -> None:
    """Add a table row: cells of one paragraph in a line, longer cells as paragraphs."""
    for number, cell in enumerate(_cells(row)):
        if number and out.parts and out.parts[-1] == "\n":
            out.parts[-1] = "\t"
        shaded = _is_shaded(_child(cell, "tcPr"))
        _walk(cell, out, place.inside(shaded=shaded, cell=True))
    out.end_line()


def _cells(element: Element) -> Iterator[Element]:
    """Yield the cells of a row, those in content controls too."""
    for child in element:
        name = _local(child)
        if name == "tc":
            yield child
        elif name in ("sdt", "sdtContent", "customXml", "ins"):
            yield from _cells(child)


def _symbol(element: Element) -> str:
    """Return the character of a w:sym, unless it has a meaning in its font only."""
    try:
        point = int(_attribute(element, "char"), 16)
    except ValueError:
        return ""
    return "" if 0xE000 <= point < 0xF900 or not 0 < point < 0xD800 else chr(point)


def _is_on(properties: Element | None, name: str) -> bool:
    element = _child(properties, name)
    return element is not None and _attribute(element, "val").lower() not in _OFF


def _is_shaded(properties: Element | None) -> bool:
    return _attribute(_child(properties, "shd"), "fill") not in _NO_SHADE


def _is_hidden(properties: Element | None, place: _Place) -> bool:
    """Whether its style or its direct properties hide a run."""
    if properties is None:
        return place.unseen
    if _attribute(_child(properties, "rStyle"), "val") in place.styles:
        return True
    if place.unseen or _is_on(properties, "vanish"):
        return True
    try:
        if float(_attribute(_child(properties, "sz"), "val") or 99) <= _LEAST_SIZE:
            return True
    except ValueError:
        pass
    faint = _is_faint(_attribute(_child(properties, "color"), "val"))
    if not faint or place.shaded or _is_shaded(properties):
        return False
    return not _is_on(properties, "highlight")


def _is_faint(colour: str) -> bool:
    """Whether six hexadecimal digits are white or nearly so."""
    try:
        return len(colour) == 6 and min(bytes.fromhex(colour)) >= _FAINT
    except ValueError:
        return False


def _meta(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return title, author and dates from the core properties, where they can be read."""
    try:
        root = _parse(archive, "docProps/core.xml")
    except Unreadable:
        return {}
    properties = {_local(child): child.text for child in root}
    return without_empty(
        title=properties.get("title"),
        author=properties.get("creator"),
        date=properties.get("created"),
        modified=properties.get("modified"),
        editor=properties.get("lastModifiedBy"),
        keywords=properties.get("keywords"),
    )
