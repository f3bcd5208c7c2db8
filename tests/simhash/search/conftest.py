"""Every test of this folder that asks for `loops` runs on the kernels and on their twins."""

from __future__ import annotations

import pytest

from simhash_core.simhash.search import engine, scans

TWINS = [pytest.param(scans, id="numpy")]
if engine.compiled:
    from simhash_core.simhash.search import kernels

    TWINS.insert(0, pytest.param(kernels, id="numba"))


@pytest.fixture(params=TWINS)
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use one of the two sets of loops."""
    for name in ("pack", "buckets", "scan", "histogram", "probe"):
        monkeypatch.setattr(engine, name, getattr(request.param, name))
