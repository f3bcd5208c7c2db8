"""Many texts as one array: the same text, map, words and counts as text by text."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles.tokenizing import count_features

from simhash_core.model import Features
from simhash_core.text.characters import LOOKALIKES
from simhash_core.text.flat import (
    LONGER,
    UNKNOWN,
    CharacterTable,
    count_flat,
    count_texts,
    flatten,
    heads,
)
from simhash_core.text.normalize import normalize, normalized_text
from simhash_core.text.tokenize import tokenizer

SALT = (
    "aA \n\r\t中国，　。\u200b\u0301\u1100\u1161\u11a8ｶﾞ㌀é\u0345İßǰаеοﬁ１²\xad\x00\x1c\u2029"
    "乾隆覆著麼\U00020000🙂\u1160\ufe0fΣς‘’…\u3131\u0f71\u2006\u200aᴀ\xa0㎡㈱"
)
HOSTILE = st.text(
    alphabet=st.one_of(st.sampled_from(SALT), st.characters()),  # lone surrogates too
    max_size=40,
)
#: characters of words that jieba knows, of none, and what the model joins
OFTEN = (
    "的一是了我不人在他有这个上们来到时大地为子中说生国年着就那和要她出得里后龘〇𠮷㐀鿿京都杭研硕士"
)
MIXED = st.text(alphabet=OFTEN + "ab1'_ ,\n", max_size=60)


def assert_same(got: Features, expected: Features) -> None:
    assert got.vocabulary == expected.vocabulary
    for name in ("indptr", "token", "count", "length"):
        one, other = getattr(got, name), getattr(expected, name)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)


def assert_flat(texts: list[str], *, fold: bool = True) -> None:
    """Compare with `normalize`, text by text."""
    flat = flatten(texts, fold_variants=fold)
    for row, raw in enumerate(texts):
        span = slice(flat.indptr[row], flat.indptr[row + 1])
        expected = normalize(raw, fold_variants=fold)
        assert flat.code[span].tobytes().decode("utf-32-le", "surrogatepass") == expected.text
        assert flat.start[span].tolist() == expected.start.tolist()
        assert flat.end[span].tolist() == expected.end.tolist()


@given(texts=st.lists(HOSTILE, max_size=5), fold=st.booleans())
@example(["a\u200b\u0301", " \u200b\r\u200b\n ", "中 \u200b国…\u2029"], True)
@example(["a b c d e f", "a b c d e", "x\u3000a\tb\xa0c d e f g", "\ud800a"], True)
def test_flat_texts_are_those_of_normalize(texts: list[str], fold: bool) -> None:
    assert_flat(texts, fold=fold)


def test_disguised_texts_are_those_of_normalize() -> None:
    french = "Ünd öfter älter schön für üben möglich über größer Ärger früh Tür " * 3
    zalgo = "".join(f"{letter}\u0336" for letter in "this is struck through entirely")
    small = "ᴛʜɪs ɪs ᴀ sᴍᴀʟʟ ᴄᴀᴘɪᴛᴀʟ"
    assert_flat(["plain", french, "é" * 30 + "aeiou" * 3, zalgo, small, "", "乾隆 end"])


def test_every_character_folds_as_normalize_folds_it() -> None:
    """Between letters, between Han and alone; a sample of what lies far from writing."""
    points = [
        *range(0x250),
        *range(0x2000, 0x2070),
        *range(0x3000, 0x3400),
        *range(0xFE00, 0x10000),
    ]
    points += [*map(ord, LOOKALIKES)]
    points += random.Random(1).sample(range(0x250, sys.maxunicode + 1), 1500)
    assert_flat([f"b{chr(point)}b 中{chr(point)}文 {chr(point)} x" for point in points])


@pytest.mark.long
@given(texts=st.lists(st.one_of(MIXED, HOSTILE), max_size=6), stop=st.booleans())
def test_counts_are_those_of_strings(texts: list[str], stop: bool) -> None:
    cut = tokenizer((), stop)
    flat = flatten(texts)
    got = count_flat(flat, heads(flat, cut.segment), cut)
    assert_same(got, count_features(cut, [normalized_text(text) for text in texts]))


def test_counts_outgrow_their_table_and_know_words_of_the_user() -> None:
    texts = [
        " ".join(f"w{number}x" for number in range(at, at + 4000)) for at in range(0, 60_000, 3000)
    ]
    flat = flatten(texts)
    got = count_flat(flat, heads(flat, tokenizer().segment), tokenizer())
    assert_same(got, count_features(tokenizer(), texts))
    cut = tokenizer(("网易杭研",))
    assert "网易杭研" in count_texts(["他来到了网易杭研大厦"], cut).vocabulary
    assert "网易杭研" not in count_texts(["他来到了网易杭研大厦"], tokenizer()).vocabulary


@pytest.mark.corpora
def test_real_texts_are_the_same(corpora: Path) -> None:
    folders = ("zh_rust_book/docs", "zh_laws_dev", "en_rust_book/docs", "pan13_dev/susp")
    files = [file for name in folders for file in sorted((corpora / name).rglob("*.*"))[:60]]
    texts = [file.read_text("utf-8", errors="replace")[:50_000] for file in files]
    assert_flat(texts)
    got = count_texts(texts, tokenizer())
    assert len(texts) > 100
    assert_same(got, count_features(tokenizer(), [normalized_text(text) for text in texts]))


@pytest.mark.long
def test_the_stored_table_is_what_each_character_comes_to() -> None:
    """On a newer Unicode too: what an older one has assigned never changes."""
    stored, learnt = CharacterTable(), CharacterTable(known=False)
    points = np.flatnonzero(stored.kind != UNKNOWN).astype(np.int32)
    kind = learnt.kinds(points)

    assert len(points) > 80_000
    assert np.array_equal(kind, stored.kind[points])
    longer = kind & LONGER != 0
    assert np.array_equal(stored.fold[points[~longer]], learnt.fold[points[~longer]])
    forms = (table.longer[table.fold[points[longer]]] for table in (stored, learnt))
    assert np.array_equal(*forms)
