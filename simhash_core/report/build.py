"""From a checked batch to what a report says, and what an anonymous one replaces in its texts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial

import numpy as np

from ..cases import ends_of
from ..errors import BadInput
from ..i18n import Translate
from ..model import Passages, Progress, pair_key, text_id
from ..notation import letters
from ..numbers import divide_text, expected_pairs, likelihood, pairs_compared
from ..people.masking import Hider, Mask, Place, build_hider
from ..result import CheckResult, ThresholdView, apart_pairs, list_rows, meanings_shown
from ..review import cases as cases_of
from ..seen.exclusion_view import Excluder
from ..seen.headline import find_gaps, headline_of
from ..seen.meanings import Answer, answers_of, found_by, shared_words
from ..seen.on_page import confidence
from ..seen.stored import list_known
from ..seen.thresholds import expected_curve, view_at_threshold
from ..simhash.fingerprint import hamming
from ..text.lengths import unit_of
from .collation.sheet import WHOLE, collate
from .columns import PairFacts
from .content import (
    KINDS,
    AlikeEntry,
    AnswerEntry,
    Case,
    ClusterEntry,
    Course,
    Facts,
    Link,
    PairEntry,
    Person,
    Pupil,
    Report,
    Roll,
    TextEntry,
    Wanted,
)
from .names import name_texts, one_line, page_line
from .person import (
    Source,
    describe_class,
    describe_pupil,
    describe_sources,
    find_left_out,
    list_passages,
    measure_text,
    zones_left_out,
)

STAGE = "report"
FULL_CASES = frozenset({"pair", "confirmed"})  # kinds whose cases show both texts
OF_ONE_TEXT = ("person", "sources")  # kinds about one text and its pairs
EXCERPT = 400  # characters of a sentence in a table
_USUAL = (0.025, 0.975)
_AROUND = 12  # characters shown on each side of a place that is replaced
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
    source = Source(result, wanted, view, t, Mask, Mask, excluder)
    if wanted.anonymous:
        hide = hider_of(result, wanted, t)
        source = replace(source, hide=hide, hide_all=replace(hide, doubtful=True))
    listed = _list_pairs(source)
    pairs = [pair for pair in listed if _belongs(pair, wanted)]
    if kind == "pair" and not pairs:
        first, second = sorted(wanted.rows)
        pairs = [_build_pair(source, (first, second))]
    texts = _list_texts(source)
    pupils = bool(wanted.members)
    of_kind: Roll | Pupil | Person | None = None
    if kind in ("class", "person"):
        head = headline_of(result, view, wanted.passages or ())
        pupils = bool(wanted.members or head.pupils.n)
    if kind == "class":
        evident = sum(not pair.only_alike for pair in listed)
        of_kind = describe_class(source, texts, pairs, head, pupils=pupils, listed=evident)
    elif kind == "person":
        of_kind = describe_pupil(source, pairs)
    elif kind == "sources":
        of_kind = describe_sources(source, [one for one in pairs if not one.only_alike])
    every = {text.row for text in texts}
    if kind == "confirmed":
        every = {row for pair in pairs for row in (pair.a, pair.b)}
    report = Report(
        kind=kind,
        number="",
        title=source.hide_line(wanted.title),
        anonymous=wanted.anonymous,
        facts=_gather_facts(source),
        texts=texts,
        subject=wanted.rows or tuple(sorted(every)),
        pairs=tuple(pairs),
        left_out=find_left_out(result, wanted.exclusions, source.units),
        course=Course(
            group=source.hide_line(wanted.course.group),
            task=source.hide_line(wanted.course.task),
            teacher="" if wanted.anonymous else one_line(wanted.course.teacher),
        ),
        pupils=pupils,
        of_kind=of_kind,
        clusters=_list_clusters(source, pairs),
        cases=_list_cases(source, pairs, progress or (lambda stage, done, total: None)),
        alike=_alike(source, pairs),
        damage=wanted.damage,
        lost=wanted.lost if kind in ("class", "confirmed") else (),
        list_passages=cache(lambda: tuple(list_passages(source, pairs))),
    )
    return replace(report, number=_number_content(report, wanted))


def hider_of(result: CheckResult, wanted: Wanted, t: Translate) -> Hider:
    """Return what hides the persons of a check inside its texts."""
    return build_hider(
        result.documents,
        t,
        skipped=result.skipped,
        others=wanted.others,
        reviewers={decision.reviewer for decision in wanted.decisions.values()},
        overruled=wanted.overruled,
    )


def alias(row: int, t: Translate) -> str:
    """Return what a text is called while names are hidden: 第 037 篇, Text 037."""
    return t("report.alias", number=f"{row + 1:03d}")


def _require_rows(result: CheckResult, wanted: Wanted) -> None:
    sizes = {"pair": (2, 2), "cluster": (2, len(result.documents))}
    sizes |= dict.fromkeys(OF_ONE_TEXT, (1, 1))
    low, high = sizes.get(wanted.kind, (0, 0))
    inside = all(0 <= row < len(result.documents) for row in wanted.rows)
    distinct = len(set(wanted.rows)) == len(wanted.rows)
    if wanted.kind not in KINDS or not low <= len(wanted.rows) <= high or not (inside and distinct):
        raise BadInput("report_rows", kind=wanted.kind, n=len(wanted.rows))


def _belongs(pair: PairEntry, wanted: Wanted) -> bool:
    ends = {pair.a, pair.b}
    if wanted.kind == "class":
        return True
    if wanted.kind == "confirmed":
        return _verdict(pair) == "confirmed"
    if wanted.kind in OF_ONE_TEXT:
        return wanted.rows[0] in ends
    return ends <= set(wanted.rows)


def _verdict(pair: PairEntry) -> str:
    return pair.decision.verdict if pair.decision else ""


# --------------------------------------------------------------------------- texts and pairs
def _list_texts(source: Source) -> tuple[TextEntry, ...]:
    """Return every text with its numbers, under the names that are shown."""
    result, wanted, t = source.result, source.wanted, source.t
    hidden = wanted.anonymous
    naming = name_texts(result.documents, references=result.references, mark=t("frame.reference"))
    entries = []
    for row, document in enumerate(result.documents):
        meta = {} if hidden else document.meta
        entries.append(
            TextEntry(
                row=row,
                name=alias(row, t) if hidden else naming.stems[row],
                file="" if hidden else page_line(document, t) or one_line(document.name),
                title=one_line(meta.get("title", "")),
                author=one_line(meta.get("person") or meta.get("author", "")),
                class_name=one_line(meta.get("class_name", "")),
                group=one_line(meta.get("group", "")),
                id=document.id,
                encoding=document.encoding,
                reference=row >= result.checked,
                division=divide_text(result, row),
                ocr=confidence(document),
                measure=cache(partial(measure_text, source, row)),
            )
        )
    return tuple(entries)


def _list_pairs(source: Source) -> list[PairEntry]:
    """Return the pairs that are cases or were decided, strongest first.

    Of one text, a cluster or a pair also those that share what a few hold. A pair that is no case
    has the number 0. Cases keep the numbers that a project gave them.
    """
    result, wanted, view = source.result, source.wanted, source.view
    found = cases_of(result, view, wanted.decisions)
    cases = [
        replace(case, number=wanted.numbers.get(one.key, case.number))
        for case, one in zip(found, list_known(result, found), strict=True)
    ]
    numbers = {case.row: case.number for case in cases}
    rows = [
        row
        for row in list_rows(result, view).tolist()
        if row in numbers
        or wanted.kind == "pair"
        or (wanted.kind not in ("class", "confirmed") and result.table.own_or_few[row] > 0)
    ]
    places = {one[:2]: one.places for one in apart_pairs(meanings_shown(result))}
    group = view.cluster_of
    listed = [
        _build_pair(
            source,
            (a, b),
            row=row,
            place=place,
            case=numbers.get(row, 0),
            cluster=int(group[a]) if group[a] == group[b] else -1,
            alike=places.get((a, b), 0),
        )
        for place, (row, (a, b)) in enumerate(
            zip(rows, ends_of(result, np.array(rows, np.int64)), strict=True), 1
        )
    ]
    alone = [one for one in cases if one.alike]
    return [
        *listed,
        *(_build_pair(source, (one.a, one.b), case=one.number, alike=one.alike) for one in alone),
    ]


def _build_pair(
    source: Source,
    ends: tuple[int, int],
    *,
    row: int = -1,
    place: int = 0,
    case: int = 0,
    cluster: int = -1,
    alike: int = 0,
) -> PairEntry:
    """Return a pair; without a row of the pair table nothing but a wish or its meaning lists it."""
    result = source.result
    (a, b), facts, prints = ends, PairFacts(result, row, *ends), result.fingerprints
    distance = facts.distance
    decision = source.wanted.decisions.get(pair_key(*(result.documents[end].id for end in ends)))
    note = source.hide_all(decision.note).cut(0, len(decision.note)) if decision else ""
    if row < 0 and prints.valid[a] and prints.valid[b]:
        distance = int(hamming(prints.words[a], prints.words[b]))
    return PairEntry(
        place=place,
        case=case,
        table_row=row,
        a=a,
        b=b,
        divisions=facts.divisions,
        longest=facts.held("longest", 0),
        unit=unit_of(result.documents[a].text),
        passages=facts.held("passages", 0),
        distance=distance,
        chance=expected_pairs(result, row) if row >= 0 else None,
        likelihood=likelihood(result, row) if row >= 0 else None,
        decision=replace(decision, note=note) if decision else None,
        note=note,
        cluster=cluster,
        alike=alike,
    )


def _alike(source: Source, pairs: Sequence[PairEntry]) -> tuple[AlikeEntry, ...]:
    """Return what pairs of the report say in other words, sentence by sentence."""
    result, hide = source.result, source.hide_all
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


# --------------------------------------------------------------------------- cases
def _list_cases(source: Source, pairs: Sequence[PairEntry], step: Progress) -> tuple[Case, ...]:
    """Set the confirmed pairs side by side, or the one that a report is about."""
    kind = source.wanted.kind
    shown = [p for p in pairs if kind == "pair" or _verdict(p) == "confirmed"]
    shown = [] if kind in OF_ONE_TEXT else sorted(shown, key=lambda pair: pair.case)
    cases = []
    for at, pair in enumerate(shown):
        step(STAGE, at, len(shown))
        cases.append(_collate_case(source, pair))
    step(STAGE, len(shown), max(len(shown), 1))
    return tuple(cases)


def _collate_case(source: Source, pair: PairEntry) -> Case:
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
        texts=wanted.kind in FULL_CASES,
        shown=0 if wanted.kind == "confirmed" else WHOLE,
        answers=answers_of(result, pair.a, pair.b),
    )
    return Case(pair, collation)


# --------------------------------------------------------------------------- clusters, facts
def _list_clusters(source: Source, pairs: Sequence[PairEntry]) -> tuple[ClusterEntry, ...]:
    """Return the groups that the report shows: that of its texts, or those of its pairs."""
    view, wanted, table = source.view, source.wanted, source.result.table
    if wanted.kind not in ("cluster", "pair", "confirmed"):
        return ()
    of_pairs, chosen = {pair.cluster for pair in pairs}, []
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
        chosen.append(ClusterEntry(index, members, cluster.centre, tuple(links)))
    return tuple(chosen)


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
        report.anonymous,
        report.subject,
        [text.id for text in report.texts],
        report.facts.recipe,
        report.facts.threshold,
        report.left_out,
        [(pair.a, pair.b, pair.decision) for pair in report.pairs],
        report.course,
        *([(one.pair.a, one.pair.b, one.pair.alike) for one in report.alike]),
        *report.lost,
        *sorted(wanted.overruled),
    )
    digest = hashlib.sha256(repr(shown).encode()).hexdigest()[:8].upper()
    return f"{digest[:4]}-{digest[4:]}"


# --------------------------------------------------------------------------- what is replaced
@dataclass(frozen=True, slots=True)
class Replacement:
    """One place that names somebody, or may. What stands there is not always replaced."""

    place: Place
    row: int  # of the text, -1 for the title and for a note
    source: str  # "text" | "title" | "note"
    called: str  # what the report calls the text, the two of a note joined by "–"
    line: int  # from 1
    before: str
    after: str
    left: str  # what stands around it
    right: str
    sure: bool
    replaced: bool


def replacements(result: CheckResult, wanted: Wanted, t: Translate) -> list[Replacement]:
    """List the places in all texts that a report can quote, in its title and in its notes.

    File names are in no anonymous report: a text is called by its number.
    """
    hide = hider_of(result, wanted, t)
    hide_all = replace(hide, doubtful=True)
    typed = dict.fromkeys(map(one_line, (wanted.title, wanted.course.group, wanted.course.task)))
    listed = [one for text in typed for one in _list_replacements(text, hide_all, "title", -1, "")]
    for row in _find_quoted(result, wanted):
        listed += _list_replacements(result.documents[row].text, hide, "text", row, alias(row, t))
    for (a, b), note in _list_notes(result, wanted):
        both = f"{alias(a, t)} – {alias(b, t)}"
        listed += _list_replacements(note, hide_all, "note", -1, both)
    return listed


def _find_quoted(result: CheckResult, wanted: Wanted) -> list[int]:
    """Return the rows of the texts that can be quoted."""
    if wanted.kind in ("pair", "cluster"):
        return sorted(wanted.rows)
    ends = zip(result.table.pairs.left.tolist(), result.table.pairs.right.tolist(), strict=True)
    if wanted.kind in OF_ONE_TEXT:
        return sorted(
            {*wanted.rows, *(row for pair in ends if wanted.rows[0] in pair for row in pair)}
        )
    if wanted.kind == "class":
        return list(range(len(result.documents)))
    confirmed = {key for key, one in wanted.decisions.items() if one.verdict == "confirmed"}
    ids = [document.id for document in result.documents]
    chosen = (pair for pair in ends if pair_key(ids[pair[0]], ids[pair[1]]) in confirmed)
    return sorted({row for pair in chosen for row in pair})


def _list_notes(result: CheckResult, wanted: Wanted) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the notes on pairs, with their rows."""
    rows = {document.id: row for row, document in enumerate(result.documents)}
    about = set(wanted.rows)
    for (first, second), decision in wanted.decisions.items():
        if not decision.note or first not in rows or second not in rows:
            continue
        a, b = sorted((rows[first], rows[second]))
        if not about or about & {a, b}:
            yield (a, b), decision.note


def _list_replacements(
    text: str, hide: Hider, source: str, row: int, called: str
) -> Iterator[Replacement]:
    """Yield the places of one text."""
    id_ = text_id(text)
    for name in hide.ranges_in(text):
        start, end = name.start, name.end
        place = (id_, start)
        yield Replacement(
            place=place,
            row=row,
            source=source,
            called=called,
            line=text.count("\n", 0, start) + 1,
            before=one_line(text[start:end]),
            after=hide.labels[name.kind],
            left=one_line(text[max(start - _AROUND, 0) : start]),
            right=one_line(text[end : end + _AROUND]),
            sure=name.sure,
            replaced=hide.replaces(name, place),
        )
