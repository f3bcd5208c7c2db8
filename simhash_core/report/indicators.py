"""The customary numbers of one text, each from the passages it shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model import Document
from ..result import CheckResult
from ..text.lengths import count_units, length_of
from .collation.reading import covered, union
from .content import Indicators

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shared:
    """One passage of a text, and where its other half is."""

    span: Span
    other: int  # row of the other text
    table_row: int


def shared_by_text(result: CheckResult) -> list[list[Shared]]:
    """Return the passages that count of every text, in one walk over the table."""
    of_text: list[list[Shared]] = [[] for _ in result.documents]
    passages, pairs = result.passages, result.table.pairs
    for p in np.flatnonzero(~passages.weak).tolist():
        table_row = int(passages.pair[p])
        left, right = int(pairs.left[table_row]), int(pairs.right[table_row])
        a = (int(passages.a_start[p]), int(passages.a_end[p]))
        b = (int(passages.b_start[p]), int(passages.b_end[p]))
        of_text[left].append(Shared(a, right, table_row))
        of_text[right].append(Shared(b, left, table_row))
    return of_text


def indicators(result: CheckResult, row: int, shared: Sequence[Shared]) -> Indicators:
    """Return the numbers of one text."""
    document, table = result.documents[row], result.table
    spans = [one.span for one in shared]
    shares = _shares(result, row, shared)
    largest = max(shares, key=lambda other: (shares[other], -other), default=-1)
    longest = max((int(table.longest[one.table_row]) for one in shared), default=0)
    distinct = set(spans)
    return Indicators(
        length=length_of(document.text),
        shared=units_in(document.text, spans),
        total=float(result.total_overlap[row]),
        identical=float(result.identical_overlap[row]),
        largest=shares.get(largest, 0.0),
        largest_row=largest,
        longest_passage=max((count_units(document.text[a:b]) for a, b in distinct), default=0),
        longest_run=longest,
        passages=len(distinct),
        sources=len(shares),
        without_own=_without_own(result, row, shared),
        without_quoted=None,
    )


def _shares(result: CheckResult, row: int, shared: Sequence[Shared]) -> dict[int, float]:
    """Return what share of a text is found in each other one."""
    table, shares = result.table, {}
    for one in shared:
        mine = table.coverage_a if int(table.pairs.left[one.table_row]) == row else table.coverage_b
        shares[one.other] = float(mine[one.table_row])
    return shares


def _without_own(result: CheckResult, row: int, shared: Sequence[Shared]) -> float | None:
    """Return the total overlap without texts of the same author, None where nobody is named."""
    author = author_of(result.documents[row])
    if not author:
        return None
    others = [s.span for s in shared if author_of(result.documents[s.other]) != author]
    if len(others) == len(shared):
        return float(result.total_overlap[row])
    return covered(others, result.documents[row].text)


def author_of(document: Document) -> str:
    """Return who wrote a text as authors are compared, "" where nobody is named."""
    meta = document.meta
    named = meta.get("number") or meta.get("person") or meta.get("author") or ""
    return " ".join(named.split()).casefold()


def units_in(text: str, spans: Sequence[Span]) -> int:
    """Count the units of a text that lie in any of the spans, none of them twice."""
    return sum(count_units(text[start:end]) for start, end in union(spans))
