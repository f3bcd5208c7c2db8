"""The cases of a check: order, clusters, states, pace."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from statistics import median

import alike
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core import Document, check
from simhash_core.errors import BadInput
from simhash_core.model import Decision, pair_key
from simhash_core.result import CheckResult
from simhash_core.review import (
    LONGEST_PAUSE,
    STATES,
    Batch,
    Case,
    cases,
    counts,
    decide_anew,
    excerpt,
    parse,
    remaining_seconds,
)
from simhash_core.seen import view_at_threshold
from tests import task_class
from tests.prose import english

SECOND = timedelta(seconds=1)


@pytest.fixture(scope="module")
def result() -> CheckResult:
    """Three texts with one source, and two others with another."""
    first, second = english(1, 300), english(2, 300)
    texts = [first, first + english(3, 20), first + english(4, 60), second, second + english(5, 90)]
    return check([Document.from_text(text, name=f"{n}.txt") for n, text in enumerate(texts)])


def test_every_listed_pair_is_a_case_once_and_clusters_stand_together(result: CheckResult) -> None:
    listed = cases(result, view_at_threshold(result, result.threshold), {})
    assert [case.number for case in listed] == list(range(1, len(listed) + 1))
    assert {(case.a, case.b) for case in listed} == {(0, 1), (0, 2), (1, 2), (3, 4)}
    clusters = [case.cluster for case in listed]
    assert len({*clusters}) == 2
    assert clusters == sorted(clusters, key=clusters.index)


def test_decisions_follow_the_texts(result: CheckResult) -> None:
    ids = [document.id for document in result.documents]
    decisions = {pair_key(ids[4], ids[3]): Decision("confirmed")}
    listed = cases(result, view_at_threshold(result, result.threshold), decisions)
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
    view = view_at_threshold(result, result.threshold)
    apart = replace(view, cluster_of=np.array([0, 0, 1, 1]))
    listed = {(case.a, case.b): case for case in cases(result, apart, {})}

    assert {(0, 1): 0, (2, 3): 1}.items() <= {k: case.cluster for k, case in listed.items()}.items()
    assert {case.cluster for pair, case in listed.items() if pair not in ((0, 1), (2, 3))} == {-1}


def test_what_is_decided_meanwhile_changes_those_cases_alone(result: CheckResult) -> None:
    view = view_at_threshold(result, result.threshold)
    first = Decision("later")
    before = cases(result, view, dict.fromkeys([cases(result, view, {})[0].key], first))
    changed = {before[0].key: None, before[2].key: Decision("confirmed")}
    kept = {case.key: case.decision for case in before} | changed

    assert decide_anew(before, changed) == cases(result, view, without_none(kept))
    assert decide_anew(before, {}) is before


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
    first = cases(class_, view_at_threshold(class_, class_.threshold), {})[0]
    span = excerpt(class_, first)

    assert span is not None
    assert task_class.SHARED in class_.documents[first.a].text[slice(*span)]


def test_without_a_passage_there_is_no_excerpt(result: CheckResult) -> None:
    first = cases(result, view_at_threshold(result, result.threshold), {})[0]

    assert excerpt(result, replace(first, row=10_000)) is None


# --------------------------------------------------------------------------- query
NAMES = ["08-刘子墨.docx", "21-郑可欣.txt", "Emma Clarke.docx"]
BATCH = Batch(NAMES, ["一班", "一班", "B"], [frozenset({0, 1, 2}), frozenset({0, 2})])


def case(**changed: object) -> Case:
    values: dict[str, object] = {
        "number": 1, "row": 0, "a": 0, "b": 1, "key": ("x", "y"), "cluster": 1, "share_a": 0.3,
        "share_b": 0.57, "longest": 31, "passages": 4, "decision": None,
    }  # fmt: skip
    return Case(**{**values, **changed})  # type: ignore[arg-type]


def holds(text: str, one: Case) -> bool:
    return parse(text).matches(one, BATCH)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("overlap>40", True),
        ("overlap>57.1", False),
        ("重合＞40 最长>20", True),
        ("重合>=57 处:4", True),
        ("run>31", False),
        ("longest>=31", True),
        ("簇：2", True),
        ("cluster:1", False),
        ("passage:1", True),
        ("段：2", False),
        ("段:3", False),
        ("人:郑", True),
        ("name:clarke", False),
        ("-by:clarke", True),
        ("group:一班", True),
        ("刘子墨", True),
        ('"刘子墨.docx"', True),
        ("nobody", False),
        ("undecided", True),
        ("未判 -有批注", True),
        ("decided", False),
        ("-", True),
    ],
)
def test_terms(text: str, expected: bool) -> None:
    assert holds(text, case()) is expected


def test_flags_follow_the_decision_and_a_long_query_is_cut() -> None:
    one = case(decision=Decision("confirmed", note="两段相同"))
    assert holds("确认 有批注 decided", one)
    assert not holds("undecided", one)
    assert holds("-later -ok", one)
    assert len(parse("x " * 10_000).terms) == 200


@pytest.mark.parametrize("text", ["overlap>", "重合>x", "cluster:two", "name>3", "longest:1e9"])
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text)
    assert caught.value.code == "bad_query"


@pytest.mark.parametrize("text", ["name:郑", "郑", "group:B", "-人:刘"])
def test_hidden_names_answer_no_search(text: str) -> None:
    with pytest.raises(BadInput):
        parse(text, blind=True)
    assert parse("overlap>40 cluster:2 undecided", blind=True).terms


# --------------------------------------------------------------------------- the same meaning
@pytest.fixture(scope="module")
def alike_result() -> CheckResult:
    return alike.checked()


def listed_alike(alike_result: CheckResult, decisions=None):  # type: ignore[no-untyped-def]
    return cases(
        alike_result, view_at_threshold(alike_result, alike_result.threshold), decisions or {}
    )


def test_alike_cases_stand_last_with_their_passage_and_are_decided_like_any(
    alike_result: CheckResult,
) -> None:
    made = listed_alike(alike_result)
    assert [(one.a, one.b) for one in made] == [alike.COPIED, alike.ALIKE, alike.ALIKE_TOO]
    assert [one.alike for one in made] == [0, 5, 3]
    assert [one.number for one in made] == [1, 2, 3]
    assert len({one.row for one in made}) == 3
    assert all(one.overlap == 0 and one.passages == 0 for one in made[1:])
    left, right = (alike_result.documents[row].id for row in alike.ALIKE)
    made = listed_alike(alike_result, {pair_key(left, right): Decision("confirmed")})
    assert [one.state for one in made] == ["undecided", "confirmed", "undecided"]

    case = listed_alike(alike_result)[1]
    span = excerpt(alike_result, case)
    assert span is not None
    text = alike_result.documents[2].text[slice(*span)]
    assert text.startswith(alike.CHINESE[0][0])
    assert text.endswith(alike.CHINESE[-1][0])


def test_a_pair_that_shares_words_is_one_case(alike_result: CheckResult) -> None:
    import dataclasses

    both = {alike.COPIED: [], alike.ALIKE: alike.CHINESE}
    said = ("面包的做法并不复杂。", "开头是自己写的一句话，说明为什么要做面包。", 0.8, 0.3)
    both[alike.COPIED] = [said]
    meanings = alike.meanings_of(alike_result.documents, both)
    made = listed_alike(dataclasses.replace(alike_result, meanings=meanings))

    assert [(one.a, one.b, one.alike) for one in made] == [(*alike.COPIED, 0), (*alike.ALIKE, 5)]


@pytest.mark.parametrize("query", ["meaning", "同义", "只有同义"])
def test_a_search_finds_them(alike_result: CheckResult, query: str) -> None:
    made = listed_alike(alike_result)
    batch = Batch([one.name for one in alike_result.documents], [""] * len(alike_result.documents))

    assert [parse(query).matches(one, batch) for one in made] == [False, True, True]
    assert [parse(f"-{query}").matches(one, batch) for one in made] == [True, False, False]
