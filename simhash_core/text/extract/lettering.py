"""Lines of a PDF with the font they are set in: what the file says there, and how it looks.

A font may map its letters to others: what is copied from the page is not what is seen on it. A
few lines of each font tell; those under a picture of a page count as a font of their own.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from ...model import F64, U8
from .drawn import Drawn, address_of
from .extracted import writable
from .ink import boxes_of, placed

_DPI = 150
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
                for font, line in _lines(document[number], number):
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
            list(_samples(document, chosen)),
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
    boxes = placed(page, boxes_of(text_page, shown))
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    lines = []
    for left, top, right, bottom in places.tolist():
        rows = np.flatnonzero((left <= x) & (x <= right) & (top <= y) & (y <= bottom)).tolist()
        points = (pdfium.FPDFText_GetUnicode(text_page, shown[row]) for row in rows)
        line_text = "".join(chr(one) for one in points if 32 <= one < 0x110000)
        layered = any(owners[shown[row]] in drawn.layered for row in rows)
        lines.append((writable(line_text).strip(), layered))
    return lines


def _lines(page: pypdfium2.PdfPage, number: int) -> Iterator[tuple[tuple[str, ...], _Line]]:
    """Yield the lines of a page that can be compared, each with its font."""
    text_page = page.get_textpage()
    count = text_page.count_chars()
    things = [pdfium.FPDFText_GetTextObject(text_page, index) for index in range(count)]
    owners = [address_of(thing) for thing in things]
    drawn = Drawn.of(page, owners)
    points = [pdfium.FPDFText_GetUnicode(text_page, index) for index in range(count)]
    names: dict[int, tuple[str, ...]] = {}
    for run in _runs(points, owners, drawn):
        run_text = "".join(chr(points[index]) for index in run)
        if len(_KNOWN.findall(run_text)) < max(_FEWEST, _MOSTLY * sum(map(str.isalnum, run_text))):
            continue
        owner = owners[run[0]]
        if owner not in names:
            font = _font(things[run[0]])
            names[owner] = (*font, f"layer {number}") if owner in drawn.layered else font
        places = placed(page, boxes_of(text_page, run))
        box = np.concatenate([places[:, :2].min(axis=0), places[:, 2:].max(axis=0)])
        angle = math.degrees(pdfium.FPDFText_GetCharAngle(text_page, run[0]))
        turn = round((page.get_rotation() - angle) / 90) % 4
        yield names[owner], _Line(number, run_text, box, turn)


def _runs(points: Sequence[int], owners: Sequence[int], drawn: Drawn) -> Iterator[list[int]]:
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


def _font(thing: object) -> tuple[str, ...]:
    """Return what tells a font from others: its name, and how large it is."""
    font = pdfium.FPDFTextObj_GetFont(thing)
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFFont_GetBaseFontName(font, name, 128)
    size = ctypes.c_size_t()
    pdfium.FPDFFont_GetFontData(font, None, 0, size)
    return name.value.decode("utf-8", "replace"), str(size.value)


def _samples(
    document: pypdfium2.PdfDocument, chosen: Sequence[tuple[int, _Line]]
) -> Iterator[Sample]:
    """Cut lines out of their pages."""
    shown: dict[int, U8] = {}
    for key, line in sorted(chosen, key=lambda one: one[1].page):
        if line.page not in shown:
            shown = {line.page: _picture(document[line.page])}
        picture = shown[line.page]
        height, width = picture.shape
        left, top, right, bottom = line.box * (width, height, width, height)
        pad = min(bottom - top, right - left) * _PAD
        y0, y1 = max(int(top - pad), 0), int(bottom + pad)
        x0, x1 = max(int(left - pad), 0), int(right + pad)
        cut = np.ascontiguousarray(np.rot90(picture[y0:y1, x0:x1], line.turn))
        if min(cut.shape, default=0) >= _LEAST_SIDE:
            yield Sample(key, line.page, line.text, cut)


def _picture(page: pypdfium2.PdfPage) -> U8:
    pixels = page.render(scale=min(_DPI / 72, 3000 / max(*page.get_size(), 1.0)), grayscale=True)
    grey = pixels.to_numpy()
    return np.array(grey.reshape(grey.shape[:2]))
