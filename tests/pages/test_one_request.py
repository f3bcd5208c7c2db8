"""One class, asked by the command line, the page, Python and again as it is stored: one answer."""

from __future__ import annotations

import json
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
LAST_YEAR = {"last year.txt": english(5, 120) + english(4, 200)[:600]}


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
        "skipped": [(one["name"], one["code"]) for one in data["skipped"]],
    }


def by_command(folders: Path, open_app: object) -> dict:
    out = folders / "out.json"
    asked = [str(folders / "class"), "--against", str(folders / "before")]
    asked += ["--template", str(folders / "task" / "task.txt"), "--set", "meaning=off"]
    assert main(["check", *asked, "--project", str(folders / "p.leitong"), "-o", str(out)]) == 0
    return json.loads(out.read_text("utf-8"))


def by_door(folders: Path, open_app: object) -> dict:
    result = lt.check(
        folders / "class",
        against=folders / "before",
        templates=folders / "task",
        settings=lt.Settings(meaning="off"),
    )
    return check_data(result.core, translator("en"))


def by_page(folders: Path, open_app: object) -> dict:
    app = upload(open_app(), *((name, text.encode()) for name, text in CLASS.items()))
    app.selectbox(key="against_way").set_value("files").run()
    last = [(name, text.encode(), "text/plain") for name, text in LAST_YEAR.items()]
    app.file_uploader(key="against_files").set_value(last).run()
    app = rest(app, "against")
    box = next(one for one in app.file_uploader if one.key.startswith("template_files"))
    box.upload("task.txt", SHEET.encode()).run()
    app.button(key="start").click().run()
    app = rest(app, "check")
    return check_data(app.session_state["lt.open"].current.result, translator("en"))


def again(folders: Path, open_app: object) -> dict:
    by_command(folders, open_app)
    project = Project.open(folders / "p.leitong")
    request = Request(texts=project.texts(), beside=project.beside(), settings=project.settings())
    result = run(request, earlier=project.result()).result
    project.close()
    return check_data(result, translator("en"))


@pytest.mark.long
@pytest.mark.parametrize("asked", [by_door, by_page, again])
def test_whoever_asks_gets_one_answer(asked, folders: Path, open_app) -> None:
    expected, got = answer(by_command(folders, open_app)), answer(asked(folders, open_app))

    assert got["texts"] == expected["texts"]
    assert got["pairs"] == expected["pairs"]
    assert sorted(got["skipped"]) == sorted(expected["skipped"])
    people = {person for _, person, _ in got["texts"]}
    assert {"Emma Clarke", "Tom Whitfield"} <= people
    (skipped,) = got["skipped"]
    assert "draft" in skipped[0] and skipped[1] == "earlier_version"


def document(name: str, text: str, person: str = "") -> Document:
    return Document.from_text(text, name=name, **({"person": person} if person else {}))


def test_a_text_that_is_added_may_be_a_later_version_of_a_stored_one() -> None:
    """Whatever its file is called: who wrote it says so, before the latest are taken."""
    project = Project.in_memory()
    first = (document("draft.txt", english(1, 200), "Emma"), document("tom.txt", english(2, 200)))
    run(Request(texts=Texts(first)), project=project)
    late = Texts((document("essay final.txt", english(1, 200) + SHARED, "Emma"),))

    request = Request(texts=late).add_stored(project)
    result, versions = run(request, project=project, earlier=project.result())

    assert [one.name for one in result.documents] == ["tom.txt", "essay final.txt"]
    assert [(one.name, one.code) for one in versions] == [("draft.txt", "earlier_version")]
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
