"""Writing results: to a file, whole or not at all, or to standard output; and remarks."""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from ..folders import write_whole
from ..i18n import Translate
from ..schemas import json_text
from ..signs import escape_json
from ..signs import make_printable as make_printable

if TYPE_CHECKING:  # every command loads this module
    from rich.console import Console

    from ..model import Progress as Step
    from ..model import Skipped


NAME_CELLS = 80  # of a name: twice that and the numbers fit into a table for a pipe, nearly
PIPE_COLUMNS = 200  # of a table that goes into a file or another program
PLAIN: dict[str, Any] = {"markup": False, "highlight": False}


def fit_name(name: str) -> str:
    """Return a name for a terminal: harmless, and at most `NAME_CELLS` wide.

    A longer one is cut in its first folders, an archive's name most often, where half of what
    there is room for stands behind them, else in the middle; letters from its hash tell it from
    others cut alike.
    """
    plain = make_printable(name)
    if len(plain) <= NAME_CELLS and cell_len(plain) <= NAME_CELLS:
        return plain
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    room = NAME_CELLS - len(mark) - 2
    end = _fitting(plain[::-1], room)[::-1]
    _, slash, inner = end.partition("/")
    end = slash + inner
    if cell_len(end) < room // 2:
        end = _fitting(plain[::-1], room // 2)[::-1]
    return f"{_fitting(plain, room - cell_len(end))}…{mark}…{end}"


def cut(text: str, width: int) -> str:
    """Shorten to `width` cells of the terminal, of which a Chinese character takes two."""
    text = make_printable(text)
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

    class Output(Console):
        def on_broken_pipe(self) -> None:
            """Leave it to `main`; by itself it ends the program with 1, which means findings."""
            raise

    free = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Output(width=PIPE_COLUMNS if free else None, **PLAIN)


@contextmanager
def progress(t: Translate, options: argparse.Namespace) -> Iterator[Step | None]:
    """Show a bar a stage on a terminal; nothing elsewhere, or with --quiet."""
    if options.quiet or not sys.stderr.isatty():
        yield None
        return
    with stage_bars(t) as step:
        yield step


@contextmanager
def stage_bars(t: Translate) -> Iterator[Step]:
    """Draw a bar a stage on standard error, until the block ends."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
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


STANDARD_OUTPUT = "<stdout>"  # stands for the name of a file in an error


class _StandardOutput(io.FileIO):
    """Standard output whose errors say that they are its own."""

    def write(self, data: Any, /) -> int:
        """Write bytes."""
        try:
            return super().write(data)
        except OSError as error:
            raise OSError(error.errno, error.strerror, STANDARD_OUTPUT) from error


def remark(sentence: str, options: argparse.Namespace) -> None:
    """Say something beside the result on standard error, unless --quiet was given."""
    if not options.quiet:
        print(sentence, file=sys.stderr, flush=True)


def say_skipped(skipped: Sequence[Skipped], t: Translate) -> None:
    """Name what was not read, and why; links, of which a folder may hold thousands, as one line."""
    links = [row for row in skipped if row.code == "link"]
    for row in skipped:
        if row.code != "link" or len(links) == 1:
            reason = t(f"notes.{row.code}", **row.params)
            print(f"{fit_name(row.name)}: {reason}", file=sys.stderr)
    if any(row.code == "needs_ocr" for row in skipped):
        print(t("cli.ocr_missing"), file=sys.stderr)
    if any(row.code == "class_list" for row in skipped):
        print(t("cli.class_list_found"), file=sys.stderr)
    if len(links) > 1:
        first = fit_name(links[0].name)
        print(t("cli.links_skipped", n=len(links), first=first), file=sys.stderr)


def open_streams() -> None:
    """Make the three standard streams usable, also where some of them were closed.

    A closed one leads to the null device, so that no file of the program gets its number. What is
    written to standard output then fails, as the system has it; messages have nowhere to go.
    """
    if sys.stdin is None:
        sys.stdin = open(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")  # noqa: PTH123, SIM115
    # Windows writes to its console in a way of its own; a caller may have put a stream here
    if sys.stdout is sys.__stdout__ and (sys.stdout is None or os.name != "nt"):
        out = sys.stdout
        descriptor = os.open(os.devnull, os.O_RDONLY) if out is None else out.fileno()
        raw = _StandardOutput(descriptor, "w", closefd=False)
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), line_buffering=raw.isatty())
    if sys.stderr is None:
        sys.stderr = open(os.open(os.devnull, os.O_WRONLY), "w")  # noqa: PTH123, SIM115


def finish_output() -> None:
    """Write what waits for standard output, to nowhere where that fails: Python would try again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_bytes(content: bytes, output: str | None) -> None:
    """Write a whole file, or its bytes to standard output where there is no name."""
    if output:
        with write_whole(Path(output), private=False) as fresh:
            fresh.write_bytes(content)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def write_json(data: object, output: str | None = None) -> None:
    """Write data as JSON, as `write_text` does."""
    write_text(json_text(data), output)


def write_text(content: str, output: str | None) -> None:
    """Write a result to a file, or to standard output where there is none.

    Notes
    -----
    Control characters, marks of direction and what UTF-8 cannot hold (names of files that are not
    UTF-8) become `\\u001b`, which is the same character to a reader of JSON; tables have written
    them out before. On a terminal whatever else cannot be printed is replaced.
    """
    content = escape_json(content)
    data = content.encode("utf-8")
    if output:
        with write_whole(Path(output), private=False) as fresh:
            fresh.write_bytes(data)
    elif sys.stdout.isatty():
        print("\n".join(map(_fit_line, content.splitlines())))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data + b"\n")
        sys.stdout.buffer.flush()


def _fit_line(line: str) -> str:
    return "\t".join(map(make_printable, line.split("\t")))
