"""Which blocks of a collection hold which feature: postings that can be stored and extended."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..machine.memory import sizes_of
from ..model import F64, I32, I64, Bools
from ..policy import BLOCK_FLOOR, BLOCK_MARGIN, BLOCK_WIDTH
from .tokenized import TokenizedText

NAT = 1000  # weights are whole thousandths of a nat: sums do not depend on their order


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockRule:
    """How texts of one language are cut into blocks, and what a shared word is worth.

    Attributes
    ----------
    width
        Tokens of a block. A stretch of so many tokens lies in two neighbouring blocks.
    margin
        Nats by which a word must be rarer than once in two blocks before it counts.
    scale, extra
        The floor of a pair's score: `scale` ln M + `extra` nats, M block pairs compared. Pairs of
        characters count each character twice, hence the scale of Chinese.
    """

    width: int
    margin: float
    scale: float
    extra: float

    def floor(self, compared: float) -> int:
        """Return the least score of a candidate, thousandths of a nat."""
        return round(NAT * (self.scale * math.log(max(compared, 1.0)) + self.extra))


RULES = {
    language: BlockRule(
        width=BLOCK_WIDTH[language],
        margin=BLOCK_MARGIN[language],
        scale=BLOCK_FLOOR[language][0],
        extra=BLOCK_FLOOR[language][1],
    )
    for language in BLOCK_WIDTH
}


@dataclass(frozen=True, slots=True, eq=False)
class BlockPostings:
    """Blocks by feature. Blocks are numbered through all documents, in their order.

    Attributes
    ----------
    width : int
        Tokens of a block; the last one of a document may be shorter.
    feature : int32 (v,)
        Sorted, unique.
    count : int64 (v,)
        Occurrences in the collection.
    indptr : int64 (v + 1,)
        Feature i stands in the blocks `block[indptr[i]:indptr[i + 1]]`.
    block : int32 (entries,)
        Ascending for each feature, each block once.
    first_block : int64 (n + 1,)
        First block of each document, and the number of blocks.
    """

    width: int
    feature: I32
    count: I64
    indptr: I64
    block: I32
    first_block: I64

    @classmethod
    def of(cls, tokenized: Sequence[TokenizedText], width: int) -> BlockPostings:
        """Index documents. Cost: one sort of all tokens, 8 bytes each, by feature and block."""
        size = sizes_of(tokenized)
        first_block = _offsets((size + width - 1) // width)
        key, at = np.empty(size.sum(), np.int64), 0
        for text, first in zip(tokenized, first_block.tolist(), strict=False):
            block = first + np.arange(len(text)) // width
            key[at : at + len(text)] = text.feature.astype(np.int64) << 32 | block
            at += len(text)
        return cls._of_keys(key, first_block, width)

    @classmethod
    def of_entries(
        cls, features: I32, document: I64, place: I64, size: I64, width: int
    ) -> BlockPostings:
        """Index features (e,), ascending by document and token; a token may have several.

        `size` are the tokens of each document.
        """
        first_block = _offsets((size + width - 1) // width)
        block = first_block[document] + place // width
        return cls._of_keys(features.astype(np.int64) << 32 | block, first_block, width)

    @classmethod
    def _of_keys(cls, key: I64, first_block: I64, width: int) -> BlockPostings:
        """Index entries (e,) of a feature and, in the low 32 bits, a block; sorts them in place."""
        key.sort()
        entry = np.flatnonzero(_first_of(key))
        once = key[entry]
        feature = (once >> 32).astype(np.int32)
        new = _first_of(feature)
        indptr = np.append(np.flatnonzero(new), len(once))
        count = np.diff(np.append(entry[indptr[:-1]], len(key)))
        return cls(width, feature[new], count, indptr, once.astype(np.int32), first_block)

    def __len__(self) -> int:
        """Documents."""
        return len(self.first_block) - 1

    @property
    def blocks(self) -> int:
        """Number of blocks of all documents."""
        return int(self.first_block[-1])

    @property
    def tokens(self) -> int:
        """Tokens of all documents."""
        return int(self.count.sum())

    @property
    def documents(self) -> I64:
        """Document of each block, int64 (blocks,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.first_block))

    def compared(self, queries: int) -> float:
        """Return how many pairs of blocks a join of the first `queries` documents compares."""
        return compared_blocks(int(self.first_block[queries]), self.blocks)

    def in_blocks(self, features: I32) -> I64:
        """Return in how many blocks each of some features stands, int64 (f,)."""
        at, there = places_of(self.feature, features)
        return np.where(there, np.diff(self.indptr)[at], 0) if len(self.feature) else at

    def of_features(self, features: I32) -> BlockPostings:
        """Return the postings of those among some features, sorted, that stand in a block."""
        at, there = places_of(self.feature, features)
        at = at[there]
        low, size = self.indptr[at], np.diff(self.indptr)[at]
        indptr = _offsets(size)
        block = self.block[np.repeat(low - indptr[:-1], size) + np.arange(indptr[-1])]
        count, first_block = self.count[at], self.first_block
        return BlockPostings(self.width, features[there], count, indptr, block, first_block)

    def merged(self, other: BlockPostings) -> BlockPostings:
        """Return the postings of both collections, the documents of `other` last."""
        if self.width != other.width:
            raise ValueError("blocks of different widths")
        both = np.sort(np.concatenate([self.feature, other.feature]), kind="stable")
        feature = both[_first_of(both)]
        sizes = np.zeros((2, len(feature)), np.int64)
        count = np.zeros(len(feature), np.int64)
        places = []
        for row, one in enumerate((self, other)):
            at = np.searchsorted(feature, one.feature)
            sizes[row, at] = np.diff(one.indptr)
            count[at] += one.count
            places.append(at)
        indptr = _offsets(sizes.sum(axis=0))
        block = np.empty(indptr[-1], np.int32)
        for row, (one, at) in enumerate(zip((self, other), places, strict=True)):
            start = indptr[at] + (sizes[0, at] if row else 0) - one.indptr[:-1]
            target = np.repeat(start, np.diff(one.indptr)) + np.arange(len(one.block))
            block[target] = one.block + (self.blocks if row else 0)
        first_block = np.append(self.first_block, other.first_block[1:] + self.blocks)
        return BlockPostings(self.width, feature, count, indptr, block, first_block)

    def only(self, documents: Bools) -> BlockPostings:
        """Return the postings of some documents, bool (n,), which keep their order.

        How often the others used a feature is not stored: its occurrences shrink as its blocks do.
        """
        in_blocks = documents[self.documents]
        number = _offsets(in_blocks)
        stays = in_blocks[self.block]
        size = _offsets(stays)[self.indptr]
        entries, before = np.diff(size), np.diff(self.indptr)
        used = entries > 0
        count = np.rint(self.count[used] * (entries[used] / before[used])).astype(np.int64)
        return BlockPostings(
            self.width,
            self.feature[used],
            count,
            _offsets(entries[used]),
            number[self.block[stays]].astype(np.int32),
            _offsets(np.diff(self.first_block)[documents]),
        )


