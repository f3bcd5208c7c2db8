"""The same meaning in reports: apart from every number, with letters, decided like any case."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from datetime import datetime

import alike
import numpy as np
import pytest
from openpyxl import load_workbook

from simhash_core import CheckResult
from simhash_core.i18n import translator
from simhash_core.model import Decision, pair_key
from simhash_core.report.build import report_of
from simhash_core.report.collation.folding import Line
from simhash_core.report.columns import tables
from simhash_core.report.content import ClassReport, PupilReport, Report, Wanted
from simhash_core.report.csv import pairs_csv, write_csv, write_json
from simhash_core.report.html import write_html
from simhash_core.report.json import to_json
from simhash_core.report.pdf import write_pdf
from simhash_core.report.words import Words
from simhash_core.report.xlsx import write_xlsx

from .conftest import cases_of

MADE = datetime(2026, 11, 21, 14, 32)
TITLE = {"zh": "只在意思上相近", "en": "Close in meaning"}
NOT_COUNTED = {"zh": "不算进重合", "en": "not counted in overlap"}
CLOSE = {
    "zh": "相似度 0.83，互不相干的句子最高 0.71",
    "en": "closeness 0.83; unrelated sentences reach 0.71 at most",
}


@pytest.fixture(scope="module")
def result() -> CheckResult:
    return alike.checked()


@pytest.fixture(scope="module")
def decided(result: CheckResult) -> dict[tuple[str, str], Decision]:
    """The copy and the first pair of the same meaning are confirmed."""
    ids = [document.id for document in result.documents]
    return {
        pair_key(ids[a], ids[b]): Decision("confirmed", "", "谈过。", "林老师", MADE)
        for a, b in (alike.COPIED, alike.ALIKE)
    }


def report(result: CheckResult, kind: str, language: str = "en", **wanted: object) -> Report:
    return report_of(result, Wanted(kind=kind, made=MADE, **wanted), translator(language))  # type: ignore[arg-type]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_table_of_pairs_names_what_the_json_names(result, language):
    """A pair that is alike in meaning alone, or may be translated, is not left out of the CSV."""
    t = translator(language)
    pairs = json.loads(to_json(result, t))["pairs"]
    lines = list(csv.DictReader(io.StringIO(pairs_csv(result, t).lstrip("\ufeff"))))
    text_a, text_b, evidence, passages = (
        t(f"cli.csv_{column}") for column in ("a", "b", "evidence", "passages")
    )

    assert [(line[text_a], line[text_b], line[evidence]) for line in lines] == [
        (pair["a"], pair["b"], "+".join(t(f"cli.evidence_{kind}") for kind in pair["evidence"]))
        for pair in pairs
    ]
    alone = [line for line in lines if line[evidence] == t("cli.evidence_meaning")]
    assert {line[passages] for line in alone} == {"0"}
    ends = {(line[text_a], line[text_b]) for line in alone}
    assert tuple(result.documents[row].name for row in alike.ALIKE) in ends


KINDS = [
    ("class", ()),
    ("pair", alike.ALIKE),
    ("sources", (2,)),
    ("confirmed", ()),
    ("person", (2,)),
]


@pytest.mark.parametrize(("kind", "rows"), KINDS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_kind_is_written(result, decided, kind, rows, language):
    made = report(result, kind, language, rows=rows, decisions=decided)

    page = write_html(made, language).decode()

    assert write_pdf(made, language).startswith(b"%PDF")
    assert (TITLE[language] in page) == (kind in ("class", "pair", "sources"))


@pytest.mark.parametrize(("kind", "rows"), [("pair", alike.ALIKE), ("confirmed", ())])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_lettered_passages_stand_in_the_apparatus(result, decided, kind, rows, language):
    made = report(result, kind, language, rows=rows, decisions=decided)
    case = cases_of(made)[-1]

    assert [one.number for one in case.collation.entries] == list("abcde")
    assert {one.kind for one in case.collation.entries} == {"meaning"}
    lines = [line for line in case.collation.lines if isinstance(line, Line)]
    assert {kind for line in lines for kind, _ in line.bars} == {"meaning", ""}
    page = write_html(made, language).decode()
    assert NOT_COUNTED[language] in page
    assert CLOSE[language] in page
    assert "费孝通" in page
    assert 'class="m meaning"' in page


def test_a_small_batch_prints_no_number(decided: dict[tuple[str, str], Decision]) -> None:
    few = alike.checked(np.full(50, 0.3, np.float32))
    made = report(few, "pair", rows=alike.ALIKE, decisions=decided)
    page = write_html(made, "en").decode()

    assert "closeness" not in page
    assert "0.83" not in page
    assert NOT_COUNTED["en"] in page
    assert [one.closeness for one in made.alike[0].answers] == [None] * 5


@pytest.mark.parametrize("language", ["zh", "en"])
def test_numbers_are_those_without_it(result, decided, language):
    without = dataclasses.replace(result, meanings=None)
    both = [report(one, "class", language, decisions=decided) for one in (result, without)]

    first, second = (report.shown for report in both)
    assert isinstance(first, ClassReport) and isinstance(second, ClassReport)
    assert len(both[0].overlapping) == 1
    assert both[0].overlapping == both[1].overlapping
    assert (first.counted, first.whole) == (second.counted, second.whole)
    assert [seat.shares for seat in first.seats] == [seat.shares for seat in second.seats]
    assert [one.division for one in first.seats] == [one.division for one in second.seats]
    plain, other = (
        {table.code: table for table in tables(Words.of(one, language))} for one in both
    )
    assert plain.keys() - other.keys() == {"meanings"}
    assert {code: plain[code] for code in other} == other


def test_the_class_marks_them_apart_and_confirmed_on_meaning_alone_says_so(result, decided):
    made = report(result, "class", "zh", decisions=decided)
    page = write_html(made, "zh").decode()

    assert len(made.decided("confirmed")) == 2
    assert "只有同义 5 处" in page
    assert "同义 5 处，不算进重合。" in page
    confirmed = write_html(report(result, "confirmed", "zh", decisions=decided), "zh").decode()
    assert "确认，只凭同义" in confirmed

    made = report(result, "class", "zh")
    page = write_html(made, "zh").decode()

    assert sum(seat.weak for seat in made.shown.members) == 4
    assert "另有 4 篇只在意思上相近，或像是译文" in page
    assert "<em>义</em>" in page
    assert "另有同义 2 对" in page


@pytest.mark.parametrize(("row", "said"), [(2, "另有 5 处只是意思相近，没有算进去。"), (4, "")])
def test_the_page_of_a_pupil_names_what_is_not_counted(result, decided, row, said):
    made = report(result, "person", "zh", rows=(row,), decisions=decided)
    page = write_html(made, "zh").decode()

    assert (said in page) if said else ("意思相近" not in page)
    assert ("确认，只凭同义" in page) == bool(said)
    assert isinstance(made.shown, PupilReport) and made.shown.division.shared == 0
    assert "李欣悦" not in page


def test_sheet_csv_and_json_have_them_apart(result, decided):
    made = report(result, "class", "en", decisions=decided)
    book = load_workbook(io.BytesIO(write_xlsx(made, "en")))
    rows = list(book["Same meaning"].iter_rows(values_only=True))

    assert len(rows) == 1 + 5 + 3
    first = dict(zip(rows[0], rows[2], strict=True))
    assert first["letter"] == "b"
    assert first["closeness"] == pytest.approx(0.83)
    assert first["words of both"] == "费孝通"
    assert len(list(book["Pairs"].iter_rows())) == 2  # the copy alone

    lines = list(csv.reader(io.StringIO(write_csv(made, "en").decode("utf-8-sig"))))
    json = write_json(made, "en").decode()

    assert sum(line[2:3] in ([letter] for letter in "abcde") for line in lines) == 8
    assert '"meanings"' in json


def test_hidden_names_stay_hidden_in_the_words(result: CheckResult) -> None:
    documents = tuple(
        dataclasses.replace(one, meta={"person": "费孝通"}) if row == 6 else one
        for row, one in enumerate(result.documents)
    )
    named = dataclasses.replace(result, documents=documents)
    made = report(named, "pair", "zh", rows=alike.ALIKE, anonymous=True)

    second = made.alike[0].answers[1]
    assert "费孝通" not in "".join((*second.words, second.excerpt_a, second.excerpt_b))
    assert "费孝通" not in write_html(made, "zh").decode().partition("校记")[2]


def test_hostile_text_is_escaped() -> None:
    hostile = [("<script>alert(1)</script> writing is for those apart.", "<b>Script</b> is of use "
                "to those apart.", 0.9, 0.2)]  # fmt: skip
    base = alike.checked()
    documents = list(base.documents)
    frames = ("One thing. {0} More of it.", "Another thing. {0} No more.")
    for row, text in zip(alike.ALIKE, alike.texts_of(hostile, frames), strict=True):
        documents[row] = dataclasses.replace(documents[row], text=text)
    meanings = alike.meanings_of(documents, {alike.ALIKE: hostile})
    result = dataclasses.replace(base, documents=tuple(documents), meanings=meanings)
    page = write_html(report(result, "pair", rows=alike.ALIKE), "en").decode()

    assert "<script>alert" not in page
    assert "script&gt;alert(1)&lt;/script&gt;" in page
