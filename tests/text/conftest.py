"""What tests of reading share."""

from collections.abc import Iterator

import pytest

from simhash_core.machine.workers import WorkerPool


@pytest.fixture(scope="session")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(2, preload=["simhash_core.text.reading"]) as made:
        yield made