class Postings(Protocol):
    """Blocks by feature as a join asks for them, however they are held."""

    @property
    def blocks(self) -> int:
        """Number of blocks of all documents."""
        ...

    def in_blocks(self, features: I32) -> I64:
        """Return in how many blocks each of some features stands, int64 (f,)."""
        ...

    def of_features(self, features: I32) -> BlockPostings:
        """Return the postings of those among some features, sorted, that stand in a block."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What each feature of a collection is worth in a join.

    Attributes
    ----------
    weight : int32 (v,)
        Thousandths of a nat, 0 for what counts nothing.
    most : int
        Blocks that a feature may stand in; 0: no feature was left out.
    features : int
        How many were left out because they stand in more.
    share : float
        Share of all tokens that are occurrences of those.
    """

    weight: I32
    most: int = 0
    features: int = 0
    share: float = 0.0


def weigh_features(
    postings: BlockPostings, *, margin: float, queries: int, budget: float
) -> Weights:
    """Weigh features by their surprise: max(0, ln(T / count) - ln(2 width) - margin) nats.

    Parameters
    ----------
    queries
        Documents from the first on that are joined with all later ones.
    budget
        Postings that the join may visit. Where they do not suffice, features are left out from
        the most frequent down.

    Notes
    -----
    A word expected more than exp(-margin) times in two blocks is worth nothing, and neither is
    one that a single document holds. Visits of a feature with q blocks in the queries and a in
    all are at most q (a - q / 2).
    """
    weight = surprise(postings.count, postings.tokens, width=postings.width, margin=margin)
    documents = postings.documents
    if len(postings.block):
        first, last = postings.block[postings.indptr[:-1]], postings.block[postings.indptr[1:] - 1]
        weight[documents[first] == documents[last]] = 0
    in_blocks = np.diff(postings.indptr)
    in_queries = np.diff(_offsets(postings.block < postings.first_block[queries])[postings.indptr])
    visits = in_queries * (in_blocks - in_queries / 2)
    share = postings.count / max(postings.tokens, 1)
    return keep_within_budget(
        weight, in_blocks=in_blocks, visits=visits, share=share, budget=budget
    )


