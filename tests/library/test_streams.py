"""Dumps of a wiki and archives of the web become texts with their address and date."""

from __future__ import annotations

import bz2
import gzip
import zlib
from html import escape
from itertools import pairwise
from pathlib import Path

import pytest
from prose import chinese, english

from simhash_core.errors import BadInput, Cancelled
from simhash_core.library import import_paths, imports, resume, streams, texts_in
from simhash_core.library.streams import kind_of
from simhash_core.model import Document, Skipped

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="zh">
  <siteinfo>
    <sitename>百科</sitename>
    <dbname>zhwiki</dbname>
    <base>https://zh.wiki.example/wiki/Wikipedia:%E9%A6%96%E9%A1%B5</base>
    <generator>MediaWiki 1.44.0</generator>
    <case>first-letter</case>
    <namespaces>
      <namespace key="-1" case="first-letter">Special</namespace>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="6" case="first-letter">文件</namespace>
      <namespace key="10" case="first-letter">Template</namespace>
      <namespace key="14" case="first-letter">分类</namespace>
    </namespaces>
  </siteinfo>
"""
FOOT = "</mediawiki>\n"


def page(
    title: str,
    *texts: str,
    ns: int = 0,
    redirect: str = "",
    model: str = "wikitext",
    moment: str = "2026-03-0{n}T10:00:00Z",
) -> str:
    """Return a page as the export format has it, a revision a text."""
    revisions = "".join(
        f"""    <revision>
      <id>{n}01</id>
      <timestamp>{moment.format(n=n)}</timestamp>
      <contributor><username>Someone</username><id>7</id></contributor>
      <comment>c</comment>
      <model>{model}</model>
      <format>text/x-wiki</format>
      <text bytes="{len(text)}" xml:space="preserve">{escape(text, quote=False)}</text>
      <sha1>x</sha1>
    </revision>
"""
        for n, text in enumerate(texts, start=1)
    )
    target = f'    <redirect title="{escape(redirect)}" />\n' if redirect else ""
    return f"""  <page>
    <title>{escape(title)}</title>
    <ns>{ns}</ns>
    <id>{len(title)}</id>
{target}{revisions}  </page>
"""


LEAD = "'''渡轮'''（{{lang|en|Ferry}}）是[[水运|水上运输]]的一种。<ref>{{cite book|甲}}</ref>"
#: an article with the oddities of the format, and what the wiki shows of it
ARTICLE = f"""{{{{Infobox harbour|name={{{{PAGENAME}}}}|map=[[File:map.svg]]}}}}
{LEAD}{chinese(1, 200)}
<!-- a comment with <page> and [[links]] -->
== 历史 ==
{{| class="wikitable"
! 年 !! 数
|-
| 1900 || {{{{formatnum:12}}}}
|}}
[[文件:a.jpg|thumb|说明 [[港口]]]]{chinese(2, 200)}<nowiki>[[原样]]</nowiki> &amp; 5 &lt; 6
<gallery>
File:b.jpg|图
</gallery>
[[分类:水运]]
[[en:Ferry]]"""
SHOWN = f"""渡轮（Ferry）是水上运输的一种。{chinese(1, 200)}

历史

