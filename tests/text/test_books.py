"""Books, documents of Pages by their preview, and what people wrote into tables."""

from __future__ import annotations

import pytest
from text.handmade import book, code_of, drawn, workbook, zip_of_parts

from simhash_core.text.extract import extract

TEXT = "如有雷同，纯属巧合。老师把两份作业放在一起看，一行一行地读。"


@pytest.mark.parametrize("suffix", ["epub", "zip", "txt", ""])
def test_epub_gives_its_pages_in_the_order_of_reading(suffix: str) -> None:
    kind, found = extract(book(TEXT), suffix=suffix)

    assert (kind, found.text) == ("epub", f"First\n{TEXT}\nsecond\n")
    assert found.meta == {"title": "T", "author": "Wu"}


def test_epub_with_fonts_encrypted_is_read_and_one_with_pages_is_not() -> None:
    def said(name: str) -> str:
        return f'<e><CipherReference URI="OEBPS/{name}"/></e>'

    locked, fonts = (
        book(TEXT, **{"META-INF__encryption_xml": said(name)}) for name in ("one.xhtml", "font.otf")
    )
    assert code_of(locked, "epub") == "drm"
    assert extract(fonts, suffix="epub")[1].text.startswith("First")
    assert code_of(book(TEXT, **{"META-INF__rights_xml": "<r/>"}), "epub") == "drm"


@pytest.mark.parametrize(
    "data",
    [book(TEXT, package="<broken"), zip_of_parts(_mimetype="application/epub+zip"), b"no zip"],
)
def test_epub_that_is_broken_is_named(data: bytes) -> None:
    assert code_of(data, "epub") == "damaged"


# ------------------------------------------------------------------------------ Pages


def test_pages_is_read_from_its_preview() -> None:
    text = "The words of a document of Pages, as its preview shows them."
    preview = drawn(lambda canvas: canvas.drawString(72, 700, text))
    data = zip_of_parts(Index__Document_iwa=b"\0", QuickLook__Preview_pdf=preview)

    for suffix in ("pages", "", "docx"):
        kind, found = extract(data, suffix=suffix)
        assert (kind, found.text.strip()) == ("pages", text)
    assert code_of(zip_of_parts(Index__Document_iwa=b"\0"), "pages") == "iwork"


# ------------------------------------------------------------------------------ tables


def test_xlsx_gives_the_sentences_in_its_cells() -> None:
    first = [["姓名", "回答", 3.0], ["张三", TEXT, "short"]]
    second = [[None, None, "A sentence that is long enough to be compared."]]
    kind, found = extract(workbook(first, second, creator="Wu"), suffix="xlsx")

    assert kind == "xlsx"
    assert found.text == f"{TEXT}\nA sentence that is long enough to be compared.\n"
    assert found.meta["author"] == "Wu"


def test_broken_workbooks_and_ofd_are_named() -> None:
    assert code_of(
        zip_of_parts(xl__workbook_xml="<a/>", **{"[Content_Types]_xml": "<T/>"}), "xlsx"
    ) == ("damaged")
    assert code_of(b"no zip", "xlsx") == "damaged"
    assert code_of(zip_of_parts(OFD_xml="<o/>"), "ofd") == "ofd"
