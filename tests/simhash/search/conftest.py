"""Every test of this folder that asks for `loops` runs on the kernels and on their twins."""

from __future__ import annotations

import pytest

from simhash_core.machine import compiled
from simhash_core.simhash.search import readable
from simhash_core.simhash.search.twins import TWINS

SETS = [pytest.param(readable, id="numpy")]
if compiled.available():
    from simhash_core.simhash.search import kernels

    SETS.insert(0, pytest.param(kernels, id="numba"))


@pytest.fixture(params=SETS)
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use one of the two sets of loops, whatever the size of the work."""
    monkeypatch.setattr(TWINS, "_kernels", request.param)
