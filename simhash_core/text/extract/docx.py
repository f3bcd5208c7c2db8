"""Word documents, read from the package itself so that no text is missed.

Paragraphs, tables, text boxes, content controls, hyperlinks, tracked insertions (not
deletions), embedded pages, diagrams, footnotes, endnotes, headers and footers. What cannot be seen
is left out (`formatting`); it and what is not read go into the notes.

References
----------
ECMA-376 part 1, chapter 17 (WordprocessingML) and part 3 (markup compatibility).
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element

from ...errors import Unreadable
from ...model import Note
from . import html, plain
from .extracted import (
    FEWEST_LETTERS,
    PICTURE_WORTH,
    WHITE,
    Collected,
    Extracted,
    drop_empty,
    merge_notes,
)
from .formatting import (
    Formatting,
    Ground,
    Look,
    attribute,
    child,
    is_gone,
    is_hidden,
    is_row_hidden,
    number,
    read_parts,
    related_parts,
    strip_namespace,
)
from .paragraphs import reflow
from .picture import large_pictures, picture_of_part
from .zipped import MOST_PART, open_zip, parse_member, read_member

_PICTURES = ("blip", "imagedata")
_NOTHING: Mapping[str, Sequence[str]] = {}
_AREA_WORTH = 3  # characters a square centimetre; a full page holds five
_EMU = 360_000  # a centimetre
_LEAST_EXTENT = 4 * 12_700  # EMU; a box of 4 points and less shows no line
_MOST_OFFSET = 40 * _EMU  # beyond the largest usual page
_MOST_DEPTH = 400  # nested elements; Word itself stops far earlier

_DELETED = frozenset(("del", "moveFrom", "delText", "instrText", "delInstrText", "rt"))
_PROPERTIES = frozenset(
    ("pPr", "rPr", "tblPr", "tcPr", "trPr", "sectPr", "sdtPr", "tblGrid", "spPr")
)
#: a guide above characters, written as an equation: \\o\\ad(\\s\\up 9(reading),characters)
_GUIDE = re.compile(r"\\s\\(?:up|do)\s*\d*\s*\([^()]*\)\s*[,;]\s*([^()]*)\)")
_BREAKS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SHAPES = frozenset(("wsp", "shape", "rect", "roundrect", "oval"))
_FRAMES = frozenset(("anchor", "inline"))
_POSITIONS = frozenset(("positionH", "positionV"))
_EXTRA_PARTS = ("footnotes", "endnotes", "header", "footer")
_MAIN_PART = "word/document.xml"


@dataclass(slots=True)
class _Out(Collected):
    """Text extracted so far, and what else was left out of it or not read."""

    web_hidden: int = 0  # letters that only a web view hides
    hints: int = 0  # characters of the template in the place of an answer
    embedded: int = 0  # objects and files that are not read
    fields: list[str] = field(default_factory=list)  # instructions of fields that are open

    def taken(self, other: _Out) -> None:
        """Add what was left out or not read elsewhere, without its text."""
        self.hidden += other.hidden
        self.web_hidden += other.web_hidden
        self.hints += other.hints
        self.deleted += other.deleted
        self.embedded += other.embedded
        self.notes += other.notes


@dataclass(frozen=True, slots=True)
class _Package:
    """The parts of a document and how they belong together."""

    archive: zipfile.ZipFile
    folder: str  # of the main part
    targets: Mapping[str, str]  # parts that the main part names, by the id of the relation
    formatting: Formatting
    coloured: bool  # whether the colour of the pages is shown
    chunks: bool  # whether embedded documents are read; not those of embedded documents
    recognised: Mapping[str, Sequence[str]]  # lines of pictures, by the name of the part
    #: what parts inside the text say: they may be named many times
    embedded: dict[str, Extracted | None] = field(default_factory=dict)
    drawn: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Place:
    """What surrounds an element and decides how it is read."""

    package: _Package
    ground: Ground  # what lies behind the letters
    unseen: bool = False  # in a row, or a box, that shows nothing
    depth: int = 0

    def inside(self, *, unseen: bool = False) -> _Place:
        return replace(self, unseen=self.unseen or unseen, depth=self.depth + 1)

    def on(self, ground: Ground) -> _Place:
        return replace(self, ground=ground, depth=self.depth + 1)


def extract(
    data: bytes, *, encoding: str = "", recognised: Mapping[str, Sequence[str]] | None = None
) -> Extracted:
    """Return the text of a .docx that is seen, in reading order; notes and headers at the end.

    `recognised` are the lines of its pictures, by the name of their part.
    """
    return _extract_package(data, chunks=True, recognised=recognised or _NOTHING)


def parts(data: bytes) -> list[str]:
    """Return the names of the pictures in the text that are large enough to hold a line."""
    archive = open_zip(io.BytesIO(data))
    main = _find_main_part(archive)
    package = _open_package(archive, main, chunks=False, recognised=_NOTHING)
    body = parse_member(archive, main)
    return large_pictures(archive, (_picture_part(one, package) for one in body.iter()))


picture = picture_of_part


def _picture_part(element: Element, package: _Package) -> str:
    """Return the name of the part that a picture shows, "" for any other element."""
    if strip_namespace(element) not in _PICTURES:
        return ""
    return package.targets.get(attribute(element, "embed") or attribute(element, "id"), "")


def _extract_package(
    data: bytes, *, chunks: bool, recognised: Mapping[str, Sequence[str]] = _NOTHING
) -> Extracted:
    archive = open_zip(io.BytesIO(data))
    main = _find_main_part(archive)
    package = _open_package(archive, main, chunks=chunks, recognised=recognised)
    body = parse_member(archive, main)
    ground: Ground = WHITE  # of the pages
    background = child(body, "background")
    if background is not None and package.coloured:
        of_page = package.formatting.colour(background, "color")
        ground = None if len(background) else of_page
    place = _Place(package, ground)
    out = _Out()
    _walk(body, out, place)
    seen: set[str] = set()
    folder, names = re.escape(package.folder), sorted(archive.namelist())
    patterns = (re.compile(rf"{folder}/{kind}\d*\.xml") for kind in _EXTRA_PARTS)
    for name in (name for pattern in patterns for name in filter(pattern.fullmatch, names)):
        part = _Out()
        own = replace(package, targets={})  # a part has relations of its own
        _walk(parse_member(archive, name), part, replace(place, package=own))
        text = "".join(part.parts)
        if text.strip() in seen:  # one header a section, mostly the same
            continue
        out.taken(part)
        if text.strip():
            seen.add(text.strip())
            out.end_line()
            out.add(text)
    text, hidden = out.seen()
    root = _parse_optional(package.archive, posixpath.join(package.folder, "comments.xml"))
    counts = {
        "web_hidden": out.web_hidden if out.web_hidden >= FEWEST_LETTERS else 0,
        "hints": out.hints,
        "deleted": out.deleted if out.deleted >= FEWEST_LETTERS else 0,
        "embedded": out.embedded,
        "comments": 0 if root is None else sum(strip_namespace(one) == "comment" for one in root),
    }
    unread = (Note(code, {"n": n}) for code, n in counts.items() if n)
    notes = (*hidden, *_note_pictures(body, text, package), *unread, *out.notes)
    return Extracted(text, "", core_properties(archive), merge_notes(notes))


def _open_package(
    archive: zipfile.ZipFile, main: str, *, chunks: bool, recognised: Mapping[str, Sequence[str]]
) -> _Package:
    """Find the parts that say how a document looks, and those that belong to its text."""
    folder = posixpath.dirname(main)
    targets = {name: part for name, (_, part) in related_parts(archive, main).items()}
    styles, theme, settings = (
        _parse_optional(archive, posixpath.join(folder, name))
        for name in ("styles.xml", "theme/theme1.xml", "settings.xml")
    )
    shown = child(settings, "displayBackgroundShape") is not None
    formatting = read_parts(styles, theme, settings)
    return _Package(archive, folder, targets, formatting, shown, chunks, recognised)


def _parse_optional(archive: zipfile.ZipFile, name: str) -> Element | None:
    """Parse a part that may be missing or broken without harm to the text."""
    try:
        return parse_member(archive, name)
    except Unreadable:
        return None


def _note_pictures(body: Element, text: str, package: _Package) -> tuple[Note, ...]:
    """Return a note where pictures that were not recognised may hold what the text does not.

    Raises
    ------
    Unreadable
        "scanned" where there are pictures and no word at all.
    """
    count, area = 0, 0.0
    for element in body.iter():
        name = strip_namespace(element)
        if name in _PICTURES:
            count += _picture_part(element, package) not in package.recognised
        elif name == "extent":
            width, height = (number(attribute(element, side)) or 0.0 for side in ("cx", "cy"))
            area += width * height / _EMU**2
    letters = sum(map(str.isalnum, text))
    if count and not letters:
        raise Unreadable("scanned")
    few = count and letters < max(PICTURE_WORTH * count, _AREA_WORTH * area)
    return (Note("pictures", {"n": count}),) if few else ()


def _find_main_part(archive: zipfile.ZipFile) -> str:
    """Return the name of the main part, which the package's relations may move."""
    names = {name.lower(): name for name in archive.namelist()}
    related = related_parts(archive, "").values()
    for target in (*(name for kind, name in related if kind == "officeDocument"), _MAIN_PART):
        if target.lower() in names:
            return names[target.lower()]
    raise Unreadable("damaged", detail="no document part")


