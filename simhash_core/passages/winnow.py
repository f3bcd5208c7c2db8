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
from typing import NamedTuple

import numpy as np

from ..machine.compiled import Table
from ..machine.memory import sizes_of
from ..model import F32, I32, I64, U64, Bools
from ..policy import MIN_RUN, NEARLY_WHOLE, WITNESSES
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
    Common runs of `weight + window_han - 1` Han, `weight / 2 + window_words - 1` words share one.
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


def containment(a: Winnowed, b: Winnowed) -> float:
    """Return the share of the smaller set that both have in common; nan where one is empty."""
    fewer = min(len(a), len(b))
    if fewer == 0:
        return float("nan")
    return len(np.intersect1d(a.value, b.value, assume_unique=True)) / fewer


def containment_of_pairs(texts: Sequence[Winnowed], left: I64, right: I64) -> F32:
    """Return `containment` of many pairs of rows, float32 (m,)."""
    size = sizes_of(texts)
    indptr = np.concatenate([[0], np.cumsum(size)])
    values = np.concatenate([np.empty(0, np.uint64), *(text.value for text in texts)])
    sides, shared = map(np.ascontiguousarray, (left, right)), np.empty(len(left), np.int64)
    LOOPS.count_common(values, indptr, *sides, len(left), shared)
    fewer = np.minimum(size[left], size[right])
    shares = np.full(len(left), np.nan, np.float32)
    np.divide(shared, fewer, out=shares, where=fewer > 0, casting="unsafe")
    return shares


class HeldHashes(NamedTuple):
    """The winnowed hashes of some texts, in the order of the texts and then of the hashes.

    text : int64 (h,)       place of the text, 0, 1, ...
    number : int64 (h,)     of the hash, 0, 1, ...
    held : int64 (h,)       texts that hold it
    witness : bool (h,)     whether this text is one of the first that do (`mark_witnesses`)
    """

    text: I64
    number: I64
    held: I64
    witness: Bools


def mark_witnesses(number: I64, text: I64, *, references: int) -> Bools:
    """Return which rows are of the first `WITNESSES` texts of a kind with a hash, bool (h,).

    Texts from place `references` on are of another kind. `text` ascends.
    """
    kind = 2 * number + (text >= references)
    order = np.argsort(kind, kind="stable")
    begins = np.flatnonzero(np.diff(kind[order], prepend=-1))
    rank = np.arange(len(kind)) - np.repeat(begins, np.diff(begins, append=len(kind)))
    witness = np.empty(len(kind), np.bool_)
    witness[order] = rank < WITNESSES
    return witness


#: at most so many texts hold a hash that not yet many hold, and one that is followed
HolderLimits = tuple[int, int]


def pairs_sharing(
    hashes: HeldHashes,
    size: I64,
    share: float,
    limits: HolderLimits,
    *,
    left: int,
    right: int,
    references: int,
) -> I64:
    """Return the pairs (m, 2) of texts that are worth aligning by their hashes, left < right.

    Of the first `left` texts with those from place `right` on. Texts have `size` hashes; those from
    place `references` on are of another kind. Left ascends; the pairs of one text are in no order.

    Notes
    -----
    `share` of the smaller set must be in common, in hashes that not many texts hold. With those
    that many hold it is enough where they are `NEARLY_WHOLE` of the smaller set, or where one of
    the texts is a witness of one. Hashes that are not followed are looked up for witnesses alone.
    """
    mine, theirs = hashes.text < left, hashes.text >= right
    number, holder = hashes.number[theirs], hashes.text[theirs]
    held = np.zeros(numbers := int(hashes.number.max(initial=-1)) + 1, np.int64)
    held[hashes.number] = hashes.held
    ends = np.cumsum(np.bincount(number, minlength=numbers))
    behind = np.bincount(number[holder >= references], minlength=numbers)
    pairs = Table(np.int64, 2)
    LOOPS.pairs_sharing(
        hashes.number[mine],
        hashes.witness[mine],
        np.searchsorted(hashes.text[mine], np.arange(left + 1)),
        holder[np.argsort(number, kind="stable")],
        np.concatenate([[0], ends]),
        ends - behind,
        held,
        size,
        len(size),
        left,
        LOOPS.Sharing(share, NEARLY_WHOLE, *limits, WITNESSES),
        pairs,
    )
    return pairs.taken()
