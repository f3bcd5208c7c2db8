"""Data, comments and hints that no reader sees."""

from __future__ import annotations

from pathlib import Path

import pytest
from public_cases.conftest import Texts, shares


@pytest.mark.parametrize(
    ("folder", "pair"),
    [
        ("in", ("anna.md", "ben.md")),
        ("in2", ("dan.md", "fay.md")),
        ("in3", ("gil.ipynb", "ida.md")),
    ],
)
def test_pictures_in_texts_are_no_words(cases: Path, folder: str, pair: tuple[str, str]) -> None:
    found = shares(cases / "07-md-base64" / folder)

    assert list(found) == [pair]
    assert min(found[pair]) > 0.99


def test_hints_of_a_form_are_no_text_of_a_student(cases: Path) -> None:
    assert shares(cases / "18-docx-placeholders" / "in") == {}


@pytest.mark.parametrize("folder", ["33-latex", "37-markdown"])
def test_what_is_not_shown_is_no_text(cases: Path, texts: Texts, folder: str) -> None:
    found = {name: text.split() for name, text in texts(cases / folder).items()}
    words = found["plain.txt"]
    more = {"details.md": ["More"], "footnotes.md": ["Own", "notes."]}

    assert len(words) == 233
    for name, read in found.items():
        if name in ("plain.txt", "expected.txt", "macros.tex"):  # the last writes its own way
            continue
        extra = more.get(name, [])
        assert sorted(read) == sorted([*words, *extra]), name
