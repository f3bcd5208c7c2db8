"""CSV, JSON and the table of a result say the same of the same pairs at the same threshold."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from zipfile import ZipFile

import numpy as np
import pytest

import simhash_core as core
from leitong import Result
from simhash_core.checking import samples
from simhash_core.cli.terminal import print_result
from simhash_core.i18n import translator
from simhash_core.limits import Significance, Tail
from simhash_core.model import Document
from simhash_core.report import pairs_csv
from simhash_core.report.columns import PAIRS, choose
from simhash_core.report.csv import safe_cell, safe_row
from simhash_core.report.xlsx import write_table
from simhash_core.signs import visible_name

NUMBERS = ("distance", "coverage_a", "coverage_b", "longest", "passages")


@pytest.fixture(scope="module")
def result():
    documents, _ = core.read(core.gather(samples()["essays"])[0])
    return core.check(documents)


@pytest.mark.parametrize("k", [0, 80, 110])
def test_every_export_gives_the_same_pairs(result, k):
    t, view = translator("en"), core.view_at_threshold(result, k)
    rows = Result(result, view=view).pairs()
    sheet = list(csv.DictReader(io.StringIO(pairs_csv(result, t, view=view).lstrip("\ufeff"))))
    data = json.loads(core.to_json(result, t, view=view))["pairs"]

    assert len(rows) == len(sheet) == len(data) == int(view.listed.sum())
    for row, line, pair in zip(rows, sheet, data, strict=True):
        cells = dict(zip(("a", "b", "evidence", "distance", "cosine"), line.values(), strict=False))
        assert (row["a"], row["b"]) == (cells["a"], cells["b"]) == (pair["a"], pair["b"])
        for name in NUMBERS:
            value = len([p for p in pair["passages"] if not p.get("weak")])
            value = value if name == "passages" else pair[name]
            assert row[name] == pytest.approx(value, abs=1e-4)
            assert float(line[t(f"cli.csv_{name}")]) == pytest.approx(value, abs=1e-4)


def test_without_a_view_exports_take_the_threshold_of_the_check(result):
    t, view = translator("zh"), core.view_at_threshold(result, result.threshold)

    assert pairs_csv(result, t) == pairs_csv(result, t, view=view)
    assert core.to_json(result, t) == core.to_json(result, t, view=view)


FORMULAS = (
    *("=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＠x", "＋1", "﹣1"),
    *(" =1", "\t=1", "\tx", "\r=1", "|x"),
    *("\u3000=1", "\u3000＝1", "\ufeff=1", "\u200b=1", "\u200b@x", "＠SUM"),
)


ORDINARY = ("essay.txt", "一.docx", "a=b", "3-4", " blank", "", "(1).txt", "a=1")


@pytest.mark.parametrize("name", [*FORMULAS, *ORDINARY])
def test_no_cell_starts_a_formula(name):
    assert safe_cell(name) == (f"'{name}" if name in FORMULAS else name)


@pytest.fixture(scope="module")
def with_chance(result):
    """The same result with a tail, and with enough texts: what chance gives is a number."""
    more = tuple(Document.from_text(f"more {row}", name=f"more-{row}") for row in range(30))
    n, table = len(more), result.table
    chance = np.where(table.passages > 0, 0.0204, np.nan).astype(np.float32)
    tail = Tail(231, 224, anchor=5.5, share=0.01, per_decade=0.7, summaries=0.0)
    prints = result.fingerprints
    return replace(
        result,
        documents=(*result.documents, *more),
        fingerprints=replace(
            prints,
            words=np.concatenate([prints.words, np.zeros((n, prints.words.shape[1]), np.uint64)]),
            valid=np.concatenate([prints.valid, np.zeros(n, np.bool_)]),
        ),
        lengths=np.concatenate([result.lengths, np.ones(n, np.int64)]),
        total_overlap=np.concatenate([result.total_overlap, np.zeros(n, np.float32)]),
        identical_overlap=np.concatenate([result.identical_overlap, np.zeros(n, np.float32)]),
        division=np.concatenate([result.division, np.tile([0, 0, 0, 2, 0], (n, 1))]).astype(
            np.int32
        ),
        table=replace(table, chance=chance),
        significance=Significance({"en": tail}),
    )


def test_exports_say_what_chance_gives(with_chance):
    t = translator("en")
    data = json.loads(core.to_json(with_chance, t))
    sheet = list(csv.DictReader(io.StringIO(pairs_csv(with_chance, t).lstrip("\ufeff"))))
    expected = [pair["chance"] for pair in Result(with_chance).pairs()]

    assert data["significance"]["state"] == "estimated"
    assert data["significance"]["tails"]["en"]["anchor"] == 5.5
    for pair, line, number in zip(data["pairs"], sheet, expected, strict=True):
        cell = line[t("cli.csv_chance")]
        if pair["chance"] is None:
            assert cell == "" and number is None
        else:
            assert float(cell) == pair["chance"] == float(f"{number:.3g}")
            assert pair["strength"] > 0
        assert pair["could_be_formula"] in (True, False)


def test_without_a_tail_or_in_a_small_check_exports_say_nothing_about_chance(result):
    data = json.loads(core.to_json(result, translator("zh")))
    assert data["significance"]["state"] in ("few", "none")
    assert {pair["chance"] for pair in data["pairs"]} == {None}
    # in a small check exports say nothing about chance
    table = result.table
    small = replace(result, table=replace(table, chance=np.full(len(table), 315, np.float32)))
    t = translator("en")
    data = json.loads(core.to_json(small, t))
    sheet = list(csv.DictReader(io.StringIO(pairs_csv(small, t).lstrip("\ufeff"))))
    assert {pair["chance"] for pair in data["pairs"]} == {None}
    assert {line[t("cli.csv_chance")] for line in sheet} == {""}
    assert "315" not in print_result(small, t, "en", to_file=True)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_terminal_has_no_column_of_chance(with_chance, language):
    shown = print_result(with_chance, translator(language), language, to_file=True)

    assert "0.02" not in shown
    assert "—" not in shown.splitlines()[3]


DRIVING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
DRIVERS = (
    *("a\x1b[2J", "a\x07b", "\u202etxt.exe", "a\nb", "a\rb"),
    *("a\u2066\x9bb", "a\u2028b", "\udcff", "\ta"),
)


@pytest.fixture(scope="module")
def driving():
    """A check of texts whose names would drive a terminal, forge a row, or turn a line."""
    words = " ".join(f"word{at}" for at in range(90))
    return core.check([Document.from_text(f"{words} {at}", name=n) for at, n in enumerate(DRIVERS)])


def test_names_drive_nothing_in_tables_json_and_sheets(driving):
    t = translator("en")
    text = pairs_csv(driving, t)
    sheet = list(csv.reader(io.StringIO(text)))
    shown = {cell for row in sheet[1:] for cell in row[:2]}
    assert not DRIVING.search(text.replace("\r\n", ""))
    assert text.count("\n") == len(sheet)  # a row is a line
    assert shown == {visible_name(name) for name in DRIVERS}
    assert len(shown) == len(DRIVERS)  # and two names stay two
    # names in json are exact and escaped
    t = translator("en")
    text = core.to_json(driving, t)
    assert not DRIVING.search(text.replace("\n", ""))
    assert {one["name"] for one in json.loads(text)["documents"]} == set(DRIVERS)
    # rows of a sheet hold nothing that drives
    assert safe_row(["\x1b[31m", None, 2, "a\nb"]) == ["[U+001B][31m", "", 2, "a[U+000A]b"]
    with ZipFile(
        io.BytesIO(write_table("a", ["a"], choose(PAIRS, "a"), [["\u202e\x1bb"]]))
    ) as book:
        strings = book.read("xl/sharedStrings.xml").decode("utf-8")
    assert "[U+202E][U+001B]b" in strings
