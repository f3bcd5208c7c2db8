"""The contract of every format of a report: hostile names and texts stay text, all is said."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace

import openpyxl
import pytest

import simhash_core as core
from simhash_core import Document, check
from simhash_core.i18n import translator
from simhash_core.model import Decision, Skipped, pair_key
from simhash_core.report import Wanted, list_wanted, write_archive
from simhash_core.report.build import report_of
from simhash_core.report.columns import READ_OF_PAIRS, READ_OF_TEXTS, REPORT_TABLES
from simhash_core.report.content import KINDS
from simhash_core.report.formats import FORMATS, write_report
from simhash_core.result import CheckResult, list_rows
from simhash_core.storage import Damage

from .conftest import MADE, MakeReport
from .test_person import A, B, C

HOSTILE = (
    '<script>alert(1)</script>"><img src=x onerror=alert(2)>',
    "=HYPERLINK(\"http://x.example\")",
    "\u202egnp.exe\u2066",
    "**bold** [link](javascript:alert(3)) {{ 7*7 }} {% raw %}",
    "\x00\x07\x1b[31m]]>&amp;",
    "</style></title><b>",
)  # fmt: skip


def read_html(data: bytes) -> str:
    from selectolax.lexbor import LexborHTMLParser

    body = LexborHTMLParser(data.decode()).body
    return body.text()


def read_pdf(data: bytes) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    pages = [page.get_textpage().get_text_bounded() for page in document]
    return "\n".join(pages).replace("\r", "")


def read_xlsx(data: bytes) -> str:
    book = openpyxl.load_workbook(io.BytesIO(data))
    cells = [cell for sheet in book for row in sheet for cell in row if cell.value is not None]
    assert all(cell.data_type != "f" and cell.hyperlink is None for cell in cells)
    return "\n".join(str(cell.value) for cell in cells)


def read_csv(data: bytes) -> str:
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert not any(cell[:1] in "=+-@" for row in rows for cell in row if cell)
    return "\n".join(cell for row in rows for cell in row)


def read_json(data: bytes) -> str:
    def leaves(value: object) -> Iterator[str]:
        if isinstance(value, dict):
            for one in value.values():
                yield from leaves(one)
        elif isinstance(value, list):
            for one in value:
                yield from leaves(one)
        else:
            yield str(value)

    return "\n".join(leaves(json.loads(data)))


#: what a reader of a format sees
READ: dict[str, Callable[[bytes], str]] = {
    "html": read_html,
    "pdf": read_pdf,
    "csv": read_csv,
    "json": read_json,
    "xlsx": read_xlsx,
}


@pytest.fixture(scope="module")
def hostile():
    """Texts whose names, titles, authors, words and notes try to be something else."""
    common = (
        "The ferry leaves the northern pier at dawn and carries nobody but the postman and his "
        "dog, who sleeps under the bench until the island comes into sight behind the fog bank. "
    )
    documents = [
        Document.from_text(
            f"{common}{trick}\n{common.replace('dog', 'cat' if n % 2 else 'dog')}",
            name=f"{trick[:40]}{n}.txt",
            title=trick,
            author=f"{trick} {n}",
        )
        for n, trick in enumerate(HOSTILE)
    ]
    result = core.check(documents)
    decisions = {
        pair_key(*(result.documents[int(column[row])].id for column in
                   (result.table.pairs.left, result.table.pairs.right))):
        Decision("confirmed", "", HOSTILE[0], HOSTILE[1], MADE)
        for row in list_rows(result).tolist()
    }  # fmt: skip
    wanted = Wanted(kind="confirmed", made=MADE, title=HOSTILE[5], decisions=decisions)
    return result, report_of(result, wanted, translator("en"))


def test_every_format_is_read_back_here():
    assert READ.keys() == FORMATS.keys()


pytestmark = pytest.mark.filterwarnings("ignore:.*extension is not supported")  # data bars


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FORMATS)
def test_every_kind_can_be_written(make_report, name, kind, language):
    report = make_report(kind, language=language)
    shown = READ[name](write_report(report, name, language))

    assert report.number in shown
    assert report.facts.version in shown and report.facts.recipe[:8] in shown
    evidence = {"zh": "线索，不是结论", "en": "not a verdict"}
    assert evidence[language] in re.sub(r"\s+", " ", shown)
    assert not re.search(r"\breport\.[a-z_]+\.", shown), "a sentence is missing"


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", FORMATS)
def test_damage_of_the_file_stands_at_the_head(make_report, name, language):
    faults = (Damage("event", {"number": 7}), Damage("missing", {"first": 9, "last": 11}))
    report = make_report("class", language=language, damage=faults)
    shown = re.sub(r"\s+", " ", READ[name](write_report(report, name, language)))
    said = {
        "zh": "这次检测的文件有损坏：第 7 条判断记录损坏或被改动。第 9 至 11 条判断记录缺失。",
        "en": "The file of this check is damaged: Entry 7 of the record",
    }[language]

    assert said.replace(" ", "") in shown.replace(" ", "")
    assert shown.index(said[:6]) < 600
    whole = READ[name](write_report(make_report("class", language=language), name, language))
    assert said[:12] not in whole


@pytest.mark.parametrize("name", FORMATS)
def test_a_report_says_the_same_twice(make_report, name):
    first, second = (READ[name](write_report(make_report("class"), name, "zh")) for _ in "12")

    assert first == second


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_names_and_texts_stay_text(hostile, name):
    shown = READ[name](write_report(hostile[1], name, "en"))
    plain = re.sub(r"\s+", "", shown)

    assert "<script>alert(1)</script>" in plain
    assert "=HYPERLINK(" in plain
    assert "**bold**[link](javascript:alert(3)){{" in plain
    assert "[U+202E]" in plain and not re.search("[\u202a-\u202e\u2066-\u2069\x00\x1b]", shown)


@pytest.mark.parametrize("name", FORMATS)
def test_a_class_without_overlap_says_so(name):
    texts = ["昆虫标本采集需要耐心，夜间灯诱效果最佳。" * 4, "火车站广场改造工程延期半年。" * 6]
    result = core.check([Document.from_text(text, name=text[:2]) for text in texts])
    report = report_of(result, Wanted(kind="class", made=MADE), translator("zh"))

    said = READ[name](write_report(report, name, "zh"))
    assert "没有找到只和个别人相同" in said or "没有找到重合" in said


# --------------------------------------------------------------------------- archives
def test_each_person_of_a_confirmed_case_gets_a_file(essays, decisions):
    wanted = Wanted(kind="confirmed", made=MADE, checked=MADE, decisions=decisions)
    each = list_wanted(essays, wanted, ("person", "class", "confirmed"))
    confirmed = {
        key for pair, one in decisions.items() if one.verdict == "confirmed" for key in pair
    }
    rows = [row for row, one in enumerate(essays.documents) if one.id in confirmed]

    assert [(one.kind, one.rows) for one in each] == [
        *(("person", (row,)) for row in rows),
        ("class", ()),
        ("confirmed", ()),
    ]
    assert list_wanted(essays, wanted, ("class",)) == [each[-2]]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_archive_holds_every_report_under_a_name_of_its_own(language):
    texts = [
        Document.from_text(text, name=f"{n}.txt", person="林晓雨" if n < 2 else "王梓涵")
        for n, text in enumerate((A, B, C))
    ]
    result = check(texts)
    wanted = [
        *(Wanted(kind="person", rows=(row,), made=MADE, checked=MADE) for row in range(3)),
        Wanted(kind="class", made=MADE, checked=MADE),
    ]
    told: list[tuple[int, int]] = []
    data, name = write_archive(
        result, wanted, "html", language, progress=lambda _, done, n: told.append((done, n))
    )
    archive = zipfile.ZipFile(io.BytesIO(data))
    names = archive.namelist()

    assert name.endswith(".zip")
    assert len(names) == len(set(names)) == 4
    assert sum("林晓雨" in one for one in names) == 2
    assert all(archive.read(one).startswith(b"<!doctype html") for one in names)
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4)]


# --------------------------------------------------------------------------- the workbook
READABLE = {"pairs": READ_OF_PAIRS, "texts": READ_OF_TEXTS}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_workbook_opens_on_what_a_person_reads_and_has_technical_sheets(make_report, language):
    report, t = make_report("class", language=language), translator(language)
    book = openpyxl.load_workbook(io.BytesIO(write_report(report, "xlsx", language)))
    first = book.worksheets[0]

    assert first.title == t("report.table.sheet_pairs") and book.active is first
    for code, names in READABLE.items():
        if (title := t(f"report.table.sheet_{code}")) in book.sheetnames:
            heads = [cell.value for cell in book[title][1]]
            named = {column.name: t(column.label) for column in REPORT_TABLES[code]}
            assert heads == [named[name] for name in names]
    shares = [cell for row in first.iter_rows(min_row=2, min_col=4, max_col=5) for cell in row]
    assert {cell.number_format for cell in shares} == {"0%"}
    assert all(cell.value == round(cell.value, 4) for cell in shares)
    totals = [row[2].value for row in book[t("report.table.sheet_texts")].iter_rows(min_row=2)]
    assert totals == sorted(totals, reverse=True)

    for code, keys, kept in (
        ("texts", 2, ("file", "hash", "encoding", "counted")),
        ("pairs", 3, ("distance", "reviewer", "time", "counted_a")),
    ):
        table = t(f"report.table.sheet_{code}")
        sheet = book[t("report.table.technical", table=table)]
        heads = [cell.value for cell in sheet[1]]
        named = {column.name: t(column.label) for column in REPORT_TABLES[code]}

        assert heads[:keys] == [cell.value for cell in book[table][1]][:keys]
        assert {named[name] for name in kept} <= set(heads)
        assert not {named[name] for name in kept} & {cell.value for cell in book[table][1]}


@pytest.mark.parametrize("name", ["html", "pdf", "xlsx", "csv"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_reason_is_its_label_and_a_date_says_when_it_was_decided(
    make_report: MakeReport, essays: CheckResult, name: str, language: str
) -> None:
    a, b = (essays.documents[row].id for row in (7, 20))
    decisions = {pair_key(a, b): Decision("no_problem", "common", "", "", MADE)}
    report, t = make_report("class", language=language, decisions=decisions), translator(language)
    shown = READ[name](write_report(report, name, language))

    assert t("review.reason.common") in shown and not re.search(r"\bcommon\b(?! phrase)", shown)
    assert not re.search("were read on|[Aa]fter reading|读过(?!原文的人|两篇)", shown)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("code", ["scanned", "needs_ocr", "nothing_recognised"])
def test_a_scan_is_not_read_and_nothing_is_to_be_installed(essays, language, code):
    result = replace(essays, skipped=(*essays.skipped, Skipped("scan.pdf", code)))
    for kind in ("class", "confirmed"):
        report = report_of(result, Wanted(kind, MADE), translator(language))
        for name in FORMATS:
            shown = READ[name](write_report(report, name, language))
            assert "pip" not in re.sub(r"\bpip(e|eline)", "", shown), (kind, name)
