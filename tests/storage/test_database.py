"""One file: versions, refusals, transactions of several processes, hostile files."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import threading
from pathlib import Path
from unittest.mock import Mock

import pytest

from simhash_core.errors import StoreError
from simhash_core.storage.database import Database, Schema, files_of, is_network
from simhash_core.storage.library import Library

TABLES = (
    "CREATE TABLE line (n INTEGER PRIMARY KEY, words TEXT) STRICT",
    "CREATE TABLE more (n INTEGER) STRICT",
)
ONE, THREE = Schema(77, 1, TABLES), Schema(77, 3, TABLES)

#: mount point, kind and options as the systems name them
LINUX = (
    ("/", "ext4", "rw,relatime"),
    ("/proc", "proc", "rw"),
    ("/srv/team files", "nfs4", "rw,vers=4.2"),
    ("/mnt/office", "cifs", "rw"),
    ("/mnt/office/local", "ext4", "rw"),
    ("/mnt/there", "fuse.sshfs", "rw"),
    ("/mnt/hidden", "nfs", "rw"),
    ("/mnt/hidden", "ext4", "rw"),
)
MAC = (
    ("/", "apfs", "ro,local,rootfs,journaled"),
    ("/Volumes/share", "smbfs", "rw,nosuid"),
    ("/Volumes/Team (1)", "nfs", "rw,async"),
    ("/Volumes/drive", "exfat", "rw,remote"),
)


def mounting(monkeypatch, table):
    parts = [Mock(mountpoint=place, fstype=kind, opts=options) for place, kind, options in table]
    monkeypatch.setattr("psutil.disk_partitions", lambda *, all: parts)


def filled(path, schema=ONE):
    database = Database.open(path, schema, create=True)
    with database.writing() as connection:
        connection.execute("INSERT INTO line (words) VALUES ('first'), ('second')")
    database.close()
    return path


def lines(path, schema):
    database = Database.open(path, schema)
    with database.reading() as connection:
        rows = connection.execute("SELECT * FROM line ORDER BY n").fetchall()
    database.close()
    return rows


@pytest.mark.parametrize(
    ("schema", "code"), [(ONE, "store_newer"), (Schema(78, 1, TABLES), "store_foreign")]
)
def test_newer_and_foreign_files_are_refused_unchanged(tmp_path, schema, code):
    path = filled(tmp_path / "a", THREE)
    before = path.read_bytes()

    with pytest.raises(StoreError, match=code):
        Database.open(path, schema)

    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("version", [2, 1, 0, -1, -3, -(2**31)])
def test_other_version_is_refused_with_its_number(tmp_path, version):
    path = saying(filled(tmp_path / "a", THREE), version)
    before = path.read_bytes()

    with pytest.raises(StoreError, match="store_version") as refused:
        Database.open(path, THREE)

    assert refused.value.params == {"name": "a", "version": version}
    assert ([item.name for item in tmp_path.iterdir()], path.read_bytes()) == (["a"], before)


def saying(path, version):
    """Let a file say that it is of another version."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version={version}")
    return path


