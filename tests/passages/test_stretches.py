"""What of a passage is shared: gaps of a reworded one are not, and identical runs are."""

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.coverage import marks_of, without_gaps
from plain import view_of
from prose import chinese, english, replaced

from simhash_core.model import PASSAGE_KINDS, Stretches
from simhash_core.passages import coverage
from simhash_core.passages.align import align
from simhash_core.passages.coverage import GAP_HAN, GAP_WORDS

PAIR = np.array([[0, 1]])


def measured(a, b, **options):
    """Return the tokenised texts, their firm passages, numbers and stretches."""
    texts = [view_of(a), view_of(b)]
    passages = align(*texts)
    numbers, stretches = coverage.sum_up_pairs(texts, PAIR, passages, **options)
    return texts, passages.take(~passages.weak), numbers, stretches


@given(st.lists(st.booleans(), max_size=40), st.integers(0, 9))
def test_gaps_between_anchors_count_up_to_a_length(anchors, gap):
    anchors = np.array(anchors, np.bool_)
    places = [-1, *np.flatnonzero(anchors).tolist(), len(anchors)]
    expected = anchors.copy()
    for low, high in pairwise(places):
        if anchors.any() and high - low - 1 <= gap:
            expected[max(low, 0) : high] = True

    assert without_gaps(anchors, gap).tolist() == expected.tolist()


def patchwork(pieces, between, length):
    """Return a text that alternates pieces of a source with other words, and the source."""
    source, other = english(1, pieces * length).split(), english(2, pieces * between + 200).split()
    made = other[:100]
    for piece in range(pieces):
        made += source[piece * length : (piece + 1) * length]
        made += other[100 + piece * between : 100 + (piece + 1) * between]
    return " ".join(made), " ".join(source), pieces * length / len(made)


@pytest.mark.parametrize("between", [GAP_WORDS + 10, 2 * GAP_WORDS + 10])
def test_coverage_of_a_patchwork_is_what_was_copied(between):
    made, source, share = patchwork(6, between, 60)
    texts, passages, numbers, _ = measured(made, source)
    bridged = coverage.share(texts[0], passages.a_start, passages.a_end)

    assert bridged > share + 0.1  # the passages hold what lies between the pieces
    assert numbers.coverage_a[0] == pytest.approx(share, abs=0.06)
    assert numbers.identical[0] > 0.9


def test_a_gap_of_another_text_in_chinese_is_not_counted():
    copied, other = chinese(1, 400), chinese(2, 2 * GAP_HAN)
    edited = copied[:100] + "鹮" + copied[101:200] + other + copied[200:]
    texts, _, numbers, stretches = measured(copied, edited)

    assert numbers.coverage_b[0] == pytest.approx(400 / (400 + 2 * GAP_HAN), abs=0.03)
    gaps = texts[1].counted - coverage.count_covered(
        texts[1], *(column[stretches.side == 1] for column in (stretches.start, stretches.end))
    )
    assert gaps > GAP_HAN


def test_a_shuffled_text_is_the_same_text_in_another_order():
    sentences = [english(seed, 30) for seed in range(20)]
    shuffled = random.Random(1).sample(sentences, 20)
    _, passages, numbers, _ = measured(" ".join(sentences), " ".join(shuffled))

    assert "identical" not in {PASSAGE_KINDS[kind] for kind in passages.kind}
    assert numbers.coverage_a[0] > 0.95
    assert numbers.parts[0, 0, 2] > 0.95 * len(" ".join(sentences).split())
    assert numbers.identical[0] == 0


@pytest.mark.parametrize(("min_run", "identical"), [(13, True), (200, False)])
def test_runs_shorter_than_the_shortest_worth_showing_are_not_identical(min_run, identical):
    words = english(9, 200).split()
    for place in range(0, 200, 20):
        words[place] = f"replacement{place}"
    _, passages, numbers, _ = measured(english(9, 200), " ".join(words), min_run=min_run)

    assert {PASSAGE_KINDS[kind] for kind in passages.kind} == {"reworded"}
    assert bool(numbers.identical[0]) is identical
    assert numbers.identical[0] < 0.96


@pytest.mark.parametrize("rate", [0.1, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_coverage_counts_no_more_than_the_passages_hold_and_turns_with_the_sides(seed, rate):
    source = english(seed, 300)
    edited = replaced(source, rate, seed)
    texts, passages, numbers, stretches = measured(
        source + " " + english(seed + 10, 200), edited + " " + english(seed + 20, 200)
    )
    turned, _ = coverage.sum_up_pairs(texts[::-1], PAIR, passages.turned())

    for text, starts, ends, counted in (
        (texts[0], passages.a_start, passages.a_end, numbers.coverage_a),
        (texts[1], passages.b_start, passages.b_end, numbers.coverage_b),
    ):
        assert 0 < counted[0] <= coverage.share(text, starts, ends) + 1e-6
    assert turned.coverage_a[0] == numbers.coverage_b[0]
    assert turned.coverage_b[0] == numbers.coverage_a[0]
    assert turned.identical[0] == pytest.approx(numbers.identical[0])
    for side, share in enumerate((numbers.coverage_a, numbers.coverage_b)):
        mine = stretches.take(stretches.side == side)
        assert coverage.share(texts[side], mine.start, mine.end) == pytest.approx(share[0])


def test_a_summary_is_a_passage_and_counts_in_no_share():
    source = english(1, 1500)
    words = source.replace(".", "").split()
    summary = " ".join(random.Random(2).sample(words, 110)) + "."
    _, passages, numbers, _ = measured(
        english(3, 500) + "\n\n" + summary + "\n\n" + english(4, 500), source
    )

    assert [PASSAGE_KINDS[kind] for kind in passages.kind] == ["summary"]
    assert (numbers.passages[0], numbers.longest[0]) == (1, 0)
    assert numbers.coverage_a[0] == numbers.coverage_b[0] == 0


def test_identical_runs_and_moved_text_lie_within_what_is_shared() -> None:
    made, source, _ = patchwork(4, 30, 40)
    texts = [view_of(made), view_of(source)]
    passages = align(*texts)
    marks = marks_of(*texts, passages.take(~passages.weak))
    for shared, identical, away in zip(marks.shared, marks.identical, marks.moved, strict=True):
        assert not ((identical | away) & ~shared).any()
        assert not (identical & away).any()
    assert len(Stretches.join([])) == 0
