"""Winnowed hashes: few hashes of a text, such that any long enough common run shares one.

A gram is a short run of tokens; of the hashes of all grams a text keeps those that are smallest
in a window, and two texts are compared by how many of these they have in common.

References
----------
S. Schleimer, D. Wilkerson, A. Aiken: Winnowing: Local Algorithms for Document Fingerprinting.
SIGMOD 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..machine.compiled import Table
from ..machine.memory import sizes_of
from ..model import F32, I32, I64, U64
from ..policy import MIN_RUN
from .exact import LOOPS


@dataclass(frozen=True, slots=True, eq=False)
class Winnowed:
    """Winnowed hashes of one text, sorted and unique; one occurrence is tokens [first, last)."""

    value: U64
    first: I32
    last: I32

    def __len__(self) -> int:
        return len(self.value)


@dataclass(frozen=True, slots=True)
class Rule:
    """Which grams are hashed and how densely they are selected.

    A Han character weighs 1, a word 2; a gram is the shortest run from a token on that weighs
    at least `weight`: 8 characters or 4 words by default, and mixed text needs no special case.
    """

    weight: int
    window_han: int
    window_words: int

    @classmethod
    def of(cls, min_run: int = MIN_RUN) -> Rule:
        """Return the rule that guarantees runs of `min_run` Han, 8/13 of it in words."""
        weight = max(4, round(min_run * 8 / 13) // 2 * 2)
        window = max(2, min_run - weight + 1)
        return cls(weight, window, max(1, window - 1))

    @property
    def run_han(self) -> int:
        """Every common run of this many Han characters shares a winnowed hash."""
        return self.weight + self.window_han - 1

    @property
    def run_words(self) -> int:
        """Every common run of this many words shares a winnowed hash."""
        return self.weight // 2 + self.window_words - 1


def containment(a: Winnowed, b: Winnowed) -> float:
    """Return the share of the smaller set that both have in common; nan where one is empty."""
    fewer = min(len(a), len(b))
    if fewer == 0:
        return float("nan")
    return len(np.intersect1d(a.value, b.value, assume_unique=True)) / fewer


def containment_of_pairs(texts: Sequence[Winnowed], left: I64, right: I64) -> F32:
    """Return `containment` of many pairs of rows, float32 (m,)."""
    values, indptr = _flat(texts)
    size = np.diff(indptr)
    sides, shared = map(np.ascontiguousarray, (left, right)), np.empty(len(left), np.int64)
    LOOPS.count_common(values, indptr, *sides, len(left), shared)
    fewer = np.minimum(size[left], size[right])
    shares = np.full(len(left), np.nan, np.float32)
    np.divide(shared, fewer, out=shares, where=fewer > 0, casting="unsafe")
    return shares


def _flat(texts: Sequence[Winnowed]) -> tuple[U64, I64]:
    indptr = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(sizes_of(texts), out=indptr[1:])
    values = np.concatenate([t.value for t in texts]) if texts else np.empty(0, np.uint64)
    return values, indptr


def pairs_sharing(
    hashes: I64, indptr: I64, post: I64, post_indptr: I64, size: I64, rows: int, share: float
) -> I64:
    """Return pairs (m, 2) left < right of documents that share `share` of the smaller set.

    Row i holds the hashes `hashes[indptr[i]:indptr[i + 1]]`, numbered 0, 1, ...; hash h occurs in
    the documents `post[post_indptr[h]:post_indptr[h + 1]]`, ascending. Only left < `rows`; the
    sets have `size` elements. Left ascends; the pairs of one document are in no order.
    """
    pairs = Table(np.int64, 2)
    LOOPS.pairs_sharing(hashes, indptr, post, post_indptr, size, len(size), rows, share, pairs)
    return pairs.taken()
