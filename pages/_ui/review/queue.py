"""The list of cases and the progress, as the component shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simhash_core import CheckResult
from simhash_core.model import Division
from simhash_core.notation import UNKNOWN
from simhash_core.numbers import between, few_counted, of_pair
from simhash_core.review import DECIDED, STATES, Case, remaining_seconds
from simhash_core.text.lengths import unit_of

from ..shared import session
from ..shared.formatting import cluster_name, length, notation, seconds
from ..shared.session import naming, t
from .state import AtDesk, desk

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
    left = remaining_seconds(project.decision_times(), open_cases)
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
    names = naming()
    return {
        "row": case.row,
        "label": spoken(result, case),
        "number": str(case.number),
        "a": names.stems[case.a],
        "b": names.stems[case.b],
        "a_whole": names.whole[case.a],
        "b_whole": names.whole[case.b],
        **shares(result, case),
        "alike": t("review.alike") if case.alike else "",
        "longest": longest(result, case),
        "cluster": case.cluster,
    }


def spoken(result: CheckResult, case: Case) -> str:
    """Return what a screen reader says of a case, with `{state}` in the place of the decision."""
    first, second = divisions(result, case)
    return t(
        "review.row_alike" if case.alike else "review.row",
        number=case.number,
        a=naming().stems[case.a],
        b=naming().stems[case.b],
        share_a=notation().total(first),
        share_b=notation().total(second),
        longest=longest(result, case),
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
    return between(result, case.a, case.b) if case.alike else of_pair(result, case.row)


def shares(result: CheckResult, case: Case) -> dict[str, Any]:
    """Return both shares as the bars draw them."""
    first, second = divisions(result, case)
    return {
        "share_a": 0.0 if few_counted(first) else first.total,
        "share_b": 0.0 if few_counted(second) else second.total,
        "text_a": notation().total(first),
        "text_b": notation().total(second),
    }


def longest(result: CheckResult, case: Case) -> str:
    """Return the longest run in the unit of the first text, a dash without one.

    Of a case of the same meaning alone, in how many places it is.
    """
    if case.alike:
        return t("compare.meaning.places", n=case.alike)
    if not case.longest:
        return UNKNOWN
    return length(case.longest, unit_of(result.documents[case.a].text))
