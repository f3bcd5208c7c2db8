"""The order in which the letters of a PDF are read."""

from __future__ import annotations

import io

import pypdfium2
import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from text.handmade import drawn

from simhash_core.errors import Unreadable
from simhash_core.text.extract import list_attached
from simhash_core.text.extract.pdf import extract

LEFT = [
    "The mill at the mouth of the river",
    "has not ground any flour since the",
    "war, yet the wheel still turns each",
    "day when the sluice is opened and",
    "the water of the pond runs back to",
    "the sea below the old stone bridge",
]
RIGHT = [
    "Bread made with a sour starter has",
    "to wait for the whole night in the",
    "cold, because its yeast works more",
    "slowly than what is bought in any",
    "shop, and every baker of the town",
    "keeps one alive in a jar of glass",
]


def _pdf(draw: object, **page: object) -> bytes:
    def page_of(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        draw(canvas)  # type: ignore[operator]

    return drawn(page_of, pagesize=(595, 842), **page)


def _read(data: bytes) -> str:
    return " ".join(extract(data).text.split())


def _lines(canvas: Canvas, lines: list[str], x: float, y: float = 760) -> None:
    for row, line in enumerate(lines):
        canvas.drawString(x, y - 14 * row, line)


def test_columns_painted_row_by_row_are_read_one_after_the_other() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(70, 790, "A heading that goes across both of the columns of this page")
        for row, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
            canvas.drawString(70, 760 - 14 * row, left)
            canvas.drawString(310, 760 - 14 * row, right)

    text = _read(_pdf(draw))
    assert text.startswith("A heading")
    assert text.endswith(" ".join([*LEFT, *RIGHT]))


def test_tables_are_read_row_by_row_with_their_numbers() -> None:
    rows = [("Item", "Price", "Sold")] + [
        (f"Fruit number {n}", f"{n}.50", f"{n * 7}") for n in range(9)
    ]

    def draw(canvas: Canvas) -> None:
        for row, cells in enumerate(rows):
            for column, cell in enumerate(cells):
                canvas.drawString(70 + 150 * column, 760 - 14 * row, cell)

    assert _read(_pdf(draw)) == " ".join(cell for row in rows for cell in row)
    names = ["Anna Berg", "Ben Stone", "Cara Hill", "Dora Field", "Emil Wood", "Finn Rivers"]

    def draw(canvas: Canvas) -> None:
        for row, name in enumerate(names):
            canvas.drawString(40, 760 - 14 * row, str(row + 1))
            canvas.drawString(70, 760 - 14 * row, name)

    assert _read(_pdf(draw)) == " ".join(f"{n} {name}" for n, name in enumerate(names, 1))


@pytest.mark.parametrize("step", [1, 5])
@pytest.mark.parametrize("x", [40, 330])
def test_line_numbers_in_a_margin_are_left_out(step: int, x: int) -> None:
    body = [*LEFT, *RIGHT, *LEFT, *RIGHT]

    def draw(canvas: Canvas) -> None:
        for row, line in enumerate(body):
            if x < 70 and (row + 1) % step == 0:
                canvas.drawString(x, 760 - 14 * row, str(row + 1))
            canvas.drawString(70, 760 - 14 * row, line)
            if x > 70 and (row + 1) % step == 0:
                canvas.drawString(x, 760 - 14 * row, str(row + 1))

    assert _read(_pdf(draw)) == " ".join(body)


@pytest.mark.parametrize("offset", [0, 0.4, 1.2])
def test_block_painted_twice_is_read_once(offset: float) -> None:
    def draw(canvas: Canvas) -> None:
        _lines(canvas, LEFT, 70)
        _lines(canvas, LEFT, 70 + offset, 760 - offset)

    assert _read(_pdf(draw)) == " ".join(LEFT)


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_turned_text_and_turned_pages_are_read_in_their_direction(turned: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(300, 400)
        canvas.rotate(turned)
        _lines(canvas, LEFT, -100, 60)

    assert _read(_pdf(draw)) == " ".join(LEFT)

    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(turned)
        _lines(canvas, LEFT, 70, 500)

    assert _read(_pdf(draw)) == " ".join(LEFT)


def test_vertical_text_and_readings() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    columns = ["河口的潮汐磨坊从一九", "三一年起就不再磨面了", "可是每天闸门为游客打"]

    def vertical(canvas: Canvas) -> None:
        canvas.setFont("STSong-Light", 12)
        for column, line in enumerate(columns):
            for row, letter in enumerate(line):
                canvas.drawString(500 - 20 * column, 760 - 12 * row, letter)

    def ruby(canvas: Canvas) -> None:
        for row, line in enumerate(columns):
            canvas.setFont("STSong-Light", 12)
            canvas.drawString(70, 760 - 24 * row, line)
            canvas.setFont("Helvetica", 5)
            canvas.drawString(72, 772 - 24 * row, "he")
            canvas.drawString(84, 772 - 24 * row, "kou")

    assert _read(_pdf(vertical)).replace(" ", "") == "".join(columns)
    assert _read(_pdf(ruby)).replace(" ", "") == "".join(columns)


@pytest.mark.parametrize(
    "notice",
    [
        "Please wait... If this message is not eventually replaced by the proper contents of it",
        "For the best experience, open this PDF portfolio in Acrobat X or Adobe Reader X, or so.",
        "This PDF is protected. You need a different reader to open what is inside of this file.",
    ],
)
def test_page_that_only_names_another_program_is_no_text(notice: str) -> None:
    with pytest.raises(Unreadable) as raised:
        extract(_pdf(lambda canvas: canvas.drawString(40, 760, notice)))
    assert raised.value.code == "viewer"


def test_portfolio_is_read_as_its_files() -> None:
    essay = _pdf(lambda canvas: _lines(canvas, LEFT, 70))
    plain = _pdf(lambda canvas: canvas.drawString(40, 760, "The cover of what is inside of it."))
    cover = _with_file(plain, essay)
    assert list_attached(cover, suffix="pdf") == []
    portfolio = cover.replace(b"/Type/Catalog", b"/Type/Catalog/Collection<</View/D>>")
    if portfolio == cover:
        portfolio = cover.replace(b"/Type /Catalog", b"/Type /Catalog /Collection << /View /D >>")
    assert list_attached(portfolio, suffix="pdf") == [("essay.pdf", essay)]
    with pytest.raises(Unreadable):
        extract(portfolio)


def _with_file(cover: bytes, essay: bytes) -> bytes:
    document, file = pypdfium2.PdfDocument(cover), io.BytesIO()
    document.new_attachment("essay.pdf").set_data(essay)
    document.save(file)
    return file.getvalue()
