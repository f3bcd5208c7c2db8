"""What a report gathers, kind by kind."""

from __future__ import annotations

import pytest
from prose import english

from simhash_core import check_texts
from simhash_core.errors import BadInput, Cancelled
from simhash_core.i18n import translator
from simhash_core.report.build import report_of
from simhash_core.report.content import Wanted
from simhash_core.report.formats import write_report

from .conftest import MADE


def test_a_class_report_lists_all_pairs_with_their_decisions_under_a_number(make_report, essays):
    report = make_report("class")
    assert len(report.pairs) == report.listed == 7
    assert [pair.place for pair in report.pairs] == list(range(1, 8))
    assert len(report.cases) == 4
    assert report.tally() == {"confirmed": 4, "no_problem": 1, "later": 1, "": 1}
    assert len(report.clusters) == len(essays.clusters)
    assert not any(case.collation.lines for case in report.cases)
    # decisions follow the texts whichever way round
    reasons = [pair.decision.reason for pair in make_report("class").pairs if pair.decision]
    assert reasons.count("joint_work") == 1
    # the number of a report changes with what it says
    report = make_report("class")
    assert report.number == make_report("class").number
    assert report.number != make_report("class", decisions={}).number
    assert report.number != make_report("class", anonymous=True).number


def test_each_kind_of_report_holds_its_pairs_and_texts(make_report):
    report = make_report("pair")
    (case,) = report.cases
    assert case.collation.lines and case.pair.note.startswith("逐段改词")
    assert report.subject == (7, 20)
    # a pair that shares nothing is reported as such
    report = make_report("pair", rows=(5, 8))
    (pair,) = report.pairs
    assert (pair.place, pair.passages, pair.coverage_a) == (0, 0, 0)
    assert pair.distance is not None and pair.distance > 80
    assert not report.cases[0].collation.lines
    # a report on sources ranks those of one text
    report = make_report("sources")
    person = report.person
    assert person is not None
    shares = [source.division.total for source in person.sources]
    assert shares == sorted(shares, reverse=True) and len(shares) == 2
    marked = {run.source for paragraph in person.paragraphs for run in paragraph}
    assert marked == {0, 1, 2}
    # a cluster report has the pairs inside
    report = make_report("cluster")
    members = set(report.subject)
    assert report.pairs and all({pair.a, pair.b} <= members for pair in report.pairs)
    assert len(report.clusters) == 1
    # only confirmed pairs are in the report of them
    report = make_report("confirmed")
    assert len(report.pairs) == len(report.cases) == 4
    assert all(case.collation.lines for case in report.cases)
    assert make_report("confirmed", decisions={}).cases == ()


@pytest.mark.parametrize(
    ("kind", "rows"),
    [("pair", ()), ("pair", (1, 1)), ("pair", (0, 99)), ("person", (0, 1)), ("sources", ()),
     ("class", (1,)),
     ("cluster", (1,)), ("other", ())],
)  # fmt: skip
def test_rows_that_do_not_fit_the_kind_are_refused(essays, kind, rows):
    with pytest.raises(BadInput, match="report_rows"):
        report_of(essays, Wanted(kind=kind, made=MADE, rows=rows), translator("en"))


def test_a_long_report_can_be_stopped(essays, make_report):
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


def test_a_copied_paragraph_of_a_small_class_is_never_said_to_be_chance():
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
