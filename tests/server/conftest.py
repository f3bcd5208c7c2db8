"""Folders of their own for what a server keeps."""

from __future__ import annotations

import pytest

from simhash_core.server import department


@pytest.fixture
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    department._secret.cache_clear()
    yield tmp_path / "data"
    department._secret.cache_clear()
