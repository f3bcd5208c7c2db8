"""Many texts at once: the same tokens, borders, words and winnowed hashes as text by text."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles.tokenizing import tokenize, winnow

from simhash_core.machine.ranges import number_ranges, strings_of
from simhash_core.model import U64
from simhash_core.passages.tokenize import FlatText, tokenize_many, winnow_many
from simhash_core.passages.tokenized import TokenizedText
from simhash_core.passages.winnow import Rule
from simhash_core.text.flat import HEAD, code_points_of, flatten, heads
from simhash_core.text.normalize import normalize
from simhash_core.text.tokenize import tokenizer

TEXTS = st.lists(
    st.text(
        alphabet="ab'’1 的中国人在㐀〇ｱéÉ½…㌀.。!；;,\n\r\t\u2028\u0301\u200b\0🙂x", max_size=60
    ),
    max_size=5,
)


def at_once(texts: list[str], *, words: bool, concepts: object = None) -> list[TokenizedText]:
    flat = flatten(texts)
    head = heads(flat, tokenizer().segment) == HEAD if words else None
    normalised = FlatText(flat.code, flat.indptr)
    raw = FlatText(*code_points_of(texts))
    return tokenize_many(normalised, flat.start, flat.end, raw, head=head, concepts=concepts)


def assert_equal(got: Sequence[object], expected: Sequence[object]) -> None:
    for one, other in zip(got, expected, strict=True):
        for field in dataclasses.fields(other):  # type: ignore[arg-type]
            a, b = getattr(one, field.name), getattr(other, field.name)
            assert a.dtype == b.dtype, field.name
            assert a.tolist() == b.tolist(), field.name


def meanings(words: Sequence[str]) -> U64:
    return np.array(["人" in word for word in words], np.uint64) << np.uint64(40)


@given(texts=TEXTS, words=st.booleans())
@example(["", "的", "", "人 a", "½", "a½"], True)
@example(["don't", "'", "'a", "b'"], False)
def test_tokens_are_those_of_each_text(texts: list[str], words: bool) -> None:
    segment = tokenizer().segment if words else None
    expected = [tokenize(normalize(text), text, segment=segment) for text in texts]
    assert_equal(at_once(texts, words=words), expected)


@pytest.mark.long
@given(texts=TEXTS)
def test_concepts_are_those_of_each_text(texts: list[str]) -> None:
    segment = tokenizer().segment
    expected = [
        tokenize(normalize(text), text, segment=segment, concepts=meanings) for text in texts
    ]
    assert_equal(at_once(texts, words=True, concepts=meanings), expected)


@given(texts=TEXTS, run=st.integers(5, 20))
@example(["的" * 60, "a b " * 30, "的中" * 40], 13)
def test_winnowed_hashes_are_those_of_each_text(texts: list[str], run: int) -> None:
    rule = Rule.of(run)
    tokens = [tokenize(normalize(text), text) for text in texts]
    got = winnow_many(tokens, rule=rule)
    assert_equal(got, [winnow(one, rule=rule) for one in tokens])


def test_ranges_have_numbers_and_strings_of_anything() -> None:
    words = [f"w{number % 9000}" for number in range(20_000)]
    code, ptr = code_points_of(words)
    number, distinct = number_ranges(code, ptr[:-1], ptr[1:])
    assert distinct == words[:9000]
    assert [distinct[at] for at in number.tolist()] == words
    code, _ = code_points_of(["a\0\n\U0001f600\ud800"])
    first, last = np.array([0, 1, 5, 1], np.int32), np.array([1, 4, 5, 5], np.int32)
    assert strings_of(code, first, last) == ["a", "\0\n\U0001f600", "", "\0\n\U0001f600\ud800"]


@pytest.mark.parametrize(
    ("letter", "tokens"),
    [("一", 3), ("\u9fff", 3), ("\ua000", 1), ("ꓐ", 1), ("가", 1), ("の", 3), ("ไ", 3), ("ʘ", 1)],
)  # the last Han of its block, the first letter of Yi behind it, Lisu, Hangul, kana, Thai, a click
def test_scripts_without_blanks_have_a_token_a_letter(letter: str, tokens: int) -> None:
    (text,) = at_once([letter * 3], words=False)
    assert len(text) == tokens
