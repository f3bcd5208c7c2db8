"""How many texts hold what two share, against a slow obvious judge."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import view_of

from simhash_core.model import SHARED, Stretches
from simhash_core.passages.holders import count_holders
from simhash_core.policy import (
    CASE_UNITS,
    FEW_HOLDERS,
    FEW_HOLDERS_SMALL,
    HOLDER_PRIOR,
    HOLDER_RUN,
    SMALL_CHECK,
)

WORDS = ["stone", "river", "lamp", "bridge", "paper", "winter"]
Range = tuple[int, int, int, int]  # pair, side, first word, one past the last


def stretches_of(texts, ranges: list[Range], pairs) -> Stretches:
    rows = [texts[pairs[pair][side]] for pair, side, _, _ in ranges]
    columns = [
        (pair, side, row.start[first], row.end[last - 1], SHARED)
        for row, (pair, side, first, last) in zip(rows, ranges, strict=True)
    ]
    types = (np.int64, np.uint8, np.int32, np.int32, np.uint8)
    held = zip(*columns, strict=True) if columns else [()] * 5
    return Stretches(*(np.array(one, kind) for one, kind in zip(held, types, strict=True)))


def judged(words: list[list[str]], pairs, ranges: list[Range]) -> np.ndarray:
    """The definition, word by word."""
    n, width = len(words), HOLDER_RUN["en"]
    runs = [[tuple(text[at : at + width]) for at in range(len(text) - width + 1)] for text in words]
    few = (FEW_HOLDERS if n >= SMALL_CHECK else FEW_HOLDERS_SMALL) - 1
    cover = [[0] * len(text) for text in words]
    for pair, side, first, last in ranges:
        for at in range(first, last):
            cover[pairs[pair][side]][at] += 1
    tones = np.zeros((len(pairs), 2, 3), int)
    for pair, side, first, last in ranges:
        mine, theirs = pairs[pair][side], pairs[pair][1 - side]
        fewest: list[int | None] = []
        for at in range(first, last):
            over = [
                sum(runs[mine][start] in held for held in runs) - 1
                for start in range(max(at - width + 1, 0), at + 1)
                if start < len(runs[mine]) and runs[mine][start] in runs[theirs]
            ]
            fewest.append(min(over, default=None))
        known = [1 / one for one in fewest if one is not None]
        for at, one in zip(range(first, last), fewest, strict=True):
            mean = (sum(known) + HOLDER_PRIOR / cover[mine][at]) / (len(known) + HOLDER_PRIOR)
            others = 1 / mean if one is None else one
            tones[pair, side, int(others > 1.5) + int(others > few + 0.5)] += 1
    return tones


@st.composite
def classes(draw):
    n = draw(st.integers(2, 18))
    words = [draw(st.lists(st.sampled_from(WORDS), min_size=5, max_size=12)) for _ in range(n)]
    pairs = draw(st.lists(st.sampled_from([(a, b) for b in range(n) for a in range(b)]),
                          min_size=1, max_size=4, unique=True))  # fmt: skip
    ranges = []
    for pair, texts in enumerate(pairs):
        for side in (0, 1):
            first = draw(st.integers(0, len(words[texts[side]]) - 1))
            ranges.append(
                (pair, side, first, draw(st.integers(first + 1, len(words[texts[side]]))))
            )
    return words, pairs, ranges


@given(classes())
def test_tones_are_as_defined(drawn) -> None:
    words, pairs, ranges = drawn
    texts = [view_of(" ".join(one)) for one in words]
    held = count_holders(texts, np.array(pairs), stretches_of(texts, ranges, pairs))

    assert held.of_pairs.tolist() == judged(words, pairs, ranges).tolist()
    covered = [len({at for p, s, a, b in ranges if pairs[p][s] == row for at in range(a, b)})
               for row in range(len(words))]  # fmt: skip
    assert held.of_texts.sum(axis=1).tolist() == covered


def test_a_unit_of_a_text_counts_as_the_fewest_of_any_pair_hold_it() -> None:
    phrase = " ".join(f"word{at}" for at in range(8))
    texts = [view_of(one) for one in (f"{phrase} alpha beta gamma delta", phrase, phrase,
                                      "alpha beta gamma delta")]  # fmt: skip
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2)]
    ranges = [(0, 0, 0, 8), (0, 1, 0, 8), (1, 0, 0, 8), (1, 1, 0, 8), (2, 0, 8, 12), (2, 1, 0, 4),
              (3, 0, 0, 8), (3, 1, 0, 8)]  # fmt: skip
    held = count_holders(texts, np.array(pairs), stretches_of(texts, ranges, pairs))

    assert held.of_texts.tolist() == [[4, 8, 0], [0, 8, 0], [0, 8, 0], [4, 0, 0]]


def long(seed: str, n: int = CASE_UNITS["en"] + 5) -> str:
    return " ".join(f"{seed}{at}" for at in range(n))


@pytest.mark.parametrize("between", ["", " some words of ones own "])
def test_what_follows_in_most_texts_is_one_passage(between: str) -> None:
    texts = [view_of(f"{long('a')} {between} {long('b')} {long(f'own{row}')}") for row in range(3)]
    pairs = [(0, 1), (0, 2), (1, 2)]
    size = 2 * (CASE_UNITS["en"] + 5) + len(between.split())
    ranges = [(pair, side, 0, size) for pair in range(3) for side in (0, 1)]
    groups = count_holders(texts, np.array(pairs), stretches_of(texts, ranges, pairs)).passages

    assert len(groups) == 1 and groups.document.tolist() == [0, 1, 2]
    assert groups.start.tolist() == [0] * 3
    assert groups.end.tolist() == [int(text.end[size - 1]) for text in texts]


def test_a_phrase_in_two_passages_does_not_make_one_of_them() -> None:
    texts = [view_of(f"{long(seed)} in the middle of it {long(seed * 2)}") for seed in "aaaabbbb"]
    pairs = [(i, j) for i, j in combinations(range(8), 2) if (i < 4) == (j < 4)]
    ranges = [(pair, side, 0, len(texts[0])) for pair in range(len(pairs)) for side in (0, 1)]
    groups = count_holders(texts, np.array(pairs), stretches_of(texts, ranges, pairs)).passages

    assert groups.first.tolist() == [0, 4, 8] and sorted(groups.document.tolist()) == [*range(8)]


def test_short_passages_and_those_of_two_texts_are_none() -> None:
    texts = [view_of(f"{long('a', 10)} {long(f'own{row}')}") for row in range(4)]
    pairs = [(0, 1), (0, 2), (1, 2), (2, 3)]
    ranges = [(pair, side, 0, 10) for pair in range(4) for side in (0, 1)]
    assert not len(
        count_holders(texts, np.array(pairs), stretches_of(texts, ranges, pairs)).passages
    )
    held = count_holders([view_of("one two")], np.zeros((0, 2), np.int64), Stretches.join([]))
    assert held.of_pairs.shape == (0, 2, 3) and held.of_texts.tolist() == [[0, 0, 0]]
    assert not len(held.passages)
