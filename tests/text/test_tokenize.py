"""Tokens are jieba's, whichever library cuts them; features count them."""

from __future__ import annotations

import importlib.util
import pickle
import re
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simhash_core.model import Features
from simhash_core.text.characters import HAN
from simhash_core.text.normalize import normalized_text
from simhash_core.text.segment import BEYOND, segmenter
from simhash_core.text.tokenize import (
    Tokenizer,
    count_features,
    merge_features,
    read_tagged,
    stop_list,
    tokenizer,
)

SAMPLE = """
如有雷同，纯属巧合。老师把两份作业放在一起看，发现它们的结构、例子和错别字都一样。
二〇二四年，他来到了网易杭研大厦；小明硕士毕业于中国科学院计算所，后在日本京都大学深造。
工信处女干事每月经过下属科室都要亲口交代24口交换机等技术性器件的安装工作。
结婚的和尚未结婚的，乒乓球拍卖完了，南京市长江大桥欢迎您！𠮷野家与䶮字。
Rust 的 std::vec::Vec<T> 与 C++ 的 T恤 不同，don't_panic 2024 v1.2.3 B超 АТ&Т AT&T a.b_c.
這是繁體字的測試，軟體工程師撰寫程式碼。
"""
OFTEN = "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后𠮷龘〇ab1 "
needs_rjieba = pytest.mark.skipif(
    importlib.util.find_spec("rjieba") is None, reason="rjieba is optional"
)


def same(a: Features, b: Features) -> bool:
    arrays = ("indptr", "token", "count", "length")
    return a.vocabulary == b.vocabulary and all(
        np.array_equal(getattr(a, name), getattr(b, name)) for name in arrays
    )


@pytest.fixture(scope="module", params=["default", "jieba alone"])
def cutter(request: pytest.FixtureRequest) -> Tokenizer:
    return tokenizer((), False, request.param == "jieba alone")


def test_tokens_known_cases(cutter: Tokenizer) -> None:
    assert cutter.tokens("抄袭检测算法的算法指纹2024") == [
        "抄袭",
        "检测",
        "算法",
        "的",
        "算法",
        "指纹",
    ]
    assert cutter.tokens("don't stop_me now 42 4you a-b") == [
        "don't",
        "stop_me",
        "now",
        "4you",
        "a",
        "b",
    ]
    assert cutter.tokens("用rust写代码") == ["用", "rust", "写", "代码"]
    assert cutter.tokens("二〇二四𠮷野家") == ["二", "〇", "二四", "𠮷", "野家"]
    assert cutter.tokens(" ,.!") == []
    assert cutter.tokens("") == []


@needs_rjieba
def test_tokens_are_the_same_with_jieba_alone() -> None:
    for text in (SAMPLE, normalized_text(SAMPLE), *SAMPLE.splitlines()):
        assert tokenizer().tokens(text) == tokenizer((), False, True).tokens(text)
    assert same(
        count_features(tokenizer(), [SAMPLE]), count_features(tokenizer((), False, True), [SAMPLE])
    )


@pytest.mark.long
def test_tokens_of_a_run_are_what_jieba_makes_of_it(cutter: Tokenizer) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba
    jieba.setLogLevel(60)
    model = jieba.Tokenizer()
    text = normalized_text(SAMPLE) + "㐀㐁字龦龧鿕鿖鿿𠮷野〇家㐂"
    runs = re.findall(f"[{HAN}]+", text)
    expected = [word for run in runs for word in model.lcut(run)]
    assert [word for word in cutter.tokens(text) if not word.isascii()] == expected


@pytest.mark.long
@needs_rjieba
@pytest.mark.parametrize(
    "text", ["人水水水人", "水水水水水水水水", "他笑哈哈哈哈哈哈 中国鏰跢猨皛"]
)
def test_repeated_characters_are_cut_as_jieba_cuts_them(text: str) -> None:
    assert tokenizer().tokens(text) == Tokenizer(pure=True).tokens(text)


@pytest.mark.long
@needs_rjieba
def test_user_words_are_the_same_with_jieba_alone() -> None:
    words = ("网易杭研", "石墨烯电池 200 n", "雷同检测 5", "结婚的和尚 3 nr", "# comment", "")
    texts = [SAMPLE, "雷同检测用石墨烯电池，结婚的和尚来到网易杭研大厦做雷同检测"]
    fast, slow = Tokenizer(words), Tokenizer(words, pure=True)
    for text in texts:
        assert fast.tokens(text) == slow.tokens(text)
    assert "网易杭研" in fast.tokens(texts[1])
    assert "石墨烯电池" in fast.tokens(texts[1])
    assert "网易杭研" not in tokenizer().tokens(texts[1])


