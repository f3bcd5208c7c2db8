"""Pages of the web on Check, without a browser: off by itself, sentences shown as text."""

from __future__ import annotations

import pytest
from page_runs import upload
from page_texts import listed

from pages._ui.web import form
from simhash_core.app import department
from simhash_core.storage import web_folder
from simhash_core.web import SentLog, service_of, set_service
from tests.web.server import ARTICLE

TEXT = " ".join(ARTICLE)


def words(app) -> str:
    return " ".join(markup.proto.body for markup in app.get("html"))


@pytest.fixture
def check(open_app, language):
    """The page Check with one text, compared with pages of the web."""

    def start(text: str = TEXT, name: str = "essay.txt"):
        app = open_app(language=language)
        upload(app, (name, text.encode()))
        app.selectbox(key="against_way").set_value("web").run()
        assert not app.exception, app.exception[0].message
        return app

    return start


def owner_folder(app):
    return web_folder(app.session_state["lt.owner"])


def test_web_is_off_until_an_address_is_entered(check, language):
    app = check()

    assert {"zh": "未开启", "en": "Off."}[language] in words(app)
    assert not [button for button in app.button if button.key == "web_look"]
    assert service_of(owner_folder(app)) == ""
    assert {"zh": "文本不会离开", "en": "No text leaves"}[language] in words(app)


@pytest.mark.long
def test_sidebar_does_not_say_that_nothing_leaves_once_something_may(check, language):
    app = check()
    set_service(owner_folder(app), "http://localhost:8888")
    app.run()

    assert {"zh": "文本不会离开", "en": "No text leaves"}[language] not in words(app)
    assert {"zh": "看过之后", "en": "looked at and sent"}[language] in words(app)


def test_an_address_that_is_none_is_said_and_not_taken(check):
    app = check()
    app.text_input(key="web_address").set_value("ftp://nowhere").run()

    assert not app.exception
    assert service_of(owner_folder(app)) == ""
    assert app.text_input(key="web_address").value == "ftp://nowhere"
    assert not [button for button in app.button if button.key == "web_look"]
    app.text_input(key="web_address").set_value("http://localhost:8888").run()
    assert service_of(owner_folder(app)) == "http://localhost:8888"
    app.text_input(key="web_address").set_value("").run()
    assert service_of(owner_folder(app)) == ""


def test_sentences_are_shown_as_text_and_sent_nowhere(check):
    app = check(
        TEXT
        + " <img src=x onerror=alert(1)> [link](javascript:alert(1)) narwhals sing loudly tonight."
    )
    set_service(owner_folder(app), "http://localhost:1")
    app.run()
    app.button(key="web_look").click().run()
    shown = words(app)

    assert "<img src=x" not in shown
    assert "Skarv" in shown
    assert SentLog(owner_folder(app)).entries() == ()
    assert len([box for box in app.checkbox if box.key.startswith("web_sentence_")]) >= 3


def test_log_is_shown_and_deleted(check):
    app = check()
    log = SentLog(owner_folder(app))
    log.note("search", "localhost:8888", "<b>words</b> that left")
    app.run()
    app.session_state["web_log"] = True
    app.run()

    assert listed(app, "web_log_table")[0][3] == "<b>words</b> that left"
    app.button(key="web_log_delete").click().run()
    assert log.entries() == ()


def test_server_for_many_does_not_ask_services_of_its_network(monkeypatch, tmp_path):
    """Who signs in from elsewhere must not reach it through the address of a service."""
    read = pytest.importorskip("simhash_core.server.department").read
    assert form.is_offered()
    here = tmp_path / "server.toml"
    here.write_text('address = "https://leitong.school.example"', "utf-8")
    monkeypatch.setattr(department, "find_department", lambda: read(here))

    assert not form.is_offered()
