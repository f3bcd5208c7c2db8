"""Names are hidden everywhere, also inside the texts, and nothing else is."""

from __future__ import annotations

import pytest

from simhash_core.model import Document
from simhash_core.report.anonymity import Mask, hider
from simhash_core.report.visible import one_line, visible

CLASS = [
    Document.from_text("x", name="初二4班-2023001-刘子墨-时间账.docx", number="2023001"),
    Document.from_text("x", name="03-emma-clarke.pdf", author="Emma Clarke"),
    Document.from_text("x", name="homework final.txt"),
]


@pytest.fixture(scope="module")
def hide():  # type: ignore[no-untyped-def]
    return hider(CLASS, lambda row: f"甲{row + 1:03d}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("刘子墨写的", "甲001写的"),
        ("学号 2023001。", "学号 甲001。"),
        ("By Emma Clarke, form 9", "By 甲002, form 9"),
        ("CLARKE, EMMA", "甲002"),
        ("emma_clarke", "甲002"),
        ("Emma said", "甲002 said"),
        ("the dilemma of Clarkeson", "the dilemma of Clarkeson"),
        ("the final homework", "the final homework"),
        ("", ""),
    ],
)
def test_names_inside_a_text_become_numbers(hide, text: str, shown: str) -> None:  # type: ignore[no-untyped-def]
    assert hide(text).cut(0, len(text)) == shown


def test_a_name_across_the_border_of_two_runs_stands_once() -> None:
    mask = Mask("0123456789", ((3, 6, "X"),))

    for cut in range(11):
        assert mask.cut(0, cut) + mask.cut(cut, 10) in ("012X6789", "012X6789")
    assert mask.cut(4, 5) == ""


def test_without_names_nothing_is_hidden() -> None:
    hide = hider([Document.from_text("x", name="1.txt")], str)

    assert hide("一 1").cut(0, 3) == "一 1"


def test_marks_that_drive_a_screen_become_visible() -> None:
    assert visible("a\u202eb\x1b[2J\u2066") == "a[U+202E]b[U+001B][2J[U+2066]"
    assert visible("一\t二\n三") == "一\t二\n三"
    assert one_line("a\n\u200fb") == "a [U+200F]b"
