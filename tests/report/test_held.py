"""What several texts hold, in the reports of a class: one case with one answer, in every format."""

from __future__ import annotations

import dataclasses
import io

import openpyxl
import pytest
from prose import english

import simhash_core as core
from simhash_core.cases import passage_cases
from simhash_core.i18n import translator
from simhash_core.model import Decision, Document
from simhash_core.report.build import report_of
from simhash_core.report.content import Report, Wanted
from simhash_core.report.formats import write_report
from simhash_core.result import CheckResult

from .conftest import MADE
from .test_formats import READ

PEOPLE = ("Ada", "Ben", "Cleo", "Dov", "Eve", "Finn", "Gil", "Hal")
SENTENCE = f"Old Ada Vane said: {english(7, 60)}"


@pytest.fixture(scope="module")
def result():
    """Eight texts of which five have a passage that names one of their writers."""
    texts = [
        f"{SENTENCE}\n\n{english(20 + row, 200)}" if row < 5 else english(20 + row, 260)
        for row in range(len(PEOPLE))
    ]
    return core.check(
        [
            Document.from_text(text, name=f"{one}.txt", person=f"{one} Vane")
            for one, text in zip(PEOPLE, texts, strict=True)
        ],
        settings=core.Settings(meaning="off"),
    )


def made(result: CheckResult, **given: object) -> Report:
    return report_of(result, Wanted("class", MADE, **given), translator("en"))


def test_a_report_of_a_class_holds_the_passage_once_with_its_answer(result):
    (one,) = made(result).shown.held
    assert one.rows == (0, 1, 2, 3, 4)
    assert (one.answer, one.automatic) == ("", False)
    assert SENTENCE[:40] in one.excerpt
    # an answer stands beside it
    (case,) = passage_cases(result)
    source = dataclasses.replace(case, decision=Decision("no_problem", "quotation"))
    (one,) = made(result, passages=[source]).shown.held
    assert (one.number, one.answer) == (case.number, "source")
    # a workbook has a sheet of it
    data = write_report(made(result), "xlsx", "en")
    sheet = openpyxl.load_workbook(io.BytesIO(data))["Passages of several"]
    heads, row = (tuple(cells) for cells in sheet.iter_rows(values_only=True))
    assert heads[:3] == ("No.", "Texts that have it", "Who")
    assert row[1] == 5 and "Cleo Vane" in row[2]


@pytest.mark.parametrize("form", ["html", "pdf"])
@pytest.mark.parametrize("anonymous", [False, True])
def test_pages_show_who_has_it(result, form, anonymous):
    shown = READ[form](write_report(made(result, anonymous=anonymous), form, "en"))

    assert "1 passage that several have" in shown
    assert ("Cleo" in shown) != anonymous
    assert ("Ada Vane" in shown) != anonymous
    assert "not answered" in shown
