"""What a check says of one text, and of a class: what it shares, with whom, what does not count.

The customary numbers of a text come from the passages it shares, and what it shares is told apart
by how it says so: as a quotation, with a citation, both or neither. Only what a report shows is
measured: see `Source`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from ..cases import beginning_of, passage_cases
from ..i18n import Translate
from ..model import F32, MOVED, PASSAGE_KINDS, SHARED, VERBATIM, Division, Document, Stretches
from ..numbers import divide_rows, divide_text, longest_run, replace_parts, unit_of_all
from ..people.authorship import identify_author, list_hand_ins
from ..people.masking import Hider, Mask, build_hider
from ..result import CheckResult, ThresholdView, apart_pairs, meanings_shown
from ..seen.exclusion_view import Excluder, ExclusionView
from ..seen.exclusions import Exclusions
from ..seen.headline import Headline
from ..text.lengths import Units, unit_of
from ..text.zones import zones
from .collation import reading
from .collation.reading import Span, union
from .content import (
    HeldEntry,
    Indicators,
    LeftOut,
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
from .names import one_line

EXCERPT = 400  # characters of a passage in a table
MOST_OF_HELD = 120  # characters of a passage in a list
QUOTED = 60  # characters of a quotation
QUOTATIONS = ("quotations", "references")  # what 去除引用文献复制比 leaves out
GROUPS = ("quoted_cited", "quoted", "cited", "neither")
MOSTLY = 0.5  # share of a stretch inside quotation marks from which it is a quotation
NEAR = 80  # code points behind a stretch within which a citation still belongs to it
_RANK = {MOVED: 1, SHARED: 2, VERBATIM: 3}  # what a unit is called that several texts share

Hide = Callable[[str], Mask]
UnitsOf = Callable[[int], Units]  # of the text of a row


@dataclass(frozen=True, eq=False)
class Source:
    """A check as one report reads it; what its texts share is measured at the first question.

    Attributes
    ----------
    hide, hide_all
        Hide names inside texts, and inside what somebody typed about them.
    excluder
        The texts of a result of which nothing is left out, where they are at hand.
    """

    result: CheckResult
    wanted: Wanted
    view: ThresholdView
    t: Translate
    hide: Hide
    hide_all: Hide
    excluder: Excluder | None = None

    @cached_property
    def units(self) -> UnitsOf:
        """The units of each text, read once."""
        return units_of(self.result)

    @cached_property
    def measures(self) -> Measured:
        """What the texts share, as the coverage of the result counts it."""
        given = self.wanted.exclusions
        return measure_shared(self.result, given, self.units, excluder=self.excluder)

    def hide_line(self, text: str) -> str:
        """Return what somebody typed on one line, names hidden in it."""
        line = one_line(text)
        return self.hide_all(line).cut(0, len(line))


def units_of(result: CheckResult) -> UnitsOf:
    """Return what gives the units of each text, read once."""
    return cache(lambda row: Units(result.documents[row].text))


# --------------------------------------------------------------------------- what does not count
def find_left_out(
    result: CheckResult, view: ExclusionView | None, units_of: UnitsOf
) -> tuple[LeftOut, ...]:
    """Return what does not count, the most first; without a view what everybody was given.

    Of the texts that were asked about; shares are of all that these hold.
    """
    units, texts = Counter[str](), Counter[str]()
    for row in range(result.checked):
        zones = zones_left_out(result, view, row)
        texts.update({kind for _, _, kind in zones})
        for start, end, kind in zones:
            units[kind] += units_of(row).count(start, end)
    whole = int(result.division[: result.checked].sum())
    return tuple(
        LeftOut(kind, texts[kind], n, n / whole) for kind, n in units.most_common() if n and whole
    )


def zones_left_out(
    result: CheckResult, view: ExclusionView | None, row: int
) -> list[tuple[int, int, str]]:
    """Return the ranges of a text that count nowhere, with the kind of each, none of them twice."""
    zones = [(zone.start, zone.end, zone.kind) for zone in view.spans[row]] if view else []
    given = result.documents[row].notes
    templates = [(n.start, n.end) for n in given if n.code == "template" and n.start >= 0]
    if not templates:
        return sorted(zones)
    rest = _subtract_spans(union(templates), union([(start, end) for start, end, _ in zones]))
    return sorted([*zones, *((*span, "template") for span in rest)])


def _subtract_spans(spans: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """Return what of some rising disjoint ranges lies in none of others like them."""
    left = []
    for start, end in spans:
        at = start
        for low, high in others:
            if at < low < end:
                left.append((at, low))
            if low < end and high > at:
                at = max(at, high)
        if at < end:
            left.append((at, end))
    return left


# --------------------------------------------------------------------------- what texts share
@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What every text shares, and how much of it without quotations and references."""

    shared: tuple[tuple[Shared, ...], ...]  # by row: stretches, longer gaps in passages left out
    without_quoted: F32  # (n,) total overlap
    units_of: UnitsOf
    stretches: Stretches  # of all pairs, sorted by pair

    def stretches_of(self, table_row: int) -> Stretches:
        """Return what one pair shares, and what of it is identical or moved."""
        bounds = np.searchsorted(self.stretches.pair, [table_row, table_row + 1])
        return self.stretches.take(np.arange(*bounds))

    def of(self, row: int, table_row: int) -> list[Span]:
        """Return the stretches of one text that one pair shares."""
        return [one.span for one in self.shared[row] if one.table_row == table_row]

    def units_in(self, row: int, spans: Sequence[Span]) -> int:
        """Count the units of a text that lie in any of the spans, none of them twice."""
        return sum(self.units_of(row).count(*span) for span in union(spans))


