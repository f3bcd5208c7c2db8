"""The HTML report: closed to scripts and networks, linked both ways, told apart without colour."""

from __future__ import annotations

import re

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from simhash_core.report.content import KINDS
from simhash_core.report.html import css_string, write_html

from .conftest import MakeReport


def page(make_report: MakeReport, kind: str, language: str = "zh") -> LexborHTMLParser:
    return LexborHTMLParser(write_html(make_report(kind, language=language), language).decode())


def value(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_loaded_and_nothing_runs(make_report: MakeReport, kind: str) -> None:
    tree = page(make_report, kind)
    policy = tree.css_first('meta[http-equiv="Content-Security-Policy"]')

    assert policy is not None and value(policy, "content").startswith("default-src 'none'")
    assert not tree.css("script, iframe, object, embed, link, base, form, img")
    for node in tree.css("*"):
        for name, content in node.attributes.items():
            assert not name.startswith("on")
            if name in ("href", "src"):
                assert (content or "").startswith("#")
    source = write_html(make_report(kind), "zh").decode()
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", source)


@pytest.mark.parametrize("kind", KINDS)
def test_every_jump_arrives_and_every_name_of_a_place_is_unique(
    make_report: MakeReport, kind: str
) -> None:
    tree = page(make_report, kind)
    places = [value(node, "id") for node in tree.css("[id]")]

    assert len(places) == len(set(places))
    for link in tree.css("a[href]"):
        assert value(link, "href")[1:] in places


def test_passages_jump_to_the_other_text_and_back(make_report: MakeReport) -> None:
    tree = page(make_report, "pair")
    for passage in tree.css("span.m[id]"):
        here = value(passage, "id")
        link = passage.css_first("a.chip")
        assert link is not None
        there = value(link, "href")[1:]
        back = tree.css_first(f'[id="{there}"] a.chip')

        assert back is not None and value(back, "href") == f"#{here}"


def test_kinds_are_told_apart_without_colour(make_report: MakeReport) -> None:
    source = write_html(make_report("pair"), "zh").decode()

    for kind, line in (("identical", "solid"), ("reworded", "wavy"), ("moved", "dashed")):
        assert re.search(rf"\.{kind}\{{[^}}]*underline {line}", source)
    tree = LexborHTMLParser(source)
    assert tree.css("span.m.reworded b") and tree.css(".mn a")
    assert {"1.3 改", "1.6 改"} <= {node.text() for node in tree.css(".mn a")}


def test_the_whole_words_of_both_texts_are_on_the_page(make_report: MakeReport) -> None:
    tree = page(make_report, "pair")
    columns = [node.text() for node in tree.css(".two p")]

    assert any("我父亲教高中化学" in text for text in columns)
    assert any("我舅舅教高中化学" in text for text in columns)


def test_what_is_not_decided_says_so(make_report: MakeReport) -> None:
    tree = LexborHTMLParser(write_html(make_report("pair", decisions={}), "zh").decode())
    body = tree.body
    assert body is not None

    assert "尚未审阅" in body.text() and tree.css(".st.none")


def test_a_class_report_with_open_pairs_calls_itself_interim(make_report: MakeReport) -> None:
    subtitle = page(make_report, "class", "en").css_first(".sub")
    assert subtitle is not None

    assert "interim: 2 cases undecided" in subtitle.text()


def test_a_pair_that_shares_nothing_has_a_sentence_and_no_texts(make_report: MakeReport) -> None:
    tree = LexborHTMLParser(write_html(make_report("pair", rows=(5, 8)), "zh").decode())
    body = tree.body
    assert body is not None

    assert "没有找到相同或改写的段落" in body.text()
    assert not tree.css(".two")


def test_chinese_reports_define_the_customary_indicators(make_report: MakeReport) -> None:
    terms = {node.text() for node in page(make_report, "sources").css("dt")}

    assert {
        *("总复制比", "去除引用文献复制比", "去除本人已发表文献复制比", "单篇最大复制比"),
        *("重合字数", "总字数", "最长相同"),
    } <= terms


def test_a_string_of_css_cannot_end_itself() -> None:
    shown = str(css_string("a\"</style>\\\n'"))

    assert shown == '"a\\22 \\3c /style\\3e \\5c \\a \\27 "'


def test_the_logo_is_that_of_the_application() -> None:
    from pathlib import Path

    root = Path(__file__).resolve().parents[2]
    copy = root / "simhash_core" / "report" / "html" / "templates" / "logo.svg"
    brand = root / "pages" / "_ui" / "shared" / "brand" / "logo-light.svg"

    assert copy.read_bytes() == brand.read_bytes()
