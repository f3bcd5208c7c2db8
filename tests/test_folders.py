"""How a file is written: whole or not at all, for its owner alone; and what lies in the cache."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from simhash_core.folders import private_file, read_or_make, write_whole

posix = pytest.mark.skipif(sys.platform == "win32", reason="no modes")


def test_a_file_appears_whole_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with write_whole(path) as fresh:
        fresh.write_text("half", "utf-8")
        assert not path.exists()
        fresh.write_text("whole", "utf-8")

    assert path.read_text("utf-8") == "whole"
    assert [*tmp_path.iterdir()] == [path]


@posix
def test_it_is_for_its_owner_alone_unless_it_is_a_result(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        for name, private in (("a", True), ("b", False)):
            with write_whole(tmp_path / name, private=private):
                pass
    finally:
        os.umask(mask)

    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in "ab"]
    assert modes == [0o600, 0o644]


def test_an_error_of_another_file_is_said_of_that_one(tmp_path: Path) -> None:
    other = tmp_path / "other"
    with pytest.raises(FileNotFoundError) as caught, write_whole(tmp_path / "a"):
        other.read_bytes()

    assert caught.value.filename == str(other)
    assert not [*tmp_path.iterdir()]


def test_a_folder_that_is_missing_is_an_error_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "a"
    with pytest.raises(FileNotFoundError) as caught, write_whole(path):
        pass

    assert caught.value.filename == str(path)


def test_a_new_file_takes_no_place(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with private_file(path, "xb") as file:
        file.write(b"first")
    with pytest.raises(FileExistsError), private_file(path, "xb"):
        pass

    assert path.read_bytes() == b"first"


def test_what_is_in_the_cache_is_made_again_only_where_it_is_damaged(tmp_path: Path) -> None:
    place, made = tmp_path / "cache" / "a", []

    def make() -> bytes:
        made.append(1)
        return b"content"

    assert [read_or_make(place, make) for _ in range(2)] == [b"content"] * 2
    assert len(made) == 1
    whole = place.read_bytes()
    for broken in (b"", whole[:-1], whole[:-1] + b"x", b"x" + whole[1:]):
        place.write_bytes(broken)
        assert read_or_make(place, make) == b"content"
        assert place.read_bytes() == whole
    assert len(made) == 5
