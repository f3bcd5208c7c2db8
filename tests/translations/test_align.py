"""The search for translations: loops of C and plain Python agree, and find what they should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import translated_growth as growth
from oracles import translated_growth_in_c as growth_in_c

from simhash_core.model import ASCII, LATIN, StemmedText
from simhash_core.translations import align
from simhash_core.translations.align import Rates, answers, pair_of, places_of, translations
from simhash_core.translations.likely import likely_pairs, stem_postings

BOTH = pytest.mark.parametrize("loops", [growth, growth_in_c], ids=["readable", "C"])
STEMS = 20_000
WORDS = st.lists(st.lists(st.integers(0, 11), min_size=0, max_size=3), min_size=1, max_size=40)
NUMBERS = np.array([50.0, 0.5, 3.0])


def text_of(words: list[list[int]], kind: int = 0) -> StemmedText:
    """A text of words with some stems each, ten characters a word, a sentence every ten words."""
    sizes = np.cumsum([0, *map(len, words)])
    start = 10 * np.arange(len(words), dtype=np.int32)
    ends = np.append(np.arange(0, 10 * len(words), 100), 10 * len(words)).astype(np.int32)
    return StemmedText(
        sizes.astype(np.int64),
        np.array([stem for word in words for stem in word], np.int32),
        start,
        start + 8,
        np.full(len(words), kind, np.uint8),
        ends,
    )


def rates(stems: int = STEMS) -> Rates:
    return Rates(np.full(stems, 2e-4), np.full(stems, 3e-4))


def random_words(seed: int, n: int, stems: int = STEMS) -> list[list[int]]:
    draw = np.random.default_rng(seed)
    return [draw.choice(stems, size=draw.integers(1, 4), replace=False).tolist() for _ in range(n)]


def singles(words: list[list[int]]) -> list[list[int]]:
    return [word[:1] for word in words]


@given(a=WORDS, b=st.lists(st.integers(0, 11), min_size=1, max_size=40), seed=st.integers(0, 5))
def test_every_step_agrees(a: list[list[int]], b: list[int], seed: int) -> None:
    left, right = text_of(a), text_of([[stem] for stem in b], kind=seed % 3 + 1)
    draw = np.random.default_rng(seed)
    rate_a, rate_b = draw.uniform(1e-4, 0.02, 12), draw.uniform(1e-4, 0.02, 12)
    results = []
    for loops in (growth, growth_in_c):
        sides = loops.two_sides(
            left.indptr, left.stem, left.kind, right.stem, right.kind, rate_a, rate_b, NUMBERS
        )
        seeds = loops.window_seeds(*sides, 8, 3, 6.0, 0.5, 100)
        low = seeds[:, :2].astype(np.int64)
        sizes = (len(left), len(right))
        high = np.minimum(low + 8, sizes)
        spans = np.stack([low[:, 0], high[:, 0], low[:, 1], high[:, 1]], axis=1)
        distinct = sides[2]
        rects = loops.grow(*sides[:2], sizes, np.zeros(distinct), spans, 0, 0.5, 4.0, 2, 3, 10)
        counted = np.arange(len(left)) % 3 > 0
        ratios = loops.evidence(*sides, counted, 0.5, rects)
        lone = [loops.lone_stems(*sides, rect).tolist() for rect in rects]
        results.append((*sides[0], *sides[1], seeds, rects, ratios, lone))

    for one, by_c in zip(*results, strict=True):
        if isinstance(one, list):
            assert one == by_c
        else:
            np.testing.assert_array_equal(one, by_c)


def test_what_a_word_is_worth() -> None:
    match, miss = growth.worth(1e-4, 100.0, 0.5)
    chance = 1 - np.exp(-1e-4 * growth.LONGEST)

    assert match == pytest.approx(np.log(0.5 / chance))
    assert miss == pytest.approx(np.log(0.5 / (1 - chance)))
    assert growth.worth(0.1, 100.0, 0.5) == (0.0, 0.0)  # a common word says nothing
    assert growth.worth(1e-4, 10.0, 0.5)[0] > match  # a short span is less likely to have it


@BOTH
def test_a_doubtful_word_counts_only_where_it_is_answered(loops) -> None:  # type: ignore[no-untyped-def]
    doubtful = np.full(2, 4, np.uint8)
    a = np.array([0, 1, 2], np.int64), np.array([0, 1], np.int32), doubtful
    side, _, _ = loops.two_sides(
        *a, np.array([0, 2], np.int32), np.zeros(2, np.uint8), *np.full((2, 3), 1e-3), NUMBERS
    )

    assert side[2][0, 0] > 0
    assert side[2][1].tolist() == [0, 0, 0]


@BOTH
def test_runs_of_both_texts_say_nothing(loops) -> None:  # type: ignore[no-untyped-def]
    stems = np.array([0, 1, 2, 3], np.int32)
    kind = np.full(4, LATIN | ASCII, np.uint8)
    a, b, _ = loops.two_sides(
        np.arange(5), stems, kind, stems[:3], kind[:3], *np.full((2, 4), 1e-3), NUMBERS
    )

    assert not a[2][:3].any()
    assert a[2][3].any()
    assert not b[2].any()


@BOTH
def test_a_run_longer_than_needed_says_nothing_to_its_end(loops) -> None:  # type: ignore[no-untyped-def]
    stems = np.arange(6, dtype=np.int32)
    kind = np.full(6, LATIN | ASCII, np.uint8)
    a, b, _ = loops.two_sides(
        np.arange(7), stems, kind, stems[:5], kind[:5], *np.full((2, 6), 1e-3), NUMBERS
    )

    assert a[2].any(axis=1).tolist() == [False] * 5 + [True]
    assert not b[2].any()


def test_a_planted_translation_is_found_and_unrelated_texts_share_nothing() -> None:
    shared = random_words(1, 80)
    a = text_of([*random_words(2, 150), *shared, *random_words(3, 150)])
    b = text_of(singles([*random_words(4, 200), *shared, *random_words(5, 90)]))
    (found,) = translations(a, b, rates(), least=22.0)
    assert np.abs(found.rect - [150, 230, 200, 280]).max() <= 6
    assert places_of((a, b), found.rect) == (1500, 2300, 2000, 2800)  # the ends of sentences
    a, b = text_of(random_words(2, 300)), text_of(singles(random_words(4, 300)))
    assert translations(a, b, rates(), least=22.0) == []
    assert translations(a, text_of([[1]] * 3), rates(), least=0.0) == []


def test_order_is_a_bonus_with_a_cap() -> None:
    words = [[stem] for stem in range(60)]
    mixed = [words[i] for i in np.random.default_rng(1).permutation(60)]
    rect = np.array([0, 60, 0, 60])
    in_order = pair_of(text_of(words), text_of(words), rates())
    shuffled = pair_of(text_of(words), text_of(mixed), rates())

    assert align.order_bonus(in_order, rect) == pytest.approx(align.TRANSLATED_ORDER)
    assert align.order_bonus(shuffled, rect) < 2
    assert in_order.score(rect[None]) == pytest.approx(shuffled.score(rect[None]))


def test_words_in_latin_letters_are_no_evidence_of_translation() -> None:
    words = [[stem] for stem in np.random.default_rng(1).permutation(60).tolist()]
    other = [words[i] for i in np.random.default_rng(2).permutation(60)]
    rect = np.array([0, 60, 0, 60])
    pair = pair_of(text_of(words, kind=LATIN | ASCII), text_of(other), rates())

    assert pair.score(rect[None])[0] > 100
    assert pair.score_without_latin(rect) == 0


def test_answers_are_one_to_one_and_near() -> None:
    a = text_of([[7, 1], [2], [3], [1]])
    b = text_of([[1], [9], [2], [1]])
    pair = pair_of(a, b, rates())

    found = answers(pair, np.array([0, 4, 0, 4]))

    assert [(one.a, one.b, one.stem) for one in found] == [(0, 0, 1), (1, 2, 2), (3, 3, 1)]


def test_the_likeliest_pairs_are_those_that_share_rare_stems() -> None:
    parts = [random_words(seed, 60, stems=4000) for seed in range(12)]
    a = [text_of([*random_words(50 + i, 60, stems=4000), *parts[i]]) for i in range(12)]
    b = [text_of(singles([*parts[i], *random_words(80 + i, 90, stems=4000)])) for i in range(12)]

    feature = np.arange(4000, dtype=np.int32)
    asked = stem_postings(a, feature)
    parts = [stem_postings(texts, feature) for texts in (b[:5], b[5:5], b[5:])]
    every = [(part, np.ones(len(part), np.bool_)) for part in parts]

    best = likely_pairs(asked, every, most=1)
    one_hidden = [(part, np.arange(len(part)) != 2) for part in parts]
    others = likely_pairs(asked, one_hidden, most=1)

    assert best.tolist() == [[i, i] for i in range(12)]
    assert [i for i, j in others.tolist() if i == j] == [0, 1, 3, 4, 5, 6, 8, 9, 10, 11]


@pytest.mark.parametrize("most", [1, 2, 5])
def test_no_text_gets_more_pairs_than_asked_for(most: int) -> None:
    shared = random_words(1, 60, stems=4000)
    asked = [text_of(shared), text_of(random_words(2, 60, stems=4000))]
    stored = [text_of(singles([*shared, *random_words(9 + i, 40, stems=4000)])) for i in range(4)]
    unlike = [text_of(singles(random_words(30 + i, 90, stems=4000))) for i in range(30)]
    feature = np.arange(4000, dtype=np.int32)
    part = stem_postings([*stored, *unlike], feature)

    pairs = likely_pairs(
        stem_postings(asked, feature), [(part, np.ones(len(part), np.bool_))], most=most
    )

    of_first = pairs[pairs[:, 0] == 0, 1].tolist()
    assert len(of_first) == min(most, len(stored))
    assert {*of_first} <= {*range(len(stored))}
