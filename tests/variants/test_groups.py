"""Groups of witnesses: by hand, and against plain loops."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simhash_core.model import Pairs, Passages
from simhash_core.policy import SAME_STRETCH
from simhash_core.result import VariantGroups
from simhash_core.variants.groups import collect, lay_out_sides, variant_groups
from tests.variants_judge import Passage, groups_slowly

Places = dict[int, tuple[int, int]]


def left_first(passage: Passage) -> Passage:
    """Return a passage with the lower row first, as a result has it."""
    a, b = passage[:3], passage[3:6]
    return (*min(a, b), *max(a, b), *passage[6:]) if a[0] != b[0] else passage


def tables(passages: list[Passage]) -> tuple[Pairs, Passages]:
    """Lay passages out as a result does; the left document is the lower row."""
    ordered = sorted(map(left_first, passages))
    ends = sorted({(one[0], one[3]) for one in ordered})
    left, right = (np.array([pair[side] for pair in ends], np.int64) for side in (0, 1))
    row_of = {pair: row for row, pair in enumerate(ends)}
    row = [row_of[one[0], one[3]] for one in ordered]
    columns = [np.array([one[at] for one in ordered], np.int32) for at in (1, 2, 4, 5)]
    p = len(ordered)
    whole, kind = np.full(p, 100, np.int32), np.zeros(p, np.uint8)
    shared = np.array([one[6] if len(one) > 6 else 100 for one in ordered], np.int32)
    score, weak = np.ones(p, np.float32), np.zeros(p, np.bool_)
    pair = np.array(row, np.int64)
    counts = (whole, whole, shared, shared)
    return (
        Pairs(left, right, np.zeros(len(ends), np.uint16)),
        Passages(pair, *columns, kind, score, weak, *counts),
    )


def of(passages: list[Passage], n: int = 400) -> VariantGroups:
    pairs, table = tables(passages)
    return variant_groups(pairs, table, n)


def members(groups: VariantGroups) -> list[Places]:
    places = []
    for group in range(len(groups)):
        rows = groups.rows(group)
        columns = (groups.document[rows], groups.start[rows], groups.end[rows])
        places.append(
            {
                document: (start, end)
                for document, start, end in zip(*(c.tolist() for c in columns), strict=True)
            }
        )
    return places


def everyone(places: Places) -> list[Passage]:
    """Every two of some texts share a stretch."""
    return [(a, *places[a], b, *places[b]) for a, b in combinations(sorted(places), 2)]


PARAGRAPH = {row: (100 + 7 * row, 300 + 7 * row) for row in range(5)}


def test_texts_that_share_a_stretch_or_a_chain_are_one_group() -> None:
    assert members(of(everyone(PARAGRAPH))) == [PARAGRAPH]
    assert members(of([(0, 0, 200, 1, 50, 250), (2, 0, 200, 3, 0, 200)])) == []
    assert members(of([(0, 0, 200, 1, 50, 250), (1, 50, 250, 2, 10, 210)])) == [
        {0: (0, 200), 1: (50, 250), 2: (10, 210)}
    ]
    again = [(row, *PARAGRAPH[row], 4, 900, 1100) for row in range(4)]
    assert members(of([*everyone(PARAGRAPH), *again])) == [PARAGRAPH]


def test_loose_and_weak_passages_make_no_group() -> None:
    loose = [(row, 0, 200, row + 1, 0, 200, 60) for row in range(20)]
    faithful = [(row, 0, 200, row + 1, 0, 200, 95) for row in range(20)]
    ends = [(min(group), max(group)) for group in members(of(loose))]
    assert all(last - first <= 6 for first, last in ends)
    assert members(of(faithful)) == [dict.fromkeys(range(21), (0, 200))]
    pairs, passages = tables(everyone(PARAGRAPH))
    weak = Passages(*passages.columns()[:7], ~passages.weak, *passages.columns()[8:])
    assert len(variant_groups(pairs, weak, 5)) == 0


def test_passage_that_holds_two_groups_does_not_join_them() -> None:
    """Two texts are copies of each other; both hold what two other sets of texts hold."""
    first = {0: (100, 300), 1: (100, 300), 2: (0, 200), 3: (50, 250), 4: (70, 270)}
    second = {0: (400, 650), 1: (400, 650), 5: (0, 250), 6: (20, 270), 7: (40, 290)}
    copies = (0, 0, 1000, 1, 0, 1000)
    shared = [one for one in everyone(first) + everyone(second) if (one[0], one[3]) != (0, 1)]

    assert members(of([copies, *shared])) == [second, first]


def test_passages_side_by_side_are_not_joined_by_one_over_both() -> None:
    first = dict.fromkeys(range(4), (0, 100))
    second = dict.fromkeys(range(4, 8), (100, 200))
    over_both = [(8, 0, 200, 9, 0, 200), (8, 0, 200, 10, 0, 200), (9, 0, 200, 10, 0, 200)]
    bridge = [(0, 0, 100, 8, 0, 100), (4, 100, 200, 8, 100, 200)]
    groups = members(of([*everyone(first), *everyone(second), *over_both, *bridge]))

    for group in groups:
        assert not {0, 1} <= set(group) or not {4, 5} <= set(group)


def test_whole_copies_do_not_swallow_a_paragraph_that_more_texts_share() -> None:
    copies = dict.fromkeys(range(3), (0, 2000))
    paragraph = dict.fromkeys(range(12), (500, 700))
    shared = [one for one in everyone(paragraph) if not {one[0], one[3]} <= {0, 1, 2}]

    assert members(of([*everyone(copies), *shared])) == [paragraph, copies]


def test_parts_stand_in_the_group_of_the_whole_or_in_their_own() -> None:
    whole = dict.fromkeys(range(6), (100, 400))
    part = [(row, 100, 200, 6, 20, 120) for row in range(6)]
    groups = of([*everyone(whole), *part])
    assert members(groups) == [{**whole, 6: (20, 120)}]
    assert groups.part.tolist() == [False] * 6 + [True]
    paragraph = dict.fromkeys(range(4), (0, 600))
    formula = dict.fromkeys(range(30), (200, 260))
    shared = [one for one in everyone(formula) if one[3] >= 4]
    assert members(of([*everyone(paragraph), *shared])) == [formula, paragraph]


def test_group_of_300() -> None:
    places = {row: (10 * (row % 7), 10 * (row % 7) + 200) for row in range(300)}

    assert members(of(everyone(places))) == [places]


STRETCH = st.tuples(st.integers(0, 12), st.integers(1, 8)).map(
    lambda one: (10 * one[0], 10 * (one[0] + one[1]))
)
PASSAGES = st.lists(
    st.tuples(
        st.integers(0, 6), STRETCH, st.integers(0, 6), STRETCH, st.sampled_from([100, 60, 45])
    )
    .filter(lambda one: one[0] != one[2])
    .map(lambda one: (one[0], *one[1], one[2], *one[3], one[4])),
    max_size=30,
)


@pytest.mark.long
@given(PASSAGES)
@settings(deadline=None, max_examples=300)
def test_arrays_and_plain_loops_agree(passages: list[Passage]) -> None:
    ordered = sorted(map(left_first, passages))
    pairs, table = tables(ordered)

    fast = [group.members for group in collect(lay_out_sides(pairs, table, 7))]

    assert fast == groups_slowly(ordered)


@given(PASSAGES)
@settings(deadline=None)
def test_groups_are_of_three_texts_and_distinct(passages: list[Passage]) -> None:
    groups = members(of(passages, 7))

    assert all(len(group) >= 3 for group in groups)
    assert all(start < end for group in groups for start, end in group.values())
    for one, other in combinations(groups, 2):
        same = [
            row
            for row in one.keys() & other.keys()
            if min(one[row][1], other[row][1]) - max(one[row][0], other[row][0])
            >= SAME_STRETCH * max(one[row][1] - one[row][0], other[row][1] - other[row][0])
        ]
        assert len(same) < max(len(one), len(other))


@pytest.mark.parametrize("drop", [(), (0,), (0, 1)])
def test_groups_can_be_taken_out(drop: tuple[int, ...]) -> None:
    first = dict.fromkeys(range(4), (0, 100))
    second = dict.fromkeys(range(3), (300, 400))
    left = of([*everyone(first), *everyone(second)]).without(drop)

    assert members(left) == [one for row, one in enumerate((first, second)) if row not in drop]
    assert left.of_document(0) == list(range(len(left)))
