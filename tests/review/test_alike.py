"""Cases that rest on the same meaning alone: last, with their own mark, decided like any."""

from __future__ import annotations

import alike
import pytest

from simhash_core.model import Decision, pair_key
from simhash_core.result import CheckResult
from simhash_core.review import Batch, cases, excerpt, parse
from simhash_core.seen import at_threshold


@pytest.fixture(scope="module")
def result() -> CheckResult:
    return alike.checked()


def listed(result: CheckResult, decisions=None):  # type: ignore[no-untyped-def]
    return cases(result, at_threshold(result, result.threshold), decisions or {})


def test_they_stand_last(result: CheckResult) -> None:
    made = listed(result)

    assert [(one.a, one.b) for one in made] == [alike.COPIED, alike.ALIKE, alike.ALIKE_TOO]
    assert [one.alike for one in made] == [0, 5, 3]
    assert [one.number for one in made] == [1, 2, 3]
    assert len({one.row for one in made}) == 3
    assert all(one.overlap == 0 and one.passages == 0 for one in made[1:])


def test_a_pair_that_shares_words_is_one_case(result: CheckResult) -> None:
    import dataclasses

    both = {alike.COPIED: [], alike.ALIKE: alike.CHINESE}
    said = ("面包的做法并不复杂。", "开头是自己写的一句话，说明为什么要做面包。", 0.8, 0.3)
    both[alike.COPIED] = [said]
    meanings = alike.meanings_of(result.documents, both)
    made = listed(dataclasses.replace(result, meanings=meanings))

    assert [(one.a, one.b, one.alike) for one in made] == [(*alike.COPIED, 0), (*alike.ALIKE, 5)]


def test_they_are_decided_like_any_case(result: CheckResult) -> None:
    left, right = (result.documents[row].id for row in alike.ALIKE)
    made = listed(result, {pair_key(left, right): Decision("confirmed")})

    assert [one.state for one in made] == ["undecided", "confirmed", "undecided"]


def test_the_excerpt_is_the_passage(result: CheckResult) -> None:
    case = listed(result)[1]
    span = excerpt(result, case)

    assert span is not None
    text = result.documents[2].text[slice(*span)]
    assert text.startswith(alike.CHINESE[0][0])
    assert text.endswith(alike.CHINESE[-1][0])


@pytest.mark.parametrize("query", ["meaning", "同义", "只有同义"])
def test_a_search_finds_them(result: CheckResult, query: str) -> None:
    made = listed(result)
    batch = Batch([one.name for one in result.documents], [""] * len(result.documents))

    assert [parse(query).matches(one, batch) for one in made] == [False, True, True]
    assert [parse(f"-{query}").matches(one, batch) for one in made] == [True, False, False]
