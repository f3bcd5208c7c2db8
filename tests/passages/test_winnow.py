"""What winnowing promises: a long enough common run shares a print."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.tokenizing import winnow
from plain import view_of

from simhash_core.passages.winnow import Rule, containment, containment_of_pairs

HAN = st.text("天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往", max_size=60)
ANIMALS = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibis", "jay"]
WORDS = st.lists(st.sampled_from(ANIMALS), max_size=40)
MIXED = st.lists(st.sampled_from(["ant", "bee", "天", "地", "玄", "黄"]), max_size=40)


def shares(a, b, rule=None):
    return bool(set(winnow(a, rule=rule).value) & set(winnow(b, rule=rule).value))


@given(WORDS, WORDS, WORDS, WORDS, st.lists(st.sampled_from("abcdefg"), min_size=8, max_size=12))
def test_every_run_of_8_words_shares_a_print(before, after, above, below, run):
    assert shares(
        view_of(" ".join([*before, *run, *after])), view_of(" ".join([*above, *run, *below]))
    )


@given(MIXED, HAN, st.text("天地玄黄宇宙洪荒日月盈昃", min_size=13, max_size=16))
def test_the_promise_holds_between_texts_of_two_languages(words, han, run):
    english = " ".join([*words, run, "ant bee cat dog elk fox gnu hen " * 5])

    assert shares(view_of(english), view_of(han + run + han))


def promised(rule):
    """Return the Han characters and the words in a row of which two texts share a print."""
    return rule.weight + rule.window_han - 1, rule.weight // 2 + rule.window_words - 1


@pytest.mark.parametrize("run", [6, 8, 13, 20, 40])
def test_rule_promises_no_less_than_asked(run):
    han, words = promised(Rule.of(run))

    assert han <= max(run, 5)
    assert words <= max(8, run)


def test_default_rule_promises_13_characters_and_8_words():
    assert promised(Rule.of()) == (13, 8)


@given(HAN, st.integers(6, 30))
def test_the_promise_holds_for_every_rule(text, run):
    rule = Rule.of(run)
    han, _ = promised(rule)
    common = (text * 30)[:han]
    if len(common) == han:
        assert shares(view_of("春夏秋冬" + common), view_of(common + "东南西北"), rule)


def test_prints_are_sorted_unique_and_point_at_their_text():
    text = "天地玄黄宇宙洪荒日月盈昃辰宿列张" * 3
    one = view_of(text)
    found = winnow(one)

    assert (np.diff(found.value.astype(object)) > 0).all()
    assert (found.last - found.first == 8).all()
    again = winnow(view_of(text[found.first[0] : found.last[0]]))
    assert again.value.tolist() == [found.value[0]]


def test_containment_of_pairs_equals_containment_and_short_texts_have_none() -> None:
    assert len(winnow(view_of("天地玄黄"))) == 0
    assert math.isnan(containment(winnow(view_of("天地")), winnow(view_of("玄黄"))))

    texts = [
        winnow(view_of(t))
        for t in ("天地玄黄宇宙洪荒" * 2, "宇宙洪荒日月盈昃辰宿列张", "", "a b c d e")
    ]
    left, right = np.array([0, 0, 0, 1]), np.array([0, 1, 2, 3])
    together = containment_of_pairs(texts, left, right)
    single = [containment(texts[i], texts[j]) for i, j in zip(left, right, strict=True)]
    np.testing.assert_allclose(together, np.array(single, np.float32))
