"""Which pairs of many are aligned: those that share rare stems in one place.

Texts of one language are asked for, those of the other are stored: a batch holds both, a library
the second. The join is that of one language (`passages/rare_words.py`), on stems.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..model import I32, I64, Bools, StemmedText
from ..passages.blocks import (
    NAT,
    BlockPostings,
    Postings,
    forward_index,
    keep_within_budget,
    places_of,
)
from ..passages.rare_words import join_blocks
from ..policy import SEARCH_BUDGET

WIDTH = 15  # words of a block; two neighbours are a window
RARE = 0.10  # share of the windows of the other language that hold a stem, at most
#: nats that two windows share at least: the weakest of 240 planted passages had 34, and a finding
#: has 10 beside the bonus of order
FLOOR = 20.0
ROWS = 16  # texts asked for at once: a bound of memory


def stem_postings(texts: Sequence[StemmedText], feature: I32) -> BlockPostings:
    """Index texts by their stems, of which `feature` (v,) gives a number for each."""
    size = np.array([len(text) for text in texts], np.int64)
    words = [np.repeat(np.arange(len(text)), np.diff(text.indptr)) for text in texts]
    stems = [text.stem for text in texts]
    entries = np.array([len(stem) for stem in stems], np.int64)
    none = np.empty(0, np.int64)
    return BlockPostings.of_entries(
        feature[np.concatenate([none.astype(np.int32), *stems])],
        np.repeat(np.arange(len(texts)), entries),
        np.concatenate([none, *words]),
        size,
        WIDTH,
    )


def likely_pairs(
    asked: BlockPostings,
    stored: Sequence[tuple[Postings, Bools]],
    *,
    most: int,
    budget: float = SEARCH_BUDGET,
) -> I64:
    """Return the pairs of an asked and a stored text that are worth aligning, int64 (m, 2).

    Parameters
    ----------
    asked
        Texts of one language.
    stored
        Those of the other, in any number of parts, and which texts of each part may be found.
        Texts are numbered through all parts.
    most
        Pairs of each asked text at most: those whose best window shares the most surprise with
        one of the other text.
    budget
        Postings that may be read, 10 ns each.

    Notes
    -----
    The surprise of a stem is -ln of the share of stored windows that hold it, nothing where that
    is more than `RARE`.
    """
    in_blocks = np.zeros(len(asked.feature), np.int64)
    for postings, _ in stored:
        in_blocks += postings.in_blocks(asked.feature)
    share = 2.0 * in_blocks / max(sum(postings.blocks for postings, _ in stored), 1)
    nats = -np.log(np.where(share > 0, share, 1.0))
    visits = np.diff(asked.indptr) * in_blocks.astype(np.float64)
    weights = keep_within_budget(
        np.rint(NAT * np.where(share <= RARE, nats, 0.0)).astype(np.int32),
        in_blocks=in_blocks,
        visits=visits,
        share=share,
        budget=budget,
    )
    counted = weights.weight > 0
    weight, forward, features, _, _ = forward_index(asked, weights.weight)
    parts = [_of_counted(postings, asked.feature[counted]) for postings, _ in stored]
    chosen = [np.zeros((0, 2), np.int64)]
    for row in range(0, len(asked), ROWS):
        rows, first, scored = (row, min(row + ROWS, len(asked))), 0, []
        for (_, admitted), (block, documents, low, high) in zip(stored, parts, strict=True):
            pairs = join_blocks(
                *(forward, features, weight, high, block, documents),
                *(asked.first_block, np.zeros(len(asked), np.int64), rows),
                *(round(NAT * FLOOR), low),
            )
            pairs = pairs[admitted[pairs[:, 1]]]
            scored.append(pairs + np.array([0, first, 0]))
            first += len(admitted)
        chosen.append(_best(np.concatenate(scored), most))
    return np.concatenate(chosen)


def _best(scored: I64, most: int) -> I64:
    """Return the pairs with the highest scores of each asked text, (m, 2)."""
    scored = scored[np.lexsort((scored[:, 1], -scored[:, 2], scored[:, 0]))]
    place = np.arange(len(scored)) - np.searchsorted(scored[:, 0], scored[:, 0])
    return scored[place < most, :2]


def _of_counted(postings: Postings, features: I32) -> tuple[I32, I32, I64, I64]:
    """Return blocks, the document of each block, and where those of each feature begin and end."""
    held = postings.of_features(features)
    at, there = places_of(held.feature, features)
    ends = np.append(held.indptr, 0)
    low, high = (np.where(there, ends[at + more], 0) for more in (0, 1))
    return held.block, held.documents.astype(np.int32), low, high
