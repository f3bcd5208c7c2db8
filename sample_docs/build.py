"""Typeset the plain sources as the hand-ins of a class, and pick the reposts.

    python sample_docs/build.py essays             sources/*.txt -> essays/*.{docx,pdf,txt}
    python sample_docs/build.py class              sources/class/{zh,en}/ -> class/{zh,en}/, their truth
    python sample_docs/build.py exclusions         sources/exclusions/*.txt -> exclusions/
    python sample_docs/build.py platforms          essays/, exclusions/ -> platforms/
    python sample_docs/build.py reposts CORPORA    chosen chapters of the Rust book -> reposts/

Needs python-docx and reportlab (requirements-dev.txt). The Chinese PDF font is one that every
PDF reader supplies, so nothing is embedded and no font licence travels with the files.
"""

from __future__ import annotations

import csv
import random
import re
import shutil
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import hand_ins

HERE = Path(__file__).resolve().parent
HANDED_IN = datetime(2026, 11, 13, 8, 0, 0)
PAPER_CJK = "STSong-Light"


class HandIn(NamedTuple):
    """One file of the class: its source, its name on disk, and what to do on the way."""

    source: str
    file: str
    encoding: str = "utf-8"
    newline: str = "\n"
    script: str = ""  # an OpenCC conversion


HAND_INS = (
    HandIn("chen-siyuan", "01-陈思远.docx"),
    HandIn("lin-xiaoyu", "02-林晓雨.txt"),
    HandIn("emma-clarke", "03-emma-clarke.pdf"),
    HandIn("wang-zihan", "04-王梓涵.pdf"),
    HandIn("daniel-okafor", "05-daniel-okafor.docx"),
    HandIn("zhao-yinuo", "06-赵一诺.txt", encoding="gb18030", newline="\r\n"),
    HandIn("priya-nair", "07-priya-nair.txt"),
    HandIn("liu-zimo", "08-刘子墨.docx"),
    HandIn("tom-whitfield", "09-tom-whitfield.docx"),
    HandIn("zhou-yutong", "10-周雨桐.pdf"),
    HandIn("sofia-marin", "11-sofia-marin.pdf"),
    HandIn("chen-siyuan", "12-黄嘉怡.pdf"),
    HandIn("jack-lin", "13-jack-lin.txt", newline="\r\n"),
    HandIn("oliver-shaw", "14-oliver-shaw.docx"),
    HandIn("wu-haotian", "15-吴昊天.docx"),
    HandIn("grace-adeyemi", "16-grace-adeyemi.docx"),
    HandIn("lin-xiaoyu", "17-許文軒.docx", script="s2t"),
    HandIn("mia-rossi", "18-mia-rossi.pdf"),
    HandIn("sun-haoran", "19-孙浩然.txt", encoding="utf-8-sig", newline="\r\n"),
    HandIn("leo-hartmann", "20-leo-hartmann.txt"),
    HandIn("zheng-kexin", "21-郑可欣.txt"),
    HandIn("ruby-thornton", "22-ruby-thornton.docx"),
)

