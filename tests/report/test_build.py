"""What a report gathers, kind by kind."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prose import english

from simhash_core import check_texts
from simhash_core.errors import BadInput, Cancelled
from simhash_core.i18n import translator
from simhash_core.report.build import report_of
from simhash_core.report.content import KINDS, Wanted
from simhash_core.report.formats import write_report
from simhash_core.result import CheckResult

from .conftest import MADE, MakeReport, cases_of


def test_a_class_report_lists_all_pairs_and_one_case_a_confirmed_pair(make_report):
    report = make_report("class")

    assert len(report.pairs) == len(report.overlapping) == 7
    assert [pair.place for pair in report.pairs] == list(range(1, 8))
    assert len(report.shown.cases) == 4
    tally = [len(report.decided(one)) for one in ("confirmed", "no_problem", "later", "")]
    assert tally == [4, 1, 1, 1]
    assert not any(case.collation.lines for case in cases_of(report))

    reasons = [pair.decision.reason for pair in report.pairs if pair.decision]

    assert reasons.count("joint_work") == 1

    assert report.number == make_report("class").number
    assert report.number != make_report("class", decisions={}).number
    assert report.number != make_report("class", anonymous=True).number


def test_a_pair_report_shows_both_texts_and_its_note_or_that_nothing_is_shared(make_report):
    report = make_report("pair")
    (case,) = cases_of(report)

    assert case.collation.lines and case.pair.note.startswith("逐段改词")
    assert report.subject == (7, 20)

    report = make_report("pair", rows=(5, 8))
    (pair,) = report.pairs

    assert (pair.place, pair.passages, pair.divisions[0].shared) == (0, 0, 0)
    assert pair.distance is not None and pair.distance > 80
    assert not cases_of(report)[0].collation.lines


def test_a_report_on_sources_ranks_those_of_one_text(make_report: MakeReport) -> None:
    report = make_report("sources")
    person = report.shown

    shares = [source.division.total for source in person.sources]
    assert shares == sorted(shares, reverse=True) and len(shares) == 2
    marked = {run.source for paragraph in person.paragraphs for run in paragraph}
    assert marked == {0, 1, 2}


def test_a_cluster_report_has_the_pairs_inside(make_report: MakeReport) -> None:
    report = make_report("cluster")
    members = set(report.subject)

    assert report.pairs and all({pair.a, pair.b} <= members for pair in report.pairs)
    assert len(report.shown.clusters) == 1


def test_only_confirmed_pairs_are_in_the_report_of_them(make_report, essays):
    report = make_report("confirmed")

    assert len(report.pairs) == len(cases_of(report)) == 4
    assert all(case.collation.lines for case in cases_of(report))
    assert cases_of(make_report("confirmed", decisions={})) == ()

    indices = {pair.cluster for pair in report.pairs} - {-1}

    assert indices and [one.index for one in report.shown.clusters] == sorted(indices)
    for one in report.shown.clusters:
        assert one.members == tuple(essays.clusters[one.index].members)


@pytest.mark.parametrize(
    ("kind", "rows"),
    [("pair", ()), ("pair", (1, 1)), ("pair", (0, 99)), ("person", (0, 1)), ("sources", ()),
     ("class", (1,)),
     ("cluster", (1,)), ("other", ())],
)  # fmt: skip
def test_rows_that_do_not_fit_the_kind_are_refused(essays, kind, rows):
    with pytest.raises(BadInput, match="report_rows"):
        report_of(essays, Wanted(kind=kind, made=MADE, rows=rows), translator("en"))


@pytest.mark.parametrize("kind", KINDS)
def test_an_anonymous_report_holds_no_name(make_report, essays, kind):
    report = make_report(kind, anonymous=True)
    shown = repr(replace(report, texts=tuple(replace(text, id="") for text in report.texts)))

    for document in essays.documents:
        assert document.name not in shown
        assert not document.meta.get("author") or document.meta["author"] not in shown
    assert "刘子墨" not in shown and "第 008 篇" in shown


def test_a_long_report_can_be_stopped(essays: CheckResult, make_report: MakeReport) -> None:
    seen = []

    def stop(stage: str, done: int, total: int) -> None:
        seen.append((stage, done, total))
        if done == 2:
            raise Cancelled

    decided = make_report("class")
    by_texts = {
        tuple(sorted((decided.texts[p.a].id, decided.texts[p.b].id))): p.decision
        for p in decided.pairs
        if p.decision
    }
    wanted = Wanted(kind="confirmed", made=MADE, decisions=by_texts)  # type: ignore[arg-type]
    with pytest.raises(Cancelled):
        report_of(essays, wanted, translator("en"), progress=stop)
    assert seen == [("report", 0, 4), ("report", 1, 4), ("report", 2, 4)]


def test_a_copied_paragraph_of_a_small_class_is_never_said_to_be_chance() -> None:
    """Twelve texts, two of which share 120 words; the fingerprints are as far as of strangers."""
    copied = english(100, 120)
    texts = {
        str(seed): f"{copied}\n\n{english(seed, 300)}" if seed < 2 else english(seed, 420)
        for seed in range(12)
    }
    result = check_texts(texts)
    report = report_of(result, Wanted(kind="class", made=MADE), translator("en"))
    (pair,) = report.pairs

    assert pair.longest == 120 and pair.chance is None and pair.likelihood is None
    assert "chance" not in write_report(report, "html", "en").decode().casefold()
