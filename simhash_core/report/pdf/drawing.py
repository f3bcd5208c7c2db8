"""Lines, marks and bars on a page; kinds differ in the form of their line, not only in colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.lib.colors import HexColor, white

from .lines import Glyphs

INK, DIM, RULE, BLUE = (HexColor(value) for value in ("#1D2126", "#5D636A", "#C9C4B8", "#2D4F8A"))
KINDS = {
    "identical": HexColor("#2D4F8A"), "reworded": HexColor("#7C4C08"),
    "moved": HexColor("#107C6A"), "summary": HexColor("#6B3E86"),
}  # fmt: skip
_THICK = 0.03  # of the size: the line that makes a character bold
_WAVE = 1.1  # points: half a wave


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
        if style.link:
            box = (x + part.x, y - 2, x + part.x + part.width, y + style.size)
            canvas.linkRect("", style.link, box, relative=0, thickness=0)


def _underline(canvas: Any, part: Glyphs, x: float, y: float) -> None:
    """Draw the line under a part of a passage: solid, wavy, dashed or dotted."""
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
    else:
        dashes = {"moved": (3, 1.6), "summary": (1, 1.4)}
        if kind not in ("identical", "moved"):
            canvas.setDash(*dashes["summary"])
        elif kind == "moved":
            canvas.setDash(*dashes["moved"])
        canvas.line(x, below, x + part.width, below)
    canvas.restoreState()


def draw_bar(canvas: Any, kind: str, x: float, y: float, width: float, height: float) -> None:
    """Draw a piece of the bar between two texts: solid, hatched or framed."""
    canvas.saveState()
    canvas.setLineWidth(0.4)
    canvas.setStrokeColor(INK)
    canvas.setFillColor(INK if kind == "identical" else white)
    if kind not in ("identical", "reworded"):
        canvas.setDash(1.4, 1)
    canvas.rect(x, y, width, height, fill=1, stroke=1)
    if kind == "reworded":
        hatch(canvas, x, y, width, height)
    canvas.restoreState()


def draw_class(canvas: Any, name: str, x: float, y: float, width: float, height: float) -> None:
    """Draw one class of a whole text: solid, hatched, barred, two hairlines, dots."""
    canvas.saveState()
    canvas.setLineWidth(0.4)
    canvas.setStrokeColor(INK if name in ("identical", "reworded", "moved") else DIM)
    canvas.setFillColor(INK if name == "identical" else white)
    if name == "own":
        canvas.lines([(x, y, x + width, y), (x, y + height, x + width, y + height)])
        canvas.restoreState()
        return
    if name == "left_out":
        canvas.setDash(1.4, 1)
    canvas.rect(x, y, width, height, fill=1, stroke=1)
    if name == "reworded":
        hatch(canvas, x, y, width, height)
    elif name == "moved":
        rows = (y + height * part / 4 for part in (1, 2, 3))
        canvas.lines([(x, row, x + width, row) for row in rows])
    elif name == "left_out":
        canvas.setDash(0.5, 1.6)
        rows = (y + height * part / 4 for part in (1, 2, 3))
        canvas.lines([(x + 1, row, x + width, row) for row in rows])
    canvas.restoreState()


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
    canvas.setFillColor(INK if verdict == "confirmed" else white)
    canvas.setLineWidth(0.7)
    if not verdict:
        canvas.setDash(0.8, 1.2)
    canvas.roundRect(x, y, size, size, 1, fill=1, stroke=1)
    if verdict == "confirmed":
        canvas.setStrokeColor(white)
        canvas.setLineWidth(1.1)
        canvas.lines([(x + 1.8, y + 4, x + 3.4, y + 2.3), (x + 3.4, y + 2.3, x + 6.3, y + 5.9)])
    elif verdict == "no_problem":
        canvas.line(x, y, x + size, y + size)
    elif verdict == "later":
        canvas.setFillColor(INK)
        for at in (0.25, 0.5, 0.75):
            canvas.circle(x + at * size, y + size / 2, 0.55, fill=1, stroke=0)
    canvas.restoreState()
