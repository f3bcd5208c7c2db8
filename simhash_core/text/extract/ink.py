"""What the eye finds on a page of a PDF: which letters have ink under them.

The page is drawn once, small. A letter stands where nothing is drawn when its layer is switched
off, a mask or a form covers it, or its font has no outlines: all that the objects of the page do
not tell. Whether the ink has the shape of the letter is not looked at.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from ...model import F64, I64, U8, Bools
from .extracted import FEWEST_LETTERS, make_writable
from .unseen_text import Drawn, address_of

_DPI = 72  # of the picture that is looked at
_MOST_SIDE = 2000  # pixels of it
_EDGE = 6  # of 255 between neighbours; less is no stroke, but a colour that runs into another
_DARK = 0.4  # of the way from the paper to the darkest: ink on a scan, whatever its noise
_ASTRAY = 0.2  # share of the letters under a picture that stand beside its ink
_UPON = 0.3  # of the width of a letter that lies on another
_MOST_LAYERS = 3  # of lines on lines that are drawn apart
_ROW = 5  # letters without a size
_UNIT = 1_000_000  # steps across a page when its places are asked for
PER_MILLE = 1000


@dataclass(frozen=True, slots=True)
class Inkless:
    """Which letters of a page stand where no ink is.

    Attributes
    ----------
    blank : frozenset of int
        Indices of those that should be drawn and are not.
    astray : tuple of int
        All letters under or over a picture of the page, where too many of them are not where the
        ink of the picture is.
    """

    blank: frozenset[int] = frozenset()
    astray: tuple[int, ...] = ()


def find_inkless(
    page: pypdfium2.PdfPage,
    text_page: pypdfium2.PdfTextPage,
    letters: Sequence[str],
    owners: Sequence[int],
    drawn: Drawn,
) -> Inkless:
    """Look under every letter of a page that its objects do not hide.

    Notes
    -----
    Cost: one drawing of the page at 72 dots an inch, 5 to 30 ms, and O(letters + pixels).
    """
    looked_at = [
        index
        for index, (letter, owner) in enumerate(zip(letters, owners, strict=True))
        if owner and owner not in drawn.hidden and letter.isalnum()
    ]
    if len(looked_at) < FEWEST_LETTERS:
        return Inkless()
    index = np.array(looked_at, np.int64)
    boxes = boxes_of(text_page, looked_at)
    places = place_boxes(page, boxes)
    layered = np.array([owners[one] in drawn.layered for one in looked_at], np.bool_)
    grey = draw_grey(page)
    bare = (~_hold_marked(_find_edges(grey), places) & _has_area(places)) | _find_flat(places)
    bare |= _behind_others(page, [owners[one] for one in looked_at], boxes, places)
    blank = index[bare & ~layered]
    if len(blank):
        certain = _Certain(text_page, letters)
        blank = np.array([one for one in blank.tolist() if certain(one)], np.int64)
    return Inkless(
        _with_marks(blank, index, letters) if len(blank) >= FEWEST_LETTERS else frozenset(),
        _find_astray(grey, places[layered], index[layered]),
    )


def _behind_others(
    page: pypdfium2.PdfPage, owners: Sequence[int], boxes: F64, places: F64
) -> Bools:
    """Return which letters are not drawn, although others are drawn where they stand.

    Notes
    -----
    Cost: a sort where no lines lie on others; else a drawing for each layer of them.
    """
    behind = np.zeros(len(owners), np.bool_)
    layers = _find_layers(owners, boxes)
    for layer in layers if len(layers) > 1 else []:
        others = set().union(*layers) - layer
        _activate(page, others, active=False)
        bare = ~_hold_marked(_find_edges(draw_grey(page)), places) & _has_area(places)
        _activate(page, others, active=True)
        behind |= bare & np.array([owner in layer for owner in owners], np.bool_)
    return behind


def _find_layers(owners: Sequence[int], boxes: F64) -> list[set[int]]:
    """Return text objects that lie upon each other, in layers of which none does."""
    lines = np.round((boxes[:, 1] + boxes[:, 3]) / 12).astype(np.int64)
    order = np.lexsort((boxes[:, 0], lines))
    first, second = order[:-1], order[1:]
    one, other = boxes[first], boxes[second]
    shared = np.minimum(one[:, 2], other[:, 2]) - other[:, 0]
    high = np.minimum(one[:, 3], other[:, 3]) - np.maximum(one[:, 1], other[:, 1])
    upon = (lines[first] == lines[second]) & (high > 0)
    upon &= shared > _UPON * np.maximum(other[:, 2] - other[:, 0], 0.1)
    pairs = [
        (owners[a], owners[b])
        for a, b in zip(first[upon].tolist(), second[upon].tolist(), strict=True)
        if owners[a] != owners[b]
    ]
    crossed: dict[int, set[int]] = {}
    for a, b in pairs:
        crossed.setdefault(a, set()).add(b)
        crossed.setdefault(b, set()).add(a)
    layers: list[set[int]] = []
    for owner in dict.fromkeys(owners) if len(pairs) >= FEWEST_LETTERS else ():
        if owner in crossed:
            free = next((one for one in layers if not one & crossed[owner]), None)
            if free is None and len(layers) < _MOST_LAYERS:
                layers.append(free := set())
            if free is not None:
                free.add(owner)
    return layers


def _activate(page: pypdfium2.PdfPage, owners: set[int], *, active: bool) -> None:
    """Let some text objects be drawn, or not."""
    for thing in page.get_objects([pdfium.FPDF_PAGEOBJ_TEXT]):
        if address_of(thing.raw) in owners:
            pdfium.FPDFPageObj_SetIsActive(thing.raw, active)


def _with_marks(blank: I64, index: I64, letters: Sequence[str]) -> frozenset[int]:
    """Return blank letters with what stands between them, and the marks behind them."""
    blanks, whole = frozenset(blank.tolist()), set[int](blank.tolist())
    for one, following in pairwise([*index.tolist(), len(letters)]):
        between = range(one + 1, following)
        if one in blanks and following in blanks:
            whole.update(between)
        elif one in blanks:
            whole.update(takewhile(lambda at: not letters[at].isspace(), between))
    return frozenset(whole)


def _find_astray(grey: U8, places: F64, index: I64) -> tuple[int, ...]:
    """Return the letters of a layer, where too many of them stand beside the ink."""
    if len(index) < FEWEST_LETTERS:
        return ()
    paper, darkest = float(np.median(grey)), float(np.percentile(grey, 0.5))
    dark = grey < paper - _DARK * (paper - darkest)
    beside = ~_hold_marked(dark, places)
    return tuple(index.tolist()) if beside.mean() > _ASTRAY else ()


class _Certain:
    """Whether a letter would be drawn if nothing hid it: its font is in the file, or everywhere."""

    def __init__(self, text_page: pypdfium2.PdfTextPage, letters: Sequence[str]) -> None:
        self._text_page, self._letters = text_page, letters
        self._embedded: dict[int, bool] = {}

    def __call__(self, index: int) -> bool:
        if self._letters[index].isascii():
            return True
        thing = pdfium.FPDFText_GetTextObject(self._text_page, index)
        font = pdfium.FPDFTextObj_GetFont(thing)
        key = ctypes.cast(font, ctypes.c_void_p).value or 0
        if key not in self._embedded:
            self._embedded[key] = bool(key) and pdfium.FPDFFont_GetIsEmbedded(font) == 1
        return self._embedded[key]


def boxes_of(text_page: pypdfium2.PdfTextPage, indices: Sequence[int]) -> F64:
    """Return left, bottom, right, top of some letters in points, float64 (n, 4)."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    boxes = np.zeros((len(indices), 4))
    for row, index in enumerate(indices):
        pdfium.FPDFText_GetCharBox(text_page, index, left, right, bottom, top)
        boxes[row] = left.value, bottom.value, right.value, top.value
    return boxes


