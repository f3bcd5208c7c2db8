"""The result as files at the threshold in force, under the names that the page shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from simhash_core import CheckResult, ThresholdView, to_json
from simhash_core.i18n import translator
from simhash_core.report import pairs_csv

HIDDEN = "…"


def with_names(result: CheckResult, names: Sequence[str]) -> CheckResult:
    """Return the same result under other names.

    Where they differ, names are hidden: what the files say of their authors and the names of
    files that were not read go too.
    """
    if all(document.name == name for document, name in zip(result.documents, names, strict=True)):
        return result
    documents = tuple(
        replace(document, name=name, meta={})
        for document, name in zip(result.documents, names, strict=True)
    )
    skipped = tuple(
        replace(row, name=HIDDEN, params={**row.params, "name": HIDDEN}) for row in result.skipped
    )
    return replace(result, documents=documents, skipped=skipped)


def json_file(
    result: CheckResult, view: ThresholdView, *, names: Sequence[str], language: str
) -> Callable[[], bytes]:
    """Return what makes the JSON when it is asked for."""
    t = translator(language)
    return lambda: to_json(with_names(result, names), t, view=view).encode()


def csv_file(
    result: CheckResult, view: ThresholdView, *, names: Sequence[str], language: str
) -> Callable[[], bytes]:
    """Return what makes the CSV when it is asked for."""
    t = translator(language)
    return lambda: pairs_csv(with_names(result, names), t, view=view).encode()
