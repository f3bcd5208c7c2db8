"""Texts in third languages: equal ones are equal, unrelated ones share nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import leitong as lt

from .conftest import shares

ALIKE = ("ar", "de", "hi", "ja", "ko", "pl", "ru", "th", "vi")
MARKED = ("ar-tashkeel", "de-umlaut", "ja-halfkana", "ko-nfd", "ru-stress", "th-zwsp", "vi-nfd")
LANGUAGES = ("lang_de", "lang_es", "lang_ja", "lang_ko", "lang_ru", "lang_zh-hant")


@pytest.mark.parametrize("language", ALIKE)
def test_equal_texts_share_all_and_half_a_text_half(cases: Path, language: str) -> None:
    found = shares(cases / "25-third-languages" / language)
    assert found["a.txt", "b.txt"] == (1, 1)
    assert found["a.txt", "c.txt"][0] == pytest.approx(0.5, abs=0.07)


@pytest.mark.parametrize("case", MARKED)
def test_marks_and_forms_of_letters_hide_nothing(cases: Path, case: str) -> None:
    assert shares(cases / "25-third-languages" / case) == {("a.txt", "b.txt"): (1, 1)}


@pytest.mark.parametrize("language", ("de", "en", "fr", "pl", "vi"))
def test_decomposed_letters_are_no_disguise(cases: Path, language: str) -> None:
    result = lt.check([str(cases / "28-nfd-text" / language)])
    assert [(pair["coverage_a"], pair["coverage_b"]) for pair in result.pairs()] == [(1, 1)]
    notes = {note.code for document in result.core.documents for note in document.notes}
    assert notes <= {"other_language"}


def test_pinyin_marks_are_no_disguise(cases: Path) -> None:
    notes = {
        note.code
        for document in lt.check([str(cases / "41-pinyin-marks" / "in")]).core.documents
        for note in document.notes
    }
    assert notes <= {"short"}


@pytest.mark.parametrize("meaning", ["off", "auto"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_unrelated_articles_are_hardly_ever_listed(
    corpora: Path, language: str, meaning: str
) -> None:
    settings = lt.Settings(meaning=meaning)
    result = lt.check([str(corpora / "honest_dev" / language)], settings=settings)
    assert len(result.pairs()) <= 1


@pytest.mark.parametrize("meaning", ["off", "auto"])
@pytest.mark.parametrize("language", ["udhr_tha", "udhr_vie"])
def test_copied_paragraphs_are_found_beside_two_others_at_most(
    corpora: Path, language: str, meaning: str
) -> None:
    found = shares(corpora / "honest_dev" / language, settings=lt.Settings(meaning=meaning))
    assert {("s0.txt", "v0.txt"), ("s1.txt", "v1.txt")} <= found.keys()
    assert len(found) <= 4
