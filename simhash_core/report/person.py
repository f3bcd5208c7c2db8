"""One text against all the others: its sources, and where each of them stands in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ..model import PASSAGE_KINDS, Document
from ..result import CheckResult
from ..text.lengths import count_units
from .anonymity import Mask
from .collation import reading
from .content import Marked, PairEntry, PassageEntry, Person, SourceEntry
from .indicators import Span, author_of, units_in

EXCERPT = 400  # characters of a passage in a table


def person_of(
    result: CheckResult, row: int, pairs: Sequence[PairEntry], hide: Callable[[str], Mask]
) -> Person:
    """Gather the sources of one text, largest share first, and mark them in it."""
    document = result.documents[row]
    author = author_of(document)
    shares = sorted(pairs, key=lambda pair: (-_share(pair, row), pair.place))
    sources, spans = [], []
    for place, pair in enumerate(shares, 1):
        other = pair.b if pair.a == row else pair.a
        mine = spans_of(result, pair.table_row, row)
        spans.append(mine)
        sources.append(
            SourceEntry(
                place=place,
                pair=pair,
                row=other,
                share=_share(pair, row),
                back=pair.coverage_b if pair.a == row else pair.coverage_a,
                units=units_in(document.text, mine),
                longest_passage=max(
                    (count_units(document.text[start:end]) for start, end in mine), default=0
                ),
                same_author=bool(author) and author_of(result.documents[other]) == author,
            )
        )
    return Person(row, tuple(sources), _marked(document, spans, hide(document.text)))


def _share(pair: PairEntry, row: int) -> float:
    return pair.coverage_a if pair.a == row else pair.coverage_b


def spans_of(result: CheckResult, table_row: int, row: int) -> list[Span]:
    """Return the ranges of one text that a pair of the table shares."""
    passages = result.passages
    low, high = np.searchsorted(passages.pair, [table_row, table_row + 1])
    left = int(result.table.pairs.left[table_row]) == row
    starts = passages.a_start if left else passages.b_start
    ends = passages.a_end if left else passages.b_end
    return [
        (int(starts[p]), int(ends[p])) for p in range(int(low), int(high)) if not passages.weak[p]
    ]


def passages_of(
    result: CheckResult, pairs: Sequence[PairEntry], hide: Callable[[str], Mask]
) -> Iterator[PassageEntry]:
    """Yield the passages of some pairs, pair by pair."""
    passages = result.passages
    masks: dict[int, Mask] = {}
    for pair in pairs:
        a, b = result.documents[pair.a], result.documents[pair.b]
        if pair.a not in masks:
            masks[pair.a] = hide(a.text)
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
                units_a=count_units(a.text[slice(*in_a)]),
                units_b=count_units(b.text[slice(*in_b)]),
                excerpt=" ".join(shown.split()),
            )


def _marked(
    document: Document, sources: Sequence[Sequence[Span]], mask: Mask
) -> tuple[tuple[Marked, ...], ...]:
    """Cut a text by the largest source of each character."""
    spans = [(place, span) for place, of_one in enumerate(sources) for span in of_one]
    owner = reading.owners(
        len(document.text), [span for _, span in spans], [-place for place, _ in spans]
    )
    left_out = reading.left_out(document.notes)
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