@dataclass(frozen=True, slots=True)
class Shared:
    """One shared stretch of a text, and where its other half is."""

    span: Span
    other: int  # row of the other text
    table_row: int


def measure_shared(
    result: CheckResult,
    view: ExclusionView | None,
    units_of: UnitsOf,
    *,
    excluder: Excluder | None = None,
) -> Measured:
    """Measure what the texts share, as the coverage of the result counts it.

    `excluder` holds the texts of a result of which nothing is left out, where they are at hand.
    """
    if view is None:
        excluder = excluder or Excluder(result)
        now, stretches = Exclusions(), excluder.stretches()
    else:
        now, excluder, stretches = view.exclusions, view.excluder, view.stretches
    zones = tuple(dict.fromkeys((*now.zones, *QUOTATIONS)))
    unquoted = excluder.total_overlap(replace(now, zones=zones))
    stretches = stretches.take(np.argsort(stretches.pair, kind="stable"))
    whole = stretches.of_kind(SHARED)
    of_text: list[list[Shared]] = [[] for _ in result.documents]
    pairs = result.table.pairs
    for at in range(len(whole)):
        table_row, right = int(whole.pair[at]), bool(whole.side[at])
        ends = int(pairs.left[table_row]), int(pairs.right[table_row])
        span = (int(whole.start[at]), int(whole.end[at]))
        of_text[ends[right]].append(Shared(span, ends[not right], table_row))
    return Measured(tuple(map(tuple, of_text)), unquoted, units_of, stretches)


def measure_text(source: Source, row: int) -> Indicators:
    """Return the numbers of one text, and its division as it was before exclusions."""
    exclusions = source.wanted.exclusions
    return indicators(
        source.result, row, source.measures, before=exclusions.before if exclusions else None
    )


def indicators(
    result: CheckResult, row: int, measures: Measured, *, before: CheckResult | None = None
) -> Indicators:
    """Return the numbers of one text; `before` is the check as it was before exclusions."""
    table, shared, division = result.table, measures.shared[row], divide_text(result, row)
    shares: dict[int, float] = {}  # of the text, found in each other one
    for one in shared:
        mine = table.coverage_a if int(table.pairs.left[one.table_row]) == row else table.coverage_b
        shares[one.other] = float(mine[one.table_row])
    largest = max(shares, key=lambda other: (shares[other], -other), default=-1)
    rows = {one.table_row for one in shared}
    return Indicators(
        division=division,
        largest=divide_rows(result, row, largest if largest >= 0 else row)[0],
        largest_row=largest,
        longest_run=longest_run(result, row),
        passages=sum(int(table.passages[at]) for at in rows),
        sources=len(shares),
        without_own=_measure_without_own(result, row, measures, division),
        without_quoted=float(measures.without_quoted[row]),
        before=divide_text(before, row) if before else None,
    )