def surprise(count: I64, tokens: int, *, width: int, margin: float) -> I32:
    """Return the weight of features that occur `count` times in `tokens` tokens, int32 (v,)."""
    nats = np.log(tokens / count) - math.log(2 * width) - margin
    weight: I32 = np.rint(NAT * np.maximum(nats, 0.0)).astype(np.int32)
    return weight


def keep_within_budget(
    weight: I32, *, in_blocks: I64, visits: F64, share: F64, budget: float
) -> Weights:
    """Leave features out, from the most frequent down, until the rest is visited within a budget.

    Parameters
    ----------
    weight : int32 (v,)
    in_blocks : int64 (v,)      blocks that a feature stands in
    visits : float64 (v,)       postings of it that the join visits
    share : float64 (v,)        share of all tokens that are occurrences of it
    """
    weighed = np.flatnonzero(weight)
    order = weighed[np.argsort(in_blocks[weighed], kind="stable")]
    over = np.flatnonzero(np.cumsum(visits[order]) > budget)
    if not len(over):
        return Weights(weight)
    most = int(in_blocks[order[over[0]]]) - 1
    dropped = (weight > 0) & (in_blocks > most)
    left = np.where(dropped, np.int32(0), weight)
    of_tokens = min(float(share[dropped].sum()), 1.0)  # rounded terms may add up to more
    return Weights(left, most, int(np.count_nonzero(dropped)), of_tokens)


def compared_blocks(of_queries: int, blocks: int) -> float:
    """Return how many pairs a join of the first `of_queries` of all blocks compares."""
    return float(of_queries) * (blocks - float(of_queries) / 2)


def forward_index(postings: BlockPostings, weight: I32) -> tuple[I32, I64, I32, I64, I32]:
    """Return what a join reads: features of weight 0 left out, and the features of each block.

    Returns
    -------
    weight : int32 (f,)
    forward : int64 (blocks + 1,)
    features : int32 (entries,)
        Block q holds `features[forward[q]:forward[q + 1]]`.
    indptr : int64 (f + 1,)
    block : int32 (entries,)
    """
    counts = weight > 0
    size = np.diff(postings.indptr)
    indptr = _offsets(size[counts])
    block = postings.block[np.repeat(counts, size)]
    key = block.astype(np.int64) << 32
    key |= np.repeat(np.arange(len(indptr) - 1), size[counts])
    key.sort()
    forward = _offsets(np.bincount(block, minlength=postings.blocks))
    return weight[counts], forward, key.astype(np.int32), indptr, block


def _offsets(sizes: np.ndarray[tuple[int], np.dtype[np.integer | np.bool_]]) -> I64:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])


def places_of(held: I32, wanted: I32) -> tuple[I64, Bools]:
    """Return where sorted values stand in others, int64 (w,), and whether they do."""
    at = np.searchsorted(held, wanted)
    if not len(held):
        return at, np.zeros(len(wanted), np.bool_)
    at = np.minimum(at, len(held) - 1)
    return at, np.asarray(held[at] == wanted)


def _first_of(values: I32 | I64) -> Bools:
    """Mark where a value differs from the one before."""
    return np.concatenate([[True], values[1:] != values[:-1]])[: len(values)]
