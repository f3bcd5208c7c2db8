"""The HTML report: closed to scripts and networks, linked both ways, told apart without colour."""

from __future__ import annotations

import re
from pathlib import Path

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
def test_nothing_is_loaded_or_runs_and_every_jump_arrives(make_report, kind):
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
    # every jump arrives and every name of a place is unique
    places = [value(node, "id") for node in tree.css("[id]")]
    assert len(places) == len(set(places))
    for link in tree.css("a[href]"):
        assert value(link, "href")[1:] in places


def test_passages_jump_to_the_other_text_and_are_told_apart_without_colour(make_report):
    tree = page(make_report, "pair")
    for passage in tree.css("span.m[id]"):
        here = value(passage, "id")
        link = passage.css_first("a.chip")
        assert link is not None
        there = value(link, "href")[1:]
        back = tree.css_first(f'[id="{there}"] a.chip')
        assert back is not None and value(back, "href") == f"#{here}"
    # the whole words of both texts are on the page
    columns = [node.text() for node in tree.css(".two p")]
    assert any("我父亲教高中化学" in text for text in columns)
    assert any("我舅舅教高中化学" in text for text in columns)
    # kinds are told apart without colour
    source = write_html(make_report("pair"), "zh").decode()
    for kind, line in (("identical", "solid"), ("reworded", "wavy"), ("moved", "dashed")):
        assert re.search(rf"\.{kind}\{{[^}}]*underline {line}", source)
    tree = LexborHTMLParser(source)
    assert tree.css("span.m.reworded b") and tree.css(".mn a")
    assert {"1.3 改", "1.6 改"} <= {node.text() for node in tree.css(".mn a")}


def test_what_is_open_or_empty_is_said_in_the_customary_terms(make_report):
    tree = LexborHTMLParser(write_html(make_report("pair", decisions={}), "zh").decode())
    body = tree.body
    assert "尚未审阅" in body.text() and tree.css(".st.none")
    # a class report with open pairs calls itself interim
    subtitle = page(make_report, "class", "en").css_first(".sub")
    assert "interim: 2 cases undecided" in subtitle.text()
    # a pair that shares nothing has a sentence and no texts
    tree = LexborHTMLParser(write_html(make_report("pair", rows=(5, 8)), "zh").decode())
    body = tree.body
    assert "没有找到相同或改写的段落" in body.text()
    assert not tree.css(".two")
    # chinese reports define the customary indicators
    terms = {node.text() for node in page(make_report, "sources").css("dt")}
    assert {
        *("总复制比", "去除引用文献复制比", "去除本人已发表文献复制比", "单篇最大复制比"),
        *("重合字数", "总字数", "最长相同"),
    } <= terms


def test_css_cannot_end_itself_and_the_logo_is_that_of_the_application():
    shown = str(css_string("a\"</style>\\\n'"))
    assert shown == '"a\\22 \\3c /style\\3e \\5c \\a \\27 "'
    # the logo is that of the application
    root = Path(__file__).resolve().parents[2]
    copy = root / "simhash_core" / "report" / "html" / "templates" / "logo.svg"
    brand = root / "pages" / "_ui" / "shared" / "brand" / "logo-light.svg"
    assert copy.read_bytes() == brand.read_bytes()
