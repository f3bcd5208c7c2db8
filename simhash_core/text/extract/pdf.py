"""PDF by pdfium: lines joined to paragraphs, running heads left out.

pdfium is not thread-safe and is C++: it runs in the worker processes only.
"""

from __future__ import annotations

import ctypes
import math
import re
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain, groupby, pairwise
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from ...errors import Unreadable
from ...model import U8, Note
from .extracted import WHITE, Colour, Extracted, is_alike, left_out, within_limits, without_empty
from .paragraphs import reflow
from .picture import MOST_SIDE, within_pages

_RENDERED = 150  # dots an inch at which a page is recognised; more costs time and gains nothing
_SCANNED = 20  # characters a page; fewer, beside a picture, and the page is a scan
_UNMAPPED = 0.3  # share of characters without a meaning in Unicode that makes a text useless
_INVISIBLE = 3  # text rendering mode (ISO 32000-1, 9.3.6)
_LEAST_ALPHA = 26  # of 255; less covers nothing
_LEAST_SIZE = 3.0  # points; smaller letters are a grey line to the eye
_LEAST_WIDTH = 0.08  # of the size, for one letter; narrower ones lie upon each other
_MOST_OBJECTS = 200_000  # looked at on one page for hidden text
_MOST_GROUNDS = 4_000  # of one page, the largest
_MOST_DEPTH = 4  # forms inside forms
_CORNERS = 6  # segments of a path that is a rectangle
_PAGE_OF_PICTURE = 0.5  # of its area
_FEW_TYPED = 500  # characters; so many beside a picture of a page are no page of text
_PRIVATE = re.compile("[\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")
_INDENT = (9.0, 60.0)  # points right of the margin at which a paragraph begins
LEAST_PAGES = 3  # for running heads
LEAST_LEFT = 0.5  # of the characters, when running heads are out
_EDGE_LINES = 2  # at the top and the bottom of a page, where running heads stand
_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[-–—·.\s]*(?:第\s*)?(?:page\s*|p\.\s*)?(?:\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s*页)?(?:\s*(?:of|/|共)\s*\d{1,4}(?:\s*页)?)?[-–—·.\s]*",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Page:
    lines: list[str]
    whole: list[str]  # with what cannot be seen
    hidden: list[str]  # pieces of text that cannot be seen
    pictures: bool
    scanned: bool = False  # a picture, and hardly any text beside it
    layered: bool = False  # text that a program laid over or under a picture of it
    comments: int = 0
    files: int = 0


def extract(
    data: bytes, *, encoding: str = "", recognised: Mapping[str, Sequence[str]] | None = None
) -> Extracted:
    """Return the text of a PDF; `recognised` are the lines of pages that are pictures.

    Raises
    ------
    Unreadable
        "encrypted" (unless the empty password opens it), "scanned", "damaged".
    """
    document = _open(data)
    try:
        pages = [
            _recognised_page(recognised[str(number)])
            if recognised and str(number) in recognised
            else _read_page(document, number)
            for number in range(len(document))
        ]
        meta, attached = _meta(document), pdfium.FPDFDoc_GetAttachmentCount(document)
    finally:
        document.close()
    _refuse_scans(pages)
    text, hidden = _seen(pages)
    if len(_PRIVATE.findall(text)) > _UNMAPPED * max(len(text), 1):
        raise Unreadable("damaged", detail="fonts without a mapping to Unicode")
    counts = {
        "scanned_pages": sum(page.scanned for page in pages),
        "text_layer": sum(page.layered for page in pages),
        "comments": sum(page.comments for page in pages),
        "embedded": attached + sum(page.files for page in pages),
    }
    notes = (*hidden, *(Note(code, {"n": n}) for code, n in counts.items() if n))
    return Extracted(text, "", meta, notes)


def parts(data: bytes) -> list[str]:
    """Return the number of every page that is a picture with little text, or none, beside it.

    Raises
    ------
    Unreadable
        As `extract` does, and "too_many_pages".
    """
    document = _open(data)
    try:
        pages = [_read_page(document, number) for number in range(len(document))]
    finally:
        document.close()
    return within_pages([str(n) for n, page in enumerate(pages) if page.scanned or _is_bare(page)])


