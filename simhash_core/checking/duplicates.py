"""Texts that are nearly the same as wholes: sketches find which may be alike, shingles decide.

A shingle is five characters in a row of the normalised text, so that case, width, script and white
space count nowhere. A sketch [1]_ has `BINS` numbers: the hash of a shingle chooses one of them,
which is the least that came. Texts that agree in all numbers of one band are candidates [2]_.

References
----------
.. [1] P. Li, A. Owen, C.-H. Zhang, "One permutation hashing", NIPS (2012). An empty bin takes the
   number of the next full one: A. Shrivastava, P. Li, "Densifying one permutation hashing via
   rotation for fast near neighbor search", ICML (2014).
.. [2] A. Broder, "On the resemblance and containment of documents", Sequences (1997).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b

import numpy as np

from ..graphs import component_labels
from ..machine.memory import cut_batches
from ..model import I64, U32, U64, Bools, Progress
from ..text.flat import flatten

SHINGLE = 5  # characters
BINS = 128  # numbers of a sketch, a power of two
MISSED = 1e-4  # share of the pairs of the least similarity that may agree in no band
DEVIATIONS = 3  # that an estimate may lie below the least similarity before its pair is dropped
_EMPTY = np.uint32(2**32 - 1)
_TEXTS, _CHARACTERS = 512, 2**17  # at once, so that arrays stay in the cache of a processor
_PAIRS = 256  # compared at once


def group_near_duplicates(
    n: int, text_of: Callable[[int], str], *, similarity: float, step: Progress
) -> list[list[int]]:
    """Return groups of texts that are alike, directly or through others between them.

    Parameters
    ----------
    n
        Number of texts.
    text_of
        Gives a text by its row. Each is asked for once in order, then again for every batch of
        pairs in which it may be alike: none is kept. Those without a letter or digit are in no
        group; of those that are shorter than a shingle only copies are found.
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
    r is the largest that misses at most `MISSED` of the pairs at `similarity`, 5 at .8; an estimate
    too low by chance loses .0013 of these. What is found was counted. Cost: linear in characters,
    and in the pairs of a band that no group joins yet; memory 512 bytes a text.
    """
    copies: dict[bytes, list[int]] = {}  # of each text, by its digest

    def take_distinct() -> Iterator[str]:
        for row, text in enumerate(map(text_of, range(n))):
            if any(map(str.isalnum, text)):
                digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
                rows = copies.setdefault(digest, [])
                rows.append(row)
                if len(rows) == 1:
                    yield text

    least, filled = _sketch_texts(take_distinct(), n, step)
    distinct = [rows[0] for rows in copies.values()]
    label = _join_alike(least, filled, lambda row: text_of(distinct[row]), similarity, step)
    joined: dict[int, list[int]] = {}
    for at, rows in zip(label.tolist(), copies.values(), strict=True):
        joined.setdefault(at, []).extend(rows)
    return sorted(sorted(rows) for rows in joined.values() if len(rows) > 1)


def _join_alike(
    least: U32, filled: I64, text_of: Callable[[int], str], similarity: float, step: Progress
) -> I64:
    """Return the group of each of n distinct texts, int64 (n,), named by its first row."""
    n = len(least)
    width = max(r for r in range(1, 9) if r == 1 or (1 - similarity**r) ** (BINS // r) <= MISSED)
    bands = BINS // width
    label = np.arange(n)
    unlike = np.array([-1])  # pairs whose shingles were counted in vain, ascending
    for band in range(bands):
        step("pairs", band, bands)
        key = np.zeros(n, np.uint64)
        # its numbers lie far apart: in the sketch of a short text those side by side are the same
        for numbers in least[:, band::bands].T[:width]:
            key = (key ^ numbers) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(32)
        order = np.argsort(key, kind="stable")
        order = order[filled[order] > 0]
        found_unlike = [unlike]
        for gap in range(1, n):
            order = _drop_joined(order, key, label)
            same = key[order[gap:]] == key[order[:-gap]]
            if not same.any():
                break
            left, right = order[:-gap][same], order[gap:][same]
            pair = left * n + right
            known = unlike[np.searchsorted(unlike, pair, side="right") - 1] == pair
            fresh = (label[left] != label[right]) & ~known
            fresh[fresh] = _may_be_alike(least, filled, left[fresh], right[fresh], similarity)
            left, right, pair = left[fresh], right[fresh], pair[fresh]
            pairs = list(zip(left.tolist(), right.tolist(), strict=True))
            alike = _are_alike(text_of, pairs, similarity)
            found_unlike.append(pair[~alike])
            label = component_labels(label[left[alike]], label[right[alike]], n)[label]
        unlike = np.sort(np.concatenate(found_unlike))
    return label


def _drop_joined(order: I64, key: U64, label: I64) -> I64:
    """Drop of rows in the order of their keys those of a key that one group alone has."""
    starts = np.flatnonzero(np.diff(key[order], prepend=~key[order[:1]]))
    groups = label[order]
    mixed = np.minimum.reduceat(groups, starts) != np.maximum.reduceat(groups, starts)
    kept: I64 = order[np.repeat(mixed, np.diff(starts, append=len(order)))]
    return kept


def _sketch_texts(texts: Iterable[str], most: int, step: Progress) -> tuple[U32, I64]:
    """Return a sketch of each text, uint32 (n, BINS), and how many of its bins a shingle chose."""
    least, filled = np.empty((most, BINS), np.uint32), np.empty(most, np.int64)
    done = 0
    for batch in cut_batches(texts, len, most=_TEXTS, largest=_CHARACTERS):
        step("fingerprints", done, most)
        hashes, row = _hash_shingles(batch)
        part = np.full((len(batch), BINS), _EMPTY)
        np.minimum.at(part.reshape(-1), row * BINS + (hashes & (BINS - 1)), hashes // BINS)
        full = np.where(part == _EMPTY, 2 * BINS, np.arange(BINS))
        twice = np.concatenate([full, full + BINS], axis=1)
        following = np.minimum.accumulate(twice[:, ::-1], axis=1)[:, : BINS - 1 : -1]
        here = slice(done, done + len(batch))
        least[here] = np.take_along_axis(part, following % BINS, axis=1)
        filled[here] = np.count_nonzero(full < BINS, axis=1)
        done += len(batch)
    return least[:done], filled[:done]


def _may_be_alike(least: U32, filled: I64, left: I64, right: I64, similarity: float) -> Bools:
    """Return which pairs of rows agree in so many numbers that they may be alike."""
    agreed = np.empty(len(left))
    for at in range(0, len(left), _TEXTS):
        part = slice(at, at + _TEXTS)
        agreed[part] = (least[left[part]] == least[right[part]]).mean(axis=1)
    deviation = np.sqrt(similarity * (1 - similarity) / np.minimum(filled[left], filled[right]))
    return np.asarray(agreed >= similarity - DEVIATIONS * deviation)


def _are_alike(
    text_of: Callable[[int], str], pairs: list[tuple[int, int]], similarity: float
) -> Bools:
    """Return which pairs of rows are as similar by their shingles as wanted."""
    alike = []
    for at in range(0, len(pairs), _PAIRS):
        some = pairs[at : at + _PAIRS]
        held: dict[int, U32] = {}
        named = ((row, text_of(row)) for row in sorted({row for pair in some for row in pair}))
        for batch in cut_batches(named, lambda one: len(one[1]), most=_TEXTS, largest=_CHARACTERS):
            rows, texts = zip(*batch, strict=True)
            hashes, row = _hash_shingles(texts)
            codes = np.sort(row.astype(np.uint64) << np.uint64(32) | hashes)
            codes = codes[np.diff(codes, prepend=~codes[:1]) != 0]
            ends = np.searchsorted(codes >> np.uint64(32), np.arange(1, len(texts)))
            held |= zip(rows, np.split(codes.astype(np.uint32), ends), strict=True)
        for a, b in some:
            both = len(np.intersect1d(held[a], held[b], assume_unique=True))
            alike.append(both >= similarity * (len(held[a]) + len(held[b]) - both))
    return np.array(alike, bool)


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
