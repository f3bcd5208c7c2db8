"""Lists of references do not count; an appendix behind one does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simhash_core.cli import main

HEADS = ("colon", "de", "md", "numbered", "upper", "works-cited", "zh")


@pytest.mark.parametrize(
    ("folder", "counts"),
    [*((f"head-{head}", False) for head in HEADS), ("appendix", True), ("toc", True)],
)
def test_what_stands_in_a_list_of_references_does_not_count(
    cases: Path, capsys: pytest.CaptureFixture[str], folder: str, counts: bool
) -> None:
    where = str(cases / "26-references" / folder)

    assert main(["check", where, "--exclude", "references", "--format", "json"]) == 0
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    assert any(pair["coverage_a"] > 0.3 for pair in pairs) is counts
