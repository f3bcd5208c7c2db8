"""Clocks, time zones and locales of other machines change nothing of what is found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SURROUNDINGS = (
    {},
    {"TZ": "Asia/Kathmandu", "LC_ALL": "C", "LANG": "C"},
    {"TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    {"TZ": "UTC-14", "LC_ALL": "zh_CN.GBK", "PYTHONHASHSEED": "1"},
    {"PYTHONOPTIMIZE": "1", "PYTHONHASHSEED": "2", "COLUMNS": "40"},
)


@pytest.mark.promise(32)
@pytest.mark.timeout(1200)
def test_results_are_the_same_in_any_surroundings(
    tmp_path: Path, root: Path, record_property
) -> None:
    texts = sorted((root / "sample_docs" / "reposts").glob("*.md"))[:8]
    command = [sys.executable, "-m", "simhash_core", "check", *map(str, texts), "--lang", "en"]
    files = []
    for number, changed in enumerate(SURROUNDINGS):
        path = tmp_path / f"{number}.csv"
        subprocess.run(
            [*command, "--format", "csv", "-o", str(path)],
            cwd=root,
            env={**os.environ, **changed},
            check=True,
        )
        files.append(path.read_bytes())

    assert files[0].count(b"\n") > 2
    assert set(files) == {files[0]}
    record_property("outcome", f"{len(files)} surroundings, {len(files[0])} equal bytes each")
