"""The PDF report: lines break as Chinese and English do, properties, bookmarks, any font."""

from __future__ import annotations

import ctypes
import itertools
import re
import struct
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
import reportlab

from simhash_core.report.collation.folding import Line
from simhash_core.report.content import Report
from simhash_core.report.pdf import lines, write_pdf
from simhash_core.report.pdf.lines import CLOSING, OPENING, Span, Style, break_lines

TEXT = (
    "“如有雷同，纯属巧合。”他说（这是第 3 次），《时间账》里写：“四分钟！”于是——不妨算一笔账……"
    "Homework is a strange kind of letter, isn't it? 版本 0.2.0（规则 ca9ce692）。"
)


#: files in the folder of fonts -> characters beside Han and ASCII that the first has
FONT_SETS: dict[str, dict[str, str]] = {
    "none": {},
    "small": {"simsun.ttc": ""},
    "large": {"msyh.ttc": "\u2009\u202f\u2003◂▸⇅−□，。、；：？！…—·“”‘’《》（）"},
    "marks": {"NotoSansSC-Regular.ttf": "，。、；：？！…—·“”‘’《》（）□"},
    "two": {"wqy-zenhei.ttc": "，。", "uming.ttc": "□"},
    "outlines": {"NotoSansCJK-Regular.ttc": "□", "NotoSerifCJK-Regular.ttc": ""},
    "latin": {"DejaVuSans.ttf": "", "LiberationSerif-Regular.ttf": "\u2009"},
}


