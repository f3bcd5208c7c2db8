"""A folder of a million small files: what is held of each is its name, and in the end its text."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FILES = int(os.environ.get("LEITONG_FILES", "1000000"))
A_FOLDER = 10_000
MOST_A_FILE = 1500  # bytes of this process for one file that is listed

#: in a process whose memory nobody else has raised
_LIST = """
import json, resource, sys, time
from simhash_core import gather
def held():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before, began = held(), time.monotonic()
sources, skipped = gather([sys.argv[1]])
print(json.dumps([len(sources), len(skipped), time.monotonic() - began, held() - before]))
"""


@pytest.mark.promise(36)
@pytest.mark.timeout(7200)
def test_a_million_small_files_are_listed_in_bounded_memory(
    tmp_path: Path, record_property
) -> None:
    memory = Path("/dev/shm")
    folder = (memory if memory.is_dir() else tmp_path) / f"leitong-{os.getpid()}"
    try:
        for number in range(0, FILES, A_FOLDER):
            inside = folder / f"{number // A_FOLDER:04}"
            inside.mkdir(parents=True)
            for name in range(min(A_FOLDER, FILES - number)):
                file = os.open(f"{inside}/{name}.txt", os.O_CREAT | os.O_WRONLY)
                os.write(file, b"five words and a number %d" % name)
                os.close(file)
        done = subprocess.run(
            [sys.executable, "-c", _LIST, str(folder)], capture_output=True, text=True, check=True
        )
        listed, skipped, seconds, bytes_held = json.loads(done.stdout)
    finally:
        shutil.rmtree(folder, ignore_errors=True)

    assert (listed, skipped) == (FILES, 0)
    each = bytes_held / FILES
    record_property("outcome", f"{listed:,} files in {seconds:.0f} s, {bytes_held / 1e6:.0f} MB")
    assert each < MOST_A_FILE