def _walk(element: Element, out: _Out, place: _Place) -> None:
    """Add the text below an element."""
    if place.depth > _MOST_DEPTH:
        raise Unreadable("damaged", detail="nested too deep")
    for one in element:
        name = strip_namespace(one)
        if name == "p":
            _add_paragraph(one, out, place)
        elif name == "tbl":
            formatting, properties = place.package.formatting, child(one, "tblPr")
            # a style may shade some of the cells
            shaded = attribute(child(properties, "tblStyle"), "val") in formatting.tables
            ground = None if shaded else formatting.shading(properties, place.ground)
            _walk(one, out, place.on(ground))
        elif name == "tr":
            _add_row(one, out, place)
        elif name == "AlternateContent":
            chosen = _choose_alternative(one)
            if chosen is not None:
                _walk(chosen, out, place.inside())
        elif name == "altChunk":
            _add_chunk(one, out, place)
        elif name in ("footnote", "endnote") and attribute(one, "type"):
            continue  # separators
        elif name in _DELETED:
            _count_deleted(one, out)
        elif name == "sdt" and _is_hint(one):
            _count_hint(one, out)
        elif name not in _PROPERTIES:
            _walk(one, out, place.inside())


def _choose_alternative(element: Element) -> Element | None:
    """Return one of two ways to say the same: Fallback repeats Choice for old readers."""
    choice = child(element, "Choice")
    return choice if choice is not None else child(element, "Fallback")