def made_font(more: str) -> bytes:
    """Return a TrueType font with one glyph for all Han, ASCII and some more characters.

    The tables are those of Vera, which ReportLab brings, with another map of characters.
    """
    source = (Path(reportlab.__file__).parent / "fonts" / "Vera.ttf").read_bytes()
    (n,) = struct.unpack_from(">H", source, 4)
    tables = {}
    for at in range(12, 12 + 16 * n, 16):
        tag, _, start, size = struct.unpack_from(">4sLLL", source, at)
        tables[tag] = source[start : start + size]
    glyph = 36  # the letter A
    ranges = [(0x20, 0x7E), (0x4E00, 0x9FFF), *((ord(c), ord(c)) for c in more)]
    groups = b"".join(
        struct.pack(">LLL", c, c, glyph) for a, b in sorted(ranges) for c in range(a, b + 1)
    )
    map_ = struct.pack(">HHLLL", 12, 0, 16 + len(groups), 0, len(groups) // 12) + groups
    tables[b"cmap"] = struct.pack(">HHHHL", 0, 1, 3, 10, 12) + map_
    head = source[:12]
    directory, body = b"", b""
    for tag, table in sorted(tables.items()):
        start = 12 + 16 * len(tables) + len(body)
        directory += struct.pack(">4sLLL", tag, 0, start, len(table))
        body += table + bytes(-len(table) % 4)
    return head + directory + body


@pytest.fixture(params=FONT_SETS)
def font_set(request, font_folder):
    """A system with one of the sets of fonts; `outlines` cannot be embedded."""
    name = str(request.param)
    for file, more in FONT_SETS[name].items():
        data = made_font(more)
        (font_folder / file).write_bytes(b"OTTO" + data[4:] if name == "outlines" else data)
    return name


def lines_of(text: str, width: float) -> list[str]:
    lines = break_lines([Span(text, Style(size=10))], width)
    return ["".join(part.text for part in line) for line in lines]


@pytest.mark.parametrize("width", range(30, 300, 7))
def test_no_line_is_too_wide_begins_with_a_closing_mark_or_ends_with_an_opening_one(width):
    lines = lines_of(TEXT, width)

    for line in break_lines([Span(TEXT, Style(size=10))], width):
        assert line[-1].x + line[-1].width <= width + 0.1
    assert "".join("".join(lines).split()) == "".join(TEXT.split())
    if width < 100:  # a word that is wider than the line is cut anywhere
        return
    for before, after in itertools.pairwise(lines):
        assert after[0] not in CLOSING
        assert before[-1] not in OPENING


def test_lines_are_cut_indented_and_numbered_where_they_may_be():
    assert lines_of("one two three", 45) == ["one two", "three"]
    assert "".join(lines_of("x" * 500, 100)) == "x" * 500
    # line ends are respected and the first line is indented
    lines = break_lines([Span("一\n二", Style(size=10))], 100, indent=20)
    assert [line[0].x for line in lines] == [20, 0]
    # the number of a passage stays with its first word
    spans = [Span("一二三四", Style(size=10)), Span("12", Style(size=10, raised=True)),
             Span("五六", Style(size=10))]  # fmt: skip
    for width in range(20, 70):
        for line in break_lines(spans, width):
            assert not line[-1].style.raised


def test_marks_are_as_wide_as_chinese_beside_chinese_alone():
    for text, wide in [("一——二", True), ("“”一", True), ("a——b", False), ("·" * 20_000, False)]:
        (line, *_) = break_lines([Span(text, Style(size=10))], 100)
        shown = [part for part in line if set(part.text) & set("—“”·")]
        assert shown and all((part.font == lines.FALLBACK) is wide for part in shown)


@pytest.mark.usefixtures("font_set")
def test_thousands_are_apart_in_any_font():
    assert lines_of("44\u2009850 对", 200) == ["44\u00a0850 对"]
    assert lines_of("44\u202f850 pairs", 40) == ["44\u00a0850", "pairs"]
    assert lines_of("one\u2003two", 30) == ["one", "two"]


def test_a_report_says_the_same_with_any_fonts(make_report, font_set):
    data = write_pdf(make_report("pair"), "zh")
    document = pypdfium2.PdfDocument(data)
    shown = "".join("".join(page.get_textpage().get_text_range().split()) for page in document)
    embedded = font_set in ("small", "large", "marks", "two")

    assert (lines.load_fonts().chinese == lines.CHINESE) is embedded
    assert "刘子墨" in shown and "总复制比" in shown and "校记" in shown
    assert "\ufffe" not in shown and "\x00" not in shown


def test_properties_bookmarks_and_page_numbers(make_report):
    report = make_report("confirmed")
    document = pypdfium2.PdfDocument(write_pdf(report, "zh"))
    properties = document.get_metadata_dict()

    assert "人工智能应该批改作业吗" in properties["Title"]
    assert report.number in properties["Subject"] and properties["Author"].startswith("Leitong")
    titles = [bookmark.get_title() for bookmark in document.get_toc()]
    assert titles[0] == "人工智能应该批改作业吗"
    assert [title.partition("　")[0] for title in titles[1:5]] == [f"第 {n} 案" for n in "1234"]
    for at in range(len(document)):
        page = document[at].get_textpage().get_text_bounded()
        assert f"第 {at + 1} 页，共 {len(document)} 页" in page


@pytest.mark.long
def test_lists_of_a_large_class_end_and_say_where_the_rest_is(make_report):
    small = make_report("class")
    large = replace(small, pairs=small.pairs * 60)
    words = words_of(large)
    assert len(large.waiting) == 120 and "其余100案见本次检测的XLSX报告" in words
    assert words.count("尚未审阅") + words.count("稍后") == 20
    assert "其余" not in words_of(small)

    small = make_report("confirmed")
    large = replace(small, texts=small.texts * 20)
    assert f"另有{len(large.texts) - 100}篇没有列出" in words_of(large)
    assert "没有列出" not in words_of(small)


def words_of(report: Report) -> str:
    """Return what stands on all pages, without white space."""
    pages = pypdfium2.PdfDocument(write_pdf(report, "zh"))
    return "".join("".join(page.get_textpage().get_text_range().split()) for page in pages)


@pytest.mark.parametrize("kind", ["pair", "confirmed"])
def test_without_an_installed_font_the_text_is_there_all_the_same(make_report, kind):
    data = write_pdf(make_report(kind), "zh")
    document = pypdfium2.PdfDocument(data)
    shown = "".join(page.get_textpage().get_text_bounded() for page in document)

    assert lines.load_fonts().chinese == lines.FALLBACK
    assert "刘子墨" in shown and "总复制比" in shown
    assert len(data) < 150_000


def test_a_damaged_font_is_passed_over(font_folder):
    (font_folder / "msyh.ttc").write_bytes(b"ttcf" + bytes(40))
    (font_folder / "simsun.ttc").write_bytes(b"")

    assert lines.load_fonts().chinese == lines.FALLBACK


def test_a_line_with_more_numbers_than_a_page_holds_goes_on_over_pages(make_report):
    report = make_report("confirmed")
    case = report.shown.cases[0]
    at = next(at for at, line in enumerate(case.collation.lines) if isinstance(line, Line))
    number, _ = case.collation.lines[at].numbers[0]
    line = replace(case.collation.lines[at], numbers=((number, "identical"),) * 200)
    for rest in (case.collation.lines[at + 1 :], ()):
        collation = replace(case.collation, lines=(*case.collation.lines[:at], line, *rest))
        shown = words_of(
            replace(
                report, shown=replace(report.shown, cases=(replace(case, collation=collation),))
            )
        )

        assert shown.count(f"{number}同") >= 200


def test_a_note_higher_than_a_page_goes_on_over_pages(make_report, decisions):
    said = {key: replace(decision, note="先谈再改。" * 1500) for key, decision in decisions.items()}
    report = make_report("person", rows=(3,), decisions=said)

    assert words_of(report).count("先谈再改。") > 1450  # but for those that a page parts


def test_the_number_of_a_passage_is_where_its_link_is(make_report):
    document = pypdfium2.PdfDocument(write_pdf(make_report("confirmed"), "en"))
    linked = []
    for page in document:
        text, place, link = page.get_textpage(), ctypes.c_int(0), pdfium.FPDF_LINK()
        while pdfium.FPDFLink_Enumerate(page, place, link):
            box = pdfium.FS_RECTF()
            pdfium.FPDFLink_GetAnnotRect(link, box)
            linked.append(text.get_text_bounded(box.left, box.bottom, box.right, box.top))

    assert len(linked) > 10
    assert sum(bool(re.match(r"\d", shown)) for shown in linked) > 0.7 * len(linked)
    assert all(re.match(r"\d|[≈=^]$", shown) for shown in linked)