#: families of one chapter in several states, and chapters that stand alone; the similarity of
#: every listed pair is read from the corpus, never judged here
REPOSTS = (
    "zh_rust_book/docs/kaisery__ch01-02-hello-world__2018-12-31.md",
    "zh_rust_book/docs/kaisery__ch01-02-hello-world__2019-12-31.md",
    "zh_rust_book/docs/kaisery__ch01-02-hello-world__2024-12-31.md",
    "zh_rust_book/docs/kaisery__ch13-04-performance__2018-12-31.md",
    "zh_rust_book/docs/kaisery__ch13-04-performance__2023-12-31.md",
    "zh_rust_book/docs/kaisery__ch13-04-performance__2024-12-31.md",
    "zh_rust_book/docs/kaisery__ch14-01-release-profiles__2017-12-31.md",
    "zh_rust_book/docs/kaisery__ch14-01-release-profiles__2026-08-31.md",
    "zh_rust_book/docs/rustlangcn__ch07-01-packages-and-crates__2021-12-31.md",
    "zh_rust_book/docs/rustlangcn__ch07-01-packages-and-crates__2022-12-31.md",
    "zh_rust_book/docs/kaisery__ch16-00-concurrency__2023-12-31.md",
    "zh_rust_book/docs/kaisery__appendix-05-editions__2018-12-31.md",
    "en_rust_book/docs/rust__src_appendix-05-editions__2018-12-31.md",
    "en_rust_book/docs/rust__src_appendix-05-editions__2019-12-31.md",
    "en_rust_book/docs/rust__src_appendix-05-editions__2026-07-31.md",
    "en_rust_book/docs/rust__src_ch11-00-testing__2018-12-31.md",
    "en_rust_book/docs/rust__src_ch11-00-testing__2022-12-31.md",
    "en_rust_book/docs/rust__src_ch03-04-comments__2016-12-31.md",
    "en_rust_book/docs/rust__src_ch03-04-comments__2020-12-31.md",
    "en_rust_book/docs/rust__src_ch03-04-comments__2026-07-31.md",
    "en_rust_book/docs/rust__src_ch15-00-smart-pointers__2018-12-31.md",
    "en_rust_book/docs/rust__src_ch15-00-smart-pointers__2026-07-31.md",
    "en_rust_book/docs/rust__src_ch16-00-concurrency__2018-12-31.md",
    "en_rust_book/docs/rust__src_ch09-00-error-handling__2022-12-31.md",
)
LICENCES = {
    "zh_rust_book/LICENSE.kaisery": "LICENSE-MIT.kaisery",
    "zh_rust_book/LICENSE-MIT.rustlangcn": "LICENSE-MIT.rustlangcn",
    "zh_rust_book/LICENSE-APACHE.rustlangcn": "LICENSE-APACHE.rustlangcn",
    "en_rust_book/LICENSE-MIT": "LICENSE-MIT.rust",
    "en_rust_book/LICENSE-APACHE": "LICENSE-APACHE.rust",
}


def essays() -> None:
    """Write every hand-in of the class."""
    for hand_in in HAND_INS:
        text = (HERE / "sources" / f"{hand_in.source}.txt").read_text("utf-8")
        if hand_in.script:
            from opencc import OpenCC

            text = OpenCC(hand_in.script).convert(text)
        target = HERE / "essays" / hand_in.file
        title, *paragraphs = [line for line in text.splitlines() if line]
        author = target.stem.split("-", 1)[1].replace("-", " ").title()
        if target.suffix == ".docx":
            write_docx(target, title, paragraphs, author)
        elif target.suffix == ".pdf":
            write_pdf(target, title, paragraphs, author)
        else:
            with target.open("w", encoding=hand_in.encoding, newline=hand_in.newline) as file:
                file.write(text)


class SchoolClass(NamedTuple):
    """What differs between the classes of the two languages; all else lies in their sources."""

    language: str
    archive: str
    task: str
    class_list: str
    columns: tuple[str, str, str]
    class_name: str
    #: how pupils change the task sheet when they paste it: style -> replacements
    pasted: dict[str, tuple[tuple[str, str], ...]]
    #: (title, author) as word processors fill them in
    properties: tuple[tuple[str, str], ...]


CLASSES = (
    SchoolClass(
        language="zh",
        archive="高一3班-《故乡》读书报告-40123.zip",
        task="题目.docx",
        class_list="名单.csv",
        columns=("学号", "姓名", "班级"),
        class_name="高一（3）班",
        pasted={
            "exact": (),
            "numbers": (("一、", "1．"), ("二、", "2．"), ("三、", "3．"), ("四、", "4．")),
            "words": (("不要复述全部情节", "不要复述整个情节"), ("交到平台", "提交到平台")),
        },
        properties=(
            ("", "Administrator"),
            ("Microsoft Word 文档", "微软用户"),
            ("", "User"),
            ("新建 Microsoft Word 文档", ""),
            ("读书报告", "Lenovo"),
            ("", "爸爸的电脑"),
        ),
    ),
    SchoolClass(
        language="en",
        archive="10C English-Reading response-52117.zip",
        task="task.docx",
        class_list="class-list.csv",
        columns=("id", "name", "class"),
        class_name="10C",
        pasted={
            "exact": (),
            "numbers": (("1. ", "a) "), ("2. ", "b) "), ("3. ", "c) "), ("4. ", "d) ")),
            "words": (("one scene", "one chapter"), ("on the course page", "on Moodle")),
        },
        properties=(
            ("", "Administrator"),
            ("Microsoft Word Document", "User"),
            ("untitled", ""),
            ("", "HP"),
            ("Document1", "Mum's laptop"),
            ("Essay", "Windows User"),
        ),
    ),
)
DUE = datetime(2026, 11, 20, 22, 0, 0)