def left_by_a_crash(path, place):
    """Copy a file in use to a place: what was written last is in the journal beside it only."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("INSERT INTO line (words) VALUES ('third')")
        connection.commit()
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{place}{ending}")
    return place


def beside(path):
    """What lies there, but for the index of the journal, which holds nothing of its own."""
    every = (item for item in path.parent.glob(f"{path.name}*") if not item.name.endswith("-shm"))
    return {item.name: item.read_bytes() for item in every}


@pytest.mark.parametrize("schema", [ONE, Schema(77, 4, TABLES), Schema(78, 3, TABLES)])
def test_refused_file_keeps_its_journal(tmp_path, schema):
    path = left_by_a_crash(filled(tmp_path / "a", THREE), tmp_path / "b")
    before = beside(path)
    with pytest.raises(StoreError):
        Database.open(path, schema)

    assert beside(path) == before
    assert len(before) == 2
    assert lines(path, THREE)[-1][1] == "third"


def cut(path, size):
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - size)
    return path


def torn(path):
    """Write over the beginning of every page but the first."""
    data = bytearray(path.read_bytes())
    for at in range(4096, len(data), 4096):
        data[at : at + 16] = b"\xa5" * 16
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("spoil", [torn, lambda path: cut(path, 1), lambda path: cut(path, 100)])
@pytest.mark.parametrize("crashed", [False, True])
def test_nothing_is_written_into_a_broken_file(tmp_path, spoil, crashed):
    path = filled(tmp_path / "a", THREE)
    if crashed:
        path = left_by_a_crash(path, tmp_path / "b")
    spoil(path)
    before = beside(path)
    with contextlib.suppress(StoreError):
        database = Database.open(path, THREE)
        for write in (lambda: database.writing().__enter__(), database.scrub):
            with pytest.raises(StoreError, match="store_damaged"):
                write()
        database.close()

    assert beside(path) == before


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04" + b"\0" * 999, "如有雷同".encode() * 99])
def test_other_files_are_refused_unchanged(tmp_path, data):
    path = tmp_path / "a"
    path.write_bytes(data)

    with pytest.raises(StoreError, match="store_foreign"):
        Database.open(path, ONE)

    assert path.read_bytes() == data


def test_missing_and_existing_files_are_named(tmp_path):
    with pytest.raises(StoreError, match="store_missing"):
        Database.open(tmp_path / "none", ONE)
    filled(tmp_path / "a")
    with pytest.raises(StoreError, match="store_exists"):
        Database.open(tmp_path / "a", ONE, create=True)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON line BEGIN DELETE FROM line; END",
        "CREATE VIEW v AS SELECT * FROM line",
        "CREATE TABLE extra (n)",
        "DROP TABLE line",
    ],
)
def test_file_with_foreign_objects_is_refused(tmp_path, statement):
    path = filled(tmp_path / "a")
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()

    with pytest.raises(StoreError, match="store_damaged"):
        Database.open(path, ONE)


def test_write_that_fails_leaves_nothing(tmp_path):
    database = Database.open(filled(tmp_path / "a"), ONE)
    with pytest.raises(ZeroDivisionError), database.writing() as connection:
        connection.execute("INSERT INTO line (words) VALUES ('third')")
        raise ZeroDivisionError
    with database.reading() as connection:
        assert connection.execute("SELECT count(*) FROM line").fetchone() == (2,)
    database.close()


def test_file_alone_is_complete_while_it_is_open(tmp_path):
    """Whoever copies the file without its journal gets everything that was stored."""
    database = Database.open(filled(tmp_path / "a"), ONE)
    with database.writing() as connection:
        connection.execute("INSERT INTO line (words) VALUES ('third')")
    copy = tmp_path / "copy"
    copy.write_bytes((tmp_path / "a").read_bytes())
    database.close()

    assert [words for _, words in lines(copy, ONE)] == ["first", "second", "third"]


@pytest.mark.parametrize(
    "name", ["a?mode=memory", "a#b", "a%2e", "雷同 '\";--", "[a]*", "-a", "a\nb"]
)
def test_names_of_files_mean_nothing_to_sqlite(tmp_path, name):
    path = filled(tmp_path / name)
    (tmp_path / "ab").touch()

    assert len(lines(path, ONE)) == 2
    assert [item.name for item in files_of(path)] == [name]


@pytest.mark.parametrize(
    ("table", "path", "shared"),
    [
        (LINUX, "/srv/team files/a.library", True),
        (LINUX, "/srv/team", False),
        (LINUX, "/mnt/office/a/b.library", True),
        (LINUX, "/mnt/office/local/b.library", False),
        (LINUX, "/mnt/there/b", True),
        (LINUX, "/mnt/thereafter/b", False),
        (LINUX, "/mnt/hidden/b", False),
        (LINUX, "/a", False),
        (MAC, "/Volumes/share/x", True),
        (MAC, "/Volumes/Team (1)/x", True),
        (MAC, "/Volumes/drive/x", True),
        (MAC, "/Volumes/else", False),
        ((), "/x", False),
    ],
)
def test_table_of_the_system_names_the_shares(table, path, shared, monkeypatch):
    mounting(monkeypatch, table)
    assert is_network(Path(path)) is shared


def test_folder_of_the_tests_is_local(tmp_path):
    assert is_network(tmp_path / "a") is False


def test_a_library_that_another_process_is_making_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "texts.library"
    connection = sqlite3.connect(path, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
    (tmp_path / "made").mkdir()
    Library.open(tmp_path / "made" / "texts.library", owner="me", create=True).close()
    maker = threading.Timer(0.2, (tmp_path / "made" / "texts.library").replace, [path])
    maker.start()
    with contextlib.closing(Library.open(path, owner="me", create=True)) as library:
        assert library.collections() == []
    maker.join()
