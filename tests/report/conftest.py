"""A prepared class, checked once, with decisions; and what a report of each kind shows of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics

import simhash_core as core
from simhash_core.checking import samples
from simhash_core.i18n import translator
from simhash_core.model import Decision, Decisions, pair_key
from simhash_core.report.build import report_of
from simhash_core.report.content import (
    Case,
    ClassReport,
    ClusterReport,
    ConfirmedReport,
    Report,
    Wanted,
)
from simhash_core.report.pdf import lines
from simhash_core.result import CheckResult, list_rows

MADE = datetime(2026, 11, 21, 14, 32)

MakeReport = Callable[..., Report]


@pytest.fixture(autouse=True)
def font_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The only folder of fonts, empty at first: nothing here depends on those of the machine."""
    folder = tmp_path / "fonts"
    folder.mkdir()
    monkeypatch.setattr(lines, "folders", lambda: [folder])
    _forget_fonts()
    yield folder
    _forget_fonts()


def _forget_fonts() -> None:
    # a name that ReportLab knows keeps its first file: no public function takes it back
    for known in (pdfmetrics._fonts, pdfmetrics._dynFaceNames):
        for name in [name for name, font in known.items() if font.fontName == lines.CHINESE]:
            del known[name]
    lines.load_fonts.cache_clear()


@pytest.fixture(scope="session")
def essays() -> CheckResult:
    documents, _ = core.read(core.gather(samples()["essays"])[0])
    return core.check(documents)


def cases_of(report: Report) -> tuple[Case, ...]:
    """The cases that a report shows, set side by side or with their changes alone."""
    if isinstance(report.shown, Case):
        return (report.shown,)
    has_cases = isinstance(report.shown, ClassReport | ClusterReport | ConfirmedReport)
    return report.shown.cases if has_cases else ()


def ends(result: CheckResult, table_row: int) -> tuple[int, int]:
    pairs = result.table.pairs
    return int(pairs.left[table_row]), int(pairs.right[table_row])


@pytest.fixture(scope="session")
def decisions(essays: CheckResult) -> Decisions:
    """The first four pairs are confirmed, the fifth is no problem, the sixth waits."""
    made = {}
    for at, table_row in enumerate(list_rows(essays).tolist()):
        a, b = (essays.documents[row].id for row in ends(essays, table_row))
        if at < 4:
            made[pair_key(a, b)] = Decision("confirmed", "", "逐段改词。\n先谈。", "林老师", MADE)
        elif at == 4:
            made[pair_key(b, a)] = Decision("no_problem", "joint_work")
        elif at == 5:
            made[pair_key(a, b)] = Decision("later")
    return made


@pytest.fixture(scope="session")
def make_report(essays: CheckResult, decisions: Decisions) -> MakeReport:
    """Return what makes a report of the class: `make_report("pair", rows=(7, 20))`."""

    def make(kind: str, *, language: str = "zh", **wanted: object) -> Report:
        given = {"title": "人工智能应该批改作业吗", "checked": MADE, "decisions": decisions}
        if kind == "pair":
            given["rows"] = (7, 20)
        if kind in ("person", "sources"):
            given["rows"] = (17,)
        if kind == "cluster":
            given["rows"] = essays.clusters[0].members
        asked = Wanted(kind=kind, made=MADE, **{**given, **wanted})  # type: ignore[arg-type]
        return report_of(essays, asked, translator(language))

    return make
