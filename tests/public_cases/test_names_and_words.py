"""User dictionaries in the encodings and forms of other tools; file names that no shell likes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import leitong as lt
from simhash_core.auxiliary import word_list
from simhash_core.text.lengths import length_of
from simhash_core.text.segment import segmenter

NAMES = ("bom", "gbk", "jieba", "plain", "space", "tab", "utf16")


@pytest.mark.parametrize("name", NAMES)
def test_a_word_of_a_user_dictionary_is_one(cases: Path, name: str) -> None:
    folder = cases / "30-user-dictionary"
    words = word_list(folder / f"{name}.txt")

    assert "潮汐磨坊" in segmenter(words)("我们参观了潮汐磨坊，很有意思。")


def test_every_file_of_an_odd_name_is_read_and_reported(
    cases: Path, texts: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    folder = cases / "31-file-names" / "in"
    read = texts(folder)
    texts_there = [path for path in folder.rglob("*.[tT][xX][tT]") if path.is_file()]
    result = lt.check([str(folder)])

    assert len(read) >= len([one for one in texts_there if not one.name.startswith("~$")])
    for kind in ("html", "csv", "json"):
        result.report(tmp_path / f"report.{kind}")
        assert (tmp_path / f"report.{kind}").stat().st_size > 1000


def test_soft_hyphens_are_in_no_length(cases: Path, texts: Callable[..., dict[str, str]]) -> None:
    (text,) = texts(cases / "20-html-inline" / "shy-wbr.html").values()

    assert length_of(text).n == 233
