"""How many texts of a check hold what two of them share, and the passages that several hold.

A pair says nothing about two persons by what the whole class has: the task, the text that was read,
a proverb. So each word that a pair shares is told by how many texts hold it: these two only, a few,
or many; and what three or more hold is one passage, however many pairs it makes.

References
----------
The counting of runs is that of inverse document frequency (Spärck Jones 1972) over n-grams; the
joining of runs that follow each other is that of assembling reads to contigs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import graphs
from ..machine.memory import sizes_of, split_by_size
from ..model import F64, I32, I64, SHARED, U64, Bools, Stretches
from ..policy import (
    CASE_UNITS,
    FEW_HOLDERS,
    FEW_HOLDERS_SMALL,
    HOLDER_PRIOR,
    HOLDER_RUN,
    PASSAGE_GAP,
    PASSAGE_HOLDERS,
    PASSAGE_TOGETHER,
    SMALL_CHECK,
)
from ..result import TONES, VariantGroups
from .cut import token_ranges
from .exact import LOOPS
from .tokenized import TokenizedText

_BLOCK_TOKENS = 500_000  # whose runs are hashed at once
_SHARED_TOKENS = 1_000_000  # that are counted in one call
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_FILTER_BITS = np.uint64(64 - 22)  # of a hash, that decide whether it is looked up
_NONE = np.int64(-1)


def few_holders(texts: int) -> int:
    """Return the number of holders up to which a passage stands in few of so many texts."""
    return FEW_HOLDERS if texts >= SMALL_CHECK else FEW_HOLDERS_SMALL


@dataclass(frozen=True, slots=True, eq=False)
class Holders:
    """What the pairs of a check share, by how many of its texts hold it.

    Attributes
    ----------
    of_pairs : int32 (m, 2, 3)
        Units of both sides of each pair by `TONES`; they sum to those of `PairNumbers.parts`.
    of_texts : int32 (n, 3)
        Units of each text that others share; each counts as the fewest texts of any pair hold it.
    passages : VariantGroups
        What at least `PASSAGE_HOLDERS` texts hold, most holders first.
    """

    of_pairs: I32
    of_texts: I32
    passages: VariantGroups


def count_holders(
    texts: Sequence[TokenizedText],
    pairs: I64,
    stretches: Stretches,
    *,
    before: Stretches | None = None,
) -> Holders:
    """Count how many texts hold what each pair shares.

    Parameters
    ----------
    texts
        All that are compared, those that are only compared against among them.
    pairs : int64 (m, 2)
        Rows of `texts`; `stretches.pair` is a row of it.
    before
        What was shared before something was left out, where `stretches` are what is left: a word
        is held by as many texts as it was.

    Notes
    -----
    A shared word is held by as many texts as hold the rarest run of `HOLDER_RUN` words over it that
    both texts have. A word under no such run was changed: it takes the mean of its stretch, where
    `HOLDER_PRIOR` words count as the number of texts whose passages cover it. Cost O(tokens), and a
    look-up for each shared word.
    """
    shared = stretches.of_kind(SHARED)
    runs = _Runs.of(texts, pairs, shared)
    held_before = None if before is None else _Before.of(texts, pairs, before.of_kind(SHARED))
    few = few_holders(len(texts)) - 1
    of_pairs = np.zeros((2 * len(pairs), len(TONES)), np.int64)
    rarest = np.full(len(runs.units), len(TONES), np.int8)
    for block, others in runs.count_others():
        if held_before is not None:
            others = held_before.instead_of(others, *runs.tokens_of(block))
        rows = np.ascontiguousarray(runs.stretches[block])
        LOOPS.add_tones(rows, len(rows), others, float(few), runs.units, of_pairs, rarest)
    found = np.flatnonzero(rarest < len(TONES))
    row = runs.text_of(found) * len(TONES) + rarest[found]
    of_texts = np.bincount(row, runs.units[found], len(texts) * len(TONES))
    return Holders(
        of_pairs.reshape(-1, 2, len(TONES)).astype(np.int32),
        of_texts.reshape(-1, len(TONES)).astype(np.int32),
        _find_passages(runs, few + 1),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Before:
    """How many other texts held each shared token before something was left out."""

    key: I64  # of pair, side and token, sorted
    others: F64
    tokens: int

    @classmethod
    def of(cls, texts: Sequence[TokenizedText], pairs: I64, shared: Stretches) -> _Before:
        """Count them."""
        runs = _Runs.of(texts, pairs, shared)
        keys, others = [np.zeros(0, np.int64)], [np.zeros(0)]
        for block, held in runs.count_others():
            side, token = runs.tokens_of(block)
            keys.append(side * len(runs.units) + token)
            others.append(held)
        key, first = np.unique(np.concatenate(keys), return_index=True)
        return cls(key, np.concatenate(others)[first], len(runs.units))

    def instead_of(self, others: F64, side: I64, token: I64) -> F64:
        """Return what is known of shared tokens from before, else what is given."""
        if not len(self.key):
            return others
        key = side * self.tokens + token
        place = np.minimum(np.searchsorted(self.key, key), len(self.key) - 1)
        return np.where(self.key[place] == key, self.others[place], others)


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """The texts in one row of tokens, with the number of the run that begins at each.

    Only runs in what some pair shares have a number, of those that two texts or more have.
    """

    texts: Sequence[TokenizedText]
    first: I64  # (n + 1,) of the tokens of each text
    width: I64  # (n,) words of a run in each text
    units: I64  # (tokens,) of each token
    number: I64  # (tokens,) -1 where no run with a number begins
    holders: I64  # (numbers,) texts with each run
    cover: I64 = field(repr=False)  # (tokens,) stretches over each
    stretches: I64  # (s, 5): text, the other text, first token, one past the last, side of a pair

    @classmethod
    def of(cls, texts: Sequence[TokenizedText], pairs: I64, shared: Stretches) -> _Runs:
        """Number the runs of what is shared, in all texts."""
        first, width, units, hashed, whole = hash_texts(texts)
        row = pairs[shared.pair, shared.side]
        low, high = token_ranges(texts, row, shared.start, shared.end)
        low, high = low + first[row], high + first[row]
        reach = width[row] - 1  # runs that begin before a stretch lie over its first words
        reached = _cover(np.maximum(low - reach, first[row]), high, first[-1]) > 0
        wanted = np.unique(hashed[reached & whole])
        number = np.where(whole, _number_hashes(hashed, wanted), _NONE)
        known = np.flatnonzero(number >= 0)
        owner = np.searchsorted(first, known, side="right") - 1
        held = np.unique(number[known] * len(texts) + owner)
        holders = np.bincount(held // max(len(texts), 1), minlength=len(wanted))
        several = holders > 1
        renumbered = np.where(several, np.cumsum(several) - 1, _NONE)
        number[known] = renumbered[number[known]]
        other, side = pairs[shared.pair, 1 - shared.side], 2 * shared.pair + shared.side
        stretches = np.stack([row, other, low, high, side], axis=1)
        cover = _cover(low, high, first[-1])
        return cls(texts, first, width, units, number, holders[several], cover, stretches)

    def count_others(self) -> Iterator[tuple[slice, F64]]:
        """Yield the stretches in blocks, and how many other texts hold each token of them."""
        held = LOOPS.HeldRuns(
            self.number, self.first, self.width, self.holders, self.cover, len(self.holders)
        )
        size = self.stretches[:, 3] - self.stretches[:, 2]
        for begin, end in split_by_size(size, _SHARED_TOKENS):
            rows = np.ascontiguousarray(self.stretches[begin:end])
            others = np.empty(int(size[begin:end].sum()))
            LOOPS.count_others(held, rows, len(rows), HOLDER_PRIOR, others)
            yield slice(begin, end), others

    def tokens_of(self, block: slice) -> tuple[I64, I64]:
        """Return the side of a pair and the place of each shared token of some stretches."""
        _, _, low, high, side = self.stretches[block].T
        count = high - low
        begin = np.repeat(low - np.cumsum(count) + count, count)
        return np.repeat(side, count), np.arange(len(begin)) + begin

    def text_of(self, token: I64) -> I64:
        """Return the text of each token."""
        return np.searchsorted(self.first, token, side="right") - 1


class HashedTexts(NamedTuple):
    """The runs of `HOLDER_RUN` words of some texts, one text behind the other."""

    first: I64  # (n + 1,) of the tokens of each text
    width: I64  # (n,) words of a run in each text
    units: I64  # (tokens,) of each token
    hashed: U64  # (tokens,) of the run that begins at each
    whole: Bools  # whether that run ends inside its text


def hash_texts(texts: Sequence[TokenizedText]) -> HashedTexts:
    """Hash the run from each token on; the texts are read in blocks."""
    first = np.concatenate([[0], np.cumsum(sizes_of(texts))]).astype(np.int64)
    width = np.empty(len(texts), np.int64)
    units, hashed = np.empty(first[-1], np.int64), np.empty(first[-1], np.uint64)
    whole = np.zeros(first[-1], np.bool_)
    for begin, end in split_by_size(np.diff(first), _BLOCK_TOKENS):
        rows = [texts[at] for at in range(begin, end)]
        inside = slice(int(first[begin]), int(first[end]))
        width[begin:end] = [HOLDER_RUN[text.language] for text in rows]
        units[inside] = np.concatenate([np.diff(text.before) > 0 for text in rows])
        token = np.concatenate([text.token for text in rows]).view(np.uint64)
        last = np.repeat(first[begin + 1 : end + 1], np.diff(first[begin : end + 1]))
        wide = np.repeat(width[begin:end], np.diff(first[begin : end + 1]))
        hashed[inside] = _hash_runs(token, wide)
        whole[inside] = np.arange(inside.start, inside.stop) + wide <= last
    return HashedTexts(first, width, units, hashed, whole)


def _hash_runs(token: U64, width: I64) -> U64:
    """Return a hash of the run of `width` tokens from each on; behind the end it means nothing."""
    hashed = np.zeros(len(token), np.uint64)
    for at in range(int(width.max(initial=0))):
        following = np.zeros(len(token), np.uint64)
        following[: max(len(token) - at, 0)] = token[at:]
        hashed = np.where(at < width, hashed * _MULTIPLIER + following, hashed)
    return hashed


def _number_hashes(hashed: U64, wanted: U64) -> I64:
    """Return the place of each hash in `wanted`, sorted; -1 where it is not there."""
    number = np.full(len(hashed), _NONE)
    maybe = np.zeros(1 << int(np.uint64(64) - _FILTER_BITS), np.bool_)
    maybe[wanted >> _FILTER_BITS] = True
    asked = np.flatnonzero(maybe[hashed >> _FILTER_BITS])
    if len(wanted):
        place = np.minimum(np.searchsorted(wanted, hashed[asked]), len(wanted) - 1)
        number[asked] = np.where(wanted[place] == hashed[asked], place, _NONE)
    return number


def _cover(low: I64, high: I64, tokens: int) -> I64:
    """Return how many half-open ranges lie over each token."""
    covered = np.zeros(tokens + 1, np.int64)
    np.add.at(covered, low, 1)
    np.add.at(covered, high, -1)
    return np.cumsum(covered[:-1])


# --------------------------------------------------------------------------- what several hold


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """Stretches of tokens that hold a passage, sorted by text and place."""

    label: I64  # of the passage
    text: I64
    begin: I64
    end: I64
    length: I64  # tokens under runs that several texts hold

    def take(self, rows: NDArray[np.integer] | Bools) -> _Parts:
        """Return some of them."""
        return _Parts(*(getattr(self, spec.name)[rows] for spec in fields(self)))

    def merged(self, most: I64) -> _Parts:
        """Join those of one text and passage with at most so many tokens between them."""
        parts = self.take(np.lexsort((self.begin, self.text, self.label)))
        if not len(parts.label):
            return parts
        new = (np.diff(parts.label) > 0) | (np.diff(parts.text) > 0)
        new |= parts.begin[1:] - parts.end[:-1] > most[parts.text[1:]]
        edge = np.flatnonzero(np.append(True, new))
        last = np.append(edge[1:], len(parts.label)) - 1
        length = np.add.reduceat(parts.length, edge)
        joined = _Parts(
            parts.label[edge], parts.text[edge], parts.begin[edge], parts.end[last], length
        )
        return joined.take(np.lexsort((joined.begin, joined.text)))


def _find_passages(runs: _Runs, few: int) -> VariantGroups:
    """Join runs that follow each other to the passages that several texts hold.

    Runs that few texts hold and runs that many hold make no passage together: a paragraph that
    three took from each other stays one, though it quotes the text that all have read. Two passages
    are one where most of their texts have one right after the other, edited between them. A text
    holds a passage where it has as many words of it as the shortest case.
    """
    least = np.array([CASE_UNITS[text.language] for text in runs.texts], np.int64)
    parts = _find_parts(runs, few)
    for _ in range(2):  # again, without the phrases that stood between two parts
        parts = replace(parts, label=_join_neighbours(parts, least)).merged(least)
        parts = parts.take(parts.length >= least[parts.text])
    return _pack_passages(runs, parts)


def _find_parts(runs: _Runs, few: int) -> _Parts:
    """Return the stretches under runs that several texts hold, by the runs that follow them.

    A run leads on where most go on from it and come to it: a phrase of two passages joins none.
    """
    known = np.flatnonzero(runs.number >= 0)
    begin = known[runs.holders[runs.number[known]] >= PASSAGE_HOLDERS]
    number, text = runs.number[begin], runs.text_of(begin)
    width = runs.width[text]
    many = runs.holders[number] > few
    follows = (np.diff(begin) == 1) & (np.diff(text) == 0) & (many[1:] == many[:-1])
    at = np.flatnonzero(follows)
    size = max(len(runs.holders), 1)
    step, times = np.unique(number[at] * size + number[at + 1], return_counts=True)
    left, right = np.divmod(step, size)
    usual = np.maximum(np.bincount(left, times)[left], np.bincount(right, times)[right])
    linked = times >= PASSAGE_TOGETHER * usual
    label = graphs.component_labels(left[linked], right[linked], len(runs.holders))[number]
    same = (np.diff(text) == 0) & (np.diff(label) == 0)
    covers = width.copy()  # tokens of each that no later one of its passage covers
    covers[:-1][same] = np.minimum(np.diff(begin), width[1:])[same]
    one_each = _Parts(label, text, begin, begin + width, covers)
    return one_each.merged(np.full(len(runs.texts), PASSAGE_GAP))


def _join_neighbours(parts: _Parts, most: I64) -> I64:
    """Return the label of each part, one for passages that follow each other in most texts."""
    several = int(parts.label.max(initial=-1)) + 1
    near = (np.diff(parts.text) == 0) & (np.diff(parts.label) != 0)
    near &= parts.begin[1:] - parts.end[:-1] <= most[parts.text[1:]]
    at = np.flatnonzero(near)
    ends = np.sort(np.stack([parts.label[at], parts.label[at + 1]]), axis=0)
    left, right, _ = np.unique(np.vstack([ends, parts.text[at]]), axis=1)
    (left, right), together = np.unique(np.stack([left, right]), axis=1, return_counts=True)
    held = np.unique(np.stack([parts.label, parts.text]), axis=1)[0]
    holders = np.bincount(held, minlength=several)
    most_of = together >= PASSAGE_TOGETHER * np.maximum(holders[left], holders[right])
    return graphs.component_labels(left[most_of], right[most_of], several)[parts.label]


def _pack_passages(runs: _Runs, parts: _Parts) -> VariantGroups:
    """Keep of each text the longest part of each passage, and passages with enough of them."""
    parts = parts.take(np.lexsort((parts.begin, -parts.length, parts.text, parts.label)))
    apart = (np.diff(parts.text) != 0) | (np.diff(parts.label) != 0)
    parts = parts.take(np.flatnonzero(np.append(True, apart)[: len(parts.label)]))
    names, of, count = np.unique(parts.label, return_inverse=True, return_counts=True)
    longest = np.zeros(len(names), np.int64)
    np.maximum.at(longest, of, parts.length)
    kept = np.flatnonzero(count >= PASSAGE_HOLDERS)
    ranked = kept[np.lexsort((names[kept], -longest[kept], -count[kept]))]
    rank = np.full(len(names), len(names))
    rank[ranked] = np.arange(len(ranked))
    order = np.lexsort((parts.text, rank[of]))
    parts = parts.take(order[: int(count[ranked].sum())])
    places = [
        (runs.texts[text].start[first - offset], runs.texts[text].end[last - offset - 1])
        for text, first, last, offset in zip(
            *(
                column.tolist()
                for column in (parts.text, parts.begin, parts.end, runs.first[parts.text])
            ),
            strict=True,
        )
    ]
    start, end = np.array(places, np.int32).reshape(-1, 2).T
    first = np.concatenate([[0], np.cumsum(count[ranked])]).astype(np.int64)
    return VariantGroups(first, parts.text, start, end, np.zeros(len(start), np.bool_))
