"""One text against all the others: its sources, and where each of them stands in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ..model import PASSAGE_KINDS, Document
from ..result import CheckResult
from .anonymity import Mask
from .collation import reading
from .collation.reading import Span
from .content import Marked, PairEntry, PassageEntry, Person, SourceEntry, Wanted
from .indicators import author_of
from .left_out import Measured, UnitsOf, spans_left_out
from .match_groups import match_groups

EXCERPT = 400  # characters of a passage in a table


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
