"""The percentages that the cases state, as a check reports them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import leitong as lt

from .conftest import shares

#: folder -> suffix of the files that hold the text of a plain one
WHOLE = {
    **dict.fromkeys(("01-docx-backslash", "02-docx-part-case", "19-docx-revisions"), "docx"),
    **dict.fromkeys(("08-pdf-fakebold", "09-pdf-line-numbers", "10-pdf-columns"), "pdf"),
    **dict.fromkeys(("11-pdf-actualtext", "13-pdf-layers", "14-pdf-rotated"), "pdf"),
    **dict.fromkeys(("15-pdf-vertical", "17-pdf-hyphens"), "pdf"),
    "20-html-inline": "html",
    "33-latex": "tex",
    "37-markdown": "md",
    "40-inside-words": "txt",
}
#: files that hold something beside the text, or another one
OTHERS = ("expected", "layer-visible", "footnote-between", "dropdown", "template", "shy-wbr")
WHOLE_SHARE = 0.98  # numbers and notes of a macro or a footnote are words of one of the two


@pytest.mark.parametrize("folder", WHOLE)
def test_a_file_of_the_text_is_the_whole_of_it(cases: Path, folder: str, tmp_path: Path) -> None:
    plain = [*(cases / folder).rglob("plain*.txt")]
    files = [
        one
        for one in (cases / folder).rglob(f"*.{WHOLE[folder]}")
        if one not in plain and not one.stem.startswith(OTHERS)
    ]
    for one in (*files, *plain):
        shutil.copy(one, tmp_path)
    found = shares(tmp_path)
    least = {
        one.name: max(min(found.get(tuple(sorted((one.name, two.name))), (0, 0))) for two in plain)
        for one in files
    }

    assert files
    assert {name: share for name, share in least.items() if share < WHOLE_SHARE} == {}


@pytest.mark.parametrize(
    ("page", "other", "expected", "run"),
    [("two", "other.txt", (0.17, 0.50), 72), ("zh-two", "zh-other.txt", (0.25, 0.63), 107)],
)
@pytest.mark.parametrize("how", ["by-columns", "row-by-row"])
def test_a_paragraph_of_a_page_in_columns(
    cases: Path, page: str, other: str, expected: tuple[float, float], run: int, how: str
) -> None:
    folder = cases / "10-pdf-columns-partial"
    (pair,) = lt.check([str(folder / f"{page}-{how}.pdf"), str(folder / other)]).pairs()

    assert (pair["coverage_a"], pair["coverage_b"]) == pytest.approx(expected, abs=0.005)
    assert pair["longest"] == run


def test_bundles_of_a_mac_are_equal(cases: Path) -> None:
    assert set(shares(cases / "05-mac-bundles").values()) == {(1, 1)}
