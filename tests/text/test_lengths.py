"""One counting rule for every length that a person reads."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles.tokenizing import tokenize

from simhash_core.text.lengths import Length, Units, count_units, length_of, unit_of
from simhash_core.text.normalize import normalize

LETTERS = st.text(
    st.sampled_from("ab ,’'3—\n.\u0301ñ你好かんガ한국ñ①½㎏Дж\u200b\u00adＡ"), max_size=60
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("村口的老槐树，今年又开花了。", Length(12, "characters")),
        ("It's the well-known tree.", Length(5, "words")),
        ("2024 年，我在 GitHub 上写了三篇。", Length(10, "characters")),
        ("桜が咲いた。", Length(5, "characters")),
        ("Дом стоит у реки.", Length(4, "words")),
        ("", Length(0, "words")),
        ("—— …", Length(0, "words")),
    ],
)
def test_lengths_are_in_the_unit_of_the_text(text: str, expected: Length) -> None:
    assert length_of(text) == expected


def test_case_width_space_and_marks_change_no_length() -> None:
    assert count_units("Ａbc　ｄｅ") == count_units("abc de") == 2
    assert count_units("e\u0301tude") == count_units("étude") == 1
    assert len(tokenize(normalize("½"), "½")) == 2


@given(LETTERS)
@example("½ ㎏ ①")
def test_a_text_is_at_least_as_long_as_what_passages_are_made_of(text: str) -> None:
    assert len(tokenize(normalize(text), text)) <= count_units(text)


@given(LETTERS | st.text(max_size=20))
@example("カﾞ你ﾞ ＇ don＇t")
def test_a_long_text_is_counted_as_a_short_one(text: str) -> None:
    spaces = " " * 200  # from which characters are looked up one by one
    assert length_of(text + spaces) == length_of(text)


@given(LETTERS, st.integers(0, 60), st.integers(0, 60))
def test_a_part_is_never_longer_than_its_whole(text: str, start: int, end: int) -> None:
    assert count_units(text[start:end]) <= count_units(text)


@given(LETTERS, st.integers(0, 60), st.integers(0, 60))
@example("don’t ½ ㎏ ﬁne，全角ＡＢＣ：“引文”。", 2, 17)
@example("cafe\u0301 au lait", 0, 4)
@example("33", 1, 1)
def test_units_of_ranges_are_those_of_the_slices(text: str, start: int, end: int) -> None:
    units, part = Units(text), text[start : min(end, len(text))]
    assert units.length() == length_of(text)
    if start <= len(text) and part not in ("'", "’", "ʼ"):
        assert units.count(start, min(end, len(text))) == count_units(part)


@pytest.mark.long
def test_single_characters_are_those_of_the_passages() -> None:
    points = [c for c in map(chr, range(0x40000)) if c.isalnum() and normalize(c).text == c]
    text = "。".join(points)
    seen = tokenize(normalize(text), text)
    alone = seen.end - seen.start == 1
    letters = [text[at] for at in seen.start[alone]]
    assert len(letters) > 0.99 * len(points)
    assert [unit_of(c) == "characters" for c in letters] == seen.single[alone].tolist()
