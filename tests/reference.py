"""SimHash as a textbook writes it: the slowest and plainest way."""

from collections.abc import Sequence

import numpy as np

from simhash_core.model import Features


def simhash(weights: Sequence[int], hashes: Sequence[int], bits: int) -> int:
    """Add +w or -w for every bit of every hash; a bit is 1 iff its sum is positive."""
    sums = [0] * bits
    for weight, token_hash in zip(weights, hashes, strict=True):
        for bit in range(bits):
            sums[bit] += weight if token_hash >> (bits - 1 - bit) & 1 else -weight
    signature = 0
    for total in sums:
        signature = signature << 1 | (total > 0)
    return signature


def as_int(words: np.ndarray) -> int:
    """Return one row of uint64 words as one big number."""
    value = 0
    for word in words.tolist():
        value = value << 64 | word
    return value


def as_words(values: Sequence[int], bits: int) -> np.ndarray:
    """Return uint64 (len(values), W) of numbers of `bits` bits."""
    width = max(1, bits // 64)
    rows = [
        [value >> 64 * (width - 1 - w) & (1 << 64) - 1 for w in range(width)] for value in values
    ]
    return np.array(rows, dtype=np.uint64).reshape(-1, width)


def features_of(documents: Sequence[Sequence[str]]) -> Features:
    """Count the tokens of documents, sorted by vocabulary id."""
    vocabulary = sorted({token for document in documents for token in document})
    ids = {token: row for row, token in enumerate(vocabulary)}
    indptr, tokens, counts = [0], [], []
    for document in documents:
        for token in sorted(set(document)):
            tokens.append(ids[token])
            counts.append(list(document).count(token))
        indptr.append(len(tokens))
    return Features(
        tuple(vocabulary),
        np.array(indptr, dtype=np.int64),
        np.array(tokens, dtype=np.int32),
        np.array(counts, dtype=np.int32),
        np.array([len(document) for document in documents], dtype=np.int64),
    )
