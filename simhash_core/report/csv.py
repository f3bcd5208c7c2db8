"""A result, and a report, as one CSV table of pairs for a spreadsheet; a report as JSON too."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable

from ..cases import ListedCases
from ..i18n import Translate
from ..model import MANIPULATIONS, Document
from ..numbers import few_rows
from ..result import CheckResult, ThresholdView
from ..seen.thresholds import at_threshold
from ..signs import visible, visible_name
from .content import Report
from .json import json_text, pair_records
from .tables import about, heading, tables
from .words import Words

MARK = "\ufeff"  # spreadsheets read UTF-8 where a file begins with it

COLUMNS = (
    *("a", "b", "evidence", "distance", "cosine"),
    *("coverage_a", "coverage_b", "identical", "longest", "passages", "chance"),
    *("own_a", "own_b", "case"),
)
NOTES = ("notes_a", "notes_b")
_FORMULA = frozenset("=+-@|\u2212")
_BLANK = " \t\r\n\u200b\u200c\u200d\u2060\ufeff"  # after NFKC

SCHEMA = "leitong.report/1"


def pairs_csv(
    result: CheckResult,
    t: Translate,
    *,
    view: ThresholdView | None = None,
    cases: ListedCases | None = None,
) -> str:
    """Write every pair with evidence, behind a byte order mark; a name never starts a formula.

    Parameters
    ----------
    result, t
    view
        The result at the threshold in force (`at_threshold`); by default at that of the check.
    cases
        As in `to_json`.
    """
    view = view or at_threshold(result, result.threshold)
    columns = (*COLUMNS, *NOTES)
    notes = [_notes(document, t) for document in result.documents]
    few = few_rows(result)
    buffer = io.StringIO(newline="")
    buffer.write(MARK)
    writer = csv.writer(buffer)
    writer.writerow([t(f"cli.csv_{column}") for column in columns])
    for (left, right), pair in pair_records(result, view, cases=cases).items():
        pair["notes_a"], pair["notes_b"] = notes[left], notes[right]
        pair["coverage_a"] = None if few[left] else pair["coverage_a"]
        pair["coverage_b"] = None if few[right] else pair["coverage_b"]
        pair["evidence"] = "+".join(t(f"cli.evidence_{kind}") for kind in pair["evidence"])
        writer.writerow(safe_row(pair[column] for column in columns))
    return buffer.getvalue()


def _notes(document: Document, t: Translate) -> str:
    """Name manipulations with their number of characters, and how many pages were recognised."""
    named = (note for note in document.notes if note.code in MANIPULATIONS or note.code == "ocr")
    return ", ".join(f"{t(f'notes.tag.{note.code}')}: {note.params.get('n', '')}" for note in named)


def safe_cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula and that drives no terminal.

    Some skip blanks and read full-width signs as signs, so the first visible character decides,
    after NFKC.
    """
    if not isinstance(value, str):
        return "" if value is None else value
    value = visible(value)
    seen = unicodedata.normalize("NFKC", value).strip(_BLANK)
    formula = seen[:1] in _FORMULA or value[:1] in "\t\r\n"
    return "'" + value if value and formula else value


def safe_row(cells: Iterable[object]) -> list[object]:
    """Return safe cells of a row that stands on one line, whatever is in a name."""
    return [safe_cell(visible_name(one) if isinstance(one, str) else one) for one in cells]


def write_csv(report: Report, language: str) -> bytes:
    """Return the pairs of a report for a spreadsheet, below them the same meaning and the check."""
    words, buffer = Words.of(report, language), io.StringIO(newline="")
    buffer.write(MARK)
    writer = csv.writer(buffer)
    if report.damage:
        writer.writerow([safe_cell(words.damage())])
    for table in tables(words):
        if table.code in ("pairs", "meanings"):
            writer.writerow([heading(words, table, column) for column in table.columns])
            writer.writerows([safe_cell(cell) for cell in row] for row in table.rows)
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
        "decided_before": words.lost(),
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
    return json_text(data, default=list).encode("utf-8")
