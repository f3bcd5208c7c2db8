"""Readable loops and those of C give the same results and end with the same exceptions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from golden.collection import collection
from golden.runs import documents

from simhash_core import Settings, check, i18n, to_json
from simhash_core.errors import Cancelled
from simhash_core.machine import native
from simhash_core.simhash.search import all_pairs

Call = Callable[[], Any]
TIMES = ("timings", "guarantees")  # what a result says of how it was made

pytestmark = pytest.mark.skipif(native.library() is None, reason="no C compiler built the loops")


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Callable[[Call], Any]:
    """`both(call)`: what a call returns, or the exception it ends with, the same by all twins."""

    def run(call: Call) -> Any:
        outcomes = []
        for twin in ("readable", ""):
            monkeypatch.setenv(native.TWIN, twin)
            try:
                outcomes.append(call())
            except Exception as error:
                outcomes.append((type(error), str(error), getattr(error, "params", None)))
        readable, in_c = outcomes
        assert readable == in_c
        return in_c

    return run


def checked(*, stop_at: str = "", **settings: Any) -> dict[str, Any]:
    def step(stage: str, done: int, total: int) -> None:
        if stage == stop_at:
            raise Cancelled

    result = check(documents(collection(25)), settings=Settings(**settings), progress=step)
    shown = json.loads(to_json(result, i18n.translator("en")))
    return {name: value for name, value in shown.items() if name not in TIMES}


@pytest.mark.parametrize("settings", [{}, {"translated": True}, {"passages": False, "bits": 256}])
def test_a_check_is_the_same(both, settings: dict[str, Any]) -> None:
    assert both(lambda: checked(**settings))["documents"]


@pytest.mark.parametrize("stage", ["tokens", "pairs", "align"])
def test_a_check_is_stopped_alike(both, stage: str) -> None:
    assert both(lambda: checked(stop_at=stage))[0] is Cancelled


@pytest.mark.parametrize("k", [0, 3, 12, 70, -1])
def test_a_search_gives_the_same_pairs_or_the_same_error(both, k: int) -> None:
    dice = np.random.default_rng(20_261_122)
    rows = dice.integers(0, 2**63, (400, 1), np.int64).view(np.uint64)
    rows[200:] = rows[:200] ^ np.uint64(1) << dice.integers(0, 64, (200, 1)).astype(np.uint64)

    def search() -> Any:
        pairs = all_pairs(rows, bits=64, k=k).pairs
        return [pairs.left.tolist(), pairs.right.tolist(), pairs.distance.tolist()]

    outcome = both(search)
    assert isinstance(outcome, list) is (0 <= k <= 64)


def test_the_switch_can_be_turned_while_a_process_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    loops = native.Twins("simhash")
    for twin in ("readable", "", "readable"):
        monkeypatch.setenv(native.TWIN, twin)
        assert loops.vote.__module__ == f"simhash_core.simhash.{twin or 'native'}"
