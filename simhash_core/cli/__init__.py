"""The command line."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import threading
from collections.abc import Sequence
from types import FrameType

__all__ = ["main"]

UNREAD = 141  # as SIGPIPE ends a program: whoever reads its output has left, as `head` does
VARIABLE = "LEITONG_DEBUG"  # environment: show where an unexpected error happened


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Notes
    -----
    Everything else is imported in here: Ctrl-C and SIGTERM end with one line and 130 from the
    first moment on, not only once the command runs. SIGHUP and SIGQUIT end with 129 and 131. The
    workers end with the program in all cases.
    """
    try:
        return _run(arguments)
    except BrokenPipeError:
        _write_nowhere()
        return UNREAD


def _run(arguments: Sequence[str] | None) -> int:
    try:
        _hear_signals()
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more would only wait: workers share
        gc.set_threshold(50_000)  # this and the next are a fifth of a small check: objects in
        atexit.register(gc.freeze)  # circles are looked for seldom, and not when all of them end
        from .output import open_streams

        open_streams()
        from .entry import run

        return run(arguments)
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        from .entry import INTERRUPTED, say

        say(arguments, "error.cancelled")
        return INTERRUPTED
    except Exception as error:
        if os.environ.get(VARIABLE):
            import traceback

            traceback.print_exc()
        from .entry import UNEXPECTED, say

        say(arguments, "error.unforeseen", kind=type(error).__name__, variable=VARIABLE)
        return UNEXPECTED


def _hear_signals() -> None:
    """Let each signal end the program in an orderly way; what `nohup` ignores stays ignored."""
    signal.signal(signal.SIGTERM, _end)
    for name in ("SIGHUP", "SIGQUIT"):  # not on Windows
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    """End as a shell shows a program that a signal ended; the terminal may be gone.

    Python ignores what is raised where a finalizer runs: there the signal is sent once more.
    """
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            threading.Timer(0.05, os.kill, (os.getpid(), number)).start()
            return
        frame = frame.f_back
    if number == signal.SIGTERM:
        raise KeyboardInterrupt
    _write_nowhere()
    raise SystemExit(128 + number)


def _write_nowhere() -> None:
    """Let both streams lead to the null device: Python would try once more when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
