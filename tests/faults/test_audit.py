"""What is known of flaws in the dependencies, and what a linter for security says of the code."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest


@pytest.mark.promise(33)
@pytest.mark.timeout(3600)
def test_no_flaw_is_known(root: Path, record_property) -> None:
    """Without a network the list of flaws is missing; the code is looked at all the same."""
    if os.name != "posix":
        pytest.skip("a script of bash")
    done = subprocess.run([root / ".ci" / "audit"], capture_output=True, text=True)
    said = (done.stdout + done.stderr).strip().splitlines()[-1]
    record_property("outcome", f".ci/audit ends with {done.returncode}: {said}")

    assert done.returncode != 1, done.stdout[-4000:]
    if done.returncode == 2:
        pytest.skip(said)
