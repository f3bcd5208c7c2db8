"""Checks that last on the command line: --project, --from, leitong projects."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest
from command_line import leitong
from prose import english

from simhash_core import Document, check
from simhash_core.request import Request
from simhash_core.storage import COURSE_KEY, Project, Shelf, Subject, owner_folder, owner_key


@pytest.fixture
def folder(tmp_path):
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
    done = leitong("check", late, "--from", path, "--format", "json")

    names = [document["name"] for document in json.loads(done.stdout)["documents"]]
    assert sorted(names) == ["a.txt", "b.txt", "c.txt", "d.txt", "late.txt"]
    assert any(
        {pair["a"], pair["b"]} == {"c.txt", "late.txt"} for pair in json.loads(done.stdout)["pairs"]
    )
    (template,) = Project.open(path).texts().templates
    assert template.name == "task.txt"  # it counts for late texts too


def test_other_files_and_libraries_that_were_cut_are_refused_unchanged(folder, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a project")
    done = leitong("check", folder, "--project", path)
    assert done.returncode == 4
    assert "notes.txt is not a check" in done.stderr
    assert path.read_text() == "not a project"
    # a library that was cut is refused unchanged
    path = tmp_path / "a.library"
    leitong("library", "add", "class", folder, "--library", path)
    path.write_bytes(path.read_bytes()[:-1])
    before = path.read_bytes()
    done = leitong("library", "add", "more", folder, "--library", path)
    assert done.returncode == 4
    assert "a.library" in done.stderr.splitlines()[-1]
    assert path.read_bytes() == before


def test_a_person_is_forgotten_by_one_command(tmp_path):
    shelf = Shelf(owner_folder(owner_key()))
    for month, group in enumerate(("set 3", "set 3", "set 4"), 3):
        people = ("Ann Fox", "Ben Low") if month > 3 else ("Ann Fox",)
        texts = [
            Document.from_text(english(month + row, 200), name=f"{one}.txt", person=one)
            for row, one in enumerate((*people, "Cay Moss"))
        ]
        project = shelf.create(name=f"month {month}")
        project.put(COURSE_KEY, {"group": group})
        project.save_documents(texts)
        project.save_result(check(texts))
        project.close()
    done = leitong("projects", "forget", "Ben Low", "--class", "set 3")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "month 4: 1 file of this person removed\n"
    names = {
        one.name: [text.meta["person"] for text in shelf.open(one.id).texts().documents]
        for one in shelf.recent()
    }
    assert names["month 4"] == ["Ann Fox", "Cay Moss"]
    assert names["month 5"] == ["Ann Fox", "Ben Low", "Cay Moss"]  # another class
    again = leitong("projects", "forget", "Ben Low", "--class", "set 3")
    assert again.returncode == 2
    assert "no check of the class “set 3” has a text by “Ben Low”" in again.stderr


def test_projects_are_listed_renamed_copied_and_deleted(tmp_path):
    done = leitong("projects", "list")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "No check is stored here.\n"
    # projects are listed renamed copied and deleted
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
    assert (unknown.returncode, unknown.stderr) == (2, "leitong: No such check: nothing\n")


def test_a_person_is_forgotten_in_a_check_without_a_class(tmp_path):
    folder, project = tmp_path / "texts", tmp_path / "set.leitong"
    folder.mkdir()
    for row, name in enumerate(("2023001_Ann Fox", "2023002_Ben Low", "2023003_Cay Moss")):
        (folder / f"{name}.txt").write_text(english(row, 200), "utf-8")
    stored = leitong("check", folder, "--project", project)
    assert stored.returncode == 0, stored.stderr
    done = leitong("projects", "forget", "Ben Low", "--project", project)
    again = leitong("projects", "forget", "Ben Low", "--project", project)
    neither = leitong("projects", "forget", "Ben Low")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "set.leitong: 1 file of this person removed\n"
    names = [one.name for one in Project.open(project).texts().documents]
    assert names == ["2023001_Ann Fox.txt", "2023003_Cay Moss.txt"]
    assert again.returncode == 2
    assert "has no text by “Ben Low”" in again.stderr
    assert neither.returncode == 2
    assert "--project" in neither.stderr


def test_of_two_people_with_one_name_one_is_asked_for(tmp_path):
    project = Shelf(owner_folder(owner_key())).create()
    texts = [
        Document.from_text(english(n, 200), name=f"{n}.txt", person="Ann Fox", number=f"0{n}")
        for n in (1, 2)
    ]
    project.put(COURSE_KEY, {"group": "set 3"})
    project.save_documents(texts)
    project.save_result(check(texts))
    asked = leitong("projects", "forget", "Ann Fox", "--class", "set 3")
    assert asked.returncode == 2 and "01, 02" in asked.stderr
    done = leitong("projects", "forget", "Ann Fox", "--class", "set 3", "--number", "02")
    assert done.returncode == 0
    assert [one.meta["number"] for one in project.texts().documents] == ["01"]


def damaged(folder: Path) -> Path:
    """Return a check one of whose 20 events was changed, and one deleted."""
    path = folder / "class.leitong"
    texts = [Document.from_text(english(seed, 300), name=f"{seed}.txt") for seed in (1, 2, 2)]
    with contextlib.closing(Project.create(path, name="高一（3）班")) as project:
        project.save_documents(texts)
        project.save_result(check(texts))
        for number in range(20):
            pair = Subject.pair(texts[1].id, texts[2].id)
            project.decide([pair], note=f"note {number}", reviewer="Wu")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE event SET content = content || ' ' WHERE seq = 3")
        connection.execute("DELETE FROM event WHERE seq = 20")
        connection.commit()
    return path


FAULTS = {
    "en": (
        "Entry 3 of the record of decisions is damaged or was changed.",
        "Entry 20 of the record of decisions is missing.",
        "Pairs that this may concern count as undecided; please decide them again.",
    ),
    "zh": (
        "第 3 条判断记录损坏或被改动。",
        "第 20 条判断记录缺失。",
        "可能受影响的文本对按未判断处理，请重新判断。",
    ),
}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_verify_names_every_fault_in_a_sentence(tmp_path, language):
    path, other = damaged(tmp_path), tmp_path / "whole.leitong"
    Project.create(other).close()
    (tmp_path / "notes.txt").write_text("no check at all")
    done = leitong("projects", "verify", other, path, language=language)

    assert done.returncode == 4
    whole = {"zh": f"{other}：完好", "en": f"{other}: whole"}[language]
    sign = {"zh": "：", "en": ": "}[language]
    assert done.stdout.splitlines() == [
        whole,
        *(f"{path}{sign}{one}" for one in FAULTS[language][:2]),
    ]
    assert leitong("projects", "verify", other, language=language).returncode == 0
    foreign = leitong("projects", "verify", tmp_path / "notes.txt", language=language)
    assert foreign.returncode == 4
    assert "notes.txt" in foreign.stdout


@pytest.mark.parametrize("language", ["zh", "en"])
def test_list_and_report_say_what_is_damaged(tmp_path, language):
    path = damaged(tmp_path)
    key = Shelf(owner_folder(owner_key())).link(path)
    listed = leitong("projects", language=language).stdout
    (row,) = json.loads(leitong("projects", "--json").stdout)
    done = leitong("report", path, "-o", tmp_path / "r.json", language=language)

    said = ("" if language == "zh" else " ").join(FAULTS[language])
    assert said in listed and key in listed
    assert "高一（3）班" in listed
    assert row["damage"] == [
        {"code": "event", "number": 3}, {"code": "missing", "first": 20, "last": 20}
    ]  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert said in done.stderr
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert said in report["damage"]
    assert not any(pair["reviewer"] for pair in report["pairs"])  # all are undecided
    assert leitong("projects", "verify").returncode == 4


ENGLISH = " ".join(FAULTS["en"])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_check_into_a_damaged_file_says_so_and_hides_nothing(folder, tmp_path, language):
    path = damaged(tmp_path)
    done = leitong("check", folder, "--project", path, language=language)

    assert done.returncode == 0, done.stderr
    assert ("" if language == "zh" else " ").join(FAULTS[language]) in done.stderr
    verified = leitong("projects", "verify", path, language=language)
    assert verified.returncode == 4
    assert all(fault in verified.stdout for fault in FAULTS[language][:2])


def test_damaged_results_and_texts_are_named_and_written_again(folder, tmp_path):
    path = tmp_path / "class.leitong"
    leitong("check", folder, "--project", path)
    change(path, "UPDATE record SET data = zeroblob(99) WHERE name = 'result'")
    done = leitong("check", folder, "--project", path)
    verified = leitong("projects", "verify", path)
    assert (done.returncode, verified.returncode) == (0, 4)
    assert "The result is damaged or missing." in done.stderr
    assert "“result” was damaged and has been written anew" in verified.stdout
    # a damaged text that is read again is written again
    change(path, "UPDATE body SET data = zeroblob(99)")
    assert leitong("report", path, "-o", tmp_path / "r.csv").returncode == 4
    done = leitong("check", folder, "--project", path)
    assert "The texts are damaged or missing." in done.stderr
    assert leitong("report", path, "-o", tmp_path / "r.csv").returncode == 0


def test_late_texts_are_not_put_beside_damaged_ones(folder, tmp_path):
    path, roll = tmp_path / "class.leitong", tmp_path / "roll.txt"
    roll.write_text("Ann Lee\nBo Chen\n", "utf-8")
    leitong("check", folder, "--project", path)
    change(path, "UPDATE body SET data = zeroblob(99)")
    before = path.read_bytes()
    done = leitong("check", folder / "a.txt", "--from", path, "--class-list", roll)

    assert done.returncode == 4
    assert "The texts are damaged or missing." in done.stderr
    assert done.stderr.splitlines()[-1].endswith("class.leitong is damaged and cannot be used")
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", [["check", "TEXTS", "--project"], ["check", "TEXTS", "--from"]])
def test_a_file_that_was_cut_is_refused_unchanged(folder, tmp_path, command):
    path = tmp_path / "class.leitong"
    leitong("check", folder, "--project", path)
    path.write_bytes(path.read_bytes()[:-1])
    before = path.read_bytes()
    done = leitong(*[folder if word == "TEXTS" else word for word in command], path)

    assert done.returncode == 4
    assert "nothing more is written into it" in done.stderr
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.glob("class.leitong*")] == ["class.leitong"]


def test_what_is_changed_in_a_damaged_check_says_what_is_damaged(tmp_path):
    key = Shelf(owner_folder(owner_key())).link(damaged(tmp_path))
    for words in (["rename", key, "other"], ["duplicate", key]):
        done = leitong("projects", *words)
        assert done.returncode == 0, done.stderr
        assert ENGLISH in done.stderr


def change(path, statement):
    """Change the file behind the back of the program."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


