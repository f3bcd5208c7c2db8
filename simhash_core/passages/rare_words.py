"""Pairs of texts that share more rare words in one place than chance would put there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..machine.compiled import Table
from ..model import I32, I64, Progress
from .blocks import BlockPostings, BlockRule, Weights, forward_index, weigh_features
from .exact import LOOPS
from .tokenized import TokenizedText

ROWS = 64  # documents between two reports of progress


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """Pairs (m, 2) left < right, and by how many thousandths of a nat each is above its floor."""

    pairs: I64
    above: I64

    @classmethod
    def of(cls, parts: Iterable[PairScores]) -> PairScores:
        """Join the pairs of several parts, sorted; a pair of several keeps its best score."""
        every = list(parts)
        pairs = np.concatenate([np.empty((0, 2), np.int64), *(part.pairs for part in every)])
        above = np.concatenate([np.empty(0, np.int64), *(part.above for part in every)])
        order = np.lexsort((-above, pairs[:, 1], pairs[:, 0]))
        pairs, above = pairs[order], above[order]
        best = np.ones(len(pairs), np.bool_)
        best[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)
        return cls(pairs[best], above[best])


def join(
    tokenized: Sequence[TokenizedText],
    *,
    rule: BlockRule,
    queries: int,
    budget: float,
    everything: bool,
    step: Progress,
) -> tuple[PairScores, Weights]:
    """Score pairs of the first `queries` documents with all later ones.

    Parameters
    ----------
    budget
        Postings that may be visited; 8 ns each.
    everything
        Return every pair that shares a counted word, not only those that reach the floor.

    Returns
    -------
    PairScores
    Weights
        With what the budget left out.

    Notes
    -----
    A score is the largest sum, over two neighbouring blocks of either text, of the weights of
    the words that pairs of these blocks share. Its floor rises with the number of block pairs
    that are compared, so chance alone gives about as many candidates in a large collection as
    in a small one. No word is left out for being in many documents, but it weighs by how
    seldom it occurs.
    """
    postings = BlockPostings.of(tokenized, rule.width)
    weights = weigh_features(postings, margin=rule.margin, queries=queries, budget=budget)
    weight, forward, features, indptr, block = forward_index(postings, weights.weight)
    floor = rule.floor(postings.compared(queries))
    documents, ahead = postings.documents.astype(np.int32), indptr[:-1].copy()
    parts = [np.empty((0, 3), np.int64)]
    for low in range(0, queries, ROWS):
        rows = (low, min(low + ROWS, queries))
        parts.append(
            join_blocks(
                forward,
                features,
                weight,
                indptr[1:],
                block,
                documents,
                postings.first_block,
                postings.first_block[1:],
                rows,
                1 if everything else floor,
                ahead,
            )
        )
        step("candidates", rows[1], queries)
    scored = np.concatenate(parts)
    return PairScores(scored[:, :2], scored[:, 2] - floor), weights


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

    The score of two documents is the largest sum of the weights of shared features over two
    neighbouring blocks of either: for each of the four pairs of blocks, each feature once.

    Parameters
    ----------
    forward, features
        Block q of the left documents holds `features[forward[q]:forward[q + 1]]`, each once.
    weight
        Weight of each feature, more than 0.
    ahead, ends, block
        Feature t stands in the blocks `block[ahead[t]:ends[t]]` of the right documents,
        ascending. `ahead` is moved on; calls on ascending rows may share it.
    documents
        Right document of each block.
    first_block
        First block of each left document, the number of blocks last.
    behind
        For each left document the first block that it is compared with: in a collection joined
        with itself `first_block[1:]`, ascending.
    rows
        Only left documents in rows[0] <= left < rows[1].
    """
    given = (forward, features, weight, ends, block, documents, first_block, behind, ahead)
    pairs = Table(np.int64, 3)
    LOOPS.join_blocks(LOOPS.Joined(*given, len(documents)), *rows, floor, pairs)
    return pairs.taken()
