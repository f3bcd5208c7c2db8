"""The page of the command line says what the parser takes."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from simhash_core.cli.parser import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs" / "command_line.py"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_of_the_command_line_is_up_to_date(language: str) -> None:
    made = runpy.run_path(str(SCRIPT))

    written = made["PAGES"][language].read_text("utf-8")
    assert written == made["page"](language), "run python docs/command_line.py"
    for command in COMMANDS:
        assert f"`leitong {command}" in written
