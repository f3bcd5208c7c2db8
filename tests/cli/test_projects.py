"""Checks that last on the command line: --project, --add, leitong projects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import leitong
from prose import english

from simhash_core.storage import Project, Shelf, Subject, owner_folder, owner_key


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four texts, two of them alike."""
    made = tmp_path / "class"
    made.mkdir()
    for name, seed in (("a", 1), ("b", 1), ("c", 2), ("d", 3)):
        (made / f"{name}.txt").write_text(english(seed, 300) + f" {name} alone.", "utf-8")
    return made


def test_project_stores_the_check_and_keeps_decisions(folder, tmp_path):
    """Five things at once: stored, opened, decided, renamed and edited files, asked again."""
    path = tmp_path / "class.leitong"
    first = leitong("check", folder, "--project", path)
    assert first.returncode == 0, first.stderr
    assert "Stored in class.leitong; 0 of" in first.stderr
    project = Project.open(path)
    result = project.result()
    assert result is not None
    ids = {document.name: document.id for document in result.documents}
    project.decide([Subject.pair(ids["a.txt"], ids["b.txt"])], verdict="confirmed")
    project.decide([Subject.pair(ids["c.txt"], ids["d.txt"])], verdict="no_problem")
    project.close()
    (folder / "a.txt").rename(folder / "renamed.txt")
    (folder / "d.txt").write_text(english(3, 300) + " changed.", "utf-8")
    second = leitong("check", folder, "--project", path)

    assert second.returncode == 0, second.stderr
    assert "to be decided again: c.txt and d.txt" in second.stderr
    assert "Stored in class.leitong; 1 of" in second.stderr
    again = Project.open(path)
    assert len(again.pair_decisions()) == 2
    assert [row.names for row in again.asked_again()] == [("c.txt", "d.txt")]


def test_add_checks_late_hand_ins_with_the_earlier_ones(folder, tmp_path):
    path, task = tmp_path / "class.leitong", tmp_path / "task.txt"
    task.write_text("Write about the sea in three paragraphs and name your sources.", "utf-8")
    leitong("check", folder, "--project", path, "--template", task)
    late = tmp_path / "late.txt"
    late.write_text(english(2, 300) + " late alone.", "utf-8")
    done = leitong("check", late, "--project", path, "--add", "--format", "json")

    names = [document["name"] for document in json.loads(done.stdout)["documents"]]
    assert sorted(names) == ["a.txt", "b.txt", "c.txt", "d.txt", "late.txt"]
    assert any(
        {pair["a"], pair["b"]} == {"c.txt", "late.txt"} for pair in json.loads(done.stdout)["pairs"]
    )
    (template,) = Project.open(path).texts().templates
    assert template.name == "task.txt"  # it counts for late texts too


def test_other_file_is_refused_and_left_alone(folder, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a project")
    done = leitong("check", folder, "--project", path)

    assert done.returncode == 4
    assert "notes.txt is not a check" in done.stderr
    assert path.read_text() == "not a project"


def test_projects_are_listed_renamed_copied_and_deleted(monkeypatch, tmp_path):
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    shelf = Shelf(owner_folder(owner_key()))
    key = shelf.create(name="first").id
    rows = json.loads(leitong("projects", "--json").stdout)
    assert [(row["id"], row["name"]) for row in rows] == [(key, "first")]
    assert leitong("projects", "rename", key[:8], "高一（3）班").returncode == 0
    copied = leitong("projects", "duplicate", "高一（3）班").stdout.strip()
    assert {summary.id for summary in shelf.recent()} == {key, copied}
    assert leitong("projects", "delete", key).returncode == 0

    assert "高一（3）班" in leitong("projects").stdout
    assert [summary.id for summary in shelf.recent()] == [copied]
    assert {path.name for path in shelf.folder.iterdir()} == {f"{copied}.leitong"}
    unknown = leitong("projects", "delete", "nothing")
    assert (unknown.returncode, unknown.stderr) == (4, "leitong: No such check: nothing\n")
