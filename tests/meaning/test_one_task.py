"""Texts that answer one question say the same, and none is listed for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from alike import meanings_of

from simhash_core import Document
from simhash_core.i18n import translator
from simhash_core.meaning.search import meaning_facts, says_one_thing
from simhash_core.policy import FEW_PAIRS


def best_of(pairs: int, near: int) -> np.ndarray:
    return np.concatenate([np.full(near, 2.0), np.zeros(pairs - near)]).astype(np.float32)


def test_a_class_of_near_answers_says_one_thing_and_few_pairs_nothing() -> None:
    assert says_one_thing(best_of(200, 16))
    assert not says_one_thing(best_of(200, 15))
    assert not says_one_thing(best_of(FEW_PAIRS - 1, FEW_PAIRS - 1))


@pytest.mark.parametrize("one_task", [True, False])
def test_a_class_of_one_task_is_told_that_nothing_is_listed_for_it(one_task: bool) -> None:
    documents = [Document.from_text(text, name=text) for text in ("one", "two")]
    facts = meaning_facts(replace(meanings_of(documents, {}), one_task=one_task), None)

    assert ("meaning_one_task" in [fact.code for fact in facts]) == one_task
    for language in ("en", "zh"):
        assert translator(language)("guarantee.meaning_one_task") != "guarantee.meaning_one_task"
