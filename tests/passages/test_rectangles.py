"""One passage a place, neighbours as one: the rules on hand-made rectangles."""

from __future__ import annotations

import numpy as np
import pytest
from plain import view_of
from prose import english

from simhash_core.passages.options import AlignOptions
from simhash_core.passages.pair import Pair, pair_of
from simhash_core.passages.rectangles import merged, one_to_one


@pytest.fixture
def pair() -> Pair:
    options = AlignOptions.for_language("en", frequencies=False)
    return pair_of(view_of(english(1, 900)), view_of(english(2, 900)), options)


def test_passages_do_not_overlap_on_either_side(pair: Pair) -> None:
    best, on_a, on_b, apart = [0, 100, 0, 100], [50, 150, 400, 500], [400, 500, 60, 160], [
        90, 190, 95, 195,
    ]  # fmt: skip

    accepted = one_to_one(np.array([best, on_a, on_b, apart]))

    assert [rect.tolist() for rect in accepted] == [best, apart]


def test_neighbours_within_the_gap_are_one_passage(pair: Pair) -> None:
    gap = pair.options.merge_gap
    first = np.array([0, 100, 0, 100])
    near, far = first + 100 + gap, first + 101 + gap

    assert [r.tolist() for r in merged(pair, [first, near])] == [[0, 200 + gap, 0, 200 + gap]]
    assert len(merged(pair, [first, far])) == 2
