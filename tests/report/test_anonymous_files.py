"""Anonymous files of a class whose file names are ordinary words, byte by byte.

The judge is written by hand: the spellings of names as they stand in the texts. An anonymous report
says what the one with names says, these spellings apart, and holds none of them anywhere.
"""

from __future__ import annotations

import base64
import html
import io
import re
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pytest

import simhash_core as core
from simhash_core.i18n import translator
from simhash_core.model import Decision, Document, Skipped, pair_key
from simhash_core.report.build import report_of
from simhash_core.report.collation.folding import Line
from simhash_core.report.content import KINDS, Case, Report, SourcesReport, Wanted
from simhash_core.report.formats import FORMATS, file_name, write_report
from simhash_core.result import CheckResult
from simhash_core.settings import Settings

from .conftest import MADE, cases_of
from .test_formats import READ

pytestmark = pytest.mark.filterwarnings("ignore:.*extension is not supported")  # data bars

FOLDER = "{}_{}_assignsubmission_file_/{}"
#: person, number, file: words of every text
PEOPLE = (
    ("张三", "123400", "读书报告.docx"),
    ("欧阳小红", "123401", "作业.docx"),
    ("Priya Okafor", "123402", "The.txt"),
    ("刘子墨", "123403", "新建 Microsoft Word 文档.docx"),
    ("王力", "123404", "1.docx"),
    ("李娜", "123405", "final.docx"),
)
SHARED = (
    "作业题目是写一篇八百字的读书报告。安装文档之后，我新建了名为 final 的 Microsoft Word 文档，"
    "第 1 次就写完了。我和張三、刘子墨同学一起去码头，Okafor, Priya 和 PRIYA OKAFOR 也来了；"
    "The final report says that 张 三 wrote to zhang.san@school.example first. "
    "渔船靠岸，搬运工赤脚踩着木板，把银色带鱼抬进冷库。"
)
#: text -> what the report says there; the longest of those that begin together first
SPELLINGS = {
    "zhang.san@school.example": "email",
    "Okafor, Priya": "name",
    "PRIYA OKAFOR": "name",
    "Ｐｒｉｙａ　Ｏｋａｆｏｒ": "name",
    "欧阳小红": "name",
    "張三": "name",
    "张 三": "name",
    "张三": "name",
    "刘子墨": "name",
    "王力": "name",
    "李娜": "name",
    "123400": "number",
    "123401": "number",
}
LABELS = {
    "zh": {"name": "[姓名]", "number": "[学号]", "email": "[邮箱]"},
    "en": {"name": "[name]", "number": "[student number]", "email": "[e-mail]"},
}
WITHOUT = {"zh": "隐名", "en": "names hidden"}
HEADS = (
    "姓名：张三 学号：123400\n",
    "欧阳小红_123401\n",
    "By Ｐｒｉｙａ　Ｏｋａｆｏｒ\n",
    "组员：刘子墨、王力\n",
    "王力\n",
    "李娜，高一3班\n",
)
NOWHERE = (
    *("张三", "欧阳小红", "刘子墨", "王力", "李娜", "priya", "okafor", "赵一诺", "school.example"),
    *("123400", "123401", "123402", "123403", "123404", "123405", "123409"),
    *("assignsubmission", ".docx", "the.txt", "夜读"),
)


@pytest.fixture(scope="module")
def checked():
    ends = (
        *("昆虫标本采集需要耐心。", "数学竞赛每周六上课。", "火车站广场延期半年。"),
        *("The tide is low.", "月亮升起来了，狗叫了两声。", "雨把操场洗成了一面镜子。"),
    )
    documents = [
        Document.from_text(
            f"{head}{SHARED if at % 3 else SHARED.replace('渔船', '几条渔船')}\n{end}",
            name=FOLDER.format(*person),
            author=person[0],
            title=f"{person[0]}的作业",
            editor="Administrator",
        )
        for at, (person, head, end) in enumerate(zip(PEOPLE, HEADS, ends, strict=True))
    ]
    unread = [Skipped(FOLDER.format("赵一诺", "123409", "夜读.pdf"), "scan", {"name": "赵一诺"})]
    return core.check(documents, skipped=unread, settings=Settings(user_words=("刘子墨 100 nr",)))


def wanted(result: CheckResult, kind: str, *, anonymous: bool) -> Wanted:
    ids = [document.id for document in result.documents]
    rows: dict[str, tuple[int, ...]] = {
        "pair": (0, 1),
        "person": (2,),
        "cluster": (0, 1, 2),
        "sources": (2,),
    }
    note = Decision("confirmed", "", "张三承认抄了欧阳小红（123401）。", "林老师", MADE)
    return Wanted(
        kind=kind,
        made=MADE,
        checked=MADE,
        rows=rows.get(kind, ()),
        title="高一3班 李娜组",
        anonymous=anonymous,
        decisions={pair_key(ids[0], ids[1]): note, pair_key(ids[3], ids[2]): note},
    )


def made(result: CheckResult, kind: str, language: str, *, anonymous: bool) -> Report:
    return report_of(result, wanted(result, kind, anonymous=anonymous), translator(language))


def judged(text: str, language: str) -> str:
    """Return a text with the spellings above replaced, one after the other, by hand."""
    shown, at = "", 0
    while at < len(text):
        found = next((s for s in SPELLINGS if text.startswith(s, at)), "")
        shown += LABELS[language][SPELLINGS[found]] if found else text[at]
        at += len(found) or 1
    return shown


