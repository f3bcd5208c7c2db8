"""Files that another program has locked, and file systems on which locking fails."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from simhash_core.errors import StoreError
from simhash_core.storage import Project, Subject, database

pytestmark = pytest.mark.timeout(600)
#: what a program sees of a file system without locks: NFS without its lock service answers so
_REFUSE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>

static int refused(int command) {
    return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK;
}

#define WITHOUT_LOCKS(name)                                             \
    int name(int file, int command, ...) {                              \
        va_list given;                                                  \
        va_start(given, command);                                       \
        void *argument = va_arg(given, void *);                         \
        va_end(given);                                                  \
        if (refused(command)) { errno = REFUSAL; return -1; }            \
        int (*real)(int, int, ...) = dlsym(RTLD_NEXT, #name);           \
        return real(file, command, argument);                           \
    }
WITHOUT_LOCKS(fcntl)
WITHOUT_LOCKS(fcntl64)
int flock(int file, int command) { errno = REFUSAL; return -1; }
"""
_PROJECT = """
import sys
from pathlib import Path
from simhash_core.errors import StoreError
from simhash_core.storage import Project, Subject
try:
    project = Project.open(Path(sys.argv[1]))
    project.decide([Subject.pair("a", "b")], verdict="confirmed", reviewer="Wu")
    print("decided")
except StoreError as error:
    print(error.code)
"""
_ON_A_SHARE = """
import sys
from pathlib import Path
from simhash_core.storage import Project, Subject, database
database.is_network = lambda path: True
project = Project.open(Path(sys.argv[1]))
for number in range(50):
    project.decide([Subject.pair("a", sys.argv[2] + str(number))], verdict="confirmed")
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "class.leitong"
    with closing(Project.create(made)) as project:
        project.decide([Subject.pair("a", "before")], verdict="confirmed", reviewer="Wu")
    return made


def without_locks(folder: Path, refusal: str) -> dict[str, str]:
    """Return the environment of a process for which every lock is refused with an error."""
    compiler = shutil.which("cc")
    if sys.platform != "linux" or compiler is None:
        pytest.skip("needs Linux and a C compiler")
    source, library = folder / "refuse.c", folder / "refuse.so"
    source.write_text(_REFUSE)
    command = [compiler, "-shared", "-fPIC", f"-DREFUSAL={refusal}", "-o", library, source, "-ldl"]
    subprocess.run(command, check=True)
    return {**os.environ, "LD_PRELOAD": str(library)}


@pytest.mark.promise(34)
def test_file_that_another_program_holds_is_busy(
    path: Path, monkeypatch: pytest.MonkeyPatch, record_property
) -> None:
    monkeypatch.setattr(database, "WAIT_SECONDS", 0.5)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    began = time.monotonic()
    with pytest.raises(StoreError) as refused:
        Project.open(path)
    waited = time.monotonic() - began
    other.execute("ROLLBACK")
    other.close()

    assert refused.value.code == "store_busy"
    with closing(Project.open(path)) as project:
        assert project.verify() == []
        assert len(project.decisions()) == 1
    record_property("outcome", f"another program's lock: store_busy after {waited:.1f} s")


@pytest.mark.promise(34)
@pytest.mark.parametrize(
    ("refusal", "code"), [("EOPNOTSUPP", "store_no_locks"), ("ENOLCK", "store_busy")]
)
def test_file_system_without_locks_is_named(
    path: Path, tmp_path: Path, refusal: str, code: str, record_property
) -> None:
    before = path.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", _PROJECT, str(path)],
        env=without_locks(tmp_path, refusal),
        capture_output=True,
        text=True,
    )

    assert done.stdout.strip() == code, done.stderr
    assert path.read_bytes() == before
    record_property("outcome", f"{refusal} for every lock: {code}, bytes unchanged")


@pytest.mark.promise(34)
def test_check_and_its_workers_need_no_locks(tmp_path: Path, root: Path) -> None:
    names = ("07-priya-nair.txt", "13-jack-lin.txt")
    essays = [str(root / "sample_docs" / "essays" / name) for name in names]
    done = subprocess.run(
        [sys.executable, "-m", "simhash_core", "check", *essays, "--format", "csv"],
        cwd=root,
        env={**without_locks(tmp_path, "ENOLCK"), "LEITONG_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr


@pytest.mark.promise(35)
def test_two_processes_on_a_share_lose_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, record_property
) -> None:
    """Without shared memory, as files on a share are opened; on a disk of this machine."""
    both = [subprocess.Popen([sys.executable, "-c", _ON_A_SHARE, str(path), who]) for who in "xy"]
    assert [process.wait() for process in both] == [0, 0]
    monkeypatch.setattr(database, "is_network", lambda path: True)
    with closing(Project.open(path)) as project:
        decided = {max(subject.a, subject.b) for subject in project.decisions()}
        assert project.verify() == []

    assert decided == {"before", *(f"{who}{number}" for who in "xy" for number in range(50))}
    assert [item.name for item in path.parent.glob("*-wal")] == []
    record_property("outcome", "100 of 100 decisions of two processes; NFS and CIFS not mounted")
