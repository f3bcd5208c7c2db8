"""Names of files are understood where the caller stands, not where the workers were started."""

from __future__ import annotations

from pathlib import Path

import pytest

from simhash_core import gather, read
from simhash_core.people.roster import read_class_list


def test_a_caller_who_goes_to_another_folder_reads_the_files_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("here", "there"):
        (tmp_path / place / "texts").mkdir(parents=True)
        (tmp_path / place / "texts" / "a.txt").write_text(
            f"This text, which is long enough to be read, lies {place}.\n", "utf-8"
        )
        (tmp_path / place / "list.csv").write_text(f"name\nPupil {place}\n", "utf-8")
    texts: list[str] = []
    names: list[str] = []
    for place in ("here", "there"):
        monkeypatch.chdir(tmp_path / place)
        sources, _ = gather(["texts"])
        documents, _ = read(sources)
        texts += [document.text for document in documents]
        names += [member.person for member in read_class_list(Path("list.csv"), name="list.csv")]

    assert texts == [
        "This text, which is long enough to be read, lies here.\n",
        "This text, which is long enough to be read, lies there.\n",
    ]
    assert names == ["Pupil here", "Pupil there"]
