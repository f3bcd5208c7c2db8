"""What the two short reports say: the page for parents, and that for the head of department."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from ..i18n import in_chinese
from ..model import Division
from ..numbers import has_few_counted
from .blocks import Answer, Spans
from .collation.sheet import Entry
from .content import Case, ClassReport, HeldEntry, PairEntry, PupilReport, Seat
from .names import one_line
from .words import Words

MOST_SEATS = 50  # in the picture of a class: a page holds no more beside the rest
MOST_ROWS = 20  # cases in a list; the rest is in the appendix
_NAMED = 6  # of those who hold a passage
_MOST_NOTE = 160  # characters of a note in a list; the appendix has the whole
_MOST_CHANGE = 12  # characters of each side of a change that is named in a list
_CHANGES = 2  # changes that are named
_MOST_RANGES = 6  # of paragraphs that are listed
_TOGETHER = 2  # cases without a problem, for one reason, up to which each has a row of its own
_BOLD, _PLAIN = "\ue000", "\ue001"  # around what is bold in a sentence


def make_bold(value: str) -> str:
    """Return a value that is bold in the sentence it is put into; see `spans`."""
    return f"{_BOLD}{value}{_PLAIN}"


def spans(sentence: str) -> Spans:
    """Return a sentence in runs of plain and of bold text.

    >>> spans(f"In all {make_bold('9 cases')}.")
    [('In all ', False), ('9 cases', True), ('.', False)]
    """
    parts = re.split(f"{_BOLD}(.*?){_PLAIN}", sentence)
    return [(part, at % 2 == 1) for at, part in enumerate(parts) if part]


# --------------------------------------------------------------------------- for parents
def said_of_pupil(words: Words, one: PupilReport) -> Spans:
    """Return the sentence that holds the answer."""
    t = words.t
    whose = "pupils" if words.report.cover.pupils else "texts"
    whose += "_few" if has_few_counted(one.division) else ""
    more = t("report.pupil.alike", n=one.places) if one.places else ""
    if not one.cases:
        none = t(f"report.pupil.none.{whose.removesuffix('_few')}")
        return spans(words.join_sentences([none, more]))
    division = one.division
    sources = [
        t(f"report.pupil.source.{kind}.{'one' if n == 1 else 'many'}", n=n)
        for kind, n in one.sources
    ]
    sentence = t(
        f"report.pupil.said.{whose}",
        n=division.shared,
        shared=make_bold(words.length(division.shared, division.unit)),
        sources=t("report.and_join").join(sources),
        share=words.write.total(division),
        counted=words.length(division.counted, division.unit),
    )
    return spans(words.join_sentences([sentence, more]))


def say_what(words: Words, one: PupilReport) -> str:
    """Return how many passages there are and how long the longest run is, or what chance says."""
    t = words.t
    if not one.cases:
        return t("report.what.alike", n=one.places)
    longest = max(one.cases, key=lambda pair: pair.longest)
    likely = words.write.likelihood(longest.likelihood)
    if not likely and longest.longest:
        length = words.length(longest.longest, longest.unit)
        likely = t("report.pupil.longest", length=length)
    return words.join_sentences(
        [t("report.pupil.passages", n=sum(p.passages for p in one.cases)), likely]
    )


def say_where(words: Words, one: PupilReport) -> str:
    """Return which paragraphs share something, and what was not counted."""
    t = words.t
    ranges = _ranges(one.paragraphs)
    listed = [
        t(f"report.pupil.paragraph{'s' if high > low else ''}", low=low, high=high)
        for low, high in ranges
    ]
    places = t("report.pupil.where", paragraphs=words.join(listed)) if listed else ""
    if len(ranges) > _MOST_RANGES:
        places = t("report.pupil.where_many", n=len(one.paragraphs))
    return words.join_sentences([places, left_out_of_text(words, one.left_out, one.division)])


def left_out_of_text(words: Words, kinds: Sequence[tuple[str, int]], division: Division) -> str:
    """Return what of a text does not count, "" where all of it does."""
    if not kinds:
        return ""
    names = words.join([words.t(f"report.left_out.{kind}") for kind, _ in kinds])
    length = words.length(division.left_out, division.unit)
    return words.t("report.pupil.left_out", kinds=names, length=length)


def quotation(words: Words, one: PupilReport) -> str:
    """Return the quotation in its marks, "" where there is none."""
    if not one.quote:
        return ""
    dots = ("……" if in_chinese(words.language) else "…") if one.cut else ""
    return f"“{one.quote}{dots}”"


def rows_of_pupil(words: Words, one: PupilReport) -> list[tuple[str, list[Answer]]]:
    """Return what, where, decision and note; without a confirmed case only what does not count."""
    t = words.t
    rows: list[tuple[str, list[Answer]]] = []
    every = (*one.cases, *one.alike)

    def of_case(pair: PairEntry, said: str) -> str:
        return t("report.of_case", case=pair.case, said=said) if len(every) > 1 else said

    if every:
        place, quote = say_where(words, one), quotation(words, one)
        noted = [
            Answer("note", of_case(pair, note))
            for pair, note in zip(every, one.notes, strict=True)
            if note
        ]
        verdicts = [
            Answer("verdict", of_case(pair, words.verdict(pair)), words.decided_by(pair), pair)
            for pair in every
        ]
        rows = [
            ("what", [Answer("line", say_what(words, one))]),
            ("where", [*[Answer("line", place)] * bool(place),
                       *[Answer("quote", quote)] * bool(quote)]),
            ("decision", verdicts),
            ("note", noted or [Answer("line", t("report.decision.no_note"))]),
        ]  # fmt: skip
    elif one.left_out:
        said = left_out_of_text(words, one.left_out, one.division)
        rows = [("where", [Answer("line", said)])]
    return [(t(f"report.pupil.row.{code}"), lines) for code, lines in rows if lines]


def _ranges(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return rising numbers as ranges: 1 3 4 5 is 1-1 and 3-5."""
    ranges = []
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        ranges.append((run[0], run[-1]))
    return ranges


