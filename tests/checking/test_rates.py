"""What a check takes is learned from the checks before it, from those like it most."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import pytest
from prose import english

from simhash_core import Document, Settings
from simhash_core.checking import duration
from simhash_core.checking.duration import Run, earlier_runs, estimate, factors, learning, remember

SMALL = Run(True, 100_000, 0.0, 1.0, 1.0)


def run(seconds: float, *, characters: int = 100_000, passages: bool = True) -> Run:
    return Run(passages, characters, 0.0, seconds, 1.0)


def test_nothing_is_learned_from_nothing() -> None:
    assert factors(SMALL, []) == (1.0, 1.0)


def test_a_machine_that_is_slower_is_expected_to_stay_so() -> None:
    slower, _ = factors(SMALL, [run(3.0) for _ in range(5)])

    assert slower == pytest.approx(3.0, rel=0.1)


def test_checks_of_like_size_and_kind_say_most() -> None:
    large = [run(8.0, characters=10_000_000)]

    assert factors(SMALL, large)[0] < 1.1
    assert factors(run(1.0, characters=10_000_000), large)[0] > 4
    assert factors(SMALL, [run(8.0, passages=False)])[0] == 1.0


def test_a_machine_that_was_busy_once_is_soon_forgotten() -> None:
    slower, _ = factors(SMALL, [run(15.0), *(run(1.0) for _ in range(6))])

    assert slower < 1.5


def test_what_no_machine_does_is_not_believed() -> None:
    assert factors(SMALL, [run(1e9)])[0] < 2 * duration.WIDEST
    assert factors(SMALL, [Run(True, 100_000, 0.0, 2.0, math.nan)])[1] == 1.0


def test_runs_are_remembered_and_a_damaged_file_is_none(cache: Path) -> None:
    for number in range(duration.MOST_RUNS + 5):
        remember(run(1.0 + number))
    runs = earlier_runs()

    assert len(runs) == duration.MOST_RUNS
    assert runs[-1].seconds == duration.MOST_RUNS + 5.0
    (cache / duration.FILE).write_text("{")
    assert earlier_runs() == []
    odd = '[{"passages": true, "characters": %s, "han": NaN, "seconds": 1.0, "memory": 1.0}]'
    for characters in ("1", "null", '"x"'):
        (cache / duration.FILE).write_text(odd % characters)
        assert earlier_runs() == []


def test_checks_that_end_at_once_lose_nothing(cache: Path) -> None:
    threads = [
        threading.Thread(target=lambda: [remember(run(1.0)) for _ in range(5)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(earlier_runs()) == 20


def test_a_check_teaches_its_time_and_memory(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simhash_core.checking.duration.LEAST_SECONDS", 0.0)
    documents = [Document.from_text(english(seed, 200), name=str(seed)) for seed in range(4)]
    before = estimate(documents)
    with learning(before, settings=Settings()):
        sum(range(10**6))
    after = estimate(documents)

    (taught,) = earlier_runs()
    assert (after.seconds < before.seconds) == (taught.seconds < 1)
    assert taught.memory > 0


def test_a_check_that_fails_teaches_nothing(cache: Path) -> None:
    documents = [Document.from_text(english(1, 200), name="a")]
    with pytest.raises(ZeroDivisionError), learning(estimate(documents), settings=Settings()):
        _ = 1 / 0

    assert earlier_runs() == []
