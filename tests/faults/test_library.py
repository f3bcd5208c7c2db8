"""A library under faults: killed imports, many processes, a full disk."""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from library_texts import texts
from postgres_server import server, without_library

from simhash_core.library import resume
from simhash_core.storage.library import Fault, Library

KILLS = 50
_TESTS = str(Path(__file__).parents[1])
_IMPORT = """
import sys
sys.path.insert(0, sys.argv[2])
from library_texts import texts
from simhash_core.library import import_documents, preparing
from simhash_core.storage.library import Library
preparing._CHUNK_TEXTS = 20  # many transactions
library = Library.open(sys.argv[1], owner="editor", create=True)
documents = [text.document for text in texts(int(sys.argv[3]), words=120)]
import_documents(library, "essays", documents,
                 progress=lambda stage, done, total: print(done, flush=True))
print("finished", flush=True)
"""
_ADD = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from library_texts import texts
from simhash_core.storage.library import Library
library = Library.open(sys.argv[1], owner="editor", create=True)
library.add("essays", texts(30))
job = library.jobs.start("essays", ["item"] * 30)
library.backup(library.store.path.with_suffix(".backup"))
print("first", flush=True)
left = int(sys.argv[3])
def statement(text):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
library.store._connection.set_trace_callback(statement)
library.add("essays", texts(30, seed=1), job=job, items=range(1, 31))
print("second", flush=True)
library.remove([3, 4])
print("removed", flush=True)
library.purge()
print("purged", flush=True)
library.store._connection.set_trace_callback(None)
"""
_WRITE = """
import sys
sys.path.insert(0, sys.argv[2])
from library_texts import texts
from simhash_core.storage.library import Library
seed = int(sys.argv[3])
with Library.open(sys.argv[1], owner="editor") as library:
    for part in range(25):
        library.add(f"collection {seed % 2}", texts(20, seed=1000 * seed + part, words=40))
"""
_READ = """
import sys
from simhash_core.storage.library import Library, ROW_KEY
with Library.open(sys.argv[1], owner="editor") as library:
    last, reads = 0, 0
    while len(library.keys()) < int(sys.argv[3]):
        rows = library.rows(after=last, limit=50)
        documents = library.documents(row.key for row in rows)
        assert [document.id for document in documents] == [row.id for row in rows]
        keys, words = library.fingerprints(after=last)
        assert len(keys) >= len(rows) and words.shape[1] in (0, 2)
        assert sorted(keys) == list(keys)
        last, reads = rows[-1].key if rows else last, reads + 1
    print(reads)
