"""Tables for people: a DataFrame where pandas is installed, else a list of dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from simhash_core.cases import case_of_pairs, case_records
from simhash_core.i18n import translator
from simhash_core.model import Document, Passages, Skipped
from simhash_core.numbers import CHANCE_TEXTS
from simhash_core.report import columns as defined
from simhash_core.result import CheckResult, ThresholdView, list_rows, meanings_shown
from simhash_core.seen import found_by

from ._given import Key

#: a `pandas.DataFrame`, or a list of dictionaries where pandas is not installed or rows are wanted
Table: TypeAlias = Any
Columns = Mapping[str, Any]
TEXTS = defined.choose(
    defined.DOCUMENTS,
    *("length", "unit", "total_overlap", "identical_overlap", "own", "few", "many"),
)
PAIRS = defined.choose(
    defined.PAIRS,
    *("a", "b", "coverage_a", "coverage_b", "identical", "longest", "passages", "distance"),
    *("cosine", "own_a", "own_b", "case", "containment", "chance", "near", "could_be_formula"),
)
PASSAGES = defined.choose(
    defined.PASSAGES, "a", "b", "kind", *defined.PLACES, "text_a", "text_b", "weak"
)
APART = defined.choose(defined.PASSAGES, "a", "b", *defined.PLACES, "text_a", "text_b")
#: kinds that are NaN where they are not known, whatever the other rows hold
_MAY_MISS = frozenset(("share", "number", "chance", "bits"))


def table(columns: Columns, *, rows: bool) -> Table:
    """Return columns, lists or arrays of one length, as a table."""
    if not rows:
        try:
            import pandas
        except ImportError:
            pass
        else:
            return pandas.DataFrame(dict(columns))
    listed = [
        column.tolist() if isinstance(column, np.ndarray) else list(column)
        for column in columns.values()
    ]
    cells = [
        [None if isinstance(value, float) and value != value else value for value in column]
        for column in listed
    ]
    return [dict(zip(columns, values, strict=True)) for values in zip(*cells, strict=True)]


def columns_of(columns: defined.Columns, rows: Sequence[tuple[Any, ...]]) -> Columns:
    """Return the values of some columns, one list or array each."""
    held: dict[str, Any] = {}
    for column in columns:
        values = [column.value(*row) for row in rows]
        if column.kind in _MAY_MISS:
            known = [np.nan if value is None else value for value in values]
            values = np.array(known, np.float64)  # type: ignore[assignment]
            if column.kind == "share":
                values = np.round(values, 4)  # type: ignore[assignment]
        held[column.name] = values
    return held


def end_columns(keys: Sequence[Key], left: Sequence[int], right: Sequence[int]) -> Columns:
    """Return the rows of both texts of a pair in `Result.texts`, and what the caller calls them."""
    return {
        "row_a": list(left),
        "row_b": list(right),
        "key_a": [keys[row].label for row in left],
        "key_b": [keys[row].label for row in right],
    }


def text_columns(result: CheckResult, view: ThresholdView, keys: Sequence[Key]) -> Columns:
    """Return one row a text, as `Result.texts` says."""
    n = len(result.documents)
    return {
        "name": [document.name for document in result.documents],
        "key": [key.label for key in keys],
        "place": [key.place for key in keys],
        **columns_of(TEXTS, [(result, row) for row in range(n)]),
        "cluster": view.cluster_of.tolist(),
        "reference": [row >= result.checked for row in range(n)],
        "notes": [
            " ".join(dict.fromkeys(note.code for note in document.notes))
            for document in result.documents
        ],
    }


def pair_columns(result: CheckResult, view: ThresholdView, keys: Sequence[Key]) -> Columns:
    """Return one row a listed pair, the clearest evidence first, as `Result.pairs` says."""
    rows, numbers = list_rows(result, view), case_of_pairs(result, view)
    pairs = defined.pairs_of_rows(result, rows, view=view, numbers=numbers)
    ends = [pair.a for pair in pairs], [pair.b for pair in pairs]
    return {**columns_of(PAIRS, [(pair,) for pair in pairs]), **end_columns(keys, *ends)}


def case_columns(result: CheckResult, view: ThresholdView) -> Columns:
    """Return one row a case, as `Result.cases` says."""
    return columns_of(defined.CASES, [(one,) for one in case_records(result, view)])


def passage_columns(
    passages: Passages, ends: Sequence[tuple[Document, Document]], at: Sequence[int]
) -> Columns:
    """Return one row a passage, with its text on both sides.

    Parameters
    ----------
    passages
    ends
        The two texts of each passage.
    at
        Rows of `passages` in the order of `ends`.
    """
    found = zip(at, ends, strict=True)
    return columns_of(
        PASSAGES, [(defined.PassageFacts(passages, row, *both),) for row, both in found]
    )


def meaning_columns(result: CheckResult, keys: Sequence[Key]) -> Columns:
    """Return one row a passage of the same meaning, as `Result.meanings` says."""
    held = meanings_shown(result)
    left, right = ([], []) if held is None else (held.left.tolist(), held.right.tolist())
    chance = np.zeros(0) if held is None else held.chance
    if len(result.documents) < CHANCE_TEXTS:
        chance = np.full(len(chance), np.nan)
    rows = [
        (defined.PassageFacts(held, row, result.documents[a], result.documents[b]),)
        for row, (a, b) in enumerate(zip(left, right, strict=True))
        if held is not None
    ]
    return {
        **columns_of(APART, rows),
        "chance": chance,
        **end_columns(keys, left, right),
        "sentences": np.zeros(0, np.int64) if held is None else np.diff(held.first),
        "translation_by": found_by(result).passages,
    }


def skipped_columns(skipped: Sequence[Skipped], language: str) -> Columns:
    """Return one row for each text that takes no part, as `Result.skipped` says."""
    t = translator(language)
    return columns_of(defined.SKIPPED, [(one, t) for one in skipped])
