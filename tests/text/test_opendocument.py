"""OpenDocument texts and slides: every kind of text once, what nobody sees left out."""

from __future__ import annotations

import contextlib
import time

import pytest
from text.handmade import ODF_SLIDES, ODF_SPACES, ODF_TEXT, code_of, opendocument, zipped

from simhash_core.errors import Unreadable
from simhash_core.text.extract import extract
from simhash_core.text.extract.extracted import Extracted

LOCKED = {"META-INF/manifest.xml": "<m:encryption-data/>", "content.xml": b"\x00\x01"}
SEEN = "Words that a reader sees on the page, and which are more than five."


def styles(masters: str = "", named: str = "") -> str:
    return (
        f"<office:document-styles {ODF_SPACES}><office:styles>{named}</office:styles>"
        f"<office:master-styles>{masters}</office:master-styles></office:document-styles>"
    )


def read(data: bytes, suffix: str = "odt") -> Extracted:
    kind, found = extract(data, suffix=suffix)
    assert kind == suffix
    return found


def counts(found: Extracted) -> dict[str, object]:
    return {note.code: note.params["n"] for note in found.notes}


def test_odt_reads_every_kind_of_text_once() -> None:
    head = "<style:header><text:p>HEAD</text:p></style:header>"
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><dc:creator>Wu</dc:creator>"
        "<text:p>struck out by somebody</text:p></text:deletion></text:changed-region>"
        "</text:tracked-changes><text:sequence-decls/>"
        "<text:h>Plain   <text:a>LINK</text:a></text:h>"
        "<text:p>汉<text:span>字</text:span><text:note><text:note-citation>1</text:note-citation>"
        "<text:note-body><text:p>NOTE</text:p></text:note-body></text:note>"
        "<office:annotation><dc:creator>Li</dc:creator><text:p>why</text:p></office:annotation>"
        "<draw:frame><draw:text-box><text:p>BOX</text:p></draw:text-box></draw:frame>end</text:p>"
        "<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>A1</text:p></table:table-cell>"
        "<table:table-cell><text:p>B1</text:p></table:table-cell></table:table-row>"
        "<table:table-row><table:table-cell><text:p>C1</text:p><text:p>C2</text:p>"
        "</table:table-cell><table:table-cell/></table:table-row></table:table>"
        '<text:p>tab<text:tab/>stop<text:line-break/>line<text:s text:c="3"/>x<text:s/>'
        "<text:ruby><text:ruby-base>注</text:ruby-base><text:ruby-text>zhu</text:ruby-text>"
        "</text:ruby></text:p>"
    )
    meta = (
        f"<office:document-meta {ODF_SPACES}><office:meta><dc:title>T</dc:title>"
        "<meta:initial-creator>Wu</meta:initial-creator><dc:creator>Li</dc:creator>"
        "</office:meta></office:document-meta>"
    )
    masters = f"<style:master-page>{head}</style:master-page>" * 2
    found = read(opendocument(body, styles_xml=styles(masters), meta_xml=meta))

    assert found.text == (
        "Plain LINK\n汉字end\nBOX\nitem\nA1\tB1\nC1\nC2\t\ntab\tstop\nline   x 注\nNOTE\nHEAD\n"
    )
    assert counts(found) == {"deleted": 22, "comments": 1}
    assert found.meta == {"title": "T", "author": "Wu", "editor": "Li"}


def style(letters: str, around: str = "", name: str = "Z", parent: str = "") -> str:
    return (
        f'<style:style style:name="{name}" style:parent-style-name="{parent}">'
        f"<style:paragraph-properties {around}/><style:text-properties {letters}/></style:style>"
    )


