"""A backup holds what is stored, while it is in use, and comes back as it was."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from simhash_core import Document
from simhash_core.errors import BadInput
from simhash_core.storage import Shelf, new_owner, owner_folder
from simhash_core.storage.shelf import back_up, restore


@pytest.fixture
def moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Where data lies: `moved("name")`."""

    def to(name: str) -> Path:
        monkeypatch.setenv("LEITONG_DATA", str(tmp_path / name))
        return tmp_path / name

    return to


def test_what_is_stored_comes_back(moved, tmp_path: Path) -> None:
    moved("one")
    owner = new_owner()
    project = Shelf(owner_folder(owner)).create(name="高一（3）班")
    project.save_documents([Document.from_text("text of one", name="a.txt")])  # and it stays open
    (tmp_path / "one" / "people").mkdir()
    (tmp_path / "one" / "people" / "1.json").write_text("{}")
    count, size = back_up(tmp_path / "kept.leitong-backup")
    assert count >= 2
    assert size > 0

    there = moved("two")
    assert restore(tmp_path / "kept.leitong-backup") == (count, size)

    (summary,) = Shelf(owner_folder(owner)).recent()
    assert summary.name == "高一（3）班"
    again = Shelf(owner_folder(owner)).open(project.id)
    assert [one.text for one in again.texts().documents] == ["text of one"]
    assert (there / "people" / "1.json").read_text() == "{}"


def test_nothing_is_written_over(moved, tmp_path: Path) -> None:
    folder = moved("one")
    folder.mkdir()
    (folder / "owner.key").write_text("x")
    back_up(tmp_path / "kept")

    with pytest.raises(BadInput, match="backup_exists"):
        back_up(tmp_path / "kept")
    with pytest.raises(BadInput, match="backup_full"):
        restore(tmp_path / "kept")


@pytest.mark.parametrize("kind", ["text", "tar", "cut"])
def test_other_files_are_refused(moved, tmp_path: Path, kind: str) -> None:
    source = tmp_path / "foreign"
    if kind == "text":
        source.write_text("no archive")
    elif kind == "tar":
        with tarfile.open(source, "w:gz") as archive:
            archive.add(__file__, "leitong-backup")
    else:
        folder = moved("one")
        folder.mkdir()
        (folder / "owner.key").write_bytes(bytes(range(256)) * 300)
        back_up(tmp_path / "whole")
        source.write_bytes((tmp_path / "whole").read_bytes()[:200])
    moved("two")

    with pytest.raises(BadInput, match="backup_foreign"):
        restore(source)
