"""The two naive ways, exact and rejected for cost: expand every query, or every stored word.

Query expansion looks up every word within k bits of the query: 43,745 probes. The pre-generated
table holds every stored word with all its variants: one probe, 43,745 times the memory.

References
----------
Manku, Jain, Das Sarma, WWW 2007, section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from ....model import I32, I64, U64, Bools
from ....simhash.search.loops import Hits
from .tables import BITS, Distinct, K, Run

# --------------------------------------------------------------------------- queries expanded


_QUERIES = 16  # expanded at a time: 0.7 million probes


def variants(k: int = K, *, bits: int = BITS) -> U64:
    """Return every mask of at most `k` of `bits` bits, uint64 (sum C(bits, i),), fewest first.

    For 64 bits and k = 3: 1 + 64 + 2,016 + 41,664 = 43,745.
    """
    one = np.uint64(1) << np.arange(bits, dtype=np.uint64)
    parts = [np.zeros(1, np.uint64)]
    for several in range(1, k + 1):
        chosen = np.array(list(combinations(range(bits), several)), np.int64)
        parts.append(np.bitwise_or.reduce(one[chosen], axis=1))
    return np.concatenate(parts)


def count(k: int, *, bits: int = BITS) -> int:
    """Return how many words lie within `k` bits of one."""
    return sum(comb(bits, several) for several in range(k + 1))


def expansion_pairs(
    words: U64, *, k: int = K, rows: I64 | None = None, valid: Bools | None = None
) -> Run:
    """Find pairs by 43,745 probes a query into one sorted table.

    Parameters
    ----------
    words : uint64 (n, 1)
    k
    rows : int64 (q,), optional
        Only these rows ask; a pair is found when either of its rows does. Default: all.

    Notes
    -----
    O(q 64^k log n / k!) probes: 4 ms a query in numpy, so all of 200,000 take a quarter hour.
    """
    distinct = Distinct.of(words, BITS, valid)
    asking = np.arange(len(distinct))
    if rows is not None:
        asking = np.flatnonzero(np.isin(distinct.rows, distinct.group[rows]))
    stored = distinct.columns[0]
    order = np.argsort(stored, kind="stable")
    masks = variants(k)[1:]  # without the word itself: equal words are groups
    asks = np.zeros(len(distinct), np.bool_)
    asks[asking] = True
    hits_of = [
        _asked(asking[at : at + _QUERIES], stored, order, masks, asks)
        for at in range(0, len(asking), _QUERIES)
    ]
    compared = sum(len(hits[0]) for hits in hits_of)
    probes = len(asking) * count(k)
    return Run(distinct.group, distinct.pairs(hits_of), compared, probes, len(stored) * 16)


def _asked(asking: I64, stored: U64, order: I64, masks: U64, asks: Bools) -> Hits:
    """Probe for some queries; a pair that both sides ask for is left to the smaller column."""
    ordered = stored[order]
    wanted = stored[asking][:, None] ^ masks[None, :]
    place = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    query, variant = np.nonzero(ordered[place] == wanted)
    left, right = asking[query], order[place[query, variant]]
    listed = (left < right) | ~asks[right]
    distance = np.bitwise_count(masks[variant]).astype(np.uint16)
    return left[listed], right[listed], distance[listed]


# --------------------------------------------------------------------------- stored words expanded


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
