"""Projects in a folder: owners, lists, copies, and deleting that leaves nothing."""

from __future__ import annotations

import errno
import io
import os
import sys
import tarfile
import time
from pathlib import Path

import pytest

from simhash_core import Document
from simhash_core.errors import BadInput, StoreError, name_file
from simhash_core.folders import private_file
from simhash_core.storage import Project, Shelf, new_owner, owner_folder, owner_key, shelves
from simhash_core.storage.shelf import UNDO_SECONDS, back_up, restore


@pytest.fixture
def shelf(tmp_path):
    return Shelf(tmp_path / "projects")


def put(shelf, name, text="some words"):
    project = shelf.create(name=name)
    project.save_documents([Document.from_text(text, name="a")])
    project.close()
    return project


def names(shelf):
    return [summary.name for summary in shelf.recent()]


def test_an_empty_folder_lists_nothing_and_another_the_latest_change_first(shelf) -> None:
    assert shelf.recent() == []
    assert not shelf.folder.exists()
    first, second = shelf.create(name="first"), shelf.create(name="second")
    first.put("name", "first again")
    second.close()
    assert names(shelf) == ["first again", "second"]


def test_ids_open_what_they_name_and_nothing_else(shelf, tmp_path):
    project = shelf.create(name="one")
    outside = Project.create(tmp_path / "outside-the-folder-000.leitong")

    assert shelf.open(shelf.recent()[0].id).name == "one"
    for key in ("", "../outside-the-folder-000", outside.id, "x" * 22, f"{project.id}/..", "a\0b"):
        with pytest.raises(StoreError, match="store_missing"):
            shelf.open(key)


def test_deleted_project_can_come_back(shelf):
    put(shelf, "one")
    (key,) = [summary.id for summary in shelf.recent()]
    shelf.delete(key)

    assert names(shelf) == []
    assert shelf.deleted() == [key]
    with pytest.raises(StoreError, match="store_missing"):
        shelf.open(key)
    shelf.undelete(key)
    assert names(shelf) == ["one"]


def test_deleted_project_is_gone_with_everything_beside_it(shelf):
    project = shelf.create(name="one")  # open: with a journal
    project.save_documents([Document.from_text("some words", name="a")])
    path = project.path
    assert path is not None
    shelf.delete(shelf.recent()[0].id)
    project.close()
    path.with_name(path.name + "-wal").write_bytes(b"left by a crash")
    shelf.sweep(after=0.0)

    assert list(shelf.folder.iterdir()) == []


def test_start_of_a_server_removes_what_was_deleted_before(tmp_path, monkeypatch):
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path))
    shelf = Shelf(owner_folder(new_owner()))
    put(shelf, "one")
    (mark,) = [shelf.folder / f"{summary.id}.deleted" for summary in shelf.recent()]
    shelf.delete(mark.stem)
    os.utime(mark, (0, 0))
    for each in shelves():
        each.sweep()

    assert list(shelf.folder.iterdir()) == []


def test_clock_set_back_after_a_deletion_starts_the_time_to_undo_again(shelf):
    put(shelf, "one")
    key = shelf.recent()[0].id
    shelf.delete(key)
    mark = shelf.folder / f"{key}.deleted"
    tomorrow = time.time() + 24 * 3600
    os.utime(mark, (tomorrow, tomorrow))  # deleted before the clock went back by a day
    shelf.sweep()
    assert shelf.deleted() == [key]
    assert mark.stat().st_mtime <= time.time()
    half_a_minute_ago = time.time() - UNDO_SECONDS
    os.utime(mark, (half_a_minute_ago, half_a_minute_ago))
    shelf.sweep()

    assert list(shelf.folder.iterdir()) == []


def test_damaged_file_is_listed_with_its_reason_and_can_be_deleted(shelf):
    put(shelf, "one")
    put(shelf, "two")
    broken = shelf.recent()[0]
    broken.path.write_bytes(b"\0" * 500)
    faults = {summary.id: summary.fault for summary in shelf.recent()}

    assert sorted(faults.values()) == ["", "store_foreign"]
    shelf.delete(broken.id)
    shelf.sweep(after=0.0)
    assert names(shelf) == ["one"]


def test_duplicate_is_independent(shelf):
    put(shelf, "one")
    key = shelf.recent()[0].id
    copy = shelf.duplicate(key, name="copy")
    copy.put("name", "changed")

    assert sorted(names(shelf)) == ["changed", "one"]
    assert copy.texts().documents[0].text == "some words"
    assert {summary.id for summary in shelf.recent()} == {key, copy.id}


def test_file_of_a_colleague_is_taken_in_whole_or_not_at_all(shelf, tmp_path):
    project = Project.create(tmp_path / "from a colleague.leitong", name="handed over")
    project.save_documents([Document.from_text("some words", name="a")])
    project.close()
    taken = shelf.take_in(tmp_path / "from a colleague.leitong")
    assert taken.texts().documents[0].text == "some words"
    assert taken.id != project_id(tmp_path / "from a colleague.leitong")
    data = bytearray((tmp_path / "from a colleague.leitong").read_bytes())
    at = data.index(b"some words") if b"some words" in data else len(data) - 300
    data[at] ^= 1
    (tmp_path / "bad.leitong").write_bytes(data)

    with pytest.raises(StoreError):
        shelf.take_in(tmp_path / "bad.leitong")
    assert names(shelf) == ["handed over"]


