"""Which pairs a threshold lets in and links, on hand-made tables: the rules, not the samples."""

from __future__ import annotations

import numpy as np
import pytest

from simhash_core import policy
from simhash_core.checking.chance import limits
from simhash_core.clustering import links
from simhash_core.model import NO_DISTANCE, Distances, Pairs
from simhash_core.result import PairTable
from simhash_core.settings import Settings
from simhash_core.simhash.false_alarms import false_alarms
from simhash_core.simhash.neighbours import _complete_up_to


def table(distance: list[int], *, coverage: list[float], containment: list[float]) -> PairTable:
    m = len(distance)
    share = np.array(coverage, np.float32)
    zero = np.zeros(m, np.int32)
    return PairTable(
        Pairs(np.zeros(m, np.int64), np.arange(1, m + 1), np.array(distance, np.uint16)),
        np.full(m, NO_DISTANCE, np.uint16),
        np.array(containment, np.float32),
        share,
        np.zeros(m, np.float32),
        np.zeros(m, np.float32),
        zero,
        (share > 0).astype(np.int32),
        np.zeros(m, np.float32),
        np.full(m, np.nan, np.float32),
        np.zeros((m, 2, 3), np.int32),
    )


def spread(pairs: int, mean: float = 108, seed: int = 1) -> Distances:
    drawn = np.random.default_rng(seed).normal(mean, 11, pairs).round().clip(0, 256)
    return Distances(np.bincount(drawn.astype(np.int64), minlength=257), 256)


def test_passages_link_from_three_tenths_of_one_text() -> None:
    rows = table([120] * 4, coverage=[0.29, 0.30, 0.45, 0.61], containment=[0.0] * 4)

    joined, by_passages = links(rows, 60, -1)

    assert joined.right.tolist() == [2, 3, 4]
    assert by_passages.all()


def test_two_signatures_share_the_expected_false_pairs() -> None:
    """Both together let in what one alone may."""
    nothing, settings = table([], coverage=[], containment=[]), Settings()
    one = limits(nothing, spread(5000), None, settings)
    both = limits(nothing, spread(5000), spread(5000), settings)

    assert both.threshold < one.threshold
    half = policy.EXPECTED_FALSE / 2
    assert both.threshold == one.background.widest(half, limit=settings.wide_net)
    assert both.expected(both.threshold) <= policy.EXPECTED_FALSE


@pytest.mark.parametrize("signature", ["background", "batch"])
def test_confirmed_copies_are_taken_out_of_the_curve(signature: str) -> None:
    plain = spread(20_000)
    counts = plain.counts.copy()
    counts[20] += 300  # copies that the text check confirms
    rows = table([20] * 300, coverage=[0.9] * 300, containment=[0.5] * 300)
    copied = Distances(counts, 256)
    if signature == "background":
        found = limits(rows, copied, None, Settings()).background
    else:
        beyond = PairTable(
            rows.pairs, rows.pairs.distance, *(getattr(rows, name) for name in (
                "containment", "coverage_a", "coverage_b", "identical", "longest", "passages",
                "strength", "chance", "parts"))
        )  # fmt: skip
        batch = limits(beyond, plain, copied, Settings()).batch
        assert batch is not None
        found = batch

    assert found.share == pytest.approx(false_alarms(plain).share)


def test_no_reach_below_the_wide_net_and_no_table_above_its_size() -> None:
    """A large batch of alike texts keeps the net; a spread one stops where the table is full."""
    alike = Distances(np.full(257, policy.KEEP_PAIRS), 256)
    counts = np.zeros(257, np.int64)
    counts[100:140] = policy.KEEP_PAIRS // 10
    few = np.zeros(257, np.int64)
    few[100] = 3

    assert _complete_up_to(alike, 80) == 80
    assert _complete_up_to(Distances(counts, 256), 80) == 109
    assert _complete_up_to(Distances(few, 256), 80) == int(256 * policy.KEEP_SHARE)


def test_middle_batches_are_anchored_at_a_hundredth_and_a_thousandth() -> None:
    """20,000 pairs: below the anchors the share falls as fast as between them."""
    distances = spread(20_000)
    share = false_alarms(distances).share
    observed = np.cumsum(distances.counts) / distances.total

    k2, k3 = (float(np.interp(level, observed, np.arange(257))) for level in (1e-2, 1e-3))
    assert np.log10(share[50] / share[40]) == pytest.approx(10 / (k2 - k3), rel=0.05)
