"""`leitong evaluate`: measurements and their tables, the one command that loads the lab."""

from __future__ import annotations

import argparse
import dataclasses

from rich.table import Table
from rich.text import Text

from ..i18n import Translate
from ..lab import EVALUATIONS, Code
from ..lab import Table as Measured
from ..notation import UNKNOWN
from ..signs import printable
from .output import output_console, progress, write_json

FAILED = 4  # exit code: a known answer came out different


def evaluate(options: argparse.Namespace, t: Translate) -> int:
    """`leitong evaluate KIND`: tables of figures; 4 where a known answer differs."""
    with progress(t, options) as step:
        tables = EVALUATIONS[options.kind](options, step)
    if options.json:
        rows = [dataclasses.asdict(table) for table in tables]
        write_json(rows)
    else:
        for table in tables:
            print_table(table, t)
    return 0 if all(table.ok for table in tables) else FAILED


def print_table(table: Measured, t: Translate) -> None:
    """Write one table of an evaluation."""
    console = output_console()
    shown = Table(box=None, pad_edge=False, title=t(f"evaluate.{table.code}"), title_justify="left")
    for column in table.columns:
        shown.add_column(t(f"evaluate.column_{column}"), overflow="fold")
    for row in table.rows:
        shown.add_row(*(Text(_cell(value, t)) for value in row))
    console.print(shown)
    console.print()


def _cell(value: object, t: Translate) -> str:
    if isinstance(value, Code):
        return t(f"evaluate.{value}")
    if isinstance(value, float):
        return UNKNOWN if value != value else f"{value:.4g}"
    return printable(str(value))