def _measure_without_own(
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


# --------------------------------------------------------------------------- the sources of a text
def describe_sources(source: Source, pairs: Sequence[PairEntry]) -> Person:
    """Gather the sources of one text, largest share first, and mark them in it."""
    result, measures = source.result, source.measures
    (row,) = source.wanted.rows
    document = result.documents[row]
    author = identify_author(document)
    ranked = sorted(
        pairs,
        key=lambda pair: (-(pair.coverage_a if pair.a == row else pair.coverage_b), pair.place),
    )
    sources, spans = [], []
    for place, pair in enumerate(ranked, 1):
        other = pair.b if pair.a == row else pair.a
        spans.append(measures.of(row, pair.table_row))
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
    left_out = [zone[:2] for zone in zones_left_out(result, source.wanted.exclusions, row)]
    marked = _mark_sources(document, spans, left_out, source.hide(document.text))
    spans_shared = [one.span for one in measures.shared[row]]
    groups = match_groups(document.text, spans_shared, measures.units_of(row))
    return Person(row, tuple(sources), groups, marked)


def list_passages(source: Source, pairs: Sequence[PairEntry]) -> Iterator[PassageEntry]:
    """Yield the passages of some pairs, pair by pair."""
    result, units = source.result, source.units
    passages = result.passages
    masks: dict[int, Mask] = {}
    for pair in pairs:
        if pair.a not in masks:
            masks[pair.a] = source.hide(result.documents[pair.a].text)
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
                units_a=units(pair.a).count(*in_a),
                units_b=units(pair.b).count(*in_b),
                excerpt=" ".join(shown.split()),
            )


