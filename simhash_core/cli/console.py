"""What a terminal shows: names and texts made harmless, tables, a bar a stage.

Rich is imported by what draws with it: a mistake on the command line is said without.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from ..i18n import Translate

if TYPE_CHECKING:
    from rich.console import Console

    from ..model import Progress as Step

NAME_CELLS = 80  # of a name: twice that and the numbers fit into a table for a pipe, nearly
PIPE_COLUMNS = 200  # of a table that goes into a file or another program
PLAIN: dict[str, Any] = {"markup": False, "highlight": False}


def printable(text: str) -> str:
    """Make control characters harmless: a file name must not drive the terminal."""
    return "".join(c if c.isprintable() else "�" for c in text)


def shown_name(name: str) -> str:
    """Return a name for a terminal: harmless, and at most `NAME_CELLS` wide.

    A longer one is cut in the middle; letters from its hash tell it from others cut alike.
    """
    plain = printable(name)
    if len(plain) <= NAME_CELLS and cell_len(plain) <= NAME_CELLS:
        return plain
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    room = NAME_CELLS - len(mark) - 2
    end = _fitting(plain[::-1], room // 2)[::-1]
    return f"{_fitting(plain, room - room // 2)}…{mark}…{end}"


def cut(text: str, width: int) -> str:
    """Shorten to `width` cells of the terminal, of which a Chinese character takes two."""
    text = printable(text)
    if len(text) <= width and cell_len(text) <= width:
        return text
    return _fitting(text, width - 1) + "…"


def _fitting(text: str, cells: int) -> str:
    """Return the beginning of a text that is at most so many cells wide."""
    held = ""
    for character in text:
        cells -= cell_len(character)
        if cells < 0:
            break
        held += character
    return held


def output_console() -> Console:
    """Return what writes to standard output; a file or a pipe gets no lines cut to 80 columns."""
    from rich.console import Console

    free = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(width=PIPE_COLUMNS if free else None, **PLAIN)


@contextmanager
def progress(t: Translate, options: argparse.Namespace) -> Iterator[Step | None]:
    """Show a bar a stage on a terminal; nothing elsewhere, or with --quiet."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if options.quiet or not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
    )
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def step(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(t(f"stage.{stage}"), total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield step
