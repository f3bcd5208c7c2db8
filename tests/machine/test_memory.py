"""The budget of memory, and the temporary file for what goes beyond it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from oracles.tokenizing import tokenize
from prose import english

from simhash_core.errors import BadInput
from simhash_core.machine import memory
from simhash_core.machine.memory import Scratch, Stored, sizes_of
from simhash_core.passages.tokenized import TokenizedText
from simhash_core.text.normalize import normalize

KILLED = """
import os, signal
import numpy as np
from simhash_core.machine.memory import Scratch
scratch = Scratch(0)
scratch.write([np.zeros(1000)])
print("written", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


@pytest.mark.parametrize(
    ("written", "size"),
    [("4GB", 4 * 2**30), ("1.5g", 3 * 2**29), ("800 MiB", 800 * 2**20), ("123", 123)],
)
def test_size_is_read_as_people_write_it(written: str, size: int) -> None:
    assert memory.size_of(written) == size


@pytest.mark.parametrize("written", ["", "much", "-4GB", "4 GB 2", "GB", "9" * 400])
def test_anything_else_is_refused(written: str) -> None:
    with pytest.raises(BadInput) as refused:
        memory.size_of(written)

    assert refused.value.code == "memory"


def test_the_budget_is_the_given_one_or_a_share_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    assert memory.budget() == int(memory.SHARE * memory.machine_memory())
    assert memory.machine_memory() > 2**28

    monkeypatch.setenv(memory.VARIABLE, "3GB")
    assert memory.budget() == 3 * 2**30


@pytest.mark.parametrize("room", [None, 30_000, 0])
def test_records_come_back_wherever_they_lie(room: int | None, folder: Path) -> None:
    texts = [english(seed, 40 * seed) for seed in range(12)]
    given = [tokenize(normalize(text), text) for text in texts]
    stored = Stored(TokenizedText, Scratch(room))
    stored.extend(given[:7])
    stored.extend(given[7:])

    assert (stored.scratch.written > 0) == stored.scratch.limited == (room is not None)
    assert sizes_of(stored).tolist() == list(map(len, given)) == sizes_of(given).tolist()
    for row, one in enumerate(given):
        for name in TokenizedText.__slots__:
            column, read = getattr(one, name), getattr(stored[row], name)
            np.testing.assert_array_equal(column, read)
            assert column.dtype == read.dtype
            assert read.flags.aligned
            assert read.flags.writeable
    some = stored.take([5, 2])
    np.testing.assert_array_equal(some[1].token, given[2].token)
    assert [len(one) for one in stored[3:5]] == [len(one) for one in given[3:5]]


def test_nothing_stays_of_the_file(folder: Path) -> None:
    scratch = Scratch(0)
    place = scratch.write([np.arange(9)])

    assert np.frombuffer(scratch.read(place, 72), np.int64).tolist() == list(range(9))
    if os.name == "posix":
        assert list(folder.iterdir()) == []
    del scratch
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_nothing_stays_of_the_file_of_a_killed_process(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, check=False)

    assert done.stdout == b"written\n"
    assert done.returncode == -signal.SIGKILL
    assert list(folder.iterdir()) == []
