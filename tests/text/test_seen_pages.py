"""What the eye sees of a PDF against what the file says: named where they differ, nowhere else."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from simhash_core.model import Difference, Note
from simhash_core.text.extract import extract
from simhash_core.text.reading import document_of
from simhash_core.text.recognition import recognition_installed
from tests.text.seen_pages import DISGUISED, fonts, honest

SCANNED = "words of another text under a scan"  # seen by reading the scan
#: what may be said of an honest page
HONEST = {"text_layer"}
KINDS = {
    "words on a layer that is off": "blank",
    "words behind a mask": "blank",
    "white letters between letters": "same_colour",
    "words clipped in a form": "blank",
    "words under a rounded sheet": "blank",
    "words under a gradient": "blank",
    "words under strips": "blank",
    "words under a form": "blank",
    "words under a white picture": "under_picture",
    "words in a font without outlines": "blank",
    "white words on a white picture": "blank",
    "white words": "same_colour",
    "blue words on blue": "same_colour",
    "black words on black": "same_colour",
    "words that only clip": "blank",
    "words outside of the crop": "off_page",
    "words left of the page": "off_page",
    "words made small": "tiny",
    "white words on a page that is turned": "same_colour",
    SCANNED: "under_picture",
}
#: drawn in Chinese: without a font of the system there are no letters to look at
CHINESE = {"words under a rounded sheet", "words under a white picture"}


def differences(notes: tuple[Note, ...]) -> list[Difference]:
    return [Difference(*place) for note in notes for place in note.params.get("places", ())]


@pytest.mark.parametrize("name", DISGUISED)
def test_words_that_nobody_sees_are_named(name: str) -> None:
    if name in CHINESE and len(fonts("zh")) == 1:
        pytest.skip("no Chinese font with outlines")
    if name == SCANNED and not recognition_installed():
        pytest.skip("needs leitong[ocr]")
    _, found = extract(DISGUISED[name](), suffix="pdf")
    told = differences(found.notes)

    assert {one.kind for one in told} == {KINDS[name]}
    assert sum(one.n for one in told) > 200
    assert all(one.said.strip() for one in told)
    (page,) = found.pictures
    assert max(Image.open(io.BytesIO(page.jpeg.tobytes())).size) <= 1200
    left = found.text if told[0].kind != "under_picture" else ""
    assert told[0].said.split()[0] not in left.split()


@pytest.mark.parametrize(
    "name", ["words on a layer that is off", "white words", "words left of the page"]
)
def test_what_the_file_says_is_the_other_reading(name: str) -> None:
    kind, found = extract(DISGUISED[name](), suffix="pdf")
    document = document_of(found, name="a.pdf", kind=kind)
    (place,) = differences(found.notes)

    assert document.other is not None
    assert document.text == found.text
    here, there = ("".join(one.text.split()) for one in (document, document.other))
    start = "".join(place.said.split())[:40]
    assert start not in here
    assert start in there
    (note,) = document.other.notes
    assert (note.code, note.params["places"]) == ("as_written", (tuple(place),))
    assert abs(len(there) - len(here) - place.n) <= 1  # a hyphen at the end of a line


def test_an_honest_page_and_words_that_only_recognition_reads_have_no_other_reading() -> None:
    for data in (honest(3), DISGUISED["words of another text under a scan"]()):
        kind, found = extract(data, suffix="pdf")
        assert document_of(found, name="a.pdf", kind=kind).other is None


def test_a_finding_of_many_places_shows_the_first_with_what_stands_around_it() -> None:
    _, found = extract(DISGUISED["white letters between letters"](), suffix="pdf")
    (place,) = differences(found.notes)

    assert place.times > 100
    assert place.seen == "".join(
        letter
        for at, letter in enumerate(place.said)
        if not any(start <= at < end for start, end in place.marks)
    )
    assert set("xqzkj") & set(place.said)
    assert not set("xqzkj") & set(found.text)


def flagged(seeds: range) -> dict[int, list[str]]:
    told = {
        seed: [note.code for note in extract(honest(seed), suffix="pdf")[1].notes] for seed in seeds
    }
    return {seed: codes for seed, codes in told.items() if not HONEST.issuperset(codes)}


@pytest.mark.long
def test_none_of_two_hundred_honest_documents_is_flagged() -> None:
    assert flagged(range(200)) == {}
