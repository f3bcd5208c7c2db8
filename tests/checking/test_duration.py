"""How long a check will take is known before it starts, and knows which loops will run."""

from __future__ import annotations

from pathlib import Path

import pytest
from prose import english

from simhash_core import Document, Settings
from simhash_core.checking import estimate


@pytest.fixture
def many() -> list[Document]:
    return [Document.from_text(english(seed, 2000), name=str(seed)) for seed in range(60)]


@pytest.fixture(autouse=True)
def fresh(cache: Path) -> None:
    """A computer that has checked nothing yet."""


def test_passages_are_most_of_it(many: list[Document]) -> None:
    settings = Settings.of("essays", passages=False)

    assert estimate(many, settings=settings).seconds < estimate(many).seconds


def test_references_are_not_compared_with_each_other(many: list[Document]) -> None:
    some, rest = many[:10], many[10:]

    assert estimate(some, against=rest).seconds < estimate(many).seconds
