"""What the report of each kind is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, PageBreak, Spacer

from ...model import Division
from ...notation import UNKNOWN
from ..figures import cluster_map
from ..words import Words
from . import parts
from .case import BODY, case_of, parties
from .flow import Clusters, Rule, Text
from .lines import Span, Style
from .parts import PAGE_WIDTH, Story, text

MOST = 20  # pairs on the first pages of a class report
MOST_IN_CLUSTER = 120
#: rows of each table of the appendix: paper is read, not searched; XLSX has every row
MOST_IN_APPENDIX = 100


def story(words: Words) -> Story:
    """Return the whole report."""
    build = KINDS[words.report.kind]
    return [*parts.head(words), *build(words), *parts.definitions(words)]


def _class(words: Words) -> Story:
    report, t, tally = words.report, words.t, words.report.tally()
    n, over = report.facts.documents, words.overlapping()
    decided = tally["confirmed"] + tally["no_problem"]
    figures = [
        _figure(words, "overlapping", f"{words.n(over)} / {words.n(n)}", n=n - over),
        _figure(words, "pairs", words.n(report.listed), n=report.facts.pairs),
        _figure(words, "reviewed", f"{decided} / {words.n(report.listed)}", n=tally["later"]),
        _figure(words, "confirmed", words.n(tally["confirmed"]), n=tally["no_problem"]),
    ]
    made: Story = [parts.strip(figures)]
    made += parts.section(t("report.pairs.title"), t("report.pairs.note") if report.pairs else "")
    if report.pairs:
        made.append(parts.ranked(words, report.pairs[:MOST]))
    else:
        made.append(text(t("report.pairs.none", n=n), size=10))
    more = len(report.pairs) - MOST
    if more > MOST_IN_APPENDIX:
        sentence = t("report.pairs.more_some", n=more, shown=MOST_IN_APPENDIX)
        made.append(text(sentence, size=8, dim=True))
    elif more > 0:
        made.append(text(t("report.pairs.more", n=more), size=8, dim=True))
    made += [*_clusters(words), *parts.left_out(words), *parts.statement(words)]
    made += [*parts.translations(words), *parts.limits(words), *_paragraphs(words)]
    if more > 0:
        made += [PageBreak(), *parts.section(t("report.appendix.pairs"))]
        made.append(parts.ranked(words, report.pairs[MOST:][:MOST_IN_APPENDIX]))
        made += _rest(words, "pairs_more", more)
    made += parts.skipped(words)
    made += parts.section(t("report.appendix.texts"))
    overlap = {row: words.text(row).indicators.total for row in report.subject}
    first = sorted(report.subject, key=lambda row: -overlap[row])[:MOST_IN_APPENDIX]
    made.append(parts.text_table(words, sorted(first)))
    return [*made, *_rest(words, "texts_more", len(report.subject))]


def _rest(words: Words, code: str, n: int) -> Story:
    """Say how many rows a table of the appendix leaves out, and where they are."""
    left = n - MOST_IN_APPENDIX
    return [text(words.t(f"report.appendix.{code}", n=left), size=8, dim=True)] if left > 0 else []


def _pair(words: Words) -> Story:
    (case,) = words.report.cases
    return [
        *parties(words, case),
        *parts.translations(words),
        *parts.limits(words),
        *parts.statement(words),
        *case_of(words, case, ""),
    ]


def _confirmed(words: Words) -> Story:
    report, t = words.report, words.t
    figures = [
        _figure(words, "cases", words.n(len(report.cases)), n=len(report.subject)),
        _figure(words, "pairs", words.n(report.listed), n=report.facts.pairs),
    ]
    made: Story = [parts.strip(figures)]
    if report.cases:
        made += [*parts.section(t("report.cases.title")), parts.ranked(words, report.pairs)]
    else:
        made += [Spacer(1, 4 * mm), text(t("report.pairs.none_confirmed"), size=10)]
    made += [*parts.left_out(words), *parts.statement(words), *parts.limits(words)]
    for at, case in enumerate(report.cases, 1):
        title = (
            f"{at}  {t('report.and', a=words.titles(case.pair)[0], b=words.titles(case.pair)[1])}"
        )
        made += [PageBreak(), *parts.section(title, key=f"case-{at}")]
        made += [*parties(words, case), *case_of(words, case, f"c{at}-")]
    return made


def _person(words: Words) -> Story:
    report, t = words.report, words.t
    row, person = report.subject[0], report.person
    entry = words.text(row)
    i, unit = entry.indicators, entry.indicators.length.unit
    whose = "  ".join(filter(None, (entry.author, entry.file, f"SHA-256 {entry.id[:32]}")))
    figures = [
        (t("report.indicator.total"), words.write.total(i.division), words.length(i.shared, unit)),
        (t("report.indicator.identical"), words.write.part(i.division, "identical"),
         words.length(i.division.identical, unit)),
        (t("report.indicator.largest"), words.write.total(i.largest),
         words.name(i.largest_row) if i.largest_row >= 0 else ""),
        (t("report.indicator.longest_passage"), words.length(i.longest_passage, unit), ""),
        (t("report.indicator.counted"), words.length(i.counted, unit),
         t("report.indicator.of_whole", length=words.length(i.length.n, unit))),
    ]  # fmt: skip
    made: Story = [text(whose, size=8, dim=True), Spacer(1, 3 * mm), parts.strip(figures)]
    made.append(parts.sums(words, "", i.division))
    made += [*parts.translations(words), *parts.limits(words), *parts.statement(words)]
    made += parts.section(t("report.person.sources"), t("report.person.sources_note"))
    if person is None or not person.sources:
        return [*made, text(t("report.pairs.none_person"), size=10)]
    head = parts.heads(
        ["", t("report.person.sources"), t("report.person.share"), t("report.person.back"),
         t("report.person.shared"), t("report.pairs.longest"), t("report.pairs.review")],
        frozenset({0, 2, 3, 4, 5}),
    )  # fmt: skip
    rows: list[list[Flowable]] = [
        [
            text(str(source.place), dim=True, align="right"),
            parts.name(words.name(source.row)),
            parts.number(words.write.total(source.division)),
            parts.number(words.write.total(source.back)),
            parts.number(words.length(source.division.shared, unit)),
            parts.number(words.n(source.pair.longest)),
            parts.state(words, source.pair),
        ]
        for source in person.sources
    ]
    widths = [22, PAGE_WIDTH - 22 - 300 - 18, 50, 56, 66, 84 - 22, 84]
    made.append(parts.table(head, rows, widths))
    made += _groups(words, i.division)
    made += parts.section(t("report.person.text"), t("report.person.text_note"))
    size, leading, indent = BODY[unit]
    kinds = ("identical", "reworded", "moved", "summary")
    for paragraph in person.paragraphs:
        spans = []
        for run in paragraph:
            kind = kinds[(run.source - 1) % len(kinds)] if run.source else ""
            style = Style(size=size, serif=True, kind=kind, dim=run.left_out,
                          wide=unit == "characters")  # fmt: skip
            if run.opens:
                spans.append(Span(str(run.source), Style(size=size, bold=True, raised=True)))
            spans.append(Span(run.text, style))
        made.append(Text(spans, leading=leading, indent=indent, after=3))
    return made


def _groups(words: Words, division: Division) -> Story:
    """Return what is shared by how the text says so."""
    t, person = words.t, words.report.person
    columns = [t("report.groups.kind"), t("report.groups.stretches"), t("report.indicator.shared"),
               t("report.person.share")]  # fmt: skip
    rows: list[list[Flowable]] = [
        [
            text(t(f"report.groups.{group.code}")),
            parts.number(words.n(group.stretches)),
            parts.number(words.length(group.units, division.unit)),
            parts.number(words.percent(group.units / max(division.counted, 1))),
        ]
        for group in (person.groups if person else ())
    ]
    head = parts.heads(columns, frozenset({1, 2, 3}))
    made = parts.table(head, rows, [PAGE_WIDTH - 240, 80, 80, 80])
    return [*parts.section(t("report.groups.title"), t("report.groups.note")), made]


def _cluster(words: Words) -> Story:
    report, t = words.report, words.t
    members = len(report.subject)
    possible = members * (members - 1) // 2
    best = report.pairs[0] if report.pairs else None
    figures = [
        (t("report.strip.members"), words.n(members),
         t("report.strip.pairs_note", n=report.facts.documents)),
        (t("report.strip.links"), words.n(len(report.pairs)),
         t("report.strip.links_note", n=possible)),
        (t("report.strip.strongest"), words.write.total(best.divisions[0]) if best else UNKNOWN,
         t("report.and", a=words.name(best.a), b=words.name(best.b)) if best else ""),
    ]  # fmt: skip
    made: Story = [parts.strip(figures), *_clusters(words)]
    made += parts.section(t("report.cluster.members"))
    made.append(parts.text_table(words, report.subject))
    made += parts.section(t("report.pairs.title"), t("report.pairs.note"))
    made.append(parts.ranked(words, report.pairs[:MOST_IN_CLUSTER]))
    made += [
        *parts.left_out(words),
        *parts.statement(words),
        *parts.translations(words),
        *parts.limits(words),
    ]
    return [*made, *_paragraphs(words)]


KINDS: Mapping[str, Callable[[Words], Story]] = {
    "class": _class,
    "person": _person,
    "pair": _pair,
    "cluster": _cluster,
    "confirmed": _confirmed,
}


def _figure(words: Words, code: str, value: str, **note: int) -> tuple[str, str, str]:
    return words.t(f"report.strip.{code}"), value, words.t(f"report.strip.{code}_note", **note)


def _clusters(words: Words) -> Story:
    t, report = words.t, words.report
    made = parts.section(t("report.clusters.title"), t("report.clusters.note"))
    if not report.clusters:
        return [*made, text(t("report.clusters.none"), size=8, dim=True)]
    picture = cluster_map(report)
    made.append(Clusters(picture))
    if words.alone():
        made.append(text(f"{t('report.clusters.alone')}  {words.alone()}", size=8, dim=True))
    if picture.more:
        made.append(text(t("report.clusters.more", n=picture.more), size=8, dim=True))
    return made


def _paragraphs(words: Words) -> Story:
    """Return one paragraph for every confirmed case."""
    report, t = words.report, words.t
    if not report.cases:
        return []
    made: Story = [PageBreak(), *parts.section(t("report.cases.title"), t("report.cases.note"))]
    for at, case in enumerate(report.cases, 1):
        pair = case.pair
        a, b = words.authors(pair)
        title = text(f"{at}  {t('report.and', a=a, b=b)}", size=10.6, serif=True, bold=True)
        body = text(words.summary(case), size=9.6, serif=True, leading=15.5)
        made.append(KeepTogether([title, parts.twin(words, pair, half=36), body]))
        note = t("report.cases.note_label", note=pair.note) if pair.note else t(
            "report.cases.no_note"
        )  # fmt: skip
        made += [text(note, size=8.2, dim=True, after=4), Rule(thick=0.4, light=True, before=3)]
    return made
