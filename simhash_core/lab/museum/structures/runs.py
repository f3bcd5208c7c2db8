"""What a search structure of the literature returns: the pairs, and what they took."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ....model import I64, U64, Bools, Pairs
from ....simhash.search.readable import Hits
from ....simhash.search.words import checked, group_equal, in_order, to_columns, valid_rows


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The pairs of one structure.

    Attributes
    ----------
    group : int64 (n,)   first row with the same fingerprint
    pairs : Pairs        between such first rows, distance at least 1
    compared : int       candidates whose distance was computed
    probes : int         look-ups of a key
    memory : int         bytes that the tables take beside the fingerprints
    largest : int        rows in the largest bucket
    split : int          buckets that were hashed a second time
    """

    group: I64
    pairs: Pairs
    compared: int
    probes: int
    memory: int
    largest: int = 0
    split: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """Distinct fingerprints as columns, and the way back to rows."""

    columns: U64  # (W, m)
    rows: I64  # (m,) first row of each
    group: I64  # (n,)

    @classmethod
    def of(cls, words: U64, bits: int, valid: Bools | None = None) -> Distinct:
        """Group equal words first: no key can tell them apart."""
        words = checked(words, bits)
        held = valid_rows(len(words), valid)
        columns = to_columns(words[held])
        equal = group_equal(columns)
        group = np.arange(len(words))
        group[held] = held[equal]
        first = np.flatnonzero(equal == np.arange(len(equal)))
        return cls(np.ascontiguousarray(columns[:, first]), held[first], group)

    def __len__(self) -> int:
        return len(self.rows)

    def pairs(self, hits: Iterable[Hits]) -> Pairs:
        """Return disjoint hits between columns as pairs of rows."""
        none = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint16))
        left, right, distance = zip(none, *hits, strict=True)
        a, b = self.rows[np.concatenate(left)], self.rows[np.concatenate(right)]
        n = len(self.group)
        return in_order(np.minimum(a, b), np.maximum(a, b), np.concatenate(distance), n)
