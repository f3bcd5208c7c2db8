"""The same inputs by command, page and door: what is kept and found is one answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import leitong
from page_runs import rest, upload
from prose import english

import leitong as lt
from simhash_core.library import import_documents
from simhash_core.model import Document
from simhash_core.seen import cases_of, view_at_threshold
from simhash_core.settings import Settings
from simhash_core.storage import Project, Subject, owner_key
from simhash_core.storage.library import Library

DRAFT, FINAL = english(1, 300), english(1, 300) + " " + english(9, 60)
#: what is handed in at first, and what comes late: another version of Ann's, under another name
FIRST = {"Ann Fox - essay.txt": DRAFT, "Ben Low - essay.txt": english(2, 300)}
LATE = {"Ann Fox - essay final.txt": FINAL, "Cay Moss - essay.txt": english(3, 300)}
CLASS_LIST = "name\nAnn Fox\nBen Low\nCay Moss\n"


def write(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def added_to(
    tmp_path: Path, *options: object, first: dict[str, str] = FIRST, late: dict[str, str] = LATE
) -> dict[str, Any]:
    """Check what came first with some options, add what came late; return what that says."""
    path = tmp_path / "class.leitong"
    came = write(tmp_path / "first", first)
    assert leitong("check", came, "--project", path, *options).returncode == 0
    done = leitong("check", write(tmp_path / "late", late), "--from", path, "--format", "json")
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def by_command(tmp_path: Path) -> Project:
    listed = tmp_path / "list.csv"
    listed.write_text(CLASS_LIST, "utf-8")
    added_to(tmp_path, "--class-list", listed)
    return Project.open(tmp_path / "class.leitong")


def by_page(open_app) -> Project:
    app = upload(open_app(), *((name, text.encode()) for name, text in FIRST.items()))
    for texts in ({}, LATE):
        if texts:
            app.switch_page("pages/check.py").run()
            app = upload(app, *((name, text.encode()) for name, text in texts.items()))
        app.button(key="start").click().run()
        app = rest(app, "check")
    project: Project = app.session_state["lt.open"].project
    return project


def outcome(project: Project) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """Return what is compared, what is left out and why, and all texts that are kept."""
    result = project.result()
    assert result is not None
    compared = sorted(one.name for one in result.documents)
    left = sorted((one.name, one.code) for one in result.skipped)
    return compared, left, sorted(one.name for one in project.texts().documents)


@pytest.mark.long
def test_a_later_version_takes_the_place_of_the_stored_one(tmp_path, open_app):
    both = FIRST | LATE
    expected = sorted(both.keys() - {"Ann Fox - essay.txt"})
    left = [("Ann Fox - essay.txt", "earlier_version")]
    assert outcome(by_command(tmp_path)) == (expected, left, sorted(both))
    assert outcome(by_page(open_app)) == (expected, left, sorted(both))
    door = lt.check(str(write(tmp_path / "both", both)))
    assert sorted(one.name for one in door.core.documents) == expected
    assert [(one.name, one.code) for one in door.core.skipped] == left


TASK = english(7, 60)


def test_what_all_begin_with_is_one_passage_with_a_late_text_too(tmp_path):
    first = {f"{n} - essay.txt": f"{TASK}\n{english(20 + n, 250)}" for n in range(4)}
    late = {"late - essay.txt": f"{TASK}\n{english(30, 250)}"}
    said = added_to(tmp_path, first=first, late=late)
    (task,) = said["cases"]
    assert (task["kind"], task["holders"], task["answer"]) == ("passage", 5, None)
    assert {pair["case"] for pair in said["pairs"]} == {task["number"]}


@pytest.fixture
def old(tmp_path):
    return Document.from_text(FINAL, name="2024/Ann Fox - essay.txt", person="Ann Fox")


NEW = (
    Document.from_text(DRAFT, name="new - Ann Fox.txt", person="Ann Fox"),
    Document.from_text(english(1, 300) + " Mine.", name="new - Dan Roe.txt", person="Dan Roe"),
)


@pytest.mark.parametrize("way", ["references", "library"])
def test_one_author_is_left_out_of_references_and_library_alike(tmp_path, old, way):
    settings = Settings(skip_same_person=True)
    if way == "library":
        library = Library.open(tmp_path / "own.library", owner=owner_key(), create=True)
        import_documents(library, "2024", [old])
        library.close()
        result = lt.check(NEW, against=lt.Library(tmp_path / "own.library"), settings=settings)
    else:
        result = lt.check(NEW, against=[old], settings=settings)
    core = result.core
    names = [one.meta["person"] for one in core.documents]
    sides = zip(core.table.pairs.left.tolist(), core.table.pairs.right.tolist(), strict=True)
    pairs = {tuple(sorted((names[a], names[b]))) for a, b in sides}
    assert ("Ann Fox", "Ann Fox") not in pairs and ("Ann Fox", "Dan Roe") in pairs


def test_what_is_added_goes_on_as_the_check_was(tmp_path):
    """References, only against them, settings: of a late text the same is asked."""
    before = write(tmp_path / "old", {"Old Hand - essay.txt": english(3, 300) + " Old."})
    beside, how = ("--against", before, "--only-against"), ("--preset", "strict")
    data = added_to(tmp_path, *beside, *how, "--set", "skip-same-person=on")
    assert data["settings"]["preset"] == "strict" and data["settings"]["skip_same_person"]
    assert {fact["code"] for fact in data["guarantees"]} >= {"only_against"}
    assert {(one["a"], one["b"]) for one in data["pairs"]} == {
        ("Cay Moss - essay.txt", "Old Hand - essay.txt")
    }


def test_what_is_added_goes_on_with_the_library(tmp_path, monkeypatch):
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    held = tmp_path / "own.library"
    library = Library.open(held, owner=owner_key(), create=True)
    import_documents(library, "2024", [Document.from_text(english(3, 300), name="old")])
    import_documents(library, "2023", [Document.from_text(english(2, 300), name="older")])
    library.close()
    said = added_to(tmp_path, "--against", f"{held}:2024")
    names = {one["name"] for one in said["documents"]}
    assert "old" in names and "older" not in names

    held.unlink()
    gone = leitong("check", tmp_path / "late", "--from", tmp_path / "class.leitong")
    assert gone.returncode == 2 and "own.library" in gone.stderr


def test_the_terminal_names_a_decided_case_that_is_gone(tmp_path):
    path = tmp_path / "class.leitong"
    first = write(tmp_path / "first", {"a.txt": DRAFT, "b.txt": FINAL, "c.txt": english(4, 300)})
    leitong("check", first, "--project", path)
    project = Project.open(path)
    a, b, _ = project.texts().documents
    leitong("report", path, "-o", tmp_path / "before.json")
    project.decide([Subject.pair(a.id, b.id)], verdict="confirmed", note="talk to both")
    project.close()
    (first / "b.txt").unlink()
    done = leitong("check", first, "--project", path, "--quiet")
    assert "Decided before, not in this result:" in done.stderr
    assert "Case 1, a and b: confirmed. Note: talk to both" in done.stderr
    for ending in ("html", "json", "csv", "xlsx", "pdf"):
        file = tmp_path / f"after.{ending}"
        assert leitong("report", path, "-o", file).returncode == 0
        if ending in ("html", "json", "csv"):
            assert "Case 1, a and b: confirmed. Note: talk to both" in file.read_text("utf-8")


def test_the_terminal_says_what_a_check_had_beside_its_texts_and_has_no_more(tmp_path):
    path, sheet = tmp_path / "class.leitong", tmp_path / "task.txt"
    new = write(tmp_path / "new", {"a.txt": DRAFT, "b.txt": english(4, 300)})
    old = write(tmp_path / "old", {"c.txt": DRAFT})
    sheet.write_text(english(6, 80), "utf-8")
    beside = ("--against", old, "--template", sheet)
    said = ("compared with other texts before", "had a task sheet or template before")
    first = leitong("check", new, *beside, "--project", path)
    again = leitong("check", new, "--project", path, "-q")
    third = leitong("check", new, "--project", path)

    assert not any(words in one.stderr for one in (first, third) for words in said)
    assert all(words in again.stderr for words in said)


def numbers(path: Path, file: Path) -> dict[tuple[str, str], int]:
    """Return the numbers of the cases in a report, by the names of both texts."""
    assert leitong("report", path, "-o", file).returncode == 0
    pairs = json.loads(file.read_text("utf-8"))["pairs"]
    return {(one["a"], one["b"]): one["number"] for one in pairs}


def test_reports_call_a_case_by_the_number_that_it_keeps(tmp_path):
    """Though a late pair is stronger, and one file is gone."""
    path, near = tmp_path / "class.leitong", english(5, 40)
    texts = {"a.txt": english(1, 200), "b.txt": english(1, 200) + near, "c.txt": english(3, 300)}
    texts["d.txt"] = english(3, 150) + " " + english(6, 200)
    first = write(tmp_path / "first", texts)
    leitong("check", first, "--project", path)
    before = numbers(path, tmp_path / "1.json")
    assert sorted(before.values()) == [1, 2]
    (first / "b.txt").unlink()
    write(first, {"late.txt": english(3, 300)})
    leitong("check", first, "--project", path)
    after = numbers(path, tmp_path / "2.json")
    assert after[("c", "d")] == before[("c", "d")] == 2
    assert sorted(after.values()) == [2, 4, 5]  # 3 is what all three hold
    listed = cases(path)
    assert {frozenset(names): number for names, number in after.items()} == listed


def cases(path: Path) -> dict[frozenset[str], int]:
    """Return the same as the desk shows them."""
    project = Project.open(path)
    result = project.result()
    assert result is not None
    view = view_at_threshold(result, result.threshold)
    names = [one.name.removesuffix(".txt") for one in result.documents]
    return {
        frozenset((names[one.a], names[one.b])): one.number
        for one in cases_of(project, result, view)
    }
