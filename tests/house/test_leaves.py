"""A leaf can be cut off: the product and its tests do without its folder."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simhash_core.extensions import LEAVES

pytestmark = pytest.mark.slow  # and so `apart`
ROOT = Path(__file__).resolve().parents[2]
#: the default tests, without those of this room
TESTS = ("-n", "2", "tests", "--ignore", "tests/e2e", "--ignore", "tests/house")


@pytest.fixture(scope="module", params=LEAVES)
def leaf(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def tree(leaf: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of what is committed without one leaf, its tests included."""
    copy = tmp_path_factory.mktemp("tree")
    subprocess.run(["git", "clone", "--quiet", ROOT, copy], check=True)
    run(copy, "simhash_core/machine/building.py")
    shutil.rmtree(copy / "simhash_core" / leaf)
    shutil.rmtree(copy / "tests" / leaf)
    return copy


def names_of(leaf: str, family: str) -> set[str]:
    """Return what a leaf adds to a family."""
    return set(importlib.import_module(f"simhash_core.{leaf}").OFFERS.get(family, {}))


def run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": str(tree), "LEITONG_LANG": "en"}
    return subprocess.run(
        [sys.executable, *words],
        cwd=tree,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_commands_of_a_missing_leaf_are_unknown_and_the_others_work(leaf: str, tree: Path) -> None:
    essays = sorted((tree / "sample_docs" / "essays").glob("*.txt"))[:2]
    for words in (("check", "--quiet"), ("compare",)):
        done = run(tree, "-m", "simhash_core", *words, *map(str, essays))
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
    for name in names_of(leaf, "commands"):
        assert run(tree, "-m", "simhash_core", name).returncode == 2


def test_pages_of_a_missing_leaf_are_not_listed(leaf: str, tree: Path) -> None:
    code = (
        "from streamlit.testing.v1 import AppTest\n"
        "from pages._ui.shared.navigation import SECTIONS\n"
        "app = AppTest.from_file('app.py', default_timeout=60).run()\n"
        "assert not app.exception, app.exception\n"
        "print(*(name for pages in SECTIONS.values() for name, _ in pages))\n"
    )
    done = run(tree, "-c", code)

    assert done.returncode == 0, done.stderr
    listed = set(done.stdout.split())
    assert "check" in listed and not listed & names_of(leaf, "pages")


@pytest.mark.timeout(1800)
def test_default_tests_pass_without_a_leaf(tree: Path) -> None:
    done = run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS)

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
