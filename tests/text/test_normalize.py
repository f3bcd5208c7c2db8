"""The form that is compared: known cases, and that its map leads back."""

from __future__ import annotations

import sys
import unicodedata

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simhash_core.text import characters
from simhash_core.text.characters import LOOKALIKES, fold_text, hard_pieces
from simhash_core.text.normalize import normalize, normalized_text

SALT = (
    "aA \n\r\t中国，　。\u200b\u0301\u1100\u1161\u11a8ｶﾞ㌀é\u0345İßǰаеοﬁ１²\xad\x00\x1c\u2029"
    "乾隆覆著麼\U00020000🙂\u1160\ufe0fΣς‘’…\u3131\u0f71"
)
TEXTS = st.text(
    alphabet=st.one_of(st.sampled_from(SALT), st.characters(exclude_categories=["Cs"])), max_size=40
)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Plain TEXT", "plain text"),
        ("ＡＢＣ　１２３，全角！", "abc 123,全角!"),
        ("a\r\nb\r\n\r\n\r\nc", "a\nb\n\nc"),
        ("软\u00ad连\u200b字\ufeff符", "软连字符"),
        ("汉 字 之\n间", "汉字之间"),
        ("第一段\n\n第二段", "第一段\n\n第二段"),
        ("用 Rust 写  代码", "用 rust 写代码"),
        ("這個軟體", "这个软体"),
        ("乾隆皇帝曬乾淨衣服", "乾隆皇帝晒干净衣服"),
        ("打坏了电脑，什么都没了", "打坏了电脑,什么都没了"),
        ("沈默了解答覆", "沉默了解答复"),
        ("cafe\u0301 ﬁne", "café fine"),
        ("don’t", "don't"),
        ("Straße", "strasse"),
        ("plаgiаrism", "plagiarism"),  # Cyrillic а
        ("Ηello Wοrld", "hello world"),  # Greek Η, ο
        ("Москва и cop", "москва и cop"),
        ("a\x00b\x07c", "abc"),
        ("🙂\ufe0f ok", "🙂 ok"),
        ("⼈⼯智能", "人工智能"),  # Kangxi radicals
        ("It is c o p i e d  t e x t here", "it is copied text here"),
        ("c  o  p  i  e  d", "copied"),
        ("options A B C D", "options a b c d"),
        ("", ""),
    ],
)
def test_normalize_known_cases(raw: str, text: str) -> None:
    assert normalize(raw).text == text
    assert normalized_text(raw) == text


def test_normalize_keeps_variants_when_asked() -> None:
    assert normalized_text("這個", fold_variants=False) == "這個"
    assert normalize("這個", fold_variants=False).text == "這個"


def test_normalize_maps_spans_back() -> None:
    raw = "他說：「ﬁ\u200bne\r\n\r\n 乾 淨」\u200b完"
    got = normalize(raw)

    def origin(piece: str) -> str:
        i = got.text.index(piece)
        return raw[got.start[i] : got.end[i + len(piece) - 1]]

    assert origin("fine") == "ﬁ\u200bne"
    assert origin("干净") == "乾 淨"
    assert origin("\n\n") == "\r\n\r\n "
    spaced = normalize("so P l\u200b a g i a t it")
    i = spaced.text.index("plagiat")
    assert (spaced.start[i], spaced.end[i + 6]) == (3, 17)
    assert origin("」完") == "」\u200b完"


@settings(max_examples=500, deadline=None)
@given(TEXTS, st.booleans())
@example("A\u0345b", True)
@example("中\u2029国", True)
def test_normalize_map_is_exact(raw: str, fold: bool) -> None:
    got = normalize(raw, fold_variants=fold)
    assert got.text == normalized_text(raw, fold_variants=fold)
    assert len(got.start) == len(got.end) == len(got.text)
    assert got.start.dtype == got.end.dtype == np.int32
    assert (np.diff(got.start) >= 0).all()
    assert (np.diff(got.end) >= 0).all()
    assert (got.start < got.end).all()
    assert got.end.max(initial=0) <= len(raw)


@settings(max_examples=500, deadline=None)
@given(TEXTS)
def test_normalize_is_idempotent(raw: str) -> None:
    once = normalized_text(raw, fold_variants=False)
    assert normalized_text(once, fold_variants=False) == once


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="abc 中国文字乾隆說話,.\n", max_size=60), st.data())
def test_normalize_ignores_what_cannot_be_seen(raw: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(raw)))
    spoiled = raw[:at] + "\u200b\u00ad\u2060" + raw[at:]
    assert normalized_text(spoiled) == normalized_text(raw)


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_normalize_range_reproduces_its_text(left: str, right: str) -> None:
    """A raw range that stands alone normalises to the text that points at it."""
    raw = f"{left}\n\nmarked passage\n\n{right}"
    got = normalize(raw)
    i = got.text.index("marked passage")
    assert raw[got.start[i] : got.end[i + 13]] == "marked passage"


@pytest.mark.long
def test_characters_that_are_not_looked_at_are_not_hard() -> None:
    """The patterns are made from the few characters that folding may change."""
    every = "".join(chr(point) for point in (*range(0x80, 0xD800), *range(0xE000, 0x20000)))
    looked_at = {*characters._changing(), *characters._second_halves()}
    marks = {c for c in every if characters._extends(c)}

    assert marks <= looked_at
    assert {c for c in every if len(fold_text(c)) != 1 and c not in marks} <= looked_at


@pytest.mark.long
def test_folding_between_hard_pieces_keeps_the_length() -> None:
    """The premise of the map, over the whole of Unicode."""
    for point in range(sys.maxunicode + 1):
        character = chr(point)
        if 0xD800 <= point < 0xE000 or next(hard_pieces(character), None):
            continue
        alone = fold_text(unicodedata.normalize("NFKC", character))
        assert len(alone) == 1, hex(point)
        after_base = fold_text(unicodedata.normalize("NFKC", "e" + character))
        assert after_base == "e" + alone, hex(point)


@pytest.mark.long
def test_lookalikes_are_closed_under_folding() -> None:
    """Else a second pass would find what the first one made; over the whole of Unicode."""
    for point in range(sys.maxunicode + 1):
        character = chr(point)
        if character not in LOOKALIKES and not 0xD800 <= point < 0xE000:
            wide = unicodedata.normalize("NFKC", character)
            assert wide in LOOKALIKES or fold_text(wide) not in LOOKALIKES, hex(point)


@pytest.mark.long
def test_normalize_is_linear_in_hostile_text() -> None:
    for piece in ("汉", "a ", "a  ", "e\u0301", "\u0301", " \n", "а", "乾", "\u200b", "\u1100"):
        text = piece * (200_000 // len(piece))
        assert normalize(text).text == normalized_text(text)