def place_boxes(page: pypdfium2.PdfPage, boxes: F64) -> F64:
    """Return left, top, right, bottom of boxes as shares of the page as it is shown, (n, 4)."""
    shown = []
    for x, y in ((0, 0), (100, 0), (0, 100)):
        across, down = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, _UNIT, _UNIT, 0, x, y, across, down)
        shown.append(np.array([across.value, down.value], np.float64) / _UNIT)
    origin, right, up = shown
    step_right, step_up = (right - origin) / 100, (up - origin) / 100
    corners = [
        origin + boxes[:, x, None] * step_right + boxes[:, y, None] * step_up
        for x in (0, 2)
        for y in (1, 3)
    ]
    return np.hstack([np.min(corners, axis=0), np.max(corners, axis=0)])


def per_mille(places: F64) -> tuple[int, int, int, int]:
    """Return one box around some places, thousandths of the page, cut at its edges."""
    low, high = places[:, :2].min(axis=0), places[:, 2:].max(axis=0)
    sides = np.clip(np.round(np.concatenate([low, high]) * PER_MILLE), 0, PER_MILLE)
    left, top, right, bottom = sides.astype(int).tolist()
    return left, top, right, bottom


def draw_grey(page: pypdfium2.PdfPage, *, dpi: float = _DPI, most: float = _MOST_SIDE) -> U8:
    """Draw a page in grey, uint8 (height, width), its longer side at most `most` pixels."""
    scale = min(dpi / 72, most / max(*page.get_size(), 1.0))
    pixels = page.render(scale=scale, grayscale=True).to_numpy()
    return np.array(pixels.reshape(pixels.shape[:2]), np.uint8)


