"""Workers that cannot run this package are named before anything is computed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = [pytest.mark.spark, pytest.mark.timeout(1800)]
OTHERS = [f"python3.{minor}" for minor in range(9, 16) if minor != sys.version_info[1]]


def refused(tmp_path: Path, root: Path, interpreter: str) -> str:
    """Return the one line with which a search for pairs ends on workers of an interpreter."""
    pytest.importorskip("pyspark")
    np.save(tmp_path / "words.npy", np.arange(50, dtype=np.uint64))
    done = subprocess.run(
        [
            *(sys.executable, "-m", "simhash_core", "pairs", tmp_path / "words.npy", "-k", "3"),
            *("--engine", "spark", "--master", "local[1]", "--lang", "en"),
            *("-o", tmp_path / "pairs.npz"),
        ],
        cwd=root,
        env={**os.environ, "PYSPARK_PYTHON": interpreter, "SPARK_LOCAL_IP": "127.0.0.1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 4, done.stderr
    assert "Traceback" not in done.stderr.splitlines()[-1]
    assert not (tmp_path / "pairs.npz").exists()
    return done.stderr.splitlines()[-1]


def test_worker_without_numpy_is_named(tmp_path: Path, root: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ModuleNotFoundError(\"No module named 'numpy'\")")
    script = tmp_path / "python"
    script.write_text(
        f'#!/bin/sh\nPYTHONPATH="{tmp_path}:$PYTHONPATH" exec "{sys.executable}" "$@"\n'
    )
    script.chmod(0o755)

    assert "No module named 'numpy'" in refused(tmp_path, root, str(script))


def test_worker_of_another_python_is_named(tmp_path: Path, root: Path) -> None:
    other = os.environ.get("LEITONG_OTHER_PYTHON") or next(
        filter(None, map(shutil.which, OTHERS)), None
    )
    if other is None:
        pytest.skip("no other Python on this machine (LEITONG_OTHER_PYTHON)")
    said = refused(tmp_path, root, other)

    assert f"{sys.version_info[0]}.{sys.version_info[1]}" in said
    assert "version" in said
