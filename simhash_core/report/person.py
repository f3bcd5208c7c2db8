"""One text against all the others: its sources, where each of them stands in it, and its numbers.

The customary numbers of a text come from the passages it shares, and what it shares is told apart
by how it says so: as a quotation, with a citation, both or neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ..model import PASSAGE_KINDS, Division, Document
from ..numbers import between, of_text
from ..result import CheckResult
from ..text.lengths import Units
from ..text.zones import zones
from .anonymity import Mask
from .collation import reading
from .collation.reading import Span, union
from .content import (
    Indicators,
    Marked,
    MatchGroup,
    PairEntry,
    PassageEntry,
    Person,
    SourceEntry,
    Wanted,
)
from .left_out import Measured, Shared, UnitsOf, spans_left_out

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
    author = author_of(document)
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
                longest_passage=measures.longest(row, mine),
                same_author=bool(author) and author_of(result.documents[other]) == author,
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
    spans = [one.span for one in shared]
    shares = _shares(result, row, shared)
    largest = max(shares, key=lambda other: (shares[other], -other), default=-1)
    rows = {one.table_row for one in shared}
    return Indicators(
        division=division,
        largest=between(result, row, largest if largest >= 0 else row)[0],
        largest_row=largest,
        longest_passage=measures.longest(row, spans),
        longest_run=max((int(table.longest[at]) for at in rows), default=0),
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
    author = author_of(result.documents[row])
    if not author:
        return None
    shared = measures.shared[row]
    others = [s.span for s in shared if author_of(result.documents[s.other]) != author]
    if len(others) == len(shared):
        return division.total
    return measures.units_in(row, others) / division.counted if division.counted else 0.0


def author_of(document: Document) -> str:
    """Return who wrote a text as authors are compared, "" where nobody is named."""
    meta = document.meta
    named = meta.get("number") or meta.get("person") or meta.get("author") or ""
    return " ".join(named.split()).casefold()


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
