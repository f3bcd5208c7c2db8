"""Two processes on one file, 200 times, while one of them lists or opens it again."""

from __future__ import annotations

import os

import pytest
from sharing import lost_decisions, lost_texts

RUNS = int(os.environ.get("LEITONG_RUNS", "200"))
STEPS = 40


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("shared", [lost_decisions, lost_texts])
def test_two_processes_lose_nothing(shared, tmp_path):
    acknowledged, lost, damaged = 0, 0, 0
    for run in range(RUNS):
        look = ("list", "open")[run % 2]
        count, gone, damage = shared(tmp_path, steps=STEPS, look=look, seed=run)
        acknowledged, lost, damaged = acknowledged + count, lost + len(gone), damaged + bool(damage)
    tally = f"{acknowledged} acknowledged, {lost} lost, {damaged} files damaged"
    print(f"{shared.__name__}: {RUNS} runs, {tally}")

    assert (acknowledged, lost, damaged) == (RUNS * STEPS, 0, 0)