def school_classes() -> None:
    """Write the classes as a platform hands them over: archive, task sheet, list, late, last year."""
    for one in CLASSES:
        target = HERE / "class" / one.language
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        rows = sources_of(one, "hand-ins.csv")
        inside: list[tuple[str, bytes, datetime]] = []
        for at, row in enumerate(rows):
            when = handed_in(row, again=at > 0 and rows[at - 1]["name"] == row["name"])
            content = hand_in(one, row) if row["file"] else b""
            if "/" in row["file"]:
                path = target / row["file"]
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(content)
            elif row["file"]:
                inside.append((path_in_archive(row), content, when))
        (target / one.archive).write_bytes(hand_ins.stored(sorted(inside)))
        task = lines_of(one, "task")
        sheet = hand_ins.docx(task, title="", creator="", when=DUE - timedelta(days=14))
        (target / one.task).write_bytes(sheet)
        write_list(one, rows, target / one.class_list)
        write_truth(one, rows)


def handed_in(row: dict[str, str], *, again: bool) -> datetime:
    """Return when a file came: on one of four days, what is handed in again a day later."""
    before = random.Random(row["name"]).randrange(24 * 3600, 4 * 24 * 3600, 2)
    late = {"late": timedelta(days=5), "last year": timedelta(days=-371)}
    wait = late.get(row["state"], timedelta(days=1 if again else 0))
    return DUE - timedelta(seconds=before) + wait


