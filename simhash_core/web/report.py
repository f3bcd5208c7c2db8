"""What texts share with pages of the web: each page by its address, and as of when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from .. import schemas
from ..model import FETCHED_KEY, Document
from ..report.columns import PLACES, pairs_of_rows, round_cell
from ..result import CheckResult, list_rows
from ..seen import view_at_threshold
from .search import Searched
from .sentences import Sentence


def web_findings(result: CheckResult) -> list[dict[str, Any]]:
    """Return what each text shares with each page, the largest share of the text first.

    Returns
    -------
    list of dict
        `text`: name; `url`, `title`, `fetched` (UTC) of the page; `share`: 0..1 of the text;
        `longest`: identical characters of Chinese or words in a row; `formula`: chance alone
        could have given it; `passages`: half-open ranges `start`, `end` in the text, `page_start`,
        `page_end` in the page as it was read.
    """
    rows = list_rows(result, view_at_threshold(result, result.threshold))
    names = ("start", "end", "page_start", "page_end")
    findings = []
    for pair in pairs_of_rows(result, rows):
        document, page = result.documents[pair.a], result.documents[pair.b]
        if FETCHED_KEY not in page.meta:
            continue
        at = np.flatnonzero(result.passages.pair == pair.row)
        cells = zip(*(getattr(result.passages, name)[at].tolist() for name in PLACES), strict=True)
        findings.append(
            {
                "text": document.name,
                **page_record(page),
                "share": round_cell(pair.held("coverage_a", 0.0)),
                "longest": pair.held("longest", 0),
                "formula": pair.formula,
                "passages": [dict(zip(names, cell, strict=True)) for cell in sorted(cells)],
            }
        )
    return sorted(findings, key=lambda one: (one["formula"], -one["share"], one["text"]))


def page_record(page: Document) -> dict[str, Any]:
    """Return where a page was, what it calls itself, and when it was fetched."""
    meta = page.meta
    return {
        "url": meta.get("url", ""),
        "title": meta.get("title", ""),
        "fetched": meta.get(FETCHED_KEY, ""),
    }


def web_data(
    sentences: Sequence[Sentence],
    *,
    service: str,
    searched: Searched | None = None,
    result: CheckResult | None = None,
    collection: str = "",
) -> dict[str, Any]:
    """Return a search as plain data, schema `schemas.WEB`; without `searched` nothing is sent."""
    done = searched or Searched()
    asked = {one.sentence: one for one in done.asked}
    listed = []
    for number, one in enumerate(sentences, start=1):
        sent = asked.get(one)
        failure = sent.failure.code if sent and sent.failure else ""
        record = {"number": number, "text": one.name, **asdict(one), "sent": sent is not None}
        del record["name"], record["row"]
        listed.append({**record, "urls": list(sent.urls) if sent else [], "failure": failure})
    return {
        "schema": schemas.WEB,
        "service": service,
        "sentences": listed,
        "pages": [{**page_record(one), "id": one.id, "chars": len(one.text)} for one in done.pages],
        "skipped": [{"url": one.name, "code": one.code} for one in done.skipped],
        "collection": collection,
        "findings": [] if result is None else web_findings(result),
    }
