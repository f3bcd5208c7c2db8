"""Checks that last, without a browser: attaching, owners, keeping nothing, the first page."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from page_runs import rest, upload
from page_texts import COPY, ESSAY, OTHER, words

from pages._ui.check import recent
from pages._ui.shared import open_checks
from simhash_core.storage import Project, Shelf, Subject, owner_folder

FILES = (("a.txt", ESSAY.encode()), ("b.txt", COPY.encode()), ("c.txt", OTHER.encode()))


def as_owner(app, key):
    """Make a page of the same browser."""
    app.session_state["lt.owner"] = key
    return app


@pytest.fixture
def checked(open_app):
    """A page after a check of three files."""
    app = upload(open_app(), *FILES)
    app.button(key="start").click().run()
    app = rest(app, "check")
    return app


@pytest.mark.long
def test_a_check_is_stored_listed_and_opened_by_its_owner(checked, open_app):
    opened = checked.session_state["lt.open"]
    stored = Project.open(opened.project.path)
    assert stored.state == "checked"
    assert [document.name for document in stored.texts().documents] == ["a.txt", "b.txt", "c.txt"]
    result = stored.result()
    assert result is not None
    assert len(result.documents) == 3
    # first page lists the check
    owner = checked.session_state["lt.owner"]
    shelf = Shelf(owner_folder(owner))
    (summary,) = shelf.recent()
    assert (summary.texts, summary.state) == (3, "checked")
    app = as_owner(open_app(), owner).run()
    assert "paste" in {button.key for button in app.button}  # below the doors
    assert "Recent checks" in words(app)
    # address opens the check in another tab
    key, owner = checked.session_state["lt.open"].key, checked.session_state["lt.owner"]
    second = as_owner(open_app("results"), owner)
    second.query_params["check"] = key
    second.run()
    assert second.session_state["lt.check"] is checked.session_state["lt.check"]
    # threshold and hidden names are found again
    checked.switch_page("pages/results.py").run()
    checked.session_state["k"] = 11
    checked.session_state["hide_names"] = True
    checked.run()
    opened = checked.session_state["lt.open"]
    assert opened.project.get("view") == {"threshold": 11, "hide_names": True}
    # new check leaves the stored one
    key = checked.session_state["lt.open"].key
    checked.switch_page("pages/check.py").run()
    checked.button(key="clear").click().run()
    assert "lt.open" not in checked.session_state
    assert Shelf(owner_folder(checked.session_state["lt.owner"])).open(key)


@pytest.mark.long
def test_address_of_another_owner_opens_nothing(checked, open_app, language):
    stranger = open_app("results", language=language)
    stranger.query_params["check"] = checked.session_state["lt.open"].key
    stranger.run()

    assert "lt.check" not in stranger.session_state
    assert {"zh": "这里没有这次检测", "en": "No such check here"}[language] in words(stranger)
    stranger.button(key="lost_go").click().run()
    assert "lt.lost" not in stranger.session_state


@pytest.mark.parametrize("key", ["../../x", "x" * 22, "%00", "<b>", "é" * 22])
def test_made_up_addresses_open_nothing(open_app, key):
    app = open_app()
    app.query_params["check"] = key
    app.run()

    assert not app.exception
    assert "lt.open" not in app.session_state


@pytest.mark.long
def test_every_page_says_what_is_damaged_and_the_case_is_undecided(checked, open_app, language):
    opened, owner = checked.session_state["lt.open"], checked.session_state["lt.owner"]
    a, b, _ = opened.current.result.documents
    for verdict in ("no_problem", "confirmed"):
        opened.project.decide([Subject.pair(a.id, b.id)], verdict=verdict)
    with opened.project.database.writing() as connection:
        connection.execute("UPDATE event SET content = content || ' ' WHERE seq = 2")
    open_checks.registry().close(owner, opened.key)
    lead = {"zh": "这次检测的文件有损坏", "en": "The file of this check is damaged"}[language]
    said = {"zh": "第 2 条判断记录损坏或被改动", "en": "Entry 2 of the record"}[language]
    for page in ("results", "review"):
        app = as_owner(open_app(language=language), owner)
        app.query_params["check"] = opened.key
        app.run().switch_page(f"pages/{page}.py").run()
        assert lead in words(app), page
        assert said in words(app), page
        assert app.session_state["lt.open"].project.decisions() == {}


def test_keep_nothing_stores_nothing(open_app, data_folder):
    app = open_app()
    app.toggle(key="keep_nothing").set_value(True).run()
    app = upload(app, *FILES)
    app.button(key="start").click().run()
    app = rest(app, "check")
    opened = app.session_state["lt.open"]

    assert len(app.session_state["lt.check"].result.documents) == 3
    assert (opened.key, opened.project.path) == ("", None)
    assert not owner_folder(app.session_state["lt.owner"]).exists()


@pytest.mark.long
def test_keep_nothing_takes_a_stored_check_from_the_disk_and_back(checked):
    opened = checked.session_state["lt.open"]
    folder = owner_folder(checked.session_state["lt.owner"])
    a, b, _ = opened.current.result.documents
    opened.project.decide([Subject.pair(a.id, b.id)], verdict="later")
    checked.switch_page("pages/check.py").run()
    checked.radio(key="set_kind").set_value("articles").run()
    checked.toggle(key="keep_nothing").set_value(True).run()

    assert checked.radio(key="set_kind").value == "articles"
    assert list(folder.iterdir()) == []
    assert len(opened.project.decisions()) == 1
    checked.toggle(key="keep_nothing").set_value(False).run()
    assert checked.radio(key="set_kind").value == "articles"
    (summary,) = Shelf(folder).recent()
    assert (summary.id, summary.state) == (opened.key, "checked")
    assert len(Project.open(summary.path).decisions()) == 1


@pytest.mark.long
def test_interrupted_check_is_offered_again(open_app, checked, language):
    owner = checked.session_state["lt.owner"]
    shelf = Shelf(owner_folder(owner))
    project = shelf.create()
    project.save_documents(checked.session_state["lt.check"].result.documents)
    project.save_settings(checked.session_state["lt.check"].result.settings)
    app = as_owner(open_app(language=language), owner)
    app.query_params["check"] = project.id
    app.run()
    assert {"zh": "上次中断了", "en": "This was interrupted"}[language] in words(app)
    app.button(key="go_on").click().run()
    app = rest(app, "check")

    assert len(app.session_state["lt.check"].result.documents) == 3
    assert project.state == "checked"


@pytest.mark.long
def test_open_checks_without_a_tab_are_closed_after_a_while(checked):
    registry = open_checks.Registry()
    opened = checked.session_state["lt.open"]
    owner = checked.session_state["lt.owner"]
    again, here = registry.find(owner, opened.key), [True]
    again.tabs = [lambda: here[0]]
    now = time.monotonic()
    here[0] = False
    registry.sweep(now)
    assert registry.peek(owner, opened.key) is again
    registry.sweep(now + open_checks.GONE_SECONDS)

    assert registry.peek(owner, opened.key) is None


def test_rows_of_the_list_say_how_far_the_review_is(monkeypatch):
    monkeypatch.setattr(recent, "_running", lambda key: None)
    monkeypatch.setattr("pages._ui.shared.session.language", lambda: "en")
    monkeypatch.setattr("pages._ui.shared.session.hide_names", lambda: False)
    one = Project.in_memory(name="class")
    summary = one.summary()
    states = {
        "none": replace(summary, state="checked", cases=4),
        "some": replace(summary, state="checked", cases=4, decided=1),
        "all": replace(summary, state="checked", cases=4, decided=4),
        "damaged": replace(summary, fault="store_damaged"),
    }
    for state, each in states.items():
        row = recent._row(each)
        assert row.state == state, state
    assert recent._row(states["some"]).review == "1 / 4"


@pytest.mark.long
def test_late_file_is_checked_with_what_was_found_before(checked):
    """The second check takes over what the first has found; decisions stay."""
    opened = checked.session_state["lt.open"]
    a, b, _ = opened.current.result.documents
    opened.project.decide([Subject.pair(a.id, b.id)], verdict="confirmed")
    checked.switch_page("pages/check.py").run()
    app = upload(checked, ("late.txt", COPY.encode() + b" Late."))
    app.button(key="start").click().run()
    app = rest(app, "check")
    result = app.session_state["lt.open"].current.result

    assert [document.name for document in result.documents][-1] == "late.txt"
    assert {"earlier"} <= {fact.code for fact in result.guarantees}
    assert len(opened.project.pair_decisions()) == 1
    assert opened.project.summary().texts == 4