def picture(data: bytes, part: str) -> U8:
    """Return a page as it is looked at, uint8 (height, width).

    Raises
    ------
    Unreadable
        "damaged".
    """
    document = _open(data)
    try:
        page = document[int(part)]
        scale = min(_RENDERED / 72, MOST_SIDE / max(*page.get_size(), 1.0))
        pixels = page.render(scale=scale, grayscale=True).to_numpy()
        return np.array(pixels.reshape(pixels.shape[:2]))
    except pypdfium2.PdfiumError as error:
        raise Unreadable("damaged", detail="a page cannot be shown") from error
    finally:
        document.close()


def _recognised_page(lines: Sequence[str]) -> _Page:
    """Return a page of which only a picture was there."""
    return _Page(list(lines), list(lines), [], pictures=False)


def _seen(pages: Sequence[_Page]) -> tuple[str, tuple[Note, ...]]:
    """Return the text that is seen, and a note on what is not; all of it where nothing is seen."""
    text = within_limits(reflow(_without_running_heads([page.lines for page in pages])))
    hidden = [piece for page in pages for piece in page.hidden]
    if not hidden or any(map(str.isalnum, text)):
        return text, left_out(hidden)
    text = within_limits(reflow(_without_running_heads([page.whole for page in pages])))
    return text, (Note("hidden_text", {"n": len("".join(text.split()))}),)


def _open(data: bytes) -> pypdfium2.PdfDocument:
    try:
        document = pypdfium2.PdfDocument(data)
        if len(document) == 0:
            raise Unreadable("damaged", detail="no pages")
    except pypdfium2.PdfiumError as error:
        message = str(error).lower()
        if "password" in message or "security" in message:
            raise Unreadable("encrypted") from error
        raise Unreadable("damaged", detail="not a PDF that can be opened") from error
    return document


def _read_page(document: pypdfium2.PdfDocument, number: int) -> _Page:
    """Read one page; a page that cannot be opened is empty, the others count."""
    try:
        page, remarks = _with_annotations(document, number)
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return _Page([], [], [], pictures=False)
    try:
        text = text_page.get_text_range(errors="replace") if text_page.count_chars() else ""
        owners = [
            _address(pdfium.FPDFText_GetTextObject(text_page, index))
            for index in range(text_page.count_chars())
        ]
        drawn = _Drawn.of(page, owners)
        lines = [*_lines(text, text_page), *remarks.lines]
        if not drawn.hidden:
            seen, hidden = lines, list[str]()
        else:
            letters, places, hidden = _seen_letters(text_page, owners, drawn.hidden)
            seen = [*_lines(letters, text_page, places), *remarks.lines]
    finally:
        text_page.close()
        page.close()
    typed = sum(len(line.strip()) for line in seen)
    layered = drawn.layered >= _SCANNED
    return _Page(
        seen,
        lines,
        hidden,
        pictures=drawn.pictures,
        scanned=drawn.pictured >= _PAGE_OF_PICTURE and not layered and typed < _FEW_TYPED,
        layered=layered,
        comments=remarks.comments,
        files=remarks.files,
    )


def _lines(
    text: str, text_page: pypdfium2.PdfTextPage, places: Sequence[int] | None = None
) -> list[str]:
    """Split a page into lines; one that is indented gets an ideographic space in front.

    pdfium gives one character for every index, line ends included, unless some lie beyond the
    basic plane; then indents are not looked at. `places` are the indices of a text that holds only
    some of them.
    """
    raw = text.split("\n")
    lines = [line.replace("\t\r", " ").strip("\r ") for line in raw]
    if places is None and len(text) != text_page.count_chars():
        return lines
    lefts: list[float | None] = []
    at = 0
    for line in raw:
        blank = len(line) - len(line.lstrip())
        index = at + blank if places is None or not line.strip() else places[at + blank]
        lefts.append(text_page.get_charbox(index)[0] if line.strip() else None)
        at += len(line) + 1
    return [
        "\u3000" + line if indent else line
        for line, indent in zip(lines, _indents(lefts), strict=True)
    ]


def _indents(lefts: Sequence[float | None]) -> list[bool]:
    """Which lines begin right of the margin; three in a row are a column, not paragraphs."""
    places = [round(left) for left in lefts if left is not None]
    if not places:
        return [False] * len(lefts)
    margin = statistics.mode(places)
    indents: list[bool] = []
    for place, lines in groupby(lefts, lambda left: None if left is None else round(left)):
        count = sum(1 for _ in lines)
        inside = place is not None and _INDENT[0] < place - margin < _INDENT[1]
        indents += [inside and count < 3] * count
    return indents


