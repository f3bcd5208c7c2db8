"""The loops of this room in C, under the names of `readable`; what each does is said there."""

from __future__ import annotations

import numpy as np

from ..machine.native import BYTES, I32, I64, INT, function
from ..model import I32 as Ints
from ..model import I64 as Whole
from ..model import U8
from .readable import MOST

_pack = function("library_pack", I64, INT, I32, BYTES, I64)
_unpack = function("library_unpack", BYTES, INT, I64, I64, I64, INT, INT, I32)


def pack(indptr: Whole, block: Ints) -> tuple[U8, Whole]:
    """See `readable.pack`."""
    data, end = np.empty(MOST * len(block), np.uint8), np.empty(len(indptr) - 1, np.int64)
    size = _pack(indptr, len(end), np.ascontiguousarray(block), data, end)
    return data[:size].copy(), end


def unpack(data: U8, low: Whole, high: Whole, indptr: Whole, blocks: int) -> Ints:
    """See `readable.unpack`."""
    block = np.empty(int(indptr[-1]), np.int32)
    _unpack(np.asarray(data), len(data), low, high, indptr, len(low), blocks, block)
    return block
