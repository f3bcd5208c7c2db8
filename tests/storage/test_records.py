"""A stored result whose parts do not fit each other is not shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simhash_core.checking import check_texts
from simhash_core.storage.contents import is_sound
from tests.prose import chinese


@pytest.mark.parametrize(
    "change",
    [
        {"first": np.array([0, 2])},
        {"first": np.zeros(0, np.int64)},
        {"first": np.array([0, 4, 3])},
        {"document": np.array([0, 1, 9])},
        {"end": np.array([10, 20], np.int32)},
    ],
)
def test_groups_that_do_not_fit_are_seen(change: dict[str, object]) -> None:
    shared = chinese(5, 200)
    result = check_texts({f"{row}": f"{chinese(10 + row, 150)}\n{shared}" for row in range(3)})
    groups = result.variant_groups

    assert len(groups) == 1
    assert is_sound(result)
    broken = replace(groups, **change)  # type: ignore[arg-type]
    assert not is_sound(replace(result, variant_groups=broken))