# --------------------------------------------------------------------------- for the head
def tell_members(words: Words) -> str:
    """Return whether members are persons or texts."""
    return "pupils" if words.report.cover.pupils else "texts"


def sentence_of_class(words: Words, held: ClassReport) -> Spans:
    """Return the sentence that holds the answer: what was read, found and decided."""
    t, whose = words.t, tell_members(words)
    n, read = len(held.members), held.count("read")
    parts = [t(f"report.roll.{'all_read' if n == read else 'read'}.{whose}", n=n, read=read)]
    over, only = (sum(getattr(seat, kind) for seat in held.members) for kind in ("shares", "weak"))
    code = "overlap_and_alike" if over and only else "overlap" if over else "only_alike"
    share = t(f"report.roll.{code}.{whose}", n=over or only, alike=only)
    parts.append(share if over or only else t("report.roll.nothing"))
    if held.passages:
        parts.append(t("results.headline.passages", n=held.passages))
    if held.nameless:
        found = sum(seat.shares for seat in held.nameless)
        parts.append(t("results.headline.nameless", n=len(held.nameless), found=found))
    return spans(words.join_sentences([*parts, _decided(words, held)]))


def _decided(words: Words, held: ClassReport) -> str:
    """Return what was decided, "" where there is nothing to decide."""
    report, t = words.report, words.t
    confirmed, clear = len(report.decided("confirmed")), len(report.decided("no_problem"))
    if not confirmed and not clear:
        return t("report.roll.undecided") if report.pairs else ""
    if not confirmed:
        return t("report.roll.clear", n=clear)
    persons = t(f"report.roll.persons.{tell_members(words)}", n=held.confirmed)
    what = make_bold(t("report.roll.cases", n=confirmed, persons=persons))
    if not clear:
        return t("report.roll.confirmed", cases=what)
    return t("report.roll.confirmed_and", cases=what, n=clear)


