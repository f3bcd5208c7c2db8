"""What was excluded from a check, how much of it, and what excluding quotations would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from ..model import F32, SHARED, Stretches
from ..result import CheckResult
from ..seen.exclusion_view import Excluder, ExclusionView
from ..seen.exclusions import Exclusions
from ..text.lengths import Units
from .collation.reading import Span, union
from .content import LeftOut

QUOTED = ("quotations", "references")  # what 去除引用文献复制比 leaves out


UnitsOf = Callable[[int], Units]  # of the text of a row


def units_of(result: CheckResult) -> UnitsOf:
    """Return what gives the units of each text, read once."""
    return cache(lambda row: Units(result.documents[row].text))


def left_out_of(
    result: CheckResult,
    view: ExclusionView | None,
    units_of: UnitsOf,
    *,
    rows: Sequence[int] | None = None,
) -> tuple[LeftOut, ...]:
    """Return what does not count, the most first; without a view what everybody was given.

    Of the texts that were asked about, or of some `rows`; shares are of all that these hold.
    """
    chosen = range(result.checked) if rows is None else rows
    units, texts = Counter[str](), Counter[str]()
    for row in chosen:
        zones = zones_left_out(result, view, row)
        texts.update({kind for _, _, kind in zones})
        for start, end, kind in zones:
            units[kind] += units_of(row).count(start, end)
    whole = int(result.division[list(chosen)].sum())
    return tuple(
        LeftOut(kind, texts[kind], n, n / whole) for kind, n in units.most_common() if n and whole
    )


def zones_left_out(
    result: CheckResult, view: ExclusionView | None, row: int
) -> list[tuple[int, int, str]]:
    """Return the ranges of a text that count nowhere, with the kind of each, none of them twice."""
    zones = [(zone.start, zone.end, zone.kind) for zone in view.spans[row]] if view else []
    given = result.documents[row].notes
    of_template = union([(n.start, n.end) for n in given if n.code == "template" and n.start >= 0])
    excluded = union([(start, end) for start, end, _ in zones])
    return sorted([*zones, *((*span, "template") for span in _without(of_template, excluded))])


def _without(spans: Sequence[Span], others: Sequence[Span]) -> list[Span]:
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


def spans_left_out(result: CheckResult, view: ExclusionView | None, row: int) -> list[Span]:
    """Return the ranges of a text that count nowhere."""
    return [(start, end) for start, end, _ in zones_left_out(result, view, row)]


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


def measured(
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
    zones = tuple(dict.fromkeys((*now.zones, *QUOTED)))
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
