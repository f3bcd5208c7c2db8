"""The planner: it weighs, and it notices skew."""

from __future__ import annotations

import numpy as np
import pytest
from hamming_judge import uniform

from simhash_core.simhash.search import block_plan, choose_plan
from simhash_core.simhash.search.words import to_columns


def test_choose_plan_scans_few_rows_narrow_blocks_and_nothing_for_equals() -> None:
    assert choose_plan(to_columns(uniform(5000, 64, 0)), bits=64, k=0).kind == "equal"
    assert choose_plan(to_columns(uniform(500, 64, 0)), bits=64, k=3).name == "linear"
    assert choose_plan(to_columns(uniform(10_000, 256, 0)), bits=256, k=61).name == "linear"


def test_choose_plan_uses_blocks_for_many_rows_and_small_k() -> None:
    plan = choose_plan(to_columns(uniform(200_000, 64, 0)), bits=64, k=3)

    assert plan.name == "C(4,1)"
    assert plan.seconds["C(4,1)"] < plan.seconds["linear"] / 10
    assert len(plan.routes) == 4
    assert plan.spans[0] == (0, 16)


def test_choose_plan_measures_candidates_instead_of_assuming_them() -> None:
    """Uniform theory would see 30 thousand candidates; half the rows share their first block."""
    words = uniform(40_000, 64, 0)
    words[:20_000] &= np.uint64(0x0000_FFFF_FFFF_FFFF)

    plan = choose_plan(to_columns(words), bits=64, k=3)

    assert plan.candidates["C(4,1)"] == pytest.approx(2e8, rel=0.1)


def test_block_plan_refuses_more_blocks_than_bits() -> None:
    with pytest.raises(ValueError, match="no 9 blocks"):
        block_plan(8, 8)
