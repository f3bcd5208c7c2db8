"""Texts that answer one question say the same, and none is listed for it."""

from __future__ import annotations

import numpy as np

from simhash_core.meaning.search import says_one_thing
from simhash_core.policy import FEW_PAIRS


def best_of(pairs: int, near: int) -> np.ndarray:
    return np.concatenate([np.full(near, 2.0), np.zeros(pairs - near)]).astype(np.float32)


def test_a_class_of_near_answers_says_one_thing() -> None:
    assert says_one_thing(best_of(200, 16))
    assert not says_one_thing(best_of(200, 15))


def test_few_pairs_say_nothing_of_their_class() -> None:
    assert not says_one_thing(best_of(FEW_PAIRS - 1, FEW_PAIRS - 1))
