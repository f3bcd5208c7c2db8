"""The PDF report: lines break as Chinese and English do, properties, bookmarks, any font."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pypdfium2
import pytest

from simhash_core.report.pdf import fonts, write_pdf
from simhash_core.report.pdf.lines import CLOSING, OPENING, Span, Style, break_lines

from .conftest import MakeReport

TEXT = (
    "“如有雷同，纯属巧合。”他说（这是第 3 次），《时间账》里写：“四分钟！”于是——不妨算一笔账……"
    "Homework is a strange kind of letter, isn't it? 版本 0.2.0（规则 ca9ce692）。"
)


@pytest.fixture
def without_fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A system without any Chinese font that can be embedded."""
    caches = (fonts.chinese, fonts.face, fonts.settable, fonts.width)
    for cache in caches:
        cache.cache_clear()
    monkeypatch.setattr(fonts, "folders", list)
    yield
    for cache in caches:
        cache.cache_clear()


def lines_of(text: str, width: float) -> list[str]:
    lines = break_lines([Span(text, Style(size=10))], width)
    return ["".join(part.text for part in line) for line in lines]


@pytest.mark.parametrize("width", range(30, 300, 7))
def test_no_line_begins_with_a_closing_mark_or_ends_with_an_opening_one(width: int) -> None:
    lines = lines_of(TEXT, width)

    assert "".join("".join(lines).split()) == "".join(TEXT.split())
    if width < 100:  # a word that is wider than the line is cut anywhere
        return
    for before, after in itertools.pairwise(lines):
        assert after[0] not in CLOSING
        assert before[-1] not in OPENING


@pytest.mark.parametrize("width", [80, 150, 300])
def test_no_line_is_wider_than_its_column(width: int) -> None:
    for line in break_lines([Span(TEXT, Style(size=10))], width):
        assert line[-1].x + line[-1].width <= width + 0.1


def test_words_are_cut_only_where_they_are_wider_than_the_line() -> None:
    assert lines_of("one two three", 45) == ["one two", "three"]
    assert "".join(lines_of("x" * 500, 100)) == "x" * 500


def test_thousands_are_apart_in_any_font() -> None:
    assert lines_of("44\u2009850 对", 200) == ["44\u00a0850 对"]


def test_line_ends_are_respected_and_the_first_line_is_indented() -> None:
    lines = break_lines([Span("一\n二", Style(size=10))], 100, indent=20)

    assert [line[0].x for line in lines] == [20, 0]


def test_the_number_of_a_passage_stays_with_its_first_word() -> None:
    spans = [Span("一二三四", Style(size=10)), Span("12", Style(size=10, raised=True)),
             Span("五六", Style(size=10))]  # fmt: skip
    for width in range(20, 70):
        for line in break_lines(spans, width):
            assert not line[-1].style.raised


def test_properties_bookmarks_and_page_numbers(make_report: MakeReport) -> None:
    report = make_report("confirmed")
    document = pypdfium2.PdfDocument(write_pdf(report, "zh"))
    properties = document.get_metadata_dict()

    assert "人工智能应该批改作业吗" in properties["Title"]
    assert report.number in properties["Subject"] and properties["Author"].startswith("Leitong")
    titles = [bookmark.get_title() for bookmark in document.get_toc()]
    assert titles[0] == "人工智能应该批改作业吗" and titles.count("对校") == 4
    for at in range(len(document)):
        page = document[at].get_textpage().get_text_bounded()
        assert f"第 {at + 1} 页，共 {len(document)} 页" in page


def test_the_appendix_of_a_large_class_ends_and_says_where_the_rest_is(
    make_report: MakeReport,
) -> None:
    small = make_report("class")
    large = replace(small, pairs=small.pairs * 60, subject=small.subject * 20)
    more, texts = len(large.pairs) - 20, len(large.subject)
    assert more > 200 < texts

    pages = pypdfium2.PdfDocument(write_pdf(large, "zh"))
    words = "".join("".join(page.get_textpage().get_text_range().split()) for page in pages)
    assert f"其余{more}对：前100对见附录" in words
    assert f"另有{more - 100}对没有列出" in words
    assert f"另有{texts - 100}篇没有列出" in words
    assert len(pages) < 25

    pages = pypdfium2.PdfDocument(write_pdf(small, "zh"))
    assert not any("没有列出" in page.get_textpage().get_text_range() for page in pages)


@pytest.mark.usefixtures("without_fonts")
@pytest.mark.parametrize("kind", ["pair", "class"])
def test_without_an_installed_font_the_text_is_there_all_the_same(
    make_report: MakeReport, kind: str
) -> None:
    data = write_pdf(make_report(kind), "zh")
    document = pypdfium2.PdfDocument(data)
    shown = "".join(page.get_textpage().get_text_bounded() for page in document)

    assert fonts.chinese() == fonts.FALLBACK
    assert "刘子墨" in shown and "总文字复制比" in shown
    assert len(data) < 150_000


def test_a_damaged_font_is_passed_over(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch, without_fonts: None
) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / "msyh.ttc").write_bytes(b"ttcf" + bytes(40))
    (folder / "simsun.ttc").write_bytes(b"")
    monkeypatch.setattr(fonts, "folders", lambda: [folder])

    assert fonts.chinese() == fonts.FALLBACK