def _count_deleted(element: Element, out: _Out) -> None:
    """Count the text of a tracked deletion."""
    if strip_namespace(element) not in ("del", "moveFrom"):
        return
    texts = (one.text or "" for one in element.iter() if strip_namespace(one) in ("delText", "t"))
    out.deleted += sum(map(len, texts))


def _is_hint(element: Element) -> bool:
    """Whether nobody has filled in a content control: it shows what its template says."""
    return child(child(element, "sdtPr"), "showingPlcHdr") is not None


def _count_hint(element: Element, out: _Out) -> None:
    texts = (
        "".join((one.text or "").split()) for one in element.iter() if strip_namespace(one) == "t"
    )
    out.hints += sum(map(len, texts))


def _add_paragraph(paragraph: Element, out: _Out, place: _Place) -> None:
    """Add a paragraph and its end; text boxes anchored in it follow it."""
    boxes: list[tuple[Element, _Place]] = []
    look = place.package.formatting.of_paragraph(child(paragraph, "pPr"))
    before = len(out.parts), out.deleted
    _add_inline(paragraph, out, place.inside(), look, boxes)
    if len(out.parts) > before[0] or out.deleted == before[1]:  # not of a paragraph moved away
        out.add("\n")
    for box, around in boxes:
        _walk(box, out, around)


