"""Wikitext becomes what a reader of the wiki sees, without templates and tables."""

from __future__ import annotations

import pytest

from simhash_core.errors import Unreadable
from simhash_core.text.extract.wikitext import Names, text_of

NAMES = Names(frozenset(("file", "image", "media", "文件")), frozenset(("category", "分类")))


@pytest.mark.parametrize(
    ("wikitext", "shown"),
    [
        # markup of words
        ("'''Bold''' and ''slanted'' and '''''both'''''.", "Bold and slanted and both."),
        ("The ''''90s''' and on", "The '90s and on"),
        ("of the ''Times'''s editor\nof L'''Orient''", "of the Times's editor\nof L'Orient"),
        (
            "A [[Harbour]], [[Harbour|the quay]]s and [[:en:Quay|a quay]].",
            "A Harbour, the quays and a quay.",
        ),
        ("See [[:Category:Ports]] too.", "See Category:Ports too."),
        (
            "[http://a.example the site], [http://a.example], http://b.example",
            "the site, , http://b.example",
        ),
        ("&ndash; 5&nbsp;&lt; 6 &#x4e2d; &amp;nbsp;", "– 5 < 6 中 &nbsp;"),
        ("x<sup>2</sup> is <span style='color:red'>red</span><br/>next", "x2 is red\nnext"),
        ('seen<span style="display:none">not seen</span>.', "seen."),
        # what is no prose
        ("Before {{Infobox|a={{b|[[c]]|{{d}}}}|e=1}} after", "Before after"),
        ('Told.<ref>{{cite|title=T}} note</ref> On.<ref name="a" /> End.', "Told. On. End."),
        ('{| class="wikitable"\n! a !! b\n|-\n| c || {{d}}\n{| \n| inner\n|}\n|}\nBelow', "Below"),
        ("A\n<gallery>\nFile:a.jpg|one\nFile:b.jpg|[[two]]\n</gallery>\nB", "A\n\nB"),
        ("A [[File:a.jpg|thumb|a [[caption]] of [[File:b.jpg]] it]]B", "A B"),
        ("甲[[文件:a.jpg|缩略图|说明]]乙[[分类:港口]]", "甲乙"),
        ("Text [[de:Hafen]][[zh-min-nan:Káng]][[simple:Harbour]]", "Text"),
        ("A<!-- [[not]] seen -->B __NOTOC__ C", "AB C"),
        ("E <math>a^2</math> is <nowiki>[[not a link]] '''</nowiki>.", "E is [[not a link]] ."),
        ("Lu Xun ({{lang-zh|魯迅}}; {{IPA|x}}, 1881)", "Lu Xun (魯迅; , 1881)"),
        ("Ports ({{IPA|x}}; ) are（{{x}}，） old", "Ports are old"),
        ("用{{lang|en|Markdown}}写，{{le|港口管理|Port management}}。", "用Markdown写，港口管理。"),
        # blocks
        (
            "Lead.\n== One ==\n* a\n** b\n# c\n; t : d\n\n\n\nEnd.",
            "Lead.\n\nOne\n\na\nb\nc\nt\nd\n\nEnd.",
        ),
        ("<div>a</div><blockquote>b</blockquote>", "a\n\nb"),
        ("<pre>one\ntwo</pre>", "one\ntwo"),
        # variants of Chinese
        (
            "一款-{zh-hans:软件; zh-hant:軟體}-和-{A|zh-cn:打印机;zh-tw:印表機}-。",
            "一款软件和打印机。",
        ),
        ("甲-{H|zh-cn:a;zh-tw:b}-乙-{丙}-丁-{R|戊}-", "甲乙丙丁戊"),
        # broken: the rest of the page stays
        ("A {{open [[B]] C", "A {{open B C"),
        ("Before\n{| class=x\n|-\n| never closed\nAfter", "Before\nAfter"),
        ("'''never closed and [[neither", "never closed and [[neither"),
        ("<ref>open\nrest of the page", "<ref>open\nrest of the page"),
    ],
)
def test_a_reader_sees(wikitext, shown):
    assert text_of(wikitext, NAMES) == shown


def test_a_page_without_end_is_refused():
    with pytest.raises(Unreadable, match="too_long"):
        text_of("word " * 500_000)
