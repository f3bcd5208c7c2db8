"""New texts against an archive: which pairs are worth aligning, and what was looked at for that.

The pairs are those that a check of everything at once would align: archive texts that share rare
words in one place with a new text, that share its winnowed hashes, that are equal to it, or whose
fingerprint is close. Of the archive only the postings of what the new texts hold are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model import I32, I64, U64, Bools, Distances, Progress
from ..passages.blocks import (
    RULES,
    BlockPostings,
    Weights,
    forward_index,
    keep_within_budget,
    places_of,
    surprise,
)
from ..passages.rare_words import join_blocks
from ..passages.tokenized import TokenizedText
from ..passages.winnow import Winnowed
from ..policy import ARCHIVE_HASHES, ARCHIVE_NEAR, ARCHIVE_PAIRS, ARCHIVE_PAIRS_ALONE, SEARCH_BUDGET
from ..result import Guarantee
from ..simhash.search import counts_between, pairs_between
from .segments import LANGUAGES, Archive, UnitPostings, join_arrays, text_digest, texts_of

ROWS = 64  # new texts between two reports of progress
CERTAIN = np.iinfo(np.int64).max  # score of pairs that are never left out
ALL_HASHES = 10**15  # score of a pair with all winnowed hashes in common


@dataclass(frozen=True, slots=True, eq=False)
class NewTexts:
    """Texts as an archive is searched for them, one entry a text.

    `words` are fingerprints, uint64 (q, W), `valid` which texts have one.
    """

    texts: Sequence[TokenizedText]
    winnowed: Sequence[Winnowed]
    words: U64
    valid: Bools

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Pairs of a new text and a row of the archive, its segments one after the other.

    `score` is greater for a likelier pair, among pairs that were found in one way: by rare words
    thousandths of a nat above the floor of the block join, by winnowed hashes their share. It is
    greatest where a pair is never left out (`CERTAIN`).
    """

    query: I64
    row: I64
    score: I64

    @classmethod
    def of(cls, parts: Sequence[Hits]) -> Hits:
        """Join parts; a pair of several has its best score. Best pairs of each text first."""
        none = np.zeros(0, np.int64)
        every = [cls(none, none, none), *parts]
        query = np.concatenate([part.query for part in every])
        row = np.concatenate([part.row for part in every])
        score = np.concatenate([part.score for part in every])
        order = np.lexsort((-score, row, query))
        query, row, score = query[order], row[order], score[order]
        first = np.ones(len(query), np.bool_)
        first[1:] = (query[1:] != query[:-1]) | (row[1:] != row[:-1])
        query, row, score = query[first], row[first], score[first]
        order = np.lexsort((row, -score, query))
        return cls(query[order], row[order], score[order])

    @classmethod
    def in_turn(cls, ways: Sequence[Hits]) -> Hits:
        """Join pairs that were found in different ways: the best of each way take turns.

        Scores of two ways cannot be compared. In an archive of a million texts one text shares a
        winnowed hash with thousands of short ones, which must not displace those with rare words.
        A score becomes the rank of its pair among those of its text, 0 for the best, below 0 else.
        """
        parts = []
        for way in ways:
            best = cls.of([way])
            rank = np.searchsorted(best.query, best.query) - np.arange(len(best.query))
            score = np.where(best.score == CERTAIN, CERTAIN, rank)
            parts.append(cls(best.query, best.row, score))
        return cls.of(parts)

    def take(self, rows: Bools) -> Hits:
        """Return some pairs."""
        return Hits(self.query[rows], self.row[rows], self.score[rows])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Retrieval:
    """What a search of an archive returns.

    Attributes
    ----------
    query : int64 (m,)
        New text of each pair.
    key : int64 (m,)
        Archive key of each pair.
    compared : dict
        Pairs of a new text and an archive text by language of the passage engine.
    distances : Distances
        How many of all pairs stand at each distance.
    complete_up_to : int
        Every pair within so many bits is among the pairs.
    guarantees : tuple
    """

    query: I64
    key: I64
    compared: dict[str, int]
    distances: Distances
    complete_up_to: int
    guarantees: tuple[Guarantee, ...]


