"""Presentations: .pptx, and .ppt of PowerPoint 97 to 2003 and WPS.

The slides in their order, then what the speaker is to say. Whether letters can be seen on their
slide is looked at for their size alone: what lies behind them is not known here.

References
----------
ECMA-376 part 1, chapters 19 (PresentationML) and 21 (DrawingML); [MS-PPT] 2.1.2 (reading the
stream), 2.3.3 to 2.3.5 (user edits, persist objects), 2.9 (text).
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from ...errors import Unreadable
from ...model import Note
from .docx import core_properties
from .extracted import LEAST_SIZE, Collected, Extracted
from .formatting import attribute, child, number, related_parts, strip_namespace
from .paragraphs import reflow
from .picture import is_raster, large_pictures, picture_of_part
from .zipped import open_zip, parse_member

_NOT_SAID = frozenset(("sldNum", "dt"))  # placeholders of slides that every slide repeats
_NOT_SPOKEN = frozenset(("sldNum", "dt", "hdr", "ftr", "sldImg"))
_DRAWING = "drawingml"
_MAIN_PART = "ppt/presentation.xml"
_USUAL_SIZE = 1800.0  # hundredths of a point


def extract(
    data: bytes, *, encoding: str = "", recognised: Mapping[str, Sequence[str]] | None = None
) -> Extracted:
    """Return the text of a .pptx; `recognised` are the lines of its pictures, by their parts.

    Raises
    ------
    Unreadable
        "scanned" where the slides are pictures, "damaged".
    """
    archive = open_zip(io.BytesIO(data))
    main, names = _find_main(archive)
    out, spoken, hidden, seen = Collected(), Collected(), 0, set[str]()
    for name in _list_slides(archive, main, names):
        root = parse_member(archive, name)
        hidden += root.get("show") == "0"
        _add(root, out, _NOT_SAID)
        shown = _list_pictures(archive, name, root)
        out.pictures += sum(part not in (recognised or ()) for part in shown)
        for part in shown:
            out.add(reflow([(recognised or {}).get(part, ())]))
            out.end_line()
        for kind, part in related_parts(archive, name).values():
            if part not in names or part in seen:  # of one slide; a broken file may name it often
                continue
            seen.add(part)
            if kind in ("diagramData", "chart"):
                _add(parse_member(archive, part), out, _NOT_SAID)
            elif kind == "notesSlide":
                _add(parse_member(archive, part), spoken, _NOT_SPOKEN)
            elif kind == "comments":
                comments = parse_member(archive, part)
                out.comments += sum(strip_namespace(one) == "cm" for one in comments.iter())
    return _add_spoken(out, spoken, hidden).extracted(core_properties(archive))


def parts(data: bytes) -> list[str]:
    """Return the pictures on the slides that are large enough to hold a line, each once."""
    archive = open_zip(io.BytesIO(data))
    main, names = _find_main(archive)
    slides = ((name, parse_member(archive, name)) for name in _list_slides(archive, main, names))
    listed = (part for name, root in slides for part in _list_pictures(archive, name, root))
    return large_pictures(archive, listed)


picture = picture_of_part


def _find_main(archive: ZipFile) -> tuple[str, frozenset[str]]:
    """Return the main part, and the names of all parts."""
    names = frozenset(archive.namelist())
    parts = (name for kind, name in related_parts(archive, "").values() if kind == "officeDocument")
    return next(filter(names.__contains__, parts), _MAIN_PART), names


def _list_pictures(archive: ZipFile, slide: str, root: Element) -> list[str]:
    """Return the part of every picture on a slide, "" of one that cannot be told."""
    targets = {key: name for key, (_, name) in related_parts(archive, slide).items()}
    names = []
    for one in root.iter():
        if strip_namespace(one) == "pic":
            blip = child(child(one, "blipFill"), "blip")
            name = "" if blip is None else targets.get(attribute(blip, "embed"), "")
            names.append(name if is_raster(name) else "")
    return names


def _add_spoken(out: Collected, spoken: Collected, hidden: int) -> Collected:
    """Put what the speaker says behind the slides, and say how much that is."""
    n = len("".join("".join(spoken.parts).split()))
    if n:
        out.end_line()
        out.parts += spoken.parts
        out.notes.append(Note("speaker_notes", {"n": n}))
    out.hidden += spoken.hidden
    if hidden:
        out.notes.append(Note("hidden_slides", {"n": hidden}))
    return out


def _list_slides(archive: ZipFile, main: str, names: Set[str]) -> list[str]:
    """Return the parts of the slides, in the order in which they are shown, each once."""
    relations = related_parts(archive, main)
    listed = (
        next((value for key, value in one.attrib.items() if key.endswith("}id")), "")
        for one in parse_member(archive, main).iter()
        if strip_namespace(one) == "sldId"
    )
    targets = (relations[name][1] for name in listed if name in relations)
    return [name for name in dict.fromkeys(targets) if name in names]


def _add(root: Element, out: Collected, unsaid: Set[str]) -> None:
    """Add the paragraphs of a slide, a line each."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        name = strip_namespace(element)
        if name == "p" and _DRAWING in element.tag:
            for run in element:
                if strip_namespace(run) == "br":
                    out.add("\n")
                elif strip_namespace(run) in ("r", "fld"):
                    size = number(attribute(child(run, "rPr"), "sz")) or _USUAL_SIZE
                    text = "".join(one.text or "" for one in run if strip_namespace(one) == "t")
                    out.add(text, hidden=size <= 100 * LEAST_SIZE)
            out.add("\n")
        elif name != "Fallback":
            # which place of the layout a shape fills
            place = child(child(child(element, "nvSpPr"), "nvPr"), "ph") if name == "sp" else None
            if place is None or place.get("type", "") not in unsaid:
                waiting += reversed(element)