def test_from_repeats_a_check_and_a_new_project_keeps_its_decisions(folder, tmp_path):
    path, other, table = tmp_path / "class.leitong", tmp_path / "new.leitong", tmp_path / "a.csv"
    (tmp_path / "task.txt").write_text(english(9, 40), "utf-8")
    words = ("--template", tmp_path / "task.txt", "--exclude", "quotations", "--min-match", "9")
    leitong("check", folder, *words, "--project", path, "-o", table)
    with contextlib.closing(Project.open(path)) as project:
        ids = [one.id for one in project.texts().documents[:2]]
        project.decide([Subject.pair(*ids)], verdict="no_problem", reason="common")
        asked = Request.load(project)
    before = path.read_bytes()
    again = leitong("check", "--from", path, "--project", other, "-o", tmp_path / "b.csv")

    assert again.returncode == 0, again.stderr
    assert (tmp_path / "b.csv").read_bytes() == table.read_bytes()
    assert path.read_bytes() == before
    with contextlib.closing(Project.open(other)) as project:
        assert Request.load(project) == asked
        assert len(project.pair_decisions()) == 1
    assert leitong("check", "--from", path, "--project", other).returncode == 2
    assert leitong("check", "--from", path).returncode == 0


def test_a_check_without_people_keeps_the_class_list(folder, tmp_path):
    path, roll = tmp_path / "class.leitong", tmp_path / "roll.csv"
    roll.write_text("name\nAnn Lee\nBo Chen\n", "utf-8")
    leitong("check", folder, "--project", path, "--class-list", roll)
    done = leitong("check", "--from", path, "--people", "none")

    assert done.returncode == 0
    assert "Ann Lee" not in done.stderr
    with contextlib.closing(Project.open(path)) as project:
        assert [one.person for one in Request.load(project).members] == ["Ann Lee", "Bo Chen"]
