"""One passage a place, neighbours as one: the rules on hand-made rectangles."""

from __future__ import annotations

import numpy as np
from oracles import passages as readable

GAP = 100


def test_passages_do_not_overlap_on_either_side() -> None:
    best, on_a, on_b, apart = [0, 100, 0, 100], [50, 150, 400, 500], [400, 500, 60, 160], [
        90, 190, 95, 195,
    ]  # fmt: skip

    accepted = readable.one_to_one(np.array([best, on_a, on_b, apart]))

    assert accepted.tolist() == [best, apart]


def test_neighbours_within_the_gap_are_one_passage_in_any_order() -> None:
    first = np.array([0, 100, 0, 100])
    near, far = first + 100 + GAP, first + 101 + GAP
    assert readable.merged(np.stack([first, near]), GAP).tolist() == [[0, 200 + GAP, 0, 200 + GAP]]
    assert len(readable.merged(np.stack([first, far]), GAP)) == 2
    rects = np.array([[0, 10, 500, 510], [900, 910, 0, 10], [20, 30, 450, 480], [40, 50, 400, 430]])
    assert readable.merged(rects, GAP).tolist() == [[0, 50, 400, 510], [900, 910, 0, 10]]


def test_pieces_in_another_order_are_one_passage_and_strangers_stay() -> None:
    local_a = np.arange(40, dtype=np.int32)
    local_b = np.concatenate(np.split(local_a, 4)[::-1])  # its quarters, the last one first
    outer = np.array([[30, 40, 0, 10], [0, 10, 30, 40]])

    hull = readable.joined(local_a, local_b, np.ones(80), outer)
    between = np.concatenate([local_b[:10], local_a[10:30] + 40, local_b[30:]])
    apart = readable.joined(local_a, between, np.ones(80), outer)

    assert hull.tolist() == [[0, 40, 0, 40]]
    assert apart.tolist() == [[0, 10, 30, 40], [30, 40, 0, 10]]