def figures(words: Words, held: ClassReport) -> list[tuple[str, str, str]]:
    """Return the four numbers: label, value, note."""
    report, t, whose = words.report, words.t, tell_members(words)
    missing = [
        t(f"report.roll.{state}_n", n=held.count(state))
        for state in ("unread", "missing")
        if held.count(state)
    ]
    beside = t("report.roll.beside", n=report.facts.references) if report.facts.references else ""
    compared = t("report.strip.compared", n=report.facts.pairs)
    alike = sum(one.pair.only_alike for one in report.alike)
    extra = t("report.roll.alike", n=alike) if alike else compared
    counts = (len(report.decided("confirmed")), len(report.decided("no_problem")))
    open_ = len(report.waiting)
    state = t("report.roll.open", n=open_) if open_ else t("report.roll.all_decided")
    return [
        (
            t(f"report.roll.handed_in.{whose}"),
            t(f"report.roll.count.{whose}", n=held.count("read")),
            beside or " · ".join(missing),
        ),
        (
            t("report.roll.counted"),
            words.length(held.counted, held.unit),
            t("report.indicator.of_whole", length=words.length(held.whole, held.unit)),
        ),
        (t("report.roll.pairs"), words.n(len(report.overlapping)), extra),
        (
            t("report.roll.decided"),
            " · ".join(map(words.n, counts)),
            state if report.pairs else t("report.roll.nothing_to_decide"),
        ),
    ]


def seats(listed: Sequence[Seat]) -> list[Seat]:
    """Return the members that are drawn; of a large class those who overlap most."""
    share = {at: seat.division.total if seat.division else 0.0 for at, seat in enumerate(listed)}
    first = sorted(share, key=lambda at: (not listed[at].cases, -share[at]))[:MOST_SEATS]
    return [listed[at] for at in sorted(first)]


def say_below(words: Words, seat: Seat) -> str:
    """Return what stands below a name: the cases, or why there is no text."""
    if seat.state == "unread":
        reasons = {name: name for name in ("encrypted", "empty", "damaged", "scanned")}
        reasons["needs_ocr"] = reasons["nothing_recognised"] = "scanned"
        return words.t(f"report.roll.reason.{reasons.get(seat.reason, 'other')}")
    if seat.state == "missing":
        return words.t("report.roll.missing")
    if not seat.cases:
        return ""
    return words.t("report.roll.in_cases", cases=words.join(list(map(str, seat.cases))))


def weak_mark(words: Words, seat: Seat) -> str:
    """Return the sign of a member with nothing but weaker evidence, "" for any other."""
    return words.t("report.roll.alike_mark") if seat.weak else ""


def keys(words: Words, held: ClassReport) -> list[str]:
    """Return what the signs of the picture mean, beyond the kinds of overlap."""
    t = words.t
    parts = [
        t(f"report.roll.key.{state}", n=held.count(state))
        for state in ("unread", "missing")
        if held.count(state)
    ]
    if any(seat.alike for seat in held.seats):
        parts.insert(0, t("report.roll.key.alike"))
    return [*parts, t("report.roll.key.bold")] if held.confirmed else parts


def limits(words: Words) -> str:
    """Return what was compared, and that numbers are no verdict."""
    report, t = words.report, words.t
    read = report.facts.documents - report.facts.references
    code = "limits_beside" if report.facts.references else "limits"
    scope = t(f"report.roll.{code}.{tell_members(words)}", n=read, beside=report.facts.references)
    return words.join_sentences([scope, *words.gaps()])


def explain_reading(words: Words) -> str:
    """Return the small print of the second page."""
    facts, t = words.report.facts, words.t
    licences = [
        t(f"guarantee.{code}", **params) for code, params in facts.guarantees if "licence" in params
    ]
    parts = [
        t("report.roll.how.shares"),
        *((t("report.roll.how.alike"), *licences) if words.report.alike else ()),
        t("report.roll.how.appendix"),
        t("report.roll.how.version", version=facts.version, recipe=facts.recipe[:8]),
    ]
    return words.join_sentences(parts)


