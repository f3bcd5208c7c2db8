"""Texts of both languages as stems: candidates, parts, names, numbers, places."""

from __future__ import annotations

import pytest

from simhash_core.model import ASCII, DOUBTFUL, LATIN, StemmedText
from simhash_core.text.dictionary import Dictionary
from simhash_core.text.normalize import normalize
from simhash_core.translations.stems import StemVocabulary, english_rates

WORDS = {
    "教师": "teacher",
    "批改": "correct grade",
    "作业": "homework task",
    "人工": "artifici manual",
    "智能": "intellig smart",
    "书": "book letter",
}
READINGS = {"王": "wang", "小": "xiao", "明": "ming"}


@pytest.fixture
def vocabulary() -> StemVocabulary:
    stems = {stem for of_word in WORDS.values() for stem in of_word.split()}
    dictionary = Dictionary("2023", "0", WORDS, READINGS, dict.fromkeys(stems, 1e-4))
    return StemVocabulary(dictionary, english_rates({"teachers": 30, "grade": 10, "the": 500}))


def cut(runs: str) -> list[str]:
    """Words of these tests, longest first."""
    words, known = [], ["人工智能", "王小明", *WORDS, "的"]
    while runs:
        word = next((one for one in known if runs.startswith(one)), runs[0])
        words.append(word)
        runs = runs[len(word) :]
    return words


def chinese(vocabulary: StemVocabulary, text: str) -> StemmedText:
    return vocabulary.chinese_text(normalize(text), text, cut)


def english(vocabulary: StemVocabulary, text: str) -> StemmedText:
    return vocabulary.english_text(normalize(text), text)


def words(vocabulary: StemVocabulary, text: StemmedText) -> list[set[str]]:
    names = vocabulary.stems
    spans = zip(text.indptr[:-1].tolist(), text.indptr[1:].tolist(), strict=True)
    return [{names[stem] for stem in text.stem[low:high].tolist()} for low, high in spans]


def test_a_word_stands_for_all_its_stems_in_both_scripts(vocabulary: StemVocabulary) -> None:
    text = chinese(vocabulary, "教师批改的作业")
    assert words(vocabulary, text) == [{"teacher"}, {"correct", "grade"}, {"homework", "task"}]
    assert text.start.tolist() == [0, 2, 5]
    assert text.end.tolist() == [2, 4, 7]
    traditional = chinese(vocabulary, "教師批改的作業")
    assert words(vocabulary, traditional) == words(
        vocabulary, chinese(vocabulary, "教师批改的作业")
    )


def test_an_unknown_word_is_its_parts_and_a_name_its_spelling(vocabulary: StemVocabulary) -> None:
    text = chinese(vocabulary, "人工智能王小明")

    assert words(vocabulary, text) == [
        {"artifici", "manual"},
        {"intellig", "smart"},
        {"wangxiaom", "wang", "xiaom"},
    ]
    assert text.kind.tolist() == [0, 0, DOUBTFUL]
    assert words(vocabulary, english(vocabulary, "Wang Xiaoming's")) == [{"wang"}, {"xiaom"}]


@pytest.mark.parametrize(
    ("in_chinese", "in_english"),
    [
        ("三百万", "3 million"),
        ("300万", "3,000,000"),
        ("二十五", "25"),
        ("二〇二一年", "2021"),
        ("五月", "May"),
        ("5月", "may 5"),
        ("十二", "twelve"),
        ("1.5亿", "150 million"),
        ("30亿", "3 billion"),
        ("二十亿", "2 bn"),
        ("5万亿", "5 trillion"),
        ("3百万", "3 million"),
        ("七千", "7 thousand"),
    ],
)
def test_numbers_are_their_value(
    vocabulary: StemVocabulary, in_chinese: str, in_english: str
) -> None:
    numbers = [
        {stem for word in words(vocabulary, text) for stem in word if stem.startswith("#")}
        for text in (chinese(vocabulary, in_chinese), english(vocabulary, in_english))
    ]

    assert numbers[0] == numbers[1] != set()


def test_months_function_words_latin_words_and_ends_are_told(vocabulary: StemVocabulary) -> None:
    assert words(vocabulary, english(vocabulary, "may teacher")) == [{"teacher"}]
    assert words(vocabulary, english(vocabulary, "in May")) == [{"#5"}]
    assert len(english(vocabulary, "the of and a")) == 0
    assert len(chinese(vocabulary, "的的的")) == 0
    assert "the" not in vocabulary.english
    text = chinese(vocabulary, "教师 grade Rust 7")
    assert text.kind.tolist() == [0, LATIN | ASCII, LATIN | ASCII | DOUBTFUL, ASCII]
    assert chinese(vocabulary, "教师。”作业\n").ends.tolist() == [0, 4, 7, 7]
    assert english(vocabulary, "A book. 1.5 books").ends.tolist() == [0, 7, 17]


def test_rates_are_shares(vocabulary: StemVocabulary) -> None:
    english(vocabulary, "teacher grade 12 77777 nothing")
    of_chinese, of_english = vocabulary.rates()

    assert of_english[:2].tolist() == pytest.approx([0.75, 0.25])
    assert of_chinese[0] == pytest.approx(1e-4)
    assert (of_chinese > 0).all()
    assert (of_english > 0).all()
    assert of_chinese[2] == of_english[2] > of_chinese[3] == of_english[3]
