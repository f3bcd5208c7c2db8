"""A scan and what recognition says of it, without the models: both are made here."""

from __future__ import annotations

import io
from dataclasses import replace

import pypdfium2
from text.seen_pages import HIGH, WIDE, drawn, fonts, typed

from simhash_core import Document
from simhash_core.text.extract.extracted import Extracted
from simhash_core.text.extract.paragraphs import reflow
from simhash_core.text.extract.picture import page_picture
from simhash_core.text.reading import document_of
from simhash_core.text.recognition import Line
from simhash_core.text.recognition.order import Page
from simhash_core.text.recognition.stage import recognition_notes

_SCALE = 1.5
_PITCH = 16


def recognised(language: str = "en", *, name: str = "scan.jpg") -> Document:
    """Return the text of a scan with the places of its lines, the third of them uncertain."""
    font = fonts(language)[-1]
    rows = [row for row in typed(language, font) if row][:20]

    def page(canvas) -> None:
        for number, row in enumerate(rows):
            canvas.setFont(font, 11)
            canvas.drawString(70, 760 - _PITCH * number, row)

    data = drawn(page)
    image = pypdfium2.PdfDocument(io.BytesIO(data))[0].render(scale=_SCALE).to_pil()
    read = Page(
        int(WIDE * _SCALE), int(HIGH * _SCALE), 0, tuple(map(_line, range(len(rows)), rows))
    )
    text = reflow([read.text])
    extracted = Extracted(text, notes=recognition_notes(text, {"0": read}))
    document = document_of(extracted, name=name, kind="jpg")
    return replace(document, pictures=(page_picture(0, image),))


def _line(number: int, text: str) -> Line:
    top = (HIGH - 760 + _PITCH * number - 11) * _SCALE
    sure = 0.71 if number == 2 else 0.97
    unsure = ((0, 1),) if number == 2 else ()
    right = (WIDE - 70) * _SCALE
    return Line(text, 70 * _SCALE, top, right, top + 15 * _SCALE, sure, unsure)
