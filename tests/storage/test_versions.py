"""Projects of released versions open with everything in them; `released/` holds what they wrote."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from simhash_core.storage import Project
from simhash_core.storage.contents import PROJECT, Damage
from simhash_core.storage.library import Library

RELEASED = Path(__file__).parent / "released"
POINTS = 40  # statements of a migration, with some to spare


@pytest.fixture
def path(tmp_path):
    """A project of version 1, as the program wrote it."""
    return Path(shutil.copy(RELEASED / "1.leitong", tmp_path / "class.leitong"))


def facts(project):
    """Return what `released/1.json` says, which was written with the file by that version."""
    decisions = [
        [s.kind, s.a, s.b, s.place, d.verdict, d.reason, d.note, d.reviewer, d.time.isoformat()]
        for s, d in project.decisions().items()
    ]
    result, summary, settings = project.result(), project.summary(), project.settings()
    return {
        "name": project.name,
        "id": project.id,
        "state": project.state,
        "events": len(project.history()),
        "decisions": sorted(decisions),
        "texts": [[one.name, one.id, one.text] for one in project.texts().documents],
        "summary": [summary.cases, summary.decided],
        "pairs": len(result.table),
        "passages": len(result.passages),
        "user_words": list(settings.user_words),
        "view": project.get("view"),
    }


def version(path):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def test_project_of_the_first_version_goes_forward_after_a_copy(path):
    with contextlib.closing(Project.open(path)) as project:
        assert facts(project) == json.loads((RELEASED / "1.json").read_text("utf-8"))
        assert project.verify() == []
    copy = path.with_name(f"{path.name}.version-1")

    assert (version(path), version(copy)) == (PROJECT.version, 1)
    assert facts(Project.open(copy)) == facts(Project.open(path))


def test_library_of_the_first_version_opens(tmp_path):
    shutil.copy(RELEASED / "1.library", tmp_path / "texts.library")
    with Library.open(tmp_path / "texts.library", owner="editor") as library:
        assert [row.texts for row in library.collections()] == [9, 5]
        assert list(library.verify()) == []
        assert [item.state for item in library.items(1)] == ["added"] * 10 + ["skipped", "waiting"]


def before_migration(path, statement):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    return Project.open(path)


def test_what_was_damaged_before_stays_named(path):
    project = before_migration(path, "UPDATE event SET content = content || ' ' WHERE seq = 6")

    assert project.damage == (Damage("event", {"number": 6}),)
    assert Project.open(path).verify() == [Damage("event", {"number": 6})]


@pytest.mark.parametrize(
    ("where", "first", "last"), [("seq > 15", 16, 20), ("seq IN (3, 4)", 3, 4), ("1", 1, 20)]
)
def test_what_was_deleted_before_is_missed(path, where, first, last):
    project = before_migration(path, f"DELETE FROM event WHERE {where}")

    assert project.damage == (Damage("missing", {"first": first, "last": last}),)


def test_program_of_the_first_version_cannot_add_to_a_newer_file(path):
    """It may have had the file open all the while: what it cannot store it must not acknowledge."""
    with contextlib.closing(sqlite3.connect(path)) as old:
        old.execute("SELECT count(*) FROM event").fetchone()
        Project.open(path).close()
        with pytest.raises(sqlite3.DatabaseError):
            old.execute("INSERT INTO event (content, digest) VALUES ('{}', x'00')")
    assert Project.open(path).damage == ()


_MIGRATE = """
import os, signal, sqlite3, sys
from pathlib import Path
left = int(sys.argv[2])
def statement(text):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
from simhash_core.storage import database
connect = database._connect
def traced(address):
    connection = connect(address)
    connection.set_trace_callback(statement)
    return connection
database._connect = traced
from simhash_core.storage import Project
Project.open(Path(sys.argv[1]))
print("finished")
"""


def killed_at(folder, point):
    """Kill a migration before one of its statements; return whether it had ended before."""
    path = Path(shutil.copy(RELEASED / "1.leitong", folder / f"{point}.leitong"))
    command = [sys.executable, "-c", _MIGRATE, str(path), str(point)]
    ended = "finished" in subprocess.run(command, capture_output=True, text=True).stdout
    assert version(path) in (1, PROJECT.version)
    with contextlib.closing(Project.open(path)) as project:
        assert facts(project) == json.loads((RELEASED / "1.json").read_text("utf-8")), point
        assert project.verify() == [], point
    return ended


@pytest.mark.long
def test_kill_while_a_project_goes_forward(tmp_path):
    points = random.Random(2).sample(range(5, POINTS), 4)

    for point in points:
        killed_at(tmp_path, point)


@pytest.mark.faults
@pytest.mark.timeout(1800)
def test_kill_before_every_statement_of_a_migration(tmp_path):
    point = 1
    while not killed_at(tmp_path, point):
        point += 1
    print(f"{point - 1} points, at each the old file or the new one")

    assert point > POINTS
