"""Possible translations of a batch and of a library as the columns of one result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..limits import Tail
from ..model import F32
from ..passages import significance
from ..policy import TRANSLATED_DECADE, TRANSLATED_SCORE
from ..result import Translations

_TYPES = (*(np.int64,) * 2, *(np.int32,) * 4, np.float32)

#: two rows of a batch or keys of a library, code points of both texts, score
Row = tuple[int, int, int, int, int, int, float]


@dataclass(frozen=True, slots=True, eq=False)
class ArchiveTranslations:
    """Passages of new texts that texts of a library may say in the other language.

    Attributes
    ----------
    rows : tuple of Row
        Row of the new text, key of the other; once the other is a document of the check, its row.
    best : float32 (m,)
        Best score of each pair that was aligned, 0 for none.
    possible : int
        All pairs of a new text and a text of the library in the other language.
    """

    rows: tuple[Row, ...]
    best: F32
    possible: int

    @classmethod
    def of(cls, parts: Sequence[ArchiveTranslations]) -> ArchiveTranslations:
        """Join parts."""
        return cls(
            tuple(row for part in parts for row in part.rows),
            np.concatenate([np.zeros(0, np.float32), *(part.best for part in parts)]),
            sum(part.possible for part in parts),
        )

    @property
    def others(self) -> list[int]:
        """The second of each pair, once each, ascending."""
        return sorted({row[1] for row in self.rows})

    def renamed(self, numbers: Mapping[int, int]) -> ArchiveTranslations:
        """Return the same with other numbers of the second texts, without those that have none."""
        rows = [(row[0], numbers[row[1]], *row[2:]) for row in self.rows if row[1] in numbers]
        return replace(self, rows=tuple(rows))


def as_result(
    rows: Sequence[Row], sample: F32, pairs: int, compared: int, possible: int
) -> Translations:
    """Return rows as columns, the lower row of each pair on the left.

    Parameters
    ----------
    sample
        Best scores of pairs that say what chance gives, for `pairs` of them.
    """
    ordered = sorted(
        row if row[0] < row[1] else (row[1], row[0], *row[4:6], *row[2:4], row[6]) for row in rows
    )
    columns = list(zip(*ordered, strict=True)) if ordered else [()] * len(_TYPES)
    left, right, a_start, a_end, b_start, b_end, score = (
        np.array(column, kind) for column, kind in zip(columns, _TYPES, strict=True)
    )
    places = a_start, a_end, b_start, b_end
    return Translations(left, right, *places, score, tail_of(sample, pairs), compared, possible)


def tail_of(best: F32, pairs: int) -> Tail | None:
    """Return how strong the findings of pairs below the threshold are, None for too few pairs.

    What is listed is left out: translations are what is looked for. Where many unrelated pairs
    are listed, those below them are strong as well, and the expected number says so.
    """
    below = best[best < TRANSLATED_SCORE]
    return significance.tail_of(
        below, np.zeros_like(below), pairs=pairs, per_decade=TRANSLATED_DECADE
    )
