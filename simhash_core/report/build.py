"""From a checked batch to what a report says: one function a kind."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache

import numpy as np

from ..cases import beginning_of, passage_cases
from ..errors import BadInput
from ..i18n import Translate
from ..model import MOVED, PASSAGE_KINDS, SHARED, VERBATIM, Division, Document, Passages, Progress
from ..notation import letters
from ..numbers import divide_text, pairs_compared, replace_parts, unit_of_all
from ..people.authorship import identify_author, list_hand_ins
from ..people.masking import Hider, Mask, build_hider
from ..result import CheckResult, ThresholdView, apart_pairs, meanings_shown
from ..seen.exclusion_view import Excluder
from ..seen.headline import find_gaps
from ..seen.meanings import Answer, answers_of, found_by, shared_words
from ..seen.thresholds import expected_curve, view_at_threshold
from ..text.lengths import Units, unit_of
from ..text.zones import zones
from .anonymous import hider_of
from .collation import reading
from .collation.reading import Span, union
from .collation.sheet import WHOLE, collate
from .content import (
    KINDS,
    OF_ONE_TEXT,
    AlikeEntry,
    AnswerEntry,
    Case,
    ClassReport,
    ClusterEntry,
    ClusterReport,
    ConfirmedReport,
    Course,
    Cover,
    Facts,
    HeldEntry,
    Link,
    Marked,
    PairEntry,
    PassageEntry,
    PupilReport,
    Report,
    Seat,
    Shown,
    SourceEntry,
    SourcesReport,
    Wanted,
)
from .gathering import Measured, Source, find_left_out, zones_left_out
from .names import one_line

STAGE = "report"
EXCERPT = 400  # characters of a passage or a sentence in a table
MOST_OF_HELD = 120  # characters of a passage in a list
QUOTED = 60  # characters of a quotation
GROUPS = ("quoted_cited", "quoted", "cited", "neither")
MOSTLY = 0.5  # share of a stretch inside quotation marks from which it is a quotation
NEAR = 80  # code points behind a stretch within which a citation still belongs to it
_RANK = {MOVED: 1, SHARED: 2, VERBATIM: 3}  # what a unit is called that several texts share
_USUAL = (0.025, 0.975)
_NO_PASSAGES = Passages.join(())


def report_of(
    result: CheckResult,
    wanted: Wanted,
    t: Translate,
    *,
    view: ThresholdView | None = None,
    excluder: Excluder | None = None,
    progress: Progress | None = None,
) -> Report:
    """Gather what a report says.

    Parameters
    ----------
    result, wanted
    t
        Gives the names that stand for hidden ones, and nothing else.
    view
        The result at the threshold in force; by default at that of the check.
    excluder
        The texts of a result of which nothing is left out, where they are at hand; else they are
        read here.
    progress
        Called once a case; raising `Cancelled` from it stops.

    Raises
    ------
    BadInput
        `report_rows`: the rows do not fit the kind.
    """
    _require_rows(result, wanted)
    view, kind = view or view_at_threshold(result, result.threshold), wanted.kind
    source = Source(result, wanted, view, t, Mask, Mask, excluder, progress or _go_on)
    if wanted.anonymous:
        hide = hider_of(result, wanted, t)
        source = replace(source, hide=hide, hide_all=replace(hide, doubtful=True))
    every = {row for pair in source.pairs for row in (pair.a, pair.b)}
    if kind != "confirmed":
        every = set(range(len(source.texts)))
    report = Report(
        kind=kind,
        number="",
        cover=_set_cover(source),
        facts=_gather_facts(source),
        texts=source.texts,
        subject=wanted.rows or tuple(sorted(every)),
        pairs=source.pairs,
        alike=_list_alike(source),
        shown=_DESCRIBED[kind](source),
        list_passages=cache(lambda: tuple(_list_passages(source))),
    )
    return replace(report, number=_number_content(report, wanted))


def _go_on(stage: str, done: int, total: int) -> None:
    """Report no progress."""


def _require_rows(result: CheckResult, wanted: Wanted) -> None:
    sizes = {"pair": (2, 2), "cluster": (2, len(result.documents))}
    sizes |= dict.fromkeys(OF_ONE_TEXT, (1, 1))
    low, high = sizes.get(wanted.kind, (0, 0))
    inside = all(0 <= row < len(result.documents) for row in wanted.rows)
    distinct = len(set(wanted.rows)) == len(wanted.rows)
    if wanted.kind not in KINDS or not low <= len(wanted.rows) <= high or not (inside and distinct):
        raise BadInput("report_rows", kind=wanted.kind, n=len(wanted.rows))


def _set_cover(source: Source) -> Cover:
    wanted, course = source.wanted, source.wanted.course
    return Cover(
        title=source.hide_line(wanted.title),
        course=Course(
            group=source.hide_line(course.group),
            task=source.hide_line(course.task),
            teacher="" if wanted.anonymous else one_line(course.teacher),
        ),
        anonymous=wanted.anonymous,
        pupils=source.pupils,
        damage=wanted.damage,
        lost=wanted.lost if wanted.kind in ("class", "confirmed") else (),
    )


def _gather_facts(source: Source) -> Facts:
    result, wanted, settings = source.result, source.wanted, source.result.settings

    def shown(value: object) -> object:
        """Words about a file that was not read can hold its name: a figure stays as it is."""
        return value if isinstance(value, int | float) else "…"

    return Facts(
        made=wanted.made,
        checked=wanted.checked,
        version=result.version,
        recipe=result.fingerprints.recipe,
        bits=settings.bits,
        threshold=source.view.threshold,
        settings=tuple(
            (spec.name, _hide_in(getattr(settings, spec.name), source.hide_all))
            for spec in fields(settings)
        ),
        documents=len(result.documents),
        references=result.references,
        pairs=pairs_compared(result),
        guarantees=tuple((fact.code, fact.params) for fact in result.guarantees),
        skipped=tuple(
            ("…", row.code, {name: shown(value) for name, value in row.params.items()})
            if wanted.anonymous
            else (one_line(row.name), row.code, row.params)
            for row in result.skipped
        ),
        unread=len(result.unread),
        gaps=tuple(find_gaps(result)),
        usual=_find_usual_distances(result),
        expected=float(source.view.expected_false_pairs),
        left_out=find_left_out(result, wanted.exclusions, source.units),
    )


def _hide_in(value: object, hide: Callable[[str], Mask]) -> object:
    """Return a setting with the names hidden in it: a dictionary of the user can hold some."""
    if isinstance(value, str):
        return hide(value).cut(0, len(value))
    return tuple(_hide_in(one, hide) for one in value) if isinstance(value, tuple) else value


def _find_usual_distances(result: CheckResult) -> tuple[int, int] | None:
    """Return between which distances 95 of 100 unrelated pairs of this batch are expected."""
    curve = expected_curve(result)
    total = float(curve.sum())
    if not np.isfinite(total) or total <= 0:
        return None
    low, high = np.searchsorted(np.cumsum(curve) / total, _USUAL)
    return int(low), int(high)


def _number_content(report: Report, wanted: Wanted) -> str:
    """Name the content of a report: eight digits that stay the same as long as it says the same."""
    shown = (
        report.kind,
        report.cover.anonymous,
        report.subject,
        [text.id for text in report.texts],
        report.facts.recipe,
        report.facts.threshold,
        report.facts.left_out,
        [(pair.a, pair.b, pair.decision) for pair in report.pairs],
        report.cover.course,
        *([(one.pair.a, one.pair.b, one.pair.alike) for one in report.alike]),
        *report.cover.lost,
        *sorted(wanted.overruled),
    )
    digest = hashlib.sha256(repr(shown).encode()).hexdigest()[:8].upper()
    return f"{digest[:4]}-{digest[4:]}"


def _list_alike(source: Source) -> tuple[AlikeEntry, ...]:
    """Return what pairs of the report say in other words, sentence by sentence."""
    result, hide, pairs = source.result, source.hide_all, source.pairs
    meanings = meanings_shown(result)
    if meanings is None or not any(pair.alike for pair in pairs):
        return ()
    words, highest, means = shared_words(result), meanings.highest, found_by(result).pairs

    def entry(pair: PairEntry, place: int, one: Answer) -> AnswerEntry:
        texts = result.documents[pair.a].text, result.documents[pair.b].text
        sentences = [text[slice(*span)] for text, span in zip(texts, (one.a, one.b), strict=True)]
        # names hidden in the whole text: a part of one inside a sentence is one there
        shown = [
            " ".join(hide(text).cut(span[0], min(span[1], span[0] + EXCERPT)).split())
            for text, span in zip(texts, (one.a, one.b), strict=True)
        ]
        answering = (hide(word).cut(0, len(word)) for word in words(*sentences).all)
        rated = highest is not None and not np.isnan(one.closeness)
        following = None if not rated or np.isnan(one.next_best) else one.next_best
        return AnswerEntry(
            letter=letters(place),
            a=one.a,
            b=one.b,
            closeness=one.closeness if rated else None,
            next_best=following,
            words=tuple(dict.fromkeys(answering)),
            excerpt_a=shown[0],
            excerpt_b=shown[1],
        )

    return tuple(
        AlikeEntry(
            pair,
            tuple(
                entry(pair, place, one)
                for place, one in enumerate(answers_of(result, pair.a, pair.b), 1)
            ),
            highest,
            means.get((pair.a, pair.b), ""),
        )
        for pair in pairs
        if pair.alike
    )


def _list_passages(source: Source) -> Iterator[PassageEntry]:
    """Yield the passages of the pairs, pair by pair: only tables list them."""
    result, units = source.result, source.units
    passages = result.passages
    masks: dict[int, Mask] = {}
    for pair in source.pairs:
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


# --------------------------------------------------------------------------- cases and clusters
def describe_pair(source: Source) -> Case:
    """Set the two texts of a report side by side."""
    source.progress(STAGE, 0, 1)
    (pair,) = source.pairs
    case = replace(_collate_case(source, pair), cluster=next(_list_clusters(source), None))
    source.progress(STAGE, 1, 1)
    return case


def describe_confirmed(source: Source) -> ConfirmedReport:
    """Set the confirmed cases side by side, with the groups that their texts are in."""
    return ConfirmedReport(_list_cases(source), tuple(_list_clusters(source)))


def describe_cluster(source: Source) -> ClusterReport:
    """Return the group of the texts, and what is confirmed in it."""
    return ClusterReport(tuple(_list_clusters(source)), _list_cases(source, texts=False))


def _list_cases(source: Source, *, texts: bool = True) -> tuple[Case, ...]:
    """Set the confirmed pairs side by side, in the order of their numbers."""
    confirmed = sorted(source.list_confirmed(), key=lambda pair: pair.case)
    cases = []
    for at, pair in enumerate(confirmed):
        source.progress(STAGE, at, len(confirmed))
        cases.append(_collate_case(source, pair, texts=texts))
    source.progress(STAGE, len(confirmed), max(len(confirmed), 1))
    return tuple(cases)


def _collate_case(source: Source, pair: PairEntry, *, texts: bool = True) -> Case:
    """Set the two texts of a pair side by side, or list its changes alone."""
    result, wanted = source.result, source.wanted
    a, b = result.documents[pair.a], result.documents[pair.b]
    low, high = np.searchsorted(result.passages.pair, [pair.table_row, pair.table_row + 1])
    passages = result.passages.take(np.arange(low, high)) if pair.table_row >= 0 else _NO_PASSAGES
    first, second = (zones_left_out(result, wanted.exclusions, row) for row in (pair.a, pair.b))
    collation = collate(
        a,
        b,
        passages,
        source.measures.stretches_of(pair.table_row),
        masks=(source.hide(a.text), source.hide(b.text)),
        left_out=([zone[:2] for zone in first], [zone[:2] for zone in second]),
        reasons=(first, second),
        texts=texts,
        shown=0 if wanted.kind == "confirmed" else WHOLE,
        answers=answers_of(result, pair.a, pair.b),
    )
    return Case(pair, collation)


def _list_clusters(source: Source) -> Iterator[ClusterEntry]:
    """Yield the groups that the report shows: the one of its texts, or those of its pairs."""
    view, wanted, table = source.view, source.wanted, source.result.table
    of_pairs = {pair.cluster for pair in source.pairs}
    for index, cluster in enumerate(view.clusters):
        holds_all = set(cluster.members) >= set(wanted.rows)
        if not (holds_all if wanted.kind == "cluster" else index in of_pairs):
            continue
        inside = np.isin(table.pairs.left, cluster.members) & view.listed
        inside &= np.isin(table.pairs.right, cluster.members)
        links = [
            Link(
                int(table.pairs.left[row]),
                int(table.pairs.right[row]),
                float(max(table.coverage_a[row], table.coverage_b[row])),
                not bool(view.within[row]),
            )
            for row in np.flatnonzero(inside).tolist()
        ]
        links.sort(key=lambda link: -link.strength)
        members = tuple(int(row) for row in cluster.members)
        yield ClusterEntry(index, members, cluster.centre, tuple(links))


# --------------------------------------------------------------------------- the sources of a text
def describe_sources(source: Source) -> SourcesReport:
    """Gather the sources of one text, largest share first, and mark them in it."""
    result, measures = source.result, source.measures
    (row,) = source.wanted.rows
    document = result.documents[row]
    author = identify_author(document)
    ranked = sorted(
        (pair for pair in source.pairs if not pair.only_alike),
        key=lambda pair: (-pair.divisions[pair.a != row].total, pair.place),
    )
    sources, spans = [], []
    for place, pair in enumerate(ranked, 1):
        other = pair.b if pair.a == row else pair.a
        spans.append(measures.spans(measures.find(row, table_row=pair.table_row)))
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
    spans_shared = measures.spans(measures.find(row))
    groups = match_groups(document.text, spans_shared, measures.units_of(row))
    return SourcesReport(tuple(sources), groups, marked)


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


def match_groups(text: str, shared: Sequence[Span], units: Units) -> Mapping[str, tuple[int, int]]:
    """Return stretches and units of what a text shares, by `GROUPS`: quoted, cited, both, neither.

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
    return {code: (n, size) for code, (n, size) in counts.items()}


