"""At which thresholds the clusters change, against a walk through every threshold."""

from __future__ import annotations

import pytest

import simhash_core as core
from simhash_core.result import CheckResult
from simhash_core.seen import cluster_states


@pytest.fixture(scope="module")
def result() -> CheckResult:
    sources, _ = core.gather(core.samples()["essays"])
    documents, skipped = core.read([s for s in sources if not s.name.endswith("csv")])
    return core.check(documents, skipped=skipped)


def test_the_states_are_every_threshold_at_which_the_clusters_change(result: CheckResult) -> None:
    top = min(result.complete_up_to, 128)
    before: set[tuple[int, ...]] = set()
    expected = []
    for k in range(top + 1):
        now = {cluster.members for cluster in core.view_at_threshold(result, k).clusters}
        if now != before:
            alone = {row for group in now for row in group} - {r for g in before for r in g}
            expected.append((k, now, now - before, alone, len(before - now)))
        before = now
    states = cluster_states(result, top)

    assert len(states) > 5
    assert [
        (
            state.threshold,
            set(state.groups),
            {state.groups[at] for at in state.changed},
            set(state.joined),
            state.merged,
        )
        for state in states
    ] == expected
    for state in states:
        assert list(state.groups) == sorted(state.groups, key=lambda one: (-len(one), one))


def test_a_result_without_pairs_has_no_states() -> None:
    alone = core.check([core.Document.from_text("一篇短文，只有自己。", name="a")])
    assert cluster_states(alone, alone.complete_up_to) == []
