"""Shares of a text: nothing counts twice, and all of it is exactly 1."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import view_of
from prose import chinese, english

from simhash_core.passages import coverage
from simhash_core.passages.align import align, align_many

TEXT = "One two, three; four.  五六七八 (nine)\n\nten"


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 5)), max_size=6))
def test_covered_counts_the_tokens_of_the_union(picks):
    one = view_of(TEXT)
    spans = [(one.start[i], one.end[min(i + n, len(one)) - 1]) for i, n in picks if i < len(one)]
    start = np.array([s for s, _ in spans], np.int32)
    end = np.array([e for _, e in spans], np.int32)
    expected = [
        i
        for i, j in zip(one.start, one.end, strict=True)
        if any(s <= i and j <= e for s, e in spans)
    ]

    assert coverage.covered(one, start, end) == len(expected)


@pytest.mark.parametrize("mark", ["\n\n", " … ", "\u3000"])
def test_the_same_words_with_other_space_are_shared_in_full(mark):
    a, b = view_of(english(1, 200)), view_of(english(1, 200).replace(". ", "." + mark))
    passages = align(a, b)

    numbers, _ = coverage.of_pairs([a, b], np.array([[0, 1]]), passages)

    assert (numbers.coverage_a[0], numbers.coverage_b[0], numbers.identical[0]) == (1, 1, 1)


def patchwork():
    sources = [chinese(i, 600) for i in range(3)]
    made = sources[0][:300] + "\n" + sources[1][:200] + "\n" + sources[0][:300] + chinese(9, 300)
    texts = [made, *sources, sources[0]]
    tokenized = [view_of(text) for text in texts]
    pairs = np.array([[0, 1], [0, 2], [0, 3], [0, 4], [1, 4]])
    return tokenized, pairs, align_many(tokenized, pairs)


def test_total_overlap_counts_what_two_sources_share_once():
    tokenized, pairs, passages = patchwork()
    numbers, stretches = coverage.of_pairs(tokenized, pairs, passages)
    parts = coverage.parts_of_texts(tokenized, pairs, stretches)
    total = coverage.shares_of(parts, np.array([text.counted for text in tokenized]))

    assert total[0] < numbers.coverage_a.sum()
    assert total.max() <= 1
    assert total[1] == total[4] == 1
    assert total[3] == 0


def test_longest_run_is_measured_inside_the_passage():
    text = english(1, 120)
    a, b = view_of(text), view_of(text.replace(text.split()[60], "otherwise", 1))
    passages = align(a, b)
    numbers, _ = coverage.of_pairs([a, b], np.array([[0, 1]]), passages)

    assert 0.3 * len(a) < numbers.longest[0] < len(a) == 120


def test_weak_passages_count_nowhere():
    tokenized, pairs, passages = patchwork()
    weak = replace(passages, weak=np.ones(len(passages), bool))

    numbers, stretches = coverage.of_pairs(tokenized, pairs, weak)

    assert numbers.passages.sum() == 0
    assert coverage.parts_of_texts(tokenized, pairs, stretches).sum() == 0
