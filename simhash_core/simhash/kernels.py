"""The vote compiled: the same bits as `readable.vote`, more than ten times faster."""

from __future__ import annotations

import numpy as np

from ..machine.kernels import BOOLS, U64_2, Kernels
from ..machine.kernels import I32 as TOKENS
from ..machine.kernels import I64 as INTS
from ..model import I32, I64, U64, Bools

ROOM = Kernels("votes")


@ROOM.inner()
def _count(counts: I64, token: I32, weights: I64, column: U64) -> None:
    """Add up, for each bit of one word, the weight of the tokens that have it.

    `counts[p]` belongs to bit p from the right. The inner loop has a fixed length and no branch,
    so that it becomes vector instructions with the counters in registers.
    """
    for entry in range(len(token)):
        bits, weight = column[token[entry]], weights[entry]
        for position in range(64):
            has = (bits >> np.uint64(position)) & np.uint64(1)
            counts[position] += weight & -np.int64(has)


@ROOM.entry((INTS, TOKENS, INTS, U64_2, U64_2, BOOLS))
def vote(indptr: I64, token: I32, weights: I64, hashes: U64, words: U64, valid: Bools) -> None:
    """See `readable.vote`. One pass over the row for each word; no memory beside 64 counters."""
    n, width = words.shape
    counts = np.empty(64, dtype=np.int64)
    for row in range(n):
        start, end = indptr[row], indptr[row + 1]
        total = np.int64(0)  # `sum` would be compiled in a quarter second
        for entry in range(start, end):
            total += weights[entry]
        valid[row] = total > 0
        for word in range(width):
            counts[:] = 0
            _count(counts, token[start:end], weights[start:end], hashes[:, word])
            signature = np.uint64(0)
            for position in range(64):
                if counts[position] > total - counts[position]:
                    signature |= np.uint64(1) << np.uint64(position)
            words[row, word] = signature
