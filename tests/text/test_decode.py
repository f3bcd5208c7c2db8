"""Encodings: certain ones, guessed ones, and what the user decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.text.decode import decode

SIMPLIFIED = (
    "如有雷同，纯属巧合。老师把两份作业放在一起看，发现它们的结构、例子和错别字都一样，"
    "于是问：这是你自己写的吗？学生说，我们只是讨论过这个问题。"
)
TRADITIONAL = (
    "如有雷同，純屬巧合。老師把兩份作業放在一起看，發現它們的結構、例子和錯別字都一樣，"
    "於是問：這是你自己寫的嗎？學生說，我們只是討論過這個問題。"
)
FRENCH = "Les élèves ont rendu leurs copies à la même heure, et les fautes étaient déjà là. " * 3


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16", "utf-32"])
def test_decode_obeys_a_byte_order_mark(mark: str) -> None:
    found = decode(SIMPLIFIED.encode(mark))
    assert found.text == SIMPLIFIED
    assert not found.guessed


def test_decode_obeys_the_user_then_the_bytes_then_what_was_declared() -> None:
    assert decode(TRADITIONAL.encode()).encoding == "utf-8"
    assert not decode(b"plain").guessed
    text = "朱镕基、堃和㐀，都不在 GB2312 里，这里的人却写它们。"
    data = text.encode("gb18030")
    assert decode(data, encoding="GB2312").text == text
    assert decode(data, declared="gbk").text == text
    assert decode("é".encode(), encoding="latin-1").text == "Ã©"
    with pytest.raises(LookupError):
        decode(b"x", encoding="klingon")
    assert decode(SIMPLIFIED.encode(), declared="big5").text == SIMPLIFIED
    assert decode(SIMPLIFIED.encode("gbk"), declared="utf-8").text == SIMPLIFIED


@pytest.mark.parametrize(
    ("text", "written", "named"),
    [
        (SIMPLIFIED, "gb2312", "gb18030"),
        (SIMPLIFIED, "gb18030", "gb18030"),
        (TRADITIONAL, "gbk", "gb18030"),
        (TRADITIONAL, "big5", "cp950"),
        (SIMPLIFIED, "utf-16-le", "utf-16-le"),
        (SIMPLIFIED, "utf-16-be", "utf-16-be"),
        ("A short line\r\n" * 3, "utf-16-le", "utf-16-le"),
        ("1. " + SIMPLIFIED + "\r\n2. ", "utf-16-be", "utf-16-be"),
        (FRENCH, "cp1252", "cp1252"),
    ],
)
def test_decode_guesses_and_says_so(text: str, written: str, named: str) -> None:
    found = decode(text.encode(written))
    assert (found.text, found.encoding, found.guessed) == (text, named, True)


@pytest.mark.parametrize("size", range(8, 60, 4))
def test_decode_guesses_short_chinese(size: int) -> None:
    for text, encoding in ((SIMPLIFIED, "gbk"), (TRADITIONAL, "big5")):
        assert decode(text[:size].encode(encoding)).text == text[:size]


def test_decode_shows_broken_bytes_instead_of_dropping_them() -> None:
    data = SIMPLIFIED.encode() * 20
    found = decode(data[:-1] + b"\xff" + data)
    assert found.encoding == "utf-8"
    assert found.broken == found.text.count("\ufffd") >= 1
    assert decode(b"ab\xff", encoding="utf-8").text == "ab\ufffd"


@given(st.binary(max_size=300))
def test_decode_never_fails(data: bytes) -> None:
    found = decode(data)
    assert found.broken <= found.text.count("\ufffd")


@given(st.text(max_size=200).filter(lambda t: "\0" not in t and not t.startswith("\ufeff")))
def test_decode_returns_what_utf8_holds(text: str) -> None:
    assert decode(text.encode()).text == text


HONG_KONG = (
    "佢哋喺度傾偈，嗰啲嘢唔係我哋嘅，冇人知道佢喺邊度。我們在香港的中文學校學習，大家都說中文。"
)


@pytest.mark.parametrize("declared", ["", "big5", "big5-hkscs"])
def test_big5_with_the_characters_of_hong_kong(declared: str) -> None:
    data = HONG_KONG.encode("big5hkscs")
    found = decode(data, declared=declared)

    assert (found.text, found.encoding, found.broken) == (HONG_KONG, "big5hkscs", 0)
    assert decode(data, encoding="big5").text == HONG_KONG
