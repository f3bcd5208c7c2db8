"""One class, asked by the command line, the page, Python and again as it is stored: one answer."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from page_runs import rest, upload

import leitong as lt
from simhash_core.cli import main
from simhash_core.i18n import translator
from simhash_core.model import Document
from simhash_core.report.json import check_data
from simhash_core.request import Request, run
from simhash_core.storage import Beside, Project, Texts
from tests.prose import english

SHEET = english(90, 60)
SHARED = english(91, 80)
#: as a platform names them: two versions by one person, a copy, one that only has the task sheet
CLASS = {
    "Emma Clarke_1001_assignsubmission_file_essay_draft.txt": english(1, 300),
    "Emma Clarke_1001_assignsubmission_file_essay_final.txt": english(1, 300) + SHARED,
    "Tom Whitfield_1002_assignsubmission_file_essay.txt": english(2, 200) + SHARED,
    "Ann Lee_1003_assignsubmission_file_essay.txt": SHEET + english(3, 200),
    "Bo Chan_1004_assignsubmission_file_essay.txt": SHEET + english(4, 200),
}
LAST_YEAR = {
    "Bo Chan_1004_assignsubmission_file_old.txt": english(4, 200)[:500] + english(8, 100),
    "Zoe Kay_1009_assignsubmission_file_essay.txt": english(5, 120) + english(4, 200)[:600],
}
SETTINGS = {"meaning": "off"}


@dataclass(frozen=True)
class Asked:
    """What is asked of the class; `others` compares with texts of other authors only."""

    sheet: bool = True
    others: bool = False

    @property
    def settings(self) -> dict[str, object]:
        return {**SETTINGS, **({"skip_same_person": True} if self.others else {})}


#: the task sheet given; found by what nearly all texts hold; no text of the same author
QUESTIONS = (Asked(), Asked(sheet=False), Asked(others=True))


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    for folder, texts in (("class", CLASS), ("before", LAST_YEAR), ("task", {"task.txt": SHEET})):
        (tmp_path / folder).mkdir()
        for name, content in texts.items():
            (tmp_path / folder / name).write_text(content, "utf-8")
    return tmp_path


def answer(data: dict) -> dict:
    """Return of a check as data what a person reads: who, with whom, how much, what is left out."""
    return {
        "texts": [
            (one["name"], one["meta"].get("person"), one["reference"]) for one in data["documents"]
        ],
        "pairs": {
            (pair["a"], pair["b"]): (pair["case"], pair["coverage_a"], pair["longest"])
            for pair in data["pairs"]
        },
        "skipped": sorted((one["name"], one["code"]) for one in data["skipped"]),
    }


def by_command(folders: Path, asked: Asked, open_app: object = None) -> dict:
    out = folders / "out.json"
    words = [str(folders / "class"), "--against", str(folders / "before")]
    if asked.sheet:
        words += ["--template", str(folders / "task" / "task.txt")]
    for name, value in asked.settings.items():
        words += ["--set", f"{name.replace('_', '-')}={'on' if value is True else value}"]
    assert main(["check", *words, "--project", str(folders / "p.leitong"), "-o", str(out)]) == 0
    return json.loads(out.read_text("utf-8"))


def by_door(folders: Path, asked: Asked, open_app: object) -> dict:
    result = lt.check(
        folders / "class",
        against=folders / "before",
        templates=folders / "task" if asked.sheet else None,
        settings=lt.Settings(**asked.settings),
    )
    return check_data(result.core, translator("en"))


def by_page(folders: Path, asked: Asked, open_app: object) -> dict:
    app = upload(open_app(), *((name, text.encode()) for name, text in CLASS.items()))
    app.selectbox(key="against_way").set_value("files").run()
    last = [(name, text.encode(), "text/plain") for name, text in LAST_YEAR.items()]
    app.file_uploader(key="against_files").set_value(last).run()
    app = rest(app, "against")
    if asked.sheet:
        box = next(one for one in app.file_uploader if one.key.startswith("template_files"))
        box.upload("task.txt", SHEET.encode()).run()
    if asked.others:
        app.toggle(key="against_author").set_value(True).run()
    app.button(key="start").click().run()
    app = rest(app, "check")
    return check_data(app.session_state["lt.open"].current.result, translator("en"))


def again(folders: Path, asked: Asked, open_app: object) -> dict:
    by_command(folders, asked)
    project = Project.open(folders / "p.leitong")
    found = run(Request.load(project), earlier=project.result())
    project.close()
    return check_data(found.view.result if found.view else found.result, translator("en"))


def from_file(folders: Path, asked: Asked, open_app: object) -> dict:
    by_command(folders, asked)
    out = folders / "again.json"
    assert main(["check", "--from", str(folders / "p.leitong"), "-o", str(out)]) == 0
    return json.loads(out.read_text("utf-8"))


@pytest.mark.long
@pytest.mark.parametrize("asked", QUESTIONS, ids=["sheet", "no sheet", "other authors"])
@pytest.mark.parametrize("asker", [by_door, by_page, again, from_file])
def test_whoever_asks_gets_one_answer(asker, asked: Asked, folders: Path, open_app) -> None:
    """Latest versions, authors, common text, references by the same author, an earlier result."""
    expected = answer(by_command(folders, asked))
    got = answer(asker(folders, asked, open_app))

    assert got == expected
    assert {"Emma Clarke", "Tom Whitfield"} <= {person for _, person, _ in got["texts"]}
    (skipped,) = got["skipped"]
    assert "draft" in skipped[0]
    assert skipped[1] == "earlier_version"
    own = [pair for pair in got["pairs"] if all("1004" in name for name in pair)]
    assert bool(own) != asked.others


def test_what_is_asked_is_what_is_stored(folders: Path) -> None:
    """All versions, references, task sheet and settings."""
    by_command(folders, Asked())
    project = Project.open(folders / "p.leitong")
    held = Request.load(project)
    project.close()

    assert len(held.texts.documents) == len(CLASS)
    assert [one.name for one in held.texts.references] == sorted(LAST_YEAR)
    assert [one.text for one in held.texts.templates] == [SHEET]
    assert held.settings == lt.Settings(**SETTINGS)


@pytest.mark.parametrize("budget", ["", "300MB"])
def test_memory_changes_no_answer(budget: str, folders: Path, monkeypatch) -> None:
    request = Request(
        texts=Texts(tuple(document(name, text) for name, text in CLASS.items())),
        settings=lt.Settings(**SETTINGS),
    )
    expected = check_data(run(request).result, translator("en"))["pairs"]
    if budget:
        monkeypatch.setenv("LEITONG_MEMORY", budget)

    found = run(request, memory=None if budget else sys.maxsize).result

    assert check_data(found, translator("en"))["pairs"] == expected


def test_a_library_that_is_not_there_is_said_before_anything_is_read_or_stored(
    folders: Path, capsys
) -> None:
    project = folders / "p.leitong"
    (folders / "class" / "broken.docx").write_bytes(b"no document")
    words = [str(folders / "class"), "--against", "library:press", "--project", str(project)]

    assert main(["check", *words, "--lang", "en"]) == 2
    said = capsys.readouterr().err
    assert "press" in said or "texts.library" in said
    assert "broken.docx" not in said
    assert not project.exists()
    library = lt.Library(folders / "own.library", create=True)
    with library, pytest.raises(lt.LeitongError) as refused:
        lt.check(folders / "class", against=library, collections=["press"], language="en")
    assert "press" in str(refused.value)


def document(name: str, text: str, person: str = "") -> Document:
    return Document.from_text(text, name=name, **({"person": person} if person else {}))


def test_a_text_that_is_added_may_be_a_later_version_of_a_stored_one() -> None:
    """Whatever its file is called: who wrote it says so, before the latest are taken."""
    project = Project.in_memory()
    first = (document("draft.txt", english(1, 200), "Emma"), document("tom.txt", english(2, 200)))
    run(Request(texts=Texts(first)), project=project)
    late = Texts((document("essay final.txt", english(1, 200) + SHARED, "Emma"),))

    request = Request(texts=late).add_to(Request.load(project))
    found = run(request, project=project, earlier=project.result())

    assert [one.name for one in found.result.documents] == ["tom.txt", "essay final.txt"]
    assert [(one.name, one.code) for one in found.versions] == [("draft.txt", "earlier_version")]
    assert [one.name for one in project.texts().documents] == [
        *("draft.txt", "tom.txt", "essay final.txt")
    ]


@pytest.mark.parametrize("same_author", [True, False])
def test_references_by_the_author_are_compared_only_where_that_is_wanted(same_author: bool) -> None:
    mine = document("essay.txt", english(1, 200) + SHARED, "Emma")
    before = document("last year.txt", SHARED + english(7, 100), "Emma")
    texts = Texts((mine,), (), (before,))

    result = run(Request(texts=texts, beside=Beside(same_author=same_author))).result

    assert bool(len(result.table)) == same_author


def test_a_check_that_fails_leaves_what_was_asked_and_no_result() -> None:
    project = Project.in_memory()
    request = Request(texts=Texts((document("a.txt", english(1, 90)),)))

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(request, project=project, progress=stop)

    assert project.state == "read"
    assert project.result() is None
    assert [one.name for one in project.texts().documents] == ["a.txt"]
    assert project.settings() == request.settings
