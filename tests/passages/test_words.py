"""Chinese word by word: the words of a text, and what they find that characters do not."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles.tokenizing import tokenize
from plain import plain, view_of
from prose import chinese

from simhash_core.passages.align import IDENTICAL, REWORDED, align
from simhash_core.passages.tokenized import (
    document_frequencies,
    drop_concepts,
    features_of,
    has_words,
    words_of,
)


def by_twos(runs):
    """Cut every run into words of two characters."""
    words = []
    for n, run in enumerate(runs.split(" ")):
        words += [" "] * (n > 0) + [run[i : i + 2] for i in range(0, len(run), 2)]
    return words


def cut(text, segment=by_twos):
    return tokenize(plain(text), text, segment=segment)


@given(st.text(alphabet="天地人和ab ，カ\n", max_size=30))
def test_words_cover_the_text_in_order(text):
    tokens = cut(text)

    words, first = words_of(tokens)

    assert first[-1] == len(tokens)
    assert (np.diff(first) > 0).all()
    assert words.chars == tokens.chars
    for row in range(len(words)):
        inside = text[words.start[row] : words.end[row]]
        assert inside == text[tokens.start[first[row]] : tokens.end[first[row + 1] - 1]]
        assert len(inside) <= 2 or inside.isascii()


def test_equal_words_have_equal_features_wherever_they_stand():
    first, second = (words_of(cut(text))[0] for text in ("天地，人和", "人和。天地"))

    assert first.feature.tolist() == second.feature.tolist()[::-1]
    assert len(set(first.feature.tolist())) == 2


def test_texts_that_nothing_cut_have_no_words() -> None:
    assert not has_words(view_of("天地人和"))
    assert has_words(cut("天地人和"))
    assert len(features_of(cut("天地人和"))) == 6
    assert not has_words(cut("天地人和", lambda runs: ["天"]))


def reworded(seed, text, share):
    """Shuffle words of two within sentences and replace a share of them."""
    rng = random.Random(seed)
    sentences = []
    for sentence in text.split("。"):
        words = [sentence[i : i + 2] for i in range(0, len(sentence), 2)]
        words = [word if rng.random() >= share else chinese(rng.random(), 2)[:2] for word in words]
        rng.shuffle(words)
        sentences.append("".join(words))
    return "。".join(sentences)


def sentences(seed, count):
    return "".join(
        chinese(seed * 100 + n, 20)[:20].replace("。", "天") + "。" for n in range(count)
    )


def passages(segment):
    copied = sentences(7, 20)
    texts = [
        sentences(1, 30) + copied + sentences(2, 30),
        sentences(3, 30) + reworded(5, copied, 0.45) + sentences(4, 30),
    ]
    tokens = [tokenize(plain(text), text, segment=segment) for text in texts]
    others = [
        tokenize(plain(t), t, segment=segment) for t in (sentences(n, 80) for n in range(20, 40))
    ]
    found = align(*tokens, df=document_frequencies([*tokens, *others]))
    return found.take(~found.weak)


def test_a_free_rewording_is_found_by_its_words():
    found = passages(by_twos)

    assert len(found) == 1
    assert abs(int(found.a_start[0]) - 630) < 80
    assert abs(int(found.a_end[0]) - 1050) < 80
    assert len(passages(None)) == 0


def of_one_meaning(words):
    return np.array([word in ("天地", "人和") for word in words], np.uint64) << np.uint64(40)


def test_words_of_one_concept_have_one_feature_but_latin_ones_none() -> None:
    by_meaning = tokenize(
        plain("天地，人和，地人"), "天地，人和，地人", segment=by_twos, concepts=of_one_meaning
    )
    written = words_of(drop_concepts(by_meaning))[0].feature.tolist()
    feature = words_of(by_meaning)[0].feature.tolist()
    assert len(set(written)) == 3
    assert feature[0] == feature[1] != feature[2]
    assert feature[2] == written[2]
    assert (
        words_of(by_meaning)[0].token.tolist()
        == words_of(cut("天地，人和，地人"))[0].token.tolist()
    )

    text = "天地 one two"
    words, _ = words_of(tokenize(plain(text), text, segment=by_twos, concepts=of_one_meaning))
    assert len(words) == 3
    assert words.feature.tolist()[0] != 0
    assert words.feature.tolist()[1:] == view_of("one two").feature.tolist()


def beside_a_copy(count):
    """Return kind, start and end in a of what a copy and a rewording before it give."""
    copied, around = sentences(7, 20), [sentences(n, count) for n in (1, 2)]
    texts = [around[0] + copied + around[1], reworded(3, around[0], 0.4) + copied]
    tokens = [cut(text) for text in texts]
    others = [cut(sentences(n, 80)) for n in range(20, 40)]
    found = align(*tokens, df=document_frequencies([*tokens, *others]))
    firm = found.take(~found.weak)
    return list(zip(firm.kind.tolist(), firm.a_start.tolist(), firm.a_end.tolist(), strict=True))


def test_beside_a_copy_its_borders_are_kept_and_a_long_rewording_is_found() -> None:
    assert beside_a_copy(8) == [(IDENTICAL, 168, 588)]

    (reworded_one, copy) = sorted(beside_a_copy(16), key=lambda one: one[1])
    assert copy == (IDENTICAL, 336, 756)
    assert reworded_one[0] == REWORDED
    assert reworded_one[1] < 60
    assert reworded_one[2] == 336
