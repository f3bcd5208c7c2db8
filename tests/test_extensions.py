"""A weighting and a format that another package adds under its own name."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import leitong as lt
from simhash_core import Settings, extensions
from simhash_core.checking import formats, weightings
from simhash_core.cli import main
from simhash_core.errors import BadInput, InvalidSettings

MODULE = '''
import numpy as np

def letters(features, stats, settings):
    """Weigh a word by its letters."""
    return np.array([len(features.vocabulary[token]) for token in features.token], float)

def notes(data, *, encoding=""):
    """Read a file of notes: what stands behind the mark of each line."""
    return "\\n".join(line.partition("> ")[2] for line in data.decode("utf-8").splitlines())

class Rows(list):
    """A table as the command line counts it."""

    num_rows = property(len)
    to_pylist = list.copy

    def column(self, name):
        return self

class counting:
    """An engine that only counts the lines of its table."""

    @staticmethod
    def check(source, folder, *, settings):
        rows = Rows(open(source, encoding="utf-8"))
        unsearched = Rows(["meaning"])
        tables = {"documents": rows, "pairs": Rows(), "passages": Rows()}
        return {**tables, "not_searched": unsearched}
'''
ENTRIES = """
[leitong.weightings]
letters = leitong_example:letters
broken = leitong_example:nothing

[leitong.formats]
notes = leitong_example:notes

[leitong.engines]
counting = leitong_example:counting
"""
RAIN = "It rained all night, and in the morning the river stood at the third step."


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the import path in which a package is installed."""
    site = tmp_path / "site"
    about = site / "leitong_example-1.2.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: leitong-example\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text(ENTRIES)
    (site / "leitong_example.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(site)
    _forget()
    yield site
    monkeypatch.undo()
    sys.modules.pop("leitong_example", None)
    _forget()


def _forget() -> None:
    importlib.invalidate_caches()
    extensions.extension.cache_clear()
    extensions._entries.cache_clear()


def test_names_of_a_package_are_listed_and_its_version_is_in_the_recipe(package: Path) -> None:
    assert weightings()[-2:] == ("broken", "letters")
    assert "notes" in formats()
    assert extensions.origin("weightings", "letters") == "leitong-example 1.2"

    before = Settings(weighting="letters").recipe()
    metadata = package / "leitong_example-1.2.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("1.2", "1.3"))
    _forget()
    assert Settings(weighting="letters").recipe() != before


def test_texts_are_weighed_by_what_a_package_adds(package: Path) -> None:
    texts = {"a": " ".join(f"{RAIN} {n}" for n in range(8)), "b": "We heard: " + RAIN * 8}
    ours, theirs = (
        lt.check(texts, settings=Settings(weighting=name)).core for name in ("tf", "letters")
    )

    assert ours.fingerprints.words.tolist() != theirs.fingerprints.words.tolist()
    assert ours.fingerprints.recipe != theirs.fingerprints.recipe
    assert ours.passages.a_start.tolist() == theirs.passages.a_start.tolist()


def test_the_command_line_takes_the_weighting(
    package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text(RAIN * 8, encoding="utf-8")

    assert main(["fingerprint", str(tmp_path / "a.txt"), "--set", "weighting=letters"]) == 0
    assert "a.txt" in capsys.readouterr().out


def test_a_check_runs_on_the_engine_of_a_package(
    package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts.jsonl").write_text(f'{{"text": "{RAIN}"}}\n' * 3, encoding="utf-8")
    command = ["check", str(tmp_path / "texts.jsonl"), "-o", str(tmp_path), "--lang", "en"]

    assert main([*command, "--engine", "counting"]) == 0
    said = capsys.readouterr().err
    assert "3 texts" in said
    assert "not searched: the same meaning in other words" in said
    assert main([*command, "--engine", "cuonting"]) == 2
    assert "counting" in capsys.readouterr().err


def test_names_that_nobody_adds_or_that_cannot_be_loaded_are_refused(package: Path) -> None:
    with pytest.raises(InvalidSettings, match="uniform, broken, letters"):
        Settings(weighting="leters")
    settings = Settings(weighting="broken")
    with pytest.raises(BadInput, match=r"broken of the package leitong-example 1\.2 cannot"):
        lt.check([RAIN * 8], settings=settings, language="en")


@pytest.mark.long
def test_files_are_read_by_what_a_package_adds(package: Path, tmp_path: Path) -> None:
    """In a program of its own: workers know the packages that were there when they started."""
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.notes").write_text(f"12:30> {RAIN}\n12:31> Nobody slept.\n", encoding="utf-8")
    (folder / "b.other").write_text(RAIN, encoding="utf-8")
    code = "import leitong, sys; found = leitong.check(sys.argv[1]); "
    code += "print(found.core.documents[0].text, found.skipped()[0]['code'], sep='|')"
    path = os.pathsep.join([str(package), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert done.stdout.splitlines() == [RAIN, "Nobody slept.|unsupported"]


@pytest.mark.long
def test_nothing_is_looked_for_at_the_start() -> None:
    code = (
        "import leitong; leitong.check(['one two three four five six', 'seven more words of it']); "
    )
    code += "from simhash_core import extensions; print(extensions._entries.cache_info().misses)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "0"
