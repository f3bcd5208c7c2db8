"""PDF by pdfium: lines joined to paragraphs, running heads left out.

pdfium is not thread-safe and is C++: it runs in the worker processes only.
"""

from __future__ import annotations

import ctypes
import math
import re
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise

import pypdfium2
import pypdfium2.raw as pdfium

from ...errors import Unreadable
from .extracted import Extracted, finding, joined, within_limits, without_empty
from .paragraphs import reflow

_SCANNED = 20  # characters a page; fewer, beside a picture, and the page is a scan
_UNMAPPED = 0.3  # share of characters without a meaning in Unicode that makes a text useless
_INVISIBLE = 3  # text rendering mode (ISO 32000-1, 9.3.6)
_FAINT = 0xE6  # all three channels from here: contrast with white paper below 1.25
_LEAST_ALPHA = 26  # of 255; less covers nothing
_LEAST_SIZE = 2.5  # points
_MOST_OBJECTS = 20_000  # looked at on one page for hidden text
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
    hidden: list[str]  # pieces of text that cannot be seen
    pictures: bool


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text of a PDF.

    Raises
    ------
    Unreadable
        "encrypted" (unless the empty password opens it), "scanned", "damaged".
    """
    document = _open(data)
    try:
        pages = [_read_page(document, number) for number in range(len(document))]
        meta = _meta(document)
    finally:
        document.close()
    _refuse_scans(pages)
    text = within_limits(reflow(_without_running_heads([page.lines for page in pages])))
    if len(_PRIVATE.findall(text)) > _UNMAPPED * max(len(text), 1):
        raise Unreadable("damaged", detail="fonts without a mapping to Unicode")
    spans = joined(sorted(_places(text, [piece for page in pages for piece in page.hidden])))
    hidden = finding("hidden_text", spans, sum(j - i for i, j in spans))
    return Extracted(text, "", meta, hidden)


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
        page = document[number]
        text_page = page.get_textpage()
    except pypdfium2.PdfiumError:
        return _Page([], [], False)
    try:
        text = text_page.get_text_range(errors="replace") if text_page.count_chars() else ""
        lines = _lines(text, text_page)
        hidden, pictures = _objects(page, text_page)
    finally:
        text_page.close()
        page.close()
    return _Page(lines, hidden, pictures)


def _lines(text: str, text_page: pypdfium2.PdfTextPage) -> list[str]:
    """Split a page into lines; one that is indented gets an ideographic space in front.

    pdfium gives one character for every index, line ends included, unless some lie beyond the
    basic plane; then indents are not looked at.
    """
    raw = text.split("\n")
    lines = [line.replace("\t\r", " ").strip("\r ") for line in raw]
    if len(text) != text_page.count_chars():
        return lines
    lefts: list[float | None] = []
    at = 0
    for line in raw:
        blank = len(line) - len(line.lstrip())
        lefts.append(text_page.get_charbox(at + blank)[0] if line.strip() else None)
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
    characters = [sum(len(line.strip()) for line in page.lines) for page in pages]
    bare = sum(page.pictures and n < _SCANNED for page, n in zip(pages, characters, strict=True))
    if bare * 2 > len(pages) and sum(characters) < _SCANNED * len(pages):
        raise Unreadable("scanned")


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


# -------------------------------------------------------------------------- what is not seen


def _objects(page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage) -> tuple[list[str], bool]:
    """Return the pieces of text that cannot be seen, and whether the page holds pictures.

    Invisible text over a picture is the layer an OCR program made: it is what is seen. White
    text, or nearly white, counts as hidden where no picture and no filled shape lies under it;
    transparent and tiny text always.
    """
    invisible: list[str] = []
    unseen: list[str] = []
    white: list[tuple[str, tuple[float, ...]]] = []
    grounds: list[tuple[float, ...]] = []
    pictures = False
    for count, thing in enumerate(page.get_objects(max_depth=4)):
        if count > _MOST_OBJECTS:
            break
        if thing.type == pdfium.FPDF_PAGEOBJ_TEXT:
            if pdfium.FPDFTextObj_GetTextRenderMode(thing.raw) == _INVISIBLE:
                invisible.append(_object_text(thing, text_page))
            elif _is_transparent(thing) or _size(thing) < _LEAST_SIZE:
                unseen.append(_object_text(thing, text_page))
            elif _is_faint(thing):
                white.append((_object_text(thing, text_page), _bounds(thing)))
        elif thing.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            pictures = True
            grounds.append(_bounds(thing))
        elif thing.type != pdfium.FPDF_PAGEOBJ_FORM and not _is_faint(thing):
            grounds.append(_bounds(thing))
    hidden = unseen if pictures else [*invisible, *unseen]
    hidden += [piece for piece, box in white if not any(_covers(g, box) for g in grounds)]
    return [piece.strip() for piece in hidden if piece.strip()], pictures


def _object_text(thing: pypdfium2.PdfObject, text_page: pypdfium2.PdfTextPage) -> str:
    size = pdfium.FPDFTextObj_GetText(thing.raw, text_page.raw, None, 0)
    buffer = ctypes.create_string_buffer(size)
    pointer = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    pdfium.FPDFTextObj_GetText(thing.raw, text_page.raw, pointer, size)
    return buffer.raw[:size].decode("utf-16-le", "replace").rstrip("\0")


def _fill(thing: pypdfium2.PdfObject) -> tuple[int, int, int, int] | None:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium.FPDFPageObj_GetFillColor(thing.raw, red, green, blue, alpha):
        return None
    return red.value, green.value, blue.value, alpha.value


def _is_faint(thing: pypdfium2.PdfObject) -> bool:
    """Whether an object is filled with white or nearly so."""
    fill = _fill(thing)
    return fill is not None and min(fill[:3]) >= _FAINT


def _is_transparent(thing: pypdfium2.PdfObject) -> bool:
    fill = _fill(thing)
    return fill is not None and fill[3] < _LEAST_ALPHA


def _size(thing: pypdfium2.PdfObject) -> float:
    """Return the height of a line of text in points; inf inside a form, whose scale differs."""
    size = ctypes.c_float()
    if thing.level or not pdfium.FPDFTextObj_GetFontSize(thing.raw, size):
        return math.inf
    matrix = thing.get_matrix()
    return float(size.value) * math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))


def _bounds(thing: pypdfium2.PdfObject) -> tuple[float, ...]:
    try:
        return tuple(thing.get_bounds())
    except pypdfium2.PdfiumError:
        return (0.0, 0.0, 0.0, 0.0)


def _covers(ground: tuple[float, ...], box: tuple[float, ...]) -> bool:
    """Whether the middle of a box lies on a ground (left, bottom, right, top)."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return ground[0] <= x <= ground[2] and ground[1] <= y <= ground[3]


def _places(text: str, pieces: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Find the pieces in the text, in order, white space aside."""
    at = 0
    for piece in pieces:
        pattern = r"\s*".join(map(re.escape, "".join(piece.split())))
        match = re.compile(pattern).search(text, at) or re.compile(pattern).search(text)
        if match:
            at = match.end()
            yield match.span()


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