def retrieve(
    new: NewTexts,
    archive: Archive,
    *,
    share: float,
    bits: int,
    within: int,
    widest: int,
    step: Progress,
    budget: float = SEARCH_BUDGET,
) -> Retrieval:
    """Return the pairs of new texts and archive texts that are worth aligning.

    Parameters
    ----------
    share
        Share of the winnowed hashes of the smaller set that makes a candidate.
    bits
        Width of the fingerprints.
    within, widest
        Pairs within `within` bits are returned whatever their number, and so are further ones up
        to `widest` bits as long as they are few.
    budget
        Postings that may be read for rare words, 8 ns each.
    """
    step("candidates", 0, len(new))
    by_words, facts, visits = [], [], 0
    for unit in RULES:
        joined, weights, read = _by_words(new, archive, unit, budget, step)
        by_words.append(joined)
        if weights.features:
            params = {"n": weights.features, "most": weights.most, "share": weights.share}
            facts.append(Guarantee(f"words_left_out_{'zh' if unit == 'zh' else 'en'}", params))
        visits += read
    shared, read, cut = _by_hashes(new, archive, share)
    facts += [Guarantee("prints_left_out", {"n": cut})] if cut else []
    distances, complete_up_to, near = _by_fingerprints(new, archive, bits, within, widest)
    ways = (Hits.of(by_words), shared, _equal(new, archive), near)
    hits = Hits.in_turn([way.take(archive.admitted[way.row]) for way in ways])
    listed, most = _affordable(hits, len(new))
    if not listed.all():
        beyond = {"n": int(np.count_nonzero(~listed)), "most": most}
        facts.append(Guarantee("archive_left_out", beyond))
        hits = hits.take(listed)
    order = np.lexsort((hits.row, hits.query))
    query, key = hits.query[order], archive.key[hits.row[order]]
    step("candidates", len(new), len(new))
    languages = [text.language for text in new.texts]
    counts = {
        "texts": len(archive),
        "new": len(new),
        "pairs": len(query),
        "visits": visits + read,
        "share": share,
        "words": RULES["en"].width,
        "han": RULES["zh"].width,
    }
    return Retrieval(
        query=query,
        key=key,
        compared={name: languages.count(name) * archive.texts_in(name) for name in LANGUAGES},
        distances=distances,
        complete_up_to=complete_up_to,
        guarantees=(Guarantee("archive_searched", counts), *facts),
    )


def _affordable(hits: Hits, new: int) -> tuple[Bools, int]:
    """Return which pairs are aligned, and how many of each new text at most.

    What texts with few candidates leave is spent on those with many.
    """
    place = np.arange(len(hits.query)) - np.searchsorted(hits.query, hits.query)
    room = max(ARCHIVE_PAIRS * new, ARCHIVE_PAIRS_ALONE)
    most = int(np.sort(place)[room]) if len(place) > room else len(place)
    return np.asarray((place < most) | (hits.score == CERTAIN)), most


