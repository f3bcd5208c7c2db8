"""The page Library without a browser: owners, texts in, looked up, checked against, deleted."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path

import pytest
from page_runs import rest, upload
from page_texts import COPY, ESSAY, OTHER, words

from pages._ui.library import page as library_page
from pages._ui.library.collections import Deleted
from pages._ui.shared import jobs
from simhash_core import Document
from simhash_core.checking.pipeline import run_check
from simhash_core.library import LibraryScope, Reading, import_documents, purge_library
from simhash_core.library.imports import _lock
from simhash_core.people import AUTOMATIC
from simhash_core.seen import find_holding
from simhash_core.storage import Shelf, library_address, owner_folder
from simhash_core.storage.browsers import new_owner
from simhash_core.storage.library import Library

OLD_OF_A, OLD_OF_B = "一组-2026010101-张三-旧作.txt", "一组-2026010102-李四-旧作.txt"
NEW_OF_A, NEW_OF_C = "一组-2026010101-张三-新作.txt", "一组-2026010103-王五-新作.txt"


def settled(app, kind: str):
    """Run the page again until a job of its library has ended."""
    owner, end = app.session_state["lt.owner"], time.monotonic() + 60
    while time.monotonic() < end:
        job = jobs._reader_jobs()[owner].get(kind)
        if job is None or job.state != "running":
            break
        app.run()
    return app.run()


@pytest.fixture
def owner():
    """An owner with one collection of two texts."""
    key = new_owner()
    address = Path(library_address(key))
    address.parent.mkdir(parents=True)
    texts = [
        Document.from_text(ESSAY, name="old.txt", author="Li Hua", title="Old essay"),
        Document.from_text(OTHER, name="other.txt"),
    ]
    with Library.open(address, owner=key, create=True) as library:
        import_documents(library, "2024", texts)
    return key


@pytest.fixture
def page(open_app, owner):
    """`page(language="zh")`: the page Library of that owner."""

    def start(**options):
        app = open_app(**options)
        app.session_state["lt.owner"] = owner
        app.switch_page("pages/library.py").run()
        assert not app.exception, app.exception[0].message
        return app

    return start


def held(app) -> Library:
    owner = app.session_state["lt.owner"]
    return Library.open(library_address(owner), owner=owner)


def test_empty_library_says_what_it_is_for(open_app, language):
    app = open_app("library", language=language)

    assert {"zh": "文库还是空的", "en": "The library is empty"}[language] in words(app)
    assert not Path(library_address(app.session_state["lt.owner"])).exists()


def test_first_texts_make_the_library(open_app, language):
    """The button of the dialog starts this: a full run, as here, would close the dialog."""
    app = open_app("library", language=language)
    app.button(key="library_add").click().run()
    assert app.text_input(key="first_collection")
    owner = app.session_state["lt.owner"]
    address = Path(library_address(owner))
    address.parent.mkdir(parents=True)
    with Library.open(address, owner=owner, create=True) as library:
        _added(library, [("a.txt", ESSAY.encode())])
    app.run()

    assert {"zh": "1 个文集，1 篇文本", "en": "1 collection, 1 text"}[language] in words(app)


def test_tables_bad_files_and_new_versions_are_told_apart(page):
    table = b"title,text\nFerry,The ferry leaves at seven and nobody waves to it.\n"
    files = [("news.csv", table), ("bad.docx", b"PK\x03\x04")]
    library = held(page())
    done = _added(library, files)
    assert (done.added, [row.name for row in done.skipped]) == (1, ["bad.docx"])
    assert library.rows(collection="news")[0].title == "Ferry"
    # new versions take the place of earlier ones with what a table says
    app = page()
    library = held(app)
    table = b"name,author\nold.txt,Wu\n"
    files = [("old.txt", (OTHER + ESSAY).encode()), ("table.csv", table)]
    done = _added(library, files, "2024", replaces=True)
    rows = {row.name: row for row in library.rows()}
    assert (done.added, done.skipped, len(rows)) == (1, (), 3)  # with the ferry
    assert (rows["old.txt"].author, rows["old.txt"].chars) == ("Wu", len(OTHER + ESSAY))


def _added(library, files, collection="news", **how):
    """Do what the thread of an import does."""
    reading = Reading(people=AUTOMATIC)
    return library_page.add_files(library, collection, files, reading, lambda *_: None, **how)


def test_what_the_library_holds_is_said_and_deleting_asks_for_the_name(page, language):
    app = page(language=language)
    shown = words(app)
    assert {"zh": "1 个文集，2 篇文本", "en": "1 collection, 2 texts"}[language] in shown
    assert {"zh": "词频统计", "en": "Word statistics"}[language] in shown
    # deleting asks for the name first
    app.button(key="delete_a_collection").click().run()
    assert app.button(key="delete_collection").disabled
    assert {"zh": "将删除“2024”及其中 2 篇文本", "en": "This deletes “2024” with 2 texts"}[
        language
    ] in words(app)


def test_nobody_sees_the_library_of_another(open_app, page):
    page()
    stranger = open_app("library")

    assert "2024" not in words(stranger)
    assert "The library is empty" in words(stranger)
    assert [box.options for box in stranger.selectbox] == []


def test_text_is_found_by_name_and_by_phrase_and_all_is_sound(page):
    app = page()
    for typed, found in (("li hua", "old.txt"), (OTHER[20:60], "other.txt")):
        app.text_area(key="lookup_phrase").set_value(typed).run()
        app.button(key="lookup_go").click().run()
        app = settled(app, "library_search")
        assert not app.exception
        assert [b.label for b in app.button if (b.key or "").startswith("hit_")] == [found]
    assert "<mark>" in words(app)
    # verify says that all is sound
    app = page()
    app.button(key="verify").click().run()
    app = settled(app, "library_verify")
    assert "Everything is as it was stored." in words(app)


def test_a_damaged_library_says_so_before_anything_is_read_from_it(page, owner, language):
    path = Path(library_address(owner))
    path.write_bytes(path.read_bytes().replace(b"Old essay", b"Old escay"))
    sentence = {"zh": "文库的一部分已损坏", "en": "Some of this library is damaged"}[language]

    assert sentence in words(page(language=language))


def test_interrupted_import_is_offered_again(page, tmp_path):
    (tmp_path / "late.txt").write_text(COPY, "utf-8")
    app = page()
    origin = {"paths": [str(tmp_path / "late.txt")], "reading": asdict(Reading())}
    held(app).jobs.start("2024", ["late.txt"], origin=origin)
    app.run()
    assert "0 stored, 1 left" in words(app)
    (go_on,) = [b for b in app.button if (b.key or "").startswith("resume_")]
    go_on.click().run()
    app = settled(app, "library_import")

    assert "1 text added" in words(app)
    assert "was interrupted" not in words(app)


def test_import_that_another_process_runs_is_not_offered(page):
    app = page()
    job = held(app).jobs.start("2024", ["late.txt"], origin={"paths": ["late.txt"]})
    with _lock(held(app), job):
        app.run()
        assert "was interrupted" not in words(app)


def test_checks_that_hold_a_deleted_text_are_named_and_cleaned(page, owner, language):
    shelf = Shelf(owner_folder(owner))
    new = Document.from_text(COPY, name="new.txt")
    with Library.open(library_address(owner), owner=owner) as library:
        result = run_check([new], LibraryScope(library=library))
    project = shelf.create(name="March")
    project.save_documents([new])
    project.save_result(result)
    project.close()
    app = page(language=language)
    held(app).remove_collection("2024")
    purged = purge_library(held(app))
    checks = tuple(
        (one.id, one.name) for one, _ in find_holding(shelf.recent(), shelf.open, purged.ids)
    )
    app.session_state["lt.library_deleted"] = Deleted("2024", purged.texts, (), purged.ids, checks)
    app.run()

    sentence = {"zh": "还有 1 次已存的查重保有副本", "en": "1 stored check still holds a copy"}
    assert sentence[language] in words(app)
    assert "March" in words(app)
    app.button(key="clean_checks").click().run()
    app = settled(app, "library_clean")
    assert {"zh": "已从 1 次查重里删除", "en": "Deleted from 1 stored check."}[language] in words(
        app
    )
    cleaned = shelf.open(shelf.recent()[0].id).result()
    assert cleaned is not None
    assert [one.name for one in cleaned.documents] == ["new.txt"]


def test_cancelled_import_is_not_offered_again(page):
    app = page()
    job = held(app).jobs.start("2024", ["late.txt"], origin={"paths": ["late.txt"]})
    app.run()
    app.button(key=f"cancel_{job}").click().run()

    assert "was interrupted" not in words(app)
    assert held(app).jobs.listed()[0].state == "cancelled"


# --------------------------------------------------------------------------- Compare with


@pytest.mark.long
def test_check_against_the_library_names_the_collection(open_app, owner):
    app = open_app()
    app.session_state["lt.owner"] = owner
    app = upload(app, ("new.txt", COPY.encode()))
    app.selectbox(key="against_way").set_value("library").run()
    assert not app.button(key="start").disabled  # one text is enough
    app.button(key="start").click().run()
    app = rest(app, "check")
    result = app.session_state["lt.check"].result

    assert [document.name for document in result.documents] == ["new.txt", "old.txt"]
    app.query_params["text"] = "0"
    app.switch_page("pages/results.py").run()
    assert "[2024] old.txt" in words(app) + str(app.selectbox)


@pytest.mark.long
def test_check_against_an_earlier_check_and_never_one_author(open_app):
    first = upload(open_app(), (OLD_OF_A, ESSAY.encode()), (OLD_OF_B, OTHER.encode()))
    first.button(key="start").click().run()
    rest(first, "check")
    second = open_app()
    second.session_state["lt.owner"] = first.session_state["lt.owner"]
    second = upload(second, (NEW_OF_A, COPY.encode()), (NEW_OF_C, COPY.encode()))
    second.selectbox(key="against_way").set_value("check").run()
    second.toggle(key="against_author").set_value(True).run()
    second.toggle(key="against_inside").set_value(False).run()
    second.button(key="start").click().run()
    second = rest(second, "check")
    result = second.session_state["lt.check"].result
    names = [document.name for document in result.documents]
    pairs = {
        (names[a], names[b])
        for a, b in zip(result.table.pairs.left, result.table.pairs.right, strict=True)
    }

    assert result.references == 2
    assert (NEW_OF_C, OLD_OF_A) in pairs
    assert (NEW_OF_A, OLD_OF_A) not in pairs  # one author
    assert (NEW_OF_A, NEW_OF_C) not in pairs  # not inside
    assert (OLD_OF_A, OLD_OF_B) not in pairs  # never inside the archive
