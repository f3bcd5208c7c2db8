"""The customary numbers of one text, each from the passages it shares."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Division, Document
from ..numbers import between, of_text
from ..result import CheckResult
from .content import Indicators
from .left_out import Measured, Shared


def indicators(result: CheckResult, row: int, measures: Measured) -> Indicators:
    """Return the numbers of one text."""
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
