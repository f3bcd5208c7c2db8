"""Many cases at once: what a search leaves, a line each, to be decided together."""

from __future__ import annotations

from typing import Any

from simhash_core import CheckResult
from simhash_core.report.anonymity import Mask
from simhash_core.review import Case, excerpt
from simhash_core.text.lengths import unit_of

from ..shared.formatting import length, text_language
from ..shared.session import naming, t
from .case import masks_of
from .queue import longest
from .state import AtDesk, desk

PER_PAGE = 30
AROUND = {"characters": 7, "words": 24}  # characters beside a passage: a few of words
SHOWN = 90  # characters of a passage on its line


def bulk(result: CheckResult, now: AtDesk) -> dict[str, Any] | None:
    """Return the page of what the search leaves, None while cases are read one by one."""
    if not now.bulk:
        return None
    n, pages = len(now.left), -(-len(now.left) // PER_PAGE)
    at = min(desk().bulk, max(pages - 1, 0))
    shown = now.left[at * PER_PAGE : (at + 1) * PER_PAGE]
    most = max((case for case in shown if case.longest), key=lambda one: one.longest, default=None)
    return {
        "title": t("review.bulk.title", n=n),
        "query": desk().query,
        "note": t("review.bulk.note"),
        "rows": [_row(result, case) for case in shown],
        "at": at,
        "pages": pages,
        "place": t("review.bulk.place", at=at + 1, pages=pages) if pages > 1 else "",
        "hint": _hint(result, most, bool(shown)),
    }


def _hint(result: CheckResult, most: Case | None, found: bool) -> str:
    if most is None:
        return t("review.bulk.hint_alike") if found else ""
    return t("review.bulk.hint", length=_length(result, most))


def _length(result: CheckResult, case: Case) -> str:
    return length(case.longest, unit_of(result.documents[case.a].text))


def _row(result: CheckResult, case: Case) -> dict[str, Any]:
    names = naming()
    document = result.documents[case.a]
    span = excerpt(result, case)
    mask = masks_of(result)(document.text)
    texts = _around(mask, span, AROUND[unit_of(document.text)]) if span else ("", "", "")
    return {
        "row": case.row,
        "key": f"{case.key[0][:16]}-{case.key[1][:16]}",
        "number": str(case.number),
        "a": names.stems[case.a],
        "b": names.stems[case.b],
        "state": case.state,
        "state_label": t(f"review.mark.{case.state}"),
        "texts": texts,
        "none": "" if span else t("review.bulk.no_passage"),
        "longest": longest(result, case) if span else "",
        "kind": "meaning" if case.alike else "identical",
        "lang": text_language(document.text),
        "label": t(
            "review.bulk.tick", number=case.number, a=names.short(case.a), b=names.short(case.b)
        ),
    }


def _around(mask: Mask, span: tuple[int, int], around: int) -> tuple[str, str, str]:
    """Return what stands before a passage, the passage, and what stands after it, on one line."""
    start, end = span
    size = len(mask.text)
    inside = _line(mask.cut(start, min(end, start + SHOWN)))
    before = _line(mask.cut(max(start - around, 0), start))
    after = _line(mask.cut(end, min(end + around, size))) if end - start <= SHOWN else ""
    return (
        f"…{before}" if start > around else before,
        inside,
        f"{after}…" if end + around < size or end - start > SHOWN else after,
    )


def _line(text: str) -> str:
    """Return a text on one line; what parts it from its neighbour stays."""
    return " ".join(text.split("\n")).replace("\r", "")