def _add_inline(
    element: Element, out: _Out, place: _Place, look: Look, boxes: list[tuple[Element, _Place]]
) -> None:
    """Add the text inside a paragraph; `look` is that of its runs."""
    if place.depth > _MOST_DEPTH:
        raise Unreadable("damaged", detail="nested too deep")
    formatting, hidden, web = place.package.formatting, place.unseen, False
    inner = place.inside()
    if strip_namespace(element) == "r":
        of_run = formatting.of_run(child(element, "rPr"), look)
        hidden = hidden or is_hidden(of_run, place.ground, formatting)
        web = bool(of_run.get("webHidden"))
        inner = place.inside(unseen=is_gone(of_run))  # what is drawn has colours of its own
    for one in element:
        name = strip_namespace(one)
        if name == "t":
            out.add(one.text or "", hidden=hidden)
            out.web_hidden += sum(map(str.isalpha, one.text or "")) if web else 0
        elif name in _BREAKS:
            out.add(_BREAKS[name])
        elif name == "sym":
            digits = attribute(one, "char")
            point = int(digits, 16) if re.fullmatch("[0-9A-Fa-f]{1,8}", digits) else 0
            if 0 < point < 0xD800:  # others mean something in one font
                out.add(chr(point), hidden=hidden)
        elif name == "txbxContent":
            boxes.append((one, inner))
        elif name == "AlternateContent":
            chosen = _choose_alternative(one)
            if chosen is not None:
                _add_inline(chosen, out, inner, look, boxes)
        elif name in _SHAPES:
            _add_inline(one, out, inner.on(formatting.filled(one, place.ground)), look, boxes)
        elif name in _FRAMES:
            _add_inline(one, out, inner.inside(unseen=_is_away(one)), look, boxes)
        elif name == "fldChar":
            _take_field(one, out, hidden=hidden)
        elif name == "instrText" and out.fields:
            out.fields[-1] += one.text or ""
        elif name in _DELETED:
            _count_deleted(one, out)
        elif name == "sdt" and _is_hint(one):
            _count_hint(one, out)
        elif name not in _PROPERTIES:
            _add_embedded(one, out, inner)
            _add_inline(one, out, inner, look, boxes)


def _take_field(mark: Element, out: _Out, *, hidden: bool) -> None:
    """Take the beginning or end of a field; add what its instruction alone shows."""
    kind = attribute(mark, "fldCharType")
    if kind == "begin":
        out.fields.append("")
        choices = child(child(mark, "ffData"), "ddList")
        if choices is not None:
            entries = [
                attribute(one, "val") for one in choices if strip_namespace(one) == "listEntry"
            ]
            given = (attribute(child(choices, name), "val") for name in ("result", "default"))
            chosen = next(filter(None, given), "")
            at = int(chosen) if chosen.isdecimal() and len(chosen) < 4 else 0
            out.add(entries[at] if at < len(entries) else "", hidden=hidden)
    elif kind == "end" and out.fields:
        instruction = out.fields.pop()
        if instruction.lstrip().upper().startswith("EQ"):
            out.add("".join(_GUIDE.findall(instruction)), hidden=hidden)


def _is_away(frame: Element) -> bool:
    """Whether a drawing lies beside the page or is too small to show a line."""
    for one in frame:  # those inside it have places of their own
        name = strip_namespace(one)
        offset = child(one, "posOffset") if name in _POSITIONS else None
        if offset is not None and abs(number(offset.text or "") or 0.0) > _MOST_OFFSET:
            return True
        if name == "extent":
            sides = [number(attribute(one, side)) for side in ("cx", "cy")]
            if any(side is not None and side <= _LEAST_EXTENT for side in sides):
                return True
    return False


