"""The blocks of a report set on paper: each becomes boxes that are put on pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from reportlab.lib.units import mm

from ...i18n import in_chinese
from ...numbers import CLASSES, SHARED_CLASSES
from .. import short
from ..blocks import Answer, Block, Group, Heading, Paragraph, Piece
from ..blocks import Table as Rows
from ..collation.folding import Fold, Line
from ..collation.reading import Run
from ..collation.sheet import Entry
from ..content import Case, PairEntry
from ..names import NARROW, cut_middle
from ..words import Words
from . import flow
from .flow import PAGE_WIDTH, Beside, Box, Drawn, Table, Text, place, rule, sample
from .lines import Line as SetLine
from .lines import Span, Style, break_lines, width_of

Story = list[Box]
Cell = Box | list[Box] | None
BODY = {"characters": (9.2, 15.2, 18.4), "words": (9.2, 13.4, 0.0)}  # size, leading, indent
_MOST_NAME = 60  # characters of a name in a table
_NAME_COLUMNS = 13  # of a name above a column of the apparatus
_LABEL = 22 * mm  # of the rows of the page for parents
#: cells of words
_STYLES: Mapping[str, Mapping[str, Any]] = {
    "no": {"dim": True, "align": "right"},
    "row": {"dim": True, "align": "right"},
    "text": {},
    "whole": {},
    "number": {"align": "right"},
    "told": {"size": 8.9, "serif": True, "leading": 13.2},
    "note": {"size": 8.4, "leading": 12.5},
    "quote": {"size": 8.9, "serif": True, "leading": 12.5},
}
#: columns of a table that are set flush right
_RIGHT = frozenset(("no", "row", "number", "counted"))
_OF_CASE = PAGE_WIDTH - 24 - 84 - 128
_OF_TEXT = PAGE_WIDTH - 22 - 92 - 46 - 52 - 56 - 50
#: look of a table -> widths of its columns
_WIDTHS: Mapping[str, Sequence[float]] = {
    "ranked": (22, PAGE_WIDTH - 22 - 173 - 54 - 84, 173, 54, 84),
    "apart": (PAGE_WIDTH - 215, 75, 140),
    "left_out": (PAGE_WIDTH - 210, 70, 70, 70),
    "texts": (22, _OF_TEXT * 0.54, 92, 46, 52, 56, _OF_TEXT * 0.46, 50),
    "sources": (22, PAGE_WIDTH - 22 - 300 - 18, 50, 56, 66, 84 - 22, 84),
    "groups": (PAGE_WIDTH - 240, 80, 80, 80),
    "skipped": (PAGE_WIDTH / 2, PAGE_WIDTH / 2),
    "confirmed": (24, 84, 128, _OF_CASE * 0.57, _OF_CASE * 0.43),
    "held": (24, 190, PAGE_WIDTH - 214),
    "cleared": (58, 150, PAGE_WIDTH - 208),
}


def boxes(words: Words, pieces: Sequence[Piece]) -> Iterator[Box]:
    """Yield what the blocks of a report are on paper."""
    for piece in pieces:
        if not isinstance(piece, Group):
            yield from _SETTERS[piece.kind](words, piece)
        elif piece.kind != "page":
            yield from boxes(words, piece.blocks)


def head(words: Words) -> Story:
    """Return the top of the first page."""
    report = words.report
    centre = "centre" if report.kind == "pair" else "left"
    return [
        place("top", words.heading(), 0),
        Drawn(5 * mm),
        text(words.heading(), size=22, serif=True, bold=True, leading=30, align=centre),
        text(words.subtitle(), size=9.6, dim=True, serif=True, leading=15, align=centre),
        *([text(words.hiding(), size=8, dim=True, align=centre)] if report.cover.anonymous else []),
        *([text(words.damage(), bold=True, align=centre)] if report.cover.damage else []),
        *(
            [text(words.t("report.lost.title"), bold=True, align=centre)]
            if report.cover.lost
            else []
        ),
        *(text(said, align=centre) for said in words.lost()),
        Drawn(4 * mm),
    ]


# --------------------------------------------------------------------------- words and tables
def text(words: str, *, size: float = 8.6, leading: float = 0.0, align: str = "left",
         dim: bool = False, bold: bool = False, serif: bool = False,
         after: float = 0.0) -> Text:  # fmt: skip
    """Return a paragraph in one style."""
    style = Style(size=size, dim=dim, bold=bold, serif=serif)
    return Text([Span(words, style)], leading or size * 1.5, align=align, after=after)


def name(words: str, **style: Any) -> Text:
    """Return a name for a table; a very long one is cut."""
    shown = words if len(words) <= _MOST_NAME else words[: _MOST_NAME - 1] + "…"
    return text(shown, **style)


def state(verdict: str, words: str, by: str = "", *, size: float = 8.6) -> Text:
    """Return the mark of a decision, its words, and by whom; then the words are bold."""
    spans = [Span(words, Style(size=size, bold=bool(by)))]
    if by:
        spans.append(Span(f"　{by}", Style(size=size)))

    def mark(canvas: Any, x: float, top: float, bottom: float) -> None:
        flow.draw_state(canvas, verdict, x, top - 10)

    return Text(spans, leading=12, inset=12, mark=mark)


def _grid(rows: Sequence[Sequence[Cell]], widths: Sequence[float], **form: Any) -> Table:
    """Return cells in rows; each is a box, some of them, or nothing."""
    boxed = [[cell if isinstance(cell, list) else [cell] if cell else [] for cell in row]
             for row in rows]  # fmt: skip
    return Table(boxed, widths, **form)


def _set_list(
    heads: Sequence[str],
    right: Sequence[bool],
    rows: Sequence[Sequence[Cell]],
    widths: Sequence[float],
    *,
    middle: bool = True,
) -> Table:
    """Return a table whose head repeats on every page; some columns are set flush right."""
    head = [
        text(one, size=8, dim=True, align="right" if is_right else "left")
        for one, is_right in zip(heads, right, strict=True)
    ]
    return _grid([head, *rows], widths, padding=(0, 5, 2.4, 2.8), below=[(0, len(head))],
                 heads=1, middle=middle)  # fmt: skip


def _number(value: str) -> Text:
    return text(value, align="right")


def _section(words: Words, block: Heading) -> Story:
    """Return the head of a section with its bookmark."""
    beside = block.note if not block.below else ""
    spans = [Span(block.title, Style(size=10.5, bold=True))]
    if beside:
        spans += [Span("　", Style(size=8.2)), Span(beside, Style(size=8.2, dim=True))]
    under = [text(block.note, size=8, dim=True, after=2)] if block.below else []
    return [
        Drawn(least=24 * mm),
        Drawn(5 * mm),
        rule(),
        place(block.key or f"section-{block.title}", block.title, block.level),
        Text(spans, leading=15, after=3),
        *under,
    ]


def _case_heading(words: Words, block: Block) -> Story:
    t, pair = words.t, block.value.pair
    first, second = words.names(pair)
    title = t("report.of_case", case=pair.case, said=t("report.and", a=first, b=second))
    key = f"case-{pair.case}"
    return _section(words, Heading(title, t("report.collation.part"), key))


def _say(words: Words, block: Block) -> Story:
    spans = [Span(one, Style(size=13, serif=True, bold=bold)) for one, bold in block.value]
    return [Text(spans, leading=20, after=0 if block.key == "none" else 4)]


def _paragraph(words: Words, block: Paragraph) -> Story:
    if block.look == "plain":
        return [text(block.text, size=block.size)]
    if block.look != "small":
        return [Drawn(3 * mm), text(block.text, size=8, leading=12.6, dim=True)]
    size, leading, after = block.size, block.leading, block.after
    return [text(block.text, size=size, leading=leading, after=after, dim=True)]


def _stress(words: Words, block: Block) -> Story:
    spans = [Span(block.value, Style(size=10, serif=True))]
    return [Drawn(4 * mm), Text(spans, leading=16, inset=10, mark=flow.draw_rule_beside)]


def _strip(words: Words, block: Block) -> Story:
    """Return the numbers of a report: label, value, note."""
    wide, gap = PAGE_WIDTH / len(block.value), 7.0
    cells: list[Cell] = []
    for label, value, note in block.value:
        figure: list[Box] = [text(label, size=7.8, dim=True), text(value, size=14, leading=19),
                             text(note, size=7.8, dim=True)]  # fmt: skip
        cells += [None, figure] if cells else [figure]
    widths = [wide, *[gap, wide - gap] * (len(block.value) - 1)]
    edges = [(0, len(cells))]
    return [_grid([cells], widths, padding=(0, 0, 4, 4), above=edges, below=edges,
                  before=range(1, len(cells), 2))]  # fmt: skip


def _sums(words: Words, block: Block) -> Story:
    """Return the bar of a whole text, what its shared part consists of, and how much counts."""
    side, division = block.value
    letter = words.t(f"report.side.{side}") if side else ""
    numbers = f"{words.write.sum(division)} · {words.write.counted(division)}"
    cells: list[Cell] = [text(letter, bold=True, serif=True), flow.whole_bar(division),
                         text(numbers, size=8.2)]  # fmt: skip
    first = 16 if side else 0.1
    widths = (first, 158, PAGE_WIDTH - first - 158)
    return [_grid([cells], widths, middle=True, padding=(0, 0, 1.2, 1.2))]


def _whole(words: Words, block: Block) -> Story:
    """Return the bar of a text, what its parts mean, each with its length, and how much counts."""
    division = block.value
    keys = {
        name: [Span(f"{words.t(f'frame.class.{name}')} ", Style(size=8, dim=True)),
               Span(words.n(getattr(division, name)), Style(size=8, bold=True))]
        for name in CLASSES if getattr(division, name)
    }  # fmt: skip
    keyed = _set_keys(keys, text(words.write.counted(division), size=8, dim=True, leading=11))
    return [flow.whole_bar(division, high=9), keyed, Drawn(3 * mm)]


def _set_keys(keys: Mapping[str, Sequence[Span]], rest: Text) -> Table:
    """Return what the parts of a bar mean, in one row, and what is said behind."""
    cells: list[Cell] = []
    widths = []
    for name, spans in keys.items():
        cells += [sample(name), Text(spans, leading=11.5)]
        widths += [19.0, width_of(break_lines(spans, PAGE_WIDTH)[0]) + 12.5]
    widths.append(PAGE_WIDTH - sum(widths))
    return _grid([[*cells, rest]], widths, middle=True, padding=(0, 0, 0, 0))


def _table(words: Words, block: Rows) -> Story:
    """Return a table, with heads or without."""
    kinds, widths = block.cells.split(), _WIDTHS[block.look]
    shown = [at for at, kind in enumerate(kinds) if kind != "bar"]
    rows = [[_cell(words, kinds[at], row[at], block.look) for at in shown] for row in block.rows]
    if not block.heads:
        return [_grid(rows, widths, below=[(0, len(widths))])]
    heads, right = [block.heads[at] for at in shown], [kinds[at] in _RIGHT for at in shown]
    return [_set_list(heads, right, rows, widths, middle=block.look != "confirmed")]


def _cell(words: Words, kind: str, value: Any, look: str) -> Cell:
    """Return a cell of a table."""
    if kind in _STYLES:
        return text(str(value), **_STYLES[kind])
    narrow = look == "confirmed"
    made: Mapping[str, Callable[[], Cell]] = {
        "case": lambda: text(str(value), dim=True, leading=12.5 if narrow else 0.0),
        "name": lambda: name(value),
        "source": lambda: name(value[0]),
        "counted": lambda: _number(words.write.counted(value.division)),
        "names": lambda: text(
            words.t("report.and", **{side: cut_middle(words.name(row), NARROW)
                                     for side, row in zip("ab", value, strict=True)})
        ),
        "overlap": lambda: _overlap(words, value, 22 if narrow else 44),
        "state": lambda: _state(words, value),
        "people": lambda: [name(value[0], size=8.6, bold=True, leading=12.5),
                           name(value[1], size=8.6, leading=12.5)],
        "two": lambda: [text(value[0]), text(value[1], size=8, dim=True)],
        "file": lambda: name(value),
    }  # fmt: skip
    return made[kind]()


def _overlap(words: Words, pair: PairEntry, half: float) -> Box:
    """Return the two bars of a pair, or that the same meaning is the only evidence."""
    if pair.only_alike:
        return text(words.t("report.alike.alone", n=pair.alike), size=8.2, dim=True)
    a, b = (words.write.total(division) for division in pair.divisions)
    left, right = (one or 0.0 for one in pair.shares)
    return flow.twin_bars(left, right, (a, b), half=half)


def _state(words: Words, pair: PairEntry) -> Text:
    return state(pair.decision.verdict if pair.decision else "", words.verdict(pair))


def _definitions(words: Words, block: Block) -> Story:
    rows: list[list[Cell]] = []
    for term, sentence, value in block.value[0]:
        spans = [Span(sentence, Style(size=8.4))]
        if value:
            spans.append(Span(f" {value}", Style(size=8.4, dim=True)))
        rows.append([text(term, size=8.8, serif=True, bold=True), Text(spans, leading=13)])
    made = _grid(rows, (44 * mm, PAGE_WIDTH - 44 * mm), below=[(0, 2)])
    return [made, Drawn(4), text(block.value[1], size=8, dim=True, leading=12.6)]


# --------------------------------------------------------------------------- the two short reports
def _answers(words: Words, block: Block) -> Story:
    """Return labels with their lines; without any only a little room."""
    if not block.value:
        return [Drawn(1)]
    cells: list[list[Cell]] = [
        [text(label, size=8.8, dim=True, leading=15), None,
         [one for line in lines for one in _answer(line)]]
        for label, lines in block.value
    ]  # fmt: skip
    widths = (_LABEL, 5 * mm, PAGE_WIDTH - _LABEL - 5 * mm)
    return [_grid(cells, widths, above=[(0, 1), (2, 3)], padding=(0, 0, 4.5, 4.5))]


def _answer(line: Answer) -> list[Box]:
    if line.kind == "verdict" and line.pair:
        verdict = line.pair.decision.verdict if line.pair.decision else ""
        return [state(verdict, line.text, line.by, size=9.6)]
    if line.kind == "quote":
        return [Drawn(2), text(line.text, size=10, serif=True, leading=17)]
    return [text(line.text, size=9.6, leading=15)]


def _signatures(words: Words, block: Block) -> Story:
    """Return lines to sign on, four to the width of a page."""
    wide, gap = (PAGE_WIDTH - 3 * 8 * mm) / 4, 8 * mm
    cells: list[Cell] = []
    for one in block.value:
        cells += [[rule(thick=0.5), Drawn(3), text(one, size=8, dim=True)], None]
    made = _grid([cells], [wide, gap] * len(block.value), padding=(0, 0, 0, 3))
    if block.key == "class":
        return [Drawn(least=20 * mm), Drawn(11 * mm), made]
    return [Drawn(10 * mm), made, Drawn(5 * mm)]


def _talk(words: Words, block: Block) -> Story:
    title = [Span(block.value[0], Style(size=10.5, bold=True)),
             Span(f"　{block.value[1]}", Style(size=8.2, dim=True))]  # fmt: skip
    return [rule(dashed=True), Drawn(2 * mm), Text(title, leading=15), flow.lines_to_write()]


def _seats(words: Words, block: Block) -> Story:
    """Return the picture of a class, and what the fillings and signs of it mean."""
    cells = [
        (seat.division, seat.state, short.weak_mark(words, seat), bool(seat.cases),
         cut_middle(seat.name, 2 * NARROW),
         short.say_below(words, seat))
        for seat in block.value[0]
    ]  # fmt: skip
    keys = {name: [Span(words.t(f"frame.class.{name}"), Style(size=7.9, dim=True))]
            for name in SHARED_CLASSES}  # fmt: skip
    rest = ("　　" if in_chinese(words.language) else "    ").join(block.value[1])
    keyed = _set_keys(keys, text(rest, size=7.9, dim=True, leading=11.5))
    return [Drawn(2 * mm), *flow.draw_seats(cells), rule(thick=0.4, light=True), keyed]


# --------------------------------------------------------------------------- pairs and texts
def _whose(words: Words, block: Block) -> Story:
    entry = block.value
    facts = (entry.author, entry.file, words.recognised(entry), f"SHA-256 {entry.id[:32]}")
    return [text("  ".join(filter(None, facts)), size=8, dim=True), Drawn(3 * mm)]


def _parties(words: Words, block: Block) -> Story:
    t, pair = words.t, block.value
    columns = ["", *(t(f"report.party.{c}") for c in ("file", "author", "length", "hash"))]
    rows: list[list[Cell]] = []
    for row, side in ((pair.a, "a"), (pair.b, "b")):
        entry = words.text(row)
        facts = (entry.file or t("report.party.hidden"), words.recognised(entry))
        file = "  ".join(filter(None, facts))
        rows.append(
            [
                text(t(f"report.side.{side}"), size=10, serif=True, bold=True),
                Text([Span(f"{entry.name[:80]}\n", Style(size=9.4, bold=True)),
                      Span(file[:120], Style(size=8, dim=True))], leading=13),
                name(entry.author),
                _number(words.length(entry.division.whole, entry.division.unit)),
                text(words.fingerprint(row), size=7.2, dim=True),
            ]
        )  # fmt: skip
    widths = [24, PAGE_WIDTH - 24 - 72 - 52 - 158, 72, 52, 158]
    right = [at == 3 for at in range(len(columns))]
    return [_set_list(columns, right, rows, widths), Drawn(4 * mm)]


def _sheet(words: Words, block: Block) -> Story:
    """Return what the kinds mean, and both texts side by side under their names."""
    case, key = block.value, f"{block.key}-" if block.key else ""
    return [
        _legend(words, case),
        _names(words, case),
        Drawn(3),
        *(_beside(words, case, line, key) for line in case.collation.lines),
        Drawn(3),
    ]


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
        spans = [Span(f"{words.name(row)[:80]}\n", Style(size=10, bold=True)),
                 Span(counted, Style(size=8, dim=True))]  # fmt: skip
        sides.append(break_lines(spans, flow.COLUMN))
    return Beside(sides[0], sides[1], [], leading=13)


def _beside(words: Words, case: Case, line: Line | Fold, key: str) -> Box:
    units = case.collation.units
    if isinstance(line, Fold):
        return flow.draw_fold(*(words.folded(part, unit)
                        for part, unit in zip(line.sides, units, strict=True)))  # fmt: skip
    sides = [list[SetLine](), list[SetLine]()]
    for side, paragraphs, unit in zip(sides, (line.left, line.right), units, strict=True):
        for paragraph in paragraphs:
            spans = list(_spans(paragraph, unit, key))
            side += break_lines(spans, flow.COLUMN, indent=BODY[unit][2])
    numbers = list[SetLine]()
    for number, kind in line.numbers:
        shown = f"{number} {words.t(f'report.mark.{kind}')}"
        style = Style(size=7.2, link=f"{key}n{number}")
        numbers += break_lines([Span(shown, style)], flow.EDGE)
    return Beside(sides[0], sides[1], numbers, leading=max(BODY[unit][1] for unit in units))


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


def _apparatus(words: Words, block: Block) -> Story:
    t, case, key = words.t, block.value, f"{block.key}-" if block.key else ""
    columns = [
        *(t(f"report.apparatus.{column}") for column in ("number", "kind")),
        *(cut_middle(words.name(row), _NAME_COLUMNS) for row in (case.pair.a, case.pair.b)),
        *(t(f"report.apparatus.{column}") for column in ("length", "words")),
    ]
    rows: list[list[Cell]] = []
    for entry in case.collation.entries:
        lengths = [str(entry.units_a), str(entry.units_b)]
        number: list[Box] = [place(f"{key}n{entry.number}"), text(entry.number, bold=True)]
        rows.append(
            [
                number,
                text(t(f"compare.kind.{entry.kind}")),
                _number(f"{entry.a[0]}–{entry.a[1]}"),
                _number(f"{entry.b[0]}–{entry.b[1]}"),
                _number(lengths[0] if lengths[0] == lengths[1] else " / ".join(lengths)),
                Text(list(_changes(words, case, entry)), leading=13),
            ]
        )
    widths = [30, 44, 58, 58, 56, PAGE_WIDTH - 246]
    return [_set_list(columns, [at in (2, 3, 4) for at in range(6)], rows, widths, middle=False)]


def _changes(words: Words, case: Case, entry: Entry) -> Iterator[Span]:
    """Yield the changes of a passage, or the words it begins and ends with.

    Of sentences of the same meaning how close they are, and that they are not counted.
    """
    plain, dim, bold = Style(serif=True), Style(serif=True, dim=True), Style(serif=True, bold=True)
    if entry.kind == "meaning":
        yield Span(short.say_answered(words, case, entry), plain)
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


def _judged(words: Words, block: Block) -> Story:
    """Return the decision on a case and the note, whole."""
    pair = block.value.pair
    verdict, by = words.verdict(pair), words.decided_by(pair)
    made: Story = [Drawn(3), state(pair.decision.verdict if pair.decision else "", verdict, by)]
    if pair.note:
        made.append(text(words.t("report.cases.note_label", note=pair.note), size=8.6, leading=14))
    return made


def _decision(words: Words, block: Block) -> Story:
    t, pair = words.t, block.value.pair
    decision = pair.decision
    title = Heading(t("report.decision.title"), key="decision", level=1)
    made = [*_section(words, title), _state(words, pair)]
    if decision:
        when = f"{words.date(decision.time, time=True)}  " if decision.time else ""
        made.append(text(f"{when}{decision.reviewer}", size=8.2, dim=True))
        note = pair.note or t("report.decision.no_note")
        made += [Drawn(3), text(f"{t('report.decision.note')}", size=8.2, dim=True)]
        made.append(text(note, size=9.8, serif=True, leading=16))
    cluster = block.value.cluster
    if cluster:
        members = t("report.decision.cluster_note", cluster=words.cluster(cluster.index),
                    n=len(cluster.members))  # fmt: skip
        made.append(text(members, size=8.6))
    names = (t("report.decision.sign_reviewer"), t("report.decision.sign_author"))
    lines = [text(name, size=8, dim=True) for name in names]
    signs = _grid([lines], [PAGE_WIDTH / 2] * 2, padding=(6, 6, 3, 3))
    return [*made, Drawn(least=20 * mm), Drawn(12 * mm), rule(thick=0.6), signs]


def _marks(words: Words, block: Block) -> Story:
    """Return a text with its sources marked in it."""
    person, unit = block.value
    size, leading, indent = BODY[unit]
    kinds = ("identical", "reworded", "moved", "summary")
    made: Story = []
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


#: kind of a block -> what sets it
_SETTERS: Mapping[str, Callable[[Words, Any], Story]] = {
    "heading": _section, "paragraph": _paragraph, "table": _table, "case_heading": _case_heading,
    "say": _say, "stress": _stress, "strip": _strip,
    "whole": _whole, "sums": _sums, "seats": _seats, "answers": _answers,
    "signatures": _signatures, "talk": _talk, "whose": _whose, "parties": _parties,
    "sheet": _sheet, "apparatus": _apparatus, "judged": _judged, "decision": _decision,
    "marks": _marks, "definitions": _definitions,
    "gap": lambda words, block: [Drawn(block.value)],
    "break": lambda words, block: [Drawn(least=block.value * mm)],
    "clusters": lambda words, block: [flow.draw_clusters(block.value[0])],
}  # fmt: skip
