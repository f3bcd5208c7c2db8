"""Token -> bits: a family of hash functions over a vocabulary.

Each returns uint64 (v, W) in the layout of `model.Fingerprints`: bit 0 is the most significant
bit of word 0; fewer than 64 bits are the low bits of one word. The default is fast and mixes
well; the others exist so that fingerprints of other programs can be made bit for bit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
import xxhash

from ..model import U64

MAX_BITS = 256
WORD_MASK = (1 << 64) - 1

#: hash(vocabulary, bits) -> uint64 (v, W)
TokenHash = Callable[[Sequence[str], int], U64]

HASHES: dict[str, TokenHash] = {}


def token_hash(name: str) -> Callable[[TokenHash], TokenHash]:
    """Register a hash function under `name`; a name that is taken raises ValueError."""

    def register(function: TokenHash) -> TokenHash:
        if name in HASHES:
            raise ValueError(f"token hash {name!r} is registered twice")
        HASHES[name] = function
        return function

    return register


def token_hashes(vocabulary: Sequence[str], *, bits: int, algorithm: str = "xxh3") -> U64:
    """Hash every token once.

    Parameters
    ----------
    vocabulary
        v distinct tokens.
    bits
        8, 16, 32, or 64 to 256 in steps of 64.
    algorithm
        A name in `HASHES`.

    Returns
    -------
    uint64 (v, W)
        W = ceil(bits / 64).

    Raises
    ------
    ValueError
        Unknown algorithm, or a width it does not have.
    """
    if algorithm not in HASHES:
        raise ValueError(f"unknown token hash {algorithm!r}")
    words_of(bits)
    return HASHES[algorithm](vocabulary, bits)


def words_of(bits: int) -> int:
    """Return how many 64-bit words hold `bits`; ValueError for a width that is not offered."""
    if bits in (8, 16, 32):
        return 1
    if bits % 64 or not 64 <= bits <= MAX_BITS:
        raise ValueError(f"no signatures of {bits} bits")
    return bits // 64


@token_hash("xxh3")
def xxh3(vocabulary: Sequence[str], bits: int) -> U64:
    """XXH3-128 with seed 0, followed by XXH3-128 with seed 1.

    Notes
    -----
    Digests are canonical, that is big-endian, so that the printed signature reads like the
    printed digest and shorter signatures are prefixes of longer ones.
    """
    encoded = [token.encode("utf-8", "surrogatepass") for token in vocabulary]
    digest = xxhash.xxh3_128_digest
    halves = [
        np.frombuffer(b"".join([digest(data, seed) for data in encoded]), dtype=">u8")
        for seed in range((bits + 127) // 128)
    ]
    words = np.hstack([half.reshape(-1, 2) for half in halves]).astype(np.uint64)
    return _low(np.ascontiguousarray(words[:, : words_of(bits)]), bits)


@token_hash("md5")
def md5(vocabulary: Sequence[str], bits: int) -> U64:
    """The low bits of MD5 read as one big-endian number, as the PyPI package `simhash` does."""
    width = words_of(bits)
    if width > 2:
        raise ValueError("MD5 has 128 bits")
    digests = [
        hashlib.md5(token.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
        for token in vocabulary
    ]
    words = np.frombuffer(b"".join(digests), dtype=">u8").reshape(-1, 2).astype(np.uint64)
    return _low(np.ascontiguousarray(words[:, 2 - width :]), bits)


@token_hash("bkdr31")
def bkdr31(vocabulary: Sequence[str], bits: int) -> U64:
    """h = 31 h + unit over UTF-16 code units, modulo 2^64: weak on short words, kept to compare."""
    if words_of(bits) > 1:
        raise ValueError("BKDR has 64 bits")
    hashes = np.array([bkdr(token, 31) for token in vocabulary], dtype=np.uint64)
    return _low(hashes.reshape(-1, 1), bits)


def bkdr(token: str, seed: int) -> int:
    """Return the BKDR hash of one token in unsigned 64-bit arithmetic."""
    units = np.frombuffer(token.encode("utf-16-le", "surrogatepass"), dtype="<u2")
    value = 0
    for unit in units.tolist():
        value = (value * seed + unit) & WORD_MASK
    return value


def _low(words: U64, bits: int) -> U64:
    """Keep the low `bits` of the single word where there are fewer than 64."""
    return words & np.uint64((1 << bits) - 1) if bits < 64 else words
