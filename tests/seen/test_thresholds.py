"""Where a cluster splits and where it grows, against a walk through every threshold."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

import simhash_core as core
from simhash_core.result import CheckResult, ThresholdView
from simhash_core.seen.thresholds import cluster_growth, cluster_splits

At = Callable[[int], ThresholdView]


@pytest.fixture(scope="module")
def result() -> CheckResult:
    sources, _ = core.gather(core.samples()["essays"])
    documents, skipped = core.read([s for s in sources if not s.name.endswith("csv")])
    return core.check(documents, skipped=skipped)


@pytest.fixture(scope="module")
def at(result: CheckResult) -> At:
    return cache(lambda k: core.at_threshold(result, k))


def parts(members: tuple[int, ...], view: ThresholdView) -> int:
    of = view.cluster_of[list(members)]
    return len(set(of[of >= 0].tolist())) + int((of < 0).sum())


def test_splits_are_the_first_thresholds_below_at_which_more_parts_appear(
    result: CheckResult, at: At
) -> None:
    k = min(result.complete_up_to, 120)
    members = at(k).clusters[0].members
    counts = [parts(members, at(j)) for j in range(k + 1)]
    expected, most = [], 1
    for j in range(k, -1, -1):
        if counts[j] > most and len(expected) < 2:
            expected.append(j)
            most = counts[j]
    splits = cluster_splits(members, k, at)
    assert [split.threshold for split in splits] == expected
    for split in splits:
        rows = [row for part in split.parts for row in part]
        assert sorted([*rows, *split.alone]) == sorted(members)


def test_growth_is_every_threshold_above_at_which_others_join(result: CheckResult, at: At) -> None:
    k, top = result.threshold, min(result.complete_up_to, 128)
    members = at(k).clusters[0].members
    steps = cluster_growth(members, k, top, result, at, most=3)
    seen, expected = set(members), []
    for j in range(k + 1, top + 1):
        view = at(j)
        now = set(view.clusters[int(view.cluster_of[members[0]])].members)
        if now != seen:
            expected.append((j, now - seen))
        seen = now
    assert [(step.threshold, set(step.joined)) for step in steps] == expected[:3]
    inside = set(members)
    for step in steps:
        assert step.member in inside
        assert step.newcomer in step.joined
        inside |= set(step.joined)


def test_what_joins_as_a_cluster_is_named_with_all_its_members(result: CheckResult, at: At) -> None:
    top = min(result.complete_up_to, 128)
    for cluster in at(result.threshold).clusters:
        for step in cluster_growth(cluster.members, result.threshold, top, result, at):
            for _, others in step.merged:
                assert set(others) <= set(step.joined)
