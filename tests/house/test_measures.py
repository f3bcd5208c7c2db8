"""The house gets no bigger: each measure has a ceiling, and a ceiling is only ever lowered."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

MEASURES = Path(__file__).with_name("measures.py")

#: what `measures.py` may count at most
CEILINGS = {
    "product lines": 106_626,
    "product files": 469,
    "lines of leaves": 18_638,
    "functions": 6_398,
    "classes": 652,
    "lines of C": 4_645,
    "lines of binders": 1_091,
    "circles of imports": 7,
    "lines of tests": 64_300,
    "lines that a program wrote": 14_567,
    "flags of check": 48,
    "files of a check": 165,
    "moves of a check": 15_070,
    "files of a report's content": 49,
    "moves of a report's content": 2_520,
}


@pytest.mark.long
def test_no_measure_is_above_its_ceiling() -> None:
    counted = subprocess.run(
        [sys.executable, str(MEASURES)], capture_output=True, text=True, check=True
    ).stdout
    measured = dict(line.strip("| ").rsplit(" | ", 1) for line in counted.splitlines())

    assert list(measured) == list(CEILINGS)
    assert {
        name: value
        for name, value in measured.items()
        if int(value.replace(",", "")) > CEILINGS[name]
    } == {}


def test_a_circle_of_imports_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from . import b\n", "utf-8")
    (tmp_path / "b.py").write_text("def late():\n    from .c import name\n", "utf-8")
    (tmp_path / "c.py").write_text("from .a import other\n", "utf-8")
    (tmp_path / "d.py").write_text("from .a import other\n", "utf-8")
    find_circles = runpy.run_path(str(MEASURES))["find_circles"]

    assert find_circles(tmp_path, ("a.py", "b.py", "c.py", "d.py")) == [["a", "b", "c"]]
