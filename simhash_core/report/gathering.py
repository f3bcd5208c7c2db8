"""What reports are made of: texts, pairs, what they share, and what of them does not count.

The customary numbers of a text come from the passages it shares. Only what a report shows is
measured: see `Source`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial

import numpy as np

from ..cases import ends_of
from ..i18n import Translate
from ..model import F32, I64, NO_DISTANCE, SHARED, Decision, Division, Progress, Stretches, pair_key
from ..numbers import divide_pair, divide_rows, divide_text, expected_pairs, likelihood, longest_run
from ..people.authorship import identify_author
from ..people.masking import Mask
from ..result import CheckResult, ThresholdView, apart_pairs, list_rows, meanings_shown
from ..review import cases as cases_of
from ..seen.exclusion_view import Excluder, ExclusionView
from ..seen.exclusions import Exclusions
from ..seen.headline import Headline, headline_of
from ..seen.on_page import confidence
from ..seen.stored import list_known
from ..simhash.fingerprint import hamming
from ..text.lengths import Units, unit_of
from .anonymous import alias
from .collation.reading import Span, union
from .content import OF_ONE_TEXT, Indicators, LeftOut, PairEntry, TextEntry, Wanted
from .names import name_texts, one_line, page_line

QUOTATIONS = ("quotations", "references")  # what 去除引用文献复制比 leaves out

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
    excluder: Excluder | None
    progress: Progress

    @cached_property
    def texts(self) -> tuple[TextEntry, ...]:
        """Every text of the check, under the names that are shown."""
        return tuple(_list_texts(self))

    @cached_property
    def pairs(self) -> tuple[PairEntry, ...]:
        """The pairs that the report is about."""
        return tuple(_list_pairs(self))

    @cached_property
    def units(self) -> UnitsOf:
        """The units of each text, read once."""
        return units_of(self.result)

    @cached_property
    def measures(self) -> Measured:
        """What the texts share, as the coverage of the result counts it."""
        given = self.wanted.exclusions
        return measure_shared(self.result, given, self.units, excluder=self.excluder)

    @cached_property
    def headline(self) -> Headline:
        """What the page of results says first."""
        return headline_of(self.result, self.view, self.wanted.passages or ())

    @property
    def pupils(self) -> bool:
        """Whether the texts of a short report are those of a class."""
        short = self.wanted.kind in ("class", "person")
        return bool(self.wanted.members or (short and self.headline.pupils.n))

    def list_confirmed(self) -> list[PairEntry]:
        """Return the confirmed pairs of the report."""
        return [one for one in self.pairs if one.decision and one.decision.verdict == "confirmed"]

    def find_decision(self, ends: tuple[int, int]) -> Decision | None:
        """Return what was decided about two texts."""
        return self.wanted.decisions.get(pair_key(*(self.result.documents[at].id for at in ends)))

    def hide_line(self, text: str) -> str:
        """Return what somebody typed on one line, names hidden in it."""
        line = one_line(text)
        return self.hide_all(line).cut(0, len(line))


def units_of(result: CheckResult) -> UnitsOf:
    """Return what gives the units of each text, read once."""
    return cache(lambda row: Units(result.documents[row].text))


# --------------------------------------------------------------------------- texts and pairs
def _list_texts(source: Source) -> Iterator[TextEntry]:
    """Yield every text with its numbers, under the names that are shown."""
    result, hidden, t = source.result, source.wanted.anonymous, source.t
    naming = name_texts(result.documents, references=result.references, mark=t("frame.reference"))
    for row, document in enumerate(result.documents):
        meta = {} if hidden else document.meta
        told = {name: meta.get(name, "") for name in ("title", "author", "class_name", "group")}
        told["author"] = meta.get("person") or told["author"]
        yield TextEntry(
            row=row,
            name=alias(row, t) if hidden else naming.stems[row],
            file="" if hidden else page_line(document, t) or one_line(document.name),
            id=document.id,
            encoding=document.encoding,
            reference=row >= result.checked,
            division=divide_text(result, row),
            ocr=confidence(document),
            measure=cache(partial(measure_text, source, row)),
            **{name: one_line(value) for name, value in told.items() if value},
        )


def _list_pairs(source: Source) -> Iterator[PairEntry]:
    """Yield the pairs of a report that are cases or were decided, strongest first.

    Of one text, a cluster or a pair also those that share what a few hold. A pair that is no case
    has the number 0. Cases keep the numbers that a project gave them. Two texts that share nothing
    are a pair where a report on them is wanted.
    """
    result, wanted, view = source.result, source.wanted, source.view
    found = cases_of(result, view, wanted.decisions)
    cases = [
        replace(case, number=wanted.numbers.get(one.key, case.number))
        for case, one in zip(found, list_known(result, found), strict=True)
    ]
    numbers = {case.row: case.number for case in cases}
    own = result.table.own_or_few > 0
    rows = [
        row
        for row in list_rows(result, view).tolist()
        if row in numbers
        or wanted.kind == "pair"
        or (wanted.kind not in ("class", "confirmed") and own[row])
    ]
    places = {one[:2]: one.places for one in apart_pairs(meanings_shown(result))}
    listed = [
        (row, ends, place, numbers.get(row, 0), places.get(ends, 0))
        for place, (row, ends) in enumerate(
            zip(rows, ends_of(result, np.array(rows, np.int64)), strict=True), 1
        )
    ]
    listed += [(-1, (one.a, one.b), 0, one.number, one.alike) for one in cases if one.alike]
    mine = [one for one in listed if _belongs(source, one[1])]
    if wanted.kind == "pair" and not mine:
        mine = [(-1, (min(wanted.rows), max(wanted.rows)), 0, 0, 0)]
    yield from (_build_pair(source, *one) for one in mine)


def _belongs(source: Source, ends: tuple[int, int]) -> bool:
    """Whether the report is about a pair."""
    wanted = source.wanted
    if wanted.kind in OF_ONE_TEXT:
        return wanted.rows[0] in ends
    if wanted.kind == "confirmed":
        decision = source.find_decision(ends)
        return decision is not None and decision.verdict == "confirmed"
    return wanted.kind == "class" or set(ends) <= set(wanted.rows)


def _build_pair(
    source: Source, row: int, ends: tuple[int, int], place: int, case: int, alike: int
) -> PairEntry:
    """Return a pair; without a row of the pair table nothing but a wish or its meaning lists it."""
    (a, b), result, group = ends, source.result, source.view.cluster_of
    table, prints, decision = result.table, result.fingerprints, source.find_decision(ends)
    note = source.hide_all(decision.note).cut(0, len(decision.note)) if decision else ""
    distance = int(NO_DISTANCE)
    if row >= 0:
        distance = int(table.pairs.distance[row])
    elif prints.valid[a] and prints.valid[b]:
        distance = int(hamming(prints.words[a], prints.words[b]))
    return PairEntry(
        place=place,
        case=case,
        table_row=row,
        a=a,
        b=b,
        divisions=divide_pair(result, row) if row >= 0 else divide_rows(result, a, b),
        longest=int(table.longest[row]) if row >= 0 else 0,
        unit=unit_of(result.documents[a].text),
        passages=int(table.passages[row]) if row >= 0 else 0,
        distance=None if distance == NO_DISTANCE else distance,
        chance=expected_pairs(result, row) if row >= 0 else None,
        likelihood=likelihood(result, row) if row >= 0 else None,
        decision=replace(decision, note=note) if decision else None,
        note=note,
        cluster=int(group[a]) if row >= 0 and group[a] == group[b] else -1,
        alike=alike,
    )


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

    without_quoted: F32  # (n,) total overlap
    units_of: UnitsOf
    stretches: Stretches  # of all pairs, sorted by pair; longer gaps in passages left out
    rows: I64  # (s,) of each stretch, the text in which it stands
    others: I64  # (s,) the text of its other half

    def stretches_of(self, table_row: int) -> Stretches:
        """Return what one pair shares, and what of it is identical or moved."""
        bounds = np.searchsorted(self.stretches.pair, [table_row, table_row + 1])
        return self.stretches.take(np.arange(*bounds))

    def find(self, row: int, *, table_row: int = -1) -> I64:
        """Return where the stretches of one text are, of all its pairs or of one."""
        mine = (self.rows == row) & (self.stretches.kind == SHARED)
        return np.flatnonzero(mine if table_row < 0 else mine & (self.stretches.pair == table_row))

    def spans(self, at: I64) -> list[Span]:
        """Return the ranges of some stretches."""
        found = self.stretches.start[at], self.stretches.end[at]
        return list(zip(*(side.tolist() for side in found), strict=True))

    def units_in(self, row: int, spans: Sequence[Span]) -> int:
        """Count the units of a text that lie in any of the spans, none of them twice."""
        return sum(self.units_of(row).count(*span) for span in union(spans))


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
    pairs, right = result.table.pairs, stretches.side > 0
    left, other = pairs.left[stretches.pair], pairs.right[stretches.pair]
    rows, others = np.where(right, other, left), np.where(right, left, other)
    return Measured(unquoted, units_of, stretches, rows, others)


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
    table, division = result.table, divide_text(result, row)
    pairs = np.unique(measures.stretches.pair[measures.find(row)])
    left, right = table.pairs.left[pairs], table.pairs.right[pairs]
    mine = np.where(left == row, table.coverage_a[pairs], table.coverage_b[pairs])
    others = np.where(left == row, right, left).tolist()
    shares = dict(zip(others, mine.tolist(), strict=True))  # of the text, found in each other one
    largest = max(shares, key=lambda other: (shares[other], -other), default=-1)
    return Indicators(
        division=division,
        largest=divide_rows(result, row, largest if largest >= 0 else row)[0],
        largest_row=largest,
        longest_run=longest_run(result, row),
        passages=int(table.passages[pairs].sum()),
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
    at = measures.find(row)
    own = [other for other in np.unique(measures.others[at]).tolist()
           if identify_author(result.documents[other]) == author]  # fmt: skip
    if not own:
        return division.total
    at = at[~np.isin(measures.others[at], own)]
    return measures.units_in(row, measures.spans(at)) / max(division.counted, 1)
