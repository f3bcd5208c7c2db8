"""Slow and obvious versions of the searches, and fingerprints to try them on."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from simhash_core.model import I64, U64


def close_pairs(words: U64, k: int) -> list[tuple[int, int, int]]:
    """Return (i, j, distance) of all pairs i < j within k bits, one by one."""
    rows = [int.from_bytes(row.tobytes(), "little") for row in words]
    return [
        (i, j, (rows[i] ^ rows[j]).bit_count())
        for i in range(len(rows))
        for j in range(i + 1, len(rows))
        if (rows[i] ^ rows[j]).bit_count() <= k
    ]


def close_arrays(words: U64, k: int) -> tuple[I64, I64, I64]:
    """Return the same as arrays, a row of the distance matrix at a time."""
    found = []
    for i in range(len(words) - 1):
        distance = np.bitwise_count(words[i + 1 :] ^ words[i]).sum(axis=1, dtype=np.int64)
        near = np.flatnonzero(distance <= k)
        found.append((np.full(len(near), i), near + i + 1, distance[near]))
    left, right, distance = (np.concatenate(column) for column in zip(*found, strict=True))
    return left, right, distance


def first_rows(words: U64) -> list[int]:
    """Return for each row the first row with the same words."""
    seen: dict[bytes, int] = {}
    return [seen.setdefault(row.tobytes(), i) for i, row in enumerate(words)]


def uniform(n: int, bits: int, seed: int, planted: float = 0.01) -> U64:
    """Random words, a share of them copies of others with up to 4 bits flipped."""
    random = np.random.default_rng(seed)
    words = random.integers(0, 2**64, (n, bits // 64), dtype=np.uint64)
    copies = random.choice(n, int(n * planted), replace=False)
    words[copies] = words[random.integers(0, n, len(copies))]
    return flipped(words, copies, 4, random)


def skewed(n: int, bits: int, seed: int) -> U64:
    """Biased bits, and a fifth of the rows in families of Zipf sizes that differ by few bits."""
    random = np.random.default_rng(seed)
    bias = random.beta(2, 2, bits)
    drawn = np.packbits(random.random((n, bits)) < bias, axis=1)
    words = np.ascontiguousarray(drawn).view(np.uint64)
    members = np.arange(n - n // 5, n)
    family = np.minimum(random.zipf(1.5, len(members)), n // 5)
    words[members] = words[family]
    return flipped(words, members, 4, random)


def flipped(words: U64, rows: I64, most: int, random: np.random.Generator) -> U64:
    """Flip up to `most` random bits of each of the rows."""
    for _ in range(most):
        chosen = rows[random.random(len(rows)) < 0.5]
        word = random.integers(0, words.shape[1], len(chosen))
        words[chosen, word] ^= np.uint64(1) << random.integers(0, 64, len(chosen), dtype=np.uint64)
    return words


@st.composite
def fingerprints(draw: st.DrawFn, *, most: int = 60) -> tuple[U64, int]:
    """Words of any width: few centres, few flips, so that duplicates and close pairs are common.

    Among the centres are 0, all ones, and the top bit alone: signed numbers would be negative.
    """
    bits = draw(st.sampled_from([8, 16, 24, 32, 64, 128, 192, 256]))
    n = draw(st.integers(0, most))
    centres = draw(st.integers(1, max(1, n)))
    flips = draw(st.integers(0, 6))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    wide = max(1, bits // 64)
    words = random.integers(0, 2**64, (centres, wide), dtype=np.uint64)
    extremes = np.array([0, 2**64 - 1, 2**63], np.uint64)[: draw(st.integers(0, min(3, centres)))]
    words[: len(extremes)] = extremes[:, np.newaxis]
    if draw(st.booleans()):  # leading blocks equal everywhere: every bucket is overloaded
        words[:, 0] &= np.uint64(0xFF)
    words = flipped(words[random.integers(0, centres, n)], np.arange(n), flips, random)
    if bits < 64:
        words &= np.uint64((1 << bits) - 1)
    return words, bits
