"""Loops of C, and plain Python that judges them, held against plain counting."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import passages as readable
from oracles import summaries

from simhash_core.passages import exact, options

BOTH = pytest.mark.parametrize("loops", [readable, exact], ids=["readable", "C"])
TOKENS = st.lists(st.integers(0, 5), min_size=1, max_size=40)


def numbered(a, b):
    local_a, local_b, distinct = readable.number_features(
        np.array(a, np.int32), np.array(b, np.int32)
    )
    weight = readable.weigh(local_a, local_b, distinct, 5.0)
    return local_a, local_b, weight


def naive_runs(a, b, k):
    found = []
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j] and (i == 0 or j == 0 or a[i - 1] != b[j - 1]):
                n = 0
                while i + n < len(a) and j + n < len(b) and a[i + n] == b[j + n]:
                    n += 1
                if n >= k:
                    found.append((i, j, n))
    return sorted(found)


@BOTH
@given(a=TOKENS, b=TOKENS, k=st.integers(2, 4))
def test_runs_are_all_maximal_diagonals(loops, a, b, k):
    token_a, token_b = np.array(a, np.int64), np.array(b, np.int64)
    grams = exact.grams_of(token_a, k), exact.grams_of(token_b, k)

    runs = loops.find_runs(token_a, token_b, *grams, k, 1000)

    assert [tuple(run) for run in runs.tolist()] == naive_runs(a, b, k)


@BOTH
def test_a_run_may_begin_with_a_refrain(loops):
    refrain, tail = [1, 2, 3], [7, 8, 9, 10]
    a = np.array([*refrain, *tail], np.int64)
    b = np.array([*[*refrain, 20] * 6, *refrain, *tail], np.int64)

    runs = loops.find_runs(a, b, exact.grams_of(a, 3), exact.grams_of(b, 3), 3, 4)

    assert [0, 24, 7] in runs.tolist()


@given(a=TOKENS, b=TOKENS)
def test_a_cover_counts_each_token_once(a, b):
    token_a, token_b = np.array(a, np.int64), np.array(b, np.int64)
    grams = exact.grams_of(token_a, 2), exact.grams_of(token_b, 2)
    runs = readable.find_runs(token_a, token_b, *grams, 2, 99)

    cover = readable.run_cover(runs, 1, len(b)).tolist()

    held = {j for _, start, n in runs.tolist() for j in range(start, start + n)}
    assert cover[-1] == len(held)


def value_of(local, limit, weight, theta, low, high):
    """Score of a span, straight from the definition."""
    total = 0.0
    for t, n in Counter(local[low:high].tolist()).items():
        total += min(n, limit[t]) * weight[t] * (1 - theta)
        total -= max(0, n - limit[t]) * weight[t] * theta
    return total


@given(a=TOKENS, b=TOKENS)
def test_extend_never_scores_below_its_start(a, b):
    local_a, local_b, weight = numbered(a, b)
    limit, used = np.zeros(len(weight), np.int64), np.zeros(len(weight), np.int64)
    readable.tally(local_b, 0, len(b), limit, 1)
    low, high = len(a) // 3, 2 * len(a) // 3 + 1

    start, stop = readable.extend(local_a, limit, used, weight, 0.3, 50.0, low, high)

    assert 0 <= start <= stop <= len(a)
    assert not used.any()
    best = value_of(local_a, limit, weight, 0.3, start, stop)
    assert best >= -1e-9
    assert best >= value_of(local_a, limit, weight, 0.3, low, high) - 1e-9


@given(a=TOKENS, b=TOKENS, step=st.integers(1, 7))
def test_measures_of_grown_seeds(a, b, step):
    local_a, local_b, weight = numbered(a, b)
    looked = [np.ones(readable.window_count(len(x), 8, step), np.bool_) for x in (a, b)]
    seeds = readable.window_seeds(local_a, local_b, weight, 8, step, 0.2, 100, *looked)
    seeds = seeds[:, :2].astype(np.int64)
    spans = np.stack([seeds[:, 0], seeds[:, 0] + 4, seeds[:, 1], seeds[:, 1] + 4], axis=1)
    spans[:, 1] = np.minimum(spans[:, 1], len(a))
    spans[:, 3] = np.minimum(spans[:, 3], len(b))
    rects = readable.grow(local_a, local_b, (len(a), len(b)), weight, spans, 0, 0.3, 20.0, 2, 3, 10)
    measures = readable.shared_weights(local_a, local_b, weight, rects)

    for rect, (shared, in_a, in_b, distinct) in zip(rects, measures, strict=True):
        left = Counter(local_a[rect[0] : rect[1]].tolist())
        right = Counter(local_b[rect[2] : rect[3]].tolist())
        assert shared == pytest.approx(sum(n * weight[t] for t, n in (left & right).items()))
        assert distinct == pytest.approx(sum(weight[t] for t in left.keys() & right.keys()))
        assert in_a == pytest.approx(sum(n * weight[t] for t, n in left.items()))
        assert in_b == pytest.approx(sum(n * weight[t] for t, n in right.items()))


@given(a=TOKENS, b=TOKENS, most=st.integers(1, 5), data=st.data())
def test_few_seeds_are_the_best_of_all(a, b, most, data):
    local_a, local_b, weight = numbered(a, b)
    looked = [
        np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), np.bool_)
        for n in (readable.window_count(len(x), 4, 1) for x in (a, b))
    ]
    every = readable.window_seeds(local_a, local_b, weight, 4, 1, 0.1, 2000, *looked)
    few = readable.window_seeds(local_a, local_b, weight, 4, 1, 0.1, most, *looked)

    np.testing.assert_array_equal(few, every[:most])
    assert all(looked[0][int(x)] and looked[1][int(y)] for x, y, _ in every)


def values_of(local, weight, low, high):
    """Weight of each feature of a window, counted twice at most."""
    return {t: min(n, 2) * weight[t] for t, n in Counter(local[low:high].tolist()).items()}


@given(a=TOKENS, b=TOKENS, width=st.integers(1, 12), step=st.integers(1, 9), data=st.data())
def test_seeds_are_all_windows_alike(a, b, width, step, data):
    local_a, local_b, weight = numbered(a, b)
    floor = data.draw(st.sampled_from([0.05, 0.25, 0.6]))
    looked = [np.ones(readable.window_count(len(x), width, step), np.bool_) for x in (a, b)]

    seeds = readable.window_seeds(local_a, local_b, weight, width, step, floor, 4000, *looked)

    places = {(int(x), int(y)) for x, y, _ in seeds}
    starts = [range(0, len(one) * step, step) for one in looked]
    for x, y in itertools.product(*starts):
        in_a = values_of(local_a, weight, x, x + width)
        in_b = values_of(local_b, weight, y, y + width)
        dot = sum(in_a[t] * in_b[t] for t in in_a.keys() & in_b.keys())
        norms = [math.sqrt(sum(v * v for v in one.values())) for one in (in_a, in_b)]
        cosine = dot / (norms[0] * norms[1]) if all(norms) else 0.0
        if abs(cosine - floor) > 1e-9:
            assert ((x, y) in places) == (cosine > floor)


@given(a=TOKENS, b=TOKENS)
def test_longest_common_run_is_the_longest(a, b):
    token_a, token_b = np.array(a, np.int64), np.array(b, np.int64)

    start, length = exact.longest_common(token_a, token_b)

    runs = naive_runs(a, b, 1)
    assert length == max((n for _, _, n in runs), default=0)
    assert any(a[start : start + length] == b[j : j + length] for j in range(len(b)))


@pytest.mark.long
@given(a=TOKENS, b=TOKENS, data=st.data())
def test_snapping_stays_near(a, b, data):
    local_a, local_b, weight = numbered(a, b)
    low = data.draw(st.integers(0, len(a) - 1))
    high = data.draw(st.integers(low + 1, len(a)))
    border = np.array(data.draw(st.lists(st.integers(0, 5), min_size=41, max_size=41)), np.uint8)
    bonus = np.arange(6) * 0.5
    fixed = (
        local_a,
        local_b,
        weight,
        0.3,
        5,
        bonus,
        border[: len(a) + 1],
        (low, high),
        (0, len(b)),
    )

    start, stop = readable.snap(*fixed)

    assert start < stop
    assert abs(start - low) <= 5
    assert abs(stop - high) <= 5


@given(value=st.lists(st.integers(-5, 5), min_size=1, max_size=25))
def test_best_segment_is_the_maximum_sum(value):
    worth = np.array(value, np.float64)
    start, stop, best = readable.best_segment(worth, np.zeros(len(value), bool), 1e9)

    sums = [sum(value[i:j]) for i in range(len(value)) for j in range(i, len(value) + 1)]
    assert best == max(sums)
    assert sum(value[start:stop]) == best


@pytest.mark.parametrize(
    ("drop", "segment"), [(3.0, (0, 3, 6.0)), (2.0, (0, 3, 6.0)), (1.0, (2, 3, 5.0))]
)
def test_a_sum_starts_anew_where_it_fell_too_deep(drop, segment):
    value = np.array([3.0, -2.0, 5.0])

    assert readable.best_segment(value, np.zeros(3, bool), drop) == segment


def test_runs_inside_a_chain_are_joined_and_explained_weight_counts_once() -> None:
    for b, chains in ((28, 1), (25, 2)):
        runs = np.array([[0, 0, 30], [22, b, 30]], np.int64)

        assert len(readable.chain_runs(runs, 5)) == chains
    local_a, local_b = np.array([0, 1, 2, 3], np.int32), np.array([1, 2, 2], np.int32)
    rects = np.array([[0, 3, 0, 3], [1, 4, 0, 1]], np.int64)
    total = readable.explained_weight(local_a, local_b, np.array([1.0, 2, 4, 8]), rects, 0, 4)
    assert total == 6.0


@pytest.mark.parametrize(("in_batch", "explained"), [(0, False), (4, False), (9, True)])
def test_words_of_the_whole_batch_make_no_summary(in_batch, explained):
    """Ten words count a whole each, or a tenth where the batch shares them; five are needed."""
    n, border = 10, np.zeros(11, np.uint8)
    plain = np.full(n, 10.0)
    weight = np.where(np.arange(n) < in_batch, 1.0, 10.0)
    token, local = np.arange(n, dtype=np.int64), np.arange(n, dtype=np.int32)
    both = options.Numbered(
        *(local, local, weight, plain, 1.0, token, token),
        *(local, local, local + 1, local + 1, border, border),
    )
    numbers, none = np.ones(32), np.zeros((0, 4), np.int64)

    assert summaries.is_explained(both, none, (0, n), np.ones(n), 1.0, numbers) == explained
