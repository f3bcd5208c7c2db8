"""CSV, JSON and the table of a result say the same of the same pairs at the same threshold."""

from __future__ import annotations

import csv
import io
import json

import pytest

import simhash_core as core
from simhash_core.checking import samples
from simhash_core.i18n import translator
from simhash_core.report import pairs_csv
from simhash_core.report.csv import _safe
from simhash_core.result import CheckResult

NUMBERS = ("distance", "coverage_a", "coverage_b", "longest", "passages")


@pytest.fixture(scope="module")
def result() -> CheckResult:
    documents, _ = core.read(core.gather(samples()["essays"])[0])
    return core.check(documents)


@pytest.mark.parametrize("k", [0, 80, 110])
def test_every_export_gives_the_same_pairs(result: CheckResult, k: int) -> None:
    t, view = translator("en"), core.at_threshold(result, k)
    table = result.pairs(view)
    sheet = list(csv.DictReader(io.StringIO(pairs_csv(result, t, view=view).lstrip("\ufeff"))))
    data = json.loads(core.to_json(result, t, view=view))["pairs"]

    assert len(table) == len(sheet) == len(data) == int(view.listed.sum())
    for row, line, pair in zip(table.to_dict("records"), sheet, data, strict=True):
        cells = dict(zip(("a", "b", "evidence", "distance", "cosine"), line.values(), strict=False))
        assert (row["a"], row["b"]) == (cells["a"], cells["b"]) == (pair["a"], pair["b"])
        for name in NUMBERS:
            value = len([p for p in pair["passages"] if not p.get("weak")])
            value = value if name == "passages" else pair[name]
            assert row[name] == pytest.approx(value, abs=1e-4)
            assert float(line[t(f"cli.csv_{name}")]) == pytest.approx(value, abs=1e-4)


def test_without_a_view_exports_take_the_threshold_of_the_check(result: CheckResult) -> None:
    t, view = translator("zh"), core.at_threshold(result, result.threshold)

    assert pairs_csv(result, t) == pairs_csv(result, t, view=view)
    assert core.to_json(result, t) == core.to_json(result, t, view=view)


FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＠x", " =1", "\t=1", "\tx", "\r=1")
BEHIND_BLANKS = ("\u3000＝1", "\ufeff=1", "\u200b@x")


@pytest.mark.parametrize("name", [*FORMULAS, *BEHIND_BLANKS])
def test_no_cell_starts_a_formula(name: str) -> None:
    assert _safe(name) == f"'{name}"


@pytest.mark.parametrize("name", ["essay.txt", "一.docx", "a=b", "3-4", " blank"])
def test_other_names_stay_as_they_are(name: str) -> None:
    assert _safe(name) == name
