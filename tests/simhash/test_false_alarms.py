"""Expected false pairs: the formula, its limits, and batches with known truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.model import Distances
from simhash_core.simhash.false_alarms import false_alarms, prior_share, unrelated_curve


def _normal(pairs: int, mean: float, spread: float, bits: int, seed: int = 7) -> Distances:
    drawn = np.random.default_rng(seed).normal(mean, spread, pairs).round().clip(0, bits)
    return Distances(np.bincount(drawn.astype(np.int64), minlength=bits + 1), bits)


@pytest.mark.parametrize(
    ("pairs", "rule"), [(1, "prior"), (435, "spread"), (20_000, "tail_1e3"), (200_000, "tail_1e4")]
)
def test_rule_follows_the_number_of_pairs(pairs: int, rule: str) -> None:
    assert false_alarms(_normal(pairs, 108, 11, 256)).rule == rule


@pytest.mark.parametrize("bits", [64, 128, 256])
@pytest.mark.parametrize("pairs", [1, 500, 20_000, 200_000])
def test_share_never_falls_with_the_threshold(bits: int, pairs: int) -> None:
    share = false_alarms(_normal(pairs, bits * 0.42, bits * 0.045, bits)).share

    assert (np.diff(share) >= 0).all()
    assert share[0] >= 0 and share[-1] <= 1


def test_median_rule_is_not_moved_by_copies() -> None:
    clean = _normal(2_000, 108, 10, 256)
    counts = clean.counts.copy()
    counts[5] += 60  # sixty copied pairs

    shares = [false_alarms(Distances(c, 256)).expected(61) for c in (clean.counts, counts)]

    assert shares[1] / shares[0] == pytest.approx(1, abs=0.6)


def test_tail_continues_the_two_anchors_exponentially() -> None:
    """Share 1e-3 at 66 and 1e-4 at 61 must give 1e-5 at 56."""
    share = np.zeros(257)
    share[61], share[66], share[100] = 1e-4, 9e-4, 0.999
    counts = (share * 1_000_000).round().astype(np.int64)

    alarms = false_alarms(Distances(counts, 256))

    low, high = np.interp([1e-4, 1e-3], np.cumsum(counts) / counts.sum(), np.arange(257))
    k = 56
    assert alarms.share[k] == pytest.approx(10 ** (-4 - (low - k) / (high - low)), rel=0.2)


@pytest.mark.parametrize(("bits", "anchors"), [(64, (7, 13)), (256, (57, 73))])
def test_the_prior_passes_through_what_was_measured(bits: int, anchors: tuple[int, int]) -> None:
    """One in a million at the first anchor, one in a thousand at the last, log-linear below."""
    share = prior_share(bits)

    assert share[list(anchors)] == pytest.approx([1e-6, 1e-3])
    width = anchors[1] - anchors[0]
    assert share[anchors[0] - width] == pytest.approx(1e-9) if anchors[0] >= width else True
    assert share[0] == pytest.approx(10 ** (-6 - 3 * anchors[0] / width))


@given(st.floats(0.001, 100), st.integers(2, 400))
def test_widest_is_the_largest_threshold_allowed(expected: float, documents: int) -> None:
    alarms = false_alarms(_normal(documents * (documents - 1) // 2, 54, 6.8, 128))

    k = alarms.widest(expected, limit=128)

    assert k == -1 or alarms.expected(k) <= expected
    assert k == 128 or alarms.expected(k + 1) > expected


def test_prior_and_unrelated_curve_are_as_measured() -> None:
    assert 1e-6 < prior_share(256)[61] < 3.5e-5

    distances = _normal(861, 108, 10, 256)
    curve = unrelated_curve(distances)
    assert curve.shape == (257,)
    assert curve.sum() == pytest.approx(861, rel=1e-6)
    assert int(np.argmax(curve)) == pytest.approx(108, abs=2)
