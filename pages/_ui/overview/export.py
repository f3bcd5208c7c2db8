"""The result as files: JSON in the schema of the command line, and the pair table as CSV."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Callable, Sequence

import numpy as np

from simhash_core import CheckResult, to_json
from simhash_core.i18n import translator

from .rows import Rows

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a cell that begins so


def with_names(result: CheckResult, names: Sequence[str]) -> CheckResult:
    """Return the same result under other names."""
    documents = tuple(
        dataclasses.replace(document, name=name)
        for document, name in zip(result.documents, names, strict=True)
    )
    return dataclasses.replace(result, documents=documents)


def json_file(result: CheckResult, names: Sequence[str], language: str) -> Callable[[], bytes]:
    """Return what makes the JSON when it is asked for."""
    return lambda: to_json(with_names(result, names), translator(language)).encode()


def pairs_csv(
    result: CheckResult, rows: Rows, *, names: Sequence[str], head: Sequence[str]
) -> Callable[[], bytes]:
    """Return what makes the CSV of some rows: UTF-8 with a mark, so that Excel reads Chinese."""

    def make() -> bytes:
        table, out = result.table, io.StringIO(newline="")
        writer = csv.writer(out)
        writer.writerow(head)
        for row in rows.tolist():
            shares = (table.coverage_a[row], table.coverage_b[row])
            writer.writerow(
                [
                    _cell(names[int(table.pairs.left[row])]),
                    _cell(names[int(table.pairs.right[row])]),
                    _distance(int(table.pairs.distance[row]), result.fingerprints.bits),
                    *(f"{share:.4f}" if np.isfinite(share) else "" for share in shares),
                    int(table.longest[row]),
                    int(table.passages[row]),
                ]
            )
        return out.getvalue().encode("utf-8-sig")

    return make


def _distance(value: int, bits: int) -> int | str:
    return value if value <= bits else ""


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
