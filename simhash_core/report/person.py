"""One text against all the others: its sources, where each of them stands in it, and its numbers;
and the class in one picture: who handed in, what could be read, how much of each text overlaps.

The customary numbers of a text come from the passages it shares, and what it shares is told apart
by how it says so: as a quotation, with a citation, both or neither.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..i18n import Translate
from ..model import MOVED, PASSAGE_KINDS, SHARED, VERBATIM, Bools, Division, Document
from ..numbers import between, longest_run, of_text, unit_of_all, with_parts
from ..people.authorship import identify_author, list_hand_ins
from ..people.masking import Hider, Mask, build_hider
from ..result import CheckResult, apart_pairs, meanings_shown
from ..text.lengths import Units
from ..text.zones import zones
from ..translations.pairs import possible_translations
from .collation import reading
from .collation.reading import Span, union
from .content import (
    Indicators,
    Marked,
    MatchGroup,
    PairEntry,
    PassageEntry,
    Person,
    Pupil,
    Roll,
    Seat,
    SourceEntry,
    TextEntry,
    Wanted,
)
from .left_out import Measured, Shared, UnitsOf, left_out_of, spans_left_out, zones_left_out
from .names import one_line

EXCERPT = 400  # characters of a passage in a table

GROUPS = ("quoted_cited", "quoted", "cited", "neither")
MOSTLY = 0.5  # share of a stretch inside quotation marks from which it is a quotation
NEAR = 80  # code points behind a stretch within which a citation still belongs to it


def person_of(
    result: CheckResult,
    wanted: Wanted,
    pairs: Sequence[PairEntry],
    measures: Measured,
    hide: Callable[[str], Mask],
) -> Person:
    """Gather the sources of one text, largest share first, and mark them in it."""
    (row,) = wanted.rows
    document = result.documents[row]
    author = identify_author(document)
    shares = sorted(pairs, key=lambda pair: (-_share(pair, row), pair.place))
    sources, spans = [], []
    for place, pair in enumerate(shares, 1):
        other = pair.b if pair.a == row else pair.a
        mine = measures.of(row, pair.table_row)
        spans.append(mine)
        sources.append(
            SourceEntry(
                place=place,
                pair=pair,
                row=other,
                division=pair.divisions[pair.a != row],
                back=pair.divisions[pair.a == row],
                same_author=bool(author) and identify_author(result.documents[other]) == author,
            )
        )
    left_out = spans_left_out(result, wanted.exclusions, row)
    marked = _marked(document, spans, left_out, hide(document.text))
    spans_shared = [one.span for one in measures.shared[row]]
    groups = match_groups(document.text, spans_shared, measures.units_of(row))
    return Person(row, tuple(sources), groups, marked)


def _share(pair: PairEntry, row: int) -> float:
    return pair.coverage_a if pair.a == row else pair.coverage_b


def passages_of(
    result: CheckResult,
    pairs: Sequence[PairEntry],
    units_of: UnitsOf,
    hide: Callable[[str], Mask],
) -> Iterator[PassageEntry]:
    """Yield the passages of some pairs, pair by pair."""
    passages = result.passages
    masks: dict[int, Mask] = {}
    for pair in pairs:
        if pair.a not in masks:
            masks[pair.a] = hide(result.documents[pair.a].text)
        low, high = np.searchsorted(passages.pair, [pair.table_row, pair.table_row + 1])
        for p in range(int(low), int(high)) if pair.table_row >= 0 else ():
            in_a = (int(passages.a_start[p]), int(passages.a_end[p]))
            in_b = (int(passages.b_start[p]), int(passages.b_end[p]))
            shown = masks[pair.a].cut(in_a[0], min(in_a[1], in_a[0] + EXCERPT))
            yield PassageEntry(
                table_row=pair.table_row,
                kind=PASSAGE_KINDS[passages.kind[p]],
                weak=bool(passages.weak[p]),
                a=in_a,
                b=in_b,
                units_a=units_of(pair.a).count(*in_a),
                units_b=units_of(pair.b).count(*in_b),
                excerpt=" ".join(shown.split()),
            )


def _marked(
    document: Document, sources: Sequence[Sequence[Span]], left_out: Sequence[Span], mask: Mask
) -> tuple[tuple[Marked, ...], ...]:
    """Cut a text by the largest source of each character."""
    spans = [(place, span) for place, of_one in enumerate(sources) for span in of_one]
    owner = reading.owners(
        len(document.text), [span for _, span in spans], [-place for place, _ in spans]
    )
    for start, end in left_out:
        owner[start:end] = -2
    paragraphs, before = [], -1
    for low, high in reading.paragraphs(document.text):
        runs = []
        for start, end in reading.runs(owner, low, high):
            at = int(owner[start])
            place = spans[at][0] + 1 if at >= 0 else 0
            runs.append(Marked(mask.cut(start, end), place, at == -2, at >= 0 and at != before))
            before = at
        paragraphs.append(tuple(runs))
    return tuple(paragraphs)


def indicators(
    result: CheckResult, row: int, measures: Measured, *, before: CheckResult | None = None
) -> Indicators:
    """Return the numbers of one text; `before` is the check as it was before exclusions."""
    table, shared, division = result.table, measures.shared[row], of_text(result, row)
    shares = _shares(result, row, shared)
    largest = max(shares, key=lambda other: (shares[other], -other), default=-1)
    rows = {one.table_row for one in shared}
    return Indicators(
        division=division,
        largest=between(result, row, largest if largest >= 0 else row)[0],
        largest_row=largest,
        longest_run=longest_run(result, row),
        passages=sum(int(table.passages[at]) for at in rows),
        sources=len(shares),
        without_own=_without_own(result, row, measures, division),
        without_quoted=float(measures.without_quoted[row]),
        before=of_text(before, row) if before else None,
    )


def _shares(result: CheckResult, row: int, shared: Sequence[Shared]) -> dict[int, float]:
    """Return what share of a text is found in each other one."""
    table, shares = result.table, {}
    for one in shared:
        mine = table.coverage_a if int(table.pairs.left[one.table_row]) == row else table.coverage_b
        shares[one.other] = float(mine[one.table_row])
    return shares


def _without_own(
    result: CheckResult, row: int, measures: Measured, division: Division
) -> float | None:
    """Return the total overlap without texts of the same author, None where nobody is named."""
    author = identify_author(result.documents[row])
    if not author:
        return None
    shared = measures.shared[row]
    others = [s.span for s in shared if identify_author(result.documents[s.other]) != author]
    if len(others) == len(shared):
        return division.total
    return measures.units_in(row, others) / division.counted if division.counted else 0.0


def match_groups(text: str, shared: Sequence[Span], units: Units) -> tuple[MatchGroup, ...]:
    """Return the shared stretches of a text in four groups, each with its units.

    Notes
    -----
    A rule of layout, not of judgement: a citation counts as given whatever it names.
    """
    marked = zones(text, ("quotations", "citations"))
    quotations = [(zone.start, zone.end) for zone in marked if zone.kind == "quotations"]
    citations = [(zone.start, zone.end) for zone in marked if zone.kind == "citations"]
    counts = {code: [0, 0] for code in GROUPS}
    for span in union(shared):
        size = units.count(*span)
        inside = sum(units.count(*part) for part in _within(span, quotations))
        quoted = size > 0 and inside >= MOSTLY * size
        cited = bool(_within((span[0], span[1] + NEAR), citations))
        code = ("quoted_cited" if cited else "quoted") if quoted else (
            "cited" if cited else "neither"
        )  # fmt: skip
        counts[code][0] += 1
        counts[code][1] += size
    return tuple(MatchGroup(code, n, size) for code, (n, size) in counts.items())


def _within(span: Span, ranges: Sequence[Span]) -> list[Span]:
    """Return what of some ranges lies in a span."""
    cut = [(max(span[0], start), min(span[1], end)) for start, end in ranges]
    return [(start, end) for start, end in cut if start < end]


QUOTED = 60  # characters
_RANK = {MOVED: 1, SHARED: 2, VERBATIM: 3}  # what a unit is called that several texts share


def pupil_of(
    result: CheckResult,
    wanted: Wanted,
    pairs: Sequence[PairEntry],
    measures: Measured,
    t: Translate,
) -> Pupil:
    """Gather what the confirmed cases of one text say; what is not decided is left out."""
    (row,) = wanted.rows
    every = [pair for pair in pairs if pair.decision and pair.decision.verdict == "confirmed"]
    every.sort(key=lambda pair: (pair.only_alike, pair.case))
    confirmed = [pair for pair in every if not pair.only_alike]
    sources = Counter(_source(result, row, pair) for pair in confirmed)
    shared = [span for pair in confirmed for span in measures.of(row, pair.table_row)]
    left_out = Counter[str]()
    zones = zones_left_out(result, wanted.exclusions, row)
    for start, end, kind in zones:
        left_out[kind] += measures.units_of(row).count(start, end)
    hide = _others_of(result, wanted, row, t)
    quote, cut = _quotation(hide(result.documents[row].text), _longest(result, row, confirmed))
    return Pupil(
        row=row,
        division=shared_with(result, row, confirmed, measures),
        cases=tuple(confirmed),
        sources=tuple(sorted(sources.items())),
        paragraphs=_paragraphs(result.documents[row].text, shared, [zone[:2] for zone in zones]),
        left_out=tuple((kind, n) for kind, n in left_out.most_common() if n),
        quote=quote,
        cut=cut,
        notes=tuple(_note(pair, wanted, replace(hide, doubtful=True)) for pair in every),
        alike=tuple(pair for pair in every if pair.only_alike),
        places=sum(pair.alike for pair in every),
    )


def shared_with(
    result: CheckResult, row: int, pairs: Sequence[PairEntry], measures: Measured
) -> Division:
    """Return a text divided by what some of its pairs share of it.

    Notes
    -----
    A unit that several pairs share is in the class that says most, as in `numbers.of_text`.
    """
    whole = of_text(result, row)
    if len(pairs) == 1:
        return pairs[0].divisions[pairs[0].a != row]
    text = result.documents[row].text
    rank = np.zeros(len(text), np.uint8)
    for pair in pairs:
        stretches = measures.stretches_of(pair.table_row)
        mine = np.zeros(len(text), np.uint8)
        side = int(pair.a != row)
        for kind in (SHARED, MOVED, VERBATIM):
            for start, end in reading.spans_of(stretches, kind, side):
                mine[start:end] = _RANK[kind]
        rank = np.maximum(rank, mine)
    counts = Counter[int]()
    for start, end in reading.runs(rank.astype(np.int32), 0, len(text)):
        counts[int(rank[start])] += measures.units_of(row).count(start, end)
    return with_parts(whole, (counts[_RANK[VERBATIM]], counts[_RANK[SHARED]], counts[_RANK[MOVED]]))


def _source(result: CheckResult, row: int, pair: PairEntry) -> str:
    """Return what the other text of a pair is called where nobody is named."""
    other = pair.b if pair.a == row else pair.a
    author = identify_author(result.documents[row])
    if other >= result.checked:
        return "earlier" if identify_author(result.documents[other]) else "given"
    if not author:
        return "text"
    return "own" if identify_author(result.documents[other]) == author else "pupil"


def _longest(result: CheckResult, row: int, pairs: Sequence[PairEntry]) -> Span | None:
    """Return where in the text the longest passage of the cases stands."""
    passages = result.passages
    spans: list[Span] = []
    for pair in pairs:
        starts, ends = (
            (passages.a_start, passages.a_end)
            if pair.a == row
            else (passages.b_start, passages.b_end)
        )
        firm = np.flatnonzero((passages.pair == pair.table_row) & ~passages.weak)
        spans += zip(starts[firm].tolist(), ends[firm].tolist(), strict=True)
    return max(spans, key=lambda span: (span[1] - span[0], -span[0]), default=None)


def _quotation(mask: Mask, span: Span | None) -> tuple[str, bool]:
    """Return the beginning of a passage on one line, and whether it goes on."""
    if span is None:
        return "", False
    whole = " ".join(mask.cut(*span).split())
    if len(whole) <= QUOTED:
        return whole, False
    shown = whole[: QUOTED - 1]
    if shown[-1].isascii() and whole[QUOTED - 1].isalnum() and " " in shown:
        shown = shown.rpartition(" ")[0]  # no word is cut
    return shown, True


def _paragraphs(text: str, shared: Sequence[Span], left_out: Sequence[Span]) -> tuple[int, ...]:
    """Return which paragraphs share something, from 1, of those of which something counts."""
    away = np.zeros(len(text) + 1, np.bool_)
    for start, end in union(left_out):
        away[start:end] = True
    counting = [span for span in reading.paragraphs(text) if not away[slice(*span)].all()]
    return tuple(
        at
        for at, (low, high) in enumerate(counting, 1)
        if any(start < high and low < end for start, end in shared)
    )


def _others_of(result: CheckResult, wanted: Wanted, row: int, t: Translate) -> Hider:
    """Return what hides everybody but the writer of one text; where names are hidden, him too."""
    author = identify_author(result.documents[row])
    theirs = [identify_author(one) == author != "" for one in result.documents]
    shown = set() if wanted.anonymous else {row, *np.flatnonzero(theirs).tolist()}
    names = {one for at in shown for one in _named(result.documents[at].meta)}
    return build_hider(
        [one for at, one in enumerate(result.documents) if at not in shown],
        t,
        skipped=result.skipped,
        others=[one for one in wanted.others if one not in names],
        reviewers={decision.reviewer for decision in wanted.decisions.values()},
        overruled=wanted.overruled,
    )


def _named(meta: Mapping[str, str]) -> list[str]:
    return [meta[key] for key in ("person", "author", "number") if meta.get(key)]


def _note(pair: PairEntry, wanted: Wanted, hide: Hider) -> str:
    return hide(pair.note).cut(0, len(pair.note)) if pair.note else ""


# --------------------------------------------------------------------------- the whole class
def roll_of(
    result: CheckResult,
    wanted: Wanted,
    texts: Sequence[TextEntry],
    pairs: Sequence[PairEntry],
    units_of: UnitsOf,
    *,
    shares: Bools,
    passages: int,
    of_pupils: bool,
) -> Roll:
    """Draw up the class: its members in the order of the class list, else in that of the texts.

    Texts of nobody stand for themselves; where the texts are no class, so do all, and files.
    `shares` marks the texts that share what only a few have.
    """
    rows = [text.row for text in texts if not text.reference]
    unread, draw = result.unread, _drawing(result, pairs, shares)
    every = []
    if of_pupils:
        every = list_hand_ins([result.documents[row] for row in rows], unread, wanted.members)
    if not wanted.members:
        every.sort(key=lambda one: (not one.texts, one.texts))
    seats = []
    for one in every:
        name = one_line(one.member.person or one.member.number)
        if one.texts:
            seats.append(draw([rows[at] for at in one.texts], name))
        else:
            reason = unread[one.unread[0]].code if one.unread else ""
            seats.append(Seat(name, (), one.state, reason))
    named = {row for seat in seats for row in seat.rows}
    seats += [
        replace(draw([row], texts[row].name), nameless=of_pupils)
        for row in rows
        if row not in named
    ]
    if not every:
        seats += [Seat(one_line(file.name), (), "unread", file.code) for file in unread]
    if wanted.anonymous:  # the place on the list would say who it is
        seats = [replace(one, name=texts[one.rows[0]].name if one.rows else "") for one in seats]
        seats.sort(key=lambda seat: (not seat.rows, seat.rows))
    divisions = [of_text(result, row) for row in rows]
    return Roll(
        seats=tuple(seats),
        counted=sum(one.counted for one in divisions),
        whole=sum(one.whole for one in divisions),
        unit=unit_of_all(result),
        left_out=left_out_of(result, wanted.exclusions, units_of, rows=rows),
        passages=passages,
    )


def _drawing(
    result: CheckResult, pairs: Sequence[PairEntry], shares: Bools
) -> Callable[[Sequence[int], str], Seat]:
    """Return what draws the seat of somebody by the rows of his texts, of several the highest."""
    possible = possible_translations(result)
    translated = {row for one in possible for row in (one.left, one.right)}
    same = apart_pairs(meanings_shown(result))
    alike = {row for one in same for row in (one.left, one.right)}
    confirmed = [pair for pair in pairs if pair.decision and pair.decision.verdict == "confirmed"]

    def seat(rows: Sequence[int], name: str) -> Seat:
        return Seat(
            name=name,
            rows=tuple(rows),
            state="read",
            division=max((of_text(result, row) for row in rows), key=lambda one: one.total),
            cases=tuple(sorted(pair.case for pair in confirmed if {pair.a, pair.b} & {*rows})),
            translated=not translated.isdisjoint(rows),
            alike=not alike.isdisjoint(rows),
            shares=bool(shares[list(rows)].any()),
        )

    return seat
