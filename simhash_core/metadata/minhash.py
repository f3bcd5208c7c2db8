"""MinHash in a sound family and in the literal one of the source.

References
----------
Broder, On the resemblance and containment of documents, SEQUENCES 1997.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xxhash

from ..model import I64, U64

PRIME = (1 << 61) - 1
EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)  # no item: such a column equals nothing
LITERAL_MODULUS = LITERAL_FUNCTIONS = 100
_LOW = np.uint64(0xFFFFFFFF)


def item_hash(item: str) -> int:
    """Return the 64-bit hash of a set item."""
    return xxhash.xxh3_64_intdigest(item.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """h_i(x) = ((a_i x + b_i) mod (2^61 - 1)) with seeded a_i != 0, over 64-bit item hashes."""

    a: U64  # (K,) 1 .. 2^61 - 2
    b: U64  # (K,)

    @classmethod
    def seeded(cls, functions: int, *, seed: int = 1) -> Family:
        """Return `functions` members, the same ones for the same seed."""
        draw = np.random.default_rng(seed)
        a = draw.integers(1, PRIME, functions, dtype=np.uint64)
        return cls(a, draw.integers(0, PRIME, functions, dtype=np.uint64))

    def signature(self, items: U64) -> U64:
        """Return the smallest value of each function, uint64 (K,); `EMPTY` for an empty set."""
        if not len(items):
            return np.full(len(self.a), EMPTY)
        low = items % np.uint64(PRIME)
        smallest = np.empty(len(self.a), np.uint64)
        for row in range(len(self.a)):
            smallest[row] = _modular(_product(self.a[row], low) + self.b[row]).min()
        return smallest


def signatures(sets: Sequence[U64], *, functions: int = 128, seed: int = 1) -> U64:
    """Return one signature a set, uint64 (n, K)."""
    family = Family.seeded(functions, seed=seed)
    return np.array([family.signature(items) for items in sets], np.uint64).reshape(-1, functions)


def literal_signature(items: Sequence[int], *, functions: int = LITERAL_FUNCTIONS) -> I64:
    """Return the minima of h_i(x) = (x + i) mod 100, i = 1..100, as printed, int64 (K,).

    Notes
    -----
    All functions are cyclic shifts of each other, so this is no min-wise family: {0..9} against
    {5..14} gives 0.05 where the truth is 0.333, {0, 1} against {100, 1} gives 1. For replication.
    """
    shifted = np.asarray(items, np.int64)[None, :] + np.arange(1, functions + 1)[:, None]
    return np.asarray((shifted % LITERAL_MODULUS).min(axis=1))


def estimate(a: U64 | I64, b: U64 | I64, *, bits: int = 64) -> float:
    """Return the share of equal positions: an unbiased estimate of the Jaccard similarity.

    Standard error sqrt(J (1 - J) / K); nan where both sets are empty. Signatures that keep `bits`
    bits of each value agree by chance too: (match - 2^-bits) / (1 - 2^-bits) corrects for it.
    """
    if bits >= 64 and (a == EMPTY).all() and (b == EMPTY).all():
        return float("nan")
    match = float((a == b).mean())
    chance = 2.0**-bits if bits < 64 else 0.0
    return (match - chance) / (1.0 - chance)


def _product(a: np.uint64, x: U64) -> U64:
    """Return a x mod (2^61 - 1) of factors below 2^61, in halves that fit 64 bits."""
    half, middle = np.uint64(32), np.uint64(29)
    a_high, a_low = a >> half, a & _LOW
    x_high, x_low = x >> half, x & _LOW
    cross = a_high * x_low + a_low * x_high  # below 2^62
    # 2^64 = 8 and 2^61 = 1 (mod 2^61 - 1), so 2^32 c = (c >> 29) + ((c mod 2^29) << 32)
    low_part = np.uint64((1 << 29) - 1)
    total = _modular(a_high * x_high * np.uint64(8)) + (cross >> middle)
    return _modular(_modular(total + ((cross & low_part) << half)) + _modular(a_low * x_low))


def _modular(value: U64) -> U64:
    """Return values below 2^64 modulo 2^61 - 1."""
    prime = np.uint64(PRIME)
    folded = (value & prime) + (value >> np.uint64(61))
    return np.where(folded >= prime, folded - prime, folded)
