"""Every example that a reader can copy runs: in docstrings, in the README, in the documents."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
import shutil
from pathlib import Path

import pytest

import simhash_core

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "simhash_core"
MODULES = sorted(path for path in CORE.rglob("*.py") if ">>> " in path.read_text("utf-8"))
READABLE = [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_examples_of_docstrings(path: Path) -> None:
    outcome = doctest.testmod(importlib.import_module(module_name(path)))

    assert outcome.attempted
    assert not outcome.failed


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_examples_of_the_readme(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are run in a folder that has what they name: `essays/`."""
    essays = simhash_core.samples()["essays"]
    (tmp_path / "essays").mkdir()
    for path in essays:
        if path.name.startswith(("01-", "12-")):
            shutil.copy(path, tmp_path / "essays")
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((ROOT / name).read_text("utf-8"))

    assert blocks
    for block in blocks:
        exec(compile(block, name, "exec"), {})
    assert "12-" in capsys.readouterr().out


@pytest.mark.parametrize("path", READABLE, ids=lambda path: path.name)
def test_imports_in_the_documents_exist(path: Path) -> None:
    """Blocks that show a pattern cannot run, but what they import from the front door is there."""
    for block in BLOCK.findall(path.read_text("utf-8")):
        if "<" in block:
            continue
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and node.module == "simhash_core":
                for alias in node.names:
                    assert hasattr(simhash_core, alias.name), alias.name
