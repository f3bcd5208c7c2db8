"""`check --against LIBRARY[:collection]`: what is searched, what is said, what has changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import leitong
from prose import english

from simhash_core import Document
from simhash_core.storage import owner_key
from simhash_core.storage.library import Library, prepare


def text(seed: int, words: int = 300) -> Document:
    return Document.from_text(english(seed, words), name=f"{seed}.txt")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Two collections of twelve texts."""
    path = tmp_path / "archive.library"
    with Library.open(path, owner=owner_key(), create=True) as opened:
        opened.add("2024", [prepare(text(seed)) for seed in range(12)])
        opened.add("2025", [prepare(text(seed)) for seed in range(12, 24)])
    return path


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """Two texts that share a passage; one has another passage of text 3, one of text 15."""
    folder = tmp_path / "new"
    folder.mkdir()
    for name, seed, old in (("a", 100, 3), ("b", 101, 15)):
        copied = " ".join(text(old).text.split()[50:150])
        shared = " ".join(text(200).text.split()[:100])
        (folder / f"{name}.txt").write_text(
            f"{english(seed, 150)} {copied} {english(seed + 50, 150)} {shared}", "utf-8"
        )
    return folder


def pairs(done) -> set[tuple[str, str]]:
    assert done.returncode == 0, done.stderr
    return {(pair["a"], pair["b"]) for pair in json.loads(done.stdout)["pairs"]}


def test_library_is_searched_whole_or_by_collection_or_refused(library, new, tmp_path):
    whole = leitong("check", new, "--against", library, "--format", "json")
    assert pairs(whole) == {("a.txt", "3.txt"), ("b.txt", "15.txt"), ("a.txt", "b.txt")}
    held = {one["name"]: one.get("collection") for one in json.loads(whole.stdout)["documents"]}
    assert held == {"a.txt": None, "b.txt": None, "3.txt": "2024", "15.txt": "2025"}
    last = ("--against", f"{library}:2025", "--only-against", "--format", "json")
    assert pairs(leitong("check", new, *last)) == {("b.txt", "15.txt")}
    # what cannot be searched is said
    (tmp_path / "other.txt").write_text(english(7, 99), "utf-8")
    for arguments, said in (
        (("--against", f"{library}:2020"), "no collection called 2020"),
        (("--against", library, "--against", tmp_path / "other.txt"), "beside a library"),
        (("--only-against",), "--only-against needs"),
    ):
        done = leitong("check", new, *arguments)
        assert done.returncode == 2
        assert said in done.stderr


def test_second_check_says_what_changed(library, new, tmp_path):
    stored = ("--against", library, "--project", tmp_path / "class.leitong", "--format", "json")
    first = leitong("check", new, *stored)
    assert "changes" not in json.loads(first.stdout)
    with Library.open(library, owner=owner_key()) as opened:
        opened.remove([row.key for row in opened.rows(words="15.txt")])
        opened.add("2026", [prepare(text(200))])
    again = leitong("check", new, *stored)

    data = json.loads(again.stdout)["changes"]
    assert {(one["a"], one["b"]) for one in data["new"]} == {
        ("a.txt", "200.txt"),
        ("b.txt", "200.txt"),
    }
    assert [(one["a"], one["b"]) for one in data["gone"]] == [("b.txt", "15.txt")]
    assert "2 new pairs, 1 no longer listed" in again.stderr
    assert "+ a.txt  2026: 200.txt" in again.stderr
