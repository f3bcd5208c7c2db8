"""Numbers of blocks as differences in bytes: the readable twin of the loops of C.

A difference takes one byte for every seven of its bits, the lowest first; the eighth bit of a byte
says that another one follows.
"""

from __future__ import annotations

import numpy as np

from simhash_core.model import I32, I64, U8

BITS, MOST = 7, 5  # bits of a number in one byte, bytes of one number


def pack(indptr: I64, block: I32) -> tuple[U8, I64]:
    """Return the blocks of features as bytes, and where those of each feature end, int64 (v,).

    Parameters
    ----------
    indptr : int64 (v + 1,)
        Feature i stands in `block[indptr[i]:indptr[i + 1]]`, one at least, each once, ascending.
    """
    before = np.concatenate([[-1], block[:-1]])[: len(block)].astype(np.int64)
    before[indptr[:-1]] = -1
    gap = block - before - 1
    size = np.ones(len(gap), np.int64)
    for k in range(1, MOST):
        size += gap >> (BITS * k) > 0
    end = np.concatenate([[0], np.cumsum(size)])
    data = np.zeros(end[-1], np.uint8)
    for k in range(MOST):
        held = np.flatnonzero(size > k)
        more = (size[held] > k + 1).astype(np.int64) << BITS
        data[end[held] + k] = gap[held] >> (BITS * k) & (1 << BITS) - 1 | more
    return data, end[indptr[1:]]


def unpack(data: U8, low: I64, high: I64, indptr: I64, blocks: int) -> I32:
    """Return the blocks of some features, int32 (indptr[-1],).

    Parameters
    ----------
    low, high : int64 (f,)
        Where the bytes of each feature begin and end.
    indptr : int64 (f + 1,)
        Where its blocks are to stand.
    blocks
        How many blocks there are.

    Raises
    ------
    ValueError
        These are not the bytes of so many blocks.
    """
    if len(low) and (low.min() < 0 or high.max() > len(data)):
        raise ValueError("what was given cannot be read")
    bounds = np.concatenate([[0], np.cumsum(high - low)])
    byte = data[np.repeat(low - bounds[:-1], high - low) + np.arange(bounds[-1])].astype(np.int64)
    last = np.flatnonzero(byte < 1 << BITS)
    numbers = np.searchsorted(last, bounds)
    whole = len(byte) == (last[-1] + 1 if len(last) else 0)
    if not (whole and np.array_equal(numbers, indptr)):
        raise ValueError("what was given cannot be read")
    first = np.concatenate([[0], last[:-1] + 1])[: len(last)]
    size = last - first + 1
    if len(size) and size.max() > MOST:
        raise ValueError("what was given cannot be read")
    part = (byte & (1 << BITS) - 1) << BITS * (np.arange(len(byte)) - np.repeat(first, size))
    step = (np.add.reduceat(part, first) if len(first) else part) + 1
    total = np.concatenate([[0], np.cumsum(step)])
    block = total[1:] - np.repeat(total[indptr[:-1]], np.diff(indptr)) - 1
    if len(block) and block.max() >= blocks:
        raise ValueError("what was given cannot be read")
    numbered: I32 = block.astype(np.int32)
    return numbered
