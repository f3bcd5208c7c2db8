"""The numbers of policy.py: documented, and stated nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simhash_core import policy

NAMES = [name for name in vars(policy) if name.isupper()]


@pytest.mark.parametrize("name", NAMES)
def test_every_number_has_its_measurement(name: str, root: Path) -> None:
    assert f"`{name}`" in (root / "docs" / "calibration.md").read_text("utf-8")


def test_every_section_that_is_cited_exists(root: Path) -> None:
    sections = re.findall(r"^## (.+)$", (root / "docs" / "calibration.md").read_text("utf-8"), re.M)
    cited = set()
    for path in (root / "simhash_core").rglob("*.py"):
        source = re.sub(r"\n#:? ", " ", path.read_text("utf-8"))
        cited |= set(re.findall(r'docs/calibration\.md, "([^"]+)"', source))

    assert len(cited) > 5
    assert cited <= set(sections)
