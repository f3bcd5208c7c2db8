"""`kill -9` of the server at random points of a check while decisions are made.

The server process is one that does what the application does: a thread checks again and again and
stores each step, while decisions arrive. Each acknowledged decision is written to a pipe after the
call returned; whatever was acknowledged must be in the file.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from simhash_core import check
from simhash_core.storage import Project

KILLS = 20
_SERVER = """
import sys, threading
from pathlib import Path
from simhash_core import Document, check
from simhash_core.storage import Project, Subject

project = Project.open(Path(sys.argv[1]))
documents = list(project.texts().documents)

def checks():
    n = 0
    while True:
        n += 1
        late = Document.from_text(f"late {n} " * 80, name="late")
        project.save_documents([*documents, late], state="reading")
        project.save_documents([*documents, late])
        from simhash_core import Settings
        project.save_settings(Settings())
        project.save_result(check([*documents, late]))

threading.Thread(target=checks, daemon=True).start()
begun, n = int(sys.argv[2]), 0
while True:
    subject = Subject.pair(documents[0].id, f"{begun}-{n}")
    project.decide([subject], verdict="confirmed", note=f"note {n}", reviewer="Wu")
    print(f"{begun}-{n}", flush=True)
    n += 1
"""


@pytest.mark.promise(1)
@pytest.mark.timeout(900)
def test_nothing_decided_is_lost(tmp_path: Path, documents_of_a_class, record_property) -> None:
    dice, path = random.Random(3), tmp_path / "class.leitong"
    project = Project.create(path)
    project.save_documents(documents_of_a_class)
    project.save_result(check(documents_of_a_class))
    project.close()
    acknowledged: list[str] = []
    states = set()
    for kill in range(KILLS):
        server = subprocess.Popen(
            [sys.executable, "-c", _SERVER, str(path), str(kill)], stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        acknowledged.append(server.stdout.readline().strip())
        threading.Timer(dice.random() * 2.0, server.kill).start()  # the random point
        acknowledged += map(str.strip, server.stdout)
        server.wait()
        after = Project.open(path)
        decided = {subject.b for subject in after.decisions()} | {
            subject.a for subject in after.decisions()
        }
        missing = [name for name in acknowledged if name not in decided]
        assert missing == [], f"kill {kill}"
        assert after.verify() == [], f"kill {kill}"
        assert len(after.texts().documents) >= len(documents_of_a_class)
        assert after.result() is not None
        states.add(after.state)
        after.close()

    assert len(acknowledged) >= KILLS
    record_property(
        "outcome", f"{KILLS} kills, {len(acknowledged)} decisions acknowledged, {states}"
    )


@pytest.fixture
def documents_of_a_class():
    from simhash_core import gather, read, samples

    sources, _ = gather(samples()["essays"])
    documents, _ = read([source for source in sources if source.name.endswith("txt")])
    return documents