def _refuse_scans(pages: Sequence[_Page]) -> None:
    """Raise where the pages are pictures, or where there is nothing at all."""
    if sum(map(_is_bare, pages)) * 2 > len(pages) and sum(map(_typed, pages)) < _SCANNED * len(
        pages
    ):
        raise Unreadable("scanned")


def _is_bare(page: _Page) -> bool:
    """Whether a page shows pictures and hardly a letter."""
    return page.pictures and _typed(page) < _SCANNED


def _typed(page: _Page) -> int:
    return sum(len(line.strip()) for line in page.lines)


def _meta(document: pypdfium2.PdfDocument) -> dict[str, str]:
    properties = document.get_metadata_dict(skip_empty=True)
    return without_empty(
        title=properties.get("Title"),
        author=properties.get("Author"),
        date=_date(properties.get("CreationDate", "")),
        modified=_date(properties.get("ModDate", "")),
        keywords=properties.get("Keywords"),
    )


def _date(text: str) -> str:
    """Turn `D:20140707211821Z` into ISO 8601 (ISO 32000-1, 7.9.4)."""
    match = re.match(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?)?", text)
    if not match:
        return ""
    day = "-".join(part for part in match.groups()[:3] if part)
    clock = ":".join(part for part in match.groups()[3:] if part)
    return f"{day}T{clock}" if clock and len(day) == 10 else day


# ------------------------------------------------------------------------------- annotations

_READ = frozenset((pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_STAMP))
_NOT_SHOWN = (
    pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW | pdfium.FPDF_ANNOT_FLAG_INVISIBLE
)


@dataclass(slots=True)
class _Remarks:
    """What stands on a page beside its content."""

    lines: list[str] = field(default_factory=list)  # of boxes without an appearance
    drawn: bool = False  # whether annotations with an appearance hold text
    comments: int = 0
    files: int = 0


def _with_annotations(
    document: pypdfium2.PdfDocument, number: int
) -> tuple[pypdfium2.PdfPage, _Remarks]:
    """Open a page with the text of boxes and forms in its content."""
    page = document[number]
    remarks = _Remarks()
    for index in range(max(pdfium.FPDFPage_GetAnnotCount(page), 0)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if annotation:
            _remark(annotation, remarks)
            pdfium.FPDFPage_CloseAnnot(annotation)
    if remarks.drawn and pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY) == 1:
        page.close()
        page = document[number]  # pdfium shows what it flattened when the page is opened again
    return page, remarks


def _remark(annotation: Any, remarks: _Remarks) -> None:
    kind = pdfium.FPDFAnnot_GetSubtype(annotation)
    if pdfium.FPDFAnnot_GetFlags(annotation) & _NOT_SHOWN:
        return
    if kind == pdfium.FPDF_ANNOT_FILEATTACHMENT:
        remarks.files += 1
    elif kind in _READ:
        appearance = pdfium.FPDFAnnot_GetAP(
            annotation, pdfium.FPDF_ANNOT_APPEARANCEMODE_NORMAL, None, 0
        )
        if appearance > 2:  # more than the end of a string
            remarks.drawn = True
        elif kind == pdfium.FPDF_ANNOT_FREETEXT:
            remarks.lines += ["", *_string(annotation, b"Contents").splitlines()]
        elif kind == pdfium.FPDF_ANNOT_WIDGET and _string(annotation, b"FT") == "Tx":
            remarks.lines += ["", *_string(annotation, b"V").splitlines()]
    elif kind not in (pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP):
        remarks.comments += bool(_string(annotation, b"Contents").strip())


def _string(annotation: Any, key: bytes) -> str:
    size = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    buffer = ctypes.create_string_buffer(size)
    pointer = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    pdfium.FPDFAnnot_GetStringValue(annotation, key, pointer, size)
    return buffer.raw[:size].decode("utf-16-le", "replace").rstrip("\0")


# -------------------------------------------------------------------------- what is not seen

Box = tuple[float, float, float, float]  # left, bottom, right, top


def _seen_letters(
    text_page: pypdfium2.PdfTextPage, owners: Sequence[int], hidden: Set[int]
) -> tuple[str, list[int], list[str]]:
    """Return the letters of a page that are seen, their indices, and the others.

    Spaces and line ends that pdfium made stay, one between two words; where hidden words with
    spaces stood inside a line, a space remains.
    """
    letters: list[str] = []
    places: list[int] = []
    pieces: list[list[str]] = []
    after_hidden = False
    for index, owner in enumerate(owners):
        point = pdfium.FPDFText_GetUnicode(text_page, index)
        letter = chr(point) if 0 < point < 0x110000 and not 0xD800 <= point < 0xE000 else "\ufffd"
        if owner in hidden:
            if not after_hidden:
                pieces.append([])
            pieces[-1].append(letter)
            after_hidden = True
            letter = " " if letter.isspace() else ""
        elif owner:
            after_hidden = False
        elif after_hidden:
            pieces[-1].append(letter)
        if after_hidden and letter in (" ", "\r", "\n") and _is_repeated(letter, letters):
            letter = ""
        if letter:
            letters.append(letter)
            places.append(index)
    return "".join(letters).rstrip(), places, ["".join(piece) for piece in pieces]


def _is_repeated(blank: str, letters: Sequence[str]) -> bool:
    """Whether white space follows white space; a line may end behind a space."""
    before = letters[-1] if letters else "\n"
    return before == "\n" or (before.isspace() and blank == " ")


def _address(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


@dataclass(slots=True)
class _Drawn:
    """What a page draws, in its order."""

    crop: Box
    texts: list[_Text] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)  # of shapes and pictures
    grounds: list[_Ground] = field(default_factory=list)
    hidden: set[int] = field(default_factory=set)  # addresses of text objects
    layered: int = 0  # characters over or under a picture that shows them
    pictures: bool = False
    pictured: float = 0.0  # share of the page that pictures cover

    @classmethod
    def of(cls, page: pypdfium2.PdfPage, owners: Sequence[int]) -> _Drawn:
        """Look at the objects of a page; `owners` are those of its letters."""
        drawn, letters = cls(_page_box(page)), Counter(owners)
        matrices: dict[int, Matrix] = {}
        for order, thing in enumerate(page.get_objects(max_depth=_MOST_DEPTH)):
            if order > _MOST_OBJECTS:
                break
            matrix = _matrix_around(thing, matrices)
            box = _placed(_bounds(thing), matrix)
            if thing.type == pdfium.FPDF_PAGEOBJ_TEXT:
                count = letters[_address(thing.raw)]
                drawn.texts.append(_text(thing, order, box, matrix, count))
            elif thing.type != pdfium.FPDF_PAGEOBJ_FORM:
                drawn._add_ground(thing, order, box)
        drawn._judge()
        return drawn

    def _add_ground(self, thing: pypdfium2.PdfObject, order: int, box: Box) -> None:
        """Note a picture or a shape that may lie behind letters, or before them."""
        colour: Colour | None = None
        covers = False
        if thing.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            self.pictures = True
            self.pictured += _area(_common(box, self.crop)) / max(_area(self.crop), 1.0)
        elif thing.type == pdfium.FPDF_PAGEOBJ_PATH:
            mode, stroke = ctypes.c_int(), ctypes.c_int()
            pdfium.FPDFPath_GetDrawMode(thing.raw, mode, stroke)
            fill = _colour(thing, pdfium.FPDFPageObj_GetFillColor)
            if mode.value == pdfium.FPDF_FILLMODE_NONE or fill is None:
                return
            if fill[1] < _LEAST_ALPHA:
                return
            colour = fill[0]
            straight = pdfium.FPDFPath_CountSegments(thing.raw) <= _CORNERS
            covers = straight and not pdfium.FPDFPageObj_HasTransparency(thing.raw)
        is_picture = thing.type == pdfium.FPDF_PAGEOBJ_IMAGE
        self.boxes.append(box)
        self.grounds.append(_Ground(order, colour, covers, is_picture))

    def _judge(self) -> None:
        """Find the text that nobody sees."""
        sizes = [_area(box) for box in self.boxes]
        kept = sorted(sorted(range(len(sizes)), key=lambda i: -sizes[i])[:_MOST_GROUNDS])
        boxes = np.array([self.boxes[i] for i in kept], np.float64).reshape(-1, 4)
        grounds = [self.grounds[i] for i in kept]
        order = np.array([ground.order for ground in grounds], np.int64)
        for text in self.texts:
            x, y = (text.box[0] + text.box[2]) / 2, (text.box[1] + text.box[3]) / 2
            around = (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y)
            rows = np.flatnonzero(around & (y <= boxes[:, 3]))
            under = [grounds[row] for row in rows[order[rows] < text.order]]
            over = [
                grounds[row]
                for row in rows[order[rows] > text.order]
                if _holds(boxes[row].tolist(), text.box)
            ]
            if any(ground.picture for ground in over) or (
                text.invisible and any(ground.picture for ground in under)
            ):
                self.layered += text.characters
            elif (
                text.hidden
                or text.invisible
                or _area(_common(text.box, self.crop)) <= 0 < _area(text.box)
                or any(ground.covers for ground in over)
                or _is_faint(text.colours, under)
            ):
                self.hidden.add(text.address)


