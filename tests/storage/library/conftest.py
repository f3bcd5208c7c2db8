"""A library on each database, empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from simhash_core.storage.library import Library


@pytest.fixture
def opened(tmp_path) -> Callable[..., Library]:
    """Return `opened(owner)`: opens one library, made on first use."""

    def open_library(owner: str = "editor") -> Library:
        return Library.open(tmp_path / "texts.library", owner=owner, create=True)

    return open_library


@pytest.fixture
def library(opened) -> Iterator[Library]:
    """Return an empty library of one owner."""
    with opened() as library:
        yield library
