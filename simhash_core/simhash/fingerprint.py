"""Weights -> fingerprints, and what a distance between two of them means."""

from __future__ import annotations

import math

import numpy as np

from ..errors import RecipeMismatch
from ..machine.compiled import loops_of
from ..model import I64, U16, U64, Bools, Features, Fingerprints
from .hashes import words_of

LOOPS = loops_of("simhash/loops.c")

Z95 = 1.959963984540054  # two-sided 95 % point of the normal distribution


def fingerprint(
    features: Features, weights: I64, hashes: U64, *, bits: int, recipe: str
) -> Fingerprints:
    """Let the tokens of each document vote on its bits.

    Parameters
    ----------
    features
        n documents over a vocabulary of v tokens.
    weights : int64 (nnz,)
        Quantised, not negative, aligned with `features.token`.
    hashes : uint64 (v, W)
        `hashes.token_hashes(features.vocabulary, bits=bits)`.
    bits
        8, 16, 32, or 64 to 256 in steps of 64.
    recipe
        Digest of what shaped the weights and hashes; it travels with the result.

    Raises
    ------
    ValueError
        Shapes do not fit each other, or a weight is negative.

    Notes
    -----
    V[i] = sum over distinct tokens of +w where bit i of the hash is 1, else -w; bit i of the
    signature is 1 iff V[i] > 0, so a tie is 0. Sums are integers: the order of tokens, the
    partition into chunks and the machine change nothing. Cost O(nnz W).

    References
    ----------
    Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002.
    """
    width = words_of(bits)
    if hashes.shape != (len(features.vocabulary), width):
        raise ValueError(f"hashes have shape {hashes.shape}, not one row a token")
    if weights.shape != features.token.shape:
        raise ValueError("weights must be aligned with the tokens")
    if weights.size and weights.min() < 0:
        raise ValueError("weights must not be negative")
    words = np.zeros((len(features), width), dtype=np.uint64)
    valid = np.zeros(len(features), dtype=np.bool_)
    signed = (np.ascontiguousarray(weights, dtype=np.int64), np.ascontiguousarray(hashes))
    LOOPS.vote(features.indptr, features.token, *signed, *words.shape, words, valid)
    return Fingerprints(words, valid, bits, recipe)


def hamming(a: U64, b: U64) -> U16:
    """Return the number of differing bits of uint64 (..., W) rows; leading axes broadcast."""
    differing: U16 = np.bitwise_count(a ^ b).sum(axis=-1, dtype=np.uint16)
    return differing


def require_same(left: str, right: str) -> None:
    """Refuse to compare fingerprints of different recipes.

    Raises
    ------
    RecipeMismatch
    """
    if left != right:
        raise RecipeMismatch(left=left, right=right)


def cosine_interval(distance: int, bits: int) -> tuple[float, float, float]:
    """Estimate the cosine of two weight vectors from their distance: (estimate, low, high).

    Notes
    -----
    A bit differs with probability p = angle / pi, so the cosine is cos(pi p). The 95 % interval
    is Wilson's for p = distance / bits, which stays inside [0, 1] and is honest at distance 0.
    Bits are taken as independent; few heavy tokens widen the truth beyond it.

    References
    ----------
    Wilson, Probable inference, the law of succession, and statistical inference, JASA 1927.
    """
    if not 0 <= distance <= bits:
        raise ValueError(f"distance {distance} of {bits} bits")
    share, low, high = wilson(distance, bits)
    return math.cos(math.pi * share), math.cos(math.pi * high), math.cos(math.pi * low)


def wilson(hits: float, total: float) -> tuple[float, float, float]:
    """Return a share with its 95 % Wilson interval; of nothing, (nan, 0, 1).

    References
    ----------
    Wilson, Probable inference, the law of succession, and statistical inference, JASA 1927.
    """
    if total <= 0:
        return math.nan, 0.0, 1.0
    share, square = hits / total, Z95 * Z95 / total
    centre = (share + square / 2) / (1 + square)
    half = Z95 * math.sqrt(share * (1 - share) / total + square / (4 * total)) / (1 + square)
    low = 0.0 if hits <= 0 else max(0.0, centre - half)
    return share, low, 1.0 if hits >= total else min(1.0, centre + half)


def to_bits(words: U64, bits: int) -> Bools:
    """Return the bits of signatures uint64 (..., W) as printed, left to right: bool (..., bits)."""
    octets = np.ascontiguousarray(words).astype(">u8").view(np.uint8)
    return np.unpackbits(octets, axis=-1).view(np.bool_)[..., -bits:]


def to_hex(fingerprints: Fingerprints, row: int) -> str:
    """Return one signature as bits / 4 hexadecimal digits; "" where the document has none."""
    if not fingerprints.valid[row]:
        return ""
    value = 0
    for word in fingerprints.words[row].tolist():
        value = value << 64 | word
    return f"{value:0{fingerprints.bits // 4}x}"
