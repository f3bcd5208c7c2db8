"""What the alignment of one pair found, in tokens, and how it becomes a table of passages.

A passage says how many words its two sides have in common: those in one order on both sides, and
those in short runs that stand elsewhere.
"""

from __future__ import annotations

import numpy as np
from oracles.exact import mark_runs
from rapidfuzz.distance import LCSseq

from simhash_core.model import I64, Bools
from simhash_core.passages.findings import MOST_ORDERED


def in_common(a: I64, b: I64, moved: int) -> tuple[Bools, Bools]:
    """Mark the tokens of each side of a passage that the other side has too.

    Arrays and errors as in `passages.findings.mark_common`.
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
    return mark_runs(a, b, np.ones(len(a), np.bool_), length)
