"""What a page of a PDF draws, and which of its text nobody sees: told by its objects alone."""

from __future__ import annotations

import contextlib
import ctypes
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from .extracted import WHITE, Colour, is_alike

_INVISIBLE = 3  # text rendering mode (ISO 32000-1, 9.3.6)
_LEAST_ALPHA = 26  # of 255; less covers nothing
_LEAST_SIZE = 3.0  # points; smaller letters are a grey line to the eye
_LEAST_WIDTH = 0.08  # of the size, for one letter; narrower ones lie upon each other
_LONGEST_ACTUAL = 2_000  # bytes
_MOST_OBJECTS = 200_000  # looked at on one page for hidden text
# seconds that drawing takes: an object, and of its lines one that is short, and as long as a page
_DRAWN, _SHORT, _LONG = 5e-6, 1e-6, 25e-6
_MOST_GROUNDS = 4_000  # of one page, the largest
_MOST_DEPTH = 4  # forms inside forms
_CORNERS = 6  # segments of a path that is a rectangle

Box = tuple[float, float, float, float]  # left, bottom, right, top


def address_of(pointer: Any) -> int:
    """Return what tells one object of pdfium from the others, 0 for none."""
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


@dataclass(slots=True)
class Drawn:
    """What a page draws, in its order."""

    crop: Box
    texts: list[_Text] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)  # of shapes and pictures
    grounds: list[_Ground] = field(default_factory=list)
    hidden: dict[int, str] = field(default_factory=dict)  # address of a text object -> why
    said: dict[int, str] = field(default_factory=dict)  # address -> what /ActualText says
    layered: set[int] = field(default_factory=set)  # those over or under a picture of them
    pictures: bool = False
    pictured: float = 0.0  # share of the page that pictures cover
    count: int = 0  # objects looked at
    whole: bool = True  # whether those are all
    seconds: float = 0.0  # that drawing them takes, about

    @classmethod
    def of(
        cls, page: pypdfium2.PdfPage, owners: Sequence[int], *, most: int = _MOST_OBJECTS
    ) -> Drawn:
        """Look at the objects of a page, at most `most`; `owners` are those of its letters."""
        crop: Box = (-math.inf, -math.inf, math.inf, math.inf)
        shown = pdfium.FS_RECTF()  # of the page; boxes may be inherited from the document
        if pdfium.FPDF_GetPageBoundingBox(page, shown):
            crop = shown.left, shown.bottom, shown.right, shown.top
        drawn, letters = cls(crop), Counter(owners)
        matrices: dict[int, Matrix] = {}
        marks: set[int] = set()
        for order, thing in enumerate(page.get_objects(max_depth=_MOST_DEPTH)):
            if order >= min(most, _MOST_OBJECTS):
                drawn.whole = False
                break
            drawn.count += 1
            matrix = _matrix_around(thing, matrices)
            bounds: Box = (0.0, 0.0, 0.0, 0.0)
            with contextlib.suppress(pypdfium2.PdfiumError):
                bounds = thing.get_bounds()
            box = _place_box(bounds, matrix)
            if thing.type == pdfium.FPDF_PAGEOBJ_TEXT:
                count = letters[address_of(thing.raw)]
                drawn.texts.append(_read_text(thing, order, box, matrix, count))
                if said := _read_actual_text(thing, marks):
                    drawn.said[address_of(thing.raw)] = said
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
            self.pictured += _area(_intersect(box, self.crop)) / max(_area(self.crop), 1.0)
        elif thing.type == pdfium.FPDF_PAGEOBJ_PATH:
            segments = pdfium.FPDFPath_CountSegments(thing.raw)
            self.seconds += _DRAWN + segments * (_SHORT + _LONG * self._share(box))
            mode, stroke = ctypes.c_int(), ctypes.c_int()
            pdfium.FPDFPath_GetDrawMode(thing.raw, mode, stroke)
            fill = _read_colour(thing, pdfium.FPDFPageObj_GetFillColor)
            if mode.value == pdfium.FPDF_FILLMODE_NONE or fill is None:
                return
            if fill[1] < _LEAST_ALPHA:
                return
            colour = fill[0]
            straight = segments <= _CORNERS
            covers = straight and not pdfium.FPDFPageObj_HasTransparency(thing.raw)
        is_picture = thing.type == pdfium.FPDF_PAGEOBJ_IMAGE
        self.boxes.append(box)
        self.grounds.append(_Ground(order, colour, covers, is_picture))

    def _share(self, box: Box) -> float:
        """Return how long a line through a box may be, as a share of one across the page."""
        sides = (
            side[2] - side[0] + side[3] - side[1]
            for side in (_intersect(box, self.crop), self.crop)
        )
        inside, whole = (max(side, 0.0) for side in sides)
        return inside / whole if 0 < whole < math.inf else 1.0

    def _judge(self) -> None:
        """Find the text that nobody sees."""
        sizes = [_area(box) for box in self.boxes]
        largest = sorted(sorted(range(len(sizes)), key=lambda i: -sizes[i])[:_MOST_GROUNDS])
        boxes = np.array([self.boxes[i] for i in largest], np.float64).reshape(-1, 4)
        grounds = [self.grounds[i] for i in largest]
        order = np.array([ground.order for ground in grounds], np.int64)
        for text in self.texts:
            x, y = (text.box[0] + text.box[2]) / 2, (text.box[1] + text.box[3]) / 2
            around = (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y)
            rows = np.flatnonzero(around & (y <= boxes[:, 3]))
            under = [grounds[row] for row in rows[order[rows] < text.order]]
            # those that cover all of it, but for a point at the edges
            held = np.array(text.box) + np.array((1, 1, -1, -1))
            reaches = (boxes[rows, :2] <= held[:2]).all(1) & (boxes[rows, 2:] >= held[2:]).all(1)
            over = [grounds[row] for row in rows[(order[rows] > text.order) & reaches]]
            if any(ground.picture for ground in over) or (
                text.invisible and any(ground.picture for ground in under)
            ):
                self.layered.add(text.address)
            elif why := self._why_unseen(text, under, over):
                self.hidden[text.address] = why

    def _why_unseen(self, text: _Text, under: Sequence[_Ground], over: Sequence[_Ground]) -> str:
        """Return why nobody sees a text, "" where somebody may."""
        if _area(_intersect(text.box, self.crop)) <= 0 < _area(text.box):
            return "off_page"
        if text.invisible:
            return "invisible"
        if text.hidden:
            return text.hidden
        if any(ground.covers for ground in over):
            return "covered"
        return "same_colour" if _is_faint(text.colours, under) else ""


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
    invisible: bool  # no ink at all, as the layer of an OCR program
    hidden: str  # why it cannot be seen whatever lies around it, "" where it can


