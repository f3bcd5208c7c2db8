"""Planted trees of copies, and how a tree of agreement is scored against them."""

from __future__ import annotations

import random

import pytest

from simhash_core.checking import check
from simhash_core.lab.variants import (
    DOCUMENTS,
    GROUPS,
    Planted,
    _agrees,
    _restrict_splits,
    _texts,
    plant,
)

# 0 ─ 1 ─ 2, 3      0 ─ 4
TREE = Planted((5, 6, 7, 8, 9, 10), parent=(-1, 0, 1, 1, 0, 4), changed=(False, *[True] * 5))
EVERYONE = frozenset(range(6))
TRUE = frozenset({frozenset({1, 2, 3}), frozenset({4, 5})})


def test_copies_are_below_and_splits_the_same_from_either_side() -> None:
    assert TREE.below(1) == {1, 2, 3}
    assert TREE.below(0) == EVERYONE
    assert _restrict_splits({frozenset({0, 4, 5}), frozenset({4, 5})}, EVERYONE) == TRUE
    assert _restrict_splits({frozenset({2}), EVERYONE}, EVERYONE) == set()


@pytest.mark.parametrize(
    ("found", "agreed"),
    [
        (TRUE, 5),
        ({frozenset({1, 2, 3})}, 3),  # nothing sets 5 nearer to 4 than to 0, nor 1 to 0 than to 4
        (set(), 0),  # all stand together: nobody is nearest
        ({frozenset({2, 5})}, 0),
    ],
)
def test_link_agrees_where_the_source_is_nearest(found: set[frozenset[int]], agreed: int) -> None:
    links = [(child, TREE.parent[child]) for child in range(1, 6)]

    assert sum(_agrees(*link, TREE, set(TRUE), set(found), EVERYONE) for link in links) == agreed


def test_planted_group_is_found_with_its_tree() -> None:
    draw = random.Random(7)
    documents, planted = plant(_texts(None)["zh"], "zh", 0.05, draw)
    groups = check(documents).variant_groups
    members = [set(groups.document[groups.rows(row)].tolist()) for row in range(len(groups))]

    assert len(documents) == DOCUMENTS
    assert len(planted) == GROUPS
    assert all(set(one.documents) in members for one in planted)
