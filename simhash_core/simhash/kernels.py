"""The vote compiled: the same bits as `votes.vote`, tens of times faster."""

from __future__ import annotations

import numpy as np
from numba import njit

from ..model import I32, I64, U64, Bools


@njit(cache=True, nogil=True)
def _add(counts: I64, weight: int, bits: int) -> None:
    """Add the weight to each of 64 counters whose bit is set; counter p is bit p from the right."""
    for position in range(64):
        counts[position] += weight & -np.int64((bits >> np.uint64(position)) & np.uint64(1))


@njit(cache=True, nogil=True)
def vote(indptr: I64, token: I32, weights: I64, hashes: U64, words: U64, valid: Bools) -> None:
    """See `votes.vote`. The counters of one word are contiguous, so that the loop vectorises."""
    n, width = words.shape
    counts = np.zeros((width, 64), dtype=np.int64)
    for row in range(n):
        counts[:] = 0
        total = np.int64(0)
        for entry in range(indptr[row], indptr[row + 1]):
            total += weights[entry]
            for word in range(width):
                _add(counts[word], weights[entry], hashes[token[entry], word])
        for word in range(width):
            signature = np.uint64(0)
            for position in range(64):
                one = counts[word, position]
                if one > total - one:
                    signature |= np.uint64(1) << np.uint64(position)
            words[row, word] = signature
        valid[row] = total > 0