def _find_edges(grey: U8) -> Bools:
    """Return which pixels differ from the one right of them, or below."""
    signed = grey.astype(np.int16)
    edges = np.zeros(grey.shape, np.bool_)
    edges[:, :-1] = np.abs(np.diff(signed, axis=1)) > _EDGE
    edges[:-1] |= np.abs(np.diff(signed, axis=0)) > _EDGE
    return edges


def _hold_marked(mask: Bools, places: F64) -> Bools:
    """Return which places hold a marked pixel; the picture is the page."""
    sides = np.array([*mask.shape[::-1]] * 2, np.float64)
    low, high = np.floor(places[:, :2] * sides[:2]), np.ceil(places[:, 2:] * sides[:2])
    cut = np.clip(np.hstack([low, high]), 0, sides).astype(np.int64).tolist()
    return np.array([mask[y0:y1, x0:x1].any() for x0, y0, x1, y1 in cut], np.bool_)


def _find_flat(places: F64) -> Bools:
    """Return which letters stand in a row of such as have no size: a font without outlines.

    A single one is the second part of a ligature.
    """
    flat: Bools = np.any(places[:, 2:] <= places[:, :2], axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flat.astype(np.int8), [0]])))
    rows = np.zeros(len(flat), np.bool_)
    for start, end in edges.reshape(-1, 2).tolist():
        rows[start:end] = end - start >= _ROW
    return rows


def _has_area(places: F64) -> Bools:
    """Return which places have a size and lie on the page."""
    inside = (places[:, 2:] > 0).all(axis=1) & (places[:, :2] < 1).all(axis=1)
    return np.asarray((places[:, 2:] > places[:, :2]).all(axis=1) & inside)


# --------------------------------------------------------------------------- fonts
_FONT_DPI, _FONT_SIDE = 150, 3000  # dots an inch, pixels
_LINES = 3  # of a font
_MOST_LINES = 30  # of a file
_MOST_PAGES = 60  # that are looked at, spread over the file
_FEWEST = 8  # letters of a line
_MOST = 60  # letters of it that are looked at
_PAD = 0.25  # of the height of a line, around it
_LEAST_SIDE = 8  # pixels
#: letters that recognition knows, and those that mean something in one font only
_KNOWN = re.compile("[0-9A-Za-z\u3400-\u9fff\ue000-\uf8ff]")
_MOSTLY = 0.8


@dataclass(frozen=True, slots=True)
class Sample:
    """A line of a font."""

    font: int
    page: int
    text: str  # what the file says, white space aside
    picture: U8  # (height, width)


@dataclass(frozen=True, slots=True)
class _Line:
    page: int
    text: str
    box: F64  # left, top, right, bottom as shares of the page
    turn: int  # quarter turns to the left after which it is upright


