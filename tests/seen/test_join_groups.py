"""Who is joined to whom, against a walk that joins sets, and in which words passages differ."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.cases import ListedCases, PassageCase, listed_cases
from simhash_core.checking import check_texts
from simhash_core.model import Decision
from simhash_core.policy import FEW_HOLDERS
from simhash_core.result import CheckResult
from simhash_core.seen import Wording, join_groups, list_held
from tests.prose import chinese

N = 18
ROW = st.integers(0, N - 1)
ENDS = st.tuples(ROW, ROW).filter(lambda ends: ends[0] < ends[1])
HELD = st.sets(ROW, min_size=3, max_size=8)


def passage(number: int, members: set[int], *, automatic: bool = False) -> PassageCase:
    rows = tuple(sorted(members))
    return PassageCase(number, number, rows, 20 + number, str(number), None, automatic=automatic)


def result_of(pairs: list[tuple[int, int]], checked: int) -> Any:
    left, right = np.array(pairs, np.int64).reshape(-1, 2).T
    table = SimpleNamespace(
        pairs=SimpleNamespace(left=left, right=right), own=np.arange(len(pairs)) + 5
    )
    return SimpleNamespace(documents=range(N), checked=checked, table=table)


@given(
    st.sets(ENDS, max_size=14),
    st.lists(st.tuples(HELD, st.booleans()), max_size=5),
    st.integers(N - 4, N),
)
def test_groups_are_those_of_sets_that_are_joined_until_none_touch(
    pairs: set[tuple[int, int]], held: list[tuple[set[int], bool]], checked: int
) -> None:
    ends = sorted(pairs)
    listed = ListedCases(
        [passage(at, members, automatic=by_itself) for at, (members, by_itself) in enumerate(held)],
        {row: 100 + row for row in range(0, len(ends), 2)},  # every other row is a case
    )
    few = [{*members} for members, gone in held if len(members) <= FEW_HOLDERS and not gone]
    joined = [*few, *({*ends[row]} for row in listed.numbers)]
    while True:
        touching = [(a, b) for a in joined for b in joined if a is not b and a & b]
        if not touching:
            break
        a, b = touching[0]
        joined = [one for one in joined if one is not a and one is not b] + [a | b]

    groups = join_groups(result_of(ends, checked), listed)

    assert {frozenset(one.members) for one in groups} == {
        frozenset(one) for one in joined if min(one) < checked
    }
    for one in groups:
        assert {row for row in listed.numbers if {*ends[row]} & {*one.members}} == {*one.pairs}
        assert all({*each.members} <= {*one.members} for each in one.passages)
        words = sum(5 + row for row in one.pairs) + sum(each.units for each in one.passages)
        assert one.units == words
    order = [(-len(one.members), -one.units) for one in groups]
    assert order == sorted(order)


# --------------------------------------------------------------------------- a class of sixteen
FEW, MANY, TWO, SHED = (chinese(seed, 90) for seed in (900, 901, 902, 903))
OTHER = FEW[:40] + "格外长" + FEW[43:]
WHOLE = SHED + chinese(7, 60) + MANY + chinese(8, 40)
CHANGED = WHOLE[:20] + "谁也不" + WHOLE[23:]
TEXTS = {
    "0": [FEW],
    "1": [FEW, TWO],
    "2": [OTHER],
    "3": [TWO],
    **{str(n): [MANY] for n in range(4, 11)},
    "11": [WHOLE],
    "12": [CHANGED],
    **{str(n): [] for n in range(13, 16)},
}


@pytest.fixture(scope="module")
def klass() -> CheckResult:
    return check_texts(
        {
            name: "\n".join([chinese(10 + int(name), 150), *parts, chinese(60 + int(name), 150)])
            for name, parts in TEXTS.items()
        }
    )


def names(result: CheckResult, rows: Any) -> set[str]:
    return {result.documents[row].name for row in rows}


def test_what_few_hold_joins_and_what_many_hold_does_not(klass: CheckResult) -> None:
    groups = join_groups(klass, listed_cases(klass))

    assert [names(klass, one.members) for one in groups] == [{"0", "1", "2", "3"}, {"11", "12"}]
    first, second = groups
    assert klass.documents[first.members[0]].name == "1"  # of the passage and of the pair
    assert [len(one.members) for one in first.passages] == [3]
    assert (len(first.pairs), len(second.pairs), second.passages) == (1, 1, ())


def test_a_passage_whose_words_stopped_counting_joins_nobody(klass: CheckResult) -> None:
    listed = listed_cases(klass)
    said = Decision("no_problem", "quotation")
    passages = [replace(one, decision=said) for one in listed.passages]

    groups = join_groups(klass, ListedCases(passages, listed.numbers))

    assert {frozenset(names(klass, one.members)) for one in groups} == {
        frozenset({"1", "3"}),
        frozenset({"11", "12"}),
    }


def test_passages_of_a_group_say_who_has_them_and_in_which_words(klass: CheckResult) -> None:
    listed = listed_cases(klass)
    first, second = join_groups(klass, listed)

    (few, two), n = list_held(klass, first, listed.numbers, common=klass.common)
    assert n == 2
    assert names(klass, few.places) == {"0", "1", "2"}
    assert names(klass, few.reworded) == {"2"}
    (row,) = few.reworded
    assert few.wordings == (Wording(FEW[40:43], "格外长", (row,)),)
    for at, (start, end) in few.places.items():
        assert klass.documents[at].text[start:end] in (OTHER if at == row else FEW)
    assert (names(klass, two.places), two.reworded, two.wordings) == ({"1", "3"}, frozenset(), ())
    assert two.units == int(klass.table.own[first.pairs[0]])

    # what many hold divides a passage of two: its longest part stands for it; both are worded anew
    (whole,), _ = list_held(klass, second, listed.numbers, common=klass.common)
    assert whole.reworded == whole.places.keys()
    (one,) = whole.wordings
    ours, theirs = sorted((one.usual, one.instead), key=lambda words: "谁也不" in words)
    assert SHED[20:23] in ours and "谁也不" in theirs
    for at, (start, end) in whole.places.items():
        text = klass.documents[at].text[start:end]
        assert MANY not in text and text[:20] == SHED[:20]


def test_only_as_many_passages_are_told_as_are_asked_for(klass: CheckResult) -> None:
    listed = listed_cases(klass)
    first, _ = join_groups(klass, listed)

    held, n = list_held(klass, first, listed.numbers, common=klass.common, most=1)

    assert (len(held), n) == (1, 2)
    assert len(held[0].places) == 3
