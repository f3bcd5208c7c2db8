"""Shares of a text: nothing counts twice, and all of it is exactly 1."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import coverage as readable
from plain import view_of
from prose import chinese, english

from simhash_core.model import PASSAGE_KINDS, SHARED, Passages
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

    assert coverage.count_covered(one, start, end) == len(expected)


@pytest.mark.parametrize("mark", ["\n\n", " … ", "\u3000"])
def test_the_same_words_with_other_space_are_shared_in_full(mark):
    a, b = view_of(english(1, 200)), view_of(english(1, 200).replace(". ", "." + mark))
    passages = align(a, b)

    numbers, _ = coverage.sum_up_pairs([a, b], np.array([[0, 1]]), passages)

    assert (numbers.coverage_a[0], numbers.coverage_b[0], numbers.identical[0]) == (1, 1, 1)


def patchwork():
    sources = [chinese(i, 600) for i in range(3)]
    made = sources[0][:300] + "\n" + sources[1][:200] + "\n" + sources[0][:300] + chinese(9, 300)
    texts = [made, *sources, sources[0]]
    tokenized = [view_of(text) for text in texts]
    pairs = np.array([[0, 1], [0, 2], [0, 3], [0, 4], [1, 4]])
    return tokenized, pairs, align_many(tokenized, pairs)


def test_total_overlap_counts_what_is_shared_once_and_in_parts(monkeypatch) -> None:
    tokenized, pairs, passages = patchwork()
    numbers, stretches = coverage.sum_up_pairs(tokenized, pairs, passages)
    parts = coverage.parts_of_texts(tokenized, pairs, stretches)
    total = coverage.shares_of(parts, np.array([text.counted for text in tokenized]))
    assert total[0] < numbers.coverage_a.sum()
    assert total.max() <= 1
    assert total[1] == total[4] == 1
    assert total[3] == 0

    weak = replace(passages, weak=np.ones(len(passages), bool))
    numbers, stretches = coverage.sum_up_pairs(tokenized, pairs, weak)
    assert numbers.passages.sum() == 0
    assert coverage.parts_of_texts(tokenized, pairs, stretches).sum() == 0

    whole, stretches = coverage.sum_up_pairs(tokenized, pairs, passages)
    monkeypatch.setattr(coverage, "MEASURED_TOKENS", 1500)
    numbers, of_parts = coverage.sum_up_pairs(tokenized, pairs, passages)
    for one, other in zip(whole.columns(), numbers.columns(), strict=True):
        assert one.tolist() == other.tolist()
    for one, other in zip(stretches.columns(), of_parts.columns(), strict=True):
        assert one.tolist() == other.tolist()


def test_identical_stretches_that_others_hold_are_not_needed_for_what_texts_share() -> None:
    tokenized, pairs, passages = patchwork()
    _, stretches = coverage.sum_up_pairs(tokenized, pairs, passages)

    fewer = coverage.drop_repeated(stretches, pairs)

    assert len(fewer) < len(stretches)
    parts = coverage.parts_of_texts(tokenized, pairs, stretches)
    assert coverage.parts_of_texts(tokenized, pairs, fewer).tolist() == parts.tolist()
    assert len(fewer.of_kind(SHARED)) == len(stretches.of_kind(SHARED))


def test_longest_run_is_measured_inside_the_passage():
    text = english(1, 120)
    a, b = view_of(text), view_of(text.replace(text.split()[60], "otherwise", 1))
    passages = align(a, b)
    numbers, _ = coverage.sum_up_pairs([a, b], np.array([[0, 1]]), passages)

    assert 0.3 * len(a) < numbers.longest[0] < len(a) == 120


#: texts of few words or characters, which meet in many places and orders
FEW = st.one_of(
    st.lists(
        st.sampled_from(["one", "two", "three", "four.", "five\n"]), min_size=1, max_size=120
    ).map(" ".join),
    st.lists(st.sampled_from("甲乙丙丁，戊"), min_size=2, max_size=150)
    .map("".join)
    .filter(lambda text: text.strip("，")),  # a passage needs a word to stand on
)
#: passages of whatever kind: shares of either text where they begin, and how long they are
ANYWHERE = st.lists(st.tuples(st.integers(0, 2), *(st.floats(0, 1),) * 4), min_size=1, max_size=5)


def passages_at(texts, pairs, given):
    """Return passages of some pairs, which may overlap and cross as they like."""
    columns = {name: [] for name in ("pair", "kind", "a_start", "a_end", "b_start", "b_end")}
    for row, of_pair in enumerate(given):
        for kind, *shares in of_pair:
            columns["pair"].append(row)
            columns["kind"].append(kind)
            for side, text in zip("ab", pairs[row].tolist(), strict=True):
                places = [int(share * len(texts[text])) for share in shares[:2]]
                low, high = sorted(min(place, len(texts[text]) - 1) for place in places)
                columns[f"{side}_start"].append(int(texts[text].start[low]))
                columns[f"{side}_end"].append(int(texts[text].end[high]))
                shares = shares[2:]
    n = len(columns["pair"])
    whole = {name: np.array(columns[name], np.int32) for name in columns if "_" in name}
    ones, none = np.ones(n, np.int32), np.zeros(n, np.bool_)
    return Passages(
        np.array(columns["pair"], np.int64),
        *(whole[name] for name in ("a_start", "a_end", "b_start", "b_end")),
        np.array(columns["kind"], np.uint8) % len(PASSAGE_KINDS),
        ones.astype(np.float32),
        none,
        *(ones,) * 4,
    )


@given(st.tuples(FEW, FEW, FEW), st.tuples(ANYWHERE, ANYWHERE), st.sampled_from([2, 5, 13]))
def test_pairs_are_measured_as_plain_python_measures_them(texts, given_passages, min_run):
    texts = [view_of(text) for text in texts]
    pairs = np.array([[0, 1], [1, 2]])
    passages = passages_at(texts, pairs, given_passages)

    of_both = [
        loops.measure_pairs(texts, pairs, passages, min_run) for loops in (readable, coverage)
    ]

    for one, other in zip(*(table[0].columns() for table in of_both), strict=True):
        assert one.dtype == other.dtype
        assert one.tolist() == other.tolist()
    for one, other in zip(*(table[1].columns() for table in of_both), strict=True):
        assert one.tolist() == other.tolist()


def test_a_passage_of_one_word_over_and_over_is_measured_by_both():
    texts = [view_of("so " * 1500 + "it goes"), view_of("so " * 1600 + "they say")]
    passages = align(*texts)

    of_both = [
        loops.measure_pairs(texts, np.array([[0, 1]]), passages.take(~passages.weak), 13)[0]
        for loops in (readable, coverage)
    ]

    assert [numbers.longest.tolist() for numbers in of_both] == [[1500], [1500]]
