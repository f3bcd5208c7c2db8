"""Pairs as a table for a spreadsheet."""

from __future__ import annotations

import csv
import io

from ..i18n import Translate
from ..model import CheckResult
from .json import pair_rows

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
COLUMNS = ("a", "b", "evidence", "distance", "cosine", "coverage_a", "coverage_b", "longest")


def pairs_csv(result: CheckResult, t: Translate) -> str:
    """Write every pair with evidence; a name never starts a formula."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow([t(f"cli.csv_{column}") for column in COLUMNS])
    for pair in pair_rows(result):
        pair["evidence"] = "+".join(t(f"cli.evidence_{kind}") for kind in pair["evidence"])
        writer.writerow([_safe(pair[column]) for column in COLUMNS])
    return buffer.getvalue()


def _safe(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return "'" + value
    return "" if value is None else value
