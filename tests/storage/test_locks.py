"""No call of this process takes away its own locks, so two processes can share a file.

On POSIX a process loses all its locks on a file when it closes any descriptor of it: nothing but
SQLite may open a file of SQLite.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from library_texts import texts
from sharing import lost_decisions, lost_texts

from simhash_core import Document
from simhash_core.errors import StoreError
from simhash_core.storage import Project, Shelf, Subject
from simhash_core.storage.library import Library, is_library

pytestmark = pytest.mark.skipif(
    not Path("/proc/locks").exists(), reason="the system does not list locks"
)


def locks(path: Path) -> set[str]:
    """Return which files beside and including `path` this process holds locks on."""
    names = {
        str(item.stat().st_ino): item.name
        for item in path.parent.iterdir()
        if item.name.startswith(path.name)
    }
    held = set()
    for line in Path("/proc/locks").read_text("ascii").splitlines():
        fields = line.split()
        if "->" not in fields and fields[4] == str(os.getpid()):
            held.add(names.get(fields[5].rpartition(":")[2], ""))
    return held - {""}


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "projects")


@pytest.fixture
def project(shelf: Shelf) -> Iterator[Project]:
    project = shelf.create(name="held open")
    project.save_documents([Document.from_text("some words to compare", name="a.txt")])
    yield project
    project.close()


def opened_again(project: Project) -> None:
    assert project.path is not None
    Project.open(project.path).close()


def refused(call: Callable[[Path], object], path: Path) -> None:
    with pytest.raises(StoreError, match="store_exists"):
        call(path)


PROJECT_CALLS: dict[str, Callable[[Shelf, Project, Path], object]] = {
    "open": lambda shelf, project, folder: opened_again(project),
    "list": lambda shelf, project, folder: shelf.recent(),
    "link": lambda shelf, project, folder: shelf.link(project.path),
    "open by id": lambda shelf, project, folder: shelf.open(project.id).close(),
    "duplicate": lambda shelf, project, folder: shelf.duplicate(project.id).close(),
    "take in": lambda shelf, project, folder: shelf.take_in(project.path).close(),
    "take over": lambda shelf, project, folder: shelf.take_over(project).close(),
    "copy": lambda shelf, project, folder: project.copy_to(folder / "copy.leitong"),
    "copy in memory": lambda shelf, project, folder: project.database.in_memory_copy().close(),
    "summary": lambda shelf, project, folder: project.summary(),
    "verify": lambda shelf, project, folder: project.verify(),
    "damage": lambda shelf, project, folder: project.damage,
    "texts": lambda shelf, project, folder: project.texts(),
    "history": lambda shelf, project, folder: project.history(),
    "decide": lambda shelf, project, folder: project.decide([Subject.pair("a", "b")], note="n"),
    "save": lambda shelf, project, folder: project.save_documents(
        [Document.from_text("other words to compare", name="b.txt")]
    ),
    "recognise": lambda shelf, project, folder: is_library(project.path),
    "create another": lambda shelf, project, folder: shelf.create().close(),
    "create the same": lambda shelf, project, folder: refused(Project.create, project.path),
    "sweep": lambda shelf, project, folder: shelf.sweep(after=0.0),
}


@pytest.mark.parametrize("name", PROJECT_CALLS)
def test_locks_of_a_project_outlast_every_call(name, shelf, project, tmp_path):
    held = locks(project.path)
    assert {project.path.name, f"{project.path.name}-shm"} <= held

    PROJECT_CALLS[name](shelf, project, tmp_path)

    assert locks(project.path) >= held


def library_again(path: Path) -> Library:
    return Library.open(path, owner="editor", create=True)


LIBRARY_CALLS: dict[str, Callable[[Library, Path], object]] = {
    "open": lambda library, folder: library_again(library.store.path).close(),
    "recognise": lambda library, folder: is_library(library.store.path),
    "verify": lambda library, folder: list(library.verify()),
    "back up": lambda library, folder: library.backup(folder / "backup.library"),
    "purge": lambda library, folder: library.purge([1]),
    "stats": lambda library, folder: library.stats(),
    "add": lambda library, folder: library.add("more", texts(3, seed=2)),
    "documents": lambda library, folder: list(library.every_document()),
}


@pytest.mark.parametrize("name", LIBRARY_CALLS)
def test_locks_of_a_library_outlast_every_call(name, tmp_path):
    with library_again(tmp_path / "texts.library") as library:
        library.add("essays", texts(5))
        held = locks(library.store.path)
        assert {"texts.library", "texts.library-shm"} <= held

        LIBRARY_CALLS[name](library, tmp_path)

        assert locks(library.store.path) >= held


@pytest.mark.long
@pytest.mark.parametrize("look", ["list", "open"])
@pytest.mark.parametrize("shared", [lost_decisions, lost_texts])
def test_two_processes_lose_nothing_while_one_looks_again(shared, look, tmp_path):
    acknowledged, lost, damage = shared(tmp_path, steps=40, look=look, seed=1)

    assert (lost, damage) == ([], "")
    assert acknowledged == 40
