"""Runs the command line in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ESSAYS = ROOT / "sample_docs" / "essays"


def leitong(*arguments: object, language: str = "en") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "simhash_core", *map(str, arguments), "--lang", language],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=280,  # a busy machine
    )