@pytest.mark.long
@needs_rjieba
@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=OFTEN, max_size=40))
def test_tokens_parity_on_random_runs(text: str) -> None:
    assert tokenizer().tokens(text) == tokenizer((), False, True).tokens(text)


@needs_rjieba
@pytest.mark.corpora
def test_tokens_parity_on_real_text(corpora: Path) -> None:
    files = sorted((corpora / "zh_rust_book" / "docs").rglob("*.*"))[:120]
    files += sorted((corpora / "zh_laws_dev").rglob("*.txt"))[:60]
    files += sorted((corpora / "en_rust_book" / "docs").rglob("*.*"))[:40]
    compared = 0
    for file in files:
        text = normalized_text(file.read_text(encoding="utf-8"))
        tokens = tokenizer().tokens(text)
        assert tokens == tokenizer((), False, True).tokens(text), file.name
        compared += len(tokens)
    assert compared > 200_000


def test_counts_agree_with_tokens(cutter: Tokenizer) -> None:
    text = normalized_text(SAMPLE)
    assert cutter.counts(text) == Counter(cutter.tokens(text))


@given(st.text(alphabet="ab1'_ é-的算法\n\U0001f600", max_size=60))
def test_counts_agree_with_tokens_around_marks(text: str) -> None:
    assert tokenizer().counts(text) == Counter(tokenizer().tokens(text))


def test_rare_han_is_all_that_jieba_does_not_know() -> None:
    rare = re.compile(f"(?![\u4e00-\u9fd5])[{HAN}]")
    for character in map(chr, [*range(0xD800), *range(0xE000, 0x32000)]):
        assert bool(rare.match(character)) == bool(BEYOND.match(character))


def test_stop_words_are_left_out() -> None:
    keep, drop = tokenizer(), tokenizer((), True)
    text = "我们的算法 and the algorithm"
    assert drop.tokens(text) == ["算法", "algorithm"]
    assert set(keep.tokens(text)) > set(drop.tokens(text))
    assert drop.counts(text) == Counter(drop.tokens(text))
    assert len(stop_list()) > 400
    assert all(normalized_text(word) == word for word in stop_list())


def test_tokenizer_pickles_as_its_parameters() -> None:
    made = Tokenizer(("石墨烯电池",), True)
    again = pickle.loads(pickle.dumps(made))
    assert again.tokens("石墨烯电池的") == made.tokens("石墨烯电池的") == ["石墨烯电池"]


def test_count_features_rows_are_sorted_and_complete() -> None:
    got = count_features(tokenizer(), ["b a b", "", "a c 12"])
    assert got.vocabulary == ("b", "a", "c")
    assert got.indptr.tolist() == [0, 2, 2, 4]
    assert got.token.tolist() == [0, 1, 1, 2]
    assert got.count.tolist() == [2, 1, 1, 1]
    assert got.length.tolist() == [3, 0, 2]


@pytest.mark.long
@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet="ab 中国人1", max_size=12), max_size=8), st.integers(0, 8))
def test_merge_features_equals_counting_at_once(texts: list[str], cut: int) -> None:
    whole = count_features(tokenizer(), texts)
    parts = [count_features(tokenizer(), part) for part in (texts[:cut], texts[cut:])]
    assert same(merge_features(parts), whole)


def test_merge_features_of_nothing_is_empty() -> None:
    assert len(merge_features([])) == 0


def test_read_tagged_splits_words_and_tags() -> None:
    assert read_tagged("迈向/v 充满/v 希望/n 的/u\n[中央/n 电台/n]nt ,/w 1/2/m plain //w") == [
        ("迈向", "v"),
        ("充满", "v"),
        ("希望", "n"),
        ("的", "u"),
        ("中央", "n"),
        ("电台", "n"),
        (",", "w"),
        ("1/2", "m"),
        ("plain", ""),
        ("/", "w"),
    ]


@pytest.mark.long
def test_jieba_keeps_no_tables_in_the_shared_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    assert segmenter(pure=True)("我们的交通") == ["我们", "的", "交通"]
    assert not list(tmp_path.iterdir())