"""


def started(program: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.promise(1)
@pytest.mark.timeout(1800)
def test_killed_import_loses_nothing_that_was_acknowledged(tmp_path, record_property):
    dice, count, library_number = random.Random(4), 2000, 0
    wanted = [text.document.id for text in texts(count, words=120)]
    acknowledged, finished, stored = 0, 0, 0
    path = tmp_path / "0.library"
    for kill in range(KILLS):
        process = started(_IMPORT, path, _TESTS, count)
        assert process.stdout is not None
        lines = [process.stdout.readline().strip()]
        threading.Timer(dice.random() * 1.5, process.kill).start()  # the random point
        lines += [line.strip() for line in process.stdout]
        process.wait()
        done = [int(line) for line in lines if line.isdigit()]
        with Library.open(path, owner="editor") as library:
            ids = [row.id for row in library.rows()]
            assert ids == wanted[: len(ids)], f"kill {kill}: torn or doubled"
            assert len(ids) >= max(done, default=0), f"kill {kill}: lost"
            assert list(library.verify()) == [], f"kill {kill}"
        acknowledged, stored = acknowledged + max(done, default=0), stored + len(ids)
        if "finished" in lines or len(ids) == count:
            finished, library_number = finished + 1, library_number + 1
            path = tmp_path / f"{library_number}.library"

    process = started(_IMPORT, path, _TESTS, count)
    assert "finished" in process.communicate()[0]
    with Library.open(path, owner="editor") as library:
        assert [row.id for row in library.rows()] == wanted
    tally = f"{acknowledged} texts acknowledged, {stored} stored, {finished} imports whole"
    record_property("outcome", f"{KILLS} kills, {tally}")


@pytest.mark.promise(1)
@pytest.mark.timeout(1800)
def test_kill_at_every_statement(tmp_path, record_property):
    """Adding, removing and purging, stopped before each statement that the database runs."""
    first = [text.document.id for text in texts(30)]
    second = [text.document.id for text in texts(30, seed=1)]
    point, ends = 0, Counter()
    while True:
        point += 1
        path = tmp_path / f"{point}.library"
        output, errors = started(_ADD, path, _TESTS, point).communicate()
        lines = output.split()
        assert lines[:1] == ["first"], errors
        with Library.open(path, owner="editor") as library:
            ids = [row.id for row in library.rows()]
            left = [text_id for text_id in first if text_id not in (first[2], first[3])]
            whole = {"first": first, "second": first + second, "gone": left + second}
            assert ids in whole.values(), f"point {point}: torn"
            assert ids != first or "second" not in lines, f"point {point}: lost"
            assert ids == whole["gone"] or "removed" not in lines, f"point {point}: lost"
            states = Counter(item.state for item in library.jobs.items(1))
            assert states == ({"waiting": 30} if ids == first else {"added": 30})
            assert list(library.verify()) == [], f"point {point}"
            library.purge()
            with Library.open(path.with_suffix(".backup"), owner="editor") as backup:
                assert [row.id for row in backup.rows()] == [i for i in first if i in ids], point
            again = library.add("essays", texts(30) + texts(30, seed=1))
            assert len(library.rows()) == 60 and sum(one.is_new for one in again) == 60 - len(ids)
        ends[lines[-1]] += 1
        path.unlink()
        path.with_suffix(".backup").unlink()
        if "purged" in lines:
            break
    record_property("outcome", f"{point - 1} points, stopped after: {dict(ends)}")


@pytest.fixture(params=["sqlite", "postgres"])
def address(request, tmp_path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "texts.library")
    else:
        with server() as there:
            yield without_library(there)


@pytest.mark.promise(7)
@pytest.mark.timeout(900)
def test_four_writers_and_two_readers(address, record_property):
    with Library.open(address, owner="editor", create=True):
        pass
    total = 4 * 25 * 20
    readers = [started(_READ, address, _TESTS, total) for _ in range(2)]
    writers = [started(_WRITE, address, _TESTS, seed) for seed in range(4)]
    outcomes = [process.communicate() for process in (*writers, *readers)]

    assert [process.returncode for process in (*writers, *readers)] == [0] * 6, outcomes
    with Library.open(address, owner="editor") as library:
        assert len(library.rows()) == total
        assert [row.texts for row in library.collections()] == [total // 2] * 2
        assert list(library.verify()) == []
    record_property(
        "outcome", f"{total} texts, reads: {[output.strip() for output, _ in outcomes[4:]]}"
    )


@pytest.mark.promise(3)
@pytest.mark.timeout(900)
def test_full_disk_is_said_and_the_job_goes_on(tmp_path, record_property):
    folder, disk = tmp_path / "essays", tmp_path / "disk"
    folder.mkdir(), disk.mkdir()
    given = texts(1500, words=400)
    for text in given:
        (folder / text.document.name).write_text(text.document.text)
    mounted = _mounted(disk)
    path, program = disk / "texts.library", _FULL if mounted else _LIMIT + _FULL
    try:
        output, errors = started(program, path, _TESTS, folder).communicate()
        assert output.split() == ["store_full"], errors
        with Library.open(path, owner="editor") as library:
            stored = len(library.rows())
            assert 0 < stored < 1500 and list(library.verify()) == []
            assert all(not isinstance(one, Fault) for one in library.every_document())
            job = library.jobs.listed()[0]
            assert (job.state, job.waiting) == ("running", 1500 - stored)
            if mounted:
                subprocess.run(["mount", "-o", "remount,size=200m", disk], check=True)
            assert resume(library, job.id).added == 1500
            assert {row.id for row in library.rows()} == {text.document.id for text in given}
            assert list(library.verify()) == []
    finally:
        if mounted:
            subprocess.run(["umount", disk], check=True)
    disk_was = "tmpfs" if mounted else "file limit"
    record_property("outcome", f"{stored} of 1500 texts when the disk was full ({disk_was})")


_LIMIT = f"""
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3 * 2**20, {resource.RLIM_INFINITY}))
"""
_FULL = """
import sys
from simhash_core.errors import StoreError
from simhash_core.library import import_sources, preparing
from simhash_core.storage.library import Library
preparing._CHUNK_TEXTS = 50
library = Library.open(sys.argv[1], owner="editor", create=True)
try:
    import_sources(library, "essays", [sys.argv[3]])
except StoreError as error:
    print(error.code)
"""


def _mounted(folder: Path) -> bool:
    """Mount a disk of 3 MB where that is allowed."""
    if os.geteuid() or shutil.which("mount") is None:
        return False
    command = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
