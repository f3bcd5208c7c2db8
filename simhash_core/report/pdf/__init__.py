"""A report as PDF: Chinese and Latin text, bookmarks, page numbers, properties."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any

from reportlab import rl_config
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from ..content import Report
from ..kinds import story
from ..words import Words
from . import flow
from .flow import FIRST_ROOM, FOOT, INK, PAGE_WIDTH, ROOM, RULE, draw_boxes, draw_line, draw_text
from .lines import Span, Style, break_lines, writing
from .setting import boxes, head

LEFT = 20 * mm


def write_pdf(report: Report, language: str) -> bytes:
    """Return a report as a PDF document."""
    words, buffer = Words.of(report, language), io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, lang=words.lang)
    canvas.setTitle(f"{words.heading()} · {words.kind_title()}")
    canvas.setAuthor(f"Leitong {report.facts.version}")
    canvas.setSubject(words.foot())
    canvas.setCreator(f"Leitong {report.facts.version}")
    canvas.setProducer("ReportLab")
    canvas.setKeywords([report.number, report.facts.recipe])
    canvas.setViewerPreference("DisplayDocTitle", "true")
    with writing, _streams_of_bytes():
        pages = flow.fill_pages([*head(words), *boxes(words, story(words))])
        for at, page in enumerate(pages, 1):
            if at == 1:
                _draw_first_head(canvas, words)
            else:
                y = A4[1] - 16 * mm
                _draw_ends(canvas, words.running_left(), words.running_right(), y)
                canvas.setStrokeColor(RULE)
                canvas.setLineWidth(0.5)
                canvas.line(LEFT, y - 5, LEFT + PAGE_WIDTH, y - 5)
            draw_boxes(canvas, page, LEFT, FOOT + (FIRST_ROOM if at == 1 else ROOM))
            number = words.t("report.page", page=at, pages=len(pages))
            _draw_ends(canvas, words.foot(), number, 12 * mm)
            canvas.showPage()
        canvas.save()
    return buffer.getvalue()


@contextlib.contextmanager
def _streams_of_bytes() -> Iterator[None]:
    """Let reportlab write bytes as they are: as text they are a quarter larger, and slow."""
    before, rl_config.useA85 = rl_config.useA85, 0
    try:
        yield
    finally:
        rl_config.useA85 = before


def _draw_first_head(canvas: Any, words: Words) -> None:
    """Draw the mark, the name and what this is, above a line."""
    y = A4[1] - 20 * mm
    canvas.setFillColor(flow.ACCENT)
    canvas.rect(LEFT + 4.6, y + 5, 5.2, 8.4, stroke=0, fill=1)
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(1)
    canvas.rect(LEFT, y + 5, 9.8, 11.4, fill=0)
    canvas.rect(LEFT + 4.6, y + 2, 9.8, 11.4, fill=0)
    brand = [Span("雷同", Style(15, bold=True)), Span(" Leitong", Style(9, dim=True, serif=True))]
    draw_line(canvas, break_lines(brand, PAGE_WIDTH)[0], LEFT + 20, y + 3.5)
    _draw_ends(canvas, "", words.kind_title(), y + 3.5, size=8.5)
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(1.4)
    canvas.line(LEFT, y - 5, LEFT + PAGE_WIDTH, y - 5)


def _draw_ends(canvas: Any, left: str, right: str, y: float, *, size: float = 8.0) -> None:
    """Draw what stands at both ends of a line above or below the text."""
    style = Style(size=size, dim=True)
    draw_text(canvas, left, style, LEFT, y)
    draw_text(canvas, right, style, LEFT + PAGE_WIDTH, y, align=1.0, room=PAGE_WIDTH * 0.7)
