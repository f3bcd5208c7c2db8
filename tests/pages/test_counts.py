"""One count: pairs, pupils and cases of a small class, the same wherever they are shown.

The class has everything that makes counts differ: texts of last year, a file without text, a task
sheet, a pupil with two versions, two equal texts, a text that names nobody, and a late file.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pypdfium2
import pytest
from command_line import leitong
from desk_tab import Tab
from page_texts import integers, said, sent_to
from selectolax.lexbor import LexborHTMLParser
from task_class import SHARED, TASK, texts

from pages._ui.check import recent
from pages._ui.shared.open_checks import OpenCheck
from pages._ui.shared.session import CurrentCheck
from simhash_core import CheckResult, Document, check, view_at_threshold
from simhash_core.cli.terminal import print_result
from simhash_core.i18n import translator
from simhash_core.people.authorship import read_author
from simhash_core.report import Wanted, pairs_csv, report_of, to_json, write_report
from simhash_core.review import DECIDED, cases
from simhash_core.storage import Project, Subject

pytestmark = pytest.mark.filterwarnings("ignore:.*extension is not supported")  # data bars
LAST_YEAR = "去年许知行"


def of_his_own(text: str) -> str:
    """Return 60 characters that only this text of the class has."""
    return text.replace(SHARED, "")[:60]


def written(folder: Path) -> None:
    """Write the class as Moodle hands it over, with what lies beside it."""
    made = [text.removeprefix(TASK) for text in texts()]
    files = {
        "class/赵晨曦_101_assignsubmission_file_/a.txt": made[0],
        "class/潘美辰_102_assignsubmission_file_/a.txt": made[1],
        "class/郭思远_103_assignsubmission_file_/a.txt": made[2],
        "class/唐诗涵_104_assignsubmission_file_/a.txt": made[3],
        "class/罗一鸣_105_assignsubmission_file_/初稿.txt": made[4],
        "class/罗一鸣_105_assignsubmission_file_/终稿.txt": made[4] + made[4][:40],
        "class/周雨桐_106_assignsubmission_file_/a.txt": made[0],
        "class/陈静_107_assignsubmission_file_/a.txt": "",
        "class/note.txt": made[5],
        "late/孙明_108_assignsubmission_file_/a.txt": made[5][::-1] + SHARED,
        f"{LAST_YEAR}/许知行_201_assignsubmission_file_/a.txt": SHARED * 2
        + "".join(of_his_own(made[row]) for row in (0, 1)),
        f"{LAST_YEAR}/叶舒然_202_assignsubmission_file_/a.txt": made[4][::-1],
        "task.txt": TASK,
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        sheet = TASK if text and not name.startswith((LAST_YEAR, "task")) else ""
        path.write_text(sheet + text, "utf-8")


@dataclass
class Counted:
    """What there is, counted one by one, and the file of the check."""

    folder: Path
    result: CheckResult
    said: str  # by the command that checked
    data: dict[str, Any]  # its JSON
    opened: OpenCheck
    reports: dict[str, dict[str, bytes]] = field(default_factory=dict)

    @property
    def pairs(self) -> int:
        """Pairs of two texts, of which one at least is asked about."""
        documents, new = self.result.documents, self.result.checked
        return sum(a < new for b in range(len(documents)) for a in range(b))

    @property
    def members(self) -> dict[str, list[int]]:
        """Rows of the texts that each pupil handed in."""
        rows: dict[str, list[int]] = {}
        for row, document in enumerate(self.result.documents[: self.result.checked]):
            rows.setdefault(read_author(document).person, []).append(row)
        return rows

    def shares(self, rows: list[int]) -> bool:
        """Whether one of some texts has what only one other text has, or two."""
        return bool(self.result.tones[rows, :2].sum())

    @property
    def tally(self) -> Counter[str]:
        view = view_at_threshold(self.result, self.result.threshold)
        listed = cases(self.result, view, self.opened.project.pair_decisions())
        return Counter(case.state for case in listed)


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """The class, checked by the command line, a late file added, three cases decided."""
    folder = tmp_path_factory.mktemp("counts")
    written(folder)
    file = folder / "class.leitong"
    given = ("--against", LAST_YEAR, "--template", "task.txt")
    assert leitong("check", "class", *given, "--project", file, folder=folder).returncode == 3
    done = leitong("check", "late", "--from", file, folder=folder)
    again = ("check", "--from", file, "--format", "json", "-o", "check.json")
    leitong(*again, folder=folder)
    data = json.loads((folder / "check.json").read_text("utf-8"))
    project = Project.open(file)
    result = project.result()
    assert result is not None
    ids = {read_author(one).person: one.id for one in result.documents}
    decided = (("赵晨曦", "许知行", "confirmed"), ("赵晨曦", "周雨桐", "no_problem"),
               ("潘美辰", "许知行", "later"))  # fmt: skip
    for a, b, verdict in decided:
        project.decide([Subject.pair(ids[a], ids[b])], verdict=verdict)
    current = CurrentCheck(result, "", datetime.now(UTC), 1.0)
    return Counted(folder, result, done.stdout, data, OpenCheck(project, "", current=current))


def test_the_class_is_what_the_count_needs(counted):
    result, people = counted.result, counted.members

    assert (result.checked, result.references, len(result.unread)) == (8, 2, 1)
    assert 1 <= len(people[""]) <= 2  # of the late file alone its name may not be told
    assert len(people) - 1 + len(people[""]) == result.checked
    assert counted.pairs == 8 * 7 // 2 + 8 * 2
    assert {row.code for row in result.skipped} == {"empty", "earlier_version"}
    assert counted.tally["later"] == 1
    assert counted.tally["confirmed"] == 2  # of two equal texts with one of last year
    assert len(
        {case.key for case in cases(result, view_at_threshold(result, result.threshold), {})}
    ) < (sum(counted.tally.values()))


def reports(counted: Counted, language: str) -> dict[str, bytes]:
    """Return the report for the head of department in every format, written once."""
    made = counted.reports.setdefault(language, {})
    for ending in ("html", "pdf", "xlsx", "csv", "json") if not made else ():
        name = f"report.{ending}"
        leitong("report", "class.leitong", "-o", name, language=language, folder=counted.folder)
        made[ending] = (counted.folder / name).read_bytes()
    return made


def test_pairs_pupils_and_what_was_not_looked_for_are_one_answer(counted, language, open_app):
    made, pairs = reports(counted, language), counted.pairs
    about = openpyxl.load_workbook(io.BytesIO(made["xlsx"])).worksheets[-1]
    label = {"zh": "比较的对数", "en": "Pairs compared"}[language]
    cells = [[cell.value for cell in row[:2]] for row in about.iter_rows()]
    lines = list(csv.reader(io.StringIO(made["csv"].decode("utf-8-sig"))))
    app = open_app("results", language=language, result=counted.result)
    (facts,) = [g for g in counted.data["guarantees"] if g["code"] == "passages_all"]
    assert counted.data["pairs_compared"] == pairs == facts["n"]
    assert json.loads(made["json"])["pairs_compared"] == pairs
    assert [one[1] for one in cells if one[0] == label] == [pairs]
    assert [line[1] for line in lines if line[:1] == [label]] == [str(pairs)]
    assert integers(app.expander[-1].label)[0] == pairs
    assert f" {pairs} " in counted.said.splitlines()[0]
    strip = LexborHTMLParser(made["html"].decode()).css(".strip div")[2].text(separator=" ")
    assert integers(strip)[-1] == pairs
    # pupils are one number
    people = {name: rows for name, rows in counted.members.items() if name}
    sharing = sum(map(counted.shares, people.values()))
    nobody = counted.members[""]
    head = re.search(r'class="lt-headline">(.*?)</p>', said(app))
    made = reports(counted, language)
    page = LexborHTMLParser(made["html"].decode())
    paper = "".join(one.get_textpage().get_text_bounded() for one in
                    pypdfium2.PdfDocument(made["pdf"]))  # fmt: skip
    assert head is not None
    assert integers(head[1])[:2] == [len(people), sharing]
    assert integers(head[1])[-2:] == [len(nobody), sum(counted.shares([one]) for one in nobody)]
    assert re.search({"zh": "看不出是谁的", "en": "names? nobody"}[language], head[1])
    sentence = page.css(".say")[0].text()
    # one handed in nothing but an empty file
    assert integers(sentence)[:3] == [len(people) + 1, len(people), sharing]
    assert integers(page.css(".strip div")[0].text(separator=" "))[0] == len(people)
    assert re.sub(r"\s", "", sentence) in re.sub(r"\s", "", paper)
    assert counted.said.startswith("8 texts, and 2 to compare with")
    # what was not looked for stands beside the answer
    alone = {"zh": "这些文本以外的资料都没有查", "en": "Nothing outside these texts was looked at"}
    shown = said(app)
    assert alone[language] in shown
    assert "Nothing outside these texts was looked at" in counted.said
    for made in (shown, counted.said, *(
        data.decode("utf-8", "replace") for name, data in reports(counted, language).items()
        if name in ("html", "csv", "json")
    )):  # fmt: skip
        assert "pip " not in made and "leitong[" not in made


@pytest.mark.long
def test_decided_cases_are_one_number(counted, language, open_app):
    tally = counted.tally
    n, done = sum(tally.values()), sum(tally[state] for state in DECIDED)
    tab = Tab(counted.opened, language)
    summary = counted.opened.project.summary()
    _, _, numbers, _ = recent._review(summary)
    app = open_app("results", language=language, result=counted.result)
    made = reports(counted, language)
    page, held = LexborHTMLParser(made["html"].decode()), json.loads(made["json"])

    pairs = tab.ticks[tab.shown["questions"] :]
    assert (len(pairs) - pairs.count("u") - pairs.count("l"), len(pairs)) == (done, n)
    assert (summary.decided, summary.cases) == (done, n)
    assert numbers == f"{done} / {n}"
    # of a check without a file nothing is decided
    assert integers(app.button(key="review").label) == [n + len(counted.result.common)]
    assert len(held["pairs"]) == n
    decided = integers(page.css(".strip div")[3].text(separator=" "))
    assert decided == [tally["confirmed"], tally["no_problem"], n - done]
    assert f"{n - done} " in said_under_title(page, language)
    again = ("check", "late", "--from", "class.leitong", "-o", "a.csv")
    stored = leitong(*again, folder=counted.folder)
    assert f"{done} of {n} cases decided" in stored.stderr


def said_by(page: bytes) -> str:
    body = LexborHTMLParser(page.decode()).body
    assert body is not None
    return body.text()


def said_under_title(page: LexborHTMLParser, language: str) -> str:
    mark = {"zh": "阶段报告", "en": "interim"}[language]
    assert page.body is not None
    return next(part for part in page.body.text(separator="\n").split("·") if mark in part)


def test_the_longest_run_is_one_number(counted, language, open_app):
    result, table = counted.result, counted.result.table
    expected = {
        row: max(
            (int(table.longest[at]) for at in range(len(table))
             if row in (int(table.pairs.left[at]), int(table.pairs.right[at]))), default=0)
        for row in range(result.checked)
    }  # fmt: skip
    texts = json.loads(reports(counted, language)["json"])["texts"]

    assert [one["longest_run"] for one in texts][: result.checked] == list(expected.values())
    row = max(expected, key=expected.__getitem__)
    app = open_app("results", language=language, result=result, text=str(row), unfolded=True)
    strip = [one for one in re.findall(r"<dt>.*?</dd>", said(app), re.S) if
             re.search("最长相同|Longest run", one)]  # fmt: skip
    assert strip and expected[row] in integers(strip[0])


def test_no_share_of_what_is_left_of_a_worksheet(tmp_path, language, open_app):
    """Of two filled-in sheets 26 words are left, and both have the same."""
    sheet = " ".join(f"question {n} asks why metal{n} is warm" for n in range(40))
    answer = " ".join(f"because answer{n}" for n in range(13))
    filled = [f"{sheet}\n{answer}", f"{sheet}\n{answer}", f"{sheet}\n" + "else " * 80]
    documents = [Document.from_text(text, name=f"{n}.txt") for n, text in enumerate(filled)]
    result = check(documents, templates=[Document.from_text(sheet, name="sheet")])
    t, left = translator(language), {"zh": "剩 26 词", "en": "26 words left"}[language]
    (row, *_) = csv.DictReader(io.StringIO(pairs_csv(result, t).lstrip("\ufeff")))
    data = json.loads(to_json(result, t))
    shown = print_result(result, t, language, to_file=True)
    app = open_app("results", language=language, result=result, view="pupils")
    table = sent_to(app, "pupils")

    assert [one["few_counted"] for one in data["documents"]] == [True, True, False]
    assert data["documents"][0]["total_overlap"] == 1.0  # the data keep it
    assert row[t("cli.csv_coverage_a")] == row[t("cli.csv_coverage_b")] == ""
    assert shown.count(left) == 2 and "100%" not in shown
    shares = [row["tones"]["text"] for row in table["groups"][0]["rows"]]
    assert shares == [left, left] and not any(
        row["tones"]["whole"] for row in table["groups"][0]["rows"]
    )
    note = t("frame.few_note", n=2, least=50, share="10%")
    assert note in said(app) and note in shown
    assert "100%" not in json.dumps(table, ensure_ascii=False)
    made = report_of(result, Wanted(kind="class", made=datetime(2026, 11, 21)), t)
    page, book = (write_report(made, ending, language) for ending in ("html", "xlsx"))
    held = json.loads(write_report(made, "json", language))
    assert [one["total"] for one in held["texts"]] == [None, None, 0]
    words = said_by(page)
    assert note in words and left in words and "100%" not in words
    cells = [cell for row in openpyxl.load_workbook(io.BytesIO(book)).worksheets[1].values
             for cell in row]  # fmt: skip
    assert 1 not in [cell for cell in cells if isinstance(cell, float)]