@dataclass(slots=True)
class Lettering:
    """The fonts of a file, the pages of each, and some of its lines."""

    pages: dict[int, list[int]]
    samples: list[Sample]

    @classmethod
    def of(cls, document: pypdfium2.PdfDocument) -> Lettering:
        """Look at the fonts of a document."""
        fonts: dict[tuple[str, ...], list[_Line]] = {}
        step = max(-(-len(document) // _MOST_PAGES), 1)
        for number in range(0, len(document), step):
            try:
                for font, line in _read_lines(document[number], number):
                    fonts.setdefault(font, []).append(line)
            except pypdfium2.PdfiumError:
                continue
        chosen = [
            (key, line)
            for key, lines in enumerate(fonts.values())
            for line in sorted(lines, key=lambda one: -len(one.text))[:_LINES]
        ][:_MOST_LINES]
        return cls(
            {
                key: sorted({line.page for line in lines})
                for key, lines in enumerate(fonts.values())
            },
            list(_cut_samples(document, chosen)),
        )


def said_in(page: pypdfium2.PdfPage, places: F64) -> list[tuple[str, bool]]:
    """Return what the file says in some places of a page, and whether under a picture.

    Parameters
    ----------
    places : float64 (n, 4)
        Left, top, right, bottom as shares of the page.
    """
    text_page = page.get_textpage()
    count = text_page.count_chars()
    owners = [address_of(pdfium.FPDFText_GetTextObject(text_page, index)) for index in range(count)]
    drawn = Drawn.of(page, owners)
    shown = [index for index, one in enumerate(owners) if one and one not in drawn.hidden]
    boxes = place_boxes(page, boxes_of(text_page, shown))
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    lines = []
    for left, top, right, bottom in places.tolist():
        rows = np.flatnonzero((left <= x) & (x <= right) & (top <= y) & (y <= bottom)).tolist()
        points = (pdfium.FPDFText_GetUnicode(text_page, shown[row]) for row in rows)
        line_text = "".join(chr(one) for one in points if 32 <= one < 0x110000)
        layered = any(owners[shown[row]] in drawn.layered for row in rows)
        lines.append((make_writable(line_text).strip(), layered))
    return lines


def _read_lines(page: pypdfium2.PdfPage, number: int) -> Iterator[tuple[tuple[str, ...], _Line]]:
    """Yield the lines of a page that can be compared, each with its font."""
    text_page = page.get_textpage()
    count = text_page.count_chars()
    things = [pdfium.FPDFText_GetTextObject(text_page, index) for index in range(count)]
    owners = [address_of(thing) for thing in things]
    drawn = Drawn.of(page, owners)
    points = [pdfium.FPDFText_GetUnicode(text_page, index) for index in range(count)]
    names: dict[int, tuple[str, ...]] = {}
    for run in _cut_runs(points, owners, drawn):
        run_text = "".join(chr(points[index]) for index in run)
        if len(_KNOWN.findall(run_text)) < max(_FEWEST, _MOSTLY * sum(map(str.isalnum, run_text))):
            continue
        owner = owners[run[0]]
        if owner not in names:
            font = _name_font(things[run[0]])
            names[owner] = (*font, f"layer {number}") if owner in drawn.layered else font
        places = place_boxes(page, boxes_of(text_page, run))
        box = np.concatenate([places[:, :2].min(axis=0), places[:, 2:].max(axis=0)])
        angle = math.degrees(pdfium.FPDFText_GetCharAngle(text_page, run[0]))
        turn = round((page.get_rotation() - angle) / 90) % 4
        yield names[owner], _Line(number, run_text, box, turn)


def _cut_runs(points: Sequence[int], owners: Sequence[int], drawn: Drawn) -> Iterator[list[int]]:
    """Yield the indices of letters that follow each other in one piece of a line."""
    run: list[int] = []
    for index, (point, owner) in enumerate(zip(points, owners, strict=True)):
        ends = not owner or owner in drawn.hidden or point in (10, 13)
        if run and (ends or owner != owners[run[-1]] or len(run) == _MOST):
            yield run
            run = []
        if not ends and point > 32 and not 0xD800 <= point < 0xE000 and point < 0x110000:
            run.append(index)
    if run:
        yield run


def _name_font(thing: object) -> tuple[str, ...]:
    """Return what tells a font from others: its name, and how large it is."""
    font = pdfium.FPDFTextObj_GetFont(thing)
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFFont_GetBaseFontName(font, name, 128)
    size = ctypes.c_size_t()
    pdfium.FPDFFont_GetFontData(font, None, 0, size)
    return name.value.decode("utf-8", "replace"), str(size.value)


def _cut_samples(
    document: pypdfium2.PdfDocument, chosen: Sequence[tuple[int, _Line]]
) -> Iterator[Sample]:
    """Cut lines out of their pages."""
    shown: dict[int, U8] = {}
    for key, line in sorted(chosen, key=lambda one: one[1].page):
        if line.page not in shown:
            shown = {line.page: draw_grey(document[line.page], dpi=_FONT_DPI, most=_FONT_SIDE)}
        picture = shown[line.page]
        height, width = picture.shape
        left, top, right, bottom = line.box * (width, height, width, height)
        pad = min(bottom - top, right - left) * _PAD
        y0, y1 = max(int(top - pad), 0), int(bottom + pad)
        x0, x1 = max(int(left - pad), 0), int(right + pad)
        cut = np.ascontiguousarray(np.rot90(picture[y0:y1, x0:x1], line.turn))
        if min(cut.shape, default=0) >= _LEAST_SIDE:
            yield Sample(key, line.page, line.text, cut)
