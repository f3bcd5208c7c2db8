"""How strong chance findings are: known answers, properties, and an obvious slow version."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.checking.chance import drawn_pairs, strengths
from simhash_core.limits import Significance, Tail, find_reached, tail_of
from simhash_core.model import Passages
from simhash_core.policy import CHANCE_DECADE, SAMPLED_LEAST


def sample(*values: float, of: int = 1000) -> np.ndarray:
    """A sample of pairs, some with a finding, most without."""
    return np.array([*values, *[0.0] * (of - len(values))], np.float32)


def passages(rows: list[tuple[int, int, float, bool]]) -> Passages:
    """Passages of (pair, kind, score, weak)."""
    pair, kind, score, weak = (np.array(column) for column in zip(*rows, strict=True))
    nowhere = np.zeros(len(rows), np.int32)
    kinds = {"kind": kind.astype(np.uint8), "score": score.astype(np.float32), "weak": weak}
    columns = dict.fromkeys((one.name for one in fields(Passages)), nowhere)
    return Passages(**{**columns, "pair": pair, **kinds})


def test_one_pair_in_a_hundred_is_the_anchor() -> None:
    strongest = sample(*np.linspace(7, 5, 20))
    tail = tail_of(strongest, np.zeros(1000, np.float32), pairs=5000)

    assert tail is not None
    assert tail.anchor == pytest.approx(sorted(strongest)[-10])
    assert tail.expected(np.array([tail.anchor]))[0] == pytest.approx(50)  # 1 % of 5,000


def test_expected_findings_follow_the_tail() -> None:
    tail = Tail(5000, 1000, anchor=5.5, share=0.01, per_decade=0.7, summaries=0.0)
    assert tail.expected(np.array([5.5, 6.2, 6.9, 7.6])) == pytest.approx([50, 5, 0.5, 0.05])
    assert tail.expected(np.array([1.0]))[0] == 5000
    assert np.isnan(tail.expected(np.array([0.0]))[0])


def test_without_a_tail_or_a_sample_nothing_is_estimated() -> None:
    tail = tail_of(sample(*[6.0] * 9), np.zeros(1000, np.float32), pairs=5000)
    assert tail is not None
    assert not tail.estimated
    assert np.isnan(tail.expected(np.array([5.0, 9.0]))).all()
    assert Significance({"en": tail}).state == "none"
    few = np.full(SAMPLED_LEAST - 1, 6.0, np.float32)
    assert tail_of(few, few, pairs=5000) is None
    assert Significance({}).state == "few"


def test_summaries_count_as_often_as_they_occur() -> None:
    tail = tail_of(sample(), sample(9.5, 12.0), pairs=5000)

    assert tail is not None
    assert tail.expected(np.array([9.0, 15.0]), summary=True) == pytest.approx([10, 10])


def test_strongest_counted_passage_of_each_pair_by_kind() -> None:
    given_passages = passages(
        [(0, 1, 5.5, False), (0, 0, 6.5, False), (0, 1, 9.0, True), (2, 2, 11.0, False)]
    )
    passage, summary = strengths(given_passages, 3)

    assert passage.tolist() == [6.5, 0, 0]
    assert summary.tolist() == [0, 0, 11]


@given(st.lists(st.floats(0, 9, width=32), min_size=1, max_size=300), st.floats(0.001, 1.0))
def test_reached_by_counts_like_the_obvious_way(values: list[float], share: float) -> None:
    """The obvious way: the largest value that enough of the sample are at least as great as."""
    array = np.array(values, np.float32)
    wanted = max(share * len(values) - 1e-6, 0)
    obvious = max(v for v in array.tolist() if (array >= v).sum() >= wanted)

    assert find_reached(array, share) == pytest.approx(obvious)


@pytest.mark.long
@given(
    st.lists(st.floats(0, 9), min_size=SAMPLED_LEAST, max_size=400),
    st.floats(0.01, 12),
    st.floats(0, 3),
)
def test_stronger_is_never_more_frequent(values: list[float], z: float, more: float) -> None:
    array = np.array(values, np.float32)
    tail = tail_of(array, np.zeros_like(array), pairs=1000)
    assert tail is not None
    if tail.estimated:
        first, second = tail.expected(np.array([z, z + more]))
        assert first >= second


@given(st.integers(2, 30), st.data())
def test_drawn_pairs_are_distinct_pairs_of_the_batch(n: int, data: st.DataObject) -> None:
    queries = data.draw(st.integers(1, n - 1))
    most = data.draw(st.integers(1, 500))
    drawn = drawn_pairs(n, queries=queries, most=most)
    every = {(i, j) for i in range(queries) for j in range(i + 1, n)}
    found = set(map(tuple, drawn.tolist()))

    assert len(found) == len(drawn) == min(most, len(every))
    assert found <= every


def test_the_same_pairs_are_drawn_every_time() -> None:
    first, second = (drawn_pairs(500, queries=500, most=1500) for _ in range(2))

    np.testing.assert_array_equal(first, second)


def test_pace_is_a_decade_in_strength() -> None:
    """A batch of exponential strengths is predicted to within a factor of two."""
    rng = np.random.default_rng(5)
    scale = CHANCE_DECADE / np.log(10)
    half = (rng.random((2, 20_000)) < 0.3) * (4 + rng.exponential(scale, (2, 20_000)))
    fitted, other = half.astype(np.float32)
    tail = tail_of(fitted[:1500], np.zeros(1500, np.float32), pairs=len(other))
    assert tail is not None
    for strength in (6.0, 6.5):
        expected = float(tail.expected(np.array([strength]))[0])

        assert 0.5 < expected / (other >= strength).sum() < 2
