"""What a check was compared with, and what was decided, after a reload and a late file."""

from __future__ import annotations

import pytest
from page_runs import rest, upload
from page_texts import COPY, ESSAY, HILL, OTHER, ROPE, words

from pages._ui.shared import open_checks
from simhash_core import Document, Settings
from simhash_core.people.roster import Member
from simhash_core.storage import TEMPLATES_KEY, Beside, Shelf, Subject, owner_folder

FILES = (("a.txt", COPY.encode()), ("b.txt", OTHER.encode()), ("c.txt", HILL.encode()))
LAST_YEAR = ("old.txt", ESSAY.encode(), "text/plain")


def run_check(app):
    app.button(key="start").click().run()
    return rest(app, "check")


def reloaded(app, open_app, *, language: str = "en"):
    """The same browser after a reload, the server started again."""
    owner, key = app.session_state["lt.owner"], app.session_state["lt.open"].key
    open_checks.registry().close(owner, key)
    again = open_app(language=language)
    again.session_state["lt.owner"] = owner
    again.query_params["check"] = key
    return again.run()


def names(app) -> list[str]:
    return [one.name for one in app.session_state["lt.open"].current.result.documents]


@pytest.fixture
def compared(open_app):
    """A check of three files with one of last year, not of one author, not among themselves."""
    app = upload(open_app(), *FILES)
    app.selectbox(key="against_way").set_value("files").run()
    app.file_uploader(key="against_files").set_value([LAST_YEAR]).run()
    app = rest(app, "against")
    app.toggle(key="against_inside").set_value(False).run()
    app.toggle(key="against_author").set_value(True).run()
    return run_check(app)


@pytest.mark.long
def test_what_a_check_was_compared_with_is_there_after_a_reload_and_a_late_file(compared, open_app):
    assert names(compared) == ["a.txt", "b.txt", "c.txt", "old.txt"]
    again = reloaded(compared, open_app)
    assert again.selectbox(key="against_way").value == "files"
    assert not again.toggle(key="against_inside").value
    assert again.toggle(key="against_author").value
    again = run_check(upload(again, ("late.txt", ROPE.encode())))

    assert names(again) == ["a.txt", "b.txt", "c.txt", "late.txt", "old.txt"]
    result = again.session_state["lt.open"].current.result
    assert result.references == 1
    assert result.settings.skip_same_person
    assert {fact.code for fact in result.guarantees} >= {"only_against"}


@pytest.mark.long
def test_settings_and_pasted_sheets_are_there_after_a_reload(open_app):
    app = upload(open_app(), *FILES)
    app.session_state["lt.open"].choose(preset="strict", bits=128, skip_same_person=True)
    app.text_area(key="template_text").set_value(ROPE[:200]).run()
    before = run_check(app).session_state["lt.open"].project.settings()
    again = reloaded(app, open_app)
    assert again.radio(key="set_kind").value == "own"
    assert again.text_area(key="template_text").value == ROPE[:200].strip()
    again.text_area(key="template_text").set_value(ROPE[:100]).run()
    again = run_check(upload(again, ("late.txt", ROPE.encode())))

    project = again.session_state["lt.open"].project
    assert before is not None and before.skip_same_person and before.bits == 128
    assert project.settings() == before
    assert [text for _, text in project.get(TEMPLATES_KEY)] == [ROPE[:100].strip()]


@pytest.mark.long
def test_what_the_page_has_no_switch_for_stays_as_it_was(open_app):
    app = upload(open_app(), *FILES)
    project = app.session_state["lt.open"].project
    made = Settings.of("essays", weighting="tf", levels=(("word", 2),), strength=4.0)
    project.save_settings(made, state="read")
    project.save_documents(
        project.texts().documents, templates=[Document.from_text(ROPE, name="task")]
    )
    again = run_check(reloaded(app, open_app))

    assert again.session_state["lt.open"].project.settings() == made
    assert [one.name for one in again.session_state["lt.open"].sheets()] == ["task"]


@pytest.mark.long
def test_texts_to_compare_with_stay_on_other_pages_and_in_other_ways(open_app):
    app = upload(open_app(), *FILES)
    app.selectbox(key="against_way").set_value("files").run()
    app.file_uploader(key="against_files").set_value([LAST_YEAR]).run()
    rest(app, "against")
    app.switch_page("pages/library.py").run()
    app.switch_page("pages/check.py").run()
    for way in ("alone", "files"):
        app.selectbox(key="against_way").set_value(way).run()

    assert names(run_check(app))[-1:] == ["old.txt"]