{chinese(2, 200)}[[原样]] & 5 < 6"""


@pytest.fixture
def dump(tmp_path) -> Path:
    """Three articles among what is none."""
    pages = [
        page("渡轮", "an older version " * 20, ARTICLE),
        page("Talk:渡轮", english(1, 100), ns=1),
        page("Template:Infobox", english(2, 100), ns=10),
        page("渡船", "#重定向 [[渡轮]]", redirect="渡轮"),
        page("Old redirect", "#REDIRECT [[渡轮]]"),
        page("A & B/C <x>", english(3, 100)),
        page("Data", english(4, 100), model="json"),
        page("Stub", "{{stub}}"),
        page("Last", english(5, 100)),
    ]
    path = tmp_path / "zhwiki-pages-articles.xml"
    path.write_text(HEAD + "".join(pages) + FOOT, "utf-8")
    return path


def test_an_article_is_what_the_wiki_shows(dump):
    ferry, odd, stub, last = texts_in(dump)

    assert ferry.text == "\n".join(line.strip() for line in SHOWN.splitlines())
    assert dict(ferry.meta) == {
        "title": "渡轮",
        "date": "2026-03-02",
        "url": "https://zh.wiki.example/wiki/%E6%B8%A1%E8%BD%AE",
        "revision": "201",
        "date_from": "page",
    }
    assert (ferry.name, ferry.format) == ("渡轮", "wiki")
    assert odd.meta["url"] == "https://zh.wiki.example/wiki/A_%26_B/C_%3Cx%3E"
    assert (stub.name, stub.code) == ("Stub", "empty")
    assert isinstance(last, Document)


def packed(path: Path, kind: str) -> Path:
    """Return a dump compressed: as a whole, or a part a page and the head and foot apart."""
    data = path.read_bytes()
    if kind == "bz2":
        parts = [bz2.compress(data)]
    elif kind == "gz":
        parts = [gzip.compress(data)]
    else:
        first, last = data.index(b"  <page>"), data.rindex(b"</mediawiki>")
        middle = data.index(b"  <page>", len(data) // 2)
        cuts = (0, first, middle, last, len(data))
        parts = [bz2.compress(data[a:b]) for a, b in pairwise(cuts)]
        kind = "bz2"
    target = path.with_name(f"multi-{len(parts)}.xml.{kind}")
    target.write_bytes(b"".join(parts))
    return target


@pytest.mark.parametrize("kind", ["bz2", "gz", "multistream"])
def test_compressed_dumps_give_the_same(dump, kind):
    assert list(texts_in(packed(dump, kind))) == list(texts_in(dump))


def test_a_dump_becomes_a_collection_and_says_what_was_passed_over(library, dump):
    done = import_paths(library, "encyclopaedia", [packed(dump, "multistream")])

    assert (done.added, done.passed, [row.name for row in done.skipped]) == (3, 5, ["Stub"])
    row = library.rows()[0]
    assert (row.title, row.date, row.url) == (
        *("渡轮", "2026-03-02"),
        "https://zh.wiki.example/wiki/%E6%B8%A1%E8%BD%AE",
    )
    again = import_paths(library, "encyclopaedia", [dump])
    assert (again.added, again.present) == (0, 3)


def test_a_stopped_dump_goes_on(library, dump, monkeypatch):
    monkeypatch.setattr(imports, "_WINDOW", 2)

    def stopping(stage, done, total):
        raise Cancelled

    for _ in range(2):
        with pytest.raises(Cancelled):
            if library.jobs.listed():
                resume(library, library.jobs.listed()[0].id, progress=stopping)
            else:
                import_paths(library, "wiki", [dump], progress=stopping)
    done = resume(library, library.jobs.listed()[0].id)

    assert [row.title for row in library.rows()] == ["渡轮", "A & B/C <x>", "Last"]
    assert (done.added, done.present, library.jobs.listed()[0].waiting) == (3, 0, 0)


BOMB = '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE m [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("trap", [BOMB, OUTSIDE])
def test_entities_are_refused_in_the_head_and_in_a_page(trap, library, dump, tmp_path):
    whole = dump.read_text("utf-8")
    head = tmp_path / "head.xml"
    head.write_text(trap + whole, "utf-8")
    with pytest.raises(BadInput, match="dump_damaged"):
        import_paths(library, "wiki", [head])
    assert library.jobs.listed() == []

    inside = tmp_path / "inside.xml"
    bad = f"  <page>{trap}<title>&a;</title></page>\n"
    inside.write_text(HEAD + bad + page("Last", english(5, 100)) + FOOT, "utf-8")
    wrong, last = texts_in(inside)
    assert wrong.code == "damaged"
    assert isinstance(last, Document)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ("  <page><title>x</title><ns>0</ns><revision></page>\n", "damaged"),
        ("  <page><title>x</title><ns>0</ns></page>\n", "empty"),
        (page("Deep", "{{" * 4000 + "x" + "}}" * 4000), "empty"),  # templates alone
        (page("Long", "word " * 450_000), "too_long"),
    ],
)
def test_a_page_that_cannot_be_read_is_named_and_the_next_is_read(wrong, code, tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(HEAD + wrong + page("Last", english(5, 100)) + FOOT, "utf-8")
    first, last = texts_in(path)

    assert first.code == code
    assert isinstance(last, Document)


def test_a_page_beyond_all_bounds_is_passed_by(tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "_MOST_ENTRY", 200_000)
    monkeypatch.setattr(streams, "_PART", 50_000)
    path = tmp_path / "a.xml"
    pages = (
        page("First", english(4, 100)),
        page("Huge", "x" * 900_000),
        page("Last", english(5, 99)),
    )
    path.write_text(HEAD + "".join(pages) + FOOT, "utf-8")
    first, huge, last = texts_in(path)

    assert huge.code == "too_large"
    assert (first.name, last.name) == ("First", "Last")


def test_a_dump_that_breaks_off_says_so_and_other_xml_is_none(dump, tmp_path) -> None:
    cut = tmp_path / "cut.xml.bz2"
    cut.write_bytes(bz2.compress(dump.read_bytes()[:-900]))
    *_, end = texts_in(cut)
    assert (end.code, end.params["detail"]) == ("damaged", "ends early")
    path = tmp_path / "a.xml"
    path.write_text("<html><body>words</body></html>")
    assert not kind_of(path)


# --------------------------------------------------------------------------- archives of the web


def record(
    kind: str, address: str, content: bytes, mime: str = "application/http; msgtype=response"
) -> bytes:
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {address}\r\n"
        f"WARC-Date: 2026-03-04T05:06:07Z\r\nContent-Type: {mime}\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content + b"\r\n\r\n"


def answered(
    body: bytes, *, status: int = 200, mime: str = "text/html; charset=utf-8", **more: str
) -> bytes:
    extra = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in more.items())
    return f"HTTP/1.1 {status} OK\r\nContent-Type: {mime}\r\n{extra}\r\n".encode() + body


def html(seed: int, *, menu: str = "") -> str:
    story = "".join(f"<p>{english(seed + n, 80)}</p>" for n in range(3))
    return (
        f"<html><head><title>Story {seed}</title></head><body><nav>{menu}</nav>"
        f"<article><h1>Story {seed}</h1>{story}</article></body></html>"
    )


def chunked(body: bytes) -> bytes:
    parts = [body[:100], body[100:]]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


@pytest.fixture
def warc(tmp_path) -> Path:
    """Pages in all the packings, among records that hold none."""
    gb = html(5).replace("Story 5", "渡轮").encode("gb18030")
    deflated = zlib.compress(html(6).encode())
    records = [
        record("warcinfo", "", b"software: x\r\n", "application/warc-fields"),
        record("request", "http://a.example/1", b"GET / HTTP/1.1\r\n\r\n", "application/http"),
        record("response", "http://a.example/1", answered(html(1).encode())),
        record(
            "response",
            "http://a.example/2",
            answered(chunked(html(2).encode()), Transfer_Encoding="chunked"),
        ),
        record(
            "response",
            "http://a.example/3",
            answered(gzip.compress(html(3).encode()), Content_Encoding="gzip"),
        ),
        record("response", "http://a.example/4", answered(html(4).encode(), status=404)),
        record("response", "http://a.example/5", answered(gb, mime="text/html; charset=gb18030")),
        record("response", "http://a.example/6", answered(deflated, Content_Encoding="deflate")),
        record("response", "http://a.example/7.png", answered(b"\x89PNG", mime="image/png")),
        record("response", "http://a.example/8", answered(b"x", Content_Encoding="br")),
        record("response", "dns:a.example", b"20260304 a.example", "text/dns"),
        record("resource", "http://a.example/9", html(9).encode(), "text/html"),
        record("conversion", "http://a.example/10", english(10, 90).encode(), "text/plain"),
        record("metadata", "http://a.example/1", b"x", "application/warc-fields"),
    ]
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(
        b"".join(map(gzip.compress, records))
    )  # one part a record, as the standard asks
    (tmp_path / "crawl.warc").write_bytes(b"".join(records))
    return path


def test_pages_of_a_web_archive_have_address_and_date(warc):
    read = list(texts_in(warc))
    pages = {one.name.rpartition("/")[2]: one for one in read if isinstance(one, Document)}

    assert sorted(pages) == ["1", "10", "2", "3", "5", "6", "9"]
    assert english(2, 80) in pages["1"].text
    assert english(4, 80) in pages["3"].text
    assert "渡轮" in pages["5"].meta["title"]
    assert pages["2"].meta["url"] == "http://a.example/2"
    assert (pages["2"].meta["date"], pages["2"].meta["date_from"]) == ("2026-03-04", "page")
    assert [(one.name, one.code) for one in read if isinstance(one, Skipped)] == [
        ("http://a.example/8", "unsupported")
    ]
    assert list(texts_in(warc.with_suffix(""))) == read


def test_a_web_archive_is_imported_and_goes_on(library, warc):
    def stopping(stage, done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        import_paths(library, "web", [warc], progress=stopping)
    done = resume(library, library.jobs.listed()[0].id)

    assert (done.added, len(done.skipped)) == (7, 1)


@pytest.mark.parametrize(
    "data", [b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99\r\n\r\nshort", b"no archive\n"]
)
def test_a_broken_web_archive_says_so(data, tmp_path):
    path = tmp_path / "a.warc"
    path.write_bytes(data)
    (one,) = texts_in(path)

    assert one.code == "damaged"


def test_a_page_that_expands_without_end_is_refused(tmp_path):
    bomb = answered(gzip.compress(b"\0" * (60 * 2**20)), Content_Encoding="gzip")
    path = tmp_path / "a.warc"
    path.write_bytes(record("response", "http://a.example/bomb", bomb))
    (one,) = texts_in(path)

    assert one.code == "too_large"
