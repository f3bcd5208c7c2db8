"""Expected and observed chance findings, on texts of the tests."""

from __future__ import annotations

import math

import numpy as np
from prose import english

from simhash_core.lab.measurements.calibration import (
    CHECK_COLUMNS,
    HELD_OUT_COLUMNS,
    Texts,
    chance_tables,
)
from simhash_core.model import Document


def texts(n: int, copies: int) -> Texts:
    """Unrelated texts; the last are copies of the first."""
    written = [english(seed, 150) for seed in range(n)]
    written[n - copies :] = written[:copies]
    documents = [Document.from_text(text, name=f"{i}") for i, text in enumerate(written)]
    unrelated = np.triu(np.ones((n, n), np.bool_), 1)
    for copy in range(copies):
        unrelated[copy, n - copies + copy] = False
    return Texts("made up", documents, unrelated)


def test_only_unrelated_pairs_are_counted() -> None:
    (held_out,), (checked,) = (table.rows for table in chance_tables([texts(24, 3)]))

    by_name = dict(zip(CHECK_COLUMNS, checked, strict=True))
    assert by_name["unrelated"] == 24 * 23 // 2 - 3
    assert by_name["observed"] == by_name["marked"] == 0
    assert math.isnan(dict(zip(HELD_OUT_COLUMNS, held_out, strict=True))["observed_5"])


def test_collections_below_the_size_of_a_batch_are_left_out() -> None:
    assert all(not table.rows for table in chance_tables([texts(19, 0)]))
