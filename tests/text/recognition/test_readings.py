"""Pages that are read twice: told without models, by a reader that knows what each line shows."""

from __future__ import annotations

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from simhash_core.model import U8, Difference
from simhash_core.text.extract import pdf
from simhash_core.text.recognition import Line
from simhash_core.text.recognition.order import Page
from simhash_core.text.recognition.readings import different_readings, misread_pages

SAID = ("Gur svefg yvar bs gur cntr", "naq gur frpbaq yvar bs vg", "gur guveq naq ynfg yvar urer")
SEEN = ("The first line of the page", "and the second line of it", "the third and last line here")


def made(*pages: tuple[str, ...]) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(400, 400))
    for rows in pages:
        for number, row in enumerate(rows):
            canvas.drawString(40, 300 - 30 * number, row)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


class Knows:
    """Reads lines from a list, with some confidence."""

    def __init__(self, *lines: str, sure: float = 0.99) -> None:
        self.lines, self.sure, self.shapes = list(lines), sure, list[tuple[int, ...]]()

    def line(self, picture: U8) -> tuple[str, float]:
        self.shapes.append(picture.shape)
        return self.lines[(len(self.shapes) - 1) % len(self.lines)], self.sure


def test_a_font_whose_lines_show_other_words_names_its_pages() -> None:
    data = made(SAID, SAID[:1])
    reader = Knows(*(line.translate(str.maketrans("", "", " ")) for line in SEEN))

    assert misread_pages(data, reader) == ["0", "1"]
    assert len(reader.shapes) == 3
    assert all(4 * height < width for height, width in reader.shapes)


def test_honest_lines_and_those_that_cannot_be_read_name_nothing() -> None:
    data = made(SEEN)
    longest = sorted(SEEN, key=lambda line: -len(line.replace(" ", "")))
    assert misread_pages(data, Knows(*longest)) == []
    assert misread_pages(data, Knows("something else", sure=0.5)) == []
    reader = Knows("x")
    assert (
        misread_pages(made(("short", "...... ---- ......", "{} () [] <> && || ==")), reader) == []
    )
    assert reader.shapes == []


def page(*rows: str, turned: int = 0) -> Page:
    lines = tuple(
        Line(row, 60, 140 + 60 * n, 700, 220 + 60 * n - 20, 0.98) for n, row in enumerate(rows)
    )
    return Page(800, 800, turned, lines)


def test_both_readings_of_lines_are_noted_with_their_places() -> None:
    data = made((SAID[0], SEEN[1], SAID[2]))
    (note,) = different_readings(data, {"0": page(*SEEN)})
    first, last = (Difference(*place) for place in note.params["places"])
    assert (note.code, note.params["n"]) == ("remapped", 21 + 23)
    assert (first.kind, first.page, first.seen) == ("remapped", 0, SEEN[0])
    assert first.said.replace(" ", "") == SAID[0].replace(" ", "")
    assert first.box == (75, 175, 875, 250)
    assert last.seen == SEEN[2]
    (note,) = different_readings(made(SAID), {"0": page(*SEEN)})
    (place,) = (Difference(*one) for one in note.params["places"])
    assert place.seen == " ".join(SEEN)
    assert place.box[1] < place.box[3]


def test_the_same_words_are_no_difference_whatever_their_marks() -> None:
    data = made(SEEN)
    read = page(*(row.replace(" ", "  ") + "." for row in SEEN))

    assert different_readings(data, {"0": read}) == ()
    assert different_readings(data, {"0": page(*SAID, turned=1)}) == ()


@pytest.mark.parametrize("share", [0.2, 0.6])
def test_a_text_of_signs_without_meaning_is_told_and_its_pages_can_be_looked_at(
    share: float,
) -> None:
    lettered = pdf._is_unmapped("\ue000" * int(100 * share) + "a" * int(100 * (1 - share)))

    assert lettered is (share > 0.3)