def test_linked_file_is_opened_in_place_and_stays_when_it_is_deleted(shelf, tmp_path):
    path = tmp_path / "shared by two.leitong"
    Project.create(path, name="shared").close()
    key = shelf.link(path)
    assert shelf.link(path) == key
    project = shelf.open(key)
    project.put("name", "by the other reviewer")
    project.close()
    assert [(summary.id, summary.name) for summary in shelf.recent()] == [
        (key, "by the other reviewer")
    ]
    shelf.delete(key)
    shelf.sweep(after=0.0)

    assert shelf.recent() == []
    assert list(shelf.folder.iterdir()) == []
    assert Project.open(path).name == "by the other reviewer"


def test_link_to_nothing_is_listed_as_missing(shelf, tmp_path):
    path = tmp_path / "gone.leitong"
    Project.create(path).close()
    key = shelf.link(path)
    path.unlink()

    assert [summary.fault for summary in shelf.recent()] == ["store_missing"]
    shelf.remove(key)
    assert shelf.recent() == []


def project_id(path):
    project = Project.open(path)
    try:
        return project.id
    finally:
        project.close()


def test_owner_is_the_same_for_the_user_and_another_for_every_browser(tmp_path, monkeypatch):
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path))
    key = owner_key()

    assert owner_key() == key
    assert owner_folder(key) != owner_folder(new_owner())
    assert key not in str(owner_folder(key))
    (tmp_path / "owner.key").write_text("")
    assert len(owner_key()) >= 32


@pytest.mark.parametrize("key", ["", "short", "../../etc", "x" * 40 + "/..", "é" * 40])
def test_made_up_owners_have_no_folder(key):
    with pytest.raises(ValueError, match="owner"):
        owner_folder(key)


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are another thing there")
def test_nobody_else_can_read_the_files(tmp_path, monkeypatch):
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    old = os.umask(0)
    try:
        shelf = Shelf(owner_folder(owner_key()))
        put(shelf, "one")
        copy = shelf.duplicate(shelf.recent()[0].id)
        shelf.link(put(Shelf(tmp_path / "elsewhere"), "two").path)
        shelf.delete(shelf.recent()[0].id)
    finally:
        os.umask(old)

    made = list((tmp_path / "data").rglob("*"))
    assert {path.suffix for path in made} >= {"", ".leitong", ".link", ".deleted", ".key"}
    for path in (tmp_path / "data", *made):
        assert path.stat().st_mode & 0o077 == 0, path
    copy.close()


# --------------------------------------------------------------------------- backups
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


@pytest.mark.parametrize("kind", ["text", "tar", "cut", "changed"])
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
        (folder / "owner.key").write_bytes(os.urandom(50_000))
        back_up(tmp_path / "whole")
        data = bytearray((tmp_path / "whole").read_bytes())
        data[-8] ^= 1  # its check sum
        source.write_bytes(data[:200] if kind == "cut" else data)
    there = moved("two")

    with pytest.raises(BadInput, match="backup_foreign"):
        restore(source)
    assert not there.exists() or list(there.iterdir()) == []


def archive_of(path: Path, *members: tuple[str, bytes]) -> Path:
    """A backup with any members behind the first."""
    with tarfile.open(path, "w:gz") as archive:
        for name, data in (("leitong-backup", b"1"), *members):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o4777
            archive.addfile(member, io.BytesIO(data))
    return path


@pytest.mark.parametrize("name", ["../../slip", "/../slip", "a/../../slip", "owner.key/below"])
def test_refused_backup_leaves_nothing(moved, tmp_path: Path, name: str) -> None:
    folder = moved("two")
    source = archive_of(tmp_path / "kept", ("owner.key", b"x"), (name, b"x"))
    with pytest.raises((BadInput, OSError)):
        restore(source)

    assert list(folder.iterdir()) == []
    assert not list(tmp_path.rglob("slip"))
    assert restore(archive_of(tmp_path / "good", ("owner.key", b"x"))) == (1, 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_what_a_full_disk_refuses_is_named(tmp_path: Path) -> None:
    full = tmp_path / "kept"
    full.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space") as refused, private_file(full) as file:
        file.write(b"x" * 100_000)

    assert refused.value.filename == str(full)


def test_errors_keep_the_name_that_they_have_and_get_one_where_they_have_none() -> None:
    for raised, name in (
        (OSError(errno.ENOSPC, "No space left on device"), "kept"),
        (OSError(errno.ENOSPC, "No space left on device", ""), "kept"),
        (OSError("4096 requested and 0 written"), "kept"),
        (FileNotFoundError(errno.ENOENT, "No such file", "other"), "other"),
    ):
        with pytest.raises(OSError) as named, name_file(Path("kept")):
            raise raised
        assert (named.value.filename, bool(named.value.strerror)) == (name, True)
        assert isinstance(named.value, type(raised))
