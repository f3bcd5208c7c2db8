"""A folder of essays to stand in, and the language of the examples."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from leitong._given import Fields, choose_fields, texts_of

RAIN = "It rained all night, and in the morning the river stood at the third step."
SLEPT = RAIN + " Nobody slept."
ALL = choose_fields(None, None, ())


def names(given: Any, columns: Fields = ALL) -> list[str]:
    return [document.name for document in texts_of(given, columns).documents]


def frame(**more: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"id": ["law-1", "law-2"], "text": [RAIN, SLEPT], **more})


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.fixture
def essays(tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder that has `essays/`: four of the sample, two and two alike."""
    folder = tmp_path / "essays"
    folder.mkdir()
    for number in ("01", "03", "12", "14"):
        (path,) = (samples / "essays").glob(f"{number}-*")
        shutil.copy(path, folder)
    monkeypatch.chdir(tmp_path)
    return folder
