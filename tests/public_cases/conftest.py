"""Files and batches that broke other tools, each with its right answer (LEITONG_CORPORA)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import leitong as lt
from simhash_core.machine.workers import WorkerPool
from simhash_core.settings import Settings
from simhash_core.text.gathering import gather_sources
from simhash_core.text.reading import read_sources

Texts = Callable[..., dict[str, str]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies here: its inputs are no part of the checkout."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.corpora)


@pytest.fixture(scope="session")
def cases(corpora: Path) -> Path:
    """Return the folder of the cases."""
    return corpora / "public_cases"


@pytest.fixture(scope="session")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(2, preload=["simhash_core.text.reading"]) as made:
        yield made


@pytest.fixture
def texts(pool: WorkerPool) -> Texts:
    """Return a function that reads files and folders: the text of every hand-in by its name."""

    def read(*paths: Path) -> dict[str, str]:
        sources, _ = gather_sources(list(paths), pool=pool)
        documents, _ = read_sources(
            sources, pool=pool, settings=Settings(), progress=lambda *_: None
        )
        return {document.name: document.text for document in documents}

    return read


def shares(*paths: Path, **options: object) -> dict[tuple[str, str], tuple[float, float]]:
    """Return what every listed pair of a check has in common, both ways, by the file names."""
    result = lt.check([str(path) for path in paths], **options)
    return {
        (Path(pair["a"]).name, Path(pair["b"]).name): (pair["coverage_a"], pair["coverage_b"])
        for pair in result.pairs()
    }