@dataclass(frozen=True, slots=True)
class _Ground:
    """A picture or a filled shape."""

    order: int
    colour: Colour | None  # None: a picture, or a pattern
    covers: bool  # whether nothing shines through, and all of its box is filled
    picture: bool


@dataclass(frozen=True, slots=True)
class _Text:
    """One text object."""

    address: int
    order: int
    box: Box
    colours: tuple[Colour, ...]  # of the inside and the outline, those that are drawn
    characters: int
    invisible: bool  # no ink at all, as the layer of an OCR program
    hidden: bool  # transparent, tiny, narrow or cut off


def _text(
    thing: pypdfium2.PdfObject, order: int, box: Box, around: Matrix, characters: int
) -> _Text:
    mode = pdfium.FPDFTextObj_GetTextRenderMode(thing.raw)
    fill = _colour(thing, pdfium.FPDFPageObj_GetFillColor)
    line = _colour(thing, pdfium.FPDFPageObj_GetStrokeColor)
    inks = [fill] * (mode % 4 in (0, 2)) + [line] * (mode % 4 in (1, 2))
    known = [ink for ink in inks if ink is not None]
    seen = [ink for ink in known if ink[1] >= _LEAST_ALPHA]
    size = ctypes.c_float()
    pdfium.FPDFTextObj_GetFontSize(thing.raw, size)
    matrix = _product(_matrix(thing), around)
    height = size.value * math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
    # measured across the page: letters drawn upright are as wide as high
    width = max(box[2] - box[0], box[3] - box[1] - height)
    narrow = characters > 3 and height > 0 and width < _LEAST_WIDTH * height * characters
    return _Text(
        _address(thing.raw),
        order,
        box,
        tuple(colour for colour, _ in seen) if len(seen) == len(inks) else (),
        characters,
        invisible=mode == _INVISIBLE,
        hidden=(bool(known) and not seen) or height < _LEAST_SIZE or narrow or _is_cut(thing, box),
    )


def _is_faint(colours: Sequence[Colour], under: Sequence[_Ground]) -> bool:
    """Whether letters have the colour of what lies behind them, white paper at last."""
    if not colours:
        return False
    for ground in reversed(under):
        if ground.colour is None:
            return False
        alike = all(is_alike(colour, ground.colour) for colour in colours)
        if ground.covers or not alike:
            return alike
    return all(is_alike(colour, WHITE) for colour in colours)


def _is_cut(thing: pypdfium2.PdfObject, box: Box) -> bool:
    """Whether a clip leaves nothing of a text. Clips inside forms are not looked at."""
    clip = pdfium.FPDFPageObj_GetClipPath(thing.raw)
    if thing.level or not clip:
        return False
    x, y = ctypes.c_float(), ctypes.c_float()
    for path in range(max(pdfium.FPDFClipPath_CountPaths(clip), 0)):
        xs, ys = [], []
        for number in range(min(pdfium.FPDFClipPath_CountPathSegments(clip, path), _CORNERS)):
            segment = pdfium.FPDFClipPath_GetPathSegment(clip, path, number)
            if pdfium.FPDFPathSegment_GetPoint(segment, x, y):
                xs.append(x.value)
                ys.append(y.value)
        whole = pdfium.FPDFClipPath_CountPathSegments(clip, path) <= _CORNERS
        if xs and whole and _area(_common((min(xs), min(ys), max(xs), max(ys)), box)) <= 0:
            return _area(box) > 0
    return False