@pytest.mark.long
def test_another_check_is_not_compared_as_the_one_before(compared, open_app):
    other = open_app()
    other.session_state["lt.owner"] = compared.session_state["lt.owner"]
    other = run_check(upload(other, *FILES))
    key = other.session_state["lt.open"].key
    compared.query_params["check"] = key
    compared.run()
    compared.switch_page("pages/check.py").run()

    assert compared.session_state["lt.open"].key == key
    assert compared.selectbox(key="against_way").value == "alone"


def test_a_library_that_is_gone_is_said_before_the_check(open_app, language):
    app = upload(open_app(), *FILES)
    app.session_state["lt.open"].lay_beside(Beside(libraries=("library:2024",)))
    again = reloaded(app, open_app, language=language)

    assert again.selectbox(key="against_way").value == "library"
    assert {"zh": "请另选用来对照的文本", "en": "Choose something else"}[language] in words(again)
    assert "start" not in {button.key for button in again.button}
    again.selectbox(key="against_way").set_value("alone").run()
    assert not again.button(key="start").disabled


@pytest.mark.long
def test_a_check_that_is_gone_leaves_the_texts_that_were_taken_from_it(compared, open_app):
    owner, source = compared.session_state["lt.owner"], compared.session_state["lt.open"].key
    app = open_app()
    app.session_state["lt.owner"] = owner
    app = upload(app, ("late.txt", ROPE.encode()))
    app.selectbox(key="against_way").set_value("check").run()
    open_checks.registry().close(owner, source)
    Shelf(owner_folder(owner)).remove(source)
    again = run_check(reloaded(app, open_app))

    assert names(again) == ["late.txt", "a.txt", "b.txt", "c.txt"]


@pytest.mark.long
def test_a_decided_case_that_goes_is_named_with_its_number_and_note(compared, open_app, language):
    opened = compared.session_state["lt.open"]
    compared.switch_page("pages/results.py").run()
    title = {"zh": "以前判过、这次结果里没有的", "en": "Decided before, not in this result"}
    a, *_, old = opened.current.result.documents
    pair = Subject.pair(a.id, old.id)
    opened.project.decide([pair], verdict="confirmed", note="talk to both", reviewer="Wu")
    again = reloaded(compared, open_app, language=language)
    again.switch_page("pages/results.py").run()
    assert title[language] not in words(again)
    again.switch_page("pages/check.py").run()
    again.selectbox(key="against_way").set_value("alone").run()
    again = run_check(again)
    for page in ("results", "review"):
        again.switch_page(f"pages/{page}.py").run()
        assert not again.exception
        said = words(again)
        assert title[language] in said
        assert {
            "zh": "第 1 案，a和old：确认重合。批注：talk to both",
            "en": "Case 1, a and old: confirmed. Note: talk to both",
        }[language] in said

    again.session_state["hide_names"] = True
    assert "talk to both" not in words(again.run())


@pytest.mark.long
def test_a_late_pupil_has_his_name_and_the_check_keeps_its_own(open_app, language):
    app = open_app(language=language)
    texts = zip(("王梓涵", "李青青", "陈思远"), (ESSAY, OTHER, HILL), strict=True)
    app = upload(app, *((f"{name}_读书报告.txt", text.encode()) for name, text in texts))
    members = [Member(one) for one in ("王梓涵", "李青青", "陈思远", "蒋伟")]
    app.session_state["lt.open"].take_class_list(members)
    before = run_check(app).session_state["lt.open"].current
    name = {"zh": "3 篇", "en": "3 texts"}[language]
    again = reloaded(app, open_app, language=language)
    assert again.text_input(key="batch_name").value.startswith(name)
    again = run_check(upload(again, ("补交-蒋伟-读书报告.txt", ROPE.encode())))
    again.switch_page("pages/results.py").run()

    people = [one.meta.get("person") for one in again.session_state["lt.open"].batch.documents]
    assert sorted(people) == sorted(one.person for one in members)
    assert {"zh": "4 人", "en": "4 pupils"}[language] in words(again)
    assert name in words(again)
    (summary,) = Shelf(owner_folder(again.session_state["lt.owner"])).recent()
    assert (summary.texts, summary.first_texts) == (4, 3) and before.result.checked == 3
