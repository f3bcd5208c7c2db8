"""Blocks by feature in few bytes: what the segments of an archive hold, on disk and in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..machine.compiled import loops_of
from ..model import I32, I64, U8
from ..passages.blocks import BlockPostings, places_of

LOOPS = loops_of("library/loops.c")

MOST_BYTES = 5  # of one number

#: whole numbers in as few bytes each as the greatest of them takes
Narrow = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class PackedPostings:
    """`BlockPostings` whose blocks are differences of one to five bytes.

    Attributes
    ----------
    width : int
    feature : int32 (v,)
    count : integers (v,)
    first_block : int64 (n + 1,)
        As those of `BlockPostings`.
    size : integers (v,)
        Blocks of each feature.
    end : integers (v + 1,)
        Bytes of the features before each one; the number of all last.
    data : uint8 (bytes,)
        A difference takes one byte for every seven of its bits, the lowest first; the eighth bit
        of a byte says that another one follows.
    """

    width: int
    feature: I32
    count: Narrow
    size: Narrow
    end: Narrow
    data: U8
    first_block: I64

    @classmethod
    def of(cls, plain: BlockPostings) -> PackedPostings:
        """Pack postings."""
        block, features = np.ascontiguousarray(plain.block), len(plain.indptr) - 1
        data, ends = np.empty(MOST_BYTES * len(block), np.uint8), np.empty(features, np.int64)
        size = LOOPS.pack(np.asarray(plain.indptr), features, block, data, ends)
        return cls(
            plain.width,
            plain.feature,
            narrow(plain.count),
            narrow(np.diff(plain.indptr)),
            narrow(np.concatenate([[0], ends])),
            data[:size].copy(),
            plain.first_block,
        )

    def plain(self) -> BlockPostings:
        """Return all postings as they were packed."""
        return self._taken(np.arange(len(self.feature)))

    def of_features(self, features: I32) -> BlockPostings:
        """Return the postings of those among some features, sorted, that stand in a block."""
        at, there = places_of(self.feature, features)
        return self._taken(at[there])

    def in_blocks(self, features: I32) -> I64:
        """Return in how many blocks each of some features stands, int64 (f,)."""
        return self._of(self.size, features)

    def counts(self, features: I32) -> I64:
        """Return how often each of some features occurs, int64 (f,)."""
        return self._of(self.count, features)

    @property
    def blocks(self) -> int:
        """Number of blocks of all documents."""
        return int(self.first_block[-1])

    @property
    def tokens(self) -> int:
        """Tokens of all documents."""
        return int(self.count.sum())

    def _taken(self, at: I64) -> BlockPostings:
        """Return the postings of features by their rows."""
        low, high = (np.asarray(self.end[at + more], np.int64) for more in (0, 1))
        indptr = np.concatenate([[0], np.cumsum(self.size[at], dtype=np.int64)])
        block, data = np.empty(int(indptr[-1]), np.int32), np.asarray(self.data)
        LOOPS.unpack(data, len(data), low, high, indptr, len(low), self.blocks, block)
        count = np.asarray(self.count[at], np.int64)
        return BlockPostings(self.width, self.feature[at], count, indptr, block, self.first_block)

    def _of(self, values: Narrow, features: I32) -> I64:
        """Return a number of each of some features, 0 of those that are not here."""
        at, there = places_of(self.feature, features)
        numbers = np.zeros(len(features), np.int64)
        numbers[there] = values[at[there]]
        return numbers


def narrow(values: Narrow) -> Narrow:
    """Return whole numbers from 0 on in as few bytes each as the greatest of them takes."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))
