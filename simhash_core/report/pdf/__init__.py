"""A report as PDF: Chinese and Latin text, bookmarks, page numbers, properties."""

from __future__ import annotations

import io
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, NextPageTemplate, PageTemplate

from ..content import Report
from ..kinds import story
from ..words import Words
from .flow import ACCENT, INK, RULE, draw_line
from .lines import Span, Style, break_lines, writing
from .setting import PAGE_WIDTH, flowables, head

LEFT, TOP, FIRST_TOP, BOTTOM = 20 * mm, 22 * mm, 27 * mm, 21 * mm


def write_pdf(report: Report, language: str) -> bytes:
    """Return a report as a PDF document."""
    words, buffer = Words.of(report, language), io.BytesIO()
    document = BaseDocTemplate(
        buffer,
        pagesize=A4,
        title=f"{words.heading()} · {words.kind_title()}",
        author=f"Leitong {report.facts.version}",
        subject=words.foot(),
        creator=f"Leitong {report.facts.version}",
        producer="ReportLab",
        keywords=[report.number, report.facts.recipe],
        lang=words.lang,
        displayDocTitle=True,
    )
    height = A4[1]
    frames = {
        "first": Frame(LEFT, BOTTOM, PAGE_WIDTH, height - FIRST_TOP - BOTTOM, 0, 0, 0, 0),
        "later": Frame(LEFT, BOTTOM, PAGE_WIDTH, height - TOP - BOTTOM, 0, 0, 0, 0),
    }
    document.addPageTemplates(
        [
            PageTemplate("first", frames["first"], onPage=lambda canvas, _: _first(canvas, words)),
            PageTemplate("later", frames["later"], onPage=lambda canvas, _: _later(canvas, words)),
        ]
    )
    with writing:
        set_out = [*head(words), *flowables(words, story(words))]
        document.build([NextPageTemplate("later"), *set_out], canvasmaker=_numbered(words))
    return buffer.getvalue()


def _numbered(words: Words) -> type[Canvas]:
    """Return a canvas that knows how many pages there are before it writes the first."""

    class Numbered(Canvas):  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self._pages: list[dict[str, Any]] = []

        def showPage(self) -> None:
            self._pages.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for at, page in enumerate(self._pages, 1):
                self.__dict__.update(page)
                _foot(self, words, at, len(self._pages))
                super().showPage()
            super().save()

    return Numbered


def _first(canvas: Any, words: Words) -> None:
    """Draw the mark, the name and what this is, above a line."""
    y = A4[1] - 20 * mm
    canvas.setFillColor(ACCENT)
    canvas.rect(LEFT + 4.6, y + 5, 5.2, 8.4, stroke=0, fill=1)
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(1)
    canvas.rect(LEFT, y + 5, 9.8, 11.4, fill=0)
    canvas.rect(LEFT + 4.6, y + 2, 9.8, 11.4, fill=0)
    brand = break_lines([Span("雷同", Style(size=15, bold=True)),
                         Span(" Leitong", Style(size=9, dim=True, serif=True))], 200)  # fmt: skip
    draw_line(canvas, brand[0], LEFT + 20, y + 3.5)
    _right(canvas, words.kind_title(), y + 3.5, 8.5)
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(1.4)
    canvas.line(LEFT, y - 5, LEFT + PAGE_WIDTH, y - 5)


def _later(canvas: Any, words: Words) -> None:
    y = A4[1] - 16 * mm
    (line,) = break_lines([Span(words.running_left(), Style(size=8, dim=True))], PAGE_WIDTH)[:1]
    draw_line(canvas, line, LEFT, y)
    _right(canvas, words.running_right(), y, 8)
    canvas.setStrokeColor(RULE)
    canvas.setLineWidth(0.5)
    canvas.line(LEFT, y - 5, LEFT + PAGE_WIDTH, y - 5)


def _foot(canvas: Any, words: Words, page: int, pages: int) -> None:
    y = 12 * mm
    (line,) = break_lines([Span(words.foot(), Style(size=8, dim=True))], PAGE_WIDTH)[:1]
    draw_line(canvas, line, LEFT, y)
    _right(canvas, words.t("report.page", page=page, pages=pages), y, 8)


def _right(canvas: Any, shown: str, y: float, size: float) -> None:
    (line,) = break_lines([Span(shown, Style(size=size, dim=True))], PAGE_WIDTH * 0.7)[:1]
    if line:
        draw_line(canvas, line, LEFT + PAGE_WIDTH - line[-1].x - line[-1].width, y)
