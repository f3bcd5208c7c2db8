"""What every test may ask for: the samples, the development corpora, the property profiles."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

# A shell starts its background jobs with Ctrl-C ignored, and children inherit that: tests that
# interrupt a program must see the same wherever they run.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile(
    "ci",
    deadline=None,  # a shared machine may stand still for a moment
    max_examples=100,
    derandomize=True,  # a red run is red again when it is run again
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
)


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def samples() -> Path:
    """`sample_docs`: `essays` and `reposts`, each with its `truth.csv`."""
    return ROOT / "sample_docs"


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The development corpora: `LEITONG_CORPORA`, else `shared/data` beside the checkout."""
    chosen = os.environ.get("LEITONG_CORPORA")
    folder = Path(chosen) if chosen else ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no development corpora (LEITONG_CORPORA)")
    return folder
