"""What two texts share of their words, passage by passage: see `passages.coverage`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from oracles.exact import mark_runs
from oracles.findings import runs_in
from oracles.growth import number_features, weigh
from oracles.pairwise import mean_weight
from rapidfuzz.distance import LCSseq

from simhash_core.model import I64, Bools, Passages, Stretches
from simhash_core.passages import findings
from simhash_core.passages.coverage import (
    Marks,
    PairNumbers,
    longest_order,
    longest_run,
    numbers_of,
    shortest_run,
    stretches_of,
)
from simhash_core.passages.findings import MOST_ORDERED, MOVED_HAN, MOVED_WORDS
from simhash_core.passages.options import AlignOptions
from simhash_core.passages.tokenized import TokenizedText, language_of, span_of
from simhash_core.policy import KEPT_ORDER, MIN_RUN

#: Longest stretch without an anchor that is taken as copied, in tokens. docs/calibration.md,
#: "Passages"
GAP_HAN, GAP_WORDS = 40, 20


ANCHOR = 2  # features in a row


def marks_of(
    a: TokenizedText, b: TokenizedText, passages: Passages, *, min_run: int = MIN_RUN
) -> Marks:
    """Mark what the firm passages of one pair share; summaries must have been taken out."""
    shared = np.zeros(len(a), np.bool_), np.zeros(len(b), np.bool_)
    identical = np.zeros(len(a), np.bool_), np.zeros(len(b), np.bool_)
    away = np.zeros(len(a), np.bool_), np.zeros(len(b), np.bool_)
    out_of_order = find_moved(a, b, passages)
    language = language_of([a, b])
    run = shortest_run(language, min_run)
    gap = GAP_HAN if language == "zh" else GAP_WORDS
    heavy = None if (passages.kind == findings.IDENTICAL).all() else _heavy(a, b)
    for row, kind in enumerate(passages.kind.tolist()):
        here = span_of(a, passages.a_start[row], passages.a_end[row])
        there = span_of(b, passages.b_start[row], passages.b_end[row])
        for side, text, mine, other, theirs in ((0, a, here, b, there), (1, b, there, a, here)):
            away[side][mine] |= out_of_order[row]
            if kind == findings.IDENTICAL or heavy is None:
                shared[side][mine] = identical[side][mine] = True
                continue
            identical[side][mine] |= runs_in(text.token[mine], other.token[theirs], run)
            features = text.feature[mine].astype(np.int64), other.feature[theirs].astype(np.int64)
            anchors = mark_runs(*features, heavy[side][mine], ANCHOR)
            shared[side][mine] |= identical[side][mine] | without_gaps(anchors, gap)
    left, right = zip(shared, identical, away, strict=True)
    return Marks.of(left, right)


def find_moved(a: TokenizedText, b: TokenizedText, passages: Passages) -> Bools:
    out_of_order = np.zeros(len(passages), np.bool_)
    ordered = np.arange(len(passages))
    if len(ordered) > 1:
        spans = np.stack(
            [passages.a_start, passages.a_end, passages.b_start, passages.b_end], axis=1
        )
        ordered = ordered[np.lexsort((spans[ordered, 2], spans[ordered, 0]))]
        sides = [((a0, a1), (b0, b1)) for a0, a1, b0, b1 in spans[ordered].tolist()]
        out_of_order[ordered] = True
        out_of_order[ordered[longest_order(sides)]] = False
    least = MOVED_HAN if language_of([a, b]) == "zh" else MOVED_WORDS
    for row in ordered.tolist():
        if passages.kind[row] != findings.IDENTICAL and not out_of_order[row]:
            here = span_of(a, passages.a_start[row], passages.a_end[row])
            there = span_of(b, passages.b_start[row], passages.b_end[row])
            out_of_order[row] = not keeps_order(a.token[here], b.token[there], least)
    return out_of_order


def keeps_order(a: I64, b: I64, least: int) -> bool:
    if len(a) * len(b) > MOST_ORDERED:
        return True
    in_runs = runs_in(a, b, least)
    in_order = np.zeros(len(a), np.bool_)
    for block in LCSseq.editops(a.tolist(), b.tolist()).as_matching_blocks():
        in_order[block.a : block.a + block.size] = True
    return int((in_order & in_runs).sum()) >= KEPT_ORDER * int(in_runs.sum())


def _heavy(a: TokenizedText, b: TokenizedText) -> tuple[Bools, Bools]:
    """Mark where two features in a row weigh at least as much as one does on average."""
    local_a, local_b, distinct = number_features(a.feature, b.feature)
    weight = weigh(local_a, local_b, distinct, AlignOptions().top_weight)
    of_a, of_b = weight[local_a], weight[local_b]
    mean = mean_weight(local_a, local_b, weight)
    return of_a + np.append(of_a[1:], 0.0) >= mean, of_b + np.append(of_b[1:], 0.0) >= mean


def without_gaps(anchors: Bools, gap: int) -> Bools:
    """Mark the anchors, and what lies between or beside them where it is at most `gap` tokens."""
    places = np.flatnonzero(anchors)
    if not len(places):
        return anchors
    ends = np.concatenate([[-1], places, [len(anchors)]])
    between = np.diff(ends) - 1
    return np.asarray(np.repeat(between <= gap, np.diff(ends))[:-1] | anchors)


def measure_pairs(
    tokenized: Sequence[TokenizedText], pairs: I64, passages: Passages, min_run: int
) -> tuple[PairNumbers, Stretches]:
    """Return the numbers of every pair, and what it shares; each has a passage."""
    numbers, parts = PairNumbers.zeros(len(pairs)), []
    first = np.searchsorted(passages.pair, np.arange(1, len(pairs)))
    for row, of_pair in enumerate(np.split(np.arange(len(passages)), first)):
        texts = tokenized[pairs[row, 0]], tokenized[pairs[row, 1]]
        marks = marks_of(*texts, passages.take(of_pair), min_run=min_run)
        longest = longest_in(*texts, passages, of_pair)
        numbers.put(slice(row, row + 1), numbers_of(texts, marks, longest, len(of_pair)))
        parts.append((row, texts, marks.ranges()))
    return numbers, stretches_of(parts)


def longest_in(a: TokenizedText, b: TokenizedText, passages: Passages, rows: I64) -> int:
    """Return the longest stretch of equal tokens inside some passages of a pair, in tokens."""
    return max(longest_run(a, b, passages, row) for row in rows.tolist())
