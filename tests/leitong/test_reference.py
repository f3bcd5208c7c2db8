"""The reference page says what the docstrings say."""

from __future__ import annotations

import runpy
from pathlib import Path


def test_reference_page_is_up_to_date(root: Path) -> None:
    made = runpy.run_path(str(root / "docs" / "python_reference.py"))["page"]()

    assert (root / "docs" / "reference" / "python.md").read_text("utf-8") == made, (
        "run: python docs/python_reference.py"
    )
