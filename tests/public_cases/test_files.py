"""Office packages, revisions, pages and encodings: each the text that it shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Texts = Callable[..., dict[str, str]]


def dense(text: str) -> str:
    return "".join(text.split()).replace("\u00ad", "")


@pytest.mark.parametrize(
    ("folder", "plain", "names"),
    [
        ("01-docx-backslash", "plain.txt", ["a.docx"]),
        ("02-docx-part-case", "plain.txt", ["a.docx", "d-local.docx", "e-local-main.docx"]),
        ("19-docx-revisions", "plain.txt", ["mark-deleted.docx", "moved.docx"]),
        ("20-html-inline", "plain.txt", ["wbr.html", "shy-wbr.html", "noscript-template.html"]),
        ("20-html-inline", "plain.txt", ["del-ins.html"]),
        ("20-html-inline", "plain-zh.txt", ["zh-ruby.html", "zh-ruby-varied.html"]),
        ("20-html-inline", "plain-zh.txt", ["zh-ruby-few.html", "zh-ruby.docx", "zh-ruby.odt"]),
        ("24-encodings", "zh-utf16le-nobom.txt", ["zh-mixed.txt", "zh-double-utf8.txt"]),
        ("24-encodings", "zh-mixed-bom-inside.txt", ["zh-mixed-name.txt"]),
        ("24-encodings", "ja-cp932.txt", ["ja-iso2022_jp.txt", "ja-euc_jp.txt"]),
        ("24-encodings", "ru-cp1251.txt", ["ru-koi8-r.txt"]),
        ("24-encodings", "de-cp1252.txt", ["de-mac_roman.txt"]),
    ],
)
def test_files_of_a_case_show_one_text(
    cases: Path, texts: Texts, folder: str, plain: str, names: list[str]
) -> None:
    read = texts(*(cases / folder / name for name in (plain, *names)))
    assert {name: dense(read[name]) for name in names} == dict.fromkeys(names, dense(read[plain]))


def test_workbook_with_backslashes_and_chosen_entry(cases: Path, texts: Texts) -> None:
    read = texts(*(cases / "01-docx-backslash" / name for name in ("c.xlsx", "plain.txt")))
    assert dense(read["plain.txt"]).startswith(dense(read["c.xlsx"]))
    read = texts(cases / "19-docx-revisions" / "dropdown.docx")
    assert read["dropdown.docx"].startswith("I measured on Tuesday at noon.\n")
