"""Whether every leaf is there: some tests hold what is written about all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import simhash_core
from simhash_core.extensions import LEAVES

MISSING = [name for name in LEAVES if not (Path(simhash_core.__file__).parent / name).is_dir()]
#: of a test that reads documents and page scripts, which stay where a leaf is cut off
complete = pytest.mark.skipif(bool(MISSING), reason=f"without {MISSING}")
