"""How long a check will take is known before it starts, and knows which loops will run."""

from __future__ import annotations

from pathlib import Path

import pytest
from prose import english

from simhash_core import Document, Settings
from simhash_core.checking import estimate
from simhash_core.machine import compiled
from simhash_core.passages.twins import TWINS

needs_numba = pytest.mark.skipif(not compiled._numba(), reason="no numba here")


@pytest.fixture
def many() -> list[Document]:
    return [Document.from_text(english(seed, 2000), name=str(seed)) for seed in range(60)]


@pytest.fixture(autouse=True)
def fresh(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has not loaded anything yet."""
    monkeypatch.setattr(TWINS, "_kernels", None)
    monkeypatch.setenv(compiled.NATIVE, "no")


@pytest.fixture
def prepared(cache: Path) -> None:
    """A cache that says it is complete; nothing loads from it here."""
    folder = compiled.room_folder("passages")
    assert folder is not None
    folder.mkdir(parents=True)
    (folder / "ready").touch()


def test_a_small_check_prepares_nothing(many: list[Document]) -> None:
    assert estimate(many[:5]).preparation == 0.0


@needs_numba
def test_a_large_first_check_counts_the_preparation(many: list[Document]) -> None:
    first = estimate(many)

    assert first.preparation >= compiled.ROOMS["passages"].seconds
    assert first.total == first.seconds + first.preparation


@needs_numba
def test_a_later_check_does_not(many: list[Document], prepared: None) -> None:
    assert estimate(many).preparation == 0.0


@needs_numba
def test_without_preparing_the_readable_loops_are_counted(
    many: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = estimate(many)
    monkeypatch.setenv("LEITONG_PREPARE", "no")
    slow = estimate(many)

    assert slow.preparation == 0.0
    assert slow.seconds > 5 * fast.seconds


def test_passages_are_most_of_it(many: list[Document]) -> None:
    settings = Settings.of("essays", passages=False)

    assert estimate(many, settings=settings).total < estimate(many).total


def test_references_are_not_compared_with_each_other(many: list[Document]) -> None:
    some, rest = many[:10], many[10:]

    assert estimate(some, against=rest).total < estimate(many).total
