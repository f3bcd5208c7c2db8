"""Commands that only read, by somebody whose home is not there and cannot be made."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from command_line import leitong
from leaves import MISSING
from prose import english

import leitong as door
from simhash_core import Document
from simhash_core.storage import Project, find_owner_key, is_user, owner_key
from simhash_core.storage.library import Library


@pytest.fixture(params=["nowhere", "unwritable"])
def home(request, tmp_path, monkeypatch):
    """A home below a file, or one that must not be written to."""
    place = tmp_path / "home"
    if request.param == "nowhere":
        place.touch()
    elif sys.platform == "win32" or os.geteuid() == 0:
        pytest.skip("modes of POSIX, which root does not heed")
    else:
        place.mkdir(mode=0o500)
    for name in ("DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"LEITONG_{name}", str(place / name))
    return place


def project(folder: Path) -> Path:
    made = Project.create(folder / "class.leitong")
    made.save_documents([Document.from_text(english(1, 300), name="a.txt")])
    made.close()
    return folder / "class.leitong"


def test_what_only_reads_finds_what_is_there(home, tmp_path):
    file, texts = project(tmp_path), tmp_path / "press.library"
    Library.open(texts, owner="somebody", create=True).close()
    (tmp_path / "a.txt").write_text(english(1, 300), "utf-8")

    assert "class.leitong: whole" in leitong("projects", "verify", file).stdout
    for command, said in (
        (["projects"], ""),
        (["projects", "list", "--json"], "[]"),
        (["projects", "verify"], ""),
        (["library", "list"], "Nothing here."),
        (["library", "jobs"], "Nothing here."),
        (["library", "verify"], "as it was stored"),
        (["library", "--library", texts, "list"], "Nothing here."),
        (["library", "--library", texts, "verify"], "as it was stored"),
        (["web", "log"], "Nothing has left"),
        (["web", "service"], "nothing is sent"),
        (["web", "search", tmp_path / "a.txt", "--dry-run", "--service", "http://a.example"], ""),
        (["formats"], "docx"),
    ):
        if command[0] in MISSING:
            continue
        done = leitong(*command)
        assert done.returncode == 0, (command, done.stderr)
        assert said in done.stdout
    if "web" not in MISSING:
        assert json.loads(leitong("web", "log", "--json").stdout) == []
        assert door.web_log() == []
    assert len(door.Library(texts)) == 0


def test_what_would_store_under_a_key_that_is_lost_is_refused(home, tmp_path):
    (tmp_path / "a.txt").write_text(english(1, 300), "utf-8")
    texts = tmp_path / "press.library"
    for library in ([], ["--library", texts]):
        done = leitong("library", *library, "add", "essays", tmp_path / "a.txt")
        assert done.returncode in (2, 4)
        assert str(home) in done.stderr
    assert not texts.exists()
    with pytest.raises(OSError, match="home"):
        owner_key()


def test_the_key_of_the_run_is_the_users_and_a_stored_one_is_not_replaced(
    home, tmp_path, monkeypatch
):
    key = find_owner_key()

    assert find_owner_key() == key
    assert is_user(key)
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    stored = owner_key()
    assert find_owner_key() == stored != key
    assert not is_user(key)
    if sys.platform != "win32" and os.geteuid() != 0:
        (tmp_path / "data" / "owner.key").chmod(0)
        with pytest.raises(PermissionError):
            find_owner_key()
