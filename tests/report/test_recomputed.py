"""Every figure of every report, file and table, read back and worked out again."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache

import openpyxl
import pypdfium2
import pytest
from golden.collection import SIZES, collection
from golden.runs import common_paragraphs, whole
from page_texts import integers
from recomputed import SHARED, Judge, Split
from selectolax.lexbor import LexborHTMLParser, LexborNode

from simhash_core import CheckResult, Document, check
from simhash_core.cases import case_rows
from simhash_core.cli.terminal import print_result
from simhash_core.i18n import Translate, translator
from simhash_core.model import Decision, pair_key
from simhash_core.report import pairs_csv, short
from simhash_core.report.build import report_of
from simhash_core.report.columns import tables
from simhash_core.report.content import KINDS, Report, Wanted
from simhash_core.report.formats import FORMATS, write_report
from simhash_core.report.json import check_data
from simhash_core.report.kinds import MOST_IN_APPENDIX
from simhash_core.report.words import Words
from simhash_core.result import list_rows
from simhash_core.seen.exclusion_view import ExclusionView, exclude
from simhash_core.seen.exclusions import Exclusions
from simhash_core.seen.thresholds import view_at_threshold

from .conftest import cases_of

MADE = datetime(2026, 11, 21, 14, 32)
LANGUAGES = ("zh", "en")
pytestmark = pytest.mark.filterwarnings("ignore:.*extension is not supported")  # data bars
#: the large batches take minutes: with all five kinds and formats they have their own command
BATCHES = [
    "25",
    "25-template",
    "25-exclusions",
    *(pytest.param(str(size), marks=pytest.mark.slow) for size in SIZES[1:]),
]


@cache
def seen(batch: str) -> tuple[CheckResult, ExclusionView | None]:
    """A golden batch; with what three texts hold word for word given, or excluded afterwards."""
    size, _, left_out = batch.partition("-")
    made = collection(int(size))
    common = common_paragraphs(made)
    if left_out == "exclusions":
        halves = [paragraph[: len(paragraph) // 2] for paragraph in common]
        view = exclude(whole(made), Exclusions(templates=tuple(halves)))
        return view.result, view
    if not left_out:
        return whole(made), None
    documents = [Document.from_text(text, name=name) for name, text in made.texts.items()]
    given = [Document.from_text(text, name="given") for text in common]
    return check(documents, templates=given), None


def checked(batch: str) -> CheckResult:
    return seen(batch)[0]


@cache
def judged(batch: str) -> Judge:
    result, view = seen(batch)
    return Judge(result, view.before if view else None)


@cache
def judged_before(batch: str) -> Judge | None:
    """What exclusions were applied to; None where nothing was excluded."""
    _, view = seen(batch)
    return Judge(view.before) if view else None


@cache
def reported(batch: str, kind: str, language: str) -> Report:
    """A report in which the three strongest pairs are confirmed and the next is no problem."""
    result = checked(batch)
    rows = list_rows(result).tolist()
    ends = [(int(result.table.pairs.left[row]), int(result.table.pairs.right[row])) for row in rows]
    ids = [pair_key(*(result.documents[row].id for row in pair)) for pair in ends]
    verdicts = ["confirmed"] * 3 + ["no_problem"]
    decisions = {key: Decision(verdict) for key, verdict in zip(ids, verdicts, strict=False)}
    of_kind = {
        "pair": ends[len(ends) // 2],
        "person": ends[0][:1],  # one of a confirmed pair
        "sources": ends[min(3, len(ends) - 1)][:1],  # one of a case
        "cluster": result.clusters[0].members,
    }
    wanted = Wanted(
        kind=kind,
        made=MADE,
        rows=of_kind.get(kind, ()),
        decisions=decisions,
        exclusions=seen(batch)[1],
    )
    return report_of(result, wanted, translator(language))


# --------------------------------------------------------------------------- tables
Rows = list[dict[str, object]]


def read_tables(report: Report, name: str, language: str) -> dict[str, Rows]:
    """Return the tables of a file under the names of their columns."""
    data, words = write_report(report, name, language), Words.of(report, language)
    if name == "json":
        held = json.loads(data)
        return {code: held.get(code, []) for code in ("texts", "pairs", "passages", "persons")}
    heads = {table.code: {words.t(one.label): one.name for one in table.columns}
             for table in tables(words)}  # fmt: skip
    if name == "csv":
        lines = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
        return {"pairs": _named(lines[: lines.index([])], heads["pairs"])}
    book = openpyxl.load_workbook(io.BytesIO(data))
    held = {}
    for code, columns in heads.items():
        title = words.t(f"report.table.sheet_{code}")
        parts = [
            _named([[cell.value for cell in row] for row in book[name]], columns)
            for name in (title, words.t("report.table.technical", table=title))
            if name in book.sheetnames
        ]
        if code == "texts":  # what a person reads is ranked
            parts = [sorted(part, key=lambda row: int(str(row["number"]))) for part in parts]
        held[code] = [
            {k: v for one in rows for k, v in one.items()} for rows in zip(*parts, strict=True)
        ]
    return held


def _named(lines: Sequence[Sequence[object]], heads: dict[str, str]) -> Rows:
    first, *rest = lines
    return [dict(zip((heads[str(one)] for one in first), row, strict=True)) for row in rest]


def wrong(shown: dict[str, object], figures: dict[str, object]) -> list[str]:
    """Name the figures of a row that are not as worked out; shares by a tenth of a percent."""
    lines = []
    for name, expected in figures.items():
        value = shown.get(name)
        if isinstance(expected, str):
            same = (value or "") == expected
        else:
            precision = 0.0005 + 1e-6 if isinstance(expected, float) else 1e-9
            same = abs(float(str(value or 0)) - float(str(expected))) <= precision
        if not same:
            lines.append(f"{name}: {value} instead of {expected}")
    return lines


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["csv", "json", "xlsx"])
@pytest.mark.parametrize("batch", BATCHES)
def test_tables_are_what_the_passages_give(batch, name, kind, language):
    report, judge, before = reported(batch, kind, language), judged(batch), judged_before(batch)
    held = read_tables(report, name, language)
    differences = [
        line
        for row, pair in zip(held["pairs"], report.pairs, strict=True)
        for line in wrong(row, judge.pair_figures(pair.table_row))
    ]
    for row in held.get("texts", []):
        differences += wrong(row, judge.figures(int(str(row["number"])) - 1))

    assert differences == []
    assert len(held["pairs"]) == len(report.pairs) > 0
    for row in held.get("texts", []):
        parts = [int(str(row[f"{one}_length"])) for one in (*SHARED, "own")]
        assert sum(parts) == row["counted"]
        assert sum(parts) + int(str(row["left_out_length"])) == row["length"]
        if before is None:
            assert not row.get("counted_before")
        else:
            then = before.text(int(str(row["number"])) - 1)
            figures = {"total": then.total, "shared": then.shared, "counted": then.counted}
            named = {f"{name}_before": figure for name, figure in figures.items()}
            assert wrong(row, named) == []


# --------------------------------------------------------------------------- pages of paper
def expected_of(report: Report, judge: Judge) -> dict[int, tuple[str, str, str]]:
    """Return both percents and the longest run of each pair, as they read, by its case."""
    shown = {}
    for pair in report.pairs:
        a, b = judge.pair(pair.table_row)
        shown[pair.case] = a.percent, b.percent, str(judge.longest_run(pair.table_row))
    return shown


def local(text: str, t: Translate) -> str:
    """Return a percent in the language of a report."""
    return text.replace("under 1%", t("frame.under_percent"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch", BATCHES)
def test_html_says_what_the_passages_give(batch, kind, language):
    report, judge, t = reported(batch, kind, language), judged(batch), translator(language)
    body = LexborHTMLParser(write_report(report, "html", language).decode()).body

    ranked, expected = _ranked(body, t), expected_of(report, judge)
    assert ranked == {place: tuple(local(one, t) for one in expected[place]) for place in ranked}
    if kind == "class":
        assert list(ranked) == [pair.case for pair in report.waiting][: short.MOST_ROWS]
    assert _confirmed(body, t) == _confirmed_of(report, judge, t)
    assert _heads(body) == heads_of(report, judge)
    assert [integers(line.text()) for line in body.css("p.sums")] == sums_of(report, judge)
    for row, cells in _texts(body, t):
        text, figures = judge.text(row), judge.figures(row)
        assert integers(cells["counted"]) == [text.counted, text.whole]
        assert integers(cells["shared"]) == [text.shared]
        assert cells["total"] == local(text.percent, t)
        single = [judge.pair(at)[side] for at, side, _ in judge.pairs_of(row)]
        most = max(single, key=lambda split: split.total, default=None)
        assert cells["largest"] == (local(most.percent, t) if most else "0%")
        assert integers(cells["longest_run"]) == [figures["longest_run"]]
    for a, b, shown in _matrix(body):
        assert shown == local(_between(judge, a, b).percent if a != b else "", t)
    for line in body.css("span.wb:not(.key)"):
        units = [int(re.findall(r"flex:(\d+)", part.attributes["style"] or "")[0])
                 for part in line.css("i")]  # fmt: skip
        assert sum(units) in judge.wholes


def sums_of(report: Report, judge: Judge) -> list[list[int]]:
    """Return the integers of each line that adds a text up, in the order of the report."""
    if report.kind == "sources":
        return [judge.text(report.subject[0]).sum]
    if report.kind != "pair":
        return []
    pairs = [judge.pair(case.pair.table_row) for case in cases_of(report)]
    return [split.sum for pair in pairs for split in pair]


def heads_of(report: Report, judge: Judge) -> list[list[int]]:
    """Return the integers above each column of a collation: counted, whole, percent."""
    return [
        [split.counted, split.whole, *integers(split.percent)]
        for case in cases_of(report)
        if case.collation.lines
        for split in judge.pair(case.pair.table_row)
    ]


def _heads(body: LexborNode) -> list[list[int]]:
    return [integers(line.text()) for line in body.css(".two.th small")]


def _confirmed_of(report: Report, judge: Judge, t: Translate) -> dict[int, tuple[object, ...]]:
    """Return the rows of the confirmed cases: both percents, passages, longest run."""
    shown = {}
    for pair in report.decided("confirmed") if report.kind in ("class", "cluster") else ():
        both = [local(split.percent, t) for split in judge.pair(pair.table_row)]
        longest = judge.longest_run(pair.table_row)
        shown[pair.case] = (*both, judge.passages(pair.table_row), longest)
    return shown


def _confirmed(body: LexborNode, t: Translate) -> dict[int, tuple[object, ...]]:
    shown = {}
    for row in body.css("table.ct tbody tr"):
        twin = row.css_first("span.tw")
        if twin is not None:
            spans = [one.text() for one in twin.css("span") if one.parent == twin and one.text()]
            what = integers(row.css("td.d")[0].text())
            shown[int(row.css("td")[0].text())] = (
                *spans,
                *(what if len(what) > 1 else [*what, 0])[:2],
            )
    return shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("batch", BATCHES)
def test_the_page_for_parents_is_what_the_confirmed_passages_give(batch, language):
    report, judge, t = reported(batch, "person", language), judged(batch), translator(language)
    (row,) = report.subject
    confirmed = [pair.table_row for pair in report.decided("confirmed")]
    text = judge.text(row, among=confirmed)
    classes = [text.units(name) for name in (*SHARED, "own", "left_out")]
    bar = [*filter(None, classes), text.counted, text.whole]
    body = LexborHTMLParser(write_report(report, "html", language).decode()).body
    assert body is not None and len(confirmed) > 0

    said = body.css(".say")[0].text()
    assert local(text.percent, t) in said
    assert {text.shared, text.counted} <= set(integers(said))
    assert integers(body.css(".whl")[0].text()) == bar
    assert _flex(body.css(".half > .wb i")) == [*filter(None, classes)]
    found, *rest = integers(body.css("dl.pt dd")[0].text())
    assert found == sum(map(judge.passages, confirmed))
    assert rest[:1] in ([], [max(map(judge.longest_run, confirmed))])
    flat = _paper(report, language)
    assert re.search(r"\D{1,30}".join(map(str, bar)), flat), bar
    assert re.sub(r"\s+", "", said) in flat


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("batch", BATCHES)
def test_the_class_in_one_picture_is_what_the_passages_give(batch, language):
    """Nobody is named in these texts, so that each is a member of its own."""
    report, judge = reported(batch, "class", language), judged(batch)
    n = len(report.texts) - report.facts.references
    texts = [judge.text(row) for row in range(n)]
    body = LexborHTMLParser(write_report(report, "html", language).decode()).body

    drawn = short.seats(report.shown.seats)
    for seat, sheet in zip(drawn, body.css("ol.pic li"), strict=True):
        (row,) = seat.rows
        classes = [texts[row].units(name) for name in (*SHARED, "own")]
        assert _flex(sheet.css("i")) == ([*filter(None, classes)] if texts[row].shared else [])
        cases = [pair.case for pair in report.decided("confirmed") if row in (pair.a, pair.b)]
        assert integers(sheet.css(".c")[0].text()) == sorted(cases)
    said = integers(body.css(".say")[0].text())
    confirmed = report.decided("confirmed")
    persons = {row for pair in confirmed for row in (pair.a, pair.b)}
    over = sum(text.shared > 0 for text in texts)
    several = [report.shown.passages] if report.shown.passages else []
    decisions = [len(confirmed), len(persons), len(report.decided("no_problem"))]
    assert said == [n, over, *several, *decisions]
    read, counted, pairs, decided = (
        integers(one.text(separator=" ")) for one in body.css(".strip div")
    )
    whole = sum(text.whole for text in texts)
    assert read[0] == n
    assert counted == [sum(text.counted for text in texts), whole]
    assert pairs == [len(report.pairs), n * (n - 1) // 2]
    assert decided == [len(confirmed), len(report.decided("no_problem")), len(report.waiting)]
    t = translator(language)
    rows = [
        [integers(one.text()) for one in line.css("td")[2:]]
        for table in body.css("table")
        if t("report.out.kind") in [head.text() for head in table.css("th")]
        for line in table.css("tbody tr")
    ]
    assert sum(units for (units,), _ in rows) == whole - counted[0]
    assert all(abs(100 * units / whole - share) <= 1 for (units,), (share,) in rows)
    flat = _paper(report, language)
    for line in (said, counted, decided):
        assert re.search(r"\D{0,60}".join(map(str, line)), flat), line


def _flex(parts: list[LexborNode]) -> list[int]:
    styles = [part.attributes["style"] or "" for part in parts]
    return [int(re.findall(r"flex:(\d+)", style)[0]) for style in styles]


def _paper(report: Report, language: str) -> str:
    """Return what stands in the PDF, without white space and between thousands."""
    document = pypdfium2.PdfDocument(write_report(report, "pdf", language))
    text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    return re.sub(r"\s+|(?<=\d),(?=\d{3})", "", text)


def _ranked(body: LexborNode, t: Translate) -> dict[int, tuple[str, ...]]:
    """Read the lists of pairs: place, A in B, B in A, longest run."""
    shown = {}
    for row in body.css("table.rk tbody tr"):
        twin = row.css_first("span.tw")
        if twin is None:
            continue
        spans = [one.text() for one in twin.css("span") if one.parent == twin and one.text()]
        cells = row.css("td")
        shown[int(cells[0].text())] = (*spans, str(integers(cells[3].text())[0]))
    return shown


def _texts(body: LexborNode, t: Translate) -> Iterator[tuple[int, dict[str, str]]]:
    """Read the tables of texts: row of the text, cells by column."""
    columns = {t(f"report.indicator.{one}"): one for one in
               ("counted", "shared", "total", "largest", "longest_run")}  # fmt: skip
    for table in body.css("table.rk"):
        heads = [cell.text() for cell in table.css("thead tr > *")]
        if t("report.texts.number") not in heads:
            continue
        for line in table.css("tbody tr"):
            cells = [cell.text() for cell in line.css("td")]
            named = dict(zip((columns.get(head, head) for head in heads), cells, strict=True))
            yield int(cells[0]) - 1, named


def _matrix(body: LexborNode) -> Iterator[tuple[int, int, str]]:
    for table in body.css("table.mx"):
        rows = [int(cell.text()) - 1 for cell in table.css("thead th")]
        for at, line in enumerate(table.css("tbody tr")):
            for column, cell in zip(rows, line.css("td"), strict=True):
                yield rows[at], column, cell.text()


def _between(judge: Judge, a: int, b: int) -> Split:
    for at, side, other in judge.pairs_of(a):
        if other == b:
            return judge.pair(at)[side]
    return Split(judge.wholes[a], len(judge.texts[a]))


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch", BATCHES)
def test_pdf_says_what_html_says(batch, kind, language):
    """Both are laid out from one report: the same percents and sums, each as often."""
    report, judge, t = reported(batch, kind, language), judged(batch), translator(language)
    flat = _paper(report, language)
    waiting = [pair.case for pair in report.waiting][: short.MOST_ROWS]

    for number, figures in expected_of(report, judge).items():
        a, b, longest = (re.escape(re.sub(r"\s+", "", local(one, t))) for one in figures)
        if kind == "cluster" and number <= MOST_IN_APPENDIX:
            assert re.search(rf"{a}{b}{longest}", flat), (number, figures)
        if kind == "class":
            tail = longest if number in waiting else ""
            listed = number in waiting or number in _confirmed_of(report, judge, t)
            assert not listed or re.search(rf"{a}{b}{tail}", flat), (number, figures)
    for line in (*sums_of(report, judge), *heads_of(report, judge)):
        assert re.search(r"\D{1,30}".join(map(str, line)), flat), line


# --------------------------------------------------------------------------- the check itself
@pytest.mark.parametrize("batch", BATCHES)
def test_json_of_a_check_is_what_the_passages_give(batch):
    result, judge = checked(batch), judged(batch)
    data = check_data(result, translator("en"))
    differences = []
    for row, text in enumerate(data["documents"]):
        split = judge.text(row)
        figures = {name: split.units(name) for name in ("counted", *SHARED, "own", "left_out")}
        differences += wrong(text["division"], figures)
        differences += wrong(text, {"total_overlap": split.total})
    numbers = {name: row for row, name in enumerate(judge.names)}
    rows = {ends: row for row, ends in enumerate(judge.ends)}
    for pair in data["pairs"]:
        row = rows[numbers[pair["a"]], numbers[pair["b"]]]
        figures = judge.pair_figures(row)
        names = {"coverage_a": "a_in_b", "coverage_b": "b_in_a"}
        shown = {names.get(name, name): value for name, value in pair.items()}
        firm = [one for one in pair["passages"] if not one.get("weak")]
        compared = ("a_in_b", "b_in_a", "identical", "longest", "passages")
        differences += wrong(
            {**shown, "passages": len(firm)}, {name: figures[name] for name in compared}
        )

    assert differences == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("batch", BATCHES)
def test_csv_and_terminal_of_a_check_are_what_the_passages_give(batch, language, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")  # of the terminal: rows in one line
    result, judge, t = checked(batch), judged(batch), translator(language)
    rows = list_rows(result).tolist()
    text = pairs_csv(result, t, view=view_at_threshold(result, result.threshold))
    heads = {t(f"cli.csv_{one}"): one for one in
             ("coverage_a", "coverage_b", "identical", "longest", "passages")}  # fmt: skip
    lines = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))
    differences = []
    beyond = lines[len(rows) :]  # pairs with nothing but passages that are part of no share
    assert {line[t("cli.csv_passages")] for line in beyond} <= {"0"}
    for row, line in zip(rows, lines[: len(rows)], strict=True):
        figures = judge.pair_figures(row)
        figures = {**figures, "coverage_a": figures["a_in_b"], "coverage_b": figures["b_in_a"]}
        shown = {heads[head]: value for head, value in line.items() if head in heads}
        differences += wrong(shown, {name: figures[name] for name in heads.values()})
    printed = print_result(result, t, language, to_file=True)
    for row in case_rows(result).tolist()[:40]:
        a, b = judge.pair(row)
        distance = r"\S+"
        cells = [judge.names[judge.ends[row][0]], judge.names[judge.ends[row][1]]]
        figures = [local(a.percent, t), local(b.percent, t), f"{judge.longest_run(row)}†?",
                   str(judge.passages(row))]  # fmt: skip
        pattern = r"\s+".join([*map(re.escape, cells), distance, *figures])
        if not re.search(pattern, printed):
            differences.append(f"terminal: {pattern}")

    assert differences == []


def test_the_matrix_of_reports_is_complete():
    """What is read back here are all kinds and all formats there are."""
    assert set(FORMATS) == {"csv", "json", "xlsx", "html", "pdf"}
    assert set(KINDS) == {"class", "person", "pair", "cluster", "confirmed", "sources"}
