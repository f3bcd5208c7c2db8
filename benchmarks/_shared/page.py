"""docs/performance.md: the stored figures of every question, with machine and versions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .picture import draw
from .report import Report, Table, write

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "performance.md"
PICTURES = ROOT / "docs" / "performance"

HEAD = """# Performance

How fast each part is, beside other programs in the same run and beside what the machine allows.
Seconds are medians of warm runs by the clock unless a column says CPU, which counts all processors
and all workers. Ratios compare CPU seconds: "times ours" is what a peer takes divided by what ours
takes, so more than 1 means that the peer is slower. This page is written by `python -m benchmarks`;
every section names the command that makes it alone, the day, and what else the machine did. Where
it does other work seconds grow and ratios stay: trust the ratios. The last section is written by
hand: a program in git history measured it.
"""
#: the heading of that section, which is kept when the page is written anew
BY_HAND = "## How large can a library be?"


def write_page(names: Sequence[str], questions: Mapping[str, str]) -> None:
    """Write the page from what is stored; a question without figures is left out.

    The section that is written by hand is kept.
    """
    stored = {
        name: json.loads(_file(name).read_text("utf-8")) for name in names if _file(name).exists()
    }
    if not stored:
        return
    parts = [HEAD]
    for name, data in stored.items():
        parts.append("\n".join(_section(questions[name], data)))
    parts.append("\n".join(_machines(stored)))
    parts.append("".join(PAGE.read_text("utf-8").partition(BY_HAND)[1:]))
    PAGE.write_text("\n".join(parts), "utf-8")


def _file(name: str) -> Path:
    return RESULTS / f"{name}.json"


def _section(question: str, data: Mapping[str, Any]) -> Iterator[str]:
    report = Report.from_json(data["report"])
    yield f"## {question}\n"
    day, processors = data["machine"]["date"], data["machine"]["processors"]
    busy = f"while {data['load']:.0f} processes wanted the {processors} processors"
    yield f"`{data['command']}`, {day}, {busy}\n"
    for chart in report.charts:
        PICTURES.mkdir(exist_ok=True)
        (PICTURES / f"{chart.name}.svg").write_text(draw(chart), "utf-8")
        yield f"![{chart.title}]({PICTURES.name}/{chart.name}.svg)\n"
    for table in report.tables:
        yield from _table(table)
    yield from (f"{note}\n" for note in report.notes)


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield f"{table.title}\n"
    yield f"| {' | '.join(table.heads)} |"
    yield f"|{'---|' + '---:|' * (len(table.heads) - 1)}"
    yield from (f"| {' | '.join(write(cell) for cell in row)} |" for row in table.rows)
    yield ""


def _machines(stored: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Write every machine once, with the questions that were measured on it."""
    yield "## Machine and versions\n"
    seen: dict[str, list[str]] = {}
    for name, data in stored.items():
        facts = {key: value for key, value in data["machine"].items() if key != "date"}
        line = ", ".join(f"{key} {value}" for key, value in facts.items())
        seen.setdefault(line, []).append(name)
    for line, names in seen.items():
        yield f"{', '.join(names)}: {line}.\n"
