"""The cases of a check: order, clusters, states, pace."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core import Document, at_threshold, check
from simhash_core.model import Decision, pair_key
from simhash_core.result import CheckResult
from simhash_core.review import (
    LONGEST_PAUSE,
    STATES,
    cases,
    counts,
    decided_anew,
    excerpt,
    remaining_seconds,
)
from tests import task_class
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


def test_a_pair_across_two_clusters_stands_alone() -> None:
    """It is shown in neither, so that it is not decided together with one of them."""
    first, second = english(1, 300), english(2, 300)
    both = english(5, 200) + first[:900]  # a passage of the first, in a text of the second cluster
    texts = [first, first + english(3, 20), second, second + both]
    result = check([Document.from_text(text, name=f"{n}.txt") for n, text in enumerate(texts)])
    view = at_threshold(result, result.threshold)
    apart = replace(view, cluster_of=np.array([0, 0, 1, 1]))
    listed = {(case.a, case.b): case for case in cases(result, apart, {})}

    assert {(0, 1): 0, (2, 3): 1}.items() <= {k: case.cluster for k, case in listed.items()}.items()
    assert {case.cluster for pair, case in listed.items() if pair not in ((0, 1), (2, 3))} == {-1}


def test_what_is_decided_meanwhile_changes_those_cases_alone(result: CheckResult) -> None:
    view = at_threshold(result, result.threshold)
    first = Decision("later")
    before = cases(result, view, dict.fromkeys([cases(result, view, {})[0].key], first))
    changed = {before[0].key: None, before[2].key: Decision("confirmed")}
    kept = {case.key: case.decision for case in before} | changed

    assert decided_anew(before, changed) == cases(result, view, without_none(kept))
    assert decided_anew(before, {}) is before


def without_none(decisions):
    return {key: one for key, one in decisions.items() if one is not None}


def test_pace_is_the_median_without_pauses() -> None:
    start = datetime(2026, 11, 21, tzinfo=UTC)
    steps = [0, 10, 20, 30, 45, 4000, 4010, 4020]
    times = [start + at * SECOND for at in steps]

    assert remaining_seconds(times, 6) == pytest.approx(60)
    assert remaining_seconds(times[:4], 6) is None


@given(st.lists(st.integers(-50, 700), max_size=60), st.integers(0, 9))
def test_pace_is_of_the_latest_decisions_that_no_pause_parts(gaps: list[int], left: int) -> None:
    start = datetime(2026, 11, 21, tzinfo=UTC)
    times = [start + at * SECOND for at in accumulate(gaps, initial=0)]
    steady = [gap for gap in gaps if 0 < gap <= LONGEST_PAUSE][-20:]
    expected = median(steady) * left if len(steady) >= 5 else None

    assert remaining_seconds(times, left) == expected


def test_the_excerpt_is_the_longest_passage_of_the_first_text() -> None:
    class_ = task_class.checked()
    first = cases(class_, at_threshold(class_, class_.threshold), {})[0]
    span = excerpt(class_, first)

    assert span is not None
    assert task_class.SHARED in class_.documents[first.a].text[slice(*span)]


def test_without_a_passage_there_is_no_excerpt(result: CheckResult) -> None:
    first = cases(result, at_threshold(result, result.threshold), {})[0]

    assert excerpt(result, replace(first, row=10_000)) is None
