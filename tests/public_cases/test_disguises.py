"""Languages whose letters bear marks are no disguise, composed or not."""

from __future__ import annotations

from pathlib import Path

import pytest
from public_cases.conftest import shares

from simhash_core.checking.pipeline import gather, read
from simhash_core.model import MANIPULATIONS


def notes(folder: Path) -> set[str]:
    documents, _ = read(gather([folder])[0])
    return {note.code for one in documents for note in one.notes}


@pytest.mark.parametrize("language", ["de", "en", "fr", "pl", "vi"])
def test_decomposed_letters_are_those_of_the_composed_text(cases: Path, language: str) -> None:
    folder = cases / "28-nfd-text" / language

    assert list(shares(folder).values()) == [(1.0, 1.0)]
    assert not notes(folder) & set(MANIPULATIONS)


def test_marks_of_tones_are_no_disguise(cases: Path) -> None:
    assert not notes(cases / "41-pinyin-marks" / "in") & set(MANIPULATIONS)
