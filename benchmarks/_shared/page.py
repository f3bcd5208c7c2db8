"""docs/performance.md and the same in Chinese: the stored figures of every question."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .chinese import translate, translate_name
from .picture import draw
from .report import Report, Table, write

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
PICTURES = ROOT / "docs" / "performance"


@dataclass(frozen=True, slots=True)
class Page:
    """One language of the page, and what it says around the figures."""

    path: Path
    pictures: str  # their folder, as the page links it
    head: str
    by_hand: str  # heading of the last section, which is kept when the page is written anew
    measured: str  # of a section: command, day, load, processors
    machines: str
    say: Callable[[str], str] = str  # a phrase of a report
    name: Callable[[str], str] = str  # the first cell of a row


ENGLISH = Page(
    ROOT / "docs" / "performance.md",
    "performance",
    """# Performance

How much time and memory Leitong needs, next to other programs that did the same work in the same
run. CPU time counts all processors and all child processes. "Times ours" is the CPU time of the
other program divided by that of Leitong: above 1, the other program is slower. Under each heading
stand the command that measures it again, the day, and how many processes shared the machine. On a
busy machine seconds go up, but ratios hardly change. `python -m benchmarks` writes this page in
English and in Chinese; the last section is written by hand.
""",
    "## How large can a library be?",
    "`{command}`, {date}, while {load:.0f} processes shared {processors} processors",
    "Machine and versions",
)
CHINESE = Page(
    ROOT / "docs" / "zh" / "performance.md",
    "../performance",
    """# 性能

雷同要多少时间和内存，与别的程序在同一次运行里做同样的事相比。处理器时间包括所有处理器和子进程。
“是雷同的几倍”指别的程序的处理器时间除以雷同的：大于 1 就是别的程序更慢。每个标题下写着重测的命令、
日期，以及当时有多少进程共用机器：机器忙时秒数会变大，倍数几乎不变。中英文两页都由
`python -m benchmarks` 写成；最后一节是手写的。
""",
    "## 文库能有多大？",
    "`{command}`，{date}，当时 {load:.0f} 个进程共用 {processors} 个处理器",
    "机器与版本",
    translate,
    translate_name,
)


def write_pages(names: Sequence[str], questions: Mapping[str, str]) -> None:
    """Write both pages from what is stored; a question without figures is left out.

    The section that is written by hand is kept.
    """
    stored = {
        name: json.loads(_file(name).read_text("utf-8")) for name in names if _file(name).exists()
    }
    for data in stored.values():
        for chart in Report.from_json(data["report"]).charts:
            (PICTURES / f"{chart.name}.svg").write_text(draw(chart), "utf-8")
    for page in (ENGLISH, CHINESE) if stored else ():
        parts = [page.head]
        for name, data in stored.items():
            parts.append("\n".join(_section(page, questions[name], data)))
        parts.append("\n".join(_machines(page, stored)))
        parts.append("".join(page.path.read_text("utf-8").partition(page.by_hand)[1:]))
        page.path.write_text("\n".join(parts), "utf-8")


def _file(name: str) -> Path:
    return RESULTS / f"{name}.json"


def _section(page: Page, question: str, data: Mapping[str, Any]) -> Iterator[str]:
    report = Report.from_json(data["report"])
    yield f"## {page.say(question)}\n"
    yield page.measured.format(command=data["command"], load=data["load"], **data["machine"]) + "\n"
    for chart in report.charts:
        yield f"![{page.say(chart.title)}]({page.pictures}/{chart.name}.svg)\n"
    for table in report.tables:
        yield from _table(page, table)
    yield from (f"{page.say(note)}\n" for note in report.notes)


def _table(page: Page, table: Table) -> Iterator[str]:
    if table.title:
        yield f"{page.say(table.title)}\n"
    yield f"| {' | '.join(page.say(head) if head else '' for head in table.heads)} |"
    yield f"|{'---|' + '---:|' * (len(table.heads) - 1)}"
    for row in table.rows:
        cells = [page.name(cell) if isinstance(cell, str) else write(cell) for cell in row]
        yield f"| {' | '.join(cells)} |"
    yield ""


def _machines(page: Page, stored: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Write every machine once, with the questions that were measured on it."""
    yield f"## {page.machines}\n"
    seen: dict[str, list[str]] = {}
    for name, data in stored.items():
        facts = {key: value for key, value in data["machine"].items() if key != "date"}
        line = ", ".join(f"{page.name(key)} {value}" for key, value in facts.items())
        seen.setdefault(line, []).append(name)
    for line, names in seen.items():
        yield f"{', '.join(names)}: {line}.\n"