def say_changed(words: Words, case: Case) -> str:
    """Return in one or two short sentences what a case shares and what was changed in it."""
    pair, t = case.pair, words.t
    if pair.only_alike:
        return t("report.what.alike", n=pair.alike)
    first = pair.divisions[0]
    longest = words.length(pair.longest, pair.unit)
    code = "reworded" if not pair.longest else "some"
    if first.identical and first.identical == first.shared:
        code = "identical"
    parts = [t(f"report.what.{code}", n=pair.passages, longest=longest)]
    if case.collation.moved:
        parts.append(t("report.case.moved", n=case.collation.moved))
    both = [
        change
        for entry in case.collation.entries
        for change in entry.changes
        if change.left and change.right
        and max(len(change.left), len(change.right)) <= _MOST_CHANGE
    ]  # fmt: skip
    both.sort(key=lambda change: -min(len(change.left), len(change.right)))
    if both:
        named = dict.fromkeys(t("report.case.change", a=one.left, b=one.right) for one in both)
        parts.append(t("report.what.changes", changes=words.join(list(named)[:_CHANGES])))
    return words.join_sentences(parts)


def say_answered(words: Words, case: Case, entry: Entry) -> str:
    """Return what the apparatus says of sentences of the same meaning: how close, and which words.

    Nothing of how close where too few unrelated sentences stand beside them.
    """
    held, t = words.report.alike_of(case.pair), words.t
    one = next((one for one in held.answers if one.letter == entry.number), None) if held else None
    parts = [t("report.apparatus.not_counted")]
    if held is not None and one is not None:
        if one.closeness is not None and held.unrelated is not None:
            close, highest = f"{one.closeness:.2f}", f"{held.unrelated:.2f}"
            parts.insert(0, t("compare.meaning.closeness", closeness=close, highest=highest))
        if one.words:
            parts.append(t("report.apparatus.both_have", words=words.join(one.words)))
    return t("compare.meaning.then").join(parts)


def said_of_passage(words: Words, one: HeldEntry) -> tuple[str, str]:
    """Return who holds a passage, and how long it is with what was answered."""
    t = words.t
    names = words.join([words.name(row) for row in one.rows[:_NAMED]])
    more = len(one.rows) - _NAMED
    if more > 0:
        names = t("report.held.more", n=more, names=names)
    answer = t(f"results.questions.{one.answer}") if one.answer else t("report.held.open")
    if one.automatic:
        answer = t("report.held.automatic", answer=answer)
    length = words.length(one.units, one.unit)
    return t("report.held.who", n=len(one.rows), names=names), f"{length} · {answer}"


def note(pair: PairEntry) -> str:
    """Return a note for a list."""
    whole = one_line(pair.note)
    return whole if len(whole) <= _MOST_NOTE else f"{whole[: _MOST_NOTE - 1]}…"


def list_cleared(words: Words) -> list[tuple[str, str, str]]:
    """Return the cases without a problem, those with one reason together: numbers, names, why."""
    by_reason: dict[str, list[PairEntry]] = {}
    for pair in words.report.decided("no_problem"):
        reason = pair.decision.reason if pair.decision else ""
        by_reason.setdefault(reason, []).append(pair)
    rows = []
    for reason, pairs in by_reason.items():
        groups = [[pair] for pair in pairs] if len(pairs) <= _TOGETHER else [pairs]
        rows += [_cleared(words, reason, group) for group in groups]
    return rows


def _cleared(words: Words, reason: str, pairs: Sequence[PairEntry]) -> tuple[str, str, str]:
    t, lengths = words.t, sorted(pair.longest for pair in pairs)
    numbers = [f"{low}–{high}" if high > low else str(low)
               for low, high in _ranges(sorted(pair.case for pair in pairs))]  # fmt: skip
    names = " · ".join(words.names(pairs[0]))
    if len(pairs) > 1:
        names = t("report.cleared.cases", n=len(pairs))
    longest = words.length(lengths[-1], pairs[0].unit)
    code = "same" if lengths[0] == lengths[-1] else "between"
    lengths_said = (
        t(f"report.cleared.{code}", low=lengths[0], longest=longest) if lengths[-1] else ""
    )
    why = t(f"review.reason.{reason}") if reason else t("report.cleared.no_reason")
    sentence = t("report.cleared.said", reason=why, found=lengths_said) if lengths_said else why
    return words.join(numbers), names, sentence
