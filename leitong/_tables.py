"""The rows of a result, as tables."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypedDict

import numpy as np

from simhash_core.cases import case_of_pairs, case_records
from simhash_core.i18n import translator
from simhash_core.model import Document, Passages, Skipped
from simhash_core.numbers import CHANCE_TEXTS
from simhash_core.report import columns as defined
from simhash_core.result import CheckResult, ThresholdView, list_rows, meanings_shown
from simhash_core.seen import found_by

from ._given import Key
from ._table import Columns
from ._table import Record as Record
from ._table import Table as Table


class TextRow(TypedDict):
    name: str
    key: Hashable
    row: int
    length: int
    unit: str
    total_overlap: float | None
    identical_overlap: float | None
    own: int
    few: int
    many: int
    cluster: int
    reference: bool
    notes: str


class PairRow(TypedDict):
    a: str
    b: str
    coverage_a: float
    coverage_b: float
    identical: float
    longest: int
    passages: int
    distance: int | None
    cosine: float | None
    own_a: int
    own_b: int
    case: int | None
    containment: float | None
    chance: float | None
    near: bool
    could_be_formula: bool
    row_a: int
    row_b: int
    key_a: Hashable
    key_b: Hashable


class PassageRow(TypedDict):
    a: str
    b: str
    kind: str
    a_start: int
    a_end: int
    b_start: int
    b_end: int
    text_a: str
    text_b: str
    weak: bool
    row_a: int
    row_b: int
    key_a: Hashable
    key_b: Hashable


class MeaningRow(TypedDict):
    a: str
    b: str
    a_start: int
    a_end: int
    b_start: int
    b_end: int
    text_a: str
    text_b: str
    chance: float | None
    row_a: int
    row_b: int
    key_a: Hashable
    key_b: Hashable
    sentences: int
    translation_by: str


class CaseRow(TypedDict):
    number: int
    kind: str
    members: list[str]
    holders: int
    own: int
    few: int
    many: int
    longest: int
    answer: str | None


class ClusterRow(TypedDict):
    cluster: int
    names: list[str]
    rows: list[int]
    keys: list[Hashable]


def _choose(columns: defined.Columns, row: type) -> defined.Columns:
    """Return the columns that a row of ours has."""
    names = {column.name for column in columns}
    return defined.choose(columns, *(name for name in row.__annotations__ if name in names))


TEXTS = _choose(defined.DOCUMENTS, TextRow)
PAIRS, CASES = _choose(defined.PAIRS, PairRow), _choose(defined.CASES, CaseRow)
PASSAGES = _choose(defined.PASSAGES, PassageRow)
APART = _choose(defined.PASSAGES, MeaningRow)


def columns_of(columns: defined.Columns, rows: Sequence[tuple[Any, ...]]) -> Columns:
    """Return the values of some columns, shares with four digits."""
    return {
        column.name: [
            defined.round_cell(column.value(*row)) if column.kind == "share" else column.value(*row)
            for row in rows
        ]
        for column in columns
    }


def table_of(rows: Sequence[object], names: Sequence[str]) -> Table[Record]:
    """Return what some records hold under these names."""
    return Table({name: [getattr(row, name) for row in rows] for name in names})


def end_columns(keys: Sequence[Key], left: Sequence[int], right: Sequence[int]) -> Columns:
    """Return where both texts of a pair stand among what was given, and what they are called."""
    return {
        "row_a": [keys[row].row for row in left],
        "row_b": [keys[row].row for row in right],
        "key_a": [keys[row].label for row in left],
        "key_b": [keys[row].label for row in right],
    }


def text_table(
    result: CheckResult, view: ThresholdView, keys: Sequence[Key], rows: Sequence[int]
) -> Table[TextRow]:
    """Return one row for each of some documents, as `Result.texts` says."""
    documents = [result.documents[row] for row in rows]
    return Table(
        {
            "name": [one.name for one in documents],
            "key": [keys[row].label for row in rows],
            "row": [keys[row].row for row in rows],
            **columns_of(TEXTS, [(result, row) for row in rows]),
            "cluster": [view.cluster_of[row] for row in rows],
            "notes": [
                " ".join(dict.fromkeys(note.code for note in one.notes)) for one in documents
            ],
        }
    )


def pair_table(
    result: CheckResult, view: ThresholdView, keys: Sequence[Key], *, min_share: float
) -> Table[PairRow]:
    """Return one row a listed pair, the clearest evidence first, as `Result.pairs` says."""
    rows, numbers = list_rows(result, view), case_of_pairs(result, view)
    shares = np.fmax(result.table.coverage_a, result.table.coverage_b)
    rows = rows[np.round(shares[rows], 4) >= min_share]
    pairs = defined.pairs_of_rows(result, rows, view=view, numbers=numbers)
    ends = [pair.a for pair in pairs], [pair.b for pair in pairs]
    return Table({**columns_of(PAIRS, [(pair,) for pair in pairs]), **end_columns(keys, *ends)})


def case_table(result: CheckResult, view: ThresholdView) -> Table[CaseRow]:
    """Return one row a case, as `Result.cases` says."""
    return Table(columns_of(CASES, [(one,) for one in case_records(result, view)]))


def cluster_table(
    groups: Sequence[Sequence[int]], documents: Sequence[Document], keys: Sequence[Key]
) -> Table[ClusterRow]:
    """Return one row a group of documents, each by its place, as `Result.clusters` says."""
    return Table(
        {
            "cluster": range(len(groups)),
            "names": [[documents[at].name for at in group] for group in groups],
            "rows": [[keys[at].row for at in group] for group in groups],
            "keys": [[keys[at].label for at in group] for group in groups],
        }
    )


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


def meaning_table(result: CheckResult, keys: Sequence[Key]) -> Table[MeaningRow]:
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
    return Table(
        {
            **columns_of(APART, rows),
            "chance": chance,
            **end_columns(keys, left, right),
            "sentences": np.zeros(0, np.int64) if held is None else np.diff(held.first),
            "translation_by": found_by(result).passages,
        }
    )


def skipped_table(skipped: Sequence[Skipped], language: str) -> Table[dict[str, str]]:
    """Return one row for each text that takes no part, as `Result.skipped` says."""
    t = translator(language)
    return Table(columns_of(defined.SKIPPED, [(one, t) for one in skipped]))
