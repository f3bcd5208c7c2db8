"""A report as PDF: Chinese and Latin text, bookmarks, page numbers, properties."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    NextPageTemplate,
    PageTemplate,
    Spacer,
    Table,
    TableStyle,
)

from ...model import Division
from ...notation import UNKNOWN
from .. import short as short_reports
from ..collation.folding import Fold, Line, Run
from ..collation.sheet import Entry
from ..content import Case, Report
from ..figures import cluster_map
from ..names import middle
from ..words import Words
from . import parts, short
from .flow import ACCENT, INK, RULE, Beside, Clusters, Folded, Place, Rule, State, Text, draw_line
from .lines import Span, Style, break_lines, writing
from .parts import PAGE_WIDTH, Story, text

LEFT, TOP, FIRST_TOP, BOTTOM = 20 * mm, 22 * mm, 27 * mm, 21 * mm


def write_pdf(report: Report, language: str) -> bytes:
    """Return a report as a PDF document."""
    words, buffer = Words.of(report, language), io.BytesIO()
    document = BaseDocTemplate(
        buffer,
        pagesize=A4,
        title=f"{words.heading()} · {words.kind_title()}",
        author=f"Leitong {report.facts.version}",
        subject=words.foot(),
        creator=f"Leitong {report.facts.version}",
        producer="ReportLab",
        keywords=[report.number, report.facts.recipe],
        lang=words.lang,
        displayDocTitle=True,
    )
    height = A4[1]
    frames = {
        "first": Frame(LEFT, BOTTOM, PAGE_WIDTH, height - FIRST_TOP - BOTTOM, 0, 0, 0, 0),
        "later": Frame(LEFT, BOTTOM, PAGE_WIDTH, height - TOP - BOTTOM, 0, 0, 0, 0),
    }
    document.addPageTemplates(
        [
            PageTemplate("first", frames["first"], onPage=lambda canvas, _: _first(canvas, words)),
            PageTemplate("later", frames["later"], onPage=lambda canvas, _: _later(canvas, words)),
        ]
    )
    with writing:
        document.build([NextPageTemplate("later"), *story(words)], canvasmaker=_numbered(words))
    return buffer.getvalue()


def _numbered(words: Words) -> type[Canvas]:
    """Return a canvas that knows how many pages there are before it writes the first."""

    class Numbered(Canvas):  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self._pages: list[dict[str, Any]] = []

        def showPage(self) -> None:
            self._pages.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for at, page in enumerate(self._pages, 1):
                self.__dict__.update(page)
                _foot(self, words, at, len(self._pages))
                super().showPage()
            super().save()

    return Numbered


def _first(canvas: Any, words: Words) -> None:
    """Draw the mark, the name and what this is, above a line."""
    y = A4[1] - 20 * mm
    canvas.setFillColor(ACCENT)
    canvas.rect(LEFT + 4.6, y + 5, 5.2, 8.4, stroke=0, fill=1)
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(1)
    canvas.rect(LEFT, y + 5, 9.8, 11.4, fill=0)
    canvas.rect(LEFT + 4.6, y + 2, 9.8, 11.4, fill=0)
    brand = break_lines([Span("雷同", Style(size=15, bold=True)),
                         Span(" Leitong", Style(size=9, dim=True, serif=True))], 200)  # fmt: skip
    draw_line(canvas, brand[0], LEFT + 20, y + 3.5)
    _right(canvas, words.kind_title(), y + 3.5, 8.5)
    canvas.setStrokeColor(INK)
    canvas.setLineWidth(1.4)
    canvas.line(LEFT, y - 5, LEFT + PAGE_WIDTH, y - 5)


def _later(canvas: Any, words: Words) -> None:
    y = A4[1] - 16 * mm
    (line,) = break_lines([Span(words.running_left(), Style(size=8, dim=True))], PAGE_WIDTH)[:1]
    draw_line(canvas, line, LEFT, y)
    _right(canvas, words.running_right(), y, 8)
    canvas.setStrokeColor(RULE)
    canvas.setLineWidth(0.5)
    canvas.line(LEFT, y - 5, LEFT + PAGE_WIDTH, y - 5)


def _foot(canvas: Any, words: Words, page: int, pages: int) -> None:
    y = 12 * mm
    (line,) = break_lines([Span(words.foot(), Style(size=8, dim=True))], PAGE_WIDTH)[:1]
    draw_line(canvas, line, LEFT, y)
    _right(canvas, words.t("report.page", page=page, pages=pages), y, 8)


def _right(canvas: Any, shown: str, y: float, size: float) -> None:
    (line,) = break_lines([Span(shown, Style(size=size, dim=True))], PAGE_WIDTH * 0.7)[:1]
    if line:
        draw_line(canvas, line, LEFT + PAGE_WIDTH - line[-1].x - line[-1].width, y)


SHORT = ("class", "person")  # kinds that define nothing: the appendix does
_NAME_COLUMNS = 13  # of a name above a column of the apparatus
MOST_IN_CLUSTER = 120
#: rows of each table of the appendix: paper is read, not searched; XLSX has every row
MOST_IN_APPENDIX = 100

BODY = {"characters": (9.2, 15.2, 18.4), "words": (9.2, 13.4, 0.0)}  # size, leading, indent


def story(words: Words) -> Story:
    """Return the whole report."""
    made = [*parts.head(words), *KINDS[words.report.kind](words)]
    return made if words.report.kind in SHORT else [*made, *parts.definitions(words)]


def _pair(words: Words) -> Story:
    (case,) = words.report.cases
    return [
        *parties(words, case),
        *parts.apart(words),
        *parts.limits(words),
        *parts.statement(words),
        *case_of(words, case, ""),
    ]


def _confirmed(words: Words) -> Story:
    """Return the appendix: each confirmed case in its matched paragraphs, then all texts."""
    report, t = words.report, words.t
    made: Story = []
    for case in report.cases:
        names = t("report.and", a=words.name(case.pair.a), b=words.name(case.pair.b))
        title = t("report.of_case", case=case.pair.case, said=names)
        key = f"c{case.pair.case}-"
        made += parts.section(title, t("report.collation.part"), key=f"case-{case.pair.case}")
        made += [_legend(words, case), *_sheet(words, case, key)]
        made += [_apparatus(words, case, key), *_judged(words, case)]
    if not report.cases:
        made.append(text(t("report.pairs.none_confirmed"), size=13, serif=True, leading=20))
    made += [*parts.statement(words), *parts.limits(words), *parts.left_out(words)]
    made += [CondPageBreak(60 * mm), *_clusters(words), *parts.skipped(words)]
    made += parts.section(t("report.appendix.texts"))
    rows = [entry.row for entry in report.texts]
    first = sorted(rows, key=lambda row: -words.text(row).indicators.total)[:MOST_IN_APPENDIX]
    made.append(parts.text_table(words, sorted(first)))
    left = len(rows) - MOST_IN_APPENDIX
    if left > 0:
        made.append(text(t("report.appendix.texts_more", n=left), size=8, dim=True))
    return made


def _sheet(words: Words, case: Case, key: str) -> Story:
    """Return both texts side by side under their names."""
    return [
        _names(words, case),
        Spacer(1, 3),
        *(_beside(words, case, line, key) for line in case.collation.lines),
        Spacer(1, 3),
    ]


def _judged(words: Words, case: Case) -> Story:
    """Return the decision on a case and the note, whole."""
    t, pair = words.t, case.pair
    verdict, by = words.verdict(pair), words.decided_by(pair)
    made: Story = [Spacer(1, 3), State(pair.decision.verdict if pair.decision else "", verdict, by)]
    if pair.note:
        made.append(text(t("report.cases.note_label", note=pair.note), size=8.6, leading=14))
    return made


def _sources(words: Words) -> Story:
    report, t = words.report, words.t
    row, person = report.subject[0], report.person
    entry = words.text(row)
    i, unit = entry.indicators, entry.indicators.length.unit
    facts = (entry.author, entry.file, words.recognised(entry), f"SHA-256 {entry.id[:32]}")
    whose = "  ".join(filter(None, facts))
    figures = [
        (t("report.indicator.total"), words.write.total(i.division), words.length(i.shared, unit)),
        (t("report.indicator.identical"), words.write.part(i.division, "identical"),
         words.length(i.division.identical, unit)),
        (t("report.indicator.largest"), words.write.total(i.largest),
         words.name(i.largest_row) if i.largest_row >= 0 else ""),
        (t("report.indicator.longest_run"), words.length(i.longest_run, unit), ""),
        (t("report.indicator.counted"), words.length(i.counted, unit),
         t("report.indicator.of_whole", length=words.length(i.length.n, unit))),
    ]  # fmt: skip
    made: Story = [text(whose, size=8, dim=True), Spacer(1, 3 * mm), parts.strip(figures)]
    made.append(parts.sums(words, "", i.division))
    made += [*parts.apart(words), *parts.limits(words), *parts.statement(words)]
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
                          struck=run.left_out, wide=unit == "characters")  # fmt: skip
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
        (t("report.strip.links"), words.n(len(report.overlapping)),
         t("report.strip.links_note", n=possible)),
        (t("report.strip.strongest"), words.write.total(best.divisions[0]) if best else UNKNOWN,
         t("report.and", a=words.name(best.a), b=words.name(best.b)) if best else ""),
    ]  # fmt: skip
    made: Story = [parts.strip(figures), *_clusters(words)]
    made += parts.section(t("report.cluster.members"))
    made.append(parts.text_table(words, report.subject))
    made += parts.section(t("report.pairs.title"), t("report.pairs.note"))
    made.append(parts.ranked(words, report.overlapping[:MOST_IN_CLUSTER]))
    made += [
        *parts.left_out(words),
        *parts.statement(words),
        *parts.apart(words),
        *parts.limits(words),
        *short.confirmed(words),
    ]
    return made


KINDS: Mapping[str, Callable[[Words], Story]] = {
    "class": short.class_pages,
    "person": short.pupil_page,
    "pair": _pair,
    "cluster": _cluster,
    "confirmed": _confirmed,
    "sources": _sources,
}


def _clusters(words: Words) -> Story:
    t, report = words.t, words.report
    made = parts.section(t("report.clusters.title"), t("report.clusters.note"))
    if not report.clusters:
        return [*made, text(t("report.clusters.none"), size=8, dim=True)]
    picture = cluster_map(report)
    made.append(Clusters(picture))
    if picture.more:
        made.append(text(t("report.clusters.more", n=picture.more), size=8, dim=True))
    return made


def parties(words: Words, case: Case) -> Story:
    t, pair = words.t, case.pair
    columns = ["", *(t(f"report.party.{c}") for c in ("file", "author", "length", "hash"))]
    rows: list[list[Flowable]] = []
    for row, side in ((pair.a, "a"), (pair.b, "b")):
        entry = words.text(row)
        length = entry.indicators.length
        file = "  ".join(
            filter(None, (entry.file or t("report.party.hidden"), words.recognised(entry)))
        )
        rows.append(
            [
                text(t(f"report.side.{side}"), size=10, serif=True, bold=True),
                Text([Span(f"{entry.name[:80]}\n", Style(size=9.4, bold=True)),
                      Span(file[:120], Style(size=8, dim=True))], leading=13),
                parts.name(entry.author),
                parts.number(words.length(length.n, length.unit)),
                text(words.fingerprint(row), size=7.2, dim=True),
            ]
        )  # fmt: skip
    first, second = pair.divisions
    figures = [
        (t("report.strip.a_in_b"), words.write.total(first), words.write.counted(first)),
        (t("report.strip.b_in_a"), words.write.total(second), words.write.counted(second)),
        (t("report.strip.same"), words.write.part(first, "identical"),
         t("report.strip.same_note", length=words.length(first.identical, first.unit))),
        (t("report.strip.longest"), words.length(pair.longest, pair.unit),
         t("report.strip.longest_note")),
    ]  # fmt: skip
    widths = [24, PAGE_WIDTH - 24 - 72 - 52 - 158, 72, 52, 158]
    made = parts.table(parts.heads(columns, frozenset({3})), rows, widths)
    sums = [parts.sums(words, side, one) for side, one in zip("ab", pair.divisions, strict=True)]
    chance = words.write.likelihood(pair.likelihood)
    likelihood = [text(chance, size=8.4, dim=True, after=2)] if chance else []
    return [made, Spacer(1, 4 * mm), parts.strip(figures), Spacer(1, 2), *sums, *likelihood]


def case_of(words: Words, case: Case, key: str) -> Story:
    """Return both texts, the apparatus and the decision."""
    t, sheet = words.t, case.collation
    if not sheet.lines:
        nothing = text(t("report.collation.nothing"), size=10)
        return [*parts.section(t("report.collation.title"), key=f"{key}sheet", level=1), nothing,
                *_decision(words, case, key)]  # fmt: skip
    note = t("report.collation.whole" if sheet.whole else "report.collation.part")
    made = parts.section(t("report.collation.title"), note, key=f"{key}sheet", level=1)
    made += [_legend(words, case), *_sheet(words, case, key)]
    made += parts.section(t("report.apparatus.title"), key=f"{key}apparatus", level=1)
    made.append(text(t("report.apparatus.note"), size=8, dim=True, after=2))
    made += [_apparatus(words, case, key), *_decision(words, case, key)]
    return made


def _legend(words: Words, case: Case) -> Text:
    t, sheet = words.t, case.collation
    spans = []
    for kind, n, units in sheet.kinds(case.pair.divisions[0]):
        length = words.length(units, sheet.units[0])
        count = t("report.key.count", n=n, length=length) if n else length
        spans += [
            Span(t(f"compare.kind.{kind}"), Style(size=8.6, serif=True, kind=kind)),
            Span(f"  {t(f'report.key.{kind}')}  {count}      ", Style(size=8, dim=True)),
        ]
    return Text(spans, leading=14, after=2)


def _names(words: Words, case: Case) -> Beside:
    """Return who wrote both texts, how much of each counts, and how much of it is shared."""
    pair = case.pair
    sides = []
    for row, division in zip((pair.a, pair.b), pair.divisions, strict=True):
        counted = words.t("report.collation.counted", counted=words.write.counted(division),
                          share=words.write.total(division))  # fmt: skip
        name = [Span(words.name(row)[:80], Style(size=10, bold=True))]
        sides.append([(name, 0.0), ([Span(counted, Style(size=8, dim=True))], 0.0)])
    return Beside(sides[0], sides[1], (), leading=13)


def _beside(words: Words, case: Case, line: Line | Fold, key: str) -> Flowable:
    units = case.collation.units
    leading = max(BODY[unit][1] for unit in units)
    if isinstance(line, Fold):
        return Folded(*(words.folded(part, unit)
                        for part, unit in zip(line.sides, units, strict=True)))  # fmt: skip
    sides = [
        [
            (list(_spans(paragraph, unit, key)), BODY[unit][2])
            for paragraph in (line.left, line.right)[side]
        ]
        for side, unit in enumerate(units)
    ]
    numbers = [
        [Span(f"{number} {words.t(f'report.mark.{kind}')}",
              Style(size=7.2, link=f"{key}n{number}"))]
        for number, kind in line.numbers
    ]  # fmt: skip
    return Beside(sides[0], sides[1], numbers, leading=leading)


def _spans(paragraph: Sequence[Run], unit: str, key: str) -> Iterator[Span]:
    size = BODY[unit][0]
    for run in paragraph:
        if run.opens:
            raised = Style(size=size, bold=True, raised=True, link=f"{key}n{run.passage}")
            yield Span(run.passage, raised)
        yield Span(
            run.text,
            Style(size=size, serif=True, bold=run.changed, dim=run.left_out, struck=run.left_out,
                  kind=run.kind, wide=unit == "characters"),
        )  # fmt: skip


def _apparatus(words: Words, case: Case, key: str) -> Table:
    t = words.t
    columns = [
        *(t(f"report.apparatus.{column}") for column in ("number", "kind")),
        *(middle(words.name(row), _NAME_COLUMNS) for row in (case.pair.a, case.pair.b)),
        *(t(f"report.apparatus.{column}") for column in ("length", "words")),
    ]
    rows: list[list[Flowable]] = []
    for entry in case.collation.entries:
        lengths = [str(entry.units_a), str(entry.units_b)]
        number: list[Flowable] = [Place(f"{key}n{entry.number}"), text(entry.number, bold=True)]
        rows.append(
            [
                number,
                text(t(f"compare.kind.{entry.kind}")),
                parts.number(f"{entry.a[0]}–{entry.a[1]}"),
                parts.number(f"{entry.b[0]}–{entry.b[1]}"),
                parts.number(lengths[0] if lengths[0] == lengths[1] else " / ".join(lengths)),
                Text(list(_changes(words, case, entry)), leading=13),
            ]
        )
    widths = [30, 44, 58, 58, 56, PAGE_WIDTH - 246]
    made = parts.table(parts.heads(columns, frozenset({2, 3, 4})), rows, widths)
    made.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP")]))
    return made


def _changes(words: Words, case: Case, entry: Entry) -> Iterator[Span]:
    """Yield the changes of a passage, or the words it begins and ends with.

    Of sentences of the same meaning how close they are, and that they are not counted.
    """
    plain, dim, bold = Style(serif=True), Style(serif=True, dim=True), Style(serif=True, bold=True)
    if entry.kind == "meaning":
        yield Span(short_reports.answered(words, case, entry), plain)
        return
    if not entry.changes:
        yield Span(words.brief(entry.quote), dim)
        return
    for change in entry.changes:
        left, right = words.brief(change.left), words.brief(change.right)
        if change.left and change.right:
            yield Span(f"{left} → ", plain)
        elif change.right:
            yield Span(words.t("report.apparatus.add"), plain)
        else:
            yield Span(f"{words.t('report.apparatus.drop')}{left}", plain)
        if change.right:
            yield Span(right, bold)
        yield Span("    ", plain)
    if entry.more:
        yield Span(words.t("report.apparatus.more", n=entry.more + len(entry.changes)), dim)


def _decision(words: Words, case: Case, key: str) -> Story:
    t, pair = words.t, case.pair
    decision = pair.decision
    made = parts.section(t("report.decision.title"), key=f"{key}decision", level=1)
    made.append(parts.state(words, pair))
    if decision:
        when = f"{words.date(decision.time, time=True)}  " if decision.time else ""
        made.append(text(f"{when}{decision.reviewer}", size=8.2, dim=True))
        note = pair.note or t("report.decision.no_note")
        made += [Spacer(1, 3), text(f"{t('report.decision.note')}", size=8.2, dim=True)]
        made.append(text(note, size=9.8, serif=True, leading=16))
    for cluster in words.report.clusters:
        if cluster.index == pair.cluster:
            members = t("report.decision.cluster_note", cluster=words.cluster(cluster.index),
                        n=len(cluster.members))  # fmt: skip
            made.append(text(members, size=8.6))
    names = (t("report.decision.sign_reviewer"), t("report.decision.sign_author"))
    signs = Table([[text(name, size=8, dim=True) for name in names]], [PAGE_WIDTH / 2] * 2)
    rule = KeepTogether([Spacer(1, 12 * mm), Rule(thick=0.6), signs])
    return [*made, rule]
