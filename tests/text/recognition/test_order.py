"""Lines of a page come in the order in which they are read."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simhash_core.model import U8
from simhash_core.text.recognition import Line
from simhash_core.text.recognition.order import read_page

PAGE = np.full((1000, 800), 255, np.uint8)


def line(text: str, left: float, top: float, right: float, *, height: float = 20) -> Line:
    return Line(text, left, top, right, top + height, 0.99, slope=0.0)


def shuffled(lines: Sequence[Line]) -> list[Line]:
    mixed = list(lines)
    random.Random(3).shuffle(mixed)
    return mixed


def askew(lines: Sequence[Line], degrees: float) -> list[Line]:
    """Return the lines of a sheet that was laid askew."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turned = []
    for one in lines:
        x, y = one.middle
        u, v = x * cos - y * sin, x * sin + y * cos
        w, h = (one.right - one.left) / 2, (one.bottom - one.top) / 2 + abs(sin) * 100
        slope = math.tan(math.radians(degrees))
        turned.append(Line(one.text, u - w, v - h, u + w, v + h, 0.99, slope=slope))
    return turned


@dataclass(frozen=True)
class Known:
    """Sees given lines on each side of a sheet, by the quarters that it was turned."""

    sides: tuple[list[Line], ...]
    recipe: str = "known"

    def __call__(self, picture: U8) -> list[Line]:
        return self.sides[int(picture[0, 0])]


def sheet(corners: Sequence[int]) -> U8:
    """A picture whose upper left pixel says which side is up."""
    picture = PAGE[:800, :].copy()
    picture[0, 0], picture[0, -1], picture[-1, -1], picture[-1, 0] = corners
    return picture


def ordered(lines: list[Line]) -> list[Line]:
    return list(read_page(Known((lines,)), sheet((0, 0, 0, 0))).lines)


def texts(lines: Sequence[Line]) -> str:
    return " ".join(one.text.strip() for one in lines)


ROWS = [line(f"r{n}", 100, 100 + 30 * n, 700) for n in range(12)]
COLUMNS = [
    *[line(f"a{n}", 100, 100 + 30 * n, 390) for n in range(12)],
    *[line(f"b{n}", 430, 105 + 30 * n, 720) for n in range(12)],
]


def test_lines_come_in_the_order_of_reading() -> None:
    assert texts(ordered(shuffled(ROWS))) == texts(ROWS)
    title = line("title", 150, 30, 680, height=30)
    assert texts(ordered(shuffled([title, *COLUMNS]))) == texts([title, *COLUMNS])
    assert texts(ordered(shuffled(askew(COLUMNS, 3)))) == texts(COLUMNS)
    below = [line(one.text.upper(), one.left, one.top + 500, one.right) for one in COLUMNS]
    across = line("heading", 110, 520, 700)
    wanted = [*COLUMNS, across, *below]
    assert texts(ordered(shuffled(wanted))) == texts(wanted)


def test_pieces_of_a_row_are_one_line_with_their_unsure_places() -> None:
    pieces = [
        Line("left", 100, 100, 300, 120, 1.0, ((1, 2),), 0.0),
        Line("right", 320, 101, 600, 121, 0.5, ((0, 1),), 0.0),
    ]
    (row,) = read_page(Known((pieces,)), sheet((0, 0, 0, 0))).lines

    assert row.text == "left right"
    assert row.unsure == ((1, 2), (5, 6))
    assert (row.left, row.right) == (100, 600)
    assert row.confidence == (4 * 1.0 + 5 * 0.5) / 9


def test_an_indented_row_begins_with_a_wide_space() -> None:
    rows = [line("first", 140, 100, 700), *(line("more", 100, 130 + 30 * n, 700) for n in range(3))]
    page = read_page(Known((rows,)), sheet((0, 0, 0, 0)))

    assert page.text == ["\u3000first", "more", "more", "more"]


def test_vertical_writing_is_read_from_right_to_left() -> None:
    columns = [Line(f"c{n}", 600 - 40 * n, 50, 620 - 40 * n, 700, 0.99) for n in range(8)]
    nothing: list[Line] = []
    page = read_page(Known((shuffled(columns), nothing, nothing)), sheet((0, 1, 2, 2)))

    assert (texts(page.lines), page.turned) == (texts(columns), 0)


def test_a_sheet_on_its_side_or_its_head_is_turned() -> None:
    tall = [Line("??", 100 + 30 * n, 50, 120 + 30 * n, 700, 0.6) for n in range(8)]
    page = read_page(Known((tall, ROWS, tall)), sheet((0, 1, 2, 2)))
    assert (texts(page.lines), page.turned) == (texts(ROWS), 1)
    unclear = [Line("??", 100, 100 + 30 * n, 700, 120 + 30 * n, 0.55) for n in range(8)]
    page = read_page(Known((unclear, ROWS)), sheet((0, 2, 1, 2)))
    assert (texts(page.lines), page.turned) == (texts(ROWS), 2)


def test_an_empty_page_has_no_lines() -> None:
    assert read_page(Known(([],)), sheet((0, 0, 0, 0))).lines == ()
