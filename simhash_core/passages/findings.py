"""What the alignment of one pair found, in tokens, and how it becomes a table of passages.

A passage says how many words its two sides have in common: those in one order on both sides, and
those in short runs that stand elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..model import I64, PASSAGE_KINDS, Bools, Passages
from .exact import LOOPS, mark_runs
from .tokenized import TokenizedText, language_of

IDENTICAL, REWORDED, SUMMARY = range(len(PASSAGE_KINDS))

_TYPES = (np.int64, *(np.int32,) * 4, np.uint8, np.float32, np.bool_, *(np.int32,) * 4)

MOVED_HAN, MOVED_WORDS = 4, 3  # tokens in a row that count wherever the other side has them
MOST_ORDERED = 400_000_000  # pairs of tokens; the common order of more would take over 50 MB


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """One passage in tokens."""

    rect: I64  # a0, a1, b0, b1
    kind: int
    strength: float
    weak: bool = False


def passages_of(
    findings_of_pairs: Iterable[tuple[int, TokenizedText, TokenizedText, list[Finding]]],
) -> Passages:
    """Turn token rectangles into code-point ranges, sorted by pair and place in a."""
    rows = [
        (
            row,
            int(a.start[f.rect[0]]),
            int(a.end_attached[f.rect[1] - 1]),
            int(b.start[f.rect[2]]),
            int(b.end_attached[f.rect[3] - 1]),
            f.kind,
            f.strength if math.isfinite(f.strength) else 0.0,
            f.weak,
            *_counts(a, b, f.rect, moved),
        )
        for row, a, b, findings in findings_of_pairs
        if findings and (moved := MOVED_HAN if language_of([a, b]) == "zh" else MOVED_WORDS)
        for f in findings
    ]
    rows.sort(key=lambda r: (r[0], r[1], r[3], r[2], r[4]))
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(_TYPES)
    return Passages(*(np.array(c, t) for c, t in zip(columns, _TYPES, strict=True)))


def _counts(a: TokenizedText, b: TokenizedText, rect: I64, moved: int) -> tuple[int, int, int, int]:
    """Return the words of both sides of a rectangle, and those that they have in common."""
    left, right = a.token[rect[0] : rect[1]], b.token[rect[2] : rect[3]]
    both = mark_common(left, right, moved)
    return len(left), len(right), int(both[0].sum()), int(both[1].sum())


def mark_common(a: I64, b: I64, moved: int) -> tuple[Bools, Bools]:
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
    common = np.zeros(len(a), np.bool_), np.zeros(len(b), np.bool_)
    LOOPS.in_common(a, len(a), b, len(b), moved, *common)
    return common


def runs_in(a: I64, b: I64, length: int) -> Bools:
    """Mark the tokens of a that lie in a run of `length` tokens that b has, bool (na,)."""
    return mark_runs(a, b, np.ones(len(a), np.bool_), length)
