"""Tokens are jieba's, cut by its port; features count them."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracles.jieba_words import REPEATED, JiebaTokenizer

from simhash_core.model import Features
from simhash_core.text.characters import HAN
from simhash_core.text.flat import count_texts
from simhash_core.text.normalize import normalized_text
from simhash_core.text.segment import BEYOND
from simhash_core.text.tokenize import Tokenizer, merge_features, read_tagged, stop_list, tokenizer

SAMPLE = """
如有雷同，纯属巧合。老师把两份作业放在一起看，发现它们的结构、例子和错别字都一样。
二〇二四年，他来到了网易杭研大厦；小明硕士毕业于中国科学院计算所，后在日本京都大学深造。
工信处女干事每月经过下属科室都要亲口交代24口交换机等技术性器件的安装工作。
结婚的和尚未结婚的，乒乓球拍卖完了，南京市长江大桥欢迎您！𠮷野家与䶮字。
Rust 的 std::vec::Vec<T> 与 C++ 的 T恤 不同，don't_panic 2024 v1.2.3 B超 АТ&Т AT&T a.b_c.
這是繁體字的測試，軟體工程師撰寫程式碼。
"""
OFTEN = "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后𠮷龘〇ab1 "


def same(a: Features, b: Features) -> bool:
    arrays = ("indptr", "token", "count", "length")
    return a.vocabulary == b.vocabulary and all(
        np.array_equal(getattr(a, name), getattr(b, name)) for name in arrays
    )


def test_tokens_known_cases() -> None:
    tokens = tokenizer().tokens("抄袭检测算法的算法指纹2024")
    assert tokens == ["抄袭", "检测", "算法", "的", "算法", "指纹"]
    tokens = tokenizer().tokens("don't stop_me now 42 4you a-b")
    assert tokens == ["don't", "stop_me", "now", "4you", "a", "b"]
    assert tokenizer().tokens("用rust写代码") == ["用", "rust", "写", "代码"]
    assert tokenizer().tokens("二〇二四𠮷野家") == ["二", "〇", "二四", "𠮷", "野家"]
    assert tokenizer().tokens(" ,.!") == []
    assert tokenizer().tokens("") == []


@pytest.mark.corpora
def test_tokens_parity_on_real_text(corpora: Path) -> None:
    files = sorted((corpora / "zh_rust_book" / "docs").rglob("*.*"))[:120]
    files += sorted((corpora / "zh_laws_dev").rglob("*.txt"))[:60]
    files += sorted((corpora / "en_rust_book" / "docs").rglob("*.*"))[:40]
    compared = 0
    for file in files:
        text = normalized_text(file.read_text(encoding="utf-8"))
        tokens = tokenizer().tokens(text)
        assert tokens == JiebaTokenizer().tokens(text), file.name
        compared += len(tokens)
    assert compared > 200_000


def test_rare_han_is_all_that_jieba_does_not_know() -> None:
    rare = re.compile(f"(?![\u4e00-\u9fd5])[{HAN}]")
    for character in map(chr, [*range(0xD800), *range(0xE000, 0x32000)]):
        assert bool(rare.match(character)) == bool(BEYOND.match(character))


def test_stop_words_are_left_out() -> None:
    keep, drop = tokenizer(), tokenizer((), True)
    text = "我们的算法 and the algorithm"
    assert drop.tokens(text) == ["算法", "algorithm"]
    assert set(keep.tokens(text)) > set(drop.tokens(text))
    assert len(stop_list()) > 400
    assert all(normalized_text(word) == word for word in stop_list())


def test_tokenizer_pickles_as_its_parameters() -> None:
    made = Tokenizer(("石墨烯电池",), True)
    again = pickle.loads(pickle.dumps(made))
    assert again.tokens("石墨烯电池的") == made.tokens("石墨烯电池的") == ["石墨烯电池"]


def test_tokens_are_those_of_jieba() -> None:
    text = normalized_text(SAMPLE) + "㐀㐁字龦龧鿕鿖鿿𠮷野〇家㐂"
    assert tokenizer().tokens(text) == JiebaTokenizer().tokens(text)


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=OFTEN, max_size=40))
def test_tokens_of_random_runs_are_those_of_jieba(text: str) -> None:
    assume(not REPEATED.search(text))
    assert tokenizer().tokens(text) == JiebaTokenizer().tokens(text)


@pytest.mark.long
def test_words_of_the_user_are_cut_as_jieba_cuts_them() -> None:
    words = ("网易杭研", "石墨烯电池 200 n", "雷同检测 5", "结婚的和尚 3 nr")
    texts = [SAMPLE, "雷同检测用石墨烯电池，结婚的和尚来到网易杭研大厦做雷同检测"]
    cut, judge = Tokenizer((*words, "# comment", "")), JiebaTokenizer(words)
    for text in texts:
        assert cut.tokens(text) == judge.tokens(text)
    assert "网易杭研" in cut.tokens(texts[1])
    assert "石墨烯电池" in cut.tokens(texts[1])
    assert "网易杭研" not in tokenizer().tokens(texts[1])


def test_count_texts_rows_are_sorted_and_complete() -> None:
    got = count_texts(["b a b", "", "a c 12"], tokenizer())
    assert got.vocabulary == ("b", "a", "c")
    assert got.indptr.tolist() == [0, 2, 2, 4]
    assert got.token.tolist() == [0, 1, 1, 2]
    assert got.count.tolist() == [2, 1, 1, 1]
    assert got.length.tolist() == [3, 0, 2]
    assert len(merge_features([])) == 0


@pytest.mark.long
@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet="ab 中国人1", max_size=12), max_size=8), st.integers(0, 8))
def test_merge_features_equals_counting_at_once(texts: list[str], cut: int) -> None:
    parts = [count_texts(part, tokenizer()) for part in (texts[:cut], texts[cut:])]
    assert same(merge_features(parts), count_texts(texts, tokenizer()))


def test_read_tagged_splits_words_and_tags() -> None:
    assert read_tagged("迈向/v 充满/v 希望/n 的/u\n[中央/n 电台/n]nt ,/w 1/2/m plain //w") == [
        *(("迈向", "v"), ("充满", "v"), ("希望", "n"), ("的", "u"), ("中央", "n"), ("电台", "n")),
        *((",", "w"), ("1/2", "m"), ("plain", ""), ("/", "w")),
    ]
