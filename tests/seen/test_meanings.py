"""Sentences of the same meaning: which may be shown, in which order, and what they share."""

from __future__ import annotations

import dataclasses

import alike
import numpy as np
import pytest

from simhash_core import check_texts
from simhash_core.limits import Tail, chance_of
from simhash_core.result import CheckResult, apart_pairs, meanings_shown
from simhash_core.seen import answers_of, in_order, shared_words, spread


@pytest.fixture(scope="module")
def result() -> CheckResult:
    return alike.checked()


def test_answers_stand_in_the_order_of_the_first_text_and_the_longest_of_both(
    result: CheckResult,
) -> None:
    answers, back = answers_of(result, 2, 3), answers_of(result, 3, 2)
    first, second = result.documents[2].text, result.documents[3].text
    assert [first[slice(*one.a)] for one in answers] == [one[0] for one in alike.CHINESE]
    assert [second[slice(*one.b)] for one in answers] == [one[1] for one in alike.CHINESE]
    assert [(one.b, one.a) for one in back] == [(one.a, one.b) for one in answers]
    assert [round(one.closeness, 2) for one in answers] == [0.78, 0.83, 0.76, 0.72, 0.8]
    assert np.isnan(answers[-1].next_best)

    answers = answers_of(result, 2, 3)
    turned = [*answers[1:], answers[0]._replace(a=(900, 910))]
    assert in_order(answers) == 5
    assert in_order(turned) == 4
    assert in_order([]) == 0


def test_what_unrelated_texts_reach_is_not_shown_but_counted(result: CheckResult) -> None:
    assert result.meanings is not None
    # 10 unrelated pairs reach 10, ten times fewer each step further; the passages have 15 and 13
    for per_decade, shown in ((1.0, [(2, 3), (4, 5)]), (4.0, [(2, 3)]), (9.0, [])):
        tail = Tail(100, 100, anchor=10.0, share=0.1, per_decade=per_decade, summaries=0.0)
        chance = chance_of(result.meanings.score, tail)
        meanings = dataclasses.replace(result.meanings, chance=chance)
        held = dataclasses.replace(result, meanings=meanings)

        assert [one[:2] for one in apart_pairs(meanings_shown(held))] == shown
        assert len(answers_of(held, 2, 3)) == (5 if (2, 3) in shown else 0)

    assert result.meanings is not None
    found = spread(result.meanings)
    assert found is not None and found.n == 5_000
    assert found.highest == pytest.approx(0.71)
    assert 0 < found.middle < found.highest


def test_few_unrelated_sentences_hold_nothing_back() -> None:
    result = alike.checked(np.full(199, 0.9, np.float32))

    assert len(answers_of(result, 2, 3)) == 5
    assert result.meanings is not None and spread(result.meanings) is None


def test_nothing_is_found_where_nothing_was_looked_for() -> None:
    result = check_texts({"a": "one text of words", "b": "another text of words"})

    assert answers_of(result, 0, 1) == []
    assert apart_pairs(result.meanings) == []


def test_names_numbers_and_rare_words_are_evidence(result: CheckResult) -> None:
    words = shared_words(result)
    english, chinese = alike.ENGLISH[1], alike.CHINESE[1]

    assert words(english[0], english[1]).names == ("Fei",)
    assert words(english[0], english[1]).numbers == ("1947",)
    assert words(chinese[0], chinese[1]).names == ("费孝通",)


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        # what begins a sentence in both has its capital from there
        ("Paris is large.", "Paris has a river.", ()),
        ("He saw Paris.", "Paris has a river.", ("Paris",)),
        ("It cost 1,200 francs.", "A price of 1200 was paid.", ("1,200",)),
        ("Page 3 of it.", "The 3 of us.", ()),
        ("万一下雨，就不去了。", "万一刮风，也不去。", ()),
        ("那一年卖了三千册。", "总共印了三千册书。", ("三千",)),
        ("A photosynthesis lesson.", "Plants live by photosynthesis.", ("photosynthesis",)),
        ("They have the same time.", "It was the same thing.", ()),
    ],
)
def test_words_that_two_sentences_share(first: str, second: str, found: tuple[str, ...]) -> None:
    result = check_texts({"a": first, "b": second})

    assert shared_words(result)(first, second).all == found


def test_words_of_the_subject_are_no_evidence() -> None:
    sentences = [f"Photosynthesis, lesson {n}, by somebody else." for n in range(10)]
    result = check_texts({str(n): text * 3 for n, text in enumerate(sentences)})

    assert shared_words(result)(sentences[0], sentences[1]).all == ()
