"""Which words both sides of a passage have in common, and which differ."""

from __future__ import annotations

import numpy as np
from rapidfuzz.distance import LCSseq

from ..model import I64, Bools
from .exact import grams_of
from .pair import RUN_TOKEN, TWINS, loops

MOVED_HAN, MOVED_WORDS = 4, 3  # tokens in a row that count wherever the other side has them
MOST_ORDERED = 400_000_000  # pairs of tokens; the common order of more would take over 50 MB


def in_common(a: I64, b: I64, *, moved: int) -> tuple[Bools, Bools]:
    """Mark the tokens of each side of a passage that the other side has too.

    Parameters
    ----------
    a, b : int64 (na,), (nb,)
        Tokens of both sides.
    moved
        Fewest tokens in a row that count wherever they stand.

    Notes
    -----
    A token is in common where it lies in the longest common subsequence, or in a run of `moved`
    tokens that the other side has anywhere: sentences may change places, while a single word that
    turns up elsewhere is chance. Of sides so long that their common order would take too much
    memory only runs count. O(na nb / 64).
    """
    if np.array_equal(a, b):
        return np.ones(len(a), np.bool_), np.ones(len(b), np.bool_)
    common = runs_in(a, b, moved), runs_in(b, a, moved)
    if len(a) * len(b) <= MOST_ORDERED:
        for block in LCSseq.editops(a.tolist(), b.tolist()).as_matching_blocks():
            common[0][block.a : block.a + block.size] = True
            common[1][block.b : block.b + block.size] = True
    return common


def runs_in(a: I64, b: I64, length: int) -> Bools:
    """Mark the tokens of a in runs of `length` tokens that b has."""
    if min(len(a), len(b)) < length:
        return np.zeros(len(a), np.bool_)
    TWINS.settle(RUN_TOKEN * (len(a) + len(b)))
    gram_a, gram_b = grams_of(a, length), grams_of(b, length)
    marked: Bools = loops.mark_runs(gram_a, gram_b, np.ones(len(gram_a), np.bool_), length)
    return marked
