"""A batch becomes the same numbers whichever loops run, here or in workers."""

from __future__ import annotations

import dataclasses

import pytest
from prose import english

from simhash_core.checking.tokenizing import Packed, read_text, tokenize_chunk
from simhash_core.machine import native
from simhash_core.passages.tokenized import TokenizedText
from simhash_core.settings import Settings

TEXTS = [
    "如有雷同，纯属巧合。老师把两份作业放在一起看，\n发现它们的结构、例子和错别字都一样。",
    english(3, 300),
    "",
    "這是繁體字的測試；軟體工程師撰寫程式碼。Don’t panic: a\u0301 ½ …",
    english(4, 100) + "南京市长江大桥欢迎您！" * 9,
]


@pytest.mark.parametrize("settings", [Settings(), Settings(stop_words=True, fold_variants=False)])
@pytest.mark.skipif(native.library() is None, reason="no C compiler built the loops")
def test_chunks_by_loops_of_c_equal_readable_ones(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_c = tokenize_chunk((TEXTS, settings, True))
    monkeypatch.setenv(native.TWIN, "readable")
    readable = tokenize_chunk((TEXTS, settings, True))

    assert in_c[0].vocabulary == readable[0].vocabulary
    assert in_c[0].token.tolist() == readable[0].token.tolist()
    assert in_c[0].count.tolist() == readable[0].count.tolist()
    for one, other in zip(in_c[1], readable[1], strict=True):
        for got, expected in zip(one, other, strict=True):
            for field in dataclasses.fields(expected):
                a, b = getattr(got, field.name), getattr(expected, field.name)
                assert (a.dtype, a.tolist()) == (b.dtype, b.tolist()), field.name


def test_packed_records_come_back_as_they_were() -> None:
    _, places = tokenize_chunk((TEXTS, Settings(), True))
    texts = [text for text, _ in places]
    for some in (texts, texts[:1], []):
        again = Packed.of(TokenizedText, some).records()
        assert len(again) == len(some)
        for one, other in zip(again, some, strict=True):
            for field in dataclasses.fields(other):
                a, b = getattr(one, field.name), getattr(other, field.name)
                assert (a.dtype, a.tolist()) == (b.dtype, b.tolist())


def test_one_text_is_read_as_in_a_batch() -> None:
    settings = Settings(fold_variants=False)
    _, places = tokenize_chunk((TEXTS, settings, True))

    for text, (expected, _) in zip(TEXTS, places, strict=True):
        got = read_text(text, settings, words=True, meanings=True)
        for field in dataclasses.fields(expected):
            assert getattr(got, field.name).tolist() == getattr(expected, field.name).tolist()


def test_words_change_no_place() -> None:
    for text in TEXTS:
        plain, words = read_text(text, Settings()), read_text(text, Settings(), words=True)

        assert plain.word.all()
        for name in ("token", "feature", "start", "end", "end_attached", "border", "before"):
            assert getattr(plain, name).tolist() == getattr(words, name).tolist(), name
