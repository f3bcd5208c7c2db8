"""A result, and a report, as one CSV table of pairs for a spreadsheet; a report as JSON too."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from .. import schemas
from ..cases import ListedCases
from ..i18n import Translate
from ..numbers import few_rows
from ..result import CheckResult, ThresholdView
from ..seen.thresholds import view_at_threshold
from ..signs import make_visible, visible_name
from .columns import IN_CSV, describe_check, list_pairs, notes_tagged, record, tables

if TYPE_CHECKING:
    from .content import Report

MARK = "\ufeff"  # spreadsheets read UTF-8 where a file begins with it
NOTES = ("notes_a", "notes_b")  # columns behind those of `IN_CSV`
_FORMULA = frozenset("=+-@|\u2212")
_BLANK = " \t\r\n\u200b\u200c\u200d\u2060\ufeff"  # after NFKC


def pairs_csv(
    result: CheckResult,
    t: Translate,
    *,
    view: ThresholdView | None = None,
    cases: ListedCases | None = None,
) -> str:
    """Write every pair with evidence, behind a byte order mark; a name never starts a formula.

    `view` and `cases` are those of `json.Known`.
    """
    view = view or view_at_threshold(result, result.threshold)
    notes = [notes_tagged(document, t) for document in result.documents]
    few, lines = few_rows(result), list[list[object]]()
    lines.append([t(f"cli.csv_{name}") for name in (*(one.name for one in IN_CSV), *NOTES)])
    for pair in list_pairs(result, view, cases=cases):
        cells = record(IN_CSV, pair)
        cells["evidence"] = "+".join(t(f"cli.evidence_{kind}") for kind in pair.evidence)
        for side, row in zip("ab", (pair.a, pair.b), strict=True):
            if few[row]:
                cells[f"coverage_{side}"] = None
        lines.append([*cells.values(), notes[pair.a], notes[pair.b]])
    return marked_lines(map(safe_row, lines))


def marked_lines(rows: Iterable[Iterable[object]]) -> str:
    """Return lines of CSV behind a byte order mark."""
    buffer = io.StringIO(newline="")
    buffer.write(MARK)
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue()


def safe_cell(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula and that drives no terminal.

    Some skip blanks and read full-width signs as signs, so the first visible character decides,
    after NFKC.
    """
    if not isinstance(value, str):
        return "" if value is None else value
    value = make_visible(value)
    seen = unicodedata.normalize("NFKC", value).strip(_BLANK)
    formula = seen[:1] in _FORMULA or value[:1] in "\t\r\n"
    return "'" + value if value and formula else value


def safe_row(cells: Iterable[object]) -> list[object]:
    """Return safe cells of a row that stands on one line, whatever is in a name."""
    return [safe_cell(visible_name(one) if isinstance(one, str) else one) for one in cells]


def write_csv(report: Report, language: str) -> bytes:
    """Return the pairs of a report for a spreadsheet, below them the same meaning and the check."""
    from .words import Words

    words, lines = Words.of(report, language), list[Sequence[object]]()
    if report.cover.damage:
        lines.append([words.damage()])
    for table in tables(words):
        if table.code in ("pairs", "meanings"):
            lines.append([words.t(column.label) for column in table.columns])
            lines += [*table.rows, []]
    lines += describe_check(words)
    safe = (map(safe_cell, line) for line in lines)
    return marked_lines(safe).encode("utf-8", "replace")


def write_json(report: Report, language: str) -> bytes:
    """Return a report as data: its tables under stable keys, and what was checked in words."""
    from .words import Words

    words, facts = Words.of(report, language), report.facts
    data = {
        "schema": schemas.REPORT,
        "kind": report.kind,
        "number": report.number,
        "title": words.heading(),
        "damage": words.damage() or None,
        "decided_before": words.lost(),
        "anonymous": report.cover.anonymous,
        "made": facts.made.isoformat(),
        "checked": facts.checked.isoformat() if facts.checked else None,
        "version": facts.version,
        "recipe": facts.recipe,
        "settings": dict(facts.settings),
        "documents": facts.documents,
        "pairs_compared": facts.pairs,
        "threshold": facts.threshold,
        "expected_false_pairs": facts.expected,
        "left_out": [asdict(row) for row in facts.left_out],
        **{
            table.code: [dict(zip(names, row, strict=True)) for row in table.rows]
            for table in tables(words)
            for names in [[column.name for column in table.columns]]
        },
        "about": [list(row) for row in describe_check(words)],
    }
    return schemas.json_text(data, default=list).encode("utf-8")
