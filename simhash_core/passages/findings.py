"""What the alignment of one pair found, in tokens, and how it becomes a table of passages.

A passage says how many words its two sides have in common: those in one order on both sides, and
those in short runs that stand elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..model import I64, PASSAGE_KINDS, Bools, Passages
from .exact import LOOPS
from .tokenized import TokenizedText, languages_of

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
    texts: Sequence[TokenizedText], pairs: I64, findings: Mapping[int, Sequence[Finding]]
) -> Passages:
    """Turn token rectangles into code-point ranges, sorted by pair and place in the left text.

    `findings` are by row of `pairs`, int64 (m, 2) of rows of `texts`.
    """
    every = [one for of_pair in findings.values() for one in of_pair]
    if not every:
        return Passages.join([])
    pair = np.repeat(np.array([*findings]), [*map(len, findings.values())])
    first = np.cumsum([0, *map(len, texts)])
    rect = np.array([one.rect for one in every]) + first[pairs[pair]].repeat(2, axis=1)
    chinese = languages_of(texts, pairs[pair]) == "zh"
    token, start, end = (
        np.concatenate([getattr(text, name) for text in texts])
        for name in ("token", "start", "end_attached")
    )
    common = mark_each(token, rect, np.where(chinese, MOVED_HAN, MOVED_WORDS))
    words = np.diff(rect)[:, ::2]
    shared = np.add.reduceat(common, np.cumsum(words.ravel()) - words.ravel(), dtype=np.int64)
    strength = [one.strength if math.isfinite(one.strength) else 0.0 for one in every]
    ends = start[rect[:, 0]], end[rect[:, 1] - 1], start[rect[:, 2]], end[rect[:, 3] - 1]
    kinds = [one.kind for one in every], strength, [one.weak for one in every]
    order = np.lexsort((ends[3], ends[1], ends[2], ends[0], pair))
    columns = zip((pair, *ends, *kinds, *words.T, *shared.reshape(-1, 2).T), _TYPES, strict=True)
    return Passages(*(np.asarray(column, kind)[order] for column, kind in columns))


def mark_common(a: I64, b: I64, moved: int) -> tuple[Bools, Bools]:
    """Mark the tokens of each side of a passage that the other side has too: see `mark_each`."""
    sides = np.array([[0, len(a), len(a), len(a) + len(b)]])
    common = mark_each(np.concatenate([a, b]), sides, np.array([moved]))
    return common[: len(a)], common[len(a) :]


def mark_each(token: I64, rect: I64, moved: I64) -> Bools:
    """Mark the tokens of both sides of each rectangle that its other side has too, side by side.

    Parameters
    ----------
    token : int64 (t,)
        Tokens of some texts, one behind the other; `rect` is int64 (r, 4) of places in it.
    moved : int64 (r,)
        Fewest tokens in a row that count wherever they stand.

    Notes
    -----
    A token is in common where it lies in the longest common subsequence, or in a run of `moved`
    tokens that the other side has anywhere: sentences may change places, while a single word that
    turns up elsewhere is chance. Of sides so long that their common order would take too much
    memory only runs count. O(na nb / 64).
    """
    common = np.zeros(int(np.diff(rect)[:, ::2].sum()), np.bool_)
    LOOPS.in_common(token, rect, len(rect), moved, common)
    return common
