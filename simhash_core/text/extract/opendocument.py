"""OpenDocument texts and presentations, as LibreOffice and others save them.

Text boxes follow the paragraph that holds them, notes follow the text, headers and footers come
last; what cannot be seen is left out, as in .docx. Formulas are not text.

References
----------
OASIS Open Document Format for Office Applications 1.3, part 3.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from ...errors import Unreadable
from ...model import Note
from .extracted import (
    LEAST_SIZE,
    WHITE,
    Collected,
    Colour,
    Extracted,
    drop_empty,
    is_alike,
    read_hex,
)
from .formatting import attribute, child, inherit_styles, strip_namespace
from .zipped import MOST_PART, open_zip, parse_member, read_member

_MANIFEST, _CONTENT = "META-INF/manifest.xml", "content.xml"
_STYLES, _META = "styles.xml", "meta.xml"
_NO_TEXT_TAGS = """
    annotation annotation-end tracked-changes ruby-text note-citation page-number date-time title
    desc forms scripts settings math binary-data sequence-decls variable-decls user-field-decls
    dde-connection-decls automatic-styles font-face-decls bibliography-source
    table-of-content-source alphabetical-index-source illustration-index-source table-index-source
    object-index-source user-index-source shapes-index
"""
_NO_TEXT = frozenset(_NO_TEXT_TAGS.split())
_PARAGRAPHS = frozenset(("p", "h"))
_INLINE = frozenset(("p", "h", "span", "a", "ruby", "ruby-base", "meta", "meta-field"))
_BOXES = frozenset(("frame", "custom-shape", "rect", "ellipse", "g", "text-box"))
_CELLS = frozenset(("table-cell", "covered-table-cell"))
_HEADS = frozenset(
    ("header", "footer", "header-left", "footer-left", "header-first", "footer-first")
)
_OF_BLOCKS = frozenset(("background-color", "fill", "fill-color", "visibility"))
_MOST_DEPTH = 400
_MOST_SPACES = 1000
_POINTS = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,6})?)pt")
_SPACES = re.compile(r"\s+")


class _Look(NamedTuple):
    """What is in force where letters stand."""

    hidden: bool = False
    colour: Colour | None = None
    ground: Colour | None = WHITE  # None: not known
    size: float = 12.0  # points

    def is_unseen(self) -> bool:
        faint = self.colour is not None and self.ground is not None
        return (
            self.hidden
            or self.size <= LEAST_SIZE
            or (faint and is_alike(self.colour or WHITE, self.ground or WHITE))
        )


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text of an .odt or .odp that is seen.

    Raises
    ------
    Unreadable
        "encrypted", "scanned", "damaged".
    """
    archive = open_zip(io.BytesIO(data))
    names = set(archive.namelist())
    if _MANIFEST in names and b"encryption-data" in read_member(archive, _MANIFEST, MOST_PART):
        raise Unreadable("encrypted")
    content = parse_member(archive, _CONTENT, dtd=True)
    styles = parse_member(archive, _STYLES, dtd=True) if _STYLES in names else None
    body = child(content, "body")
    if body is None:
        raise Unreadable("damaged", detail="no body")
    reader = _Reader(
        _read_looks(content, styles), is_slides=child(body, "presentation") is not None
    )
    reader.read(body, styles)
    reader.count(content)
    return reader.out.extracted(_read_meta(archive) if _META in names else {})


