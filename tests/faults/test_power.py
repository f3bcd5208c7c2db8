"""The current fails: of the journal, what had not reached the disk is missing or was never written.

What was moved from the journal into the file had reached the disk before; here a reader holds all
that back, so that 40 decisions lie in the journal alone.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from simhash_core.storage import Project

PLACES, DECISIONS = 150, 40
_DECIDE = """
import os, signal, sqlite3, sys
from pathlib import Path
from simhash_core.storage import Project, Subject
path = Path(sys.argv[1])
project = Project.create(path)
reader = sqlite3.connect(path, isolation_level=None)
reader.execute("BEGIN")
reader.execute("SELECT count(*) FROM event").fetchone()
for number in range(int(sys.argv[2])):
    project.decide([Subject.pair("a", f"b{number:02}")], verdict="confirmed", reviewer="Wu")
os.kill(os.getpid(), signal.SIGKILL)
"""


def cut(journal: bytes, at: int) -> bytes:
    return journal[:at]


def zeroed(journal: bytes, at: int) -> bytes:
    return journal[:at] + bytes(len(journal) - at)


def garbled(journal: bytes, at: int) -> bytes:
    return journal[:at] + random.Random(at).randbytes(4096) + journal[at + 4096 :]


@pytest.mark.promise(4)
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("lost", [cut, zeroed, garbled])
def test_power_cut_leaves_a_prefix_of_what_was_decided(
    tmp_path: Path, lost, record_property
) -> None:
    path, dice = tmp_path / "class.leitong", random.Random(8)
    done = subprocess.run([sys.executable, "-c", _DECIDE, str(path), str(DECISIONS)])
    assert done.returncode == -signal.SIGKILL
    journal = path.with_name(f"{path.name}-wal").read_bytes()
    left = []
    for at in [0, len(journal), *dice.choices(range(len(journal)), k=PLACES)]:
        copy = tmp_path / f"{at}.leitong"
        shutil.copy(path, copy)
        copy.with_name(f"{copy.name}-wal").write_bytes(lost(journal, at))
        with closing(Project.open(copy)) as project:
            decided = sorted({*subject_names(project)})
            assert decided == [f"b{number:02}" for number in range(len(decided))], at
            assert project.verify() == [], at
        left.append(len(decided))

    assert left[:2] == [0, DECISIONS]
    assert len(set(left)) > 10
    record_property("outcome", f"{lost.__name__}: {len(left)} journals, each a whole prefix")


def subject_names(project: Project) -> list[str]:
    return [max(subject.a, subject.b) for subject in project.decisions()]
