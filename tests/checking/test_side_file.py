"""Texts in a file that workers read: all of it arrives, and nothing of it stays behind."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from oracles.tokenizing import tokenize
from prose import english

from simhash_core.checking import aligning
from simhash_core.checking.aligning import SideFile, StoredSides
from simhash_core.machine.workers import WorkerPool
from simhash_core.passages.align import side_of
from simhash_core.text.normalize import normalize

KILLED = """
import os, signal
os.__dict__.pop("memfd_create", None)
from simhash_core.checking.aligning import SideFile
file = SideFile([])
print(file.stored([]).path, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture(params=["memory", "folder"])
def place(request, folder, monkeypatch):
    if request.param == "folder":
        monkeypatch.delattr(os, "memfd_create", raising=False)
    return folder


def test_a_task_reads_just_its_sides(place):
    texts = [english(i, 50) for i in range(3)]
    sides = [side_of(tokenize(normalize(text), text), None) for text in texts]

    with SideFile(sides) as file:
        first, second = file.stored([2, 0]).read()

    np.testing.assert_array_equal(first.text.token, sides[2].text.token)
    np.testing.assert_array_equal(second.text.border, sides[0].text.border)
    assert list(place.iterdir()) == []


@pytest.mark.long
def test_a_file_larger_than_the_memory_of_a_worker_is_read_in_parts(place):
    text = english(0, 20_000)
    side = side_of(tokenize(normalize(text), text), None)
    with (
        WorkerPool(1, memory_mb=64, preload=[aligning.__name__]) as pool,
        SideFile([side] * 120) as file,
    ):
        assert file.size > 64 * 2**20
        tasks = [file.stored([row, row + 1]) for row in range(0, 120, 10)]
        for sides in pool.map(StoredSides.read, tasks, seconds=60):
            assert [len(one.text) for one in sides] == [len(side.text)] * 2


def test_nothing_stays_where_a_side_cannot_be_made(place):
    with pytest.raises(ZeroDivisionError):
        SideFile(1 / 0 for _ in range(1))

    assert list(place.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_what_a_killed_process_left_is_removed(folder, monkeypatch):
    done = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, check=False)
    left = Path(done.stdout.decode().strip()).parent
    assert left.parent == folder
    assert left.exists()

    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr(aligning, "YOUNG", -1.0)
    with SideFile([]) as living:
        with SideFile([]):
            assert Path(living.stored([]).path).exists()
        assert not left.exists()
        if os.name == "posix":
            assert Path(living.stored([]).path).parent.stat().st_mode & 0o077 == 0
