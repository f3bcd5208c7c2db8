"""Weights by hand: a table gives words a level from 1 to 5."""

from __future__ import annotations

import numpy as np

from ..errors import InvalidSettings
from ..model import F64, I64, CorpusStats, Features
from ..settings import Settings
from .frequency import tfidf
from .registry import weighting

LOWEST, HIGHEST = 1, 5


@weighting("levels")
def levels(features: Features, stats: CorpusStats, settings: Settings) -> F64:
    """Return the level of each entry, F64 (nnz,) of whole numbers 1 to 5.

    A word in `settings.levels` has that level. Any other gets the fifth of its document's
    distinct words that its TF-IDF falls into: 1 for the lowest fifth, 5 for the highest. Equal
    TF-IDF means equal level.

    Raises
    ------
    InvalidSettings
        A level of the table is not a whole number from 1 to 5.
    """
    given = _checked(settings)
    chosen = np.fromiter(
        (given.get(token, 0) for token in features.vocabulary),
        dtype=np.int64,
        count=len(features.vocabulary),
    )[features.token]
    default = _fifths(features.indptr, tfidf(features, stats, settings))
    return np.where(chosen > 0, chosen, default).astype(np.float64)


def _checked(settings: Settings) -> dict[str, int]:
    wrong: list[tuple[str, object, str]] = [
        ("levels", f"{word}={level}", f"{LOWEST} to {HIGHEST}")
        for word, level in settings.levels
        if not (isinstance(level, int) and LOWEST <= level <= HIGHEST)
    ]
    if wrong:
        raise InvalidSettings(wrong)
    return dict(settings.levels)


def _fifths(indptr: I64, values: F64) -> I64:
    """Return 1 + floor(5 * share of the row's entries that are smaller), int64 (nnz,)."""
    sizes = np.diff(indptr)
    row = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((values, row))
    ordered = values[order]
    first = np.ones(len(values), dtype=np.bool_)  # first of a run of equal values in one row
    first[1:] = (ordered[1:] != ordered[:-1]) | (row[1:] != row[:-1])
    position = np.arange(len(values), dtype=np.int64)
    smaller = np.maximum.accumulate(np.where(first, position, 0)) - indptr[:-1][row]
    result = np.empty(len(values), dtype=np.int64)
    result[order] = LOWEST + HIGHEST * smaller // sizes[row]
    return result