def paragraphs_set(case: Case) -> list[Line]:
    return [line for line in case.collation.lines if isinstance(line, Line)]


def quoted(report: Report) -> Iterator[str]:
    """Yield what a report quotes, paragraph by paragraph."""
    for case in cases_of(report):
        for line in paragraphs_set(case):
            for side in (line.left, line.right):
                yield from ("".join(run.text for run in paragraph) for paragraph in side)
        for entry in case.collation.entries:
            yield entry.quote
    if isinstance(report.shown, SourcesReport):
        for paragraph in report.shown.paragraphs:
            yield "".join(run.text for run in paragraph)
    yield from (entry.excerpt for entry in report.passages)


def places(report: Report) -> list[Any]:
    """Return every range and number of a report that must not move."""
    entries = [entry for case in cases_of(report) for entry in case.collation.entries]
    return [
        *((e.number, e.kind, e.a, e.b, e.units_a, e.units_b) for e in entries),
        *((p.kind, p.a, p.b, p.units_a, p.units_b) for p in report.passages),
        *(line.bars for case in cases_of(report) for line in paragraphs_set(case)),
        *(text.indicators for text in report.texts),
    ]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_but_names_is_changed(checked, kind, language):
    named = made(checked, kind, language, anonymous=False)
    hidden = made(checked, kind, language, anonymous=True)
    before, after = list(quoted(named)), list(quoted(hidden))

    assert before and any("張三" in text for text in before)
    assert after == [judged(text, language) for text in before]
    assert places(hidden) == places(named)


@pytest.mark.long
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("kind", KINDS)
def test_no_name_is_left_in_a_file(checked, kind, name, language):
    report = made(checked, kind, language, anonymous=True)
    file = file_name(report, name, language)

    assert names_in(write_report(report, name, language), name) == set()
    assert not [one for one in NOWHERE if one in file.casefold()]
    assert WITHOUT[language] in file


@pytest.mark.parametrize("name", FORMATS)
def test_names_are_found_where_they_are(checked, name):
    kind = "class" if name in ("json", "xlsx") else "pair"  # the others name files, not paths
    report = made(checked, kind, "zh", anonymous=False)

    standing = {"张三"} if name == "csv" else {"张三", "刘子墨", "okafor"}
    assert standing <= names_in(write_report(report, name, "zh"), name)
    assert "隐名" not in file_name(report, name, "zh")


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["html", "pdf", "json", "xlsx"])
def test_a_file_shows_what_the_report_quotes(checked, name, language):
    """Columns of a PDF cannot be told apart in its text: there every character is counted."""
    report = made(checked, "pair", language, anonymous=True)
    shown = "".join(READ[name](write_report(report, name, language)).split())
    if name in ("json", "xlsx"):
        expected = ["".join(entry.excerpt.split()) for entry in report.passages]
    else:
        lines = paragraphs_set(cases_of(report)[0])
        sides = [side for line in lines for side in (line.left, line.right)]
        runs = [run for side in sides for paragraph in side for run in paragraph]
        expected = ["".join(run.text.split()) for run in runs]
    assert expected
    if name == "pdf":
        assert not Counter("".join(expected)) - Counter(shown)
    else:
        assert [text for text in expected if text not in shown] == []


# --------------------------------------------------------------------------- what a file holds
def names_in(data: bytes, name: str) -> set[str]:
    """Return the names that stand anywhere in a file, in any width and script, across spaces."""
    found = set()
    for part in strings(data, name):
        folded = "".join(unicodedata.normalize("NFKC", part).replace("張", "张").casefold().split())
        found |= {one for one in NOWHERE if one in folded}
    return found


def strings(data: bytes, name: str) -> Iterator[str]:
    """Yield everything that a file holds, as text: its parts, properties, links and marks."""
    if name == "xlsx":
        with zipfile.ZipFile(io.BytesIO(data)) as members:
            for member in members.namelist():
                yield member
                yield html.unescape(members.read(member).decode("utf-8", "replace"))
    elif name == "pdf":
        yield READ["pdf"](data)
        document = pypdfium2.PdfDocument(data)
        yield " ".join(document.get_metadata_dict().values())
        yield " ".join(mark.get_title() for mark in document.get_toc())
        offsets = re.compile(rb"\d{10} \d{5} [nf]")  # of the table at the end: they hold any digits
        for content in (offsets.sub(b"", data), *streams(data)):
            yield from decoded(content)
    else:
        yield html.unescape(data.decode("utf-8"))


def streams(data: bytes) -> Iterator[bytes]:
    """Yield the streams of a PDF, decompressed."""
    for match in re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        body = match[1].strip()
        if body.endswith(b"~>"):
            body = base64.a85decode(body.removesuffix(b"~>"))
        try:
            yield zlib.decompress(body)
        except zlib.error:
            yield body


def decoded(content: bytes) -> Iterator[str]:
    """Yield the bytes and the strings in them, in each encoding that a PDF can have."""
    escapes = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}

    def plain(match: re.Match[bytes]) -> bytes:
        mark = match[1]
        octal = re.fullmatch(rb"[0-7]+", mark)
        return bytes([int(mark, 8) & 255]) if octal else escapes.get(mark, mark)

    literal = re.findall(rb"\(((?:[^()\\]|\\.)*)\)", content, re.DOTALL)
    texts = [re.sub(rb"\\([0-7]{1,3}|.)", plain, one, flags=re.DOTALL) for one in literal]
    for one in (content, *texts):
        for encoding in ("utf-8", "utf-16-be", "latin-1", "gbk"):
            yield one.decode(encoding, "ignore")
