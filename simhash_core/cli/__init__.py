"""The command line."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

__all__ = ["main"]

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Notes
    -----
    Everything else is imported in here: Ctrl-C and SIGTERM end with one line and 130 from the
    first moment on, not only once the command runs.
    """
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        from .entry import run

        return run(arguments)
    except KeyboardInterrupt:
        from .entry import stopped

        print(stopped(arguments), file=sys.stderr)
        return INTERRUPTED