def _cut_spans(span: Span, ranges: Sequence[Span]) -> list[Span]:
    """Return what of some ranges lies in a span."""
    cut = [(max(span[0], start), min(span[1], end)) for start, end in ranges]
    return [(start, end) for start, end in cut if start < end]


# --------------------------------------------------------------------------- for parents
def describe_pupil(source: Source) -> PupilReport:
    """Gather what the confirmed cases of one text say; what is not decided is left out."""
    result, wanted, measures = source.result, source.wanted, source.measures
    (row,) = wanted.rows
    every = sorted(source.list_confirmed(), key=lambda pair: (pair.only_alike, pair.case))
    confirmed = [pair for pair in every if not pair.only_alike]
    sources = Counter(_name_source(result, row, pair) for pair in confirmed)
    shared = [
        span
        for pair in confirmed
        for span in measures.spans(measures.find(row, table_row=pair.table_row))
    ]
    left_out = Counter[str]()
    zones = zones_left_out(result, wanted.exclusions, row)
    for start, end, kind in zones:
        left_out[kind] += measures.units_of(row).count(start, end)
    hide = _hide_others(source, row)
    quote, cut = _quote(hide(result.documents[row].text), _find_longest(result, row, confirmed))
    hide_all = replace(hide, doubtful=True)
    return PupilReport(
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
def describe_class(source: Source) -> ClassReport:
    """Draw up the class: its members in the order of the class list, else in that of the texts.

    Texts of nobody stand for themselves; where the texts are no class (`Source.pupils`), so do all,
    and files.
    """
    result, wanted, texts, pupils = source.result, source.wanted, source.texts, source.pupils
    asked = [text for text in texts if not text.reference]
    unread, draw = result.unread, _draw_seats(source)
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
    return ClassReport(
        seats=tuple(seats),
        counted=sum(text.division.counted for text in asked),
        whole=sum(text.division.whole for text in asked),
        unit=unit_of_all(result),
        passages=source.headline.passages,
        held=_list_held(source),
        cases=_list_cases(source, texts=False),
    )


def _draw_seats(source: Source) -> Callable[[Sequence[int], str], Seat]:
    """Return what draws the seat of somebody by the rows of his texts, of several the highest."""
    same = apart_pairs(meanings_shown(source.result))
    alike = {row for one in same for row in (one.left, one.right)}
    confirmed, sharing = source.list_confirmed(), source.headline.sharing

    def draw(rows: Sequence[int], name: str) -> Seat:
        return Seat(
            name=name,
            rows=tuple(rows),
            state="read",
            division=max((source.texts[row].division for row in rows), key=lambda one: one.total),
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


#: what describes each kind
_DESCRIBED: Mapping[str, Callable[[Source], Shown]] = {
    "class": describe_class,
    "person": describe_pupil,
    "pair": describe_pair,
    "cluster": describe_cluster,
    "confirmed": describe_confirmed,
    "sources": describe_sources,
}
