"""The cases of a check: order, clusters, states."""

from __future__ import annotations

from dataclasses import replace

import alike
import numpy as np
import pytest

from simhash_core import Document, check
from simhash_core.model import Decision, pair_key
from simhash_core.result import CheckResult
from simhash_core.review import cases, decide_anew
from simhash_core.seen import view_at_threshold
from tests.prose import english


@pytest.fixture(scope="module")
def result() -> CheckResult:
    """Three texts with one source, and two others with another."""
    first, second = english(1, 300), english(2, 300)
    texts = [first, first + english(3, 20), first + english(4, 60), second, second + english(5, 90)]
    return check([Document.from_text(text, name=f"{n}.txt") for n, text in enumerate(texts)])


def test_every_listed_pair_is_a_case_once_and_clusters_stand_together(result: CheckResult) -> None:
    listed = cases(result, view_at_threshold(result, result.threshold), {})
    first = len(result.common) + 1  # behind the passages that several hold
    assert [case.number for case in listed] == list(range(first, first + len(listed)))
    assert {(case.a, case.b) for case in listed} == {(0, 1), (0, 2), (1, 2), (3, 4)}
    clusters = [case.cluster for case in listed]
    assert len({*clusters}) == 2
    assert clusters == sorted(clusters, key=clusters.index)


def test_decisions_follow_the_texts(result: CheckResult) -> None:
    ids = [document.id for document in result.documents]
    decisions = {pair_key(ids[4], ids[3]): Decision("confirmed")}
    listed = cases(result, view_at_threshold(result, result.threshold), decisions)
    assert {(case.a, case.b): case.state for case in listed}[3, 4] == "confirmed"
    assert [case.state for case in listed].count("undecided") == 3


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


# --------------------------------------------------------------------------- the same meaning
@pytest.fixture(scope="module")
def alike_result() -> CheckResult:
    return alike.checked()


def listed_alike(alike_result: CheckResult, decisions=None):  # type: ignore[no-untyped-def]
    view = view_at_threshold(alike_result, alike_result.threshold)
    return cases(alike_result, view, decisions or {})


def test_alike_cases_stand_last_and_are_decided_like_any(alike_result: CheckResult) -> None:
    made = listed_alike(alike_result)
    assert [(one.a, one.b) for one in made] == [alike.COPIED, alike.ALIKE, alike.ALIKE_TOO]
    assert [(one.number, one.alike) for one in made] == [(1, 0), (2, 5), (3, 3)]
    assert len({one.row for one in made}) == 3
    assert all(one.overlap == 0 and one.passages == 0 for one in made[1:])
    left, right = (alike_result.documents[row].id for row in alike.ALIKE)
    made = listed_alike(alike_result, {pair_key(left, right): Decision("confirmed")})
    assert [one.state for one in made] == ["undecided", "confirmed", "undecided"]


def test_a_pair_that_shares_words_is_one_case(alike_result: CheckResult) -> None:
    import dataclasses

    said = ("面包的做法并不复杂。", "开头是自己写的一句话，说明为什么要做面包。", 0.8, 0.3)
    both = {alike.COPIED: [said], alike.ALIKE: alike.CHINESE}
    meanings = alike.meanings_of(alike_result.documents, both)
    made = listed_alike(dataclasses.replace(alike_result, meanings=meanings))

    assert [(one.a, one.b, one.alike) for one in made] == [(*alike.COPIED, 0), (*alike.ALIKE, 5)]
    table = alike_result.table  # what many hold makes no case, and hides no other words
    many = dataclasses.replace(table, parts=0 * table.parts, tones=0 * table.tones)
    decided = {pair_key(*(one.id for one in alike_result.documents[:2])): Decision("confirmed")}
    made = listed_alike(dataclasses.replace(alike_result, meanings=meanings, table=many), decided)
    assert [(one.a, one.b, one.alike) for one in made] == [(*alike.ALIKE, 5), (*alike.COPIED, 1)]
