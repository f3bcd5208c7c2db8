"""The data folder of a user without a check or a library."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    return tmp_path / "data"
