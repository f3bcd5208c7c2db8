"""One witness of a passage: a stretch of a text as tokens, and where two of them agree."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from ..model import I32, I64, Bools

ANCHOR = 6  # tokens; a run that stands once in both texts holds the alignment there
MOST_CELLS = 400_000_000  # of one table between two anchors: 50 MB; beyond, nothing is equal

#: blocks of equal tokens, int64 (m, 3): place in a, place in b, length; in order, not touching both
Blocks = I64


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """The tokens of a stretch and some around it; offsets are code points of the document.

    Tokens [low, high) are the stretch; where it begins and ends is never exact, so those around
    it may belong to the passage too.
    """

    text: str
    token: I64  # (n,) equal where the tokens are, whatever their case, width and script
    start: I32
    end: I32
    end_attached: I32  # with the punctuation behind the token
    word: Bools  # a word begins here
    border: Bools  # (n,) punctuation or a line end stands before it
    low: int
    high: int

    def __len__(self) -> int:
        return len(self.token)

    def reading(self, first: int, last: int) -> str:
        """Return what stands in tokens [first, last), on one line."""
        if first >= last:
            return ""
        return " ".join(self.text[self.start[first] : self.end[last - 1]].split())

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the code points of tokens [first, last); an empty range is before the next."""
        if first < last:
            return int(self.start[first]), int(self.end[last - 1])
        at = int(self.start[first]) if first < len(self) else int(self.end[-1])
        return at, at


def equal_blocks(a: I64, b: I64) -> Blocks:
    """Align two rows of tokens: blocks of equal ones, as many tokens as possible between anchors.

    Notes
    -----
    Anchors are runs of `ANCHOR` tokens that stand once in a and once in b, in the longest chain
    of the same order; between them the longest common subsequence. O(n log n + gaps^2 / 64).
    """
    if len(a) == len(b) and np.array_equal(a, b):
        return np.array([[0, 0, len(a)]] if len(a) else np.zeros((0, 3)), np.int64)
    blocks: list[tuple[int, int, int]] = []
    reached_a = reached_b = 0
    for i, j in [*_anchors(a, b), (len(a), len(b))]:
        if i < reached_a or j < reached_b:
            continue
        _between(a, b, (reached_a, i), (reached_b, j), blocks)
        length = ANCHOR if i < len(a) else 0
        _add(blocks, i, j, length)
        reached_a, reached_b = i + length, j + length
    return np.array(blocks, np.int64).reshape(-1, 3)


def _anchors(a: I64, b: I64) -> list[tuple[int, int]]:
    """Return places (i, j) of runs that stand once in each, in the longest common order."""
    if min(len(a), len(b)) < ANCHOR:
        return []
    (once_a, at_a), (once_b, at_b) = _single_runs(a), _single_runs(b)
    _, in_a, in_b = np.intersect1d(once_a, once_b, assume_unique=True, return_indices=True)
    order = np.argsort(at_a[in_a])
    return _increasing(at_a[in_a][order].tolist(), at_b[in_b][order].tolist())


def _single_runs(token: I64) -> tuple[I64, I64]:
    """Return hash and place of the runs that stand once."""
    run = np.zeros(len(token) - ANCHOR + 1, np.uint64)
    for shift in range(ANCHOR):
        part = token.view(np.uint64)[shift : shift + len(run)]
        run = run * np.uint64(0x9E3779B97F4A7C15) + part  # wraps
    value, first, count = np.unique(run, return_index=True, return_counts=True)
    return value[count == 1].view(np.int64), first[count == 1].astype(np.int64)


def _increasing(at_a: list[int], at_b: list[int]) -> list[tuple[int, int]]:
    """Return the longest chain in which both places grow (Fredman 1975)."""
    ends: list[int] = []  # smallest last place in b of a chain of each length
    last: list[int] = []
    before = [-1] * len(at_b)
    for row, place in enumerate(at_b):
        length = bisect_left(ends, place)
        before[row] = last[length - 1] if length else -1
        ends[length : length + 1] = [place]
        last[length : length + 1] = [row]
    chain, row = [], last[-1] if last else -1
    while row >= 0:
        chain.append((at_a[row], at_b[row]))
        row = before[row]
    return chain[::-1]


def _between(
    a: I64, b: I64, in_a: tuple[int, int], in_b: tuple[int, int], blocks: list[tuple[int, int, int]]
) -> None:
    """Add the equal tokens of two stretches between anchors."""
    part_a, part_b = a[slice(*in_a)], b[slice(*in_b)]
    if not len(part_a) or not len(part_b) or len(part_a) * len(part_b) > MOST_CELLS:
        return
    from rapidfuzz.distance import LCSseq

    steps = LCSseq.editops(part_a.tolist(), part_b.tolist())
    for i, j, length in steps.as_matching_blocks():
        _add(blocks, in_a[0] + i, in_b[0] + j, length)


def _add(blocks: list[tuple[int, int, int]], i: int, j: int, length: int) -> None:
    """Append a block, or lengthen the last one where it goes on."""
    if not length:
        return
    if blocks and blocks[-1][0] + blocks[-1][2] == i and blocks[-1][1] + blocks[-1][2] == j:
        i, j, before = blocks.pop()
        length += before
    blocks.append((i, j, length))