@pytest.mark.parametrize(
    ("automatic", "seen"),
    [
        (style('text:display="none"'), False),
        (style('fo:color="#ffffff"'), False),
        (style('fo:color="#fafafa"'), False),
        (style('fo:color="#000000"'), True),
        (style('fo:color="#ffffff" fo:background-color="#000080"'), True),
        (style('fo:color="#000000" fo:background-color="#000000"'), False),
        (style('fo:color="#ffffff"', 'fo:background-color="#000080"'), True),
        (style('fo:color="#ffffff" style:use-window-font-color="true"'), True),
        (style('fo:font-size="3pt"'), False),
        (style('fo:font-size="12pt"'), True),
        (style('fo:font-size="50%"'), True),
        (style("", parent="Y") + style('text:display="none"', name="Y", parent="Z"), False),
        (style('text:display="true"', parent="Y") + style('text:display="none"', name="Y"), True),
    ],
)
def test_odt_leaves_out_what_nobody_sees(automatic: str, seen: bool) -> None:
    body = f'<text:p>{SEEN}<text:span text:style-name="Z">zebra</text:span></text:p>'
    found = read(opendocument(body, automatic=automatic))

    assert ("zebra" in found.text) == seen
    assert counts(found) == ({} if seen else {"left_out": 5})


def test_odt_leaves_out_a_section_that_is_hidden() -> None:
    section = '<text:section text:display="none"><text:p>zebra</text:p></text:section>'
    assert counts(read(opendocument(f"<text:p>{SEEN}</text:p>{section}"))) == {"left_out": 5}


def test_odt_does_not_judge_colours_on_a_ground_that_is_not_known() -> None:
    white = style('fo:color="#ffffff"')
    body = f'<text:p>{SEEN}<text:span text:style-name="Z">zebra</text:span></text:p>'
    page = '<style:page-layout-properties fo:background-color="#112233"/>'
    dark = f"<office:s {ODF_SPACES}>{page}</office:s>"
    cell = (
        '<style:style style:name="C"><style:table-cell-properties fo:background-color="#112233"/>'
        "</style:style>"
    )
    in_cell = f'<table:table-cell table:style-name="C">{body}</table:table-cell>'

    for data in (
        opendocument(body, automatic=white, styles_xml=dark),
        opendocument(in_cell, automatic=white + cell),
    ):
        assert "zebra" in read(data).text


def test_odp_reads_slides_and_then_what_the_speaker_says() -> None:
    hidden = (
        '<style:style style:name="H"><style:drawing-page-properties '
        'presentation:visibility="hidden"/></style:style>'
    )
    slide = (
        '<draw:page draw:style-name="{}"><draw:frame><draw:text-box><text:p>{}</text:p>'
        "</draw:text-box></draw:frame><draw:frame><draw:image/></draw:frame>"
        "<presentation:notes><draw:frame><draw:text-box><text:p>{}</text:p></draw:text-box>"
        "</draw:frame></presentation:notes></draw:page>"
    )
    body = slide.format("A", SEEN, "to be said") + slide.format("H", "second slide", "and this")
    found = read(opendocument(body, automatic=hidden, kind=ODF_SLIDES), "odp")

    assert found.text == f"{SEEN}\nsecond slide\nto be said\nand this\n"
    assert counts(found) == {"pictures": 2, "speaker_notes": 15, "hidden_slides": 1}


@pytest.mark.parametrize(
    ("data", "suffix", "code"),
    [
        (opendocument("<draw:frame><draw:image/></draw:frame>"), "odt", "scanned"),
        (opendocument("<text:p>" * 500 + "</text:p>" * 500), "odt", "damaged"),
        (opendocument(f"<text:p>{'x' * 2_000_001}</text:p>"), "odt", "too_long"),
        (b"no zip at all", "odt", "damaged"),
        (zipped({"mimetype": ODF_TEXT, **LOCKED}), "odt", "encrypted"),
    ],
)
def test_opendocument_that_cannot_be_read_is_named(data: bytes, suffix: str, code: str) -> None:
    assert code_of(data, suffix) == code


def test_opendocument_is_told_under_any_suffix() -> None:
    data = opendocument(f"<text:p>{SEEN}</text:p>")
    for suffix in ("docx", "txt", "zip", "doc", ""):
        assert extract(data, suffix=suffix)[0] == "odt"


@pytest.mark.parametrize("name", ["text:p", "text:deletion", "text:span", "draw:frame", "text:s"])
def test_hostile_opendocument_ends_soon(name: str) -> None:
    began = time.perf_counter()
    for body in (f"<{name}>" * 5_000 + f"</{name}>" * 5_000, f"<{name}/>" * 20_000):
        with contextlib.suppress(Unreadable):
            extract(opendocument(f"<text:p>{SEEN}</text:p>{body}"), suffix="odt")
    assert time.perf_counter() - began < 5
