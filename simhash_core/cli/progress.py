"""A bar a stage while a command is at work."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from ..i18n import Translate
from ..model import Progress as Step


@contextmanager
def progress(t: Translate, options: argparse.Namespace) -> Iterator[Step | None]:
    """Show a bar a stage on a terminal; nothing elsewhere, or with --quiet."""
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
