"""The cases of a check: order, clusters, states, pace."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from simhash_core import Document, at_threshold, check
from simhash_core.model import Decision, pair_key
from simhash_core.result import CheckResult
from simhash_core.review import STATES, cases, counts, remaining_seconds
from tests.prose import english

SECOND = timedelta(seconds=1)


@pytest.fixture(scope="module")
def result() -> CheckResult:
    """Three texts with one source, and two others with another."""
    first, second = english(1, 300), english(2, 300)
    texts = [first, first + english(3, 20), first + english(4, 60), second, second + english(5, 90)]
    return check([Document.from_text(text, name=f"{n}.txt") for n, text in enumerate(texts)])


def test_every_listed_pair_is_a_case_once(result: CheckResult) -> None:
    listed = cases(result, at_threshold(result, result.threshold), {})

    assert [case.number for case in listed] == list(range(1, len(listed) + 1))
    assert {(case.a, case.b) for case in listed} == {(0, 1), (0, 2), (1, 2), (3, 4)}


def test_a_cluster_stands_together(result: CheckResult) -> None:
    listed = cases(result, at_threshold(result, result.threshold), {})
    clusters = [case.cluster for case in listed]

    assert len({*clusters}) == 2
    assert clusters == sorted(clusters, key=clusters.index)


def test_decisions_follow_the_texts(result: CheckResult) -> None:
    ids = [document.id for document in result.documents]
    decisions = {pair_key(ids[4], ids[3]): Decision("confirmed")}
    listed = cases(result, at_threshold(result, result.threshold), decisions)
    found = counts(listed)

    assert {(case.a, case.b): case.state for case in listed}[3, 4] == "confirmed"
    assert found == {"confirmed": 1, "no_problem": 0, "later": 0, "undecided": 3}
    assert tuple(found) == STATES


def test_pace_is_the_median_without_pauses() -> None:
    start = datetime(2026, 11, 21, tzinfo=UTC)
    steps = [0, 10, 20, 30, 45, 4000, 4010, 4020]
    times = [start + at * SECOND for at in steps]

    assert remaining_seconds(times, 6) == pytest.approx(60)
    assert remaining_seconds(times[:4], 6) is None
