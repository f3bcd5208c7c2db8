"""The parts that reports of several kinds share: heads, numbers, tables, settings, definitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import CondPageBreak, Flowable, KeepTogether, Spacer, Table, TableStyle

from ...model import Division
from ...notation import UNKNOWN
from ...numbers import CLASSES
from .. import short
from ..content import PairEntry
from ..names import NARROW, middle
from ..words import Words
from .flow import INK, RULE, Place, Rule, Sample, State, Text, Twin, Whole
from .lines import Span, Style, break_lines

PAGE_WIDTH = 170 * mm
Story = list[Flowable]
_MOST_NAME = 60  # characters of a name in a table
FLUSH = [(f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")]


def text(words: str, *, size: float = 8.6, leading: float = 0.0, align: str = "left",
         dim: bool = False, bold: bool = False, serif: bool = False, after: float = 0.0,
         bar: bool = False) -> Text:  # fmt: skip
    """Return a paragraph in one style."""
    style = Style(size=size, dim=dim, bold=bold, serif=serif)
    return Text(
        [Span(words, style)], leading=leading or size * 1.5, align=align, after=after, bar=bar
    )


def name(words: str, **style: Any) -> Text:
    """Return a name for a table; a very long one is cut."""
    shown = words if len(words) <= _MOST_NAME else words[: _MOST_NAME - 1] + "…"
    return text(shown, **style)


def _short(words: Words, row: int) -> str:
    """Return a name that leaves room for another one beside it."""
    return middle(words.name(row), NARROW)


def section(title: str, note: str = "", *, key: str = "", level: int = 0) -> Story:
    """Return the head of a section with its bookmark."""
    spans = [Span(title, Style(size=10.5, bold=True))]
    if note:
        spans += [Span("　", Style(size=8.2)), Span(note, Style(size=8.2, dim=True))]
    head = [
        CondPageBreak(24 * mm),
        Spacer(1, 5 * mm),
        Rule(),
        Place(key or f"section-{title}", title, level),
        Text(spans, leading=15, after=3),
    ]
    return [KeepTogether(head)]


def table(
    head: Sequence[Flowable], rows: Sequence[Sequence[Flowable]], widths: Sequence[float]
) -> Table:
    """Return a table whose head repeats on every page."""
    made = Table([list(head), *map(list, rows)], colWidths=list(widths), repeatRows=1)
    made.setStyle(
        TableStyle(
            [
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, RULE),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 5),
                ("TOPPADDING", (0, 0), (-1, -1), 2.4),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2.8),
            ]
        )
    )
    return made


def heads(words: Sequence[str], right: frozenset[int] = frozenset()) -> list[Flowable]:
    """Return the head of a table; the columns of `right` are set flush right."""
    return [
        text(word, size=8, dim=True, align="right" if at in right else "left")
        for at, word in enumerate(words)
    ]


def number(value: str) -> Text:
    """Return a number for a table."""
    return text(value, align="right")


def strip(figures: Sequence[tuple[str, str, str]]) -> Table:
    """Return the numbers of a report: label, value, note."""
    wide = PAGE_WIDTH / len(figures)
    cells = [
        [text(label, size=7.8, dim=True), text(value, size=14, leading=19),
         text(note, size=7.8, dim=True)]
        for label, value, note in figures
    ]  # fmt: skip
    made = Table([cells], colWidths=[wide] * len(figures))
    made.setStyle(
        TableStyle(
            [
                ("LINEABOVE", (0, 0), (-1, 0), 0.4, RULE),
                ("LINEBELOW", (0, 0), (-1, 0), 0.4, RULE),
                ("LINEBEFORE", (1, 0), (-1, 0), 0.4, RULE),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (0, 0), 0),
                ("LEFTPADDING", (1, 0), (-1, 0), 7),
                ("RIGHTPADDING", (0, 0), (-1, -1), 3),
                ("TOPPADDING", (0, 0), (-1, -1), 4),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
            ]
        )
    )
    return made


def state(words: Words, pair: PairEntry) -> State:
    """Return the mark of the decision on a pair."""
    return State(pair.decision.verdict if pair.decision else "", words.verdict(pair))


def twin(words: Words, pair: PairEntry, *, half: float = 44.0) -> Twin:
    """Return the two bars of a pair."""
    shares = pair.share_a or 0.0, pair.share_b or 0.0
    a, b = (words.write.total(division) for division in pair.divisions)
    return Twin(*shares, (a, b), half=half)


def alone(words: Words, pair: PairEntry) -> Text:
    """Return what stands in place of the bars where the same meaning is the only evidence."""
    return text(words.t("report.alike.alone", n=pair.alike), size=8.2, dim=True)


def sums(words: Words, side: str, division: Division) -> Table:
    """Return the bar of a whole text, what its shared part consists of, and how much counts."""
    letter = words.t(f"report.side.{side}") if side else ""
    numbers = f"{words.write.sum(division)} · {words.write.counted(division)}"
    cells = [[text(letter, bold=True, serif=True), Whole(division), text(numbers, size=8.2)]]
    wide = PAGE_WIDTH - 16 - 158
    made = Table(cells, colWidths=[16 if side else 0.1, 158, wide + (0 if side else 15.9)])
    made.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 1.2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1.2),
            ]
        )
    )
    return made


def ranked(words: Words, pairs: Sequence[PairEntry]) -> Table:
    """Return pairs with their bars and the decision; with their numbers as cases where wanted."""
    t = words.t
    columns = ("texts", "overlap", "longest", "review")
    head = heads(["", *(t(f"report.pairs.{column}") for column in columns)], frozenset({0, 3}))
    rows = [
        [
            text(str(pair.case), dim=True, align="right"),
            text(t("report.and", a=_short(words, pair.a), b=_short(words, pair.b))),
            alone(words, pair) if pair.only_alike else twin(words, pair),
            number(UNKNOWN if pair.only_alike else words.length(pair.longest, pair.unit)),
            state(words, pair),
        ]
        for pair in pairs
    ]
    return table(head, rows, [22, PAGE_WIDTH - 22 - 173 - 54 - 84, 173, 54, 84])


def left_out(words: Words) -> Story:
    """Return what was not compared."""
    t, rows = words.t, words.report.left_out
    story = section(t("report.out.title"), t("report.out.note"))
    if not rows:
        return [*story, text(t("report.set.nothing_left_out"), size=8, dim=True)]
    head = heads(
        [t(f"report.out.{column}") for column in ("kind", "texts", "length", "share")],
        frozenset({1, 2, 3}),
    )
    cells = [
        [text(t(f"report.left_out.{row.kind}")), number(words.n(row.texts)),
         number(words.n(row.units)), number(words.percent(row.share))]
        for row in rows
    ]  # fmt: skip
    return [*story, table(head, cells, [PAGE_WIDTH - 210, 70, 70, 70])]


def statement(words: Words) -> Story:
    """Return the sentence on what numbers are."""
    return rule_beside(words.statement())


def rule_beside(sentence: str) -> Story:
    """Return a sentence beside a thick rule."""
    return [Spacer(1, 4 * mm), text(sentence, size=10, serif=True, leading=16, bar=True)]


def answer_sentence(spans: short.Spans) -> Text:
    """Return the sentence that holds the answer of a report."""
    set_ = [Span(one, Style(size=13, serif=True, bold=is_bold)) for one, is_bold in spans]
    return Text(set_, leading=20, after=4)


def signatures(names: Sequence[str]) -> Table:
    """Return lines to sign on, four to the width of a page."""
    wide, gap = (PAGE_WIDTH - 3 * 8 * mm) / 4, 8 * mm
    cells, widths = [], []
    for one in names:
        cells += [text(one, size=8, dim=True), ""]
        widths += [wide, gap]
    made = Table([cells[:-1]], colWidths=widths[:-1], hAlign="LEFT")
    lines = [("LINEABOVE", (2 * at, 0), (2 * at, 0), 0.5, INK) for at in range(len(names))]
    made.setStyle(TableStyle([*lines, ("LEFTPADDING", (0, 0), (-1, -1), 0)]))
    return made


def legend(words: Words, division: Division) -> Table:
    """Return what the parts of a bar mean, each with its length, and how much counts."""
    cells: list[Flowable] = []
    widths = []
    for name in CLASSES:
        units = getattr(division, name)
        if units:
            label = words.t(f"frame.class.{name}")
            spans = [Span(f"{label} ", Style(size=8, dim=True)),
                     Span(words.n(units), Style(size=8, bold=True))]  # fmt: skip
            shown = Text(spans, leading=11)
            cells += [Sample(name), shown]
            (line,) = break_lines(spans, PAGE_WIDTH)
            widths += [19.0, line[-1].x + line[-1].width + 13]
    whole = words.write.counted(division)
    cells.append(text(whole, size=8, dim=True, leading=11))
    made = Table([cells], colWidths=[*widths, PAGE_WIDTH - sum(widths)], hAlign="LEFT")
    made.setStyle(TableStyle([*FLUSH, ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]))
    return made


def apart(words: Words) -> Story:
    """Return the pairs with evidence that is part of no number, nothing where there are none."""
    story: Story = []
    for one in short.apart(words):
        rows: list[list[Flowable]] = [
            [
                text(words.t("report.and", a=_short(words, a), b=_short(words, b))),
                number(places),
                text(decided),
            ]
            for a, b, places, decided in one.rows
        ]
        made = table(heads(one.heads, frozenset({1})), rows, [PAGE_WIDTH - 215, 75, 140])
        story += [*section(one.title, one.note), made]
    return story


def limits(words: Words) -> Story:
    """Return how it was checked, and what that cannot show."""
    return [
        Spacer(1, 3 * mm),
        text(f"{words.settings()} {words.limits()}", size=8, leading=12.6, dim=True),
    ]


def text_table(words: Words, rows: Sequence[int]) -> Table:
    """Return the indicators of texts."""
    t = words.t
    columns = [
        t("report.texts.number"), t("report.texts.name"), t("report.indicator.counted"),
        t("report.indicator.shared"), t("report.indicator.total"), t("report.indicator.largest"),
        t("report.texts.largest_from"), t("report.indicator.longest_run"),
    ]  # fmt: skip
    made = []
    for row in rows:
        i = words.text(row).indicators
        made.append(
            [
                text(str(row + 1), dim=True, align="right"),
                name(words.name(row)),
                number(words.write.counted(i.division)),
                number(words.n(i.shared)),
                number(words.write.total(i.division)),
                number(words.write.total(i.largest)),
                name(words.name(i.largest_row) if i.largest_row >= 0 else ""),
                number(words.n(i.longest_run)),
            ]
        )
    wide = PAGE_WIDTH - 22 - 92 - 46 - 52 - 56 - 50
    widths = [22, wide * 0.54, 92, 46, 52, 56, wide * 0.46, 50]
    return table(heads(columns, frozenset({0, 2, 3, 4, 5, 7})), made, widths)


def definitions(words: Words) -> Story:
    """Return what each number means, with its value where the report is about one or two texts."""
    t = words.t
    rows = []
    for code in words.defined():
        value = words.values(code)
        spans = [Span(t(f"report.define.{code}"), Style(size=8.4))]
        if value:
            spans.append(Span(f" {value}", Style(size=8.4, dim=True)))
        term = text(t(f"report.indicator.{code}"), size=8.8, serif=True, bold=True)
        rows.append([term, Text(spans, leading=13)])
    made = Table(rows, colWidths=[44 * mm, PAGE_WIDTH - 44 * mm])
    made.setStyle(
        TableStyle(
            [
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, RULE),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ]
        )
    )
    foot = text(t("report.define.shares"), size=8, dim=True, leading=12.6)
    return [*section(t("report.define.title")), made, Spacer(1, 4), foot]


def skipped(words: Words) -> Story:
    """Return the files that could not be read."""
    t, rows = words.t, words.report.facts.skipped
    if not rows:
        return []
    head = heads([t("report.appendix.file"), t("report.appendix.reason")])
    cells = [[name(file), text(t(f"notes.{code}", **params))] for file, code, params in rows]
    made = table(head, cells, [PAGE_WIDTH / 2] * 2)
    return [*section(t("report.appendix.skipped")), made]


def head(words: Words) -> Story:
    """Return the top of the first page."""
    report = words.report
    centre = "centre" if report.kind == "pair" else "left"
    return [
        Place("top", words.heading(), 0),
        Spacer(1, 5 * mm),
        text(words.heading(), size=22, serif=True, bold=True, leading=30, align=centre),
        text(words.subtitle(), size=9.6, dim=True, serif=True, leading=15, align=centre),
        *([text(words.hiding(), size=8, dim=True, align=centre)] if report.anonymous else []),
        *([text(words.damage(), bold=True, align=centre)] if report.damage else []),
        *([text(words.t("report.lost.title"), bold=True, align=centre)] if report.lost else []),
        *(text(said, align=centre) for said in words.lost()),
        Spacer(1, 4 * mm),
    ]
