"""Small files made to cost much: each is read, or refused with its reason, in little time."""

from __future__ import annotations

import io
import struct
import time
import zipfile
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from text.handmade import (
    ODF_SPACES,
    book,
    docx_of,
    held,
    opendocument,
    page_of,
    pdf,
    ppt,
    pptx,
    record,
)
from text.handmade import relations as related

from simhash_core.errors import Unreadable
from simhash_core.text.extract import extract
from simhash_core.text.extract.selectors import SelectorSearch, TooMuch

SECONDS = 3.0  # of the processor
WORDS = "The quick brown fox walked along the river and counted every stone. "
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
PARAGRAPH = f"<w:p><w:r><w:t>{WORDS}</w:t></w:r></w:p>"


def docx(body: str, **members: str) -> bytes:
    return docx_of(body + PARAGRAPH, f"{W} {R}", **members)


def based_on_each_other(count: int) -> str:
    styles = (
        f'<w:style w:type="paragraph" w:styleId="S{n}"><w:basedOn w:val="S{(n + 1) % count}"/>'
        "</w:style>"
        for n in range(count)
    )
    return f"<w:styles {W}>{''.join(styles)}</w:styles>"


def relation(kind: str, target: str) -> str:
    return related((kind, target)).replace('Id="r0"', 'Id="c"')


def chunks() -> bytes:
    return docx(
        '<w:altChunk r:id="c"/>' * 2_000,
        **{"_rels__document_xml.rels": relation("aFChunk", "c.html"), "c.html": WORDS * 3_000},
    )


def chunk_of_itself() -> bytes:
    inner = docx('<w:altChunk r:id="c"/>' * 50)
    packed = io.BytesIO(docx('<w:altChunk r:id="c"/>' * 200))
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("word/_rels/document.xml.rels", relation("aFChunk", "in.docx"))
        archive.writestr("word/in.docx", inner)
    return packed.getvalue()


def diagrams() -> bytes:
    return docx(
        '<w:p><w:r><w:relIds r:dm="c"/></w:r></w:p>' * 2_000,
        **{
            "_rels__document_xml.rels": relation("d", "d.xml"),
            "d_xml": f"<d>{'<e/>' * 50_000}</d>",
        },
    )


def frames_in_frames() -> bytes:
    inside = "<w:inline>" * 180 + "<w:e/>" * 30_000 + "</w:inline>" * 180
    return docx(f"<w:p><w:r>{inside}</w:r></w:p>" * 3)


def odt_styles() -> bytes:
    styles = (
        f'<style:style style:name="s{n}" style:parent-style-name="s{n + 1}"/>' for n in range(8_000)
    )
    return opendocument(f"<text:p>{WORDS}</text:p>", automatic="".join(styles))


def odt_heads() -> bytes:
    inside = "<style:header>" * 300 + "<text:e/>" * 30_000 + "</style:header>" * 300
    styles = f"<office:document-styles {ODF_SPACES}>{inside}</office:document-styles>"
    return opendocument(f"<text:p>{WORDS}</text:p>", **{"styles.xml": styles})


def slides_of_one_diagram() -> bytes:
    more = {
        "ppt/slides/_rels/slide0.xml.rels": related(*[("chart", "../charts/c.xml")] * 2_000),
        "ppt/charts/c.xml": f"<c>{'<e/>' * 50_000}</c>",
    }
    return pptx(f"><a:p><a:r><a:t>{WORDS}</a:t></a:r></a:p>", more=more)


def pictures_in_pictures() -> bytes:
    said = f"<a:p><a:r><a:t>{WORDS}</a:t></a:r></a:p>"
    return pptx(f">{said}{'<p:pic>' * 20_000}{'</p:pic>' * 20_000}")


def one_slide_many_times() -> bytes:
    listed = b"".join(record(0x03F3, struct.pack("<I", n) + bytes(16)) for n in range(2, 2_000))
    document = held(0x03E8, held(0x0FF0, listed))
    slide = held(0x03EE, record(0x0FA0, b"") * 10_000)
    return ppt([document, *[b""] * 2_000, slide])  # all of them begin where the slide does


def one_page_many_times() -> bytes:
    items = "".join(f'<item id="p{n}" href="{"x/../" * n}one.xhtml"/>' for n in range(300))
    listed = "".join(f'<itemref idref="p{n}"/>' for n in range(300))
    package = f"<package><manifest>{items}</manifest><spine>{listed}</spine></package>"
    return book(f"<p>{WORDS}<i></i>{'<br>' * 30_000}", package=package)


def css(sheet: str, body: str) -> bytes:
    return f"<style>{sheet}</style>{body}<p>{WORDS}".encode()


def drawn(operators: bytes, times: int) -> bytes:
    """Return a PDF of one page with a line of text and a drawing."""
    said = b"BT /F1 12 Tf 50 700 Td (%s) Tj ET " % WORDS.encode()
    content = zlib.compress(said + operators * times, 9)
    return page_of(content, "FlateDecode").replace(
        b"/MediaBox [0 0 300 300]",
        b"/MediaBox [0 0 612 792] /Resources <</Font <</F1 <</Type /Font /Subtype /Type1 "
        b"/BaseFont /Helvetica>>>>>>",
    )


def page_repeated() -> bytes:
    return pdf(
        "<</Type /Catalog /Pages 2 0 R>>",
        f"<</Type /Pages /Count 20000 /Kids [{'3 0 R ' * 20_000}]>>",
        "<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300]>>",
    )


HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "one chunk many times": ("docx", chunks),
    "documents in a document": ("docx", chunk_of_itself),
    "one diagram many times": ("docx", diagrams),
    "frames in frames": ("docx", frames_in_frames),
    "styles based on each other": (
        "docx",
        lambda: docx("", styles_xml=based_on_each_other(20_000)),
    ),
    "styles of OpenDocument": ("odt", odt_styles),
    "headers in headers": ("odt", odt_heads),
    "one chart many times": ("pptx", slides_of_one_diagram),
    "pictures in pictures": ("pptx", pictures_in_pictures),
    "one slide many times": ("ppt", one_slide_many_times),
    "one page many times": ("epub", one_page_many_times),
    "descendants": (
        "html",
        lambda: css((" ".join(["div"] * 3_000) + " *{display:none}") * 5, "<div>" * 3_000),
    ),
    "siblings": ("html", lambda: css("i ~ " * 3_000 + "i{color:#fff}", "<i></i>" * 20_000)),
    "has in has": (
        "html",
        lambda: css(
            ":has(:has(:has(p))) > * ~ *{color:#fff}" * 100,
            ("<div>" * 30 + "a" + "</div>" * 30) * 500,
        ),
    ),
    "is in is": (
        "html",
        lambda: css(":is(" * 300 + "div div div p" + ")" * 300 + "{color:#fff}", "<div>" * 900),
    ),
    "chains inside not": (
        "html",
        lambda: css(":not(div div div div div b){color:#fff}" * 50, "<div>" * 2_000),
    ),
    "children by number": (
        "html",
        lambda: css(
            "".join(f"i:nth-child({n}n+1){{color:#fff}}" for n in range(200)), "<i>a</i>" * 20_000
        ),
    ),
    "all nodes by many selectors": (
        "html",
        lambda: css(
            "".join(f"div *:not(.a{n}){{color:#ffe}}" for n in range(4_000)), "<div>" * 9_000
        ),
    ),
    "one selector many times": ("html", lambda: css("*:not(a){color:#ffe}" * 5_000, "<b>" * 9_000)),
    "many selectors of one block": (
        "html",
        lambda: css("a," * 20_000 + "b{" + "c:d;" * 20_000 + "}", ""),
    ),
    "many attributes drawn": (
        "html",
        lambda: css("".join(f".a{{content:attr(b{n})}}" for n in range(4_000)), "<b>" * 25_000),
    ),
    "dots beside letters": (
        "html",
        lambda: (
            f'<p>{"." * 90_000}<span style="color:#fff">{"a<br>" * 20_000}</span>{WORDS}'.encode()
        ),
    ),
    "shapes": ("pdf", lambda: drawn(b"1 g 9 9 30 12 re f ", 80_000)),
    "lines across the page": ("pdf", lambda: drawn(b"0 0 m 612 792 l S ", 40_000)),
    "one line of many bends": (
        "pdf",
        lambda: drawn(b"0 0 m " + b"600 9 l 3 700 l " * 90_000 + b"S ", 1),
    ),
    "one page of a PDF many times": ("pdf", page_repeated),
    "field of a field": (
        "rtf",
        lambda: b"{\\rtf1{\\fldinst " + b"a\\b " * 90_000 + b"}" + WORDS.encode() + b"}",
    ),
}

REFUSED = {
    "one chunk many times": "too_long",
    "one slide many times": "damaged",
    "one page of a PDF many times": "damaged",
}
UNCHECKED = ("descendants", "siblings", "has in has", "is in is", "chains inside not", "shapes")


@pytest.mark.parametrize("name", HOSTILE)
def test_small_file_costs_little(name: str) -> None:
    suffix, make = HOSTILE[name]
    data = make()
    assert len(data) < 600_000
    began = time.process_time()
    try:
        read = extract(data, suffix=suffix)[1]
    except Unreadable as reason:
        assert reason.code == REFUSED.get(name)
    else:
        assert WORDS.strip() in read.text
        assert name not in UNCHECKED or "unchecked" in {note.code for note in read.notes}
    assert time.process_time() - began < SECONDS


# ------------------------------------------------------------------------ selectors

PIECES = st.sampled_from(["a", "b", ".x", "b.x", "*", "[k]", ":not(.x)", "a:nth-child(2n + 1)"])
SELECTORS = st.builds(
    lambda first, rest: first + "".join(sign + one for sign, one in rest),
    PIECES,
    st.lists(st.tuples(st.sampled_from([" ", " > ", "+", " ~ ", ", "]), PIECES), max_size=3),
)
PAGES = st.recursive(
    st.sampled_from(["t", "<a></a>", "<b class=x></b>", "<!--c-->"]),
    lambda inside: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag.split()[0]}>",
        st.sampled_from(["i", "b", "b class=x", "u k=1"]),
        st.lists(inside, max_size=4),
    ),
    max_leaves=20,
)


@given(PAGES, SELECTORS)
def test_selectors_find_what_lexbor_finds(page: str, selector: str) -> None:
    tree = LexborHTMLParser(page)
    expected = {node.mem_id for node in tree.css(selector)}
    assert set(SelectorSearch(tree).find(selector)) == expected


def test_selectors_find_all_that_follows_or_cost_too_much() -> None:
    tree = LexborHTMLParser("<i><i><a></a></i><a></a><a></a></i>")
    assert len(SelectorSearch(tree).find(":has(a) ~ a")) == 2  # lexbor finds the first alone
    tree = LexborHTMLParser("<div>" * 300 + "<p>x")
    search = SelectorSearch(tree)
    with pytest.raises(TooMuch):
        search.find(":has(:has(:has(:has(p))))")
    assert len(search.find("div > p")) == 1