def _by_words(
    new: NewTexts, archive: Archive, unit: str, budget: float, step: Progress
) -> tuple[Hits, Weights, int]:
    """Join the new texts of one unit with the archive: what `passages.rare_words.join` does.

    A feature counts as often as it occurs in the archive and in the new texts together. The floor
    of a score rises with the number of block pairs, those of the texts that may be found.
    """
    rule, stored = RULES[unit], archive.units(unit)
    languages = np.array([text.language for text in new.texts])
    rows, texts = texts_of(unit, new.texts, languages)
    asked = BlockPostings.of(texts, rule.width)
    count, in_blocks = np.zeros((2, len(asked.feature)), np.int64)
    for one in stored:
        count += one.postings.counts(asked.feature)
        in_blocks += one.postings.in_blocks(asked.feature)
    tokens = asked.tokens + sum(one.postings.tokens for one in stored)
    total = count + asked.count
    weight = surprise(total, tokens, width=rule.width, margin=rule.margin)
    weight[in_blocks == 0] = 0
    visits = np.diff(asked.indptr) * in_blocks.astype(np.float64)
    weights = keep_within_budget(
        weight, in_blocks=in_blocks, visits=visits, share=total / max(tokens, 1), budget=budget
    )
    counted = weights.weight > 0
    read = int(visits[counted].sum())
    blocks = sum(
        int(np.diff(one.postings.first_block)[archive.admitted_of(number)[one.row]].sum())
        for number, one in enumerate(stored)
    )
    floor = rule.floor(float(asked.blocks) * blocks)
    forward = forward_index(asked, weights.weight)
    parts = []
    for number, one in enumerate(stored):
        scored = _join_blocks(asked, forward, asked.feature[counted], one, floor)
        row = archive.first[number] + one.row[scored[:, 1]]
        parts.append(Hits(rows[scored[:, 0]].astype(np.int64), row, scored[:, 2] - floor))
        step("candidates", len(new) * (number + 1) // (len(stored) + 1), len(new))
    return Hits.of(parts), weights, read


def _join_blocks(
    asked: BlockPostings,
    forward: tuple[I32, I64, I32, I64, I32],
    features: I32,
    stored: UnitPostings,
    floor: int,
) -> I64:
    """Return (m, 3): text of `asked`, text of `stored`, score of the pairs that reach `floor`."""
    weight, first, held, _, _ = forward
    postings = stored.postings.of_features(features)
    none = np.zeros((0, 3), np.int64)
    if not len(postings.feature):
        return none
    at, there = places_of(postings.feature, features)
    starts = np.where(there, postings.indptr[at], 0)
    ends = np.where(there, postings.indptr[at + 1], 0)
    behind = np.zeros(len(asked), np.int64)
    parts = [
        join_blocks(
            first,
            held,
            weight,
            ends,
            postings.block,
            stored.documents,
            asked.first_block,
            behind,
            (low, min(low + ROWS, len(asked))),
            floor,
            starts,
        )
        for low in range(0, len(asked), ROWS)
    ]
    return np.concatenate([none, *parts])


def _by_hashes(new: NewTexts, archive: Archive, share: float) -> tuple[Hits, int, int]:
    """Return the pairs that share so many winnowed hashes, the most alike first.

    Also how many postings were read, and how many hashes were too frequent to follow.
    """
    parts, read, cut = [], 0, 0
    for query, one in enumerate(new.winnowed):
        low = np.zeros((len(archive.segments), len(one.value)), np.int64)
        size = np.zeros_like(low)
        for number, segment in enumerate(archive.segments):
            low[number] = np.searchsorted(segment.hash, one.value, "left")
            size[number] = np.searchsorted(segment.hash, one.value, "right") - low[number]
        frequency = size.sum(axis=0)
        order = np.argsort(frequency, kind="stable")
        over = np.flatnonzero(np.cumsum(frequency[order]) > ARCHIVE_HASHES)
        if len(over):
            too_frequent = frequency >= frequency[order[over[0]]]
            size[:, too_frequent] = 0
            cut += int(np.count_nonzero(too_frequent))
        for number, segment in enumerate(archive.segments):
            row, shared = np.unique(
                segment.hash_row[_expanded(low[number], size[number])], return_counts=True
            )
            of_smaller = shared / np.minimum(len(one), segment.hashes[row])
            alike = of_smaller >= share
            alike_rows = archive.first[number] + row[alike]
            score = (ALL_HASHES * of_smaller[alike]).astype(np.int64)
            parts.append(Hits(np.full(len(alike_rows), query), alike_rows, score))
        read += int(size.sum())
    return Hits.of(parts), read, cut


def _expanded(low: I64, size: I64) -> I64:
    return np.repeat(low - np.cumsum(size) + size, size) + np.arange(size.sum())


def _equal(new: NewTexts, archive: Archive) -> Hits:
    """Return the pairs of equal texts, however common their words are."""
    asked = np.array([text_digest(text) for text in new.texts], np.uint64)
    stored = join_arrays([one.digest for one in archive.segments], np.uint64)
    lengths = np.array([len(text) for text in new.texts])
    order = np.argsort(stored, kind="stable")
    low = np.searchsorted(stored[order], asked, "left")
    size = np.searchsorted(stored[order], asked, "right") - low
    size[lengths == 0] = 0
    return _certain(np.repeat(np.arange(len(new)), size), order[_expanded(low, size)])


def _by_fingerprints(
    new: NewTexts, archive: Archive, bits: int, within: int, widest: int
) -> tuple[Distances, int, Hits]:
    """Count all distances; return the pairs as far out as few of them lie."""
    words = np.concatenate(
        [np.empty((0, new.words.shape[1]), np.uint64), *(one.words for one in archive.segments)]
    )
    valid = join_arrays([one.valid for one in archive.segments], np.bool_) & archive.admitted
    counts = counts_between(new.words, words, bits=bits, valid_a=new.valid, valid_b=valid)
    fitting = np.flatnonzero(np.cumsum(counts) <= ARCHIVE_NEAR * len(new))
    reach = int(fitting[-1]) if len(fitting) else 0
    reach = max(min(reach, widest), within)
    near = pairs_between(new.words, words, bits=bits, k=reach, valid_a=new.valid, valid_b=valid)
    return Distances(counts, bits), reach, _certain(near.left, near.right)


def _certain(query: I64, row: I64) -> Hits:
    return Hits(query.astype(np.int64), row.astype(np.int64), np.full(len(query), CERTAIN))
