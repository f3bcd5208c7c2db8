"""Sentences as units: where they begin and end, and in which script they are."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.meaning.units import CHINESE, KANA, LATIN, OTHER, script_of, units_of

SENTENCE = "The old library near the school opened again last autumn after long repairs."


def test_sentences_are_units_also_in_wrapped_paragraphs_and_lists() -> None:
    text = f"{SENTENCE} {SENTENCE}\n\n{SENTENCE}"
    assert units_of(text).sentences == (SENTENCE,) * 3
    wrapped = SENTENCE.replace(" again", "\nagain") + "\n\nA heading"
    assert units_of(wrapped).sentences == (SENTENCE,)
    text = "First the flour is weighed and sifted twice\nThen salt and water are added to it slowly"
    assert len(units_of(text)) == 2


def test_short_sentences_join_and_long_ones_are_cut() -> None:
    assert units_of("It rained. Nobody came to the market that day.").sentences == (
        "It rained. Nobody came to the market that day.",
    )
    assert len(units_of(f"It rained.\n\n{SENTENCE}")) == 1
    text = ", ".join(["the committee heard another witness about the matter"] * 12) + "."
    units = units_of(text)
    assert len(units) == 3
    assert all(one.endswith((",", ".")) for one in units.sentences)
    assert (
        len(
            units_of("学校附近的旧图书馆去年秋天重新开放。工人们修好了漏雨的屋顶，搬进了新的书架。")
        )
        == 2
    )
    assert len(units_of("今天下雨。没有人来。")) == 1


@pytest.mark.parametrize(
    ("sentence", "script"),
    [
        ("Rivers rise quickly.", LATIN),
        ("Flüsse steigen schnell an.", LATIN),
        ("山里的河水涨得很快。", CHINESE),
        ("嵐のあと、山の川はすぐに増水する。", KANA),
        ("Реки в горах быстро поднимаются.", OTHER),
    ],
)
def test_each_unit_has_a_script(sentence: str, script: int) -> None:
    assert script_of(sentence) == script


@given(st.text(alphabet='ab .。\n\r中文，?"', max_size=400))
def test_units_are_sorted_disjoint_and_trimmed(text: str) -> None:
    units = units_of(text)
    places = list(zip(units.start.tolist(), units.end.tolist(), strict=True))

    assert places == sorted(places)
    assert all(a[1] <= b[0] for a, b in pairwise(places))
    for (low, high), sentence in zip(places, units.sentences, strict=True):
        assert text[low:high] == text[low:high].strip()
        assert sentence == " ".join(text[low:high].split())
