"""What the eye finds on a page of a PDF: which letters have ink under them.

The page is drawn once, small. A letter stands where nothing is drawn when its layer is switched
off, a mask or a form covers it, or its font has no outlines: all that the objects of the page do
not tell. Whether the ink has the shape of the letter is not looked at.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from ...model import F64, I64, U8, Bools
from .drawn import Drawn
from .extracted import FEWEST_LETTERS

_DPI = 72  # of the picture that is looked at
_MOST_SIDE = 2000  # pixels of it
_EDGE = 6  # of 255 between neighbours; less is no stroke, but a colour that runs into another
_DARK = 0.4  # of the way from the paper to the darkest: ink on a scan, whatever its noise
_ASTRAY = 0.2  # share of the letters under a picture that stand beside its ink
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


def inkless(
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
    places = placed(page, boxes_of(text_page, looked_at))
    layered = np.array([owners[one] in drawn.layered for one in looked_at], np.bool_)
    grey = _grey(page)
    bare = (~_any(_edges(grey), places) & _has_area(places)) | _without_size(places)
    blank = index[bare & ~layered]
    if len(blank):
        certain = _Certain(text_page, letters)
        blank = np.array([one for one in blank.tolist() if certain(one)], np.int64)
    return Inkless(
        _with_marks(blank, index, letters) if len(blank) >= FEWEST_LETTERS else frozenset(),
        _astray(grey, places[layered], index[layered]),
    )


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


def _astray(grey: U8, places: F64, index: I64) -> tuple[int, ...]:
    """Return the letters of a layer, where too many of them stand beside the ink."""
    if len(index) < FEWEST_LETTERS:
        return ()
    paper, darkest = float(np.median(grey)), float(np.percentile(grey, 0.5))
    dark = grey < paper - _DARK * (paper - darkest)
    beside = ~_any(dark, places)
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


def placed(page: pypdfium2.PdfPage, boxes: F64) -> F64:
    """Return left, top, right, bottom of boxes as shares of the page as it is shown, (n, 4)."""
    origin, right, up = (_on_page(page, *point) for point in ((0, 0), (100, 0), (0, 100)))
    across, along = (right - origin) / 100, (up - origin) / 100
    corners = [
        origin + boxes[:, x, None] * across + boxes[:, y, None] * along
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


def _on_page(page: pypdfium2.PdfPage, x: float, y: float) -> F64:
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, _UNIT, _UNIT, 0, x, y, across, down)
    return np.array([across.value, down.value], np.float64) / _UNIT


def _grey(page: pypdfium2.PdfPage) -> U8:
    scale = min(_DPI / 72, _MOST_SIDE / max(*page.get_size(), 1.0))
    pixels = page.render(scale=scale, grayscale=True).to_numpy()
    return np.asarray(pixels.reshape(pixels.shape[:2]), np.uint8)


def _edges(grey: U8) -> Bools:
    """Return which pixels differ from the one right of them, or below."""
    signed = grey.astype(np.int16)
    edges = np.zeros(grey.shape, np.bool_)
    edges[:, :-1] = np.abs(np.diff(signed, axis=1)) > _EDGE
    edges[:-1] |= np.abs(np.diff(signed, axis=0)) > _EDGE
    return edges


def _any(mask: Bools, places: F64) -> Bools:
    """Return which places hold a marked pixel; the picture is the page."""
    sides = np.array([*mask.shape[::-1]] * 2, np.float64)
    low, high = np.floor(places[:, :2] * sides[:2]), np.ceil(places[:, 2:] * sides[:2])
    cut = np.clip(np.hstack([low, high]), 0, sides).astype(np.int64).tolist()
    return np.array([mask[y0:y1, x0:x1].any() for x0, y0, x1, y1 in cut], np.bool_)


def _without_size(places: F64) -> Bools:
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
