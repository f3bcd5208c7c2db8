"""Text becomes integers without losing its place."""

import pytest
from plain import view_of

from simhash_core.passages.tokenized import language_of


def tokens(text):
    one = view_of(text)
    return [text[i:j] for i, j in zip(one.start.tolist(), one.end.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't stop, O'Brien!", ["Don't", "stop", "O'Brien"]),
        ("rock 'n' roll", ["rock", "n", "roll"]),
        ("使用 Vec<T> 的方法", ["使", "用", "Vec", "T", "的", "方", "法"]),
        ("ひらがなtest", ["ひ", "ら", "が", "な", "test"]),
        ("snake_case 3.14", ["snake", "case", "3", "14"]),
        ("", []),
        ("。。。\r\n", []),
    ],
)
def test_view_splits_words_and_characters(text, expected):
    assert tokens(text) == expected


def test_view_keeps_offsets_and_counts_each_character_once() -> None:
    text = "a\u200bb 😀 naïve 中\u200b文"
    assert tokens(text) == ["a\u200bb", "naïve", "中", "文"]
    one = view_of("½㈱")  # 1⁄2 and (株): three tokens of two characters
    assert len(one) == 3
    assert one.chars == 2


def test_view_gives_equal_features_to_case_width_script_and_inflection() -> None:
    plain, disguised = view_of("Hello 图书馆"), view_of("ＨＥＬＬＯ 圖書館")
    assert plain.token.tolist() == disguised.token.tolist()
    assert plain.feature.tolist() == disguised.feature.tolist()
    one, other = view_of("connect connected"), view_of("connection connecting")
    assert len({*one.feature.tolist(), *other.feature.tolist()}) == 1
    assert len({*one.token.tolist(), *other.token.tolist()}) == 4
    assert view_of("中国").feature[0] != view_of("中间").feature[0]
    assert view_of("中国").feature[1] == view_of("国").feature[0]


@pytest.mark.parametrize(
    ("gap", "kind"),
    [
        (" ", 0),
        ("\n", 1),
        ("; ", 2),
        ("  ", 2),
        (". ", 3),
        ('." ', 3),
        ("。", 3),
        ("\r\n\r\n", 4),
        ("\n \n", 4),
        ("-", 0),
        ("\r\n", 1),
    ],
)
def test_view_classifies_borders(gap, kind):
    assert view_of(f"one{gap}two").border.tolist() == [5, kind, 5]


def test_view_tail_takes_attached_punctuation_but_no_opening_quote():
    text = "第一句。“第二句”（完）"
    one = view_of(text)

    assert text[one.start[0] : one.end_attached[2]] == "第一句。"
    assert text[one.start[3] : one.end_attached[-1]] == "第二句”（完）"


def test_language_is_that_of_most_tokens():
    assert view_of("hello world").language == "en"
    assert view_of("使用 vec 的方法").language == "zh"
    assert view_of("").language == "en"
    assert language_of([view_of("a b c d"), view_of("中文")]) == "en"
