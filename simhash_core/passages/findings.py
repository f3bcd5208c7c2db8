"""What the alignment of one pair found, in tokens, and how it becomes a table of passages."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ..model import I64, PASSAGE_KINDS, Passages
from .changes import MOVED_HAN, MOVED_WORDS, in_common
from .tokenized import TokenizedText, language_of

IDENTICAL, REWORDED, SUMMARY = range(len(PASSAGE_KINDS))

_TYPES = (np.int64, *(np.int32,) * 4, np.uint8, np.float32, np.bool_, *(np.int32,) * 4)


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
            *_counts(a, b, f.rect),
        )
        for row, a, b, findings in findings_of_pairs
        for f in findings
    ]
    rows.sort(key=lambda r: (r[0], r[1], r[3], r[2], r[4]))
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(_TYPES)
    return Passages(*(np.array(c, t) for c, t in zip(columns, _TYPES, strict=True)))


def _counts(a: TokenizedText, b: TokenizedText, rect: I64) -> tuple[int, int, int, int]:
    """Return the words of both sides of a rectangle, and those that they have in common."""
    left, right = a.token[rect[0] : rect[1]], b.token[rect[2] : rect[3]]
    moved = MOVED_HAN if language_of([a, b]) == "zh" else MOVED_WORDS
    both = in_common(left, right, moved=moved)
    return len(left), len(right), int(both[0].sum()), int(both[1].sum())
