"""Every test of this folder that asks for `loops` runs on loops of C and on their twins."""

from __future__ import annotations

import pytest

from simhash_core.machine import native

SETS = {"numpy": "readable"} | ({"C": ""} if native.library() is not None else {})


@pytest.fixture(params=SETS.values(), ids=SETS.keys())
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use one of the sets of loops."""
    monkeypatch.setenv(native.TWIN, request.param)
