"""What stands on the pages of a PDF: text that breaks over pages, texts side by side, figures.

Boxes are set to a width once and put on pages from top to bottom; a box that does not fit is split.
Lines, marks and bars: kinds differ in the form of their line, not only in colour.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Protocol

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from ...model import Division
from ...numbers import CLASSES, SHARED_CLASSES
from ...palette import PAPER
from ..kinds import WIDTH as MAP_WIDTH
from ..kinds import Map
from .lines import CHINESE, FALLBACK, Glyphs, Line, Span, Style, break_lines, width_of

#: a sheet of the picture of a class: what it shares, state, mark, bold, name, what stands below
Cell = tuple[Division | None, str, str, bool, str, str]
PAGE_WIDTH = 170 * mm
GUTTER, EDGE = 26.0, 30.0  # points between two texts, and for the numbers at the edge
COLUMN = (PAGE_WIDTH - GUTTER - EDGE) / 2
FOOT = 21 * mm  # of the paper, below what stands on a page
ROOM, FIRST_ROOM = A4[1] - 22 * mm - FOOT, A4[1] - 27 * mm - FOOT
_ENDLESS = float("inf")

INK, DIM, RULE, ACCENT, _BG = (
    HexColor(value) for value in (PAPER.ink, PAPER.dim, PAPER.line, PAPER.accent, PAPER.bg)
)
KINDS = {
    kind: HexColor(getattr(PAPER, kind))
    for kind in ("identical", "reworded", "moved", "summary", "meaning")
}


def _write_colour(colour: Color) -> str:
    return " ".join(f"{part:.3f}" for part in (colour.red, colour.green, colour.blue))


_SHADES = _write_colour(INK), _write_colour(DIM)
_THICK = 0.03  # of the size: the line that makes a character bold
_WAVE = 1.1  # points: half a wave


class Box(Protocol):
    """What takes room on a page; `height` is known once it is laid."""

    height: float

    def lay(self, width: float, room: float) -> None:
        """Set it to a width, where `room` is left on the page. Laying again changes nothing."""

    def split(self, room: float) -> tuple[Box, Box] | None:
        """Return what fits and the rest, to be laid anew; None where it stays in one piece."""

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        """Draw it below and to the right of a point."""


def fill_pages(boxes: Sequence[Box]) -> list[Sequence[Box]]:
    """Put boxes on pages, one below the other; what no page holds is cut off by its foot."""
    pages: list[Sequence[Box]] = []
    while boxes:
        fitting, rest = split_boxes(boxes, PAGE_WIDTH, ROOM if pages else FIRST_ROOM)
        if not fitting:
            fitting, rest = boxes[:1], boxes[1:]
        pages.append(fitting)
        boxes = rest
    return pages


def split_boxes(
    boxes: Sequence[Box], width: float, room: float
) -> tuple[Sequence[Box], Sequence[Box]]:
    """Lay boxes one below the other; return those for which there is room, and the rest."""
    for at, box in enumerate(boxes):
        box.lay(width, room)
        if box.height > room + 1e-6:
            parts = box.split(room)
            if not parts:
                return boxes[:at], boxes[at:]
            parts[0].lay(width, room)
            return [*boxes[:at], parts[0]], [parts[1], *boxes[at + 1 :]]
        room -= box.height
    return boxes, []


def draw_boxes(canvas: Canvas, boxes: Sequence[Box], x: float, top: float) -> None:
    """Draw boxes that are laid, one below the other."""
    for box in boxes:
        box.draw(canvas, x, top)
        top -= box.height


@dataclass(slots=True)
class Text:
    """A paragraph of spans; splits between lines.

    What is marked at its edge (`mark`, given the canvas, left, top and bottom) is drawn in the room
    that `inset` leaves.
    """

    spans: Sequence[Span]
    leading: float
    indent: float = 0.0
    after: float = 0.0
    align: str = "left"
    inset: float = 0.0
    mark: Callable[[Canvas, float, float, float], None] | None = None
    lines: list[Line] | None = None
    height: float = 0.0
    width: float = 0.0

    def lay(self, width: float, room: float) -> None:
        if self.lines is None:
            self.lines = break_lines(self.spans, width - self.inset, indent=self.indent)
        self.width, high = width, len(self.lines) * self.leading
        self.height = min(high + self.after, max(high, room))  # no gap at the foot of a page

    def split(self, room: float) -> tuple[Text, Text] | None:
        lines, fitting = self.lines or [], int(room // self.leading)
        if fitting < 2 or len(lines) < 2:
            return None
        fitting = min(fitting, len(lines) - 1)  # at least two lines stay, at least one goes
        return replace(self, lines=lines[:fitting], after=0.0), replace(self, lines=lines[fitting:])

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        if self.mark:
            self.mark(canvas, x, top, top - self.height + self.after)
        for at, line in enumerate(self.lines or ()):
            start = self.inset
            if self.align != "left":
                start = (self.width - width_of(line)) / (1 if self.align == "right" else 2)
            draw_line(canvas, line, x + start, top - (at + 0.76) * self.leading)


def draw_rule_beside(canvas: Canvas, x: float, top: float, bottom: float) -> None:
    """Draw the thick rule at the edge of a sentence that is stressed."""
    canvas.setFillColor(INK)
    canvas.rect(x, bottom, 2.2, top - bottom, stroke=0, fill=1)


@dataclass(slots=True)
class Beside:
    """Lines of two texts side by side, the bar between them, numbers at the edge."""

    left: list[Line]
    right: list[Line]
    numbers: list[Line]
    leading: float
    height: float = 0.0

    def lay(self, width: float, room: float) -> None:
        rows = max(len(self.left), len(self.right))
        self.height = max(rows * self.leading, (len(self.numbers) + 1) * 9) + 3

    def split(self, room: float) -> tuple[Beside, Beside] | None:
        rows = int((room - 3) // self.leading)
        if rows < 2:
            return None
        shown = int(rows * self.leading // 9) - 1
        return (
            Beside(self.left[:rows], self.right[:rows], self.numbers[:shown], self.leading),
            Beside(self.left[rows:], self.right[rows:], self.numbers[shown:], self.leading),
        )

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        for side, start in ((self.left, x), (self.right, x + COLUMN + GUTTER)):
            for at, line in enumerate(side):
                draw_line(canvas, line, start, top - (at + 0.74) * self.leading)
        for at, line in enumerate(self.numbers):
            draw_line(canvas, line, x + PAGE_WIDTH - EDGE + 5, top - 9.5 - at * 9)
        for at, line in enumerate(self.left):
            filled: dict[str, float] = {}  # the kind that fills most of a line is drawn beside it
            for part in line:
                filled[part.style.kind] = filled.get(part.style.kind, 0.0) + part.width
            kind = max(filled, key=filled.__getitem__, default="")
            if kind:
                y = top - (at + 0.94) * self.leading
                draw_bar(canvas, kind, x + COLUMN + GUTTER / 2 - 3, y, 6, self.leading * 0.9)


@dataclass(slots=True)
class Drawn:
    """What is drawn in one piece; `paint` is given a canvas with its origin below, and the width.

    Without it there is only room. It goes to the next page where less than `least` is left of one;
    what is `filling` takes all that is left, and is left out where that is less than its height.
    """

    height: float = 0.0
    paint: Callable[[Any, float], None] | None = None
    least: float = 0.0
    filling: bool = False
    width: float = 0.0

    def lay(self, width: float, room: float) -> None:
        self.width = width
        if self.least:
            self.height = 0.0 if room >= self.least else _ENDLESS
        elif self.filling:
            self.height = room - 2 if room > self.height else 0.0

    def split(self, room: float) -> None:
        return None

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        if self.paint:
            canvas.saveState()
            canvas.translate(x, top - self.height)
            self.paint(canvas, self.width)
            canvas.restoreState()


Columns = tuple[int, int]  # the first, and the one after the last


@dataclass(slots=True)
class Table:
    """Cells in rows; splits between rows, and within one that is higher than a page.

    Parameters
    ----------
    rows, widths
        Cells, and how wide their columns are, in points.
    padding
        Left, right, above and below each cell.
    below, above, before
        The columns that have a line there, in each row.
    heads
        How many rows are repeated on each page.
    middle
        Whether what is lower than its row stands in the middle of it.
    """

    rows: Sequence[Sequence[Sequence[Box]]]
    widths: Sequence[float]
    padding: tuple[float, float, float, float] = (0, 6, 3, 3)
    below: Sequence[Columns] = ()
    above: Sequence[Columns] = ()
    before: Sequence[int] = ()
    heads: int = 0
    middle: bool = False
    heights: Sequence[float] = ()
    height: float = 0.0

    def lay(self, width: float, room: float) -> None:
        if not self.heights:
            for row in self.rows:
                for cell, wide in zip(row, self.widths, strict=True):
                    split_boxes(cell, wide - sum(self.padding[:2]), _ENDLESS)
            self.heights = [
                max(map(_sum_heights, row)) + sum(self.padding[2:]) for row in self.rows
            ]
        self.height = sum(self.heights)

    def split(self, room: float) -> tuple[Table, Table] | None:
        rows, heights, heads = list(self.rows), self.heights, self.heads
        ends = list(accumulate(heights, initial=0.0))
        fitting = bisect_right(ends, room + 1e-6) - 1
        if fitting == heads and ends[heads + 1] > ROOM:  # no page holds the row
            left = room - ends[heads] - sum(self.padding[2:])
            cells = zip(rows[heads], self.widths, strict=True)
            parts = [split_boxes(cell, wide - sum(self.padding[:2]), left) for cell, wide in cells]
            if any(above for above, _ in parts):
                rows[heads : heads + 1] = zip(*parts, strict=True)
                heights, fitting = (), heads + 1
        if fitting <= heads:
            return None
        return (
            replace(self, rows=rows[:fitting], heights=heights[:fitting]),
            replace(self, rows=[*rows[:heads], *rows[fitting:]],
                    heights=[*heights[:heads], *heights[fitting:]]),
        )  # fmt: skip

    def draw(self, canvas: Canvas, x: float, top: float) -> None:
        left, _, above, below = self.padding
        edges = list(accumulate(self.widths, initial=x))
        lines = []
        for row, height in zip(self.rows, self.heights, strict=True):
            bottom = top - height
            for cell, edge in zip(row, edges, strict=False):
                spare = height - above - below - _sum_heights(cell) if self.middle else 0.0
                draw_boxes(canvas, cell, edge + left, top - above - spare / 2)
            lines += [(edges[a], top, edges[b], top) for a, b in self.above]
            lines += [(edges[a], bottom, edges[b], bottom) for a, b in self.below]
            lines += [(edges[at], top, edges[at], bottom) for at in self.before]
            top = bottom
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.4)
        canvas.lines(lines)


def _sum_heights(boxes: Sequence[Box]) -> float:
    return sum(box.height for box in boxes)


# --------------------------------------------------------------------------- figures
def draw_fold(left: str, right: str) -> Drawn:
    """Return what is folded in two texts at one place: a line between hairlines on each side."""

    def paint(canvas: Any, width: float) -> None:
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.4)
        for text, x in zip((left, right), (0.0, COLUMN + GUTTER), strict=True):
            if text:
                canvas.lines([(x, y, x + COLUMN, y) for y in (3.0, 15.0)])
                draw_text(canvas, text, Style(size=8, dim=True), x, 6.2, room=COLUMN)

    return Drawn(18.0, paint)


_LABEL = 40.0  # points beside a twin bar: "under 1%"


def twin_bars(left: float, right: float, labels: tuple[str, str], *, half: float) -> Drawn:
    """Return two bars from one axis: left hatched, right solid, each with its percentage."""

    def paint(canvas: Any, width: float) -> None:
        axis, wide = _LABEL + half, half * left
        canvas.setStrokeColor(ACCENT)
        canvas.setFillColor(ACCENT)
        canvas.setLineWidth(0.5)
        canvas.rect(axis, 2.5, half * right, 6, stroke=0, fill=1)
        canvas.rect(axis - wide, 2.5, wide, 6, stroke=1, fill=0)
        canvas.addLiteral(hatch(axis - wide, 2.5, wide, 6))
        canvas.setStrokeColor(DIM)
        canvas.line(axis, 0, axis, 11)
        draw_text(canvas, labels[0], Style(), _LABEL - 3, 2.4, align=1.0)
        draw_text(canvas, labels[1], Style(), axis + half + 4, 2.4)

    return Drawn(11, paint)


def whole_bar(one: Division, *, high: float = 6.4) -> Drawn:
    """Return a whole text by class: what counts, a gap, what is left out."""

    def paint(canvas: Any, width: float) -> None:
        at, gap = 0.0, 4.0 if one.left_out and one.counted else 0.0
        scale = (width - 6 - gap) / max(one.whole, 1)
        for name in CLASSES:
            wide = scale * getattr(one, name)
            if name == "left_out":
                at += gap
            if wide:
                draw_class(canvas, name, at, 1.2, wide, high)
            at += wide

    return Drawn(high + 2.6, paint)


def sample(name: str) -> Drawn:
    """Return a piece of a bar for its legend."""
    return Drawn(7.4, lambda canvas, width: draw_class(canvas, name, 0, 0.5, 14.6, 6.4))


_SEATS = 10  # in a row
_WIDE, _HIGH, _LINE, _BELOW = 8.2 * mm, 10 * mm, 8.2, 11.0


def draw_seats(cells: Sequence[Cell]) -> list[Drawn]:
    """Return a class as sheets of paper in rows, each filled from below with what it shares."""
    wide = PAGE_WIDTH / _SEATS

    def set_names(cell: Cell) -> list[Line]:
        styles = (Style(size=7.6, bold=cell[3]), Style(size=6.6, dim=True))
        said = zip((cell[4], cell[5]), styles, strict=True)
        return [
            line
            for text, style in said
            if text
            for line in break_lines([Span(text, style)], wide - 2)
        ]

    def draw_row(row: Sequence[Cell]) -> Drawn:
        names = [set_names(cell) for cell in row]
        height = _HIGH + _LINE * max(map(len, names)) + _BELOW

        def paint(canvas: Any, width: float) -> None:
            y = height - _HIGH
            for at, (cell, lines) in enumerate(zip(row, names, strict=True)):
                centre = (at + 0.5) * wide
                _draw_seat(canvas, cell, centre - _WIDE / 2, y)
                for below, line in enumerate(lines):
                    x = centre - width_of(line) / 2
                    draw_line(canvas, line, x, y - 8.6 - below * _LINE)

        return Drawn(height, paint)

    return [draw_row(cells[at : at + _SEATS]) for at in range(0, len(cells), _SEATS)]


def _draw_seat(canvas: Any, cell: Cell, x: float, y: float) -> None:
    division, state, mark, *_ = cell
    at = y
    for name in SHARED_CLASSES if division else ():
        high = _HIGH * division.share(name)  # type: ignore[union-attr]
        if high:
            draw_class(canvas, name, x, at, _WIDE, high)
        at += high
    canvas.saveState()
    canvas.setStrokeColor(DIM if state == "missing" else INK)
    canvas.setLineWidth(0.6)
    if state == "missing":
        canvas.setDash(0.8, 1.4)
    canvas.rect(x, y, _WIDE, _HIGH, fill=0, stroke=1)
    if state == "unread":
        left, right, low, high = x + 7, x + _WIDE - 7, y + 9.5, y + _HIGH - 9.5
        canvas.lines([(left, low, right, high), (left, high, right, low)])
    canvas.restoreState()
    if mark:
        draw_text(canvas, mark, Style(size=7.4), x + _WIDE / 2, y + _HIGH / 2 - 2.6, align=0.5)


def lines_to_write() -> Drawn:
    """Return lines to write on, down to the foot of the page, where there is room."""
    apart, least = 9.6 * mm, 40 * mm

    def paint(canvas: Any, width: float) -> None:
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.4)
        rows = int(drawn.height // apart)
        canvas.lines([(0, drawn.height - at * apart, width, drawn.height - at * apart)
                      for at in range(1, rows + 1)])  # fmt: skip

    drawn = Drawn(least, paint, filling=True)
    return drawn


def draw_clusters(picture: Map) -> Drawn:
    """Return the map of clusters."""
    scale = min(PAGE_WIDTH / MAP_WIDTH, 1.25)

    def paint(canvas: Any, width: float) -> None:
        top = (picture.height + 2) * scale
        canvas.setStrokeColor(ACCENT)
        for line in picture.lines:
            canvas.setLineWidth(line.width * scale * 0.8)
            canvas.setDash(*((2.4, 2) if line.dashed else ()))
            canvas.line(line.x1 * scale, top - line.y1 * scale, line.x2 * scale,
                        top - line.y2 * scale)  # fmt: skip
        canvas.setDash()
        for node in picture.nodes:
            x, y = node.x * scale, top - node.y * scale
            canvas.setLineWidth(0.8)
            canvas.setStrokeColor(ACCENT if node.centre else INK)
            canvas.setFillColor(ACCENT if node.centre else _BG)
            canvas.circle(x, y, 7 * scale, fill=1, stroke=1)
            canvas.setFillColor(_BG if node.centre else INK)
            canvas.setFont("Helvetica-Bold", 7)
            canvas.drawCentredString(x, y - 2.5, node.label)

    return Drawn((picture.height + 4) * scale, paint)


def place(key: str, title: str = "", level: int = 0) -> Drawn:
    """Return a place that bookmarks and links lead to; takes no room."""

    def paint(canvas: Any, width: float) -> None:
        canvas.bookmarkHorizontal(key, 0, 14)
        if title:
            canvas.addOutlineEntry(title, key, level=level, closed=0)

    return Drawn(0.0, paint)


def rule(*, thick: float = 0.8, light: bool = False, dashed: bool = False) -> Drawn:
    """Return a line across the page."""

    def paint(canvas: Any, width: float) -> None:
        canvas.setStrokeColor(RULE if light else INK)
        canvas.setLineWidth(thick)
        if dashed:
            canvas.setDash(2.4, 2)
        canvas.line(0, 0, width, 0)

    return Drawn(thick, paint)


def draw_text(canvas: Any, text: str, style: Style, x: float, y: float, *, align: float = 0.0,
              room: float = PAGE_WIDTH) -> None:  # fmt: skip
    """Draw as much of a text as one line holds; `align` is the share of it left of `x`."""
    line = break_lines([Span(text, style)], room)[0]
    draw_line(canvas, line, x - align * width_of(line), y)


def draw_line(canvas: Any, line: Line, x: float, y: float) -> None:
    """Draw a line of text with what marks its passages; `y` is its base line."""
    if not line:
        return
    drawn = [_underline(part, x, y) for part in line if part.style.kind]
    drawn.append(f"q BT {x + line[0].x:.2f} {y:.2f} Td")
    for part in line:
        style, size, colour = part.style, part.style.points, _SHADES[part.style.dim]
        shown = f"{colour} rg {_encode_text(canvas, part, size)}"
        if part.thicken:
            shown = f"2 Tr {colour} RG {size * _THICK:.3f} w {shown} 0 Tr"
        drawn.append(f"{style.size * 0.34:.2f} Ts {shown} 0 Ts" if style.raised else shown)
        if style.link:
            box = (x + part.x, y - 2, x + part.x + part.width, y + style.size)
            canvas.linkRect("", style.link, box)
    drawn.append("ET Q")
    for part in line:
        if part.style.struck:
            left, middle = x + part.x, y + part.style.points * 0.3
            struck = _write_lines([(left, middle, left + part.width, middle)])
            drawn.append(f"q {_SHADES[True]} RG 0.5 w {struck} Q")
    canvas.addLiteral("\n".join(drawn))


def _encode_text(canvas: Any, part: Glyphs, size: float) -> str:
    """Return what shows some characters: the codes that they have in their font, as numbers."""
    document = canvas._doc
    if part.font == CHINESE:  # embedded in parts, of the characters that occur
        font = pdfmetrics.getFont(part.font)
        codes = [(font.getSubsetInternalName(subset, document), some)
                 for subset, some in font.splitString(part.text, document)]  # fmt: skip
    else:
        encoding = "utf-16-be" if part.font == FALLBACK else "cp1252"
        codes = [(document.getInternalFontName(part.font), part.text.encode(encoding))]
    return " ".join([f"{name} {size:.2f} Tf <{some.hex()}> Tj" for name, some in codes])


def _underline(part: Glyphs, x: float, y: float) -> str:
    """Return what draws a line under a passage: solid, wavy, double, dashed, dotted."""
    kind, left, right = part.style.kind, x + part.x, x + part.x + part.width
    below = y - part.style.size * 0.24
    look = _UNDERLINES.get(kind, f"{_SHADES[True]} RG 0.7 w [1 1.4] 0 d")
    if kind == "meaning":
        path = _write_lines((left, at, right, at) for at in (below + 0.5, below - 0.9))
    elif kind == "reworded":
        tops = (f"{below + 0.55:.2f} l", f"{below - 0.55:.2f} l")
        waves = [f"{left + at * _WAVE:.2f} {tops[at % 2]}"
                 for at in range(1, int(part.width / _WAVE) + 1)]  # fmt: skip
        path = f"{left:.2f} {below:.2f} m {' '.join(waves)} {right:.2f} {below:.2f} l S"
    else:
        path = f"{left:.2f} {below:.2f} m {right:.2f} {below:.2f} l S"
    return f"q {look} {path} Q"


#: kind -> colour, thickness and dashes of the line under it
_UNDERLINES = {
    kind: f"{_write_colour(KINDS[kind])} RG {form} 0 d"
    for kind, form in {
        "identical": "0.9 w []", "reworded": "0.7 w []", "moved": "0.7 w [3 1.6]",
        "summary": "0.7 w [1 1.4]", "meaning": "0.5 w []",
    }.items()
}  # fmt: skip


def draw_class(canvas: Any, name: str, x: float, y: float, width: float, height: float) -> None:
    """Draw one class of a whole text in its colour."""
    draw_bar(canvas, name, x, y, width, height, colour=KINDS.get(name, DIM), thick=0.8)


def draw_bar(canvas: Any, kind: str, x: float, y: float, width: float, height: float, *,
             colour: Color = INK, thick: float = 0.4) -> None:  # fmt: skip
    """Draw a bar: solid, hatched, barred, three lines, two hairlines, dotted, or framed."""
    shade, box = _write_colour(colour), f"{x:.2f} {y:.2f} {width:.2f} {height:.2f} re"
    if kind == "meaning":
        drawn = _write_lines((at, y, at, y + height)
                             for at in (x + 0.6, x + width / 2, x + width - 0.6))  # fmt: skip
    elif kind == "own":
        drawn = _write_lines((x, at, x + width, at) for at in (y, y + height))
    elif kind == "identical":
        drawn = f"{shade} rg {box} B"
    else:
        dashes = "" if kind in ("reworded", "moved") else "1.4 1"
        drawn = f"{_write_colour(_BG)} rg [{dashes}] 0 d {box} B {thick} w "
        if kind == "reworded":
            drawn += hatch(x, y, width, height)
        elif kind in ("moved", "left_out"):
            levels = (y + 1.7 * (at + 0.5) for at in range(int(height // 1.7)))
            drawn += "[0.5 1.6] 0 d " if kind == "left_out" else ""
            drawn += _write_lines((x, level, x + width, level) for level in levels)
    canvas.addLiteral(f"q 0.4 w {shade} RG {drawn} Q")


def hatch(x: float, y: float, width: float, height: float) -> str:
    """Return what fills a box with slanted lines."""
    starts = (x - height + 2.4 * at for at in range(int((width + height) / 2.4) + 1))
    lines = _write_lines((at, y, at + height, y + height) for at in starts)
    return f"q {x:.2f} {y:.2f} {width:.2f} {height:.2f} re W n {lines} Q"


def _write_lines(lines: Iterable[tuple[float, float, float, float]]) -> str:
    return " ".join([f"{a:.2f} {b:.2f} m {c:.2f} {d:.2f} l" for a, b, c, d in lines]) + " S"


def draw_state(canvas: Any, verdict: str, x: float, y: float, size: float = 8.0) -> None:
    """Draw the mark of a decision: a tick, a diagonal, three dots, a dotted frame."""
    canvas.saveState()
    canvas.setStrokeColor(INK if verdict else DIM)
    canvas.setFillColor(INK if verdict == "confirmed" else _BG)
    canvas.setLineWidth(0.7)
    if not verdict:
        canvas.setDash(0.8, 1.2)
    canvas.roundRect(x, y, size, size, 1, fill=1, stroke=1)
    if verdict == "confirmed":
        canvas.setStrokeColor(_BG)
        canvas.setLineWidth(1.1)
        canvas.lines([(x + 1.8, y + 4, x + 3.4, y + 2.3), (x + 3.4, y + 2.3, x + 6.3, y + 5.9)])
    elif verdict == "no_problem":
        canvas.line(x, y, x + size, y + size)
    elif verdict == "later":
        canvas.setFillColor(INK)
        for at in (0.25, 0.5, 0.75):
            canvas.circle(x + at * size, y + size / 2, 0.55, fill=1, stroke=0)
    canvas.restoreState()
