"""Which words of a passage both sides have in common."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import findings as oracle
from oracles.findings import in_common as readable
from plain import view_of
from prose import chinese, english

from simhash_core.model import PASSAGE_KINDS
from simhash_core.passages.align import align
from simhash_core.passages.findings import mark_common

BOTH = pytest.mark.parametrize("common", [readable, mark_common], ids=["readable", "C"])
ROWS = st.lists(st.integers(0, 5), max_size=30).map(lambda row: np.array(row, np.int64))


def common_order(a, b):
    """Return the length of the longest common subsequence, by the textbook table."""
    table = np.zeros((len(a) + 1, len(b) + 1), int)
    for i, first in enumerate(a.tolist()):
        for j, second in enumerate(b.tolist()):
            longest = max(table[i, j + 1], table[i + 1, j])
            table[i + 1, j + 1] = table[i, j] + 1 if first == second else longest
    return int(table[-1, -1])


def in_runs(a, b, length):
    """Return which tokens of a lie in a run of b, by comparing every place with every place."""
    runs = {tuple(b[i : i + length].tolist()) for i in range(len(b) - length + 1)}
    starts = [i for i in range(len(a) - length + 1) if tuple(a[i : i + length].tolist()) in runs]
    return {i + shift for i in starts for shift in range(length)}


@BOTH
@given(a=ROWS, b=ROWS)
def test_every_common_word_has_an_equal_one_and_the_common_order_counts_in_full(common, a, b):
    left, right = common(a, b, 3)

    assert set(a[left].tolist()) | set(b[right].tolist()) <= set(a.tolist()) & set(b.tolist())
    assert min(left.sum(), right.sum()) >= common_order(a, b)
    assert in_runs(a, b, 3) <= set(np.flatnonzero(left).tolist())
    assert in_runs(b, a, 3) <= set(np.flatnonzero(right).tolist())
    if not in_runs(a, b, 3):
        assert left.sum() == right.sum() == common_order(a, b)


@given(
    st.lists(st.integers(0, 3), max_size=200).map(lambda row: np.array(row, np.int64)),
    st.lists(st.integers(0, 3), max_size=200).map(lambda row: np.array(row, np.int64)),
)
def test_of_several_longest_orders_both_choose_the_same(a, b):
    for one, other in zip(readable(a, b, 9), mark_common(a, b, 9), strict=True):
        assert one.tolist() == other.tolist()


@BOTH
@given(a=ROWS, b=ROWS)
def test_words_in_common_are_the_same_from_both_sides(common, a, b):
    there, back = common(a, b, 3), common(b, a, 3)

    if not in_runs(a, b, 3):  # of several longest orders either may be chosen
        assert [one.sum() for one in there] == [one.sum() for one in reversed(back)]


def test_moved_runs_are_in_common_and_of_very_long_sides_nothing_else(monkeypatch) -> None:
    a = np.array([1, 2, 3, 4, 5, 6, 7, 8], np.int64)
    assert [one.sum() for one in mark_common(a, np.roll(a, 4), 4)] == [8, 8]
    assert [one.sum() for one in mark_common(a, np.roll(a, 4), 5)] == [4, 4]

    a = np.array([1, 2, 3, 4, 9, 5], np.int64)
    b = np.array([1, 2, 3, 4, 8, 5], np.int64)
    assert [one.sum() for one in readable(a, b, 3)] == [5, 5]
    monkeypatch.setattr(oracle, "MOST_ORDERED", 10)
    assert [one.sum() for one in readable(a, b, 3)] == [4, 4]


def planted(edit):
    """Return a text with a passage of 200 words, and another with `edit` of it."""
    words = english(9, 200).split()
    return (
        english(1, 300) + " " + " ".join(words) + " " + english(2, 300),
        english(3, 300) + " " + " ".join(edit(words)) + " " + english(4, 300),
    )


@pytest.mark.parametrize(
    ("edit", "kind", "words", "shared"),
    [
        (lambda words: words, "identical", (200, 200), (200, 200)),
        (lambda words: [*words[:99], "replaced", *words[100:]], "reworded", (200,) * 2, (199,) * 2),
        (
            lambda words: [*words[:100], "one", "more", *words[100:]],
            "reworded",
            (200, 202),
            (200,) * 2,
        ),
        (lambda words: words[:80] + words[83:], "reworded", (200, 197), (197, 197)),
        (  # nine in ten in exact runs, and not identical
            lambda words: ["else" if n in range(20, 195, 25) else w for n, w in enumerate(words)],
            "reworded",
            (200,) * 2,
            (193,) * 2,
        ),
    ],
    ids=["copied", "replaced", "added", "left out", "replaced often"],
)
def test_a_passage_says_how_many_words_are_in_common(edit, kind, words, shared):
    passages = align(*map(view_of, planted(edit)))
    firm = passages.take(~passages.weak)

    assert [PASSAGE_KINDS[row] for row in firm.kind] == [kind]
    assert (firm.words_a[0], firm.words_b[0]) == words
    assert (firm.shared_a[0], firm.shared_b[0]) == shared
    assert firm.changed[0] == max(words[0] - shared[0], words[1] - shared[1])


def test_a_chinese_passage_counts_characters():
    copied = chinese(9, 120)
    edited = copied[:60] + "鹮" + copied[61:]

    passages = align(view_of(copied), view_of(edited))

    assert passages.changed.tolist() == [1]
    assert passages.words_a.tolist() == passages.words_b.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_counts_stay_within_the_words_and_turn_with_the_sides(seed):
    a, b = planted(lambda words: words[50:] + english(seed, 9).split() + words[:40])
    passages = align(view_of(a), view_of(b))
    turned = passages.turned()

    for shared, words in (
        (passages.shared_a, passages.words_a),
        (passages.shared_b, passages.words_b),
    ):
        assert (shared <= words).all() and (shared > 0).all()
    assert sorted(turned.shared_b) == sorted(passages.shared_a)
    assert sorted(turned.words_a) == sorted(passages.words_b)
    assert sorted(turned.changed) == sorted(passages.changed)
    assert all(map(np.array_equal, turned.turned().columns(), passages.columns()))
