"""Old Word and Rich Text as LibreOffice saves them, against the text that it reads in them.

The files are made by `python -m benchmarks old_word --fixtures tests/text/libreoffice`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.old_word import SENTENCES, compared
from simhash_core.text.extract import extract
from simhash_core.text.extract.extracted import Extracted

FOLDER = Path(__file__).parent / "libreoffice"
#: of the notes, the header, the footer and the boxes: how often which sentence stands in them
BESIDE = {1: 2, 4: 1, 8: 1, 11: 2, 0: 1, 3: 1}


def read(name: str) -> Extracted:
    file = FOLDER / name
    return extract(file.read_bytes(), suffix=file.suffix[1:])[1]


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("language", ["zh", "zht", "en"])
@pytest.mark.parametrize("suffix", ["doc", "rtf"])
def test_tables_lists_fields_and_notes_are_read_as_by_libreoffice(
    suffix: str, language: str
) -> None:
    found = read(f"all-{language}.{suffix}")
    peer = (FOLDER / f"all-{language}.txt").read_text("utf-8-sig")
    said = [squeezed(one) for one in SENTENCES[language].split("|")]

    counts = compared(peer, found.text)
    assert counts["found"] == counts["paragraphs"] > 60
    assert counts["missing"] == 0
    assert counts["more"] == sum(len(said[at]) * n for at, n in BESIDE.items())
    assert found.notes == ()


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("suffix", ["doc", "rtf"])
def test_what_a_style_hides_is_left_out_and_what_it_shows_again_is_not(
    suffix: str, language: str
) -> None:
    found = read(f"unseen-{language}.{suffix}")
    said = SENTENCES[language].split("|")

    unseen = [at for at, sentence in enumerate(said) if sentence not in found.text]
    assert unseen == [1, 3, 5, 7, 10]
    (note,) = found.notes
    assert note.code == "left_out"
    assert note.params["n"] == sum(len(squeezed(said[at])) for at in unseen)
