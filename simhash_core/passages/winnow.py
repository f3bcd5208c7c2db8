"""Winnowed hashes: few hashes of a text, such that any long enough common run shares one.

A gram is a short run of tokens; of the hashes of all grams a text keeps those that are smallest
in a window, and two texts are compared by how many of these they have in common. `winnow_texts`,
`count_common`, `count_shared` and `pairs_sharing` are the readable form of compiled loops.

References
----------
S. Schleimer, D. Wilkerson, A. Aiken: Winnowing: Local Algorithms for Document Fingerprinting.
SIGMOD 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..machine.memory import sizes_of
from ..model import F32, I32, I64, U64, Bools
from ..policy import MIN_RUN
from .exact import with_room
from .twins import loops

BASE = np.uint64(0xD1342543DE82EF95)


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
    shared = loops.count_common(values, indptr, *map(np.ascontiguousarray, (left, right)))
    fewer = np.minimum(size[left], size[right])
    shares = np.full(len(left), np.nan, np.float32)
    np.divide(shared, fewer, out=shares, where=fewer > 0, casting="unsafe")
    return shares


def _flat(texts: Sequence[Winnowed]) -> tuple[U64, I64]:
    indptr = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(sizes_of(texts), out=indptr[1:])
    values = np.concatenate([t.value for t in texts]) if texts else np.empty(0, np.uint64)
    return values, indptr


def gram_hashes(token: U64, single: Bools, weight: int) -> tuple[U64, I32]:
    """Hash the gram that begins at each token; return hashes and ends where one fits."""
    n = len(token)
    if n == 0:
        return np.empty(0, np.uint64), np.empty(0, np.int32)
    total = np.concatenate([[0], np.cumsum(np.where(single, 1, 2))])
    last = np.searchsorted(total, total[:-1] + weight)
    fits = int(np.searchsorted(last, n, side="right"))
    last = last[:fits].astype(np.int32)
    value = np.zeros(fits, np.uint64)
    place = np.arange(fits)
    for shift in range(weight):
        inside = place + shift < last
        grown = value * BASE + token[np.minimum(place + shift, n - 1)]
        value = np.where(inside, grown, value)
    value ^= value >> np.uint64(29)
    value *= np.uint64(0xBF58476D1CE4E5B9)
    return np.asarray(value ^ (value >> np.uint64(32))), np.asarray(last, np.int32)


def smallest(value: U64, last: I32, window: int) -> tuple[U64, I32, I32]:
    """Return the distinct grams that are the smallest of a window: hash, first and last token."""
    if not len(value):
        none = np.empty(0, np.int32)
        return value, none, none
    least = value.copy()
    for shift in range(1, min(window, len(value))):
        least = np.minimum(least[:-1], value[shift:])
    chosen, place = np.unique(value, return_index=True)
    is_smallest = np.isin(chosen, least)
    first = place[is_smallest].astype(np.int32)
    return chosen[is_smallest], first, last[first]


def winnow_texts(
    token: U64,
    single: Bools,
    ptr: I64,
    window: I64,
    weight: int,
    hashes: U64,
    ends_of: I32,
    slots: I64,
    value: U64,
    first: I32,
    last: I32,
    ends: I64,
) -> None:
    """Winnow texts that lie one after the other; the readable twin of the compiled loop.

    Parameters
    ----------
    token, single, ptr
        Tokens of all texts; those of text i are ptr[i] to ptr[i + 1].
    window : int64 (n,)
        Of each text.
    hashes, ends_of, slots
        Room to work in, for the longest text; slots int64 (2^k,), more than twice as long.
    value, first, last : (tokens,), written
        The selected hashes of each text, in any order.
    ends : int64 (n + 1,), written
        Text i has value[ends[i]:ends[i + 1]].
    """
    for text in range(len(ptr) - 1):
        span = slice(int(ptr[text]), int(ptr[text + 1]))
        chosen = smallest(*gram_hashes(token[span], single[span], weight), int(window[text]))
        at = int(ends[text])
        end = at + len(chosen[0])
        value[at:end], first[at:end], last[at:end] = chosen
        ends[text + 1] = end


def count_common(values: U64, indptr: I64, left: I64, right: I64) -> I64:
    """Return how many values two sorted rows of a CSR share, int64 (m,)."""
    shared = np.zeros(len(left), np.int64)
    for m in range(len(left)):
        i, i_end = indptr[left[m]], indptr[left[m] + 1]
        j, j_end = indptr[right[m]], indptr[right[m] + 1]
        while i < i_end and j < j_end:
            if values[i] < values[j]:
                i += 1
            elif values[j] < values[i]:
                j += 1
            else:
                shared[m] += 1
                i += 1
                j += 1
    return shared


def pairs_sharing(
    hashes: I64, indptr: I64, post: I64, post_indptr: I64, size: I64, rows: int, share: float
) -> I64:
    """Return pairs (m, 2) left < right of documents that share `share` of the smaller set.

    Row i holds the hashes `hashes[indptr[i]:indptr[i + 1]]`, numbered 0, 1, ...; hash h occurs in
    the documents `post[post_indptr[h]:post_indptr[h + 1]]`, ascending. Only left < `rows`; the
    sets have `size` elements. Left ascends; the pairs of one document are in no order.
    """
    shared = np.zeros(len(size), np.int64)
    pairs, count = np.empty((64, 2), np.int64), 0
    for i in range(rows):
        for j in count_shared(hashes[indptr[i] : indptr[i + 1]], post, post_indptr, i, shared):
            if shared[j] >= share * min(size[i], size[j]):
                pairs = with_room(pairs, count)
                pairs[count, 0], pairs[count, 1] = i, j
                count += 1
            shared[j] = 0
    return pairs[:count]


def count_shared(hashes: I64, post: I64, post_indptr: I64, row: int, shared: I64) -> I64:
    """Count into `shared` how many of these hashes each later document holds; return those."""
    later, count = np.empty(len(shared), np.int64), 0
    for h in hashes:
        for q in range(post_indptr[h + 1] - 1, post_indptr[h] - 1, -1):
            j = post[q]
            if j <= row:
                break
            if shared[j] == 0:
                later[count] = j
                count += 1
            shared[j] += 1
    return later[:count]
