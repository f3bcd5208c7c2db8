"""One case as the component shows it: its numbers, both texts, the decision."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any, TypeVar

import numpy as np
import streamlit as st

from simhash_core import CheckResult
from simhash_core.i18n import Translate, translator
from simhash_core.model import Division, Stretches
from simhash_core.notation import UNKNOWN
from simhash_core.numbers import SHARED_CLASSES, divide_pair, divide_rows, has_few_counted
from simhash_core.people import Mask, build_hider
from simhash_core.report.collation.folding import Fold, Line, Part, left_out_ranges
from simhash_core.report.collation.reading import Run, find_left_out, paragraphs
from simhash_core.report.collation.sheet import collate
from simhash_core.review import DECIDED, STATES, Case, remaining_seconds
from simhash_core.seen import answers_of, stretches_of
from simhash_core.text.lengths import Unit, count_units, unit_of

from ..shared import exclusions, session
from ..shared.formatting import cluster_name, length, notation, seconds, text_language
from ..shared.session import find_naming, t
from .state import AtDesk, choose_cases, desk, next_cases, rest_of_cluster


def case_data(result: CheckResult, now: AtDesk) -> dict[str, Any] | None:
    """Return what is shown of the open case, None where the list is empty."""
    case = now.open
    if case is None:
        return None
    blind = session.hide_names()
    texts = take_case(desk().laid, _key(case), _setter(result, case))
    decision = case.decision
    first = divisions(result, case)[0]
    return {
        "row": case.row,
        "key": f"{case.key[0][:16]}-{case.key[1][:16]}",
        "digest": f"{case.row}-{blind}-{session.language()}",
        "title": t("review.case", number=case.number),
        "said": speak_case(result, case),
        "state_label": t(f"review.mark.{case.state}"),
        "place": _place(now, case),
        **shares(result, case),
        "alike": _alike(case),
        "facts": (
            [(t("compare.view.meaning"), t("compare.meaning.places", n=case.alike))]
            if case.alike
            else [
                (t("review.fact.longest"), format_longest(result, case)),
                (t("review.fact.passages"), t("review.places", n=case.passages)),
            ]
        ),
        "again": _again(case) or _same_words(now, case),
        "sides": [_side(result, case, at) for at in (0, 1)],
        "lines": texts.lines,
        "longest": texts.longest,
        "legend": [
            {"kind": kind, "label": t(f"compare.kind.{kind}"), "total": _kind_total(first, kind, n)}
            for kind, n, _ in texts.kinds
        ],
        "nothing": "",
        "verdict": decision.verdict if decision else "",
        "reason": decision.reason if decision else "",
        "note": decision.note if decision else "",
        "cluster": _cluster(now, case),
    }


def _place(now: AtDesk, case: Case) -> str:
    pairs = sum(one.cluster == case.cluster for one in now.everything)
    if case.cluster < 0 or pairs < 2:
        return ""
    return t("review.one_of", cluster=cluster_name(case.cluster), n=pairs)


def _alike(case: Case) -> dict[str, str] | None:
    """Return what a case of the same meaning alone says first, None of any other."""
    if not case.alike:
        return None
    return {
        "mark": t("review.alike"),
        "lead": t("compare.meaning.lead"),
        "caution": t("compare.meaning.caution"),
    }


def _again(case: Case) -> str:
    """Say that an earlier decision was about another content of these texts."""
    project = session.project()
    if project is None or case.state != "undecided":
        return ""
    result = session.result()
    assert result is not None
    names = {result.documents[case.a].name, result.documents[case.b].name}
    for asked in project.asked_again():
        if set(asked.names) == names and asked.decision.verdict:
            verdict = t(f"review.mark.{asked.decision.verdict}")
            return t("review.again", verdict=verdict)
    return ""


def _same_words(now: AtDesk, case: Case) -> str:
    """Say that other files hold the same texts, so that one decision is about several cases."""
    others = [one for one in choose_cases(now.everything, [case.key]) if one.row != case.row]
    if not others:
        return ""
    numbers = t("check.comma").join(str(one.number) for one in others)
    return t("review.same_words", n=len(others), numbers=numbers)


def _cluster(now: AtDesk, case: Case) -> dict[str, Any] | None:
    rest = rest_of_cluster(now.everything, case)
    if case.cluster < 0 or not rest:
        return None
    few = sum(one.overlap < 0.4 for one in rest)
    sentence = (
        t("review.whole", cluster=cluster_name(case.cluster), n=len(rest), few=few)
        if few
        else t("review.whole_all", cluster=cluster_name(case.cluster), n=len(rest))
    )
    return {"index": case.cluster, "rest": len(rest), "sentence": sentence}


def _side(result: CheckResult, case: Case, at: int) -> dict[str, str]:
    row, division = (case.a, case.b)[at], divisions(result, case)[at]
    document, name = result.documents[row], session.find_naming().stems[row]
    other = t(f"compare.side.{'ba'[at]}")
    write = notation()
    counted, share = write.counted(division), write.total(division)
    facts = t("review.side", length=counted, share=share, other=other)
    return {
        "letter": t(f"compare.side.{'ab'[at]}"),
        "title": name,
        "sub": " · ".join(filter(None, (session.doc_line(row), facts))),
        "lang": text_language(document.text),
    }


# --------------------------------------------------------------------------- both texts
@dataclass(frozen=True, slots=True)
class Laid:
    """Both texts of a case as the component draws them, and (kind, passages, units) of kinds."""

    lines: list[dict[str, Any]]
    kinds: list[tuple[str, int, int]]
    longest: str  # number of the longest passage, where a case opens


def prepare_next(result: CheckResult, now: AtDesk) -> None:
    """Set the cases that the next key can open while this one is read."""
    for case in next_cases(now):
        prepare(desk().laid, _key(case), _setter(result, case))


def _key(case: Case) -> tuple[int, bool, str]:
    return case.row, session.hide_names(), session.language()


def _setter(result: CheckResult, case: Case) -> Callable[[], Laid]:
    """Return what sets a case, with everything of the page that it needs."""
    masks = masks_of(result)
    seen = exclusions.view()
    if seen is not None:
        shared = partial(seen.of_pair, case.a, case.b)
    elif case.alike:
        shared = partial(Stretches.join, ())
    else:
        shared = partial(stretches_of, result, case.row)
    tags = [exclusions.reasons(result.documents[row]) for row in (case.a, case.b)]
    return partial(_laid, result, case, masks, shared, tags, translator(session.language()))


Tags = dict[int, str]  # why text does not count, by the code point at which it begins
WHOLE = 60_000  # units of both texts up to which every paragraph is sent; further on, their number


def _laid(
    result: CheckResult,
    case: Case,
    masks: Callable[[str], Mask],
    shared: Callable[[], Stretches],
    tags: list[Tags],
    translate: Translate,
) -> Laid:
    """Set a case; called by a thread that knows no page."""
    both = result.documents[case.a], result.documents[case.b]
    a, b = both
    masked = masks(a.text), masks(b.text)
    low, high = np.searchsorted(result.passages.pair, [case.row, case.row + 1])
    passages = result.passages.take(np.arange(low, high))
    reasons = left_out_ranges(a.notes), left_out_ranges(b.notes)
    units = count_units(a.text) + count_units(b.text)
    sheet = collate(
        *both,
        passages,
        shared(),
        masks=masked,
        left_out=(find_left_out(a.notes), find_left_out(b.notes)),
        reasons=reasons,
        apparatus=False,
        shown=0,
        folded=units <= WHOLE,
        answers=answers_of(result, case.a, case.b),
    )
    lines = [
        _fold(one, sheet.units, translate) if isinstance(one, Fold) else _line(one, tags, translate)
        for one in sheet.lines
    ]
    kinds = sheet.kinds(divisions(result, case)[0])
    return Laid(lines or _plain(masked), kinds, sheet.longest)


def masks_of(result: CheckResult) -> Callable[[str], Mask]:
    """Return what may be shown of a text: without names while they are hidden."""
    if not session.hide_names():
        return Mask
    return session.memo(
        ("masks", session.language()),
        lambda: build_hider(result.documents, t, skipped=result.skipped),
    )


def _line(line: Line, tags: list[Tags], translate: Translate) -> dict[str, Any]:
    sides = [
        [[_run(run, why) for run in paragraph] for paragraph in side]
        for side, why in zip((line.left, line.right), tags, strict=True)
    ]
    return {"sides": sides, "numbers": [list(number) for number in line.numbers]}


def _run(run: Run, tags: Tags) -> list[Any]:
    """Return one run as the component reads it; what is plain is only its text.

    The cell before the last says why it does not count: 0 where it does, the reason where a range
    begins, else 1.
    """
    if not run.passage and not run.left_out:
        return [run.text]
    out = tags.get(run.start, 1) if run.left_out else 0
    return [run.text, run.passage, run.kind, int(run.changed), out, int(run.opens)]


def _fold(fold: Fold, units: tuple[Unit, Unit], translate: Translate) -> dict[str, Any]:
    if not any(part.paragraphs for part in fold.sides if part):
        return {"gap": translate("review.gap", n=max(fold.units))}
    sides = zip(fold.sides, units, strict=True)
    return {"fold": [part and _part(part, fold.place, unit, translate) for part, unit in sides]}


def _part(part: Part, place: str, unit: Unit, translate: Translate) -> dict[str, Any]:
    length, n = translate(f"frame.length.{unit}", n=part.units), len(part.paragraphs)
    if part.reason:
        reason = translate(f"compare.fold.reason.{part.reason}")
        label, tag = translate("compare.fold.left_out", reason=reason, length=length), "not_counted"
    else:
        label, tag = translate(f"compare.fold.{place}", n=n, length=length), ""
    return {
        "label": label,
        "tag": tag and translate(f"compare.fold.{tag}"),
        "paragraphs": [[_run(run, {}) for run in paragraph] for paragraph in part.paragraphs],
    }


def _plain(masks: tuple[Mask, Mask]) -> list[dict[str, Any]]:
    """Return both texts beside each other where nothing marks them."""
    sides = [[[[mask.cut(start, end)]] for start, end in paragraphs(mask.text)] for mask in masks]
    rows = zip_longest(*sides, fillvalue=None)
    return [{"sides": [[one] if one else [] for one in row], "numbers": []} for row in rows]


def _kind_total(first: Division, kind: str, n: int) -> str:
    """Say how often a kind occurs, and its share of the first text where it is a class of it."""
    if kind not in SHARED_CLASSES:
        return t(f"compare.legend.{'weak' if kind in ('weak', 'meaning') else 'n'}", n=n)
    return t(f"compare.legend.{'total' if n else 'share'}", n=n, share=notation().part(first, kind))


# --------------------------------------------------------------------------- cases set for reading
# The open one, and while it is read those that a key opens next: a case takes tenths of a second of
# plain Python. One thread serves all sessions; it touches nothing of a page.

HELD = 8  # cases of a desk that are held; one can be half a megabyte

Value = TypeVar("Value")
Held = dict[Hashable, Future[Value]]


def take_case(held: Held[Value], key: Hashable, compute: Callable[[], Value]) -> Value:
    """Return a case from those held; wait only for one that is being set."""
    future = held.pop(key, None)
    if future is None or future.cancel():  # cancelled: it had not begun
        future = Future()
        future.set_result(compute())
    _hold(held, key, future)
    return future.result()


def prepare(held: Held[Value], key: Hashable, compute: Callable[[], Value]) -> None:
    """Set a case in the background where it is not held yet."""
    if key not in held:
        _hold(held, key, _thread().submit(compute))


def _hold(held: Held[Value], key: Hashable, future: Future[Value]) -> None:
    held[key] = future
    while len(held) > HELD:
        held.pop(next(iter(held))).cancel()


@st.cache_resource(show_spinner=False)
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="desk")


# --------------------------------------------------------------------------- the list of cases an

SHOWN = 60  # cases of the list at a time
TICKS = 400  # cases up to which each has a tick of its own
_TICK = {"confirmed": "c", "no_problem": "n", "later": "l", "undecided": "u"}


def progress(now: AtDesk) -> dict[str, Any]:
    """Return how much is decided, case by case where they can be told apart."""
    tally, n = now.tally, len(now.everything)
    done = sum(tally[state] for state in DECIDED)
    open_case = now.everything.index(now.open) if now.open else -1
    return {
        "done": str(done),
        "share": done / n if n else 0.0,
        "counts": {state: t(f"review.state.{state}", n=tally[state]) for state in STATES},
        "ticks": "".join(_TICK[case.state] for case in now.everything) if n <= TICKS else "",
        "now": open_case,
        "pace": _pace(tally["undecided"]),
        "over": not tally["undecided"],
    }


def _pace(open_cases: int) -> str:
    """Say how long the rest takes at the pace so far."""
    project = session.project()
    if project is None or not open_cases:
        return ""
    with project.folded() as fold:
        left = remaining_seconds(fold.times, open_cases)
    return "" if left is None else t("review.pace", time=seconds(max(left, 90)))


def queue(result: CheckResult, now: AtDesk) -> dict[str, Any]:
    """Return the part of the list around the open case."""
    held, n = desk(), len(now.left)
    first = held.first if held.first >= 0 else max(now.at - SHOWN // 3, 0)
    first = max(min(first, n - SHOWN), 0)
    tally = now.tally
    filters = [
        ("", t("review.filter.all", n=len(now.everything))),
        (t("review.query.undecided"), t("review.filter.undecided", n=tally["undecided"])),
        (t("review.query.overlap"), t("review.filter.overlap")),
        (t("review.query.short"), t("review.filter.short")),
        (t("review.query.noted"), t("review.filter.noted")),
    ]
    alike = sum(case.alike > 0 for case in now.everything)
    if alike:
        filters.append((t("review.query.alike"), t("review.filter.alike", n=alike)))
    return {
        "n": n,
        "all": len(now.everything),
        "count": t("review.count", n=n),
        "place": t("review.place", at=now.at + 1, n=n),
        "query": held.query,
        "error": now.error,
        "filters": [{"query": query, "label": label} for query, label in filters],
        "rows": _rows(result, now, range(first, min(first + SHOWN, n))),
        "before": max(first - SHOWN, 0) + 1 if first else 0,
        "after": first + SHOWN + 1 if first + SHOWN < n else 0,
    }


def _rows(result: CheckResult, now: AtDesk, places: range) -> list[dict[str, Any]]:
    together: dict[int, list[Case]] = {now.left[at].cluster: [] for at in places}
    for case in now.everything:
        if case.cluster in together:
            together[case.cluster].append(case)
    held, before, shown = desk(), desk().rows, (session.hide_names(), session.language())
    held.rows = {}
    rows = []
    for at in places:
        case = now.left[at]
        key = case.row, *shown
        held.rows[key] = before.get(key) or _row(result, case)
        begins = at == places.start or case.cluster != now.left[at - 1].cluster
        rows.append({**held.rows[key], **_standing(now, case, together[case.cluster], begins)})
    return rows


def _row(result: CheckResult, case: Case) -> dict[str, Any]:
    """Return what no decision changes in a row."""
    names = find_naming()
    return {
        "row": case.row,
        "label": speak_case(result, case),
        "number": str(case.number),
        "a": names.stems[case.a],
        "b": names.stems[case.b],
        "a_whole": names.whole[case.a],
        "b_whole": names.whole[case.b],
        **shares(result, case),
        "alike": t("review.alike") if case.alike else "",
        "longest": format_longest(result, case),
        "cluster": case.cluster,
    }


def speak_case(result: CheckResult, case: Case) -> str:
    """Return what a screen reader says of a case, with `{state}` in the place of the decision."""
    first, second = divisions(result, case)
    return t(
        "review.row_alike" if case.alike else "review.row",
        number=case.number,
        a=find_naming().stems[case.a],
        b=find_naming().stems[case.b],
        share_a=notation().total(first),
        share_b=notation().total(second),
        longest=format_longest(result, case),
        state="{state}",
    )


def _standing(now: AtDesk, case: Case, together: Sequence[Case], begins: bool) -> dict[str, Any]:
    """Return where a row stands: decided or not, open or not, in which group."""
    inside = case.cluster >= 0 and len(together) > 1
    return {
        "state": case.state,
        "state_label": t(f"review.mark.{case.state}"),
        "on": now.open is not None and case.row == now.open.row,
        "inside": inside,
        "head": _group(together, case) if inside and begins else None,
    }


def _group(together: Sequence[Case], case: Case) -> dict[str, Any]:
    texts = len({row for one in together for row in (one.a, one.b)})
    return {
        "label": cluster_name(case.cluster, title=True),
        "facts": t("review.cluster_facts", texts=texts, pairs=len(together)),
        "rest": sum(one.state == "undecided" for one in together) > 1,
    }


def divisions(result: CheckResult, case: Case) -> tuple[Division, Division]:
    """Return both texts of a case by what they share; all own text of the same meaning alone."""
    return divide_rows(result, case.a, case.b) if case.alike else divide_pair(result, case.row)


def shares(result: CheckResult, case: Case) -> dict[str, Any]:
    """Return both shares as the bars draw them."""
    first, second = divisions(result, case)
    return {
        "share_a": 0.0 if has_few_counted(first) else first.total,
        "share_b": 0.0 if has_few_counted(second) else second.total,
        "text_a": notation().total(first),
        "text_b": notation().total(second),
    }


def format_longest(result: CheckResult, case: Case) -> str:
    """Return the longest run in the unit of the first text, a dash without one.

    Of a case of the same meaning alone, in how many places it is.
    """
    if case.alike:
        return t("compare.meaning.places", n=case.alike)
    if not case.longest:
        return UNKNOWN
    return length(case.longest, unit_of(result.documents[case.a].text))
