"""The segments of a library as one collection that can be searched."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..model import I64, Bools
from .segments import Segment, UnitPostings


class Archive:
    """The segments of an archive as one, and which of their texts may be found.

    Parameters
    ----------
    segments
        In the order of their keys.
    admitted : int64 (a,)
        Keys, ascending: of other texts nothing is returned.
    """

    def __init__(self, segments: Sequence[Segment], admitted: I64) -> None:
        self.segments = segments
        self.first = np.concatenate(
            [[0], np.cumsum([len(one) for one in segments], dtype=np.int64)]
        )
        self.key = joined([one.key for one in segments], np.int64)
        at = np.minimum(np.searchsorted(admitted, self.key), max(len(admitted) - 1, 0))
        inside = admitted[at] == self.key if len(admitted) else np.zeros(len(self.key), np.bool_)
        self.admitted: Bools = np.asarray(inside)

    def __len__(self) -> int:
        """Texts that may be found."""
        return int(np.count_nonzero(self.admitted))

    def units(self, unit: str) -> list[UnitPostings]:
        """Return the postings of one unit in every segment."""
        return [segment.units[unit] for segment in self.segments]

    def admitted_of(self, number: int) -> Bools:
        """Return which rows of a segment may be found."""
        return self.admitted[self.first[number] : self.first[number + 1]]

    def texts_in(self, language: str) -> int:
        """Return how many texts of one language may be found."""
        return sum(
            int(np.count_nonzero(self.admitted_of(number)[of_unit.row]))
            for number, of_unit in enumerate(self.units(language))
        )


def joined(parts: Sequence[np.ndarray], kind: type) -> np.ndarray:
    """Return arrays one after the other, an empty one of `kind` where there are none."""
    return np.concatenate([np.empty(0, kind), *parts])
