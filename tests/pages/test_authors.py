"""Who wrote what, and what everybody was given, on the page Check."""

from __future__ import annotations

from page_texts import said
from prose import chinese
from streamlit.testing.v1 import AppTest

from pages._ui.check import authors, uploads
from pages._ui.shared.open_checks import OpenCheck
from simhash_core import Document
from simhash_core.storage import Project

NAMES = ["一班-2021010101-王梓涵-作文.txt", "一班-2021010102-陈思远-作文.txt"]


def batch() -> uploads.Batch:
    entries = [
        uploads.Entry(name, document=Document.from_text(chinese(row, 80), name=name), words=80)
        for row, name in enumerate(NAMES)
    ]
    return uploads.Batch(entries=entries)


def test_authors_are_recognised_when_the_files_are_read():
    entries = batch().entries
    authors._recognise(entries)

    assert [entry.document.meta["person"] for entry in entries] == ["王梓涵", "陈思远"]
    assert [entry.document.meta["class_name"] for entry in entries] == ["一班", "一班"]


def test_dates_are_written_as_people_write_them():
    def shown():
        from pages._ui.check.authors import _write_date

        assert _write_date("2013-12-23T12:15:00+00:00").startswith("23 Dec 2013, ")
        assert _write_date("Advent") == "Advent"

    app = AppTest.from_function(shown)
    app.session_state["lt.language"] = "en"
    assert not app.run().exception


def test_the_dialog_shows_who_wrote_what(open_app, language):
    app = open_app(language=language)
    app.session_state["lt.open"] = OpenCheck(Project.in_memory(), "", batch=batch())
    app.run()
    assert not app.exception, app.exception[0].message
    assert {"zh": "认出 2 位学生", "en": "2 pupils recognised"}[language] in said(app)
    app.button(key="people").click().run()
    assert not app.exception, app.exception[0].message
    assert "班级-学号-姓名" in str(app.selectbox(key="people_pattern").options) or language == "en"


def test_a_pasted_template_is_named_before_the_check(open_app):
    app = open_app(language="en")
    app.session_state["lt.open"] = OpenCheck(Project.in_memory(), "", batch=batch())
    app.run()
    app.text_area(key="template_text").set_value(chinese(9, 100)).run()

    assert not app.exception, app.exception[0].message
    assert "Pasted text" in said(app)
    assert "not counted" in said(app)
