"""Two processes that change one file while the first looks at it again and again.

One of them is what a server is: it holds the file open and lists it now and then. The other comes
and goes as commands do. Both change it in random turn and say what was acknowledged.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from simhash_core.errors import StoreError
from simhash_core.storage import Project, Shelf
from simhash_core.storage.library import Library

LOOK_EVERY = 7  # steps

_PROJECT = """
import sys
from pathlib import Path
from simhash_core.errors import LeitongError
from simhash_core.storage import Project, Shelf, Subject
path = Path(sys.argv[1])
project, shelf = Project.open(path), Shelf(path.parent)
def come_and_go():
    global project
    project.close()
    project = Project.open(path)
looks = {"list": shelf.recent, "open": lambda: Project.open(path).close(), "go": come_and_go}
for step, line in enumerate(sys.stdin):
    if step % int(sys.argv[3]) == 0:
        looks[sys.argv[2]]()
    try:
        project.decide([Subject.pair("a", line.strip())], verdict="confirmed", reviewer="Wu")
        print("stored", flush=True)
    except LeitongError as error:
        print(error.code, flush=True)
"""
_LIBRARY = """
import sys
from pathlib import Path
from library_texts import text
from simhash_core.errors import LeitongError
from simhash_core.storage.library import Library, is_library
path = Path(sys.argv[1])
library = Library.open(path, owner="editor")
def come_and_go():
    global library
    library.close()
    library = Library.open(path, owner="editor")
looks = {"list": lambda: is_library(path), "go": come_and_go,
         "open": lambda: Library.open(path, owner="editor").close()}
for step, line in enumerate(sys.stdin):
    if step % int(sys.argv[3]) == 0:
        looks[sys.argv[2]]()
    try:
        library.add("essays", [text(f"words of {line.strip()}", name=line.strip())])
        print("stored", flush=True)
    except LeitongError as error:
        print(error.code, flush=True)
"""


def shared_by_two(
    path: Path, program: str, *, steps: int, look: str, seed: int
) -> tuple[list[str], list[str]]:
    """Let two processes change a file; return what was acknowledged and what was refused."""
    dice = random.Random(seed)
    acknowledged, refused = [], []
    with ExitStack() as stack:
        workers = [stack.enter_context(_started(program, path, one)) for one in (look, "go")]
        for step in range(steps):
            worker, name = dice.choice(workers), f"{seed}-{step}"
            answer = _told(worker, name)
            (acknowledged if answer == "stored" else refused).append(f"{name} {answer}")
        for worker in workers:
            _pipe(worker.stdin).close()
            worker.wait(60)
    return [line.split()[0] for line in acknowledged], refused


def lost_decisions(folder: Path, *, steps: int, look: str, seed: int) -> tuple[int, list[str], str]:
    """Return how many decisions were acknowledged, which are lost, and what is damaged."""
    shelf = Shelf(folder / f"{look}-{seed}")
    project = shelf.create()
    path = project.path
    assert path is not None
    project.close()
    acknowledged, refused = shared_by_two(path, _PROJECT, steps=steps, look=look, seed=seed)
    try:
        after = Project.open(path)
    except StoreError as error:
        return len(acknowledged), [], error.code
    held = {key for subject in after.decisions() for key in (subject.a, subject.b)}
    damage = ", ".join([*refused, *map(str, after.verify())])
    after.close()
    return len(acknowledged), [name for name in acknowledged if name not in held], damage


def lost_texts(folder: Path, *, steps: int, look: str, seed: int) -> tuple[int, list[str], str]:
    """Return the same of texts that are added to a library."""
    path = folder / f"{look}-{seed}.library"
    Library.open(path, owner="editor", create=True).close()
    acknowledged, refused = shared_by_two(path, _LIBRARY, steps=steps, look=look, seed=seed)
    try:
        with Library.open(path, owner="editor") as after:
            held = {row.name for row in after.rows()}
            damage = ", ".join([*refused, *(one.what for one in after.verify())])
    except StoreError as error:
        return len(acknowledged), [], error.code
    return len(acknowledged), [name for name in acknowledged if name not in held], damage


def _started(program: str, path: Path, look: str) -> subprocess.Popen[str]:
    command: Sequence[str] = [sys.executable, "-c", program, str(path), look, str(LOOK_EVERY)]
    tests = Path(__file__).resolve().parent
    found = os.pathsep.join([str(tests.parent), str(tests)])
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": found},
    )


def _told(worker: subprocess.Popen[str], name: str) -> str:
    print(name, file=_pipe(worker.stdin), flush=True)
    return _pipe(worker.stdout).readline().strip()


def _pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream
