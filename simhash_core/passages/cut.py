"""Passages without the tokens that do not count: what is left of each, on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..model import I32, I64, Bools, Passages
from .findings import IDENTICAL, MOVED_HAN, MOVED_WORDS, SUMMARY, mark_common
from .tokenized import TokenizedText, language_of

MOST_CELLS = 400_000_000  # of the alignment of one passage: 50 MB; larger ones are interpolated

Ranges = tuple[I64, I64]
Runs = list[tuple[int, int, int]]  # of equal tokens: a, b, length
Alignment = tuple[Runs | None, tuple[Bools, Bools]]  # and the tokens that both sides have
#: (pair, tokens of both sides) -> how the sides of a passage lie against each other
Aligned = dict[tuple[int, ...], Alignment]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """What is left of some passages.

    `passages` are the pieces, sorted by pair; `origin` int64 (p,) the row that each was cut from.
    """

    passages: Passages
    origin: I64


def drop_uncounted(text: TokenizedText, counted: Bools) -> TokenizedText:
    """Return a text whose measure of coverage leaves out the tokens that do not count."""
    size = np.diff(text.before) * counted
    return replace(text, before=np.concatenate([[0], np.cumsum(size)]).astype(np.int64))


def cut(
    tokenized: Sequence[TokenizedText],
    pairs: I64,
    passages: Passages,
    counted: Sequence[Bools],
    *,
    aligned: Aligned | None = None,
) -> Pieces:
    """Cut passages at every token that does not count in its text or whose counterpart does not.

    Parameters
    ----------
    pairs : int64 (m, 2)
        Rows of `tokenized`; `passages.pair` is a row of it.
    counted : sequence of bool (tokens,)
        Which tokens of each text count.
    aligned
        What earlier cuts of the same texts have set against each other; filled on the way.

    Notes
    -----
    Counterparts are those of a longest common subsequence; where a replaced stretch loses all of
    one side, the other side goes with it. A piece begins and ends with a word of both texts. A
    summary has no counterparts: it stays while most of both sides counts.
    """
    a, b = pairs[passages.pair, 0], pairs[passages.pair, 1]
    in_a = token_ranges(tokenized, a, passages.a_start, passages.a_end)
    in_b = token_ranges(tokenized, b, passages.b_start, passages.b_end)
    touched = (_missing(counted, a, in_a) > 0) | (_missing(counted, b, in_b) > 0)
    whole = np.flatnonzero(~touched)
    parts, origins = [passages.take(whole)], [whole]
    for row in np.flatnonzero(touched).tolist():
        sides = (
            (tokenized[a[row]], counted[a[row]], int(in_a[0][row]), int(in_a[1][row])),
            (tokenized[b[row]], counted[b[row]], int(in_b[0][row]), int(in_b[1][row])),
        )
        pieces = _pieces(passages, row, *sides, {} if aligned is None else aligned)
        parts.append(pieces)
        origins.append(np.full(len(pieces), row))
    joined, origin = _concatenated(parts), np.concatenate(origins)
    order = np.lexsort((joined.b_start, joined.a_start, joined.pair))
    return Pieces(joined.take(order), origin[order])


def token_ranges(
    tokenized: Sequence[TokenizedText], row: NDArray[np.integer], start: I32, end: I32
) -> Ranges:
    """Return the tokens inside code-point ranges: first and one past the last, int64 (p,) each."""
    first, last = np.zeros(len(row), np.int64), np.zeros(len(row), np.int64)
    order = np.argsort(row, kind="stable")
    rows, bounds = np.unique(row[order], return_index=True)
    for one, at in zip(rows.tolist(), np.split(order, bounds)[1:], strict=True):
        first[at] = np.searchsorted(tokenized[one].start, start[at])
        last[at] = np.searchsorted(tokenized[one].end, end[at], side="right")
    return first, last


def tokens_within(text: TokenizedText, ranges: Sequence[tuple[int, int]]) -> Bools:
    """Mark the tokens that lie in code-point ranges, also in part; bool (tokens,)."""
    inside = np.zeros(len(text), np.bool_)
    for start, end in ranges:
        low = int(np.searchsorted(text.end, start, side="right"))
        inside[low : int(np.searchsorted(text.start, end))] = True
    return inside


def _missing(counted: Sequence[Bools], row: NDArray[np.integer], ranges: Ranges) -> I64:
    """Return how many tokens of each range do not count, int64 (p,)."""
    missing = np.zeros(len(row), np.int64)
    for one in np.unique(row).tolist():
        before = np.concatenate([[0], np.cumsum(~counted[one])])
        at = np.flatnonzero(row == one)
        missing[at] = before[np.maximum(ranges[1][at], ranges[0][at])] - before[ranges[0][at]]
    return missing


Side = tuple[TokenizedText, Bools, int, int]


def _pieces(passages: Passages, row: int, a: Side, b: Side, aligned: Aligned) -> Passages:
    """Return what is left of one passage."""
    (text_a, counted_a, a0, a1), (text_b, counted_b, b0, b1) = a, b
    keep_a, keep_b = counted_a[a0:a1], counted_b[b0:b1]
    one = passages.take(np.array([row]))
    if passages.kind[row] == SUMMARY:
        stays = 2 * keep_a.sum() > len(keep_a) and 2 * keep_b.sum() > len(keep_b)
        return one.take(np.array([bool(stays)]))
    key = (int(passages.pair[row]), a0, a1, b0, b1)
    if key not in aligned:
        aligned[key] = _align(text_a, text_b, *key[1:])
    runs, both = aligned[key]
    columns = _columns(runs, keep_a, keep_b)
    rects = _runs(*columns)
    if not len(rects):
        return one.take(np.zeros(1, np.bool_))
    first_a, last_a = rects[:, 0] + a0, rects[:, 1] + a0
    first_b, last_b = rects[:, 2] + b0, rects[:, 3] + b0
    same = [
        np.array_equal(text_a.token[i:j], text_b.token[k:m])
        for i, j, k, m in zip(first_a, last_a, first_b, last_b, strict=True)
    ]
    before_a, before_b = (np.concatenate([[0], np.cumsum(marked)]) for marked in both)
    kind = np.where(same, IDENTICAL, passages.kind[row])
    return replace(
        one.take(np.zeros(len(rects), np.int64)),
        a_start=np.where(first_a == a0, one.a_start, text_a.start[first_a]).astype(np.int32),
        a_end=np.where(last_a == a1, one.a_end, text_a.end[last_a - 1]).astype(np.int32),
        b_start=np.where(first_b == b0, one.b_start, text_b.start[first_b]).astype(np.int32),
        b_end=np.where(last_b == b1, one.b_end, text_b.end[last_b - 1]).astype(np.int32),
        kind=kind.astype(np.uint8),
        words_a=(last_a - first_a).astype(np.int32),
        words_b=(last_b - first_b).astype(np.int32),
        shared_a=(before_a[last_a - a0] - before_a[first_a - a0]).astype(np.int32),
        shared_b=(before_b[last_b - b0] - before_b[first_b - b0]).astype(np.int32),
    )


Columns = tuple[I64, I64, Bools]  # token of a or -1, token of b or -1, whether it counts


def _align(a: TokenizedText, b: TokenizedText, a0: int, a1: int, b0: int, b1: int) -> Alignment:
    """Set the two sides of a passage against each other."""
    left, right = a.token[a0:a1], b.token[b0:b1]
    moved = MOVED_HAN if language_of([a, b]) == "zh" else MOVED_WORDS
    both = mark_common(left, right, moved)
    if np.array_equal(left, right):
        return [(0, 0, len(left))], both
    if len(left) * len(right) > MOST_CELLS:
        return None, both
    return equal_runs(left, right), both


def _columns(runs: Runs | None, keep_a: Bools, keep_b: Bools) -> Columns:
    """Set two sides against each other, a column for each pair of equal tokens and each other."""
    if runs is None:
        at = np.arange(len(keep_a))
        opposite = at * len(keep_b) // len(keep_a)
        return at, opposite, keep_a & keep_b[opposite]
    in_a, in_b, counting = [], [], []
    gap_a, gap_b = 0, 0
    for i, j, length in [*runs, (len(keep_a), len(keep_b), 0)]:
        here_a, here_b = np.arange(gap_a, i), np.arange(gap_b, j)
        both = (not len(here_a) or keep_a[here_a].any()) and (
            not len(here_b) or keep_b[here_b].any()
        )
        run_a, run_b = np.arange(i, i + length), np.arange(j, j + length)
        in_a += [here_a, np.full(len(here_b), -1), run_a]
        in_b += [np.full(len(here_a), -1), here_b, run_b]
        counting += [keep_a[here_a] & both, keep_b[here_b] & both, keep_a[run_a] & keep_b[run_b]]
        gap_a, gap_b = i + length, j + length
    return np.concatenate(in_a), np.concatenate(in_b), np.concatenate(counting)


def equal_runs(a: I64, b: I64) -> Runs:
    """Return the runs (a, b, length) of a longest common subsequence."""
    from rapidfuzz.distance import LCSseq

    return [
        (op.src_start, op.dest_start, op.src_end - op.src_start)
        for op in LCSseq.opcodes(a.tolist(), b.tolist())
        if op.tag == "equal"
    ]


def _runs(in_a: I64, in_b: I64, counting: Bools) -> I64:
    """Return rectangles int64 (r, 4) of columns that count, from equal words to equal words."""
    edges = np.diff(np.concatenate([[0], counting.astype(np.int8), [0]]))
    rects = []
    opened, closed = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
    for low, high in zip(opened.tolist(), closed.tolist(), strict=True):
        equal = np.flatnonzero((in_a[low:high] >= 0) & (in_b[low:high] >= 0)) + low
        if len(equal):
            first, last = equal[0], equal[-1]
            rects.append((in_a[first], in_a[last] + 1, in_b[first], in_b[last] + 1))
    return np.array(rects, np.int64).reshape(-1, 4)


def _concatenated(parts: list[Passages]) -> Passages:
    """Join tables as they come, unlike `Passages.join`, which sorts them."""
    columns = zip(*(part.columns() for part in parts), strict=True)
    return Passages(*(np.concatenate(column) for column in columns))