def _mark_sources(
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
        inside = sum(units.count(*part) for part in _cut_spans(span, quotations))
        quoted = size > 0 and inside >= MOSTLY * size
        cited = bool(_cut_spans((span[0], span[1] + NEAR), citations))
        code = ("quoted_cited" if cited else "quoted") if quoted else (
            "cited" if cited else "neither"
        )  # fmt: skip
        counts[code][0] += 1
        counts[code][1] += size
    return tuple(MatchGroup(code, n, size) for code, (n, size) in counts.items())


def _cut_spans(span: Span, ranges: Sequence[Span]) -> list[Span]:
    """Return what of some ranges lies in a span."""
    cut = [(max(span[0], start), min(span[1], end)) for start, end in ranges]
    return [(start, end) for start, end in cut if start < end]


# --------------------------------------------------------------------------- for parents
def describe_pupil(source: Source, pairs: Sequence[PairEntry]) -> Pupil:
    """Gather what the confirmed cases of one text say; what is not decided is left out."""
    result, wanted, measures = source.result, source.wanted, source.measures
    (row,) = wanted.rows
    every = [pair for pair in pairs if pair.decision and pair.decision.verdict == "confirmed"]
    every.sort(key=lambda pair: (pair.only_alike, pair.case))
    confirmed = [pair for pair in every if not pair.only_alike]
    sources = Counter(_name_source(result, row, pair) for pair in confirmed)
    shared = [span for pair in confirmed for span in measures.of(row, pair.table_row)]
    left_out = Counter[str]()
    zones = zones_left_out(result, wanted.exclusions, row)
    for start, end, kind in zones:
        left_out[kind] += measures.units_of(row).count(start, end)
    hide = _hide_others(source, row)
    quote, cut = _quote(hide(result.documents[row].text), _find_longest(result, row, confirmed))
    hide_all = replace(hide, doubtful=True)
    return Pupil(
        row=row,
        division=shared_with(result, row, confirmed, measures),
        cases=tuple(confirmed),
        sources=tuple(sorted(sources.items())),
        paragraphs=_find_paragraphs(
            result.documents[row].text, shared, [zone[:2] for zone in zones]
        ),
        left_out=tuple((kind, n) for kind, n in left_out.most_common() if n),
        quote=quote,
        cut=cut,
        notes=tuple(hide_all(pair.note).cut(0, len(pair.note)) for pair in every),
        alike=tuple(pair for pair in every if pair.only_alike),
        places=sum(pair.alike for pair in every),
    )


def shared_with(
    result: CheckResult, row: int, pairs: Sequence[PairEntry], measures: Measured
) -> Division:
    """Return a text divided by what some of its pairs share of it.

    Notes
    -----
    A unit that several pairs share is in the class that says most, as in `numbers.divide_text`.
    """
    whole = divide_text(result, row)
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
    return replace_parts(
        whole, (counts[_RANK[VERBATIM]], counts[_RANK[SHARED]], counts[_RANK[MOVED]])
    )


def _name_source(result: CheckResult, row: int, pair: PairEntry) -> str:
    """Return what the other text of a pair is called where nobody is named."""
    other = pair.b if pair.a == row else pair.a
    author = identify_author(result.documents[row])
    if other >= result.checked:
        return "earlier" if identify_author(result.documents[other]) else "given"
    if not author:
        return "text"
    return "own" if identify_author(result.documents[other]) == author else "pupil"


def _find_longest(result: CheckResult, row: int, pairs: Sequence[PairEntry]) -> Span | None:
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


def _quote(mask: Mask, span: Span | None) -> tuple[str, bool]:
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


def _find_paragraphs(
    text: str, shared: Sequence[Span], left_out: Sequence[Span]
) -> tuple[int, ...]:
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


def _hide_others(source: Source, row: int) -> Hider:
    """Return what hides everybody but the writer of one text; where names are hidden, him too."""
    result, wanted = source.result, source.wanted
    author = identify_author(result.documents[row])
    theirs = [identify_author(one) == author != "" for one in result.documents]
    shown = set() if wanted.anonymous else {row, *np.flatnonzero(theirs).tolist()}
    keys = ("person", "author", "number")
    names = {result.documents[at].meta.get(key) for at in shown for key in keys}
    return build_hider(
        [one for at, one in enumerate(result.documents) if at not in shown],
        source.t,
        skipped=result.skipped,
        others=[one for one in wanted.others if one not in names],
        reviewers={decision.reviewer for decision in wanted.decisions.values()},
        overruled=wanted.overruled,
    )


# --------------------------------------------------------------------------- the whole class
def describe_class(
    source: Source,
    texts: Sequence[TextEntry],
    pairs: Sequence[PairEntry],
    head: Headline,
    *,
    pupils: bool,
    listed: int,
) -> Roll:
    """Draw up the class: its members in the order of the class list, else in that of the texts.

    Texts of nobody stand for themselves; where the texts are no class (`pupils`), so do all, and
    files. `listed` are the pairs with evidence.
    """
    result, wanted = source.result, source.wanted
    asked = [text for text in texts if not text.reference]
    unread, draw = result.unread, _draw_seats(source, texts, pairs, head.sharing)
    every = []
    if pupils:
        every = list_hand_ins(result.documents[: len(asked)], unread, wanted.members)
    if not wanted.members:
        every.sort(key=lambda one: (not one.texts, one.texts))
    seats = []
    for one in every:
        name = one_line(one.member.person or one.member.number)
        if one.texts:
            seats.append(draw(one.texts, name))
        else:
            reason = unread[one.unread[0]].code if one.unread else ""
            seats.append(Seat(name, (), one.state, reason))
    named = {row for seat in seats for row in seat.rows}
    seats += [
        replace(draw([text.row], text.name), nameless=pupils)
        for text in asked
        if text.row not in named
    ]
    if not every:
        seats += [Seat(one_line(file.name), (), "unread", file.code) for file in unread]
    if wanted.anonymous:  # the place on the list would say who it is
        seats = [replace(one, name=texts[one.rows[0]].name if one.rows else "") for one in seats]
        seats.sort(key=lambda seat: (not seat.rows, seat.rows))
    return Roll(
        seats=tuple(seats),
        counted=sum(text.division.counted for text in asked),
        whole=sum(text.division.whole for text in asked),
        unit=unit_of_all(result),
        listed=listed,
        passages=head.passages,
        held=_list_held(source),
    )


def _draw_seats(
    source: Source, texts: Sequence[TextEntry], pairs: Sequence[PairEntry], sharing: frozenset[int]
) -> Callable[[Sequence[int], str], Seat]:
    """Return what draws the seat of somebody by the rows of his texts, of several the highest."""
    same = apart_pairs(meanings_shown(source.result))
    alike = {row for one in same for row in (one.left, one.right)}
    confirmed = [pair for pair in pairs if pair.decision and pair.decision.verdict == "confirmed"]

    def draw(rows: Sequence[int], name: str) -> Seat:
        return Seat(
            name=name,
            rows=tuple(rows),
            state="read",
            division=max((texts[row].division for row in rows), key=lambda one: one.total),
            cases=tuple(sorted(pair.case for pair in confirmed if {pair.a, pair.b} & {*rows})),
            alike=not alike.isdisjoint(rows),
            shares=not sharing.isdisjoint(rows),
        )

    return draw


def _list_held(source: Source) -> tuple[HeldEntry, ...]:
    """Return what several texts hold, as it was before anything was left out."""
    wanted = source.wanted
    before = wanted.exclusions.before if wanted.exclusions else source.result
    listed = passage_cases(before) if wanted.passages is None else wanted.passages
    entries = []
    for one in listed:
        row, start, end = beginning_of(before, one.group, MOST_OF_HELD)
        text = before.documents[row].text
        more = "…" if end - start == MOST_OF_HELD else ""
        entries.append(
            HeldEntry(
                number=one.number,
                rows=one.members,
                units=one.units,
                unit=unit_of(text),
                answer=one.answer,
                automatic=one.automatic and one.decision is None,
                excerpt=" ".join(source.hide(text).cut(start, end).split()) + more,
            )
        )
    return tuple(entries)
