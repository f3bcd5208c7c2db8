"""The end of the desk: what was decided, the way to a report, and what to look at before it."""

from __future__ import annotations

from typing import Any

from simhash_core import CheckResult
from simhash_core.report import FORMATS
from simhash_core.review import Case

from ..shared.session import naming, t
from .state import AtDesk

MOST = 5  # cases that a caution names one by one


def end(result: CheckResult, now: AtDesk) -> dict[str, Any] | None:
    """Return the page after the last case, None while one is open."""
    if not now.ended:
        return None
    tally, n = now.tally, len(now.everything)
    confirmed = [case for case in now.everything if case.state == "confirmed"]
    later = [case for case in now.everything if case.state == "later"]
    counts = [t("review.end.confirmed", n=tally["confirmed"])] if confirmed else []
    counts += [
        t(f"review.end.{state}", n=tally[state])
        for state in ("no_problem", "later")
        if tally[state]
    ]
    texts = len({row for case in confirmed for row in (case.a, case.b)})
    parts = [t("review.end.texts", n=texts)] if confirmed else []
    return {
        "title": t("review.end.title"),
        "headline": t("review.end.headline", n=n, counts=t("check.comma").join(counts)),
        "note": "".join([*parts, t("review.end.hint")]),
        "later": {
            "text": t("review.end.left", n=len(later)),
            "button": t("review.end.see_later", n=len(later)),
            "row": later[0].row,
        }
        if later
        else None,
        "squares": [_square(case) for case in now.everything],
        "report": t("review.end.report"),
        "make": t("review.end.make"),
        "formats": t("review.end.formats", formats=" · ".join(map(str.upper, FORMATS))),
        "before": t("review.end.before"),
        "cautions": _cautions(result, confirmed),
    }


def _square(case: Case) -> dict[str, Any]:
    return {
        "row": case.row,
        "number": str(case.number),
        "state": case.state,
        "label": f"{_named(case)}{t('review.end.colon')}{t(f'review.mark.{case.state}')}",
    }


def _named(case: Case) -> str:
    names = naming()
    return t("review.said.case", number=case.number, a=names.short(case.a), b=names.short(case.b))


def _cautions(result: CheckResult, confirmed: list[Case]) -> list[dict[str, Any]]:
    """Return what somebody who is handed the report would ask about."""
    bare = [case for case in confirmed if case.decision and not case.decision.note]
    listed: list[dict[str, Any]] = [
        {
            "lead": _named(case),
            "text": t("review.end.no_note"),
            "act": t("review.end.write"),
            "row": case.row,
            "note": True,
        }
        for case in bare[:MOST]
    ]
    if len(bare) > MOST:
        listed.append({"lead": "", "text": t("review.end.more_notes", n=len(bare) - MOST)})
    together = [case for case in confirmed if case.decision and case.decision.together]
    if together:
        listed.append(
            {
                "lead": t("review.end.together", n=len(together)),
                "text": t("review.end.together_note"),
                "act": t("review.end.look"),
                "row": together[0].row,
            }
        )
    alike = [case for case in confirmed if case.alike]
    if alike:
        listed.append(
            {
                "lead": t("review.end.alike", n=len(alike)),
                "text": t("review.end.alike_note"),
                "act": t("review.end.look"),
                "row": alike[0].row,
            }
        )
    if result.unread:
        listed.append(
            {
                "lead": t("review.end.unread", n=len(result.unread)),
                "text": t("review.end.not_in_report"),
                "act": t("review.end.list"),
            }
        )
    return listed
