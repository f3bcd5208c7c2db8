"""Every test of this folder that asks for `loops` runs on numba's, on their twins and on C."""

from __future__ import annotations

import pytest

from simhash_core.machine import compiled, native
from simhash_core.simhash.search import readable
from simhash_core.simhash.search.twins import TWINS

SETS = [pytest.param(readable, "no", id="numpy")]
if compiled._numba():
    from simhash_core.simhash.search import kernels

    SETS.insert(0, pytest.param(kernels, "no", id="numba"))
if native.library() is not None:
    SETS.append(pytest.param(None, "", id="C"))


@pytest.fixture(params=[one.values for one in SETS], ids=[one.id for one in SETS])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use one of the sets of loops, whatever the size of the work."""
    kernels, use_native = request.param
    monkeypatch.setattr(TWINS, "_kernels", kernels)
    monkeypatch.setenv(compiled.NATIVE, use_native)
