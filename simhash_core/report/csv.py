"""Pairs as a table for a spreadsheet."""

from __future__ import annotations

import csv
import io

from ..checking.metadata_score import Combined
from ..i18n import Translate
from ..model import CheckResult
from .json import pair_rows

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = ("a", "b", "evidence", "distance", "cosine", "coverage_a", "coverage_b", "longest")


def pairs_csv(result: CheckResult, t: Translate, *, combined: Combined | None = None) -> str:
    """Write every pair with evidence; a name never starts a formula."""
    columns = COLUMNS if combined is None else (*COLUMNS, "combined")
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow([t(f"cli.csv_{column}") for column in columns])
    for pair in pair_rows(result, combined):
        pair["evidence"] = "+".join(t(f"cli.evidence_{kind}") for kind in pair["evidence"])
        if combined is not None:
            pair["combined"] = (pair["combined"] or {}).get("score")
        writer.writerow([_safe(pair[column]) for column in columns])
    return buffer.getvalue()


def _safe(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return "'" + value
    return "" if value is None else value
