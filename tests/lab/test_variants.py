"""Planted groups of copies are found as one group each."""

from __future__ import annotations

import random

from simhash_core.checking import check
from simhash_core.lab.variants import DOCUMENTS, GROUPS, _counts, _texts, plant


def test_each_planted_group_is_found() -> None:
    documents, planted = plant(_texts(None)["zh"], "zh", 0.05, random.Random(7))
    found, witnesses = check(documents), sum(map(len, planted))

    assert len(documents) == DOCUMENTS
    assert len(planted) == GROUPS
    assert _counts(found, planted) == [GROUPS, GROUPS, witnesses, witnesses]
