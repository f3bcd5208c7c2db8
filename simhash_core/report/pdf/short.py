"""The two short reports on paper: one page for parents, two for the head of department."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, PageBreak, Spacer, Table, TableStyle

from ...i18n import in_chinese
from ...numbers import SHARED_CLASSES
from .. import short
from ..content import Case, PairEntry, Seat
from ..words import Words
from . import parts
from .flow import RULE, Cell, Rule, Ruled, Sample, Seats, State, Text, Whole
from .lines import Span, Style, break_lines
from .parts import PAGE_WIDTH, Story, text

_LABEL = 22 * mm  # of the rows of the page for parents


def pupil_page(words: Words) -> Story:
    """Return the page for parents; its lower half is ruled for the talk."""
    t, one = words.t, short.pupil(words)
    made: Story = [parts.answer_sentence(short.said_of_pupil(words)), Whole(one.division, high=9)]
    made += [parts.legend(words, one.division), Spacer(1, 3 * mm), _rows(words)]
    signs = parts.signatures([t(f"report.sign.{who}") for who in ("pupil", "parent", "teacher",
                                                                  "date")])  # fmt: skip
    made += [Spacer(1, 10 * mm), signs, Spacer(1, 5 * mm)]
    talk = [Span(t("report.pupil.talk"), Style(size=10.5, bold=True)),
            Span(f"　{t('report.pupil.by_hand')}", Style(size=8.2, dim=True))]  # fmt: skip
    return [*made, Rule(dashed=True), Spacer(1, 2 * mm), Text(talk, leading=15), Ruled()]


def _rows(words: Words) -> Flowable:
    """Return what, where, decision and note; without a confirmed case only what does not count."""
    t, one = words.t, short.pupil(words)
    body: list[tuple[str, list[Flowable]]] = []
    if one.cases or one.alike:
        where = short.where(words)
        place: list[Flowable] = [_line(where)] if where else []
        if one.quote:
            quote = text(short.quotation(words), size=10, serif=True, leading=17)
            place += [Spacer(1, 2), quote]
        notes: list[Flowable] = [_line(note) for note in short.notes(words)]
        body = [
            ("what", [_line(short.what(words))]),
            *([("where", place)] if place else []),
            ("decision", [_verdict(*one_of) for one_of in short.decisions(words)]),
            ("note", notes or [_line(t("report.decision.no_note"))]),
        ]
    elif one.left_out:
        sentence = short.left_out_of_text(words, one.left_out, one.division)
        body = [("where", [_line(sentence)])]
    if not body:
        return Spacer(1, 1)
    cells = [[text(t(f"report.pupil.row.{code}"), size=8.8, dim=True, leading=15), "", what]
             for code, what in body]  # fmt: skip
    made = Table(cells, colWidths=[_LABEL, 5 * mm, PAGE_WIDTH - _LABEL - 5 * mm], hAlign="LEFT")
    made.setStyle(
        TableStyle(
            [
                *(("LINEABOVE", (at, 0), (at, -1), 0.4, RULE) for at in (0, 2)),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 4.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 4.5),
            ]
        )
    )
    return made


def _line(sentence: str) -> Text:
    return text(sentence, size=9.6, leading=15)


def _verdict(pair: PairEntry, sentence: str, by: str) -> State:
    return State(pair.decision.verdict if pair.decision else "", sentence, by, size=9.6)


# --------------------------------------------------------------------------- head of department
def class_pages(words: Words) -> Story:
    """Return the two pages: the class in one picture, and its cases one row each."""
    t = words.t
    made: Story = [
        parts.answer_sentence(short.sentence_of_class(words)),
        parts.strip(short.figures(words)),
    ]
    shown, held = short.seats(words), short.roll(words)
    title, note = t(f"report.roll.title.{short.of_whom(words)}"), t("report.roll.note")
    if len(shown) < len(held.seats):
        note = t("report.roll.note_some", n=len(shown), rest=len(held.seats) - len(shown))
    made += [
        *parts.section(title, note),
        Spacer(1, 2 * mm),
        Seats([_cell(words, seat) for seat in shown]),
    ]
    made += [Rule(thick=0.4, light=True), _keys(words), *_left_out(words)]
    made += [*parts.rule_beside(short.limits(words)), PageBreak()]
    none = text(words.t("report.pairs.none_confirmed"), size=13, serif=True, leading=20)
    return [
        *made,
        *held_section(words),
        *(confirmed(words) or [none]),
        *_cleared(words),
        *_waiting(words),
        *_close(words),
    ]


def _cell(words: Words, seat: Seat) -> Cell:
    """Return a sheet of the picture."""
    mark = short.weak_mark(words, seat)
    return (seat.division, seat.state, mark, bool(seat.cases), seat.name, short.below(words, seat))


def _keys(words: Words) -> Table:
    """Return what the fillings and signs of the picture mean."""
    cells: list[Flowable] = []
    widths = []
    for name in SHARED_CLASSES:
        label = text(words.t(f"frame.class.{name}"), size=7.9, dim=True)
        cells += [Sample(name), label]
        widths += [19.0, _wide(words.t(f"frame.class.{name}")) + 12]
    rest = ("　　" if in_chinese(words.language) else "    ").join(short.keys(words))
    made = Table([[*cells, text(rest, size=7.9, dim=True, leading=11.5)]],
                 colWidths=[*widths, PAGE_WIDTH - sum(widths)], hAlign="LEFT")  # fmt: skip
    made.setStyle(TableStyle([*parts.FLUSH, ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]))
    return made


def _wide(line_text: str) -> float:
    (line,) = break_lines([Span(line_text, Style(size=7.9))], PAGE_WIDTH)
    return line[-1].x + line[-1].width


def _left_out(words: Words) -> Story:
    """Return what does not count, in two columns."""
    t, held = words.t, short.roll(words)
    whole = words.length(held.whole, held.unit)
    story = parts.section(t("report.out.title"), t("report.roll.out_note", whole=whole))
    if not held.left_out:
        return [*story, text(t("report.set.nothing_left_out"), size=8, dim=True)]
    cells: list[list[Flowable | str]] = [
        [
            text(t("report.roll.out", kind=t(f"report.left_out.{row.kind}"), n=row.texts)),
            parts.number(words.length(row.units, held.unit)),
            parts.number(words.percent(row.share)),
        ]
        for row in held.left_out
    ]
    half = -(-len(cells) // 2)
    cells += [["", "", ""]] * (2 * half - len(cells))
    rows = [[*cells[at], "", *cells[half + at]] for at in range(half)]
    wide = (PAGE_WIDTH - 10 * mm) / 2
    widths = [wide - 96, 60, 36]
    made = Table(rows, colWidths=[*widths, 10 * mm, *widths], hAlign="LEFT")
    lines = [("LINEBELOW", (0, 0), (2, -1), 0.4, RULE), ("LINEBELOW", (4, 0), (6, -1), 0.4, RULE)]
    made.setStyle(TableStyle([*lines, ("LEFTPADDING", (0, 0), (-1, -1), 0),
                              ("RIGHTPADDING", (0, 0), (-1, -1), 2)]))  # fmt: skip
    return [*story, made]


def held_section(words: Words) -> Story:
    """Return the passages that several texts hold; nothing where there are none."""
    t, rows = words.t, short.list_held(words)
    if not rows:
        return []
    every = len(words.report.held)
    cells: list[list[Flowable | list[Flowable]]] = [
        [
            text(row.number, dim=True),
            [text(row.who), text(f"{row.length} · {row.answer}", size=8, dim=True)],
            text(row.excerpt, serif=True, size=8.9, leading=12.5),
        ]
        for row in rows
    ]
    made = Table(cells, colWidths=[24, 190, PAGE_WIDTH - 214], hAlign="LEFT")
    made.setStyle(TableStyle([("LINEBELOW", (0, 0), (-1, -1), 0.4, RULE),
                              ("VALIGN", (0, 0), (-1, -1), "TOP"),
                              ("LEFTPADDING", (0, 0), (-1, -1), 0)]))  # fmt: skip
    story = [*parts.section(t("report.held.title", n=every), t("report.held.note")), made]
    if every > len(rows):
        story.append(text(t("report.held.rest", n=every - len(rows)), size=8, dim=True))
    return [*story, Spacer(1, 4 * mm)]


def confirmed(words: Words) -> Story:
    """Return the confirmed cases, one row each; nothing where there are none."""
    t, cases = words.t, words.report.cases
    if not cases:
        return []
    title = t("report.confirmed.title", n=len(cases))
    heads = parts.heads(
        [*(t(f"report.confirmed.{column}") for column in ("case", "names", "overlap", "what",
                                                          "note"))]
    )  # fmt: skip
    rows = [_case(words, case) for case in cases[: short.MOST_ROWS]]
    rest = PAGE_WIDTH - 24 - 84 - 128
    made = parts.table(heads, rows, [24, 84, 128, rest * 0.57, rest * 0.43])
    made.setStyle(TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP")]))
    story = [*parts.section(title, t("report.confirmed.title_note")), made]
    more = len(cases) - short.MOST_ROWS
    if more > 0:
        story.append(text(t("report.confirmed.more", n=more), size=8, dim=True))
    return story


def _case(words: Words, case: Case) -> Sequence[Flowable]:
    first, second = words.names(case.pair)
    names = [parts.name(first, size=8.6, bold=True, leading=12.5),
             parts.name(second, size=8.6, leading=12.5)]  # fmt: skip
    return [
        text(str(case.pair.case), dim=True, leading=12.5),
        names,
        parts.alone(words, case.pair)
        if case.pair.only_alike
        else parts.twin(words, case.pair, half=22),
        text(short.changed(words, case), size=8.9, serif=True, leading=13.2),
        text(short.note(case.pair) or "—", size=8.4, leading=12.5),
    ]


def _cleared(words: Words) -> Story:
    """Return the cases without a problem, by reason."""
    t, rows = words.t, short.cleared(words)
    if not rows:
        return []
    n = len(words.report.decided("no_problem"))
    cells: list[list[Flowable]] = [
        [text(row.numbers, dim=True), text(row.names), text(row.reason)] for row in rows
    ]
    made = Table(cells, colWidths=[58, 150, PAGE_WIDTH - 208], hAlign="LEFT")
    made.setStyle(TableStyle([("LINEBELOW", (0, 0), (-1, -1), 0.4, RULE),
                              ("VALIGN", (0, 0), (-1, -1), "TOP"),
                              ("LEFTPADDING", (0, 0), (-1, -1), 0)]))  # fmt: skip
    return [*parts.section(t("report.cleared.title", n=n)), made]


def _waiting(words: Words) -> Story:
    """Return the pairs that are not decided, the strongest; nothing where all are."""
    t, waiting = words.t, words.report.waiting
    if not waiting:
        return []
    story = parts.section(
        t("report.waiting.title", n=len(waiting)), t("report.confirmed.title_note")
    )
    story.append(parts.ranked(words, waiting[: short.MOST_ROWS]))
    more = len(waiting) - short.MOST_ROWS
    if more > 0:
        story.append(text(t("report.waiting.more", n=more), size=8, dim=True))
    return story


def _close(words: Words) -> Story:
    """Return how to read the report, and where to sign."""
    t = words.t
    how = text(short.how_to_read(words), size=8, leading=12.6, dim=True)
    signs = parts.signatures([t(f"report.sign.{who}") for who in ("taught", "head", "date")])
    return [*parts.apart(words), *parts.section(t("report.roll.how.title")), how,
            KeepTogether([Spacer(1, 11 * mm), signs])]  # fmt: skip