def _read_text(
    thing: pypdfium2.PdfObject, order: int, box: Box, around: Matrix, characters: int
) -> _Text:
    mode = pdfium.FPDFTextObj_GetTextRenderMode(thing.raw)
    fill = _read_colour(thing, pdfium.FPDFPageObj_GetFillColor)
    line = _read_colour(thing, pdfium.FPDFPageObj_GetStrokeColor)
    inks = [fill] * (mode % 4 in (0, 2)) + [line] * (mode % 4 in (1, 2))
    drawn = [ink for ink in inks if ink is not None]
    seen = [ink for ink in drawn if ink[1] >= _LEAST_ALPHA]
    size = ctypes.c_float()
    pdfium.FPDFTextObj_GetFontSize(thing.raw, size)
    matrix = _multiply(_matrix(thing), around)
    height = size.value * math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
    # measured across the page: letters drawn upright are as wide as high
    width = max(box[2] - box[0], box[3] - box[1] - height)
    narrow = characters > 3 and height > 0 and width < _LEAST_WIDTH * height * characters
    if drawn and not seen:
        hidden = "transparent"
    elif height < _LEAST_SIZE:
        hidden = "tiny"
    else:
        hidden = "narrow" if narrow else "clipped" if _is_cut(thing, box) else ""
    return _Text(
        address_of(thing.raw),
        order,
        box,
        tuple(colour for colour, _ in seen) if len(seen) == len(inks) else (),
        invisible=mode == _INVISIBLE,
        hidden=hidden,
    )


def _read_actual_text(thing: pypdfium2.PdfObject, marks: set[int]) -> str:
    """Return what a mark says in place of glyphs, once for all objects under it."""
    for number in range(max(pdfium.FPDFPageObj_CountMarks(thing.raw), 0)):
        mark, size = pdfium.FPDFPageObj_GetMark(thing.raw, number), ctypes.c_ulong()
        key = b"ActualText"
        pdfium.FPDFPageObjMark_GetParamStringValue(mark, key, None, 0, size)
        if not 2 < size.value <= _LONGEST_ACTUAL or address_of(mark) in marks:
            continue
        marks.add(address_of(mark))
        buffer = (ctypes.c_ushort * (size.value // 2))()
        pdfium.FPDFPageObjMark_GetParamStringValue(mark, key, buffer, size.value, size)
        return bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")
    return ""


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
        if xs and whole and _area(_intersect((min(xs), min(ys), max(xs), max(ys)), box)) <= 0:
            return _area(box) > 0
    return False


def _read_colour(thing: pypdfium2.PdfObject, get: Any) -> tuple[Colour, int] | None:
    """Return a colour and how much it covers, of 255; None for a pattern."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not get(thing.raw, red, green, blue, alpha):
        return None
    return (red.value, green.value, blue.value), alpha.value


Matrix = tuple[float, float, float, float, float, float]
_UNCHANGED: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def _matrix(thing: pypdfium2.PdfObject) -> Matrix:
    matrix = thing.get_matrix()
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _matrix_around(thing: pypdfium2.PdfObject, by_form: dict[int, Matrix]) -> Matrix:
    """Return how the forms around an object are placed on the page."""
    form = thing.container
    if form is None:
        return _UNCHANGED
    address = address_of(form.raw)
    if address not in by_form:
        by_form[address] = _multiply(_matrix(form), _matrix_around(form, by_form))
    return by_form[address]


def _multiply(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (
        *(a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s),
        *(e * p + f * r + t, e * q + f * s + u),
    )


def _place_box(box: Box, matrix: Matrix) -> Box:
    """Return the box on the page of a box inside forms."""
    if matrix == _UNCHANGED:
        return box
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs = [a * x + c * y + e for x, y in corners]
    ys = [b * x + d * y + f for x, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _intersect(one: Box, other: Box) -> Box:
    return (
        *(max(one[0], other[0]), max(one[1], other[1])),
        *(min(one[2], other[2]), min(one[3], other[3])),
    )


def _area(box: Box) -> float:
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)
