"""Whole classes in which nobody copied, and pieces planted into them: what becomes a case.

An honest class shares its task, the text that was read and what everybody says; none of it is a
case of two persons. Into the same class pieces of one text are planted in another, reworded in
part: how many of these pairs are a case, and how far down the list they stand.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..cases import case_rows, passage_cases
from ..checking import check, gather, read
from ..model import Document, Progress, report_nothing
from ..result import CheckResult, list_rows
from . import Table
from .edited import edit_words

COLUMNS = ("class", "documents", "pairs", "pair_cases", "passages", "planted", "found", "last")
PIECE_COLUMNS = ("class", "words", "rate", "planted", "listed", "found", "last")
PIECES = (25, 40, 80)  # words
RATES = (0.0, 0.10, 0.25, 0.40)  # of the words replaced
PLANTS = 8  # of one length and rate in a class

Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class _Found:
    """Where the planted pairs of a class stand."""

    listed: int
    places: tuple[int, ...]  # of those that are cases, from 1

    @property
    def last(self) -> int | None:
        """Place of the last of them, None without one."""
        return max(self.places, default=None)


def evaluate_classes(
    folders: Sequence[Path],
    *,
    pieces: bool = False,
    seed: int = 1,
    progress: Progress = report_nothing,
) -> list[Table]:
    """Check each class as it is; with `pieces` also with planted pieces of each length and rate.

    Parameters
    ----------
    folders
        One class each. Planted pairs that are known stand beside it in `FOLDER.json`: a list of
        pairs of file names.

    Raises
    ------
    FileNotFoundError
        Where a folder holds no text.
    """
    rows, planted = list[tuple[object, ...]](), []
    for done, folder in enumerate(folders):
        documents = read(gather([folder])[0])[0]
        if not documents:
            raise FileNotFoundError(folder)
        result, truth = check(documents), _read_truth(folder)
        found = _find_planted(result, truth)
        rows.append(
            (
                folder.name,
                len(documents),
                len(list_rows(result)),
                len(case_rows(result)),
                len(passage_cases(result)),
                len(truth),
                len(found.places),
                found.last,
            )
        )
        if pieces:
            planted += _measure_pieces(folder.name, documents, seed)
        progress("candidates", done + 1, len(folders))
    tables = [Table("classes", COLUMNS, rows)]
    return [*tables, Table("classes_pieces", PIECE_COLUMNS, planted)] if pieces else tables


def _read_truth(folder: Path) -> list[Pair]:
    beside = folder.parent / f"{folder.name}.json"
    if not beside.is_file():
        return []
    return [frozenset(pair) for pair in json.loads(beside.read_text(encoding="utf-8"))]


def _find_planted(result: CheckResult, planted: Sequence[Pair]) -> _Found:
    pairs, names = result.table.pairs, [Path(one.name).name for one in result.documents]

    def named(row: int) -> Pair:
        return frozenset((names[pairs.left[row]], names[pairs.right[row]]))

    listed = {named(row) for row in list_rows(result).tolist()}
    places = {named(row): place for place, row in enumerate(case_rows(result).tolist(), 1)}
    return _Found(
        sum(pair in listed for pair in planted),
        tuple(sorted(places[pair] for pair in planted if pair in places)),
    )


def _measure_pieces(
    name: str, documents: Sequence[Document], seed: int
) -> list[tuple[object, ...]]:
    """Return what is found of pieces of each length and rate, planted into one class."""
    rows: list[tuple[object, ...]] = []
    for words in PIECES:
        for rate in RATES:
            draw = random.Random(f"{seed} {words} {rate}")
            class_, truth = _plant_pieces(documents, words, rate, draw)
            found = _find_planted(check(class_), truth)
            places = len(found.places)
            rows.append((name, words, rate, len(truth), found.listed, places, found.last))
    return rows


def _plant_pieces(
    documents: Sequence[Document], words: int, rate: float, draw: random.Random
) -> tuple[list[Document], list[Pair]]:
    """Put a piece of one text, reworded, into another; no text takes part twice."""
    class_, truth = list(documents), list[Pair]()
    long = [row for row, one in enumerate(documents) if len(one.text.split()) >= 2 * words]
    chosen = draw.sample(long, min(2 * PLANTS, len(long) // 2 * 2))
    texts = [documents[row].text for row in draw.sample(range(len(documents)), 10)]
    for source, target in zip(chosen[::2], chosen[1::2], strict=True):
        of_source, of_target = documents[source].text.split(), documents[target].text.split()
        first = draw.randrange(len(of_source) - words + 1)
        piece = edit_words(" ".join(of_source[first : first + words]), rate, texts, draw)
        at = draw.randrange(len(of_target) + 1)
        text = " ".join([*of_target[:at], piece, *of_target[at:]])
        class_[target] = Document.from_text(text, name=documents[target].name)
        names = (Path(documents[row].name).name for row in (source, target))
        truth.append(frozenset(names))
    return class_, truth
