"""The vote in numpy: the judge of the loop in C."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simhash_core.model import I32, I64, U64, Bools

#: vote(indptr, token, weights, hashes, words, valid); fills the last two
Vote = Callable[[I64, I32, I64, U64, U64, Bools], None]


ENTRIES = 1 << 14  # unpacked at a time: 256 bits of so many entries are 4 MB


def vote(indptr: I64, token: I32, weights: I64, hashes: U64, words: U64, valid: Bools) -> None:
    """Fill `words` with the signature of each CSR row and `valid` with "has weight".

    Parameters
    ----------
    indptr : int64 (n + 1,)
    token : int32 (nnz,)
        Row of `hashes` of each entry.
    weights : int64 (nnz,)
        Not negative.
    hashes : uint64 (v, W)
    words : uint64 (n, W), written
    valid : bool (n,), written

    Notes
    -----
    Every bit position of every word is voted on; hashes of fewer than 64 bits have zeros above
    and nothing votes for those. A bit is 1 iff the weight of the tokens that have it is more
    than half of all: sum of +-w > 0. A tie is 0.
    """
    n, width = words.shape
    for row in range(n):
        start, end = int(indptr[row]), int(indptr[row + 1])
        for_one = np.zeros(64 * width, dtype=np.int64)
        for low in range(start, end, ENTRIES):
            high = min(low + ENTRIES, end)
            for_one += weights[low:high] @ unpack(hashes[token[low:high]])
        total = weights[start:end].sum()
        words[row] = pack(for_one > total - for_one)
        valid[row] = total > 0


def unpack(words: U64) -> Bools:
    """Return the bits of uint64 (..., W), most significant first: bool (..., 64 W)."""
    octets = np.ascontiguousarray(words).astype(">u8").view(np.uint8)
    return np.unpackbits(octets, axis=-1).view(np.bool_)


def pack(bits: Bools) -> U64:
    """Return uint64 (..., W) of bool (..., 64 W); the inverse of `unpack`."""
    return np.packbits(bits, axis=-1).view(">u8").astype(np.uint64)
