"""How many words of a reworded passage are not those of the other text."""

from __future__ import annotations

import numpy as np

from ..model import I64


def words_changed(a: I64, b: I64) -> int:
    """Return how many tokens of the longer side have no equal token, in order, in the other.

    Parameters
    ----------
    a, b : int64 (na,), (nb,)
        Tokens of both sides of a passage.

    Notes
    -----
    max(na, nb) - LCS(a, b): one replaced, added or deleted word counts 1; a moved one counts 1
    where it is missing. The longest common subsequence is counted with one bit a token of a
    (Hyyrö 2004), in O(na nb / 64) on Python's integers; equal beginnings and ends cost nothing.

    References
    ----------
    H. Hyyrö: Bit-parallel LCS-length computation revisited. AWOCA 2004.
    """
    longer = max(len(a), len(b))
    head = _equal_from_start(a, b)
    a, b = a[head:], b[head:]
    tail = _equal_from_start(a[::-1], b[::-1])
    a, b = a[: len(a) - tail], b[: len(b) - tail]
    places: dict[int, int] = {}
    for place, token in enumerate(a.tolist()):
        places[token] = places.get(token, 0) | 1 << place
    everything = (1 << len(a)) - 1
    missing = everything  # bit i is 0 where a[i] ends a longer common subsequence
    for token in b.tolist():
        met = missing & places.get(token, 0)
        missing = ((missing + met) | (missing - met)) & everything
    return int(longer - head - tail - (len(a) - missing.bit_count()))


def _equal_from_start(a: I64, b: I64) -> int:
    """Return the length of the common beginning."""
    shorter = min(len(a), len(b))
    differs = np.flatnonzero(a[:shorter] != b[:shorter])
    return int(differs[0]) if len(differs) else shorter
