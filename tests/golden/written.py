"""What is written of the sample texts, as lines of text: reports of every kind in every format,
results as data and tables, a run of the repost desk, and searches in a library."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from difflib import unified_diff
from functools import cache
from html.parser import HTMLParser
from itertools import groupby
from pathlib import Path
from typing import Any
from unittest.mock import patch

import alike
import openpyxl
import pypdfium2
from command_line import leitong
from golden.collection import SAMPLES

import simhash_core as core
from leitong import Result
from simhash_core import CheckResult, Settings
from simhash_core.cli.terminal import print_result
from simhash_core.i18n import translator
from simhash_core.meaning import vectors
from simhash_core.model import Decision, Decisions, Skipped, pair_key
from simhash_core.people.authorship import assign_authors, guess_authors
from simhash_core.people.roster import read_class_list
from simhash_core.report.build import report_of
from simhash_core.report.content import KINDS, Course, Wanted
from simhash_core.report.csv import pairs_csv
from simhash_core.report.formats import FORMATS, file_name, write_report
from simhash_core.report.json import check_data
from simhash_core.report.pdf import lines as pdf_lines
from simhash_core.result import list_rows
from simhash_core.seen.exclusion_view import exclude
from simhash_core.seen.exclusions import Exclusions
from simhash_core.seen.stored import LostCase
from simhash_core.storage import Damage

MADE = datetime(2026, 11, 21, 14, 32)
SECTION = "=== "
MOST = 90  # characters of a line; a longer one is its beginning and a digest of all of it
#: of the sample texts: two the same, two edited, a patchwork of two, and one with one of none
ESSAYS = ("01", "02", "03", "05", "07", "12", "14", "18")
REPOSTS = ("kaisery-ch01*", "rust-ch03*", "rust-ch16*", "kaisery-ch16*")
#: a version, and what differs from machine to machine or from day to day
_VARYING = re.compile(
    r"Leitong \d+\.\d+\S*|版本 \d+\.\d+\S*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*|\b1\d{9}\.\d+"
)

Sections = dict[str, list[str]]


# --------------------------------------------------------------------------- the batches
@cache
def hand_ins() -> CheckResult:
    """Check twelve hand-ins of two classes, with the class list of one."""
    paths = [path for path in sorted((SAMPLES / "essays").iterdir()) if path.name[:2] in ESSAYS]
    paths += sorted((SAMPLES / "exclusions").glob("[!t]*.txt"))
    documents, skipped = core.read(core.gather(paths)[0])
    writers = guess_authors([document.name for document in documents])
    named = assign_authors(documents, writers, listed=members())
    unread = [*skipped, Skipped("二组-2026010105-孙荷-夜.docx", "damaged", {"name": "孙荷"})]
    result = core.check(named, settings=Settings(meaning="off", dictionary="off"), skipped=unread)
    return replace(result, version="0.0.0")


@cache
def members() -> tuple[Any, ...]:
    """Return the class list."""
    path = SAMPLES / "exclusions" / "class-list.csv"
    return tuple(read_class_list(path, name=path.name))


@cache
def same_meaning() -> CheckResult:
    """Return texts that say the same in other words, two of them translations of each other."""
    return replace(alike.checked(), version="0.0.0")


def decisions(result: CheckResult) -> Decisions:
    """Confirm the strongest two pairs and what is alike in meaning; two others are answered."""
    pairs, made = result.table.pairs, {}
    answers = [
        Decision("confirmed", "", "逐段改词。\n先谈，问陈思远。", "林老师", MADE),
        Decision("confirmed", "", "", "林老师", MADE, together=True),
        Decision("no_problem", "joint_work"),
        Decision("later"),
    ]
    for row, answer in zip(list_rows(result).tolist(), answers, strict=False):
        ends = (result.documents[int(side[row])].id for side in (pairs.left, pairs.right))
        made[pair_key(*ends)] = answer
    if result.meanings is not None:
        ends = (result.documents[row].id for row in alike.ALIKE)
        made[pair_key(*ends)] = answers[0]
    return made


# --------------------------------------------------------------------------- reports
def reports_of_hand_ins() -> Sections:
    """Write every kind: in Chinese with names and exclusions, in English without names."""
    result, written = hand_ins(), Sections()
    sheets = tuple(
        path.read_text("utf-8") for path in sorted((SAMPLES / "exclusions").glob("task-*"))
    )
    rules = Exclusions(zones=("quotations", "references"), templates=sheets, min_match=12)
    view = exclude(result, rules)
    rows = {"pair": (0, 5), "cluster": result.clusters[0].members}
    rows |= dict.fromkeys(("person", "sources"), (7,))
    for kind in KINDS:
        wanted = Wanted(
            kind=kind,
            rows=rows.get(kind, ()),
            made=MADE,
            checked=MADE,
            title="夜里的一个地方",
            course=Course("高一（3）班", "写作", "林老师"),
            members=members(),
            decisions=decisions(result),
            lost=(LostCase(9, ("甲.txt", "乙.txt"), Decision("confirmed", "", "见面谈")),),
        )
        hidden = replace(wanted, anonymous=True, damage=(Damage("value", {"name": "title"}),))
        written |= _report(view.result, replace(wanted, exclusions=view), "zh")
        written |= _report(result, hidden, "en", ("html", "json", "pdf"))
    return written


def reports_of_nothing() -> Sections:
    """Write kinds about which there is nothing to say: no case, no source, no shared text."""
    result, written = hand_ins(), Sections()
    rows = {"class": (), "person": (1,), "sources": (1,), "pair": (0, 1), "confirmed": ()}
    for kind, language in zip(rows, ("zh", "en", "zh", "en", "zh"), strict=True):
        wanted = Wanted(kind=kind, rows=rows[kind], made=MADE)
        written |= _report(result, wanted, language, ("html", "pdf"))
    return written


def reports_of_meanings() -> Sections:
    """Write the kinds that show what is the same in other words, and possible translations."""
    result, written = same_meaning(), Sections()
    rows = {"pair": alike.ALIKE, "person": (2,), "sources": (2,)}
    for kind, language in zip(("class", "pair", "sources", "confirmed", "person"), ("zh", "en") * 3,
                              strict=False):  # fmt: skip
        wanted = Wanted(kind=kind, rows=rows.get(kind, ()), made=MADE, decisions=decisions(result))
        written |= _report(result, wanted, language)
    return written


def _report(
    result: CheckResult, wanted: Wanted, language: str, formats: Iterable[str] = FORMATS
) -> Sections:
    """Write one report in some formats."""
    report = report_of(result, wanted, translator(language))
    readers = {"html": _html, "pdf": _pdf, "xlsx": _xlsx, "csv": _csv, "json": _json_lines}
    with _without_fonts():
        return {
            f"{wanted.kind} {language} {name}": [
                file_name(report, name, language),
                *readers[name](write_report(report, name, language)),
            ]
            for name in sorted(formats)
        }


@contextmanager
def _without_fonts() -> Iterator[None]:
    """Set no font of this machine, so that lines break alike everywhere."""
    with patch.object(pdf_lines, "folders", list):
        pdf_lines.load_fonts.cache_clear()
        yield
    pdf_lines.load_fonts.cache_clear()


class _Text(HTMLParser):
    """Gathers the text of a page: a line a block, cells of a row side by side."""

    BLOCKS = frozenset(
        {"p", "div", "section", "article", "header", "footer", "nav", "main", "title", "summary"}
        | {"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "details"}
        | {"tr", "table", "figure", "figcaption", "blockquote", "pre", "svg", "g"}
    )

    def __init__(self) -> None:
        super().__init__()
        self.lines, self.open, self.silent = [""], "", False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.silent = tag in ("style", "script")
        if tag in self.BLOCKS:
            self.lines.append("")
        elif tag in ("td", "th"):
            self.lines[-1] += " | "

    def handle_endtag(self, tag: str) -> None:
        self.silent = False
        if tag in self.BLOCKS:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.lines[-1] += data


def _html(data: bytes) -> list[str]:
    page = _Text()
    page.feed(data.decode("utf-8"))
    lines = (" ".join(line.split()) for line in page.lines)
    return [line for line in lines if line.strip(" |")]


def _pdf(data: bytes) -> list[str]:
    """Return the pages of a document, five of its lines side by side."""
    document = pypdfium2.PdfDocument(data)
    lines = []
    for at, page in enumerate(document, 1):
        said = page.get_textpage().get_text_bounded().replace("\r", "").split("\n")
        lines.append(f"--- page {at}")
        lines += [" / ".join(said[row : row + 5]) for row in range(0, len(said), 5)]
    return lines


def _xlsx(data: bytes) -> list[str]:
    with warnings.catch_warnings(action="ignore"):  # bars in cells
        book, lines = openpyxl.load_workbook(io.BytesIO(data)), list[str]()
    for sheet in book:
        lines.append(f"--- sheet {sheet.title}")
        for cells in sheet.iter_rows(values_only=True):
            lines.append(" | ".join("" if cell is None else str(cell) for cell in cells))
    return lines


def _csv(data: bytes) -> list[str]:
    return [" | ".join(row) for row in csv.reader(io.StringIO(data.decode("utf-8")))]


def _json_lines(data: bytes | str) -> list[str]:
    return _data(json.loads(data))


def _data(data: Any) -> list[str]:
    """Return JSON with a line for each key, and for each entry of a list."""
    lines = []
    entries = data.items() if isinstance(data, Mapping) else [("", data)]
    for key, value in entries:
        if key in ("timings", "version"):
            continue
        if isinstance(value, list) and len(value) > 1:
            lines += [f"{key}[{at}]: {_compact(one)}" for at, one in enumerate(value)]
        else:
            lines.append(f"{key}: {_compact(value)}")
    return lines


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


# --------------------------------------------------------------------------- data and tables
def data_of_checks() -> Sections:
    """Write both checks as data and tables, for people and for programs."""
    written, t = Sections(), translator("en")
    for name, result in {"hand-ins": hand_ins(), "meanings": same_meaning()}.items():
        written[f"{name} json"] = _data(json.loads(json.dumps(check_data(result, t))))
        written[f"{name} csv"] = _csv(pairs_csv(result, t).encode())
        written[f"{name} terminal"] = print_result(result, t, "en", to_file=True).split("\n")
        seen = Result(result)
        for table in ("texts", "pairs", "cases", "passages", "meanings", "skipped"):
            written[f"{name} table {table}"] = _data(getattr(seen, table)())
    sources = SAMPLES / "sources"
    two = sources / "emma-clarke.txt", sources / "daniel-okafor.txt"
    written["compare"] = _json_lines(leitong("compare", *two, "--json").stdout)
    written["fingerprint"] = _json_lines(leitong("fingerprint", *two, "--json").stdout)
    return written


def reposts_of_chapters() -> Sections:
    """Trace versions of four chapters, one of them asked about."""
    from simhash_core.reposts import trace, write_reposts  # a leaf

    written = Sections()
    paths = [path for one in REPOSTS for path in sorted((SAMPLES / "reposts").glob(one))]
    documents, skipped = core.read(core.gather(paths)[0])
    traced = trace(documents[:1], documents[1:])
    traced = replace(traced, result=replace(traced.result, version="0.0.0"))
    for name, read in {"json": _json_lines, "csv": _csv, "xlsx": _xlsx}.items():
        for language, hidden in (("zh", False), ("en", True)):
            t = translator(language)
            data = write_reposts(traced, name, t, skipped=skipped, anonymous=hidden)
            written[f"{name} {language}"] = read(data)
    written["command json"] = _json_lines(leitong("reposts", *paths, "--json").stdout)
    for name in ("csv", "table"):
        shown = leitong("reposts", *paths, "--format", name, language="zh").stdout
        written[f"command {name}"] = shown.splitlines()
    return written


def searches_of_a_library() -> Sections:
    """Fill a library with chapters, and ask for names, phrases and what a text shares."""
    written = Sections()
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, LEITONG_DATA=folder):
        done = leitong("library", "add", "chapters", SAMPLES / "reposts")
        assert done.returncode == 0, done.stderr
        for name, asked in {"names": ("hello",), "phrase": ("--text", "hello, world")}.items():
            shown = leitong("library", "search", *asked, "--json")
            written[f"{name} json"] = _json_lines(shown.stdout)
            written[name] = leitong("library", "search", *asked, language="zh").stdout.split("\n")
        text = next((SAMPLES / "reposts").glob("rust-ch03*2016*"))
        against = ("check", text, "--against", "library:chapters", "--format", "json")
        written["check"] = _json_lines(leitong(*against).stdout)
    return written


#: what needs the dictionary
NEEDS_DICTIONARY = ("reports-meanings", "checks", "reposts", "library")
#: name of the file -> what writes its sections
WRITTEN: dict[str, Callable[[], Sections]] = {
    "reports-hand-ins": reports_of_hand_ins,
    "reports-nothing": reports_of_nothing,
    "reports-meanings": reports_of_meanings,
    "checks": data_of_checks,
    "reposts": reposts_of_chapters,
    "library": searches_of_a_library,
}


# --------------------------------------------------------------------------- the files
def path(name: str) -> Path:
    """Return the file of what is written."""
    return Path(__file__).parent / f"{name}.txt"


def write(name: str) -> list[str]:
    """Write everything, as the lines of its file."""
    lines, known = list[str](), set[str]()
    with patch.object(vectors, "PACKAGE", "no_such_package"):
        sections = WRITTEN[name]()
    for section, said in sections.items():
        stored = [_stored(line) for line in said]
        lines += [SECTION + section, *_folded(stored, known)]
        known |= set(stored)
    return lines


def _stored(line: str) -> str:
    """Return a line as it is kept: visible, short, the same on every machine."""
    line = _VARYING.sub("…", line).replace(str(SAMPLES), "SAMPLES")
    line = "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in line)
    return (line if len(line) <= MOST else f"{line[:MOST]}… #{_digest(line)}").rstrip()


def _folded(lines: Sequence[str], known: Set[str]) -> list[str]:
    """Return lines in which a run of those that an earlier section has is one line."""
    folded: list[str] = []
    for old, run in groupby(lines, known.__contains__):
        same = list(run)
        many = old and len(same) > 2
        folded += (
            [f"({len(same)} lines as above: #{_digest(chr(10).join(same))})"] if many else same
        )
    return folded


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def differences(stored: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Return the lines that were added and taken away."""
    lines = list(unified_diff(stored, taken, "stored", "written", lineterm="", n=0))
    return lines[2:]


def load(name: str) -> list[str]:
    """Return what is stored, nothing of a file that is missing."""
    return path(name).read_text("utf-8").splitlines() if path(name).exists() else []


def save(name: str, lines: Sequence[str]) -> None:
    """Store what is written."""
    path(name).write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
