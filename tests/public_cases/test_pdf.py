"""PDFs that are drawn in another order than they are read, or whose page is no text."""

from __future__ import annotations

from pathlib import Path

import pytest

from simhash_core.text.extract.pdf import extract

from .conftest import Texts

SAME = {
    "08-pdf-fakebold": 7,
    "09-pdf-line-numbers": 2,
    "10-pdf-columns": 3,
    "11-pdf-actualtext": 1,
    "13-pdf-layers": 5,
    "14-pdf-rotated": 9,
    "15-pdf-vertical": 2,
    "17-pdf-hyphens": 5,
}
#: both texts are seen, one between the lines of the other; footnotes are part of the text
OTHERS = ("layer-visible.pdf", "footnote-between.pdf")


def _solid(text: str) -> str:
    return "".join(text.split())


def test_footnotes_between_two_pages_cut_no_sentence(cases: Path) -> None:
    folder = cases / "17-pdf-hyphens"
    text = extract((folder / "footnote-between.pdf").read_bytes()).text
    plain = " ".join((folder / "plain.txt").read_text("utf-8").split())

    assert " ".join(text.split()).startswith(plain)
    assert "Parish book, volume three" in text[len(plain) :]


@pytest.mark.parametrize("folder", SAME)
def test_pdf_text_is_that_of_the_plain_file(cases: Path, folder: str) -> None:
    files = [file for file in (cases / folder).glob("*.pdf") if file.name not in OTHERS]
    assert len(files) == SAME[folder]
    right = {_solid(plain.read_text("utf-8")) for plain in (cases / folder).glob("plain*.txt")}
    wrong = [file.name for file in files if _solid(extract(file.read_bytes()).text) not in right]
    assert wrong == []


def test_columns_row_by_row_read_as_by_columns(cases: Path) -> None:
    folder = cases / "10-pdf-columns-partial"
    for name in ("two", "zh-two"):
        read = [
            _solid(extract((folder / f"{name}-{how}.pdf").read_bytes()).text)
            for how in ("by-columns", "row-by-row")
        ]
        assert read[0] == read[1]
    copied = extract((folder / "three-row-by-row.pdf").read_bytes()).text
    assert "have never seen. For a long time people believed that they simply" in copied


def test_forms_and_portfolios_hold_their_own_texts(cases: Path, texts: Texts) -> None:
    forms = texts(cases / "12-pdf-xfa" / "in")
    files = texts(cases / "12-pdf-xfa" / "portfolio")
    assert len({text[:40] for text in forms.values()}) == len(forms) == 3
    assert {name.rsplit("/", 1)[-1] for name in files} == {"essay.pdf"}
    assert len(set(files.values())) == len(files) == 2
    assert not any("portfolio" in text for text in files.values())
