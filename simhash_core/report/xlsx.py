"""A report as a workbook: what a person reads first, what only a program reads last."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import xlsxwriter

from ..palette import PAPER
from ..signs import make_visible
from .columns import READ_IN_WORKBOOK, Cell, Columns, Table, describe_check, tables
from .content import Report
from .words import Words

WIDTHS = {"text": 20, "long": 60, "count": 9, "share": 11, "number": 10, "chance": 10}
FORMATS = {"share": "0%", "number": "0.00", "count": "0", "chance": "General"}
#: tables in the order of their sheets; those without a row come last
_ORDER = ("pairs", "persons", "texts", "held", "passages", "meanings")
MOST_TEXT = 32_000  # characters of one cell; Excel takes 32,767
#: text is text: a cell never becomes a formula, a link or a number
_SAFE = {
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "nan_inf_to_errors": False,
    "in_memory": True,
}


def write_xlsx(report: Report, language: str) -> bytes:
    """Return a report as an Excel workbook; no cell of it is a formula."""
    words, buffer = Words.of(report, language), io.BytesIO()
    with xlsxwriter.Workbook(buffer, _SAFE) as book:
        _describe(book, words)
        styles = {
            kind: book.add_format({"num_format": FORMATS[kind]}) if kind in FORMATS
            else book.add_format({"text_wrap": kind == "long", "valign": "top"})
            for kind in WIDTHS
        }  # fmt: skip
        styles["head"] = book.add_format({"bold": True, "bottom": 1, "text_wrap": True})
        if report.cover.damage:  # what must be seen first
            _about(book, words, styles)
        listed = sorted(tables(words), key=lambda one: (not one.rows, _ORDER.index(one.code)))
        technical = []
        for table in listed:
            names = [column.name for column in table.columns]
            read, keys = READ_IN_WORKBOOK.get(table.code, (names, len(names)))
            title = words.t(f"report.table.sheet_{table.code}")
            _sheet(book, words, title, _rank(table.choose(read)), styles)
            if len(read) < len(names):
                rest = [name for name in names if name not in read[keys:]]
                technical.append(
                    (words.t("report.table.technical", table=title), table.choose(rest))
                )
        for title, table in technical:
            _sheet(book, words, title, table, styles)
        if not report.cover.damage:
            _about(book, words, styles)
    return buffer.getvalue()


def write_table(
    title: str, heads: Sequence[str], columns: Columns, rows: Sequence[Sequence[Cell]]
) -> bytes:
    """Return one table as a workbook."""
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, _SAFE) as book:
        book.set_properties({"title": title})
        sheet = book.add_worksheet(title[:31])
        styles = {kind: book.add_format({"num_format": FORMATS[kind]}) for kind in FORMATS}
        styles["head"] = book.add_format({"bold": True, "bottom": 1, "text_wrap": True})
        _fill(sheet, heads, columns, rows, styles)
        sheet.freeze_panes(1, 3)
    return buffer.getvalue()


def _fill(
    sheet: Any,
    heads: Iterable[str],
    columns: Columns,
    rows: Sequence[Sequence[Cell]],
    styles: dict[str, Any],
) -> None:
    """Write heads and rows with a filter."""
    for at, (head, column) in enumerate(zip(heads, columns, strict=True)):
        sheet.write_string(0, at, head, styles["head"])
        sheet.set_column(at, at, 66 if column.name == "hash" else WIDTHS[column.kind])
    for row, cells in enumerate(rows, 1):
        for at, (cell, column) in enumerate(zip(cells, columns, strict=True)):
            _cell(sheet, row, at, cell, styles.get(column.kind))
    sheet.autofilter(0, 0, max(len(rows), 1), len(columns) - 1)


def _describe(book: Any, words: Words) -> None:
    report = words.report
    made = report.facts.made
    book.set_properties(
        {
            "title": words.heading(),
            "subject": words.kind_title(),
            "comments": words.foot(),
            "company": f"Leitong {report.facts.version}",
            # the zone is dropped: the file format has none
            "created": datetime(made.year, made.month, made.day, made.hour, made.minute),
        }
    )


def _rank(table: Table) -> Table:
    """Return a table of texts or persons with those first of which most is shared."""
    at = next((at for at, column in enumerate(table.columns) if column.name == "total"), -1)
    if at < 0:
        return table
    return replace(table, rows=tuple(sorted(table.rows, key=lambda row: -float(row[at] or 0))))


def _sheet(book: Any, words: Words, title: str, table: Table, styles: dict[str, Any]) -> None:
    """Write one table with a fixed head, filters, and a bar in every cell that is a share."""
    sheet, columns, rows = book.add_worksheet(title[:31]), table.columns, table.rows
    _fill(sheet, (words.t(column.label) for column in columns), columns, rows, styles)
    sheet.freeze_panes(1, 2)
    last = len(rows)
    for at, column in enumerate(columns):
        if column.kind == "share" and last:
            sheet.conditional_format(
                1, at, last, at,
                {"type": "data_bar", "bar_color": PAPER.accent, "bar_solid": True,
                 "min_type": "num", "min_value": 0, "max_type": "num", "max_value": 1},
            )  # fmt: skip
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    sheet.set_footer(f"&L{words.foot().replace('&', '&&')}&R&P / &N")


def _about(book: Any, words: Words, styles: dict[str, Any]) -> None:
    sheet = book.add_worksheet(words.t("report.table.sheet_settings"))
    sheet.write_string(0, 0, words.t("report.table.item"), styles["head"])
    sheet.write_string(0, 1, words.t("report.table.value"), styles["head"])
    sheet.set_column(0, 0, 40, styles["long"])
    sheet.set_column(1, 1, 90, styles["long"])
    for row, (label, value) in enumerate(describe_check(words), 1):
        sheet.write_string(row, 0, label[:MOST_TEXT], styles["long"])
        _cell(sheet, row, 1, value, styles["long"])
    sheet.freeze_panes(1, 0)


def _cell(sheet: Any, row: int, column: int, value: Cell, style: Any) -> None:
    if value is None or value == "":
        sheet.write_blank(row, column, None, style)
    elif isinstance(value, str):
        sheet.write_string(row, column, make_visible(value)[:MOST_TEXT], style)
    else:
        sheet.write_number(row, column, value, style)
