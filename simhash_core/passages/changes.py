"""How many words of a reworded passage are not those of the other text."""

from __future__ import annotations

from rapidfuzz.distance import LCSseq

from ..model import I64


def words_changed(a: I64, b: I64) -> int:
    """Return how many tokens of the longer side have no equal token, in order, in the other.

    Parameters
    ----------
    a, b : int64 (na,), (nb,)
        Tokens of both sides of a passage.

    Notes
    -----
    max(na, nb) - LCS(a, b), the length of the longest common subsequence: one replaced, added or
    deleted word counts 1; a moved one counts 1 where it is missing. O(na nb / 64).
    """
    return int(LCSseq.distance(a.tolist(), b.tolist()))
