"""Texts that are nearly the same as wholes: sketches find which may be alike, shingles decide.

A shingle is five characters in a row of the normalised text, so that case, width, script and white
space count nowhere. One pass keeps a sketch of each text [1]_: the hash of a shingle chooses one of
`BINS` numbers, which is the least that came. Texts that agree in all numbers of one band are
candidates [2]_; whether they are alike is counted from their shingles, never estimated.

References
----------
.. [1] P. Li, A. Owen, C.-H. Zhang, "One permutation hashing", NIPS (2012). An empty bin takes the
   number of the next full one: A. Shrivastava, P. Li, "Densifying one permutation hashing via
   rotation for fast near neighbor search", ICML (2014).
.. [2] A. Broder, "On the resemblance and containment of documents", Sequences (1997).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from ..graphs import component_labels
from ..machine.memory import cut_batches
from ..model import I64, U32, U64, Bools, Progress
from ..text.flat import flatten

SHINGLE = 5  # characters
BINS = 128  # numbers of a sketch, a power of two
MISSED = 1e-4  # share of the pairs of the least similarity that may agree in no band
_EMPTY = np.uint32(2**32 - 1)
_DEVIATIONS = 4  # that an estimate may lie below the least similarity before its pair is dropped
_CHARACTERS, _TEXTS = 2**18, 2_048  # at once, so that arrays stay in the cache of a processor
_PAIRS = 1_024  # of which shingles, or sketches, are looked at together


def group_near_duplicates(
    texts: Sequence[str], *, similarity: float, step: Progress
) -> list[list[int]]:
    """Return groups of texts that are alike, directly or through others between them.

    Parameters
    ----------
    texts
        Of those that are shorter than a shingle only copies are found.
    similarity
        The least Jaccard similarity of the sets of shingles of two texts, above 0.
    step
        Called as step("fingerprints", texts done, texts), then as step("pairs", bands done, bands).

    Returns
    -------
    list of list of int
        Rows of two texts or more, ascending; groups by their first row.

    Notes
    -----
    A pair of similarity s agrees in one of b bands of r numbers with probability 1 - (1 - s^r)^b:
    r is the largest that misses at most `MISSED` of the pairs at `similarity`, 5 at .8.

    Cost: linear in characters, and in the pairs of a band that no group joins yet; memory 512
    bytes a text, and the shingles of 2,048 texts.
    """
    copies: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        copies.setdefault(text, []).append(row)
    joined: dict[int, list[int]] = {}
    label = _join_alike(list(copies), similarity, step)
    for at, rows in zip(label.tolist(), copies.values(), strict=True):
        joined.setdefault(at, []).extend(rows)
    return sorted(sorted(rows) for rows in joined.values() if len(rows) > 1)


def _join_alike(texts: Sequence[str], similarity: float, step: Progress) -> I64:
    """Return the group of each of n distinct texts, int64 (n,), named by its first row."""
    n, sketches = len(texts), _Sketches.of(texts, similarity, step)
    width = max(r for r in range(1, 9) if r == 1 or (1 - similarity**r) ** (BINS // r) <= MISSED)
    bands = BINS // width
    label = np.arange(n)
    unlike = np.zeros(0, np.int64)  # pairs whose shingles were counted in vain
    for band in range(bands):
        step("pairs", band, bands)
        # its numbers lie far apart: in the sketch of a short text those side by side are the same
        key = _hash_rows(sketches.least[:, band::bands][:, :width])
        order = np.argsort(key, kind="stable")
        order = order[sketches.filled[order] > 0]
        for gap in count(1):
            order = _in_mixed_buckets(order, key, label)
            same = key[order[gap:]] == key[order[:-gap]]
            if not same.any():
                break
            left, right = order[:-gap][same], order[gap:][same]
            fresh = (label[left] != label[right]) & ~np.isin(left * n + right, unlike)
            fresh[fresh] = sketches.may_be_alike(left[fresh], right[fresh])
            left, right = left[fresh], right[fresh]
            alike = sketches.are_alike(left, right)
            unlike = np.append(unlike, (left * n + right)[~alike])
            label = component_labels(label[left[alike]], label[right[alike]], n)[label]
    return label


def _in_mixed_buckets(order: I64, key: U64, label: I64) -> I64:
    """Keep the rows, sorted by key, of every key that rows of several groups have."""
    if not len(order):
        return order
    starts = np.flatnonzero(np.append(True, np.diff(key[order]) != 0))
    groups = label[order]
    mixed = np.minimum.reduceat(groups, starts) != np.maximum.reduceat(groups, starts)
    kept: I64 = order[np.repeat(mixed, np.diff(np.append(starts, len(order))))]
    return kept


@dataclass(frozen=True, slots=True, eq=False)
class _Sketches:
    """What is kept of n texts.

    Attributes
    ----------
    texts
    similarity
        The least of two texts that are alike.
    least : uint32 (n, BINS)
        The least hash in every bin.
    filled : int64 (n,)
        Bins with a hash of their own.
    """

    texts: Sequence[str]
    similarity: float
    least: U32
    filled: I64

    @classmethod
    def of(cls, texts: Sequence[str], similarity: float, step: Progress) -> _Sketches:
        """Make the sketches of some texts; a text without a shingle has an empty one."""
        least = np.full((len(texts), BINS), _EMPTY, np.uint32)
        done = 0
        for batch in cut_batches(texts, len, most=_TEXTS, largest=_CHARACTERS):
            step("fingerprints", done, len(texts))
            hashes, row = _hash_shingles(batch)
            part = least[done : done + len(batch)]
            np.minimum.at(part.reshape(-1), row * BINS + hashes % BINS, hashes // BINS)
            done += len(batch)
        filled = np.count_nonzero(least != _EMPTY, axis=1)
        sparse = np.flatnonzero((filled > 0) & (filled < BINS))
        for rows in np.array_split(sparse, len(sparse) // _TEXTS + 1):
            least[rows] = _fill_empty_bins(least[rows])
        return cls(texts, similarity, least, filled)

    def may_be_alike(self, left: I64, right: I64) -> Bools:
        """Return which pairs of rows agree in so many numbers that they may be alike."""
        agreed = np.zeros(len(left))
        for at in range(0, len(left), _PAIRS):
            part = slice(at, at + _PAIRS)
            agreed[part] = (self.least[left[part]] == self.least[right[part]]).mean(axis=1)
        drawn = np.minimum(self.filled[left], self.filled[right])
        deviation = np.sqrt(self.similarity * (1 - self.similarity) / drawn)
        return np.asarray(agreed >= self.similarity - _DEVIATIONS * deviation)

    def are_alike(self, left: I64, right: I64) -> Bools:
        """Return which pairs of rows are as similar by their shingles as they must be."""
        alike = np.zeros(len(left), bool)
        for at in range(0, len(left), _PAIRS):
            ends = left[at : at + _PAIRS], right[at : at + _PAIRS]
            rows = np.unique(np.concatenate(ends)).tolist()
            shingles = dict(
                zip(rows, _shingle_sets([self.texts[row] for row in rows]), strict=True)
            )
            for pair, (a, b) in enumerate(zip(*(end.tolist() for end in ends), strict=True), at):
                sizes = len(shingles[a]) + len(shingles[b])
                both = np.intersect1d(shingles[a], shingles[b], assume_unique=True)
                alike[pair] = len(both) >= self.similarity * (sizes - len(both))
        return alike


def _fill_empty_bins(least: U32) -> U32:
    """Give each empty bin the number of the next full one, behind the last the first."""
    full = np.where(least == _EMPTY, 2 * BINS, np.arange(BINS))
    twice = np.concatenate([full, full + BINS], axis=1)
    following = np.minimum.accumulate(twice[:, ::-1], axis=1)[:, : BINS - 1 : -1]
    return np.take_along_axis(least, following % BINS, axis=1)


def _shingle_sets(texts: Sequence[str]) -> Iterator[U32]:
    """Yield the distinct hashes of each text, which has some, ascending."""
    for batch in cut_batches(texts, len, most=_TEXTS, largest=_CHARACTERS):
        hashes, row = _hash_shingles(batch)
        ends = np.searchsorted(row, np.arange(1, len(batch)))
        for held in map(np.sort, np.split(hashes, ends)):  # `np.unique` takes ten times as long
            yield held[np.append(True, held[1:] != held[:-1])]


def _hash_shingles(texts: Sequence[str]) -> tuple[U32, I64]:
    """Return the hash of every shingle of some texts, and which text it is of, ascending."""
    flat = flatten(texts)
    code = np.where(flat.code == ord("\n"), ord(" "), flat.code).astype(np.uint32)
    row = np.repeat(np.arange(len(texts)), np.diff(flat.indptr))
    size = max(0, len(code) - SHINGLE + 1)
    hashes = np.zeros(size, np.uint32)
    for place in range(SHINGLE):
        hashes *= np.uint32(0x9E3779B1)
        hashes += code[place : place + size]
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):  # the end of MurmurHash3
        hashes ^= hashes >> np.uint32(shift)
        hashes *= np.uint32(factor)
    inside = row[:size] == row[SHINGLE - 1 :]
    return hashes[inside], row[:size][inside]


def _hash_rows(numbers: U32) -> U64:
    """Return one hash for the numbers of each row, uint64 (n,)."""
    key = np.zeros(len(numbers), np.uint64)
    for column in numbers.T:
        key = (key ^ column) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(32)
    return key
