"""The page for whoever wrote a text: what the confirmed cases say of it, with nobody else named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..i18n import Translate
from ..model import IDENTICAL, MOVED, SHARED, Division
from ..numbers import of_text, with_parts
from ..result import CheckResult
from .anonymity import Hider, Mask, hider
from .collation import reading
from .collation.reading import Span, union
from .content import PairEntry, Pupil, Wanted
from .left_out import Measured, zones_left_out
from .person import author_of

QUOTED = 60  # characters
_RANK = {MOVED: 1, SHARED: 2, IDENTICAL: 3}  # what a unit is called that several texts share


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
        for kind in (SHARED, MOVED, IDENTICAL):
            for start, end in reading.spans_of(stretches, kind, side):
                mine[start:end] = _RANK[kind]
        rank = np.maximum(rank, mine)
    counts = Counter[int]()
    for start, end in reading.runs(rank.astype(np.int32), 0, len(text)):
        counts[int(rank[start])] += measures.units_of(row).count(start, end)
    return with_parts(
        whole, (counts[_RANK[IDENTICAL]], counts[_RANK[SHARED]], counts[_RANK[MOVED]])
    )


def _source(result: CheckResult, row: int, pair: PairEntry) -> str:
    """Return what the other text of a pair is called where nobody is named."""
    other = pair.b if pair.a == row else pair.a
    author = author_of(result.documents[row])
    if other >= len(result.documents) - result.references:
        return "earlier" if author_of(result.documents[other]) else "given"
    if not author:
        return "text"
    return "own" if author_of(result.documents[other]) == author else "pupil"


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
    author = author_of(result.documents[row])
    theirs = {at for at, one in enumerate(result.documents) if author and author_of(one) == author}
    shown = set() if wanted.anonymous else {row, *theirs}
    names = {one for at in shown for one in _named(result.documents[at].meta)}
    return hider(
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
