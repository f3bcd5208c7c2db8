"""What stands on the pages of a PDF: text that breaks over pages, texts side by side, figures.

Lines, marks and bars: kinds differ in the form of their line, not only in colour.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from ...model import Division
from ...numbers import CLASSES, SHARED_CLASSES
from ...palette import PAPER
from ..kinds import WIDTH as MAP_WIDTH
from ..kinds import Map
from .lines import Glyphs, Span, Style, break_lines

Lines = list[tuple[Glyphs, ...]]
#: a sheet of the picture of a class: what it shares, state, mark, bold, name, what stands below
Cell = tuple[Division | None, str, str, bool, str, str]
GUTTER, EDGE = 26.0, 30.0  # points between two texts, and for the numbers at the edge

INK, DIM, RULE, ACCENT, _BG = (
    HexColor(value) for value in (PAPER.ink, PAPER.dim, PAPER.line, PAPER.accent, PAPER.bg)
)
KINDS = {
    kind: HexColor(getattr(PAPER, kind))
    for kind in ("identical", "reworded", "moved", "summary", "meaning")
}
_THICK = 0.03  # of the size: the line that makes a character bold
_WAVE = 1.1  # points: half a wave


class Text(Flowable):  # type: ignore[misc]  # the library has no types
    """A paragraph of spans; splits between lines."""

    def __init__(
        self,
        spans: Sequence[Span],
        *,
        leading: float,
        indent: float = 0.0,
        after: float = 0.0,
        align: str = "left",
        bar: bool = False,
        lines: Lines | None = None,
    ) -> None:
        super().__init__()
        self.spans, self.leading, self.indent = spans, leading, indent
        self.after, self.align, self.bar = after, align, bar
        self.lines = lines
        self.fixed = lines is not None

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        if not self.fixed:
            inner = width - (10 if self.bar else 0)
            self.lines = break_lines(self.spans, inner, indent=self.indent)
        return width, len(self.lines or ()) * self.leading + self.after

    def split(self, width: float, height: float) -> list[Flowable]:
        self.wrap(width, height)
        lines = self.lines or []
        room = int(height // self.leading)
        if room < 2 or len(lines) - room < 1:
            return []
        room = min(room, len(lines) - 1)
        rest = {"leading": self.leading, "align": self.align, "bar": self.bar}
        return [
            Text((), lines=lines[:room], **rest),  # type: ignore[arg-type]
            Text((), lines=lines[room:], after=self.after, **rest),  # type: ignore[arg-type]
        ]

    def draw(self) -> None:
        lines = self.lines or []
        top = len(lines) * self.leading + self.after
        if self.bar:
            self.canv.setFillColor(INK)
            self.canv.rect(0, self.after, 2.2, len(lines) * self.leading, stroke=0, fill=1)
        for at, line in enumerate(lines):
            y = top - at * self.leading - 0.76 * self.leading
            x = 10.0 if self.bar else 0.0
            wide = line[-1].x + line[-1].width if line else 0.0
            if self.align == "right":
                x = self.width - wide
            elif self.align == "centre":
                x = (self.width - wide) / 2
            draw_line(self.canv, line, x, y)


class Beside(Flowable):  # type: ignore[misc]
    """Paragraphs of two texts side by side, the bar between them, numbers at the edge."""

    def __init__(
        self,
        left: Sequence[tuple[Sequence[Span], float]],
        right: Sequence[tuple[Sequence[Span], float]],
        numbers: Sequence[Sequence[Span]],
        *,
        leading: float,
        laid: tuple[Lines, Lines, Lines] | None = None,
    ) -> None:
        super().__init__()
        self.left, self.right, self.numbers = left, right, numbers
        self.leading, self.laid = leading, laid
        self.fixed = laid is not None

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        self.column = (width - GUTTER - EDGE) / 2
        if not self.fixed:
            self.laid = (
                self._side(self.left),
                self._side(self.right),
                [line for spans in self.numbers for line in break_lines(spans, EDGE)],
            )
        assert self.laid is not None
        rows = max(len(self.laid[0]), len(self.laid[1]), (len(self.laid[2]) + 1) * 9 / self.leading)
        return width, rows * self.leading + 3

    def _side(self, paragraphs: Sequence[tuple[Sequence[Span], float]]) -> Lines:
        return [
            line
            for spans, indent in paragraphs
            for line in break_lines(spans, self.column, indent=indent)
        ]

    def split(self, width: float, height: float) -> list[Flowable]:
        self.wrap(width, height)
        assert self.laid is not None
        left, right, numbers = self.laid
        room = int((height - 3) // self.leading)
        if room < 2 or max(len(left), len(right)) <= room:
            return []
        shown = int(room * self.leading // 9)
        return [
            Beside((), (), (), leading=self.leading,
                   laid=(left[:room], right[:room], numbers[:shown])),
            Beside((), (), (), leading=self.leading,
                   laid=(left[room:], right[room:], numbers[shown:])),
        ]  # fmt: skip

    def draw(self) -> None:
        assert self.laid is not None
        left, right, numbers = self.laid
        _, height = self.wrap(self.width, 0)
        for side, x in ((left, 0.0), (right, self.column + GUTTER)):
            for at, line in enumerate(side):
                draw_line(self.canv, line, x, height - (at + 0.74) * self.leading)
        for at, line in enumerate(numbers):
            draw_line(self.canv, line, self.width - EDGE + 5, height - 9.5 - at * 9)
        for at, line in enumerate(left):
            filled: dict[str, float] = {}  # the kind that fills most of a line is drawn beside it
            for part in line:
                filled[part.style.kind] = filled.get(part.style.kind, 0.0) + part.width
            kind = max(filled, key=filled.__getitem__, default="")
            if kind:
                y = height - (at + 0.94) * self.leading
                x = self.column + GUTTER / 2 - 3
                draw_bar(self.canv, kind, x, y, 6, self.leading * 0.9)


class Drawn(Flowable):  # type: ignore[misc]
    """What is drawn in one piece: `paint(canvas, width)`, as wide as the page unless it says so."""

    def __init__(
        self, high: float, paint: Callable[[Any, float], None], *, wide: float = 0.0
    ) -> None:
        super().__init__()
        self.high, self.paint, self.wide = high, paint, wide

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = self.wide or width
        return self.width, self.high

    def draw(self) -> None:
        self.paint(self.canv, self.width)


def draw_fold(left: str, right: str) -> Drawn:
    """Return what is folded in two texts at one place: a line between hairlines on each side."""

    def paint(canvas: Any, width: float) -> None:
        column = (width - GUTTER - EDGE) / 2
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.4)
        for text, x in zip((left, right), (0.0, column + GUTTER), strict=True):
            if not text:
                continue
            for y in (3.0, 15.0):
                canvas.line(x, y, x + column, y)
            line = break_lines([Span(text, Style(size=8, dim=True))], column)[0]
            draw_line(canvas, line, x, 6.2)

    return Drawn(18.0, paint)


_LABEL = 40.0  # points beside a twin bar: "under 1%"


def twin_bars(left: float, right: float, labels: tuple[str, str], *, half: float) -> Drawn:
    """Return two bars from one axis: left hatched, right solid, each with its percentage."""

    def paint(canvas: Any, width: float) -> None:
        axis, wide, style = _LABEL + half, half * left, Style()
        canvas.setStrokeColor(ACCENT)
        canvas.setFillColor(ACCENT)
        canvas.setLineWidth(0.5)
        canvas.rect(axis, 2.5, half * right, 6, stroke=0, fill=1)
        canvas.rect(axis - wide, 2.5, wide, 6, stroke=1, fill=0)
        hatch(canvas, axis - wide, 2.5, wide, 6)
        canvas.setStrokeColor(DIM)
        canvas.line(axis, 0, axis, 11)
        (before,), (after,) = (break_lines([Span(one, style)], 2 * _LABEL) for one in labels)
        draw_line(canvas, before, _LABEL - 3 - before[-1].x - before[-1].width, 2.4)
        draw_line(canvas, after, axis + half + 4, 2.4)

    return Drawn(11, paint, wide=2 * half + 2 * _LABEL)


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
    return Drawn(7.4, lambda canvas, width: draw_class(canvas, name, 0, 0.5, 14.6, 6.4), wide=15.0)


class Seats(Flowable):  # type: ignore[misc]
    """A class as sheets of paper, ten in a row, each filled from below with what it shares."""

    COLUMNS = 10
    WIDE, HIGH, LINE, BELOW = 8.2 * mm, 10 * mm, 8.2, 11.0

    def __init__(self, cells: Sequence[Cell]) -> None:
        super().__init__()
        self.cells = cells

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width, room = width, width / self.COLUMNS - 2
        self.lines = [
            break_lines([Span(cell[4], Style(size=7.6, bold=cell[3]))], room)
            + (break_lines([Span(cell[5], Style(size=6.6, dim=True))], room) if cell[5] else [])
            for cell in self.cells
        ]
        in_rows = [
            self.lines[at : at + self.COLUMNS] for at in range(0, len(self.cells), self.COLUMNS)
        ]
        self.rows = [self.HIGH + self.LINE * max(map(len, one)) + self.BELOW for one in in_rows]
        return width, sum(self.rows)

    def draw(self) -> None:
        wide = self.width / self.COLUMNS
        for at, cell in enumerate(self.cells):
            row, column = divmod(at, self.COLUMNS)
            centre = (column + 0.5) * wide
            y = sum(self.rows[row:]) - self.HIGH
            self._sheet(cell, centre - self.WIDE / 2, y)
            for below, line in enumerate(self.lines[at]):
                end = line[-1].x + line[-1].width if line else 0.0
                draw_line(self.canv, line, centre - end / 2, y - 8.6 - below * self.LINE)

    def _sheet(self, cell: Cell, x: float, y: float) -> None:
        canvas, (division, state, mark, *_) = self.canv, cell
        at = y
        for name in SHARED_CLASSES if division else ():
            high = self.HIGH * division.share(name)  # type: ignore[union-attr]
            if high:
                draw_class(canvas, name, x, at, self.WIDE, high)
            at += high
        canvas.saveState()
        canvas.setStrokeColor(DIM if state == "missing" else INK)
        canvas.setLineWidth(0.6)
        if state == "missing":
            canvas.setDash(0.8, 1.4)
        canvas.rect(x, y, self.WIDE, self.HIGH, fill=0, stroke=1)
        if state == "unread":
            left, right, low, high = x + 7, x + self.WIDE - 7, y + 9.5, y + self.HIGH - 9.5
            canvas.lines([(left, low, right, high), (left, high, right, low)])
        canvas.restoreState()
        if mark:
            line = break_lines([Span(mark, Style(size=7.4))], self.WIDE)[0]
            end = line[-1].x + line[-1].width
            draw_line(canvas, line, x + (self.WIDE - end) / 2, y + self.HIGH / 2 - 2.6)


class Ruled(Flowable):  # type: ignore[misc]
    """Lines to write on, down to the foot of the page; nothing where there is little room."""

    APART, LEAST = 9.6 * mm, 40 * mm

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        self.height = height - 2 if height > self.LEAST else 0.0
        return width, self.height

    def draw(self) -> None:
        self.canv.setStrokeColor(RULE)
        self.canv.setLineWidth(0.4)
        for at in range(1, int(self.height // self.APART) + 1):
            y = self.height - at * self.APART
            self.canv.line(0, y, self.width, y)


class State(Flowable):  # type: ignore[misc]
    """The mark of a decision, its words, and by whom; then the words are bold."""

    def __init__(self, verdict: str, words: str, by: str = "", *, size: float = 8.6) -> None:
        super().__init__()
        self.verdict, self.words, self.by, self.size = verdict, words, by, size

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        spans = [Span(self.words, Style(size=self.size, bold=bool(self.by)))]
        if self.by:
            spans.append(Span(f"　{self.by}", Style(size=self.size)))
        self.lines = break_lines(spans, width - 13)
        return width, len(self.lines) * 12.0

    def draw(self) -> None:
        top = len(self.lines) * 12.0
        draw_state(self.canv, self.verdict, 0, top - 10)
        for at, line in enumerate(self.lines):
            draw_line(self.canv, line, 12, top - at * 12 - 9)


class Clusters(Flowable):  # type: ignore[misc]
    """The map of clusters."""

    def __init__(self, picture: Map) -> None:
        super().__init__()
        self.picture = picture

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.scale = min(width / MAP_WIDTH, 1.25)
        return width, (self.picture.height + 4) * self.scale

    def draw(self) -> None:
        canvas, scale = self.canv, self.scale
        top = (self.picture.height + 2) * scale
        canvas.setStrokeColor(ACCENT)
        for line in self.picture.lines:
            canvas.setLineWidth(line.width * scale * 0.8)
            canvas.setDash(*((2.4, 2) if line.dashed else ()))
            canvas.line(line.x1 * scale, top - line.y1 * scale, line.x2 * scale,
                        top - line.y2 * scale)  # fmt: skip
        canvas.setDash()
        for node in self.picture.nodes:
            x, y = node.x * scale, top - node.y * scale
            canvas.setLineWidth(0.8)
            canvas.setStrokeColor(ACCENT if node.centre else INK)
            canvas.setFillColor(ACCENT if node.centre else _BG)
            canvas.circle(x, y, 7 * scale, fill=1, stroke=1)
            canvas.setFillColor(_BG if node.centre else INK)
            canvas.setFont("Helvetica-Bold", 7)
            canvas.drawCentredString(x, y - 2.5, node.label)


class Place(Flowable):  # type: ignore[misc]
    """A place that bookmarks and links lead to; takes no room."""

    def __init__(self, key: str, title: str = "", level: int = 0) -> None:
        super().__init__()
        self.key, self.title, self.level = key, title, level

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        return 0, 0

    def draw(self) -> None:
        self.canv.bookmarkHorizontal(self.key, 0, 14)
        if self.title:
            self.canv.addOutlineEntry(self.title, self.key, level=self.level, closed=0)


def rule(*, thick: float = 0.8, light: bool = False, dashed: bool = False) -> Drawn:
    """Return a line across the page."""

    def paint(canvas: Any, width: float) -> None:
        canvas.setStrokeColor(RULE if light else INK)
        canvas.setLineWidth(thick)
        if dashed:
            canvas.setDash(2.4, 2)
        canvas.line(0, 0, width, 0)

    return Drawn(thick, paint)


def draw_line(canvas: Any, line: Sequence[Glyphs], x: float, y: float) -> None:
    """Draw a line of text with what marks its passages; `y` is its base line."""
    for part in line:
        if part.style.kind:
            _underline(canvas, part, x + part.x, y)
    for part in line:
        style = part.style
        size = style.size * 0.68 if style.raised else style.size
        text = canvas.beginText(x + part.x, y + (style.size * 0.34 if style.raised else 0))
        text.setFont(part.font, size)
        colour = DIM if style.dim else INK
        text.setFillColor(colour)
        if part.thicken:
            text.setTextRenderMode(2)
            canvas.setStrokeColor(colour)
            canvas.setLineWidth(size * _THICK)
        text.textOut(part.text)
        if part.thicken:
            text.setTextRenderMode(0)
        canvas.drawText(text)
        if style.struck:
            canvas.setStrokeColor(DIM)
            canvas.setLineWidth(0.5)
            canvas.line(x + part.x, y + size * 0.3, x + part.x + part.width, y + size * 0.3)
        if style.link:
            box = (x + part.x, y - 2, x + part.x + part.width, y + style.size)
            canvas.linkRect("", style.link, box, relative=0, thickness=0)


def _underline(canvas: Any, part: Glyphs, x: float, y: float) -> None:
    """Draw the line under a part of a passage: solid, wavy, double, dashed or dotted."""
    kind, below = part.style.kind, y - part.style.size * 0.24
    canvas.saveState()
    canvas.setStrokeColor(KINDS.get(kind, DIM))
    canvas.setLineWidth(0.9 if kind == "identical" else 0.7)
    if kind == "reworded":
        path, at, up = canvas.beginPath(), x, 1.0
        path.moveTo(at, below)
        while at < x + part.width:
            at, up = min(at + _WAVE, x + part.width), -up
            path.lineTo(at, below + 0.55 * up)
        canvas.drawPath(path)
    elif kind == "meaning":
        canvas.setLineWidth(0.5)
        canvas.lines([(x, y, x + part.width, y) for y in (below + 0.5, below - 0.9)])
    else:
        dashes = {"moved": (3, 1.6), "summary": (1, 1.4)}
        if kind not in ("identical", "moved"):
            canvas.setDash(*dashes["summary"])
        elif kind == "moved":
            canvas.setDash(*dashes["moved"])
        canvas.line(x, below, x + part.width, below)
    canvas.restoreState()


def draw_bar(canvas: Any, kind: str, x: float, y: float, width: float, height: float) -> None:
    """Draw a piece of the bar between two texts: solid, hatched, barred, three lines or framed."""
    canvas.saveState()
    canvas.setLineWidth(0.4)
    canvas.setStrokeColor(INK)
    canvas.setFillColor(INK if kind == "identical" else _BG)
    if kind == "meaning":
        canvas.lines([(at, y, at, y + height) for at in (x + 0.6, x + width / 2, x + width - 0.6)])
        canvas.restoreState()
        return
    if kind not in ("identical", "reworded", "moved"):
        canvas.setDash(1.4, 1)
    canvas.rect(x, y, width, height, fill=1, stroke=1)
    if kind == "reworded":
        hatch(canvas, x, y, width, height)
    elif kind == "moved":
        bars(canvas, x, y, width, height)
    canvas.restoreState()


def draw_class(canvas: Any, name: str, x: float, y: float, width: float, height: float) -> None:
    """Draw one class of a whole text: solid, hatched, barred, two hairlines, dots."""
    canvas.saveState()
    canvas.setLineWidth(0.4)
    colour = KINDS.get(name, DIM)
    canvas.setStrokeColor(colour)
    canvas.setFillColor(colour if name == "identical" else _BG)
    if name == "own":
        canvas.lines([(x, y, x + width, y), (x, y + height, x + width, y + height)])
        canvas.restoreState()
        return
    if name == "left_out":
        canvas.setDash(1.4, 1)
    canvas.rect(x, y, width, height, fill=1, stroke=1)
    if name == "reworded":
        canvas.setLineWidth(0.8)
        hatch(canvas, x, y, width, height)
    elif name == "moved":
        canvas.setLineWidth(0.8)
        bars(canvas, x, y, width, height)
    elif name == "left_out":
        canvas.setDash(0.5, 1.6)
        bars(canvas, x, y, width, height)
    canvas.restoreState()


def bars(canvas: Any, x: float, y: float, width: float, height: float) -> None:
    """Fill a box with level lines."""
    rows = int(height // 1.7)
    canvas.lines([(x, y + 1.7 * (at + 0.5), x + width, y + 1.7 * (at + 0.5)) for at in range(rows)])


def hatch(canvas: Any, x: float, y: float, width: float, height: float) -> None:
    """Fill a box with slanted lines."""
    canvas.saveState()
    frame = canvas.beginPath()
    frame.rect(x, y, width, height)
    canvas.clipPath(frame, stroke=0, fill=0)
    at = -height
    while at < width:
        canvas.line(x + at, y, x + at + height, y + height)
        at += 2.4
    canvas.restoreState()


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
