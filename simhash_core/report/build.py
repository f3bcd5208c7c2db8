"""From a checked batch to what a report says."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import fields, replace

import numpy as np

from ..cases import beginning_of, ends_of, passage_cases
from ..errors import BadInput
from ..i18n import Translate
from ..model import Passages, Progress, pair_key
from ..notation import letters
from ..numbers import (
    expected_pairs,
    expected_translations,
    likelihood,
    pairs_compared,
)
from ..people.masking import Hider, Mask, build_hider
from ..result import (
    CheckResult,
    Cluster,
    ThresholdView,
    apart_pairs,
    listed_rows,
    meanings_shown,
)
from ..review import Case as NumberedCase
from ..review import cases as cases_of
from ..seen.exclusion_view import Excluder
from ..seen.headline import find_gaps, headline_of, sharing
from ..seen.meanings import Answer, answers_of, found_by, shared_words
from ..seen.on_page import confidence
from ..seen.stored import known
from ..seen.thresholds import at_threshold, expected_curve
from ..simhash.fingerprint import hamming
from ..text.lengths import unit_of
from ..translations.pairs import possible_translations
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
    HeldEntry,
    Link,
    PairEntry,
    Report,
    TextEntry,
    TranslationEntry,
    Wanted,
)
from .left_out import Measured, UnitsOf, left_out_of, measured, units_of, zones_left_out
from .names import called, one_line, page_line
from .person import indicators, passages_of, person_of, pupil_of, roll_of

Hide = Callable[[str], Mask]
STAGE = "report"
FULL_CASES = frozenset({"pair", "confirmed"})  # kinds whose cases show both texts
MOST_OF_HELD = 120  # characters of a passage in a list
OF_ONE_TEXT = ("person", "sources")  # kinds about one text and its pairs
_USUAL = (0.025, 0.975)


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
    _require(result, wanted)
    view = view or at_threshold(result, result.threshold)
    step = progress or (lambda stage, done, total: None)
    hide, hide_all = _hiding(result, wanted, t)
    units = units_of(result)
    pairs = _pairs(result, wanted, view, units, hide_all)
    chosen = [pair for pair in pairs if _belongs(pair, wanted)]
    if wanted.kind == "pair" and not chosen:
        first, second = sorted(wanted.rows)
        chosen = [_pair(result, wanted, (first, second), units, hide_all)]
    measures = measured(result, wanted.exclusions, units, excluder=excluder)
    texts = _texts(result, wanted, measures, t)
    kind = wanted.kind
    head = headline_of(result, view, wanted.passages or ())
    of_pupils = bool(wanted.members or head.pupils.n)
    shown = [p for p in chosen if kind == "pair" or _verdict(p) == "confirmed"]
    shown = [] if kind in OF_ONE_TEXT else sorted(shown, key=lambda pair: pair.case)
    cases = []
    for at, pair in enumerate(shown):
        step(STAGE, at, len(shown))
        cases.append(_case(result, wanted, pair, measures, hide))
    step(STAGE, len(shown), max(len(shown), 1))
    report = Report(
        kind=kind,
        number="",
        title=_hidden_line(wanted.title, hide_all),
        anonymous=wanted.anonymous,
        facts=_facts(result, wanted, view, hide_all),
        texts=texts,
        subject=_subject(wanted, chosen, len(texts)),
        pairs=tuple(chosen),
        listed=sum(not pair.only_alike for pair in pairs),
        clusters=_clusters(result, view, wanted, chosen),
        expected=float(view.expected_false_pairs),
        left_out=left_out_of(result, wanted.exclusions, units),
        cases=tuple(cases),
        passages=tuple(passages_of(result, chosen, units, hide)),
        person=person_of(
            result, wanted, [one for one in chosen if not one.only_alike], measures, hide
        )
        if kind == "sources"
        else None,
        roll=roll_of(
            result,
            wanted,
            texts,
            chosen,
            units,
            shares=sharing(result, view, wanted.passages or ()),
            passages=head.passages,
            of_pupils=of_pupils,
        )
        if kind == "class"
        else None,
        pupil=pupil_of(result, wanted, chosen, measures, t) if kind == "person" else None,
        course=_course(wanted, hide_all),
        pupils=of_pupils,
        translations=_translations(result, wanted),
        alike=_alike(result, chosen, hide_all),
        damage=wanted.damage,
        lost=wanted.lost if kind in ("class", "confirmed") else (),
        held=_list_held(result, wanted, hide) if kind == "class" else (),
    )
    return replace(report, number=_number(report, wanted))


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


def _hiding(result: CheckResult, wanted: Wanted, t: Translate) -> tuple[Hide, Hide]:
    """Return what hides names inside texts, and inside what reviewers write about them."""
    if not wanted.anonymous:
        return Mask, Mask
    inside = hider_of(result, wanted, t)
    return inside, replace(inside, doubtful=True)


def _hidden_line(text: str, hide: Hide) -> str:
    """Return what somebody typed on one line, names hidden in it."""
    line = one_line(text)
    return hide(line).cut(0, len(line))


def _course(wanted: Wanted, hide: Hide) -> Course:
    """Return where the texts come from; with names hidden without the teacher."""
    given = wanted.course
    return Course(
        group=_hidden_line(given.group, hide),
        task=_hidden_line(given.task, hide),
        teacher="" if wanted.anonymous else one_line(given.teacher),
    )


def alias(row: int, t: Translate) -> str:
    """Return what a text is called while names are hidden: 第 037 篇, Text 037."""
    return t("report.alias", number=f"{row + 1:03d}")


def _require(result: CheckResult, wanted: Wanted) -> None:
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


def _subject(wanted: Wanted, pairs: Sequence[PairEntry], n: int) -> tuple[int, ...]:
    if wanted.rows:
        return wanted.rows
    if wanted.kind == "confirmed":
        return tuple(sorted({row for pair in pairs for row in (pair.a, pair.b)}))
    return tuple(range(n))


# --------------------------------------------------------------------------- texts and pairs
def _texts(
    result: CheckResult, wanted: Wanted, measures: Measured, t: Translate
) -> tuple[TextEntry, ...]:
    """Return every text with its numbers, under the names that are shown."""
    naming = called(result.documents, references=result.references, mark=t("frame.reference"))
    first_reference = result.checked
    before = wanted.exclusions.before if wanted.exclusions else None
    entries = []
    for row, document in enumerate(result.documents):
        hidden, meta = wanted.anonymous, document.meta
        entries.append(
            TextEntry(
                row=row,
                name=alias(row, t) if hidden else naming.stems[row],
                file="" if hidden else page_line(document, t) or one_line(document.name),
                title="" if hidden else one_line(meta.get("title", "")),
                author="" if hidden else one_line(meta.get("person") or meta.get("author", "")),
                class_name="" if hidden else one_line(meta.get("class_name", "")),
                group="" if hidden else one_line(meta.get("group", "")),
                id=document.id,
                encoding=document.encoding,
                reference=row >= first_reference,
                indicators=indicators(result, row, measures, before=before),
                ocr=confidence(document),
            )
        )
    return tuple(entries)


def _pairs(
    result: CheckResult, wanted: Wanted, view: ThresholdView, units: UnitsOf, hide: Hide
) -> list[PairEntry]:
    """Return the pairs that are cases or were decided, strongest first.

    Of one text, a cluster or a pair also those that share what a few hold. A pair that is no case
    has the number 0.
    """
    cases = _numbered(result, wanted, cases_of(result, view, wanted.decisions))
    numbers = {case.row: case.number for case in cases}
    rows = [
        row
        for row in listed_rows(result, view).tolist()
        if row in numbers
        or wanted.kind == "pair"
        or (wanted.kind not in ("class", "confirmed") and result.table.own_or_few[row] > 0)
    ]
    places = {one[:2]: one.places for one in apart_pairs(meanings_shown(result))}
    listed, group = list[PairEntry](), view.cluster_of
    ends = ends_of(result, np.array(rows, np.int64))
    for place, (row, (a, b)) in enumerate(zip(rows, ends, strict=True), 1):
        cluster = int(group[a]) if group[a] == group[b] else -1
        known = {"row": row, "place": place, "case": numbers.get(row, 0), "cluster": cluster}
        pair = _pair(result, wanted, (a, b), units, hide, **known)
        listed.append(replace(pair, alike=places.get((a, b), 0)))
    alone = (
        (one, _pair(result, wanted, (one.a, one.b), units, hide, case=one.number))
        for one in cases
        if one.alike
    )
    return [*listed, *(replace(pair, alike=one.alike) for one, pair in alone)]


def _numbered(
    result: CheckResult, wanted: Wanted, listed: Sequence[NumberedCase]
) -> list[NumberedCase]:
    """Return cases under the numbers that a project gave them, where there is one."""
    keys = (one.key for one in known(result, listed))
    return [
        replace(case, number=wanted.numbers.get(key, case.number))
        for case, key in zip(listed, keys, strict=True)
    ]


def _pair(
    result: CheckResult,
    wanted: Wanted,
    ends: tuple[int, int],
    units: UnitsOf,
    hide: Hide,
    *,
    row: int = -1,
    place: int = 0,
    case: int = 0,
    cluster: int = -1,
) -> PairEntry:
    """Return a pair; without a row of the pair table nothing but a wish or its meaning lists it."""
    (a, b), facts, prints = ends, PairFacts(result, row, *ends), result.fingerprints
    distance = facts.distance
    decision = wanted.decisions.get(pair_key(*(result.documents[end].id for end in ends)))
    note = hide(decision.note).cut(0, len(decision.note)) if decision else ""
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
        unit=units(a).unit,
        passages=facts.held("passages", 0),
        distance=distance,
        chance=expected_pairs(result, row) if row >= 0 else None,
        likelihood=likelihood(result, row) if row >= 0 else None,
        decision=replace(decision, note=note) if decision else None,
        note=note,
        cluster=cluster,
    )


def _translations(result: CheckResult, wanted: Wanted) -> tuple[TranslationEntry, ...]:
    """Return the possible translations among the texts that the report is about."""
    if wanted.kind == "confirmed":
        return ()
    about = set(wanted.rows)
    enough = {"class": 0, "person": 1, "sources": 1}.get(wanted.kind, 2)
    means = found_by(result).pairs
    return tuple(
        TranslationEntry(
            one.left,
            one.right,
            one.places,
            means[one.left, one.right],
            expected_translations(result, one.chance),
        )
        for one in possible_translations(result)
        if len(about & {one.left, one.right}) >= enough
    )


EXCERPT = 400  # characters of a sentence in a table


def _alike(result: CheckResult, pairs: Sequence[PairEntry], hide: Hide) -> tuple[AlikeEntry, ...]:
    """Return what pairs of the report say in other words, sentence by sentence."""
    meanings = meanings_shown(result)
    if meanings is None or not any(pair.alike for pair in pairs):
        return ()
    words, highest = shared_words(result), meanings.highest

    def entry(pair: PairEntry, place: int, one: Answer) -> AnswerEntry:
        texts = result.documents[pair.a].text, result.documents[pair.b].text
        sentences = [text[slice(*span)] for text, span in zip(texts, (one.a, one.b), strict=True)]
        # names hidden in the whole text: a part of one inside a sentence is one there
        shown = [
            " ".join(hide(text).cut(span[0], min(span[1], span[0] + EXCERPT)).split())
            for text, span in zip(texts, (one.a, one.b), strict=True)
        ]
        answering = (hide(word).cut(0, len(word)) for word in words(*sentences).all)
        rated = highest is not None
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
        )
        for pair in pairs
        if pair.alike
    )


# --------------------------------------------------------------------------- cases
def _list_held(result: CheckResult, wanted: Wanted, hide: Hide) -> tuple[HeldEntry, ...]:
    """Return what several texts hold, as it was before anything was left out."""
    before = wanted.exclusions.before if wanted.exclusions else result
    listed = passage_cases(before) if wanted.passages is None else wanted.passages
    entries = []
    for one in listed:
        row, start, end = beginning_of(before, one.group, MOST_OF_HELD)
        text = before.documents[row].text
        shown = hide(text).cut(start, end)
        more = "…" if end - start == MOST_OF_HELD else ""
        entries.append(
            HeldEntry(
                one.number,
                one.members,
                one.units,
                unit_of(text),
                one.answer,
                one.automatic and one.decision is None,
                " ".join(shown.split()) + more,
            )
        )
    return tuple(entries)


def _case(
    result: CheckResult, wanted: Wanted, pair: PairEntry, measures: Measured, hide: Hide
) -> Case:
    a, b = result.documents[pair.a], result.documents[pair.b]
    low, high = np.searchsorted(result.passages.pair, [pair.table_row, pair.table_row + 1])
    passages = result.passages.take(np.arange(low, high)) if pair.table_row >= 0 else NO_PASSAGES
    first, second = (zones_left_out(result, wanted.exclusions, row) for row in (pair.a, pair.b))
    collation = collate(
        a,
        b,
        passages,
        measures.stretches_of(pair.table_row),
        masks=(hide(a.text), hide(b.text)),
        left_out=([zone[:2] for zone in first], [zone[:2] for zone in second]),
        reasons=(first, second),
        texts=wanted.kind in FULL_CASES,
        shown=0 if wanted.kind == "confirmed" else WHOLE,
        answers=answers_of(result, pair.a, pair.b),
    )
    return Case(pair, collation)


NO_PASSAGES = Passages.join(())


# --------------------------------------------------------------------------- clusters, facts
def _clusters(
    result: CheckResult, view: ThresholdView, wanted: Wanted, pairs: Sequence[PairEntry]
) -> tuple[ClusterEntry, ...]:
    """Return the groups that the report shows."""
    chosen = []
    for index, cluster in enumerate(view.clusters):
        if wanted.kind in OF_ONE_TEXT and wanted.rows[0] not in cluster.members:
            continue
        if wanted.kind == "cluster" and not set(cluster.members) >= set(wanted.rows):
            continue
        if wanted.kind in ("pair", "confirmed") and index not in {p.cluster for p in pairs}:
            continue
        chosen.append(_cluster(result, view, index, cluster))
    return tuple(chosen)


def _cluster(
    result: CheckResult, view: ThresholdView, index: int, cluster: Cluster
) -> ClusterEntry:
    table, members = result.table, np.asarray(cluster.members)
    inside = np.isin(table.pairs.left, members) & np.isin(table.pairs.right, members) & view.listed
    links = [
        Link(
            int(table.pairs.left[row]),
            int(table.pairs.right[row]),
            float(max(table.coverage_a[row], table.coverage_b[row])),
            not bool(view.within[row]),
        )
        for row in np.flatnonzero(inside).tolist()
    ]
    return ClusterEntry(
        index=index,
        members=tuple(int(row) for row in cluster.members),
        centre=cluster.centre,
        links=tuple(sorted(links, key=lambda link: -link.strength)),
    )


def _facts(result: CheckResult, wanted: Wanted, view: ThresholdView, hide: Hide) -> Facts:
    settings = result.settings
    return Facts(
        made=wanted.made,
        checked=wanted.checked,
        version=result.version,
        recipe=result.fingerprints.recipe,
        bits=settings.bits,
        threshold=view.threshold,
        settings=tuple(
            (spec.name, _hidden_in(getattr(settings, spec.name), hide)) for spec in fields(settings)
        ),
        documents=len(result.documents),
        references=result.references,
        pairs=pairs_compared(result),
        guarantees=tuple((fact.code, fact.params) for fact in result.guarantees),
        skipped=tuple(
            ("…", row.code, {name: _nameless(value) for name, value in row.params.items()})
            if wanted.anonymous
            else (one_line(row.name), row.code, row.params)
            for row in result.skipped
        ),
        unread=len(result.unread),
        gaps=tuple(find_gaps(result)),
        usual=_usual(result),
    )


def _hidden_in(value: object, hide: Hide) -> object:
    """Return a setting with the names hidden in it: a dictionary of the user can hold some."""
    if isinstance(value, str):
        return hide(value).cut(0, len(value))
    return tuple(_hidden_in(one, hide) for one in value) if isinstance(value, tuple) else value


def _nameless(value: object) -> object:
    """Return a figure as it is: words about a file that was not read can hold its name."""
    return value if isinstance(value, int | float) else "…"


def _usual(result: CheckResult) -> tuple[int, int] | None:
    """Return between which distances 95 of 100 unrelated pairs of this batch are expected."""
    curve = expected_curve(result)
    total = float(curve.sum())
    if not np.isfinite(total) or total <= 0:
        return None
    low, high = np.searchsorted(np.cumsum(curve) / total, _USUAL)
    return int(low), int(high)


def _number(report: Report, wanted: Wanted) -> str:
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
        *([(one.a, one.b) for one in report.translations]),
        *([(one.pair.a, one.pair.b, one.pair.alike) for one in report.alike]),
        *report.lost,
        *sorted(wanted.overruled),
    )
    digest = hashlib.sha256(repr(shown).encode()).hexdigest()[:8].upper()
    return f"{digest[:4]}-{digest[4:]}"
