"""One case on paper: both texts side by side, the apparatus, the decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table, TableStyle

from ..collation.sheet import Entry, Line, Run
from ..content import Case
from ..words import Words
from . import parts
from .flow import Beside, Place, Rule, Text
from .lines import Span, Style
from .parts import PAGE_WIDTH, Story, text

BODY = {"characters": (9.4, 16.6, 18.8), "words": (9.4, 14.2, 0.0)}  # size, leading, indent


def parties(words: Words, case: Case) -> Story:
    t, pair = words.t, case.pair
    columns = ["", *(t(f"report.party.{c}") for c in ("file", "author", "length", "hash"))]
    rows: list[list[Flowable]] = []
    for row, side in ((pair.a, "a"), (pair.b, "b")):
        entry = words.text(row)
        length = entry.indicators.length
        file = entry.file or t("report.party.hidden")
        rows.append(
            [
                text(t(f"report.side.{side}"), size=10, serif=True, bold=True),
                Text([Span(f"{(entry.title or entry.name)[:80]}\n", Style(size=9.4, bold=True)),
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
    said = words.write.likelihood(pair.likelihood)
    likelihood = [text(said, size=8.4, dim=True, after=2)] if said else []
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
    made += [_legend(words, case), _names(words, case), Spacer(1, 3)]
    made += [_beside(words, case, line, key) for line in sheet.lines]
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
    names = words.titles(case.pair)
    sides = [
        [
            (
                [
                    Span(
                        f"{words.t(f'report.side.{side}')}  {title[:80]}", Style(size=10, bold=True)
                    )
                ],
                0.0,
            )
        ]
        for side, title in zip("ab", names, strict=True)
    ]
    return Beside(sides[0], sides[1], (), leading=14)


def _beside(words: Words, case: Case, line: Line, key: str) -> Flowable:
    units = case.collation.units
    leading = max(BODY[unit][1] for unit in units)
    if line.hidden:
        gaps = [
            [([Span(words.t("report.collation.gap", length=words.length(n, unit)),
                    Style(size=8, dim=True))], 40.0)] if n else []
            for n, unit in zip(line.hidden, units, strict=True)
        ]  # fmt: skip
        return Beside(gaps[0], gaps[1], (), leading=13)
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
            Style(size=size, serif=True, bold=run.changed, dim=run.left_out, kind=run.kind,
                  wide=unit == "characters"),
        )  # fmt: skip


def _apparatus(words: Words, case: Case, key: str) -> Table:
    t = words.t
    columns = [
        *(t(f"report.apparatus.{column}") for column in ("number", "kind")),
        *(t(f"report.side.{side}") for side in "ab"),
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
                Text(list(_changes(words, entry)), leading=13),
            ]
        )
    widths = [30, 44, 58, 58, 56, PAGE_WIDTH - 246]
    made = parts.table(parts.heads(columns, frozenset({2, 3, 4})), rows, widths)
    made.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP")]))
    return made


def _changes(words: Words, entry: Entry) -> Iterator[Span]:
    """Yield the changes of a passage, or the words it begins and ends with."""
    plain, dim, bold = Style(serif=True), Style(serif=True, dim=True), Style(serif=True, bold=True)
    if not entry.changes:
        yield Span(words.brief(entry.quote), dim)
        return
    for change in entry.changes:
        left, right = change.left[:200], change.right[:200]
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
