"""One case as the component shows it, and the list of all: pairs of texts, passages of several."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from simhash_core import CheckResult
from simhash_core.cases import (
    ANSWERS,
    PassageCase,
    Use,
    beginning_of,
    guess_answer,
    list_uses,
    own_units,
)
from simhash_core.model import REASONS, Division, Stretches
from simhash_core.numbers import divide_pair, divide_rows
from simhash_core.people import Mask, build_hider
from simhash_core.result import TONES
from simhash_core.review import Case
from simhash_core.seen import answers_of, stretches_of
from simhash_core.text.lengths import unit_of

from ..components import pack_values
from ..components.texts import Alike, TwoTexts, find_tones, prepare, reader_words
from ..shared import exclusions, session
from ..shared.formatting import length, number, text_language
from ..shared.session import CurrentCheck, find_naming, t
from .state import HELD, SHOWN, AtDesk, DeskCase, desk, rest_of_group, same_words, state_of

MOST_TICKS = 200  # texts; of more a passage says how many hold it
BEGINNING = 60  # characters of a passage in the list
AROUND = {"characters": 13, "words": 28}  # characters before a passage and behind it
ENDS = {"characters": 8, "words": 20}  # of a passage at each end, where a line shows no more
_WORDS = (
    *("label", "cases", "results", "undo", "hide", "earlier", "further", "this_passage", "and"),
    *("confirmed", "no_problem", "later", "note", "next", "summary", "parts", "more_uses"),
    *("ask_alike", "asked", "not_asked", "uses", "guess", "class"),
)


# --------------------------------------------------------------------------- the list
def list_data(current: CurrentCheck, now: AtDesk) -> dict[str, Any]:
    """Return the part of the list around the open case, and the words around it.

    No decision changes it: the browser holds it, by its `digest`.
    """
    held, n = desk(), len(now.everything)
    first = held.first if held.first >= 0 else max(now.at, 0) // SHOWN * SHOWN
    shown = now.everything[first : first + SHOWN]
    look = (session.language(), session.hide_names(), session.threshold())

    def build() -> dict[str, Any]:
        passages = [one for one in shown if isinstance(one, PassageCase)]
        pairs = [one for one in shown if isinstance(one, Case)]
        asked, rows = _list_passages(current, passages), _list_pairs(current.result, pairs)
        listed = {
            "words": _find_words(),
            "groups": [
                {"title": t("review.questions", n=len(asked)), "rows": pack_values(asked),
                 "n": len(asked)},
                {"title": t("review.pairs", n=len(rows)), "rows": pack_values(rows),
                 "n": len(rows)},
            ],
            "first": first,
            "before": max(first - SHOWN, 0) if first else -1,
            "after": first + SHOWN if first + SHOWN < n else -1,
        }  # fmt: skip
        return {"digest": hashlib.sha256(repr(listed).encode()).hexdigest()[:16], **listed}

    return session.memo(("desk list", first, n, *(one.number for one in shown), *look), build)


def _find_words() -> dict[str, Any]:
    words: dict[str, Any] = {name: t(f"review.word.{name}") for name in _WORDS}
    words["reasons"] = {reason: t(f"review.reason.{reason}") for reason in REASONS}
    words["answers"] = {name: t(f"results.questions.{name}") for name in ANSWERS}
    marks = ("confirmed", "no_problem", "later", "undecided", "automatic")
    words["marks"] = {name: t(f"review.mark.{name}") for name in marks} | words["answers"]
    fields = {name: f"{{{name}}}" for name in ("number", "a", "b")}
    words["row"] = t("review.row", case=t("review.named", **fields), own="{facts}")
    words["row_passage"] = t("review.row_passage", number="{number}", facts="{facts}")
    return {**words, "reader": reader_words()}


def _list_passages(current: CurrentCheck, listed: Sequence[PassageCase]) -> list[dict[str, Any]]:
    result, rows = exclusions.find_original(current), []
    for one in listed:
        row, start, end = beginning_of(result, one.group, BEGINNING)
        text = result.documents[row].text
        words = " ".join(masks_of(result)(text).cut(start, end).split())
        rows.append(
            {
                "number": one.number,
                "words": f"{words}…" if end - start == BEGINNING else words,
                "lang": text_language(text),
                "facts": _held_facts(result, one),
            }
        )
    return rows


def _list_pairs(result: CheckResult, listed: Sequence[Case]) -> list[dict[str, Any]]:
    names = find_naming().stems
    return [
        {"number": one.number, "a": names[one.a], "b": names[one.b],
         "facts": format_own(result, one), "alike": bool(one.alike)}
        for one in listed
    ]  # fmt: skip


def _held_facts(result: CheckResult, one: PassageCase) -> str:
    unit = unit_of(result.documents[one.members[0]].text)
    facts = {"n": len(one.members), "of": len(result.documents), "length": length(one.units, unit)}
    return t("review.held", **facts)


def format_own(result: CheckResult, case: Case) -> str:
    """Return how much only the two texts of a pair hold; of the same meaning in how many places."""
    if case.alike:
        return t("review.alike")
    unit = unit_of(result.documents[case.a].text)
    return length(min(own_units(result, case.row)), unit)


def name_case(one: DeskCase) -> str:
    """Return what a case is called in a sentence."""
    if isinstance(one, PassageCase):
        return t("review.named_passage", number=one.number)
    names = find_naming()
    return t("review.named", number=one.number, a=names.short(one.a), b=names.short(one.b))


# --------------------------------------------------------------------------- a pair
def pair_data(result: CheckResult, case: Case) -> dict[str, Any]:
    """Return what is shown of an open pair; its texts only where the browser does not hold them."""
    names = find_naming()
    sheet = _lay(result, case)
    known = sheet["digest"] in desk().has
    decision = case.decision
    rest = rest_of_group(case) if decision and decision.verdict else []
    return {
        "number": case.number,
        "kind": "pair",
        "case": t("review.case", number=case.number),
        "title": t("review.two", a=names.stems[case.a], b=names.stems[case.b]),
        "facts": _pair_facts(result, case),
        "caution": t("compare.meaning.caution") if case.alike else "",
        "again": _again(case),
        "digest": sheet["digest"],
        "sheet": None if known else sheet,
        "state": case.state,
        "reason": decision.reason if decision else "",
        "note": decision.note if decision else "",
        "rest": t("review.rest", n=len(rest)) if rest else "",
    }


def _pair_facts(result: CheckResult, case: Case) -> list[str]:
    if case.alike:
        return [t("compare.meaning.places", n=case.alike)]
    unit = unit_of(result.documents[case.a].text)
    _, units = find_tones(result, case.a, case.b)
    own = length(min(own_units(result, case.row)), unit)
    longest = number(case.longest)
    facts = [t("review.fact.own" if units else "review.fact.shared", length=own, longest=longest)]
    for tone, n in zip(TONES[1:], units[1:], strict=True) if units else ():
        facts += [t(f"review.fact.{tone}", length=length(n, unit))] if n else []
    return facts


def _again(case: Case) -> str:
    """Say that an earlier decision was about another content, or that one decides several."""
    project, result = session.project(), session.result()
    if others := same_words(case):
        numbers = t("check.comma").join(str(one.number) for one in others)
        return t("review.same_words", n=len(others), numbers=numbers)
    if project is None or result is None or case.state != "undecided":
        return ""
    names = {result.documents[case.a].name, result.documents[case.b].name}
    for asked in project.asked_again():
        if set(asked.names) == names and asked.decision.verdict:
            return t("review.again", verdict=t(f"review.mark.{asked.decision.verdict}"))
    return ""


def _lay(result: CheckResult, case: Case) -> dict[str, Any]:
    """Lay a pair out, or take it from the latest ones."""
    held, key = desk().laid, (case.row, session.hide_names(), session.language())
    sheet = held.pop(key, None) or _lay_anew(result, case)
    held[key] = sheet
    while len(held) > HELD:
        held.pop(next(iter(held)))
    return sheet


def _lay_anew(result: CheckResult, case: Case) -> dict[str, Any]:
    low, high = np.searchsorted(result.passages.pair, [case.row, case.row + 1])
    seen, both = exclusions.view(), (result.documents[case.a], result.documents[case.b])
    if case.alike:
        stretches = Stretches.join(())
    elif seen is not None:
        stretches = seen.of_pair(case.a, case.b)
    else:
        stretches = stretches_of(result, case.row)
    passages = result.passages.take(np.arange(low, high))
    shown = TwoTexts(*both, passages, stretches, divisions(result, case))
    names, masks = find_naming().stems, masks_of(result)
    answers = tuple(answers_of(result, case.a, case.b)) if case.alike else ()
    return prepare(
        shown,
        (names[case.a], names[case.b]),
        alike=Alike(answers) if answers else None,
        masks=(masks(both[0].text), masks(both[1].text)),
        held=find_tones(result, case.a, case.b),
    )


def divisions(result: CheckResult, case: Case) -> tuple[Division, Division]:
    """Return both texts of a case by what they share; all own text of the same meaning alone."""
    return divide_rows(result, case.a, case.b) if case.alike else divide_pair(result, case.row)


def masks_of(result: CheckResult) -> Callable[[str], Mask]:
    """Return what may be shown of a text: without names while they are hidden."""
    if not session.hide_names():
        return Mask
    return session.memo(
        ("masks", session.language()),
        lambda: build_hider(result.documents, t, skipped=result.skipped),
    )


# --------------------------------------------------------------------------- a passage
def passage_data(
    result: CheckResult, one: PassageCase, *, most: int | None = None
) -> dict[str, Any]:
    """Return what is shown of a passage of several: itself, every use of it, what answers change.

    `result` is the check before anything was left out; `most` uses of a kind are shown.
    """
    uses = uses_of(result, one)
    widest = max(uses, key=lambda use: use.end - use.start)
    text, names = result.documents[widest.row].text, find_naming()
    size, n = length(one.units, unit_of(text)), len(uses)
    masks, decision = masks_of(result), one.decision
    guess, quoted = guess_answer(result, uses), sum(use.quoted for use in uses)
    drawn = (of := len(result.documents)) <= MOST_TICKS
    why = [t("review.why.quoted", n=quoted, of=n)]
    why += [t(f"review.why.{guess}")] if guess else [t("review.why.nothing")]
    return {
        "number": one.number,
        "kind": "passage",
        "case": t("review.case", number=one.number),
        "title": t("review.passage", n=n, of=of),
        "facts": [size],
        "words": " ".join(masks(text).cut(widest.start, widest.end).split()),
        "lang": text_language(text),
        "uses": [
            {
                "title": t(f"review.uses.{name}", n=len(some)),
                "rows": [
                    (names.stems[use.row], *_around(masks(result.documents[use.row].text), use))
                    for use in some[:most]
                ],
                "n": len(some),
            }
            for name, some in (("quoted", uses[:quoted]), ("plain", uses[quoted:]))
        ],
        "guess": guess,
        "why": why,
        "holders": "".join(str(int(row in one.members)) for row in range(of)) if drawn else "",
        "held": t("review.held_by", n=n, of=of),
        "effects": t("review.effects", length=size, n=n),
        "state": state_of(one),
        "note": decision.note if decision else "",
    }


def uses_of(result: CheckResult, one: PassageCase) -> list[Use]:
    """Return how each text uses a passage; `result` is the check before anything was left out."""
    held = session.memo(("uses",), dict[int, list[Use]])
    if one.group not in held:
        held[one.group] = list_uses(result, one.group)
    return held[one.group]


def _around(mask: Mask, use: Use) -> tuple[str, str, str]:
    """Return what stands before a passage, its ends, and what stands behind it, on one line."""
    start, end, size, unit = use.start, use.end, len(mask.text), unit_of(mask.text)
    ends, around = ENDS[unit], AROUND[unit]

    def cut(low: int, high: int) -> str:
        """Cut a range to whole words."""
        words = mask.cut(low, high)
        if low not in (0, start, end) and " " in words:
            words = words.split(" ", 1)[1]
        if high not in (start, end, size) and " " in words:
            words = words.rsplit(" ", 1)[0]
        return re.sub(r"\s+", " ", words)

    inside = [(start, end)]
    if end - start > 3 * ends:
        inside = [(start, start + ends), (end - ends, end)]
    before, after = cut(max(start - around, 0), start), cut(end, min(end + around, size))
    return before, " … ".join(cut(*part) for part in inside), after


# --------------------------------------------------------------------------- progress
_TICK = {"confirmed": "c", "no_problem": "n", "later": "l", "undecided": "u", "automatic": "a"}
_TICK |= {answer: str(place) for place, answer in enumerate(ANSWERS, 1)}


def tick_cases(everything: Sequence[DeskCase]) -> str:
    """Return the state of each case as one letter, of an answer as its figure."""
    return "".join(_TICK[state_of(one)] for one in everything)