@dataclass(slots=True)
class _Reader:
    """One file while it is read."""

    looks: Mapping[str, Mapping[str, str]]  # style -> its properties and those it is based on
    is_slides: bool
    out: Collected = field(default_factory=Collected)
    later: list[tuple[Element, _Look]] = field(default_factory=list)  # notes
    spoken: list[Element] = field(default_factory=list)  # what the speaker is to say

    def read(self, body: Element, styles: Element | None) -> None:
        """Add the text, then notes, then headers and footers."""
        out = self.out
        # shapes and slides have grounds of their own, pages may have one
        coloured = self.is_slides or any(
            strip_namespace(one) == "page-layout-properties"
            and attribute(one, "background-color") not in ("", "transparent", "#ffffff")
            for one in (styles.iter() if styles is not None else ())
        )
        look = _Look(ground=None if coloured else WHITE)
        self._walk(body, out, look, 0)
        for note, around in self.later:
            out.end_line()
            self._walk(note, out, around, 0)
        begin = len(out.parts)
        for page in self.spoken:
            out.end_line()
            self._walk(page, out, look, 0)
        if spoken := len("".join("".join(out.parts[begin:]).split())):
            out.notes.append(Note("speaker_notes", {"n": spoken}))
        seen: set[str] = set()
        waiting = [styles] if styles is not None else []
        while waiting:
            element = waiting.pop()
            if strip_namespace(element) in _HEADS:
                part = Collected()
                self._walk(element, part, look, 0)
                out.add_once(part, seen)
            else:
                waiting += reversed(element)

    def count(self, content: Element) -> None:
        """Count what is not read."""
        waiting = [(content, False)]
        while waiting:
            element, deleted = waiting.pop()
            name = strip_namespace(element)
            deleted = deleted or name == "deletion"
            if name == "annotation":
                self.out.comments += 1
            elif name == "frame":
                held = {strip_namespace(one) for one in element}
                self.out.pictures += "image" in held and not held & {"object", "object-ole"}
            elif deleted and name in _INLINE:
                texts = (element.text, *(one.tail for one in element))
                self.out.deleted += sum(len(text) for text in texts if text)
            waiting += ((one, deleted) for one in element)
        hidden = sum(
            self.looks.get(attribute(page, "style-name"), {}).get("visibility") == "hidden"
            for page in content.iter()
            if self.is_slides and strip_namespace(page) == "page"
        )
        if hidden:
            self.out.notes.append(Note("hidden_slides", {"n": hidden}))

    def _walk(self, element: Element, out: Collected, look: _Look, depth: int) -> None:
        """Add the text below an element."""
        if depth > _MOST_DEPTH:
            raise Unreadable("damaged", detail="nested too deep")
        inline = strip_namespace(element) in _INLINE
        boxes: list[Element] = []
        if inline:
            out.add(_SPACES.sub(" ", element.text or ""), hidden=look.is_unseen())
        for one in element:
            name = strip_namespace(one)
            if name == "s":
                count = attribute(one, "c")
                usual = count.isdecimal() and len(count) < 10
                out.add(" " * (min(int(count), _MOST_SPACES) if usual else 1))
            elif name in ("tab", "line-break"):
                out.add("\t" if name == "tab" else "\n")
            elif name == "note":
                self.later += [(part, look) for part in one if strip_namespace(part) == "note-body"]
            elif name == "notes":
                self.spoken.append(one)
            elif inline and name in _BOXES:
                boxes.append(one)
            elif name not in _NO_TEXT:
                if name in ("table-row", "list-item"):
                    out.end_line()
                self._walk(one, out, self._inside(one, look), depth + 1)
                if name in _CELLS:
                    out.end_cell()
                elif name == "table-row":
                    out.end_row()
            if inline:
                out.add(_SPACES.sub(" ", one.tail or ""), hidden=look.is_unseen())
        if strip_namespace(element) in _PARAGRAPHS:
            out.add("\n")
        for box in boxes:
            out.end_line()
            self._walk(box, out, self._inside(box, look), depth + 1)

    def _inside(self, element: Element, look: _Look) -> _Look:
        """Return the look that the style of an element gives to what is inside it."""
        name = strip_namespace(element)
        if name in ("hidden-text", "hidden-paragraph") or attribute(element, "display") == "none":
            look = look._replace(hidden=True)
        style = self.looks.get(attribute(element, "style-name"))
        if not style:
            return look
        filled = style.get("fill", "none")
        ground = style.get("fill-color" if filled == "solid" else "background-color", "transparent")
        if ground != "transparent" or filled not in ("none", "solid"):  # a gradient, a picture
            look = look._replace(ground=read_hex(ground.removeprefix("#")))
        if style.get("display") == "none":
            look = look._replace(hidden=True)
        if style.get("use-window-font-color") == "true":
            look = look._replace(colour=None)
        elif "color" in style:
            look = look._replace(colour=read_hex(style["color"].removeprefix("#")))
        if size := _POINTS.fullmatch(style.get("font-size", "")):
            look = look._replace(size=float(size[1]))
        return look


def _read_looks(*roots: Element | None) -> dict[str, Mapping[str, str]]:
    """Return the properties of every style, with those of the styles it is based on."""
    given: dict[str, dict[str, str]] = {}
    basis: dict[str, str] = {}
    for root in reversed(roots):
        for style in root.iter() if root is not None else ():
            if strip_namespace(style) == "style":
                name = attribute(style, "name")
                basis[name] = attribute(style, "parent-style-name")
                stated = (
                    (strip_namespace(one) == "text-properties", key.rpartition("}")[2], value)
                    for one in style
                    for key, value in one.attrib.items()
                )  # of letters, and the ground of a paragraph or cell
                given[name] = {key: value for of, key, value in stated if of or key in _OF_BLOCKS}
    return inherit_styles(given, basis)


def _read_meta(archive: ZipFile) -> dict[str, str]:
    try:
        values = {
            strip_namespace(one): one.text for one in parse_member(archive, _META, dtd=True).iter()
        }
    except Unreadable:
        return {}
    return drop_empty(
        title=values.get("title"),
        author=values.get("initial-creator") or values.get("creator"),
        editor=values.get("creator"),
        date=values.get("creation-date"),
        modified=values.get("date"),
        keywords=values.get("keyword"),
    )
