"""The house gets no bigger: each measure has a ceiling, and a ceiling is only ever lowered.

Two were raised, when sentences came to be encoded by loops of C and the pages became three, and
when texts of alike meaning and passages that many hold came to be found so: lines of C (4,342
before) and of tests (63,479). The lines of the product, functions and classes paid for both.
"""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

MEASURES = Path(__file__).with_name("measures.py")

#: what `measures.py` may count at most
CEILINGS = {
    "product lines": 93_166,
    "product files": 412,
    "lines of leaves": 16_812,
    "functions": 5_230,
    "classes": 621,
    "lines of C": 5_395,
    "lines of binders": 332,
    "circles of imports": 0,
    "lines of tests": 63_994,
    "lines that a program wrote": 0,
    "flags of check": 24,
    "files of a check": 156,
    "moves of a check": 8_280,
    "files of a report's content": 25,
    "moves of a report's content": 640,
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
