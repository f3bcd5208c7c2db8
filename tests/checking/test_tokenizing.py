"""A batch becomes the same numbers text by text, here and in workers."""

from __future__ import annotations

import dataclasses

import pytest
from oracles.tokenizing import count_features, tokenize, winnow
from prose import english

from simhash_core.checking.tokenizing import Packed, concepts_for, read_text, tokenize_chunk
from simhash_core.passages.tokenized import TokenizedText
from simhash_core.passages.winnow import Rule
from simhash_core.settings import Settings
from simhash_core.text.normalize import normalize
from simhash_core.text.tokenize import tokenizer

TEXTS = [
    "如有雷同，纯属巧合。老师把两份作业放在一起看，\n发现它们的结构、例子和错别字都一样。",
    english(3, 300),
    "",
    "這是繁體字的測試；軟體工程師撰寫程式碼。Don’t panic: a\u0301 ½ …",
    english(4, 100) + "南京市长江大桥欢迎您！" * 9,
]


@pytest.mark.parametrize("settings", [Settings(), Settings(stop_words=True, fold_variants=False)])
def test_chunks_are_what_each_text_is_by_itself(settings: Settings) -> None:
    features, places = tokenize_chunk((TEXTS, settings, True))

    cut, concepts = tokenizer((), settings.stop_words), concepts_for(settings)
    forms = [normalize(text, fold_variants=settings.fold_variants) for text in TEXTS]
    counted = count_features(cut, [form.text for form in forms])
    assert features.vocabulary == counted.vocabulary
    assert features.token.tolist() == counted.token.tolist()
    assert features.count.tolist() == counted.count.tolist()
    for form, text, (got, winnowed) in zip(forms, TEXTS, places, strict=True):
        expected = tokenize(form, text, segment=cut.segment, concepts=concepts)
        rule = Rule.of(settings.min_run)
        for one, other in ((got, expected), (winnowed, winnow(expected, rule=rule))):
            for field in dataclasses.fields(other):
                a, b = getattr(one, field.name), getattr(other, field.name)
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


def test_one_text_is_read_as_in_a_batch_and_words_change_no_place() -> None:
    settings = Settings(fold_variants=False)
    _, places = tokenize_chunk((TEXTS, settings, True))
    for text, (expected, _) in zip(TEXTS, places, strict=True):
        got = read_text(text, settings, words=True, meanings=True)
        for field in dataclasses.fields(expected):
            assert getattr(got, field.name).tolist() == getattr(expected, field.name).tolist()
    for text in TEXTS:
        plain, words = read_text(text, Settings()), read_text(text, Settings(), words=True)

        assert plain.word.all()
        for name in ("token", "feature", "start", "end", "end_attached", "border", "before"):
            assert getattr(plain, name).tolist() == getattr(words, name).tolist(), name
