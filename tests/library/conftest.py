"""What tests of a library share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simhash_core.storage.library import Library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """An empty library."""
    with Library.open(tmp_path / "texts.library", owner="editor", create=True) as opened:
        yield opened
