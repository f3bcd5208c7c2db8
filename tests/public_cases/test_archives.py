"""Names in archives, ways of packing, and lists of paths."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simhash_core.checking.sources import gather
from simhash_core.cli import main

NAMES = {
    "backslash": ["class/Anna Miller/essay.txt", "class/Ben Carter/essay.txt"],
    "big5": ["陳小明作文.txt", "林美華讀書心得.txt"],
    "cp850": ["Müller Aufsatz über Möwen.txt", "Jürgen Groß Übung.txt"],
    "european-cp437": [
        "Müller Aufsatz.txt",
        "François Lefèvre essay.txt",
        "José Núñez ensayo.txt",
        "Björn Åberg uppsats.txt",
        "Zoë Brontë essay.txt",
        "Señora Peña.txt",
    ],
    "gbk": ["陈小明作文.txt", "林美华读书心得.txt"],
    "mac-nfd": ["José Núñez essay.txt", "Zoë Brontë essay.txt"],
    "unicode-path": ["李青作业.txt", "周宁的作文终稿.txt"],
}


@pytest.mark.parametrize("archive", NAMES)
def test_names_in_an_archive(cases: Path, texts, archive: str) -> None:
    found = texts(cases / "21-zip-names" / f"{archive}.zip")

    assert list(found) == [f"{archive}.zip/{name}" for name in NAMES[archive]]


def test_a_way_of_packing_that_is_not_read_is_told(cases: Path) -> None:
    sources, refused = gather([cases / "35-zip-methods" / "deflate64.zip"])

    assert [Path(one.name).name for one in sources] == ["ben.txt"]
    assert [(Path(one.name).name, one.code) for one in refused] == [("anna.txt", "packing")]


@pytest.mark.parametrize("name", ["blank", "crlf", "bom", "utf16"])
def test_lists_of_paths(
    cases: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:

    monkeypatch.chdir(cases / "29-files-from")
    assert main(["check", "--files-from", f"{name}.txt", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (len(found["documents"]), len(found["pairs"])) == (3, 1)
