"""A report as one CSV table of its pairs, and as JSON."""

from __future__ import annotations

import csv
import io
from json import dumps

from .content import Report
from .csv import MARK, safe_cell
from .tables import about, heading, tables
from .words import Words

SCHEMA = "leitong.report/1"


def write_csv(report: Report, language: str) -> bytes:
    """Return the pairs of a report for a spreadsheet, what was checked below them."""
    words, buffer = Words.of(report, language), io.StringIO(newline="")
    buffer.write(MARK)
    writer = csv.writer(buffer)
    if report.damage:
        writer.writerow([safe_cell(words.damage())])
    pairs = next(table for table in tables(words) if table.code == "pairs")
    writer.writerow([heading(words, pairs, column) for column in pairs.columns])
    writer.writerows([safe_cell(cell) for cell in row] for row in pairs.rows)
    writer.writerow([])
    writer.writerows([safe_cell(cell) for cell in row] for row in about(words))
    return buffer.getvalue().encode("utf-8", "replace")


def write_json(report: Report, language: str) -> bytes:
    """Return a report as data: its tables under stable keys, and what was checked in words."""
    words, facts = Words.of(report, language), report.facts
    data = {
        "schema": SCHEMA,
        "kind": report.kind,
        "number": report.number,
        "title": words.heading(),
        "damage": words.damage() or None,
        "anonymous": report.anonymous,
        "made": facts.made.isoformat(),
        "checked": facts.checked.isoformat() if facts.checked else None,
        "version": facts.version,
        "recipe": facts.recipe,
        "settings": dict(facts.settings),
        "documents": facts.documents,
        "pairs_compared": facts.pairs,
        "threshold": facts.threshold,
        "expected_false_pairs": report.expected,
        "left_out": [
            {"kind": row.kind, "texts": row.texts, "units": row.units, "share": row.share}
            for row in report.left_out
        ],
        **{
            table.code: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
            for table in tables(words)
        },
        "about": [list(row) for row in about(words)],
    }
    return dumps(data, ensure_ascii=False, indent=1, default=list).encode("utf-8", "replace")
