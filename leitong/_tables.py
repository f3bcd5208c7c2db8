"""Tables for people: a DataFrame where pandas is installed, else a list of dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from simhash_core.cases import case_of_pairs, case_records, own_units, tones_of
from simhash_core.i18n import translator
from simhash_core.model import NO_DISTANCE, PASSAGE_KINDS, Document, Passages, Skipped
from simhash_core.numbers import CHANCE_TEXTS, of_text
from simhash_core.result import (
    TONES,
    ApartFindings,
    CheckResult,
    ThresholdView,
    could_be_formula,
    known_chance,
    listed_rows,
    meanings_shown,
)

from ._given import Key

#: a `pandas.DataFrame`, or a list of dictionaries where pandas is not installed or rows are wanted
Table: TypeAlias = Any
Columns = Mapping[str, Any]
_PLACES = ("a_start", "a_end", "b_start", "b_end")


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
    cells = [[None if _is_nan(value) else value for value in column] for column in listed]
    return [dict(zip(columns, values, strict=True)) for values in zip(*cells, strict=True)]


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and value != value


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
    divisions = [of_text(result, row) for row in range(n)]
    return {
        "name": [document.name for document in result.documents],
        "key": [key.label for key in keys],
        "place": [key.place for key in keys],
        "length": [division.whole for division in divisions],
        "unit": [division.unit for division in divisions],
        "total_overlap": _shares(division.total for division in divisions),
        "identical_overlap": _shares(division.share("identical") for division in divisions),
        **{name: [tones_of(result, row)[name] for row in range(n)] for name in TONES},
        "cluster": view.cluster_of.tolist(),
        "reference": [row >= n - result.references for row in range(n)],
        "notes": [_notes(document) for document in result.documents],
    }


def pair_columns(result: CheckResult, view: ThresholdView, keys: Sequence[Key]) -> Columns:
    """Return one row a listed pair, the clearest evidence first, as `Result.pairs` says."""
    pairs, rows = result.table, listed_rows(result, view)
    names = [document.name for document in result.documents]
    distance, numbers = pairs.pairs.distance[rows].astype(np.float64), case_of_pairs(result, view)
    distance[distance == NO_DISTANCE] = np.nan
    left, right = pairs.pairs.left[rows].tolist(), pairs.pairs.right[rows].tolist()
    return {
        "a": [names[row] for row in left],
        "b": [names[row] for row in right],
        "coverage_a": _shares(pairs.coverage_a[rows]),
        "coverage_b": _shares(pairs.coverage_b[rows]),
        "identical": _shares(pairs.identical[rows]),
        "longest": pairs.longest[rows].tolist(),
        "passages": pairs.passages[rows].tolist(),
        "distance": distance,
        "cosine": np.round(np.cos(np.pi * distance / result.settings.bits), 4),
        "own_a": [own_units(result, row)[0] for row in rows.tolist()],
        "own_b": [own_units(result, row)[1] for row in rows.tolist()],
        "case": [numbers.get(row) for row in rows.tolist()],
        "containment": _shares(pairs.containment[rows]),
        "chance": known_chance(result, rows),
        "near": view.within[rows].tolist(),
        "could_be_formula": could_be_formula(result, view)[rows].tolist(),
        **end_columns(keys, left, right),
    }


def case_columns(result: CheckResult, view: ThresholdView) -> Columns:
    """Return one row a case, as `Result.cases` says."""
    records = case_records(result, view)
    names = ("number", "kind", "members", "holders", *TONES, "longest", "answer")
    return {name: [record[name] for record in records] for name in names}


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
    places = {name: getattr(passages, name)[at].tolist() for name in _PLACES}
    return {
        "a": [a.name for a, _ in ends],
        "b": [b.name for _, b in ends],
        "kind": [PASSAGE_KINDS[kind] for kind in passages.kind[at].tolist()],
        **places,
        "text_a": _cut([a for a, _ in ends], places["a_start"], places["a_end"]),
        "text_b": _cut([b for _, b in ends], places["b_start"], places["b_end"]),
        "weak": passages.weak[at].tolist(),
    }


def translation_columns(result: CheckResult, keys: Sequence[Key]) -> Columns:
    """Return one row a possible translation, as `Result.translations` says."""
    return _apart(result, result.translations, keys)


def meaning_columns(result: CheckResult, keys: Sequence[Key]) -> Columns:
    """Return one row a passage of the same meaning, as `Result.meanings` says."""
    held = meanings_shown(result)
    sentences = np.zeros(0, np.int64) if held is None else np.diff(held.first)
    return {**_apart(result, held, keys), "sentences": sentences}


def _apart(result: CheckResult, held: ApartFindings | None, keys: Sequence[Key]) -> Columns:
    """Return one row a passage that is part of no share."""
    none = np.zeros(0, np.int64)
    chance = none.astype(np.float64) if held is None else held.chance()
    if len(result.documents) < CHANCE_TEXTS:
        chance = np.full(len(chance), np.nan)
    left, right, *places = (
        (none if held is None else getattr(held, name)).tolist()
        for name in ("left", "right", *_PLACES)
    )
    sides = [[result.documents[row] for row in rows] for rows in (left, right)]
    return {
        "a": [document.name for document in sides[0]],
        "b": [document.name for document in sides[1]],
        **dict(zip(_PLACES, places, strict=True)),
        "text_a": _cut(sides[0], places[0], places[1]),
        "text_b": _cut(sides[1], places[2], places[3]),
        "chance": chance,
        **end_columns(keys, left, right),
    }


def skipped_columns(skipped: Sequence[Skipped], language: str) -> Columns:
    """Return one row for each text that takes no part, as `Result.skipped` says."""
    t = translator(language)
    return {
        "name": [one.name for one in skipped],
        "code": [one.code for one in skipped],
        "message": [t(f"notes.{one.code}", **one.params) for one in skipped],
    }


def _cut(documents: Sequence[Document], starts: Sequence[int], ends: Sequence[int]) -> list[str]:
    return [
        document.text[start:end]
        for document, start, end in zip(documents, starts, ends, strict=True)
    ]


def _shares(values: Any) -> Any:
    """Return shares with four digits."""
    return np.round(np.fromiter(values, np.float64), 4)


def _notes(document: Document) -> str:
    """Return the codes of what a reader should know about a text."""
    return " ".join(dict.fromkeys(note.code for note in document.notes))
