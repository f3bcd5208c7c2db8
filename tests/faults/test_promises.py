"""Every promise has a test, here or where it is named; what is named elsewhere runs from here."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from faults.promises import PROMISES, Promise
from leaves import complete

HERE = Path(__file__).parent
_KEPT_ELSEWHERE = [
    pytest.param(row, marks=pytest.mark.promise(row.number), id=str(row.number))
    for row in PROMISES
    if row.kept_by
]


@pytest.mark.quick
def test_every_promise_has_a_test() -> None:
    sources = "".join(path.read_text("utf-8") for path in HERE.glob("test_*.py"))
    kept_here = {int(number) for number in re.findall(r"mark\.promise\((\d+)\)", sources)}
    kept_elsewhere = {row.number for row in PROMISES if row.kept_by}
    numbers = [row.number for row in PROMISES]

    assert numbers == list(range(1, len(PROMISES) + 1))
    assert kept_here | kept_elsewhere == set(numbers)


@complete
@pytest.mark.quick
@pytest.mark.parametrize("name", [name for row in PROMISES for name in row.kept_by])
def test_named_test_exists(root: Path, name: str) -> None:
    file, _, function = name.partition("::")
    tree = ast.parse((root / file).read_text("utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}

    assert function in defined or (not function and defined)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("row", _KEPT_ELSEWHERE)
def test_kept_elsewhere(root: Path, row: Promise, record_property) -> None:
    command = [sys.executable, "-m", "pytest", "-m", "", "-p", "no:cacheprovider", *row.kept_by]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    said = done.stdout.strip().splitlines()[-1:]
    record_property("outcome", f"{' '.join(said)}: {', '.join(row.kept_by)}")

    assert done.returncode == 0, done.stdout[-3000:]
    if "passed" not in said[0]:
        pytest.skip(said[0])
