"""Quotations do not count, whatever the marks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simhash_core.cli import main

FOLDERS = ("cjk", "double", "german", "latex", "multi-paragraph", "single")


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_quoted_paragraph_does_not_count(
    cases: Path, capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    where = str(cases / "27-quotes" / folder)

    assert main(["check", where, "--exclude", "quotations", "--format", "json"]) == 0
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    assert all(pair["coverage_a"] == pair["coverage_b"] == 0 for pair in pairs)
