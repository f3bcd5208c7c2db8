"""Pairs of texts that share more rare words in one place than chance would put there.

The block join, which judges the one in C.
"""

from __future__ import annotations

import numpy as np
from oracles.exact import with_room

from simhash_core.model import I32, I64


def join_blocks(
    forward: I64,
    features: I32,
    weight: I32,
    ends: I64,
    block: I32,
    documents: I32,
    first_block: I64,
    behind: I64,
    rows: tuple[int, int],
    floor: int,
    ahead: I64,
) -> I64:
    """Return pairs (m, 3) left, right, score of documents whose score reaches `floor`.

    Arrays and errors as in `passages.rare_words.join_blocks`.
    """
    current, previous = (
        np.zeros(len(documents) + 1, np.int32),
        np.zeros(len(documents) + 1, np.int32),
    )
    in_current, in_previous = np.empty(len(documents), np.int32), np.empty(len(documents), np.int32)
    right = documents[-1] + 1 if len(documents) else 0
    best, scored = np.zeros(right, np.int32), np.empty(right, np.int64)
    pairs, count = np.empty((64, 3), np.int64), 0
    for row in range(rows[0], rows[1]):
        before_touched, reached = 0, 0
        for q in range(first_block[row], first_block[row + 1]):
            in_block = features[forward[q] : forward[q + 1]]
            touched = add_postings(
                in_block, weight, ends, block, behind[row], ahead, current, in_current
            )
            reached = best_windows(
                in_current[:touched], current, previous, documents, best, scored, reached
            )
            for k in range(before_touched):
                previous[in_previous[k]] = 0
            current, previous = previous, current
            in_current, in_previous = in_previous, in_current
            before_touched = touched
        for k in range(before_touched):
            previous[in_previous[k]] = 0
        for k in range(reached):
            other = scored[k]
            if best[other] >= floor:
                pairs = with_room(pairs, count)
                pairs[count, 0], pairs[count, 1], pairs[count, 2] = row, other, best[other]
                count += 1
            best[other] = 0
    return pairs[:count]


def add_postings(
    in_block: I32,
    weight: I32,
    ends: I64,
    block: I32,
    behind: int,
    ahead: I64,
    current: I32,
    touched: I32,
) -> int:
    """Add the weights of a block's features to every block from `behind` on that holds them.

    `touched` receives those blocks; returns how many.
    """
    count = 0
    for t in in_block:
        p, end, w = ahead[t], ends[t], weight[t]
        while p < end and block[p] < behind:
            p += 1
        ahead[t] = p
        while p < end:
            b = block[p]
            if current[b] == 0:
                touched[count] = b
                count += 1
            current[b] += w
            p += 1
    return count


def best_windows(
    touched: I32, current: I32, previous: I32, documents: I32, best: I32, scored: I64, reached: int
) -> int:
    """Raise `best` of each document to its best two blocks against the last two of the query.

    `scored` lists the documents with a score so far; returns how many.
    """
    for b in touched:
        document, left, right = documents[b], 0, 0
        if b > 0 and documents[b - 1] == document:
            left = current[b - 1] + previous[b - 1]
        if b + 1 < len(documents) and documents[b + 1] == document:
            right = current[b + 1] + previous[b + 1]
        score = current[b] + previous[b] + max(left, right)
        if score > best[document]:
            if best[document] == 0:
                scored[reached] = document
                reached += 1
            best[document] = score
    return reached
