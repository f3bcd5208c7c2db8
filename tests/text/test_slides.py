"""Presentations new and old: the slides as they were saved last, then what the speaker says."""

from __future__ import annotations

import contextlib
import struct
import time
from io import BytesIO

import pytest
from PIL import Image
from text.handmade import (
    PPTX_NAMES,
    code_of,
    compound,
    held,
    ppt,
    pptx,
    record,
    relations,
    shape,
    wide,
)

from simhash_core.errors import Unreadable
from simhash_core.text.extract import extract, slides
from simhash_core.text.extract.extracted import Extracted

SEEN = "Words that somebody reads on a slide, and which are more than five."


def counts(found: Extracted) -> dict[str, object]:
    return {note.code: note.params["n"] for note in found.notes}


def test_pptx_reads_every_kind_of_text_once_in_the_order_of_the_slides() -> None:
    first = (
        ">" + shape("first slide") + shape("7", "sldNum") + shape("zebra", properties='sz="300"')
    )
    second = (
        ' show="0">' + shape(SEEN, "title") + "<p:pic/>"
        "<mc:AlternateContent><mc:Choice>" + shape("CHOICE") + "</mc:Choice><mc:Fallback>"
        + shape("FALLBACK") + "</mc:Fallback></mc:AlternateContent>"
        "<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>A1</a:t></a:r><a:br/><a:fld><a:t>F</a:t></a:fld>"
        "</a:p></a:txBody></a:tc></a:tr></a:tbl>"
    )  # fmt: skip
    found = extract(pptx(first, second, order="r1 r0 r1 r9"), suffix="pptx")

    assert found[0] == "pptx"
    assert found[1].text == f"{SEEN}\nCHOICE\nA1\nF\nfirst slide\n\n"
    assert counts(found[1]) == {"left_out": 5, "pictures": 1, "hidden_slides": 1}


def with_picture(words: str) -> bytes:
    """A slide with some words and a picture, another with none."""
    blip = '<p:pic><p:blipFill><a:blip r:embed="r0"/></p:blipFill></p:pic>'
    picture = BytesIO()
    Image.effect_noise((80, 60), 60).save(picture, "PNG")
    more = {
        "ppt/slides/_rels/slide0.xml.rels": relations(("image", "../media/scan.png")),
        "ppt/media/scan.png": picture.getvalue(),
    }
    return pptx(">" + shape(words) + blip, ">" + shape("The second slide."), more=more)


def test_pictures_on_slides_can_be_looked_at_and_their_lines_join_the_slide() -> None:
    data = with_picture("The first slide.")
    (part,) = slides.parts(data)
    _, plain = extract(data, suffix="pptx")
    _, found = extract(data, suffix="pptx", recognised={part: ["words of the", "picture"]})

    assert part == "ppt/media/scan.png"
    assert slides.picture(data, part).shape == (60, 80)
    assert counts(plain) == {"pictures": 1}
    assert counts(found) == {}
    assert found.text.split() == [
        *["The", "first", "slide.", "words", "of", "the", "picture", "The", "second", "slide."]
    ]


def test_pptx_reads_diagrams_and_then_what_the_speaker_says() -> None:
    parts = {
        "ppt/slides/_rels/slide0.xml.rels": relations(
            ("diagramData", "../d.xml"), ("notesSlide", "../n.xml"), ("comments", "../c.xml")
        ),
        "ppt/d.xml": f"<a:d {PPTX_NAMES}><a:p><a:r><a:t>DIAGRAM</a:t></a:r></a:p></a:d>",
        "ppt/n.xml": f"<p:n {PPTX_NAMES}>{shape('SAID', 'body')}{shape('x', 'ftr')}</p:n>",
        "ppt/c.xml": f"<p:c {PPTX_NAMES}><p:cm/><p:cm/></p:c>",
        "docProps/core.xml": "<c><title>T</title><creator>Wu</creator></c>",
    }
    _, found = extract(pptx(">" + shape(SEEN), order="r0", more=parts), suffix="")

    assert found.text == f"{SEEN}\nDIAGRAM\nSAID\n"
    assert counts(found) == {"comments": 2, "speaker_notes": 4}
    assert found.meta == {"title": "T", "author": "Wu"}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (pptx("><p:pic/>", order="r0"), "scanned"),
        (pptx("><p:broken>", order="r0"), "damaged"),
        (pptx(order="")[:300], "damaged"),
    ],
)
def test_pptx_that_cannot_be_read_is_named(data: bytes, code: str) -> None:
    assert code_of(data, "pptx") == code


# ------------------------------------------------------------------------------ before 2007


def test_ppt_reads_the_slides_and_then_what_the_speaker_says() -> None:
    persist = [record(0x03F3, struct.pack("<5I", n, 0, 0, 0, 0)) for n in range(6)]
    slides = held(
        0x0FF0, persist[2], wide("外 outline\x0bof it"), persist[3], persist[2], persist[5]
    )
    spoken = held(0x0FF0, persist[4], instance=2)
    master = held(0x0FF0, persist[4], instance=1)
    document = held(0x03E8, master, slides, spoken)
    art = held(0xF002, record(0xF00D, record(0x0FA8, b"caf\xe9 box\rline")))
    first = held(0x03EE, wide("外 outline\x0bof it"), wide("*"), art)
    hidden = record(0x03F9, bytes(10) + b"\x04\x00" + bytes(4))
    second = held(0x03EE, hidden, wide(SEEN))
    said = held(0x03F0, wide("to be said"))
    kind, found = extract(ppt([document, first, second, said]), suffix="dps")

    assert kind == "ppt"
    assert found.text == f"外 outline\nof it\ncafé box\nline\n{SEEN}\nto be said\n"
    assert counts(found) == {"speaker_notes": 8, "hidden_slides": 1}
    assert found.meta == {"title": "T"}


def test_ppt_without_a_directory_gives_what_it_holds_and_pictures_are_a_scan() -> None:
    _, found = extract(ppt([held(0x03EE, wide(SEEN))], user=False), suffix="ppt")
    assert found.text == f"{SEEN}\n"
    pictures = record(0xF01D, bytes(90)) + record(0xF01E, bytes(9))
    data = compound({"PowerPoint Document": record(0x03E8, b""), "Pictures": pictures})
    assert code_of(data, "ppt") == "scanned"


def test_ppt_that_cannot_be_read_is_named() -> None:
    deep = held(0x03EE)
    for _ in range(90):
        deep = held(0xF002, deep)

    assert code_of(ppt([held(0x03E8)], encrypted=True), "ppt") == "encrypted"
    assert code_of(ppt([deep], user=False), "ppt") == "damaged"
    assert code_of(b"no compound file", "ppt") == "damaged"


def test_hostile_slides_end_soon() -> None:
    nested = ">" + "<p:sp>" * 5_000 + "</p:sp>" * 5_000
    circle = ppt([held(0x03E8, held(0x0FF0, *[record(0x03F3, struct.pack("<I", 1))] * 50_000))])
    began = time.perf_counter()
    for data, suffix in ((pptx(nested, order="r0"), "pptx"), (circle, "ppt")):
        with contextlib.suppress(Unreadable):
            extract(data, suffix=suffix)
    assert time.perf_counter() - began < 5
