"""Runs the command line: in this process, or in one of its own where the process is what counts."""

from __future__ import annotations

import argparse
import contextlib
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from simhash_core.cli.entry import run

ROOT = Path(__file__).resolve().parents[1]
ESSAYS = ROOT / "sample_docs" / "essays"


def leitong(
    *arguments: object, language: str = "en", folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run a command here: its start, a second each time, is what `leitong_alone` is for."""
    words = [*map(str, arguments), "--lang", language]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = run(words)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    written = [stream.buffer.getvalue().decode("utf-8") for stream in (out, err)]  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(words, code, *written)


def leitong_alone(*arguments: object, language: str = "en") -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "simhash_core", *map(str, arguments), "--lang", language],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=280,  # a busy machine
    )


def walk_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from walk_parsers(inner)