# --------------------------------------------------------------------------- before 2007

_STREAM, _USER = "PowerPoint Document", "Current User"
_SLIDE, _NOTES, _MASTER = 0x03EE, 0x03F0, 0x03F8
_LIST, _PERSISTED, _SHOW = 0x0FF0, 0x03F3, 0x03F9
_WIDE, _NARROW = 0x0FA0, 0x0FA8  # atoms of text
_EDIT, _DIRECTORY, _TEXT_BOX = 0x0FF5, 0x1772, 0xF00D
_CONTAINER = 15
_ENCRYPTED_EDIT = 32  # bytes of an edit that names an encryption
_HIDDEN_SLIDE = 0x0004
_OF_SLIDES, _OF_NOTES = 0, 2  # lists of the document
_DEEPEST = 60
_MEANT = {0x0B: "\n", 0x0D: "\n", 0x00: None, 0x01: None}


class _Record(NamedTuple):
    version: int
    instance: int
    kind: int
    begin: int
    end: int


def ppt(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text of a .ppt, as it was saved last.

    Raises
    ------
    Unreadable
        "encrypted", "scanned" where the slides are pictures, "damaged".
    """
    from .compound import Compound, name_damage

    file = Compound(data)
    with name_damage():
        deck = _Deck(file.stream(_STREAM), file.stream(_USER))
        pictures = file.stream("Pictures")
        deck.out.pictures = sum(1 for _ in _walk_children(pictures, 0, len(pictures)))
        return _add_spoken(deck.out, deck.spoken, deck.hidden).extracted(file.meta())


@dataclass(slots=True)
class _Deck:
    """The slides of one file."""

    stream: bytes
    user: bytes
    out: Collected = field(default_factory=Collected)
    spoken: Collected = field(default_factory=Collected)
    hidden: int = 0
    places: dict[int, int] = field(default_factory=dict)  # of the objects, by their numbers
    looked_at: int = 0  # bytes of slides

    def __post_init__(self) -> None:
        document, seen = 0, set[int]()
        at = struct.unpack_from("<I", self.user, 16)[0] if len(self.user) >= 20 else 0
        while at and at not in seen and at + 36 <= len(self.stream):
            seen.add(at)
            edit = _read_record(self.stream, at)
            if edit.kind != _EDIT:
                break
            if edit.end - edit.begin == _ENCRYPTED_EDIT:
                raise Unreadable("encrypted")
            _, _, before, directory, named = struct.unpack_from("<5I", self.stream, edit.begin)
            document = document or named
            self._read_directory(_read_record(self.stream, directory))
            at = before
        if document not in self.places:  # what was ever in the file
            for record in _walk_atoms(self.stream, 0, len(self.stream)):
                self._add(self.out, [_read_text(self.stream, record)])
            return
        root = _read_record(self.stream, self.places[document])
        for one in _walk_children(self.stream, root.begin, root.end):
            if one.kind == _LIST and one.instance in (_OF_SLIDES, _OF_NOTES):
                self._read_list(one)

    def _read_directory(self, directory: _Record) -> None:
        at = directory.begin
        while directory.kind == _DIRECTORY and at + 4 <= directory.end:
            (word,) = struct.unpack_from("<I", self.stream, at)
            first, count = word & 0xFFFFF, word >> 20
            count = min(count, (directory.end - at - 4) // 4)
            places = struct.unpack_from(f"<{count}I", self.stream, at + 4)
            for number_, place in enumerate(places, first):
                self.places.setdefault(number_, place)
            at += 4 + 4 * count

    def _read_list(self, listed: _Record) -> None:
        """Add the slides of a list: their outline stands in the list, the rest with the slide."""
        is_slides = listed.instance == _OF_SLIDES
        for reference, outline in self._entries(listed):
            if reference not in self.places:
                continue
            place = self.places.pop(reference)  # each once: they may be named in a circle
            slide = _read_record(self.stream, place)
            self.looked_at += slide.end - slide.begin
            if self.looked_at > 2 * len(self.stream):
                raise Unreadable("damaged", detail="slides within slides")
            block: list[str] = []
            if slide.kind in (_SLIDE, _NOTES):
                atoms = _walk_atoms(self.stream, slide.begin, slide.end)
                block = [_read_text(self.stream, atom) for atom in atoms]
                self.hidden += is_slides and self._is_hidden(slide)
            in_outline = {text.strip() for text in outline}
            texts = [*outline, *(text for text in block if text.strip() not in in_outline)]
            self._add(self.out if is_slides else self.spoken, texts)

    def _entries(self, listed: _Record) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of each slide of a list, with the text that stands in the list."""
        reference, outline = 0, list[str]()
        for one in _walk_children(self.stream, listed.begin, listed.end):
            if one.kind == _PERSISTED:
                if reference:
                    yield reference, outline
                (reference,), outline = struct.unpack_from("<I", self.stream, one.begin), []
            elif one.kind in (_WIDE, _NARROW):
                outline.append(_read_text(self.stream, one))
        if reference:
            yield reference, outline

    def _is_hidden(self, slide: _Record) -> bool:
        for one in _walk_children(self.stream, slide.begin, slide.end):
            if one.kind == _SHOW:
                (flags,) = struct.unpack_from("<H", self.stream, one.begin + 10)
                return bool(flags & _HIDDEN_SLIDE)
        return False

    def _add(self, out: Collected, texts: Sequence[str]) -> None:
        for text in texts:
            if text.strip() not in ("", "*"):  # the place of a number or a date
                out.add(text)
                out.end_line()


def _read_record(stream: bytes, at: int) -> _Record:
    head, kind, length = struct.unpack_from("<2HI", stream, at)
    return _Record(head & 15, head >> 4, kind, at + 8, min(at + 8 + length, len(stream)))


def _walk_children(stream: bytes, begin: int, end: int) -> Iterator[_Record]:
    at = begin
    while at + 8 <= end:
        record = _read_record(stream, at)
        yield record
        at = record.end


def _walk_atoms(stream: bytes, begin: int, end: int, depth: int = 0) -> Iterator[_Record]:
    """Yield the atoms of text, those of master slides aside."""
    if depth > _DEEPEST:
        raise Unreadable("damaged", detail="nested too deep")
    for one in _walk_children(stream, begin, end):
        if one.kind in (_WIDE, _NARROW):
            yield one
        # a text box of old files is a container without saying so
        elif (one.version == _CONTAINER and one.kind != _MASTER) or one.kind == _TEXT_BOX:
            yield from _walk_atoms(stream, one.begin, one.end, depth + 1)


def _read_text(stream: bytes, atom: _Record) -> str:
    codec = "utf-16-le" if atom.kind == _WIDE else "latin-1"
    return stream[atom.begin : atom.end].decode(codec, "replace").translate(_MEANT)
