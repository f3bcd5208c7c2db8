"""A library on each database, empty."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from simhash_core.storage.library import Library


@pytest.fixture
def library(tmp_path) -> Iterator[Library]:
    """Return an empty library of one owner."""
    with Library.open(tmp_path / "texts.library", owner="editor", create=True) as opened:
        yield opened