def sources_of(one: SchoolClass, name: str) -> list[dict[str, str]]:
    """Return the rows of a table of the sources."""
    with (HERE / "sources" / "class" / one.language / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def lines_of(one: SchoolClass, name: str) -> list[str]:
    """Return the paragraphs of a text of the sources."""
    path = HERE / "sources" / "class" / one.language / f"{name}.txt"
    return path.read_text("utf-8").splitlines()


def hand_in(one: SchoolClass, row: dict[str, str]) -> bytes:
    """Return a file as its pupil saved it: the task sheet, the text, the references."""
    pictures = HERE / "sources" / "class" / one.language
    match row["state"]:
        case "photo":
            return (pictures / "photo.jpg").read_bytes()
        case "scan":
            return hand_ins.scanned_pdf((pictures / "scan.jpg").read_bytes(), when=DUE)
        case "empty":
            return hand_ins.docx([], title="", creator="", when=DUE)
    task = "\n".join(lines_of(one, "task")) if row["task"] else ""
    for old, new in one.pasted.get(row["task"], ()):
        task = task.replace(old, new)
    references = lines_of(one, "references") if row["references"] else []
    paragraphs = [*task.splitlines(), *lines_of(one, row["text"]), *references]
    content = saved(one, row, paragraphs)
    return content[: len(content) // 2] if row["state"] == "damaged" else content


def saved(one: SchoolClass, row: dict[str, str], paragraphs: Sequence[str]) -> bytes:
    """Return a text in the format of its file name."""
    title, author = one.properties[sum(map(ord, row["text"])) % len(one.properties)]
    match row["file"].rpartition(".")[2]:
        case "docx":
            return hand_ins.docx(paragraphs, title=title, creator=author, when=DUE)
        case "pdf":
            return hand_ins.pdf(paragraphs, title=title or None, author=author or None, when=DUE)
        case "odt":
            return hand_ins.odt(paragraphs, when=DUE)
        case "rtf":
            return hand_ins.rtf(paragraphs)
        case "doc":
            return hand_ins.doc(paragraphs)
        case "html":
            return hand_ins.online_text(paragraphs)
    encoding = row["encoding"] or "utf-8"
    ends = "\n" if encoding == "utf-8" else "\r\n"
    return "".join(f"{text}{ends}" for text in paragraphs).encode(encoding)


def path_in_archive(row: dict[str, str]) -> str:
    """Return the place of a file in a download of Moodle."""
    kind = "onlinetext" if row["file"] == "onlinetext.html" else "file"
    return f"{row['name']}_{row['platform']}_assignsubmission_{kind}_/{row['file']}"


def path_of(one: SchoolClass, row: dict[str, str]) -> str:
    """Return the name of a file as a check shows it."""
    if "/" in row["file"]:
        return row["file"]
    return f"{one.archive}/{path_in_archive(row)}" if row["file"] else ""


def write_list(one: SchoolClass, rows: Sequence[dict[str, str]], target: Path) -> None:
    """Write the class list: one row a pupil, one class."""
    pupils = dict.fromkeys((row["number"], row["name"]) for row in rows if row["number"])
    encoding = "utf-8-sig" if one.language == "zh" else "utf-8"
    with target.open("w", encoding=encoding, newline="") as file:
        csv.writer(file).writerows([one.columns, *((*p, one.class_name) for p in pupils)])


def write_truth(one: SchoolClass, rows: Sequence[dict[str, str]]) -> None:
    """Write which pairs were planted, and of each file whose it is and what became of it."""
    files = [
        (path_of(one, row), row["name"], row["number"], row["file"].rpartition(".")[2], row["state"])
        for row in rows
    ]
    held: dict[str, list[str]] = {}
    for file, name, *_ in files:
        held.setdefault(name, []).append(file)
    pairs = []
    for pair in sources_of(one, "pairs.csv"):
        a, b = pair["a"], pair["b"]
        first = held[a][0] if a == b else held[a][-1]
        pairs.append((first, held[b][-1], pair["kind"], pair["note"], a, b))
    tables = {
        f"class-{one.language}.csv": ("a", "b", "kind", "note", "person_a", "person_b"),
        f"class-{one.language}-files.csv": ("file", "person", "number", "format", "state"),
    }
    for (name, head), body in zip(tables.items(), (pairs, files), strict=True):
        with (HERE / "truth" / name).open("w", encoding="utf-8", newline="") as file_:
            csv.writer(file_, lineterminator="\n").writerows([head, *body])


#: source -> file of the prepared class, in the manner of a Chinese platform; the earlier year; a Moodle zip
EXCLUSIONS = {
    "李青": "一组-2026010101-李青-夜里的河.txt",
    "周宁": "一组-2026010102-周宁-手电筒.txt",
    "吴桐": "二组-2026010103-吴桐-末班车以后.txt",
    "郑一": "二组-2026010104-郑一-天台.txt",
    "李青-2025": "earlier/一组-2026010101-李青-我的假期.txt",
}
MOODLE_ZIP = "Creative-Writing-A-place-at-night-40123.zip"
MOODLE = {
    "moore": "Alice Moore_31001_assignsubmission_file_/the laundrette.txt",
    "carter": "Ben Carter_31002_assignsubmission_file_/allotments.txt",
    "diaz": "Chloe Diaz_31003_assignsubmission_file_/ferry.txt",
}
TAG = re.compile(r"\{(\w+|/)\}")


def exclusions() -> None:
    """Write the hand-ins whose parts are marked, and how many characters each kind has."""
    sources, target = HERE / "sources" / "exclusions", HERE / "exclusions"
    (target / "earlier").mkdir(parents=True, exist_ok=True)
    for name in ("task-zh.txt", "task-en.txt", "class-list.csv"):
        shutil.copyfile(sources / name, target / name)
    rows: list[tuple[str, str, int]] = []
    for source, file in EXCLUSIONS.items():
        text, counts = without_marks((sources / f"{source}.txt").read_text("utf-8"))
        (target / file).write_text(text, "utf-8", newline="\n")
        rows += [(file, kind, count) for kind, count in counts.items()]
    with ZipFile(target / MOODLE_ZIP, "w", ZIP_DEFLATED) as archive:
        for source, file in MOODLE.items():
            text, counts = without_marks((sources / f"{source}.txt").read_text("utf-8"))
            member = ZipInfo(file, HANDED_IN.timetuple()[:6])
            member.compress_type = ZIP_DEFLATED
            archive.writestr(member, text)
            rows += [(f"{MOODLE_ZIP}/{file}", kind, count) for kind, count in counts.items()]
    with (target / "expected.csv").open("w", encoding="utf-8", newline="") as file_:
        csv.writer(file_, lineterminator="\n").writerows([("file", "kind", "characters"), *rows])


#: download of a platform -> its members, each a file of another collection
PLATFORMS = {
    "canvas.zip": {
        "clarkeemma_31001_880101_essay.pdf": "essays/03-emma-clarke.pdf",
        "okafordaniel_31003_880103_essay-2.docx": "essays/05-daniel-okafor.docx",
        "shawoliver_LATE_31002_880102_final.docx": "essays/14-oliver-shaw.docx",
    },
    "学习通.zip": {
        file.split("-", 1)[1]: f"exclusions/{file}"
        for file in EXCLUSIONS.values()
        if "/" not in file
    },
}
#: the class lists beside them; the last pupil of each handed nothing in
PLATFORM_LISTS = {
    "canvas-class-list.csv": (
        ("id", "name", "class"),
        ("31001", "Emma Clarke", "10C"),
        ("31002", "Oliver Shaw", "10C"),
        ("31003", "Daniel Okafor", "10C"),
        ("31004", "Mia Rossi", "10C"),
    ),
    "学习通-名单.csv": (
        ("学号", "姓名", "班级"),
        ("2026010101", "李青", "高一（3）班"),
        ("2026010102", "周宁", "高一（3）班"),
        ("2026010103", "吴桐", "高一（3）班"),
        ("2026010104", "郑一", "高一（3）班"),
        ("2026010105", "孙荷", "高一（3）班"),
    ),
}


def platforms() -> None:
    """Write downloads with the file names of two platforms, and a class list for each."""
    target = HERE / "platforms"
    target.mkdir(exist_ok=True)
    for archive, members in PLATFORMS.items():
        inside = [(name, (HERE / path).read_bytes(), HANDED_IN) for name, path in members.items()]
        (target / archive).write_bytes(hand_ins.stored(inside))
    for name, rows in PLATFORM_LISTS.items():
        with (target / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


def without_marks(text: str) -> tuple[str, dict[str, int]]:
    """Return a text without its marks `{kind}...{/}`, and the letters and digits of each kind."""
    plain, opened = "", list[str]()
    counts: dict[str, int] = {}
    at = 0
    for mark in [*TAG.finditer(text), None]:
        part = text[at : mark.start() if mark else len(text)]
        plain += part
        for kind in set(opened):
            counts[kind] = counts.get(kind, 0) + sum(map(str.isalnum, part))
        if mark is not None:
            at = mark.end()
            if mark[1] == "/":
                opened.pop()
            else:
                opened.append(mark[1])
    return plain, counts


def write_docx(target: Path, title: str, paragraphs: list[str], author: str) -> None:
    """Write a heading and paragraphs, with the properties a word processor would set."""
    from docx import Document
    from docx.oxml.ns import qn

    document = Document()
    normal = document.styles["Normal"]
    normal.font.name = "Times New Roman"
    normal.element.rPr.rFonts.set(qn("w:eastAsia"), "SimSun")
    document.add_heading(title, level=1)
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    properties = document.core_properties
    properties.author = properties.last_modified_by = author
    properties.title = title
    properties.comments = ""
    properties.created = properties.modified = HANDED_IN
    document.save(str(target))


def write_pdf(target: Path, title: str, paragraphs: list[str], author: str) -> None:
    """Write a heading and justified paragraphs on A4."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    chinese = any("\u4e00" <= char <= "\u9fff" for char in title)
    pdfmetrics.registerFont(UnicodeCIDFont(PAPER_CJK))
    font, wrap = (PAPER_CJK, "CJK") if chinese else ("Times-Roman", None)
    body = ParagraphStyle(
        "body",
        fontName=font,
        fontSize=12,
        leading=20,
        spaceAfter=8,
        wordWrap=wrap,
        firstLineIndent=24 if chinese else 0,
    )
    head = ParagraphStyle("head", parent=body, fontSize=18, leading=28, firstLineIndent=0)
    page = SimpleDocTemplate(str(target), title=title, author=author, margins=72, invariant=1)
    page.build([Paragraph(title, head), *(Paragraph(text, body) for text in paragraphs)])


def reposts(corpora: Path) -> None:
    """Copy the chosen states of the book, their licences and their measured similarities."""
    for path in REPOSTS:
        shutil.copyfile(corpora / path, HERE / "reposts" / short_name(path))
    for path, name in LICENCES.items():
        shutil.copyfile(corpora / path, HERE / "licences" / name)
    names = {Path(path).name: short_name(path) for path in REPOSTS}
    rows: list[tuple[str, ...]] = []
    for table in sorted(corpora.glob("*_rust_book/revision_pairs*.tsv")):
        with table.open(encoding="utf-8", newline="") as file:
            rows += (
                (names[row["older"]], names[row["newer"]], row["normalized_edit_similarity"])
                for row in csv.DictReader(file, delimiter="\t")
                if row["older"] in names and row["newer"] in names
            )
    with (HERE / "truth" / "reposts.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("a", "b", "similarity"), *sorted(rows)])


def short_name(path: str) -> str:
    """Return translator or `rust`, chapter and year: `kaisery-ch13-04-performance-2018.md`."""
    owner, chapter, date = Path(path).stem.split("__")
    return f"{owner}-{chapter.removeprefix('src_')}-{date[:4]}.md"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["essays"]:
            essays()
        case ["class"]:
            school_classes()
        case ["exclusions"]:
            exclusions()
        case ["platforms"]:
            platforms()
        case ["reposts", corpora]:
            reposts(Path(corpora))
        case _:
            sys.exit(__doc__)
