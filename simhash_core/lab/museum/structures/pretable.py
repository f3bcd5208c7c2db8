"""The pre-generated table: every stored word with all its variants. One probe, 43,745 times the
memory; rejected for that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....model import I32, U64, Bools
from .expansion import BITS, K, count, variants
from .runs import Distinct, Run

ENTRY_BYTES = 12  # variant and owner
MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, eq=False)
class PreTable:
    """All words within k bits of the stored ones, sorted."""

    keys: U64  # (n * variants,)
    owner: I32

    @classmethod
    def build(cls, stored: U64, *, k: int = K, most_bytes: int = MOST_BYTES) -> PreTable:
        """Generate the table of uint64 (n,) words.

        Raises
        ------
        ValueError
            It would take more than `most_bytes`: 64 bits and k = 3 need 0.5 MB a word.
        """
        size = len(stored) * count(k) * ENTRY_BYTES
        if size > most_bytes:
            raise ValueError(f"the table would take {size} bytes")
        keys = (stored[:, None] ^ variants(k)[None, :]).reshape(-1)
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], (order // count(k)).astype(np.int32))


def pretable_pairs(
    words: U64, *, k: int = K, valid: Bools | None = None, most_bytes: int = MOST_BYTES
) -> Run:
    """Find all pairs within `k` bits by one probe a word into the table of all variants."""
    distinct = Distinct.of(words, BITS, valid)
    stored = distinct.columns[0]
    table = PreTable.build(stored, k=k, most_bytes=most_bytes)
    low = np.searchsorted(table.keys, stored, "left")
    high = np.searchsorted(table.keys, stored, "right")
    sizes = high - low
    query = np.repeat(np.arange(len(stored)), sizes)
    inside = np.arange(len(query)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    owner = table.owner[np.repeat(low, sizes) + inside].astype(np.int64)
    once = query < owner
    left, right = query[once], owner[once]
    distance = np.bitwise_count(stored[left] ^ stored[right]).astype(np.uint16)
    memory = len(table.keys) * ENTRY_BYTES
    pairs = distinct.pairs([(left, right, distance)])
    return Run(distinct.group, pairs, len(query), len(stored), memory)
