"""How numbers are written: what is printed divides and adds up, in both languages."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.model import Division
from simhash_core.notation import (
    UNKNOWN,
    Notation,
    han,
    largest_remainder,
    percents,
    total_percents,
)
from simhash_core.numbers import SHARED_CLASSES, Likelihood, has_few_counted

ZH, EN = Notation.of("zh"), Notation.of("en")
#: the example of the design: 757 characters, 205 of them left out
EXAMPLE = Division(318, 96, 40, 98, 205, "characters")

sizes = st.one_of(st.just(0), st.integers(0, 20), st.integers(0, 100_000))
divisions = st.builds(Division, *(sizes,) * 5, st.sampled_from(["characters", "words"]))


def test_the_example_is_written_as_it_is_drawn():
    assert (ZH.counted(EXAMPLE), EN.counted(EXAMPLE)) == (
        "计入 552 / 757 字",
        "counted 552 of 757 chars",
    )
    assert ZH.sum(EXAMPLE) == "相同 318 + 改写 96 + 移位 40 = 454 / 552 字"
    assert EN.sum(EXAMPLE) == "identical 318 + reworded 96 + moved 40 = 454 of 552 chars"
    assert ZH.total(EXAMPLE) == "82%"
    assert [ZH.part(EXAMPLE, name) for name in (*SHARED_CLASSES, "own")] == [
        "58%",
        "17%",
        "7%",
        "18%",
    ]
    assert ZH.bar(EXAMPLE) == "计入 552 / 757 字、相同 318、改写 96、移位 40、其余 98、不计 205"


@given(divisions)
def test_what_is_printed_adds_up(division):
    shown = percents(division)
    parts = sum(shown[name] for name in SHARED_CLASSES)

    assert parts == shown["shared"]
    assert all(0 <= value <= 100 for value in shown.values())
    if division.own:
        assert parts + shown["own"] == 100
    assert (shown["shared"] == 100) == division.unchanged
    if division.shared and not division.own and not division.unchanged:
        assert shown["shared"] == 99
    if division.counted:
        assert abs(shown["shared"] - 100 * division.total) <= 1
        for name in SHARED_CLASSES:
            assert abs(shown[name] - 100 * division.share(name)) < 2


@given(st.lists(divisions, max_size=6))
def test_the_totals_of_many_texts_are_those_of_each(texts):
    parts = [[getattr(one, name) for name in SHARED_CLASSES] for one in texts]
    counted = np.array([one.counted for one in texts], np.int64)
    found = total_percents(np.array(parts, np.int32).reshape(-1, 3), counted)

    assert found.tolist() == [percents(one)["shared"] for one in texts]


@given(divisions)
def test_nothing_that_is_there_reads_as_nothing(division):
    for write, under in ((ZH, "不到 1%"), (EN, "under 1%")):
        for name in ("shared", *SHARED_CLASSES, "own"):
            shown = write.part(division, name)
            if has_few_counted(division):
                assert shown == UNKNOWN
                continue
            assert (shown == "0%") == (getattr(division, name) == 0)
            assert (shown == under) == (
                getattr(division, name) > 0 and percents(division)[name] == 0
            )


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=6), st.integers(0, 100))
def test_largest_remainders_share_the_total(parts, total):
    shares = largest_remainder(parts, total)
    whole = sum(parts)

    assert sum(shares) == (total if whole else 0)
    for part, share in zip(parts, shares, strict=True):
        assert not whole or math.floor(part * total / whole) <= share
        assert not whole or share <= math.ceil(part * total / whole)
        assert part or not share


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        *((0, "0%"), (0.0001, "under 1%"), (0.00499, "under 1%"), (0.005, "1%")),
        *((0.572, "57%"), (0.985, "99%"), (0.9999, "99%"), (1, "100%")),
    ],
)
def test_shares_never_round_to_all_or_nothing(share, shown):
    assert EN.percent(share) == shown


@pytest.mark.parametrize(
    ("expected", "zh", "en"),
    [
        *((0.0, "不到 0.01", "under 0.01"), (0.0099, "不到 0.01", "under 0.01")),
        *((0.02, "约 0.02", "about 0.02"), (0.37, "约 0.4", "about 0.4")),
        *((12.7, "约 10", "about 10"), (162, "约 200", "about 200")),
        *((None, UNKNOWN, UNKNOWN), (math.nan, UNKNOWN, UNKNOWN)),
    ],
)
def test_what_chance_gives_has_one_digit(expected, zh, en):
    assert (ZH.expected(expected), EN.expected(expected)) == (zh, en)


def test_chance_is_said_in_words_and_clusters_in_chinese_numerals() -> None:
    assert ZH.likelihood(None) == ""
    assert ZH.likelihood(Likelihood("long", 102)) == "这一处 102 字一字不差，不像偶然。"
    assert "14 words" in EN.likelihood(Likelihood("short", 14, "words"))
    assert "12" in EN.likelihood(Likelihood("common", 14, "words", 12))
    assert EN.likelihood(Likelihood("own_often", 20, "words", 1)).endswith(
        "about 1 pair has as much without copying."
    )
    assert "70" in EN.likelihood(Likelihood("own_seldom", 63, "words", 70))
    assert "一千个" in ZH.likelihood(Likelihood("own_never", 200))
    assert EN.likelihood(Likelihood("fingerprint")).startswith("The choice of words")
    assert [han(n) for n in (1, 10, 11, 20, 99, 100)] == [
        "一",
        "十",
        "十一",
        "二十",
        "九十九",
        "100",
    ]
    assert (ZH.cluster(0), EN.cluster(0), ZH.cluster(-1)) == ("簇一", "cluster 1", UNKNOWN)