def _colour(thing: pypdfium2.PdfObject, get: Any) -> tuple[Colour, int] | None:
    """Return a colour and how much it covers, of 255; None for a pattern."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not get(thing.raw, red, green, blue, alpha):
        return None
    return (red.value, green.value, blue.value), alpha.value


def _page_box(page: pypdfium2.PdfPage) -> Box:
    """Return what is shown of a page; boxes may be inherited from the document."""
    box = pdfium.FS_RECTF()
    if not pdfium.FPDF_GetPageBoundingBox(page, box):
        return (-math.inf, -math.inf, math.inf, math.inf)
    return box.left, box.bottom, box.right, box.top


def _bounds(thing: pypdfium2.PdfObject) -> Box:
    try:
        left, bottom, right, top = thing.get_bounds()
    except pypdfium2.PdfiumError:
        return (0.0, 0.0, 0.0, 0.0)
    return left, bottom, right, top


Matrix = tuple[float, float, float, float, float, float]
_UNCHANGED: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def _matrix(thing: pypdfium2.PdfObject) -> Matrix:
    own = thing.get_matrix()
    return own.a, own.b, own.c, own.d, own.e, own.f


def _matrix_around(thing: pypdfium2.PdfObject, known: dict[int, Matrix]) -> Matrix:
    """Return how the forms around an object are placed on the page."""
    form = thing.container
    if form is None:
        return _UNCHANGED
    address = _address(form.raw)
    if address not in known:
        known[address] = _product(_matrix(form), _matrix_around(form, known))
    return known[address]


def _product(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (
        *(a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s),
        *(e * p + f * r + t, e * q + f * s + u),
    )


def _placed(box: Box, matrix: Matrix) -> Box:
    """Return the box on the page of a box inside forms."""
    if matrix == _UNCHANGED:
        return box
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs = [a * x + c * y + e for x, y in corners]
    ys = [b * x + d * y + f for x, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _common(one: Box, other: Box) -> Box:
    return (
        *(max(one[0], other[0]), max(one[1], other[1])),
        *(min(one[2], other[2]), min(one[3], other[3])),
    )


def _area(box: Box) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def _holds(ground: Sequence[float], box: Box) -> bool:
    """Whether a ground covers all of a box, but for a point at the edges."""
    return (
        ground[0] <= box[0] + 1
        and ground[1] <= box[1] + 1
        and ground[2] >= box[2] - 1
        and ground[3] >= box[3] - 1
    )


# ---------------------------------------------------------------------------- running heads


def _without_running_heads(pages: list[list[str]]) -> list[list[str]]:
    """Drop lines that repeat at the edge of most pages, and bare page numbers there.

    One or two pages have no running heads: what repeats there is a refrain. Nor has a document
    that would lose most of its text: its pages are alike.
    """
    if len(pages) < LEAST_PAGES:
        return pages
    stripped = [[line for line in lines if line.strip()] for lines in pages]
    seen = Counter(key for lines in stripped for key in {_key(edge) for edge in _edges(lines)})
    enough = max(2, len(pages) * 0.4)
    numbered = _numbered(stripped)

    def goes(line: str) -> bool:
        if numbered and _PAGE_NUMBER.fullmatch(line.strip()):
            return True
        return seen[_key(line)] >= enough and len(line) < 120

    remaining = []
    for lines in stripped:
        first, last = 0, len(lines)
        while first < min(_EDGE_LINES, last) and goes(lines[first]):
            first += 1
        while last > max(first, len(lines) - _EDGE_LINES) and goes(lines[last - 1]):
            last -= 1
        remaining.append(lines[first:last])
    left, before = (sum(map(len, chain.from_iterable(lines))) for lines in (remaining, stripped))
    return remaining if left >= LEAST_LEFT * before else pages


def _edges(lines: Sequence[str]) -> list[str]:
    return [*lines[:_EDGE_LINES], *lines[max(_EDGE_LINES, len(lines) - _EDGE_LINES) :]]


def _key(line: str) -> str:
    """A line with its numbers blanked: the same running head on every page."""
    return _NUMBER.sub("#", " ".join(line.split()))


def _numbered(pages: Sequence[Sequence[str]]) -> bool:
    """Whether most pages begin or end with nothing but a number, and it grows."""
    numbers = [
        int(numbers_of_edge[-1])
        for lines in pages
        for edge in (*lines[:1], *lines[-1:])
        if _PAGE_NUMBER.fullmatch(edge.strip()) and (numbers_of_edge := _NUMBER.findall(edge)[:1])
    ]
    if len(numbers) * 2 < len(pages):
        return False
    steps = [b - a for a, b in pairwise(numbers)]
    return bool(steps) and statistics.median(steps) == 1