def _add_row(row: Element, out: _Out, place: _Place) -> None:
    """Add a table row: cells of one paragraph in a line, longer cells as paragraphs."""
    properties = child(row, "trPr")
    hidden = is_row_hidden(properties)
    for count, cell in enumerate(_find_cells(row, out)):
        if count and out.parts and out.parts[-1] == "\n":
            out.parts[-1] = "\t"
        ground = place.package.formatting.shading(child(cell, "tcPr"), place.ground)
        _walk(cell, out, place.on(ground).inside(unseen=hidden))
    out.end_line()


def _find_cells(element: Element, out: _Out) -> Iterator[Element]:
    """Yield the cells of a row, those in content controls too."""
    for one in element:
        name = strip_namespace(one)
        if name == "tc":
            yield one
        elif name == "sdt" and _is_hint(one):
            _count_hint(one, out)
        elif name in ("sdt", "sdtContent", "customXml", "ins"):
            yield from _find_cells(one, out)


# ------------------------------------------------------------------- parts inside the document


def _add_chunk(element: Element, out: _Out, place: _Place) -> None:
    """Add the text of a page, a text or a document that is embedded as a whole."""
    package = place.package
    name = package.targets.get(attribute(element, "id"), "")
    if name not in package.embedded:
        package.embedded[name] = _read_chunk(name, package)
        out.notes += embedded.notes if (embedded := package.embedded[name]) else ()
    embedded = package.embedded[name]
    if embedded is None:
        out.embedded += 1
        return
    out.end_line()
    out.add(embedded.text, hidden=place.unseen)
    out.end_line()


def _read_chunk(name: str, package: _Package) -> Extracted | None:
    """Read an embedded document; None for a format that is not read inside another."""
    try:
        data = read_member(package.archive, name, MOST_PART)
        suffix = posixpath.splitext(name)[1].lower()
        if data.startswith(b"PK"):
            return _extract_package(data, chunks=False) if package.chunks else None
        if suffix in (".htm", ".html", ".xhtml", ".xht"):
            return html.extract(data)
        if data.startswith(b"{\\rtf"):
            from . import rtf

            return rtf.extract(data)
        return plain.extract(data) if suffix == ".txt" else None
    except (KeyError, Unreadable):
        return None


def _add_embedded(element: Element, out: _Out, place: _Place) -> None:
    """Add the words of a diagram or a chart, and of letters drawn as a shape; count objects."""
    name = strip_namespace(element)
    if name == "OLEObject" and not attribute(element, "ProgID").startswith("Equation"):
        out.embedded += 1
    elif name in _PICTURES:
        lines = place.package.recognised.get(_picture_part(element, place.package))
        if lines:
            out.add("\n" + reflow([lines]) + "\n", hidden=place.unseen)
    elif name == "textpath":
        out.add(attribute(element, "string"), hidden=place.unseen)
    elif name in ("relIds", "chart"):
        package = place.package
        target = package.targets.get(attribute(element, "dm" if name == "relIds" else "id"), "")
        if target not in package.drawn:
            root = _parse_optional(package.archive, target) if target else None
            inside = root.iter() if root is not None else ()
            words = (one.text for one in inside if strip_namespace(one) == "t" and one.text)
            package.drawn[target] = "".join(f"\n{text}" for text in words)
        out.add(package.drawn[target], hidden=place.unseen)


def core_properties(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return title, author and dates of an Office document, where they can be read."""
    try:
        root = parse_member(archive, "docProps/core.xml")
    except Unreadable:
        return {}
    properties = {strip_namespace(child): child.text for child in root}
    return drop_empty(
        title=properties.get("title"),
        author=properties.get("creator"),
        date=properties.get("created"),
        modified=properties.get("modified"),
        editor=properties.get("lastModifiedBy"),
        keywords=properties.get("keywords"),
    )
