"""What cannot be written to is read: archives on read-only media, files of another user."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from library_texts import texts

from simhash_core import CheckResult, Document
from simhash_core.cli.entry import run
from simhash_core.errors import StoreError
from simhash_core.storage import Project, Subject
from simhash_core.storage.library import Library

NOBODY = 65534

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="only root can be somebody else"
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may read."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def by_somebody_else(folder: Path, call: Callable[[], object]) -> None:
    """Call something as a user who may read everything in the folder and write nothing."""
    for path in folder.iterdir():
        path.chmod(0o644)
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            call()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.fixture
def path(folder: Path, documents: list[Document], result: CheckResult) -> Path:
    """A project with a result and decisions, which nobody has open."""
    path = folder / "class.leitong"
    with closing(Project.create(path)) as project:
        project.save_documents(documents)
        project.save_settings(result.settings)
        project.save_result(result)
        project.decide([Subject.pair(documents[3].id, documents[7].id)], verdict="confirmed")
        project.decide([Subject.pair(documents[3].id, documents[8].id)], note="读过")
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refused(call: Callable[[], object], code: str) -> None:
    with pytest.raises(StoreError, match=code):
        call()


def test_project_is_read_and_says_why_nothing_is_stored(folder, path):
    with closing(Project.open(path)) as project:
        decisions = project.decisions()

    def look() -> None:
        project = Project.open(path)
        assert project.database.read_only
        assert project.decisions() == decisions
        assert project.verify() == []
        assert project.result() is not None
        refused(lambda: project.decide([Subject.pair("a", "b")], note="n"), "store_read_only")
        refused(lambda: project.put("view", {}), "store_read_only")
        assert Project(project.database.in_memory_copy()).decisions() == decisions
        project.close()

    before = path.read_bytes()
    by_somebody_else(folder, look)
    assert (path.read_bytes(), names(folder)) == (before, [path.name])
    assert not Project.open(path).database.read_only


def test_report_is_made_of_a_file_that_can_only_be_read(folder, path):

    def report() -> None:
        with tempfile.TemporaryDirectory() as out, pytest.MonkeyPatch.context() as patch:
            patch.setenv("LEITONG_DATA", out)
            assert run(["report", str(path), "--format", "json", "-o", f"{out}/r.json"]) == 0
            assert Path(out, "r.json").stat().st_size > 1000
            assert run(["projects", "verify", str(path)]) == 0
            patch.setenv("LEITONG_DATA", "/nonexistent/data")  # and no home
            assert run(["projects", "verify", str(path)]) == 0

    report()  # loads what somebody else may not be able to
    by_somebody_else(folder, report)
    assert names(folder) == [path.name]


def test_file_with_a_journal_that_cannot_be_read_is_refused_with_the_reason(folder, path):
    """After a crash the latest decisions are in the journal alone: an older state is no answer."""
    path.with_name(f"{path.name}-wal").write_bytes(b"x" * 5000)

    by_somebody_else(folder, lambda: refused(lambda: Project.open(path), "store_journal"))


def test_file_that_its_owner_has_open_is_refused_or_read_whole(folder, path):
    owner = Project.open(path)
    owner.decide([Subject.pair("a", "b")], verdict="confirmed")

    def look() -> None:
        try:
            project = Project.open(path)
        except StoreError as error:
            assert error.code == "store_journal"
            return
        assert project.decisions() == owner.decisions()

    by_somebody_else(folder, look)
    owner.decide([Subject.pair("a", "c")], verdict="confirmed")
    assert owner.verify() == []
    owner.close()


def test_library_is_read(folder):
    path = folder / "texts.library"
    with Library.open(path, owner="editor", create=True) as library:
        library.add("essays", texts(5))

    def look() -> None:
        with Library.open(path, owner="editor") as library:
            assert len(library.rows()) == 5
            assert list(library.verify()) == []
            refused(lambda: library.remove([1]), "store_read_only")

    by_somebody_else(folder, look)
    assert names(folder) == [path.name]
