"""Where the development corpora lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def corpora() -> Path:
    """Return the folder of the corpora, or skip."""
    root = Path(os.environ.get("LEITONG_CORPORA", BESIDE))
    if not root.is_dir():
        pytest.skip("the development corpora are not here (LEITONG_CORPORA)")
    return root
