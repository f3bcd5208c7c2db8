"""The console that tables go to."""

from __future__ import annotations

import os
import sys
from typing import Any

from rich.console import Console

PIPE_COLUMNS = 200  # of a table that goes into a file or another program
PLAIN: dict[str, Any] = {"markup": False, "highlight": False}


def output_console() -> Console:
    """Return what writes to standard output; a file or a pipe gets no lines cut to 80 columns."""
    free = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(width=PIPE_COLUMNS if free else None, **PLAIN)
