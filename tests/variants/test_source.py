"""Clues to where a passage came from, each by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simhash_core.variants.source import Circumstances, clues, day_of

NOTHING = Circumstances(
    reference=np.zeros(4, np.bool_),
    beside_task=np.zeros(4, np.bool_),
    date=[""] * 4,
    departures=np.array([1, 1, 1, 1]),
    extent=np.array([100, 100, 100, 100]),
    joined=np.zeros(4),
)


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({}, []),
        ({"reference": np.array([False, True, False, False])}, [("library", (1,), {"n": 1})]),
        ({"beside_task": np.array([True, True, False, False])}, [("task", (0, 1), {"n": 2})]),
        ({"beside_task": np.array([True, False, False, False])}, []),
        ({"date": ["2024-05-02", "2024-5-1", "2025年1月3日", "2026"]}, []),
        ({"date": ["2024-05-02", "2024-5-1", "2025年1月3日", "2026-01"]},
         [("earliest", (1,), {"date": "2024-05-01"})]),
        ({"date": ["2024-05-02"] * 4}, []),
        ({"departures": np.array([0, 1, 0, 2])}, [("agrees", (0, 2), {"n": 2})]),
        ({"departures": np.zeros(4, np.int64)}, []),
        ({"extent": np.array([300, 310, 100, 100])},
         [("longest", (0, 1), {"n": 2, "characters": 310})]),
        ({"joined": np.array([0.4, 0.1, 0.0, 0.1])}, [("joins", (0,), {"share": 0.4})]),
        ({"joined": np.array([0.4, 0.33, 0.0, 0.1])}, [("joins", (0,), {"share": 0.4})]),
        ({"joined": np.array([0.4, 0.34, 0.0, 0.1])}, []),
    ],
)  # fmt: skip
def test_clue_is_seen(change: dict[str, object], wanted: list[tuple[object, ...]]) -> None:
    seen = clues(replace(NOTHING, **change))  # type: ignore[arg-type]

    assert [(one.code, one.witnesses, dict(one.params)) for one in seen] == wanted


def test_dates_are_read_in_both_orders_of_words() -> None:
    assert day_of("2025年3月9日") == "2025-03-09"
    assert day_of("handed in 2025/03/09 10:00") == "2025-03-09"
    assert day_of("last week") == ""
