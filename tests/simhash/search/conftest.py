"""Every test of this folder that asks for `loops` runs on loops of C and on plain Python."""

from __future__ import annotations

import importlib

import pytest
from oracles import search

MODULES = ("index", "join", "linear", "pairing", "words")


@pytest.fixture(params=["numpy", "C"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use one of the sets of loops."""
    if request.param == "numpy":
        for name in MODULES:
            module = importlib.import_module(f"simhash_core.simhash.search.{name}")
            monkeypatch.setattr(module, "loops", search)
